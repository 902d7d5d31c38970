"""How many threads a step takes, and which buffers it makes: nothing of it shows in a loss, all of it costs time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
import torch

from elgeo.models import Batch, Elbe, ElEmbeddings, ElSettings
from elgeo.models.ball_models import engine as ball_engine
from elgeo.models.ball_models.engine import FusedEngine
from elgeo.models.box_models import engine as box_engine
from elgeo.models.box_models.engine import BoxEngine
from tests.models.ball_models.irregular_balls import irregular_model as irregular_balls
from tests.models.box_models.box_cases import irregular_model as irregular_boxes
from tests.models.model_contract import SIZES, random_rows

BATCH = {
    "subclass": Batch(random_rows("subclass", 7, np.random.default_rng(1)), None, 1.0),
    "existential": Batch(random_rows("existential", 5, np.random.default_rng(2)), None, 1.0),
}


def balls() -> ElEmbeddings:
    return irregular_balls(ElSettings(dimension=3), 4)


def boxes() -> Elbe:
    model: Any = irregular_boxes("elbe", {})
    return model


@pytest.mark.parametrize("kind", ["balls", "boxes"])
def test_a_step_through_as_many_numbers_as_are_worth_it_takes_all_threads(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every class is walked over and each ball meets the other of its axiom; the forces of boxes are made before."""
    module: Any = ball_engine if kind == "balls" else box_engine
    model: Any = balls() if kind == "balls" else boxes()
    engine = FusedEngine(model) if kind == "balls" else BoxEngine(model)
    ends = 2 if kind == "balls" else 1
    numbers = (ends * (7 + 5) + SIZES.classes) * model.settings.dimension
    asked: list[bool] = []

    @contextmanager
    def few(is_little: bool) -> Iterator[None]:
        asked.append(is_little)
        yield

    monkeypatch.setattr(module, "few_threads", few)
    for worth in (numbers - 1, numbers, numbers + 1):
        monkeypatch.setattr(module, "WORTH_THREADS", worth)
        engine.step(BATCH, 0.01)
    assert asked == [False, False, True]


def test_forces_of_boxes_are_written_to_the_same_buffer_while_it_is_large_enough() -> None:
    engine = BoxEngine(boxes().to(torch.float64))
    engine.step(BATCH, 0.01)
    first = engine._slots
    assert len(first) == 7 + 5
    engine.step(BATCH, 0.01)
    engine.step({"subclass": BATCH["subclass"]}, 0.01)
    assert engine._slots is first
    engine.step({"subclass": Batch(random_rows("subclass", 20, np.random.default_rng(3)), None, 1.0)}, 0.01)
    assert len(engine._slots) == 20

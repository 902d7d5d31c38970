"""The example of docs/models.md is a model that trains and scores, and is found by its name."""

from __future__ import annotations

import re
import types
from pathlib import Path

import numpy as np
import pytest

from elgeo.errors import SettingError
from elgeo.models import Batch, Model, find
from elgeo.models.contract import REGISTRY
from tests.models.model_contract import SIZES, random_rows

PAGE = Path(__file__).parents[2] / "docs" / "models.md"


def test_the_example_of_ones_own_model_trains() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    module = types.ModuleType("elgeo_example")
    try:
        exec(compile(code, str(PAGE), "exec", dont_inherit=True), module.__dict__)
        cls = find("points")
        assert issubclass(cls, Model)
        model = cls(SIZES, None, np.random.default_rng(0))
        rows = random_rows("existential", 50, np.random.default_rng(1))
        engine = model.engine()
        losses = [engine.step({"existential": Batch(rows, rows[::-1], 1.0)}, 0.05)["existential"] for _ in range(200)]
        assert losses[-1] < 0.7 * losses[0]
        scores = model.scorer().pairs(rows[:, 0], 1, rows[:, 2])
        assert np.isfinite(scores).all()
        assert not model.holds("existential", rows).any()
        assert model.holds("existential", rows, tolerance=1e3).all()
    finally:
        REGISTRY.pop("points", None)


def test_two_models_cannot_have_one_name() -> None:
    with pytest.raises(SettingError, match="elem"):
        type("Other", (find("naive"),), {"name": "elem"})
    assert find("elem").__name__ == "ElEmbeddings"

"""Individuals are points: without width from the start, however they are trained, and never empty."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

import elgeo
from elgeo.datasets import load
from elgeo.models import Model, Sizes, TransBox, find
from elgeo.models.box_models.model import BoxModel
from elgeo.models.engines.torch_engine import TorchEngine
from elgeo.ontology.vocabulary import BOTTOM, TOP
from elgeo.reasoning.questions.expressions import NOTHING, And, Atom, Some
from elgeo.training.distributed.drawing import sizes_of
from elgeo.training.folder.parts import OwnRows
from tests.models.box_models.box_cases import irregular_model
from tests.models.model_contract import SIZES, random_batch

POINTS = [5, 9, 20]
WITH_POINTS = replace(SIZES, individuals=tuple(POINTS), share=len(POINTS) / SIZES.classes)
NAMES = ["box2el", "transbox", "boxel"]
BETA = 0.9


def made(name: str, sizes: Sizes = WITH_POINTS, seed: int = 4, **settings: Any) -> Model:
    cls: Any = find(name)
    model: Model = cls(sizes, cls.Settings(dimension=4, **settings), np.random.default_rng(seed))
    return model


def widths(model: Model) -> np.ndarray:
    arrays = model.embeddings()
    if "class_offsets" in arrays:
        return arrays["class_offsets"]
    return np.asarray(arrays["class_upper"] - arrays["class_lower"])


def with_bumps(sizes: Sizes) -> BoxModel:
    """Bumps of very different length, for which it matters whose mean counts how much."""
    model = irregular_model("box2el", {"bump_weight": 0.7}, 2, sizes)
    arrays = model.arrays()
    arrays["bumps"] *= np.random.default_rng(1).lognormal(0, 0.7, (len(arrays["bumps"]), 1))
    model.load(arrays)
    return model


def test_a_dataset_says_which_they_are() -> None:
    dataset = load("family")
    sizes = Sizes.of(dataset)
    names = dataset.vocabulary.classes
    assert len(sizes.individuals) == 14
    assert sizes.share == 14 / 32
    assert {names[c].rsplit("#")[-1].rsplit("/")[-1] for c in sizes.individuals} > {"ada", "max"}
    assert Sizes.of(load("cell-tiny")) == Sizes(
        *(getattr(load("cell-tiny").vocabulary, n) for n in ("n_classes", "n_roles"))
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_points_stay_points_by_kernels_and_by_autograd(name: str) -> None:
    ours, theirs, plain = made(name), made(name), made(name, SIZES)
    others = np.setdiff1d(np.arange(SIZES.classes), POINTS)
    for key, array in ours.arrays().items():  # whoever is no individual begins where it does without any
        rows = others if len(array) == SIZES.classes else slice(None)
        np.testing.assert_array_equal(array[rows], plain.arrays()[key][rows])
    begun = widths(ours)
    assert (begun[POINTS] == 0).all()
    assert (begun[others] > 0).all()
    fused, reference = ours.engine(), TorchEngine(theirs)
    generator = np.random.default_rng(6)
    for number in range(30):
        batch = random_batch(ours, generator)
        found = fused.step(batch, 0.01)
        assert found == pytest.approx(reference.step(batch, 0.01), rel=2e-3)
        if number == 14:
            parameters, state = ours.arrays(), fused.state()
            again = made(name, seed=8)
            again.load(parameters)
            resumed = again.engine()
            resumed.load_state(state)
        elif number > 14:
            assert resumed.step(batch, 0.01) == found
    for model in (ours, theirs, again):
        assert (widths(model)[POINTS] == 0).all()
        assert (widths(model)[others[2:]] != begun[others[2:]]).any(axis=1).all()
    for key, array in ours.arrays().items():
        np.testing.assert_array_equal(array, again.arrays()[key])
        assert not np.array_equal(array, parameters[key])


@pytest.mark.parametrize("share", [3 / 23, 0.0])
def test_half_of_what_bumps_cost_is_that_of_individuals(share: float) -> None:
    sizes = WITH_POINTS if share else SIZES
    ours, theirs = (with_bumps(sizes) for _ in range(2))
    norms = np.linalg.norm(ours.arrays()["bumps"], axis=1)
    others = np.setdiff1d(np.arange(SIZES.classes), POINTS)
    expected = 0.7 * (norms[POINTS].mean() + norms[others].mean()) / 2 if share else 0.7 * norms.mean()
    penalty = ours.penalty()
    assert penalty is not None
    assert float(penalty.detach()) == pytest.approx(expected)
    batch = random_batch(ours, np.random.default_rng(3))
    fused, reference = ours.engine(), TorchEngine(theirs)
    fused.step(batch, 0.01)
    reference.step(batch, 0.01)
    for key in ours.parameters:
        found, twin = (engine.state()[f"mean.{key}"] for engine in (fused, reference))
        np.testing.assert_allclose(found, twin, rtol=1e-10, atol=1e-12, err_msg=key)


def test_processes_together_ask_of_bumps_what_one_does() -> None:
    whole = with_bumps(WITH_POINTS)
    total = whole.penalty()
    assert total is not None
    for size in (2, 3):
        parts = 0.0
        for rank in range(size):
            rows = OwnRows(SIZES.classes, rank, size)
            own = irregular_model("box2el", {"bump_weight": 0.7}, 2, sizes_of(rows, WITH_POINTS))
            assert [c * size + rank for c in own.sizes.individuals] == [c for c in POINTS if c % size == rank]
            own.parameters = {
                key: tensor[rows.cut] if key in own.class_tables else tensor for key, tensor in whole.parameters.items()
            }
            penalty = own.penalty()
            assert penalty is not None
            parts += float(penalty) * rows.count / rows.total
        assert parts == pytest.approx(float(total))


def test_truth_of_facts_is_that_of_points() -> None:
    """C(a) where a is in C, r(a, b) where a − b is in r; told from the numbers alone."""
    model = irregular_model("transbox", {"dimension": 1}, 7, replace(WITH_POINTS, individuals=(3, 4), share=2 / 23))
    assert isinstance(model, TransBox)
    arrays = model.arrays()
    arrays["centres"][[3, 4, 6]], arrays["offsets"][6] = [[1.0], [-0.5], [0.8]], [0.4]
    arrays["role_centres"][1], arrays["role_offsets"][1] = 1.2, 0.3
    model.load(arrays)
    a, b, c = 3, 4, 6
    for form, row, true in (
        ("subclass", (a, c), True),
        ("subclass", (b, c), False),
        ("subclass", (c, a), False),
        ("existential", (a, 1, b), True),  # 1.5 is within 0.9 … 1.5
        ("existential", (b, 1, a), False),
        ("conjunction", (a, b, c), True),  # nothing is both
        ("conjunction", (a, c, b), False),
        ("disjoint", (a, b), True),
        ("disjoint", (a, c), False),
        ("disjoint", (b, c), True),
        ("empty", (a,), False),
        ("empty_existential", (1, b), False),
        ("subclass", (a, BOTTOM), False),
        ("disjoint", (TOP, a), False),
    ):
        assert model.holds(form, np.array([row], np.int32), 1e-9)[0] == true, (form, row)
    for left in (Atom(a), Some(1, Atom(a)), And((Atom(a), Atom(TOP)))):
        assert model.includes(left, NOTHING) == (False, np.inf, -np.inf)
    assert not model.includes(And((Atom(a), Atom(c))), NOTHING).true
    assert model.includes(And((Atom(a), Atom(b))), NOTHING).true


def test_a_point_of_a_box_is_not_apart_from_it_in_volumes() -> None:
    model = made("boxel")
    arrays = model.arrays()
    arrays["corners"][[5, 3, 4]] = [[0.5] * 4, [0.0] * 4, [0.0] * 4]
    arrays["deltas"][[3, 4]] = [[0.0] * 4, [0.0, 0.0, 0.0, -1.0]]
    model.load(arrays)
    rows = np.array([(5, 3), (5, 4)], np.int32)
    assert model.holds("subclass", rows).tolist() == [True, False]
    assert model.holds("disjoint", rows).tolist() == [False, True]
    losses = model.loss("subclass", torch.from_numpy(rows))
    assert float(losses[0]) == 0
    assert float(losses[1]) > 0.01


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_run_has_points(name: str) -> None:
    run = elgeo.train("family", model=name, dimension=3, epochs=2, threads=1)
    model = run.predictor()
    assert isinstance(model, Model)
    flat = np.flatnonzero((widths(model) == 0).all(axis=1))
    assert flat.tolist() == list(model.sizes.individuals)

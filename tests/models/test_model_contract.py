"""Every registered model and baseline passes these, whatever its geometry; adding one adds no test."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
import torch

from elgeo.errors import ElgeoError, SettingError
from elgeo.models import Baseline, Fitted, Model, find, names, room
from elgeo.models.contract import steps_taken
from elgeo.settings import describe, make
from tests.models.model_contract import (
    SIZES,
    fitted_named,
    model_named,
    predictor_named,
    random_batch,
    random_rows,
)

MODELS = [name for name in names() if issubclass(find(name), Model)]
FITTED = [name for name in names() if issubclass(find(name), Fitted)]
BASELINES = [name for name in names() if issubclass(find(name), Baseline)]


@pytest.mark.parametrize("name", names())
def test_settings_are_documented_and_frozen(name: str) -> None:
    settings = find(name).Settings
    assert all(each.doc for each in describe(settings))
    assert make(settings, {each.name: str(each.default) for each in describe(settings)}) == settings()
    for each in describe(settings):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(settings(), each.name, each.default)
        with pytest.raises(SettingError, match=each.name):
            make(settings, {each.name: "no such value"})
    assert find(name).paper
    assert find(name).__doc__


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("role", [None, 1, 3])
def test_scores_in_bulk_are_the_scores_of_pairs(name: str, role: int | None) -> None:
    scorer = predictor_named(name).scorer()
    generator = np.random.default_rng(5)
    heads = generator.permutation(SIZES.classes)[:9].astype(np.int32)
    tails = generator.permutation(SIZES.classes)[:20].astype(np.int32)
    exact = scorer.pairs(np.repeat(heads, len(tails)), role, np.tile(tails, len(heads))).reshape(len(heads), -1)
    assert exact.dtype == np.float64
    assert np.isfinite(exact).all()
    np.testing.assert_allclose(scorer.tails(heads, role, tails), exact, rtol=0, atol=scorer.tolerance)
    np.testing.assert_allclose(scorer.heads(heads, role, tails), exact.T, rtol=0, atol=scorer.tolerance)
    none = np.empty(0, np.int32)
    assert scorer.tails(none, role, tails).shape == (0, 20)
    assert scorer.heads(heads, role, none).shape == (0, 9)
    assert scorer.pairs(none, role, none).shape == (0,)


@pytest.mark.parametrize("name", MODELS)
def test_one_loss_for_each_row_and_it_moves_only_what_is_in_it(name: str) -> None:
    model = model_named(name)
    generator = np.random.default_rng(1)
    for negative, forms in ((False, model.positive_forms), (True, model.negative_forms)):
        for form in forms:
            rows = torch.from_numpy(random_rows(form, 11, generator))
            losses = model.loss(form, rows, negative)
            assert losses.shape == (11,)
            assert torch.isfinite(losses).all()
            assert torch.equal(model.loss(form, rows[4:7], negative), losses[4:7])
    with pytest.raises(ElgeoError):
        model.loss("no such form", torch.zeros((1, 2), dtype=torch.int32))


@pytest.mark.parametrize("name", ["elem", "emelpp", "elbe", "box2el", "transbox"])
def test_little_room_changes_no_bit(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    model, generator = model_named(name), np.random.default_rng(6)
    scorer = model.scorer()
    heads, tails = (generator.permutation(SIZES.classes)[:n].astype(np.int32) for n in (13, 17))
    questions = [(form, random_rows(form, 19, generator)) for form in model.judged_forms]
    most: list[int] = []
    concatenate = np.concatenate

    def found() -> list[np.ndarray]:
        scores = [
            each
            for role in (None, 2)
            for each in (
                scorer.tails(heads, role, tails),
                scorer.heads(heads, role, tails),
                scorer.pairs(heads, role, tails[:13]),
            )
        ]
        return scores + [model.holds(form, rows, tolerance=0.3) for form, rows in questions]

    def joined(parts: list[np.ndarray], axis: int = 0) -> np.ndarray:
        most.append(len(parts))
        return concatenate(parts, axis=axis)

    whole = found()
    with monkeypatch.context() as patch:
        patch.setattr(room, "ROOM", 300)
        patch.setattr(np, "concatenate", joined)
        cut = found()
    assert len(most) >= 6
    assert max(most) > 3
    for one, other in zip(whole, cut, strict=True):
        assert one.dtype == other.dtype
        assert np.array_equal(one, other)


@pytest.mark.parametrize("name", MODELS)
def test_truth_is_decided_for_every_positive_form(name: str) -> None:
    model = model_named(name)
    generator = np.random.default_rng(2)
    assert model.judged_forms in ((), model.positive_forms)
    for form in model.judged_forms:
        rows = random_rows(form, 13, generator)
        truth = model.holds(form, rows)
        assert truth.dtype == bool
        assert truth.shape == (13,)
        assert model.holds(form, rows, tolerance=1e9).all()
        assert model.holds(form, rows[:0]).shape == (0,)


@pytest.mark.parametrize("name", MODELS)
def test_training_lowers_the_loss_and_goes_on_to_the_same_bits(name: str) -> None:
    model = model_named(name)
    batch = random_batch(model, np.random.default_rng(7))
    engine = model.engine()

    def total(losses: dict[str, float]) -> float:
        return sum(batch[key.rstrip("-")].weight * value for key, value in losses.items())

    first = engine.step(batch, 0.01)
    assert set(first) == set(batch) | {f"{form}-" for form in model.negative_forms}
    for _ in range(20):
        engine.step(batch, 0.01)
    parameters, state = model.arrays(), engine.state()
    other = model_named(name, seed=9)
    other.load(parameters)
    resumed = other.engine()
    resumed.load_state(state)
    for _ in range(20):
        last = engine.step(batch, 0.01)
        assert resumed.step(batch, 0.01) == last
    assert total(last) < total(first)
    for key, array in model.arrays().items():
        assert not np.array_equal(array, parameters[key])
        assert np.array_equal(other.arrays()[key], array)
    for key, array in engine.state().items():
        assert np.array_equal(resumed.state()[key], array)


@pytest.mark.parametrize("name", MODELS)
def test_parameters_of_another_shape_are_refused(name: str) -> None:
    model = model_named(name)
    arrays = model.arrays()
    key = next(iter(arrays))
    with pytest.raises(SettingError, match=key):
        model.load(arrays | {key: arrays[key][1:]})
    with pytest.raises(SettingError, match="parameters"):
        model.load({})


@pytest.mark.parametrize("name", MODELS)
def test_exported_arrays_are_by_class_or_by_role(name: str) -> None:
    for key, array in model_named(name).embeddings().items():
        assert key.startswith(("class_", "role_"))
        assert len(array) == (SIZES.classes if key.startswith("class_") else SIZES.roles)


@pytest.mark.slow
@pytest.mark.parametrize("name", FITTED)
def test_what_is_kept_of_a_fit_gives_it_back_to_the_same_bits(name: str) -> None:
    fitted, dataset = fitted_named(name)
    again, _ = fitted_named(name)
    assert fitted.arrays().keys() == again.arrays().keys()
    for key, array in fitted.arrays().items():
        np.testing.assert_array_equal(array, again.arrays()[key])
        assert array.flags.c_contiguous
    restored = type(fitted).restore(dataset, type(fitted).Settings(), fitted.arrays())
    every = np.arange(SIZES.classes, dtype=np.int32)
    for role in (None, 1, 3):
        scores = [each.scorer().tails(every, role, every) for each in (fitted, restored)]
        np.testing.assert_array_equal(scores[0], scores[1])
    with pytest.raises(SettingError):
        type(fitted).restore(dataset, type(fitted).Settings(), {"no such array": np.zeros(3)})


def test_an_engine_has_taken_no_steps_or_more() -> None:
    assert steps_taken({"step": np.array(0)}) == 0
    with pytest.raises(SettingError, match="cannot have taken -1 steps"):
        steps_taken({"step": np.array(-1)})


def test_a_name_that_nobody_has_is_explained() -> None:
    with pytest.raises(SettingError, match="elem"):
        find("elen")

"""Predictions of a model that is fitted again without some axioms, beside a fit of a dataset made without them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import elgeo
from elgeo import api, datasets
from elgeo.datasets.model import Dataset
from elgeo.errors import SettingError
from elgeo.evaluation.predictions.without import told_row
from elgeo.models.atlas import Atlas, AtlasSettings
from elgeo.models.atlas.weighing.heldout import without
from elgeo.models.contract import Predictor
from elgeo.ontology.normal_forms import NormalForms
from elgeo.report.predictions_text import as_json, as_table
from elgeo.training.run import Run

AXIOM = "p00002 SubClassOf has_function some 'activity 51'"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return elgeo.train("cell-tiny-hf", folder=tmp_path_factory.mktemp("runs") / "run", seed=5)


def place_of(predictor: Predictor, dataset: Dataset, row: list[int]) -> tuple[float, int]:
    """The place of a tail among those that no training axiom gives its head, and how many others are as good."""
    head, role, tail = row
    known = {t for h, _, t in dataset.train.tolist() if h == head}
    pool = np.array([c for c in dataset.candidates.tolist() if c not in known], np.int32)
    scores = predictor.scorer().tails(np.array([head], np.int32), role, pool)[0]
    mine = scores[pool.tolist().index(tail)]
    equal = int((scores == mine).sum()) - 1
    return 1 + (scores > mine).sum() + equal / 2, equal


@pytest.mark.slow
def test_the_model_is_fitted_again_without_the_axiom(run: Run) -> None:
    found = api.predictions(run, head="p00003", top=4, without=[AXIOM])
    plain = api.predictions(run, head="p00003", top=4)
    assert plain.again is None
    np.testing.assert_array_equal(found.rows, plain.rows)
    dataset, row = run.dataset, told_row(AXIOM, run.dataset)[0]
    names = dataset.vocabulary
    assert (names.class_label(int(row[0])), names.class_label(int(row[2]))) == ("p00002", "activity 51")
    assert row[1] == dataset.target_role
    tables = dict(dataset.forms.tables)
    tables["existential"] = tables["existential"][(tables["existential"] != row).any(axis=1)]
    train = dataset.train[(dataset.train != row).any(axis=1)]
    assert len(train) == len(dataset.train) - 1
    less = replace(dataset, forms=NormalForms(names, tables), train=train)
    other = Atlas.fit(less, AtlasSettings(), np.random.default_rng(5), lambda message: None)
    assert found.again is not None
    for predictor, places in ((run.predictor(), found.again.before), (other, found.again.after)):
        assert [place_of(predictor, dataset, row)[0] for row in found.rows.tolist()] == places.tolist()
    scores = other.scorer().pairs(found.rows[:, 0].copy(), dataset.target_role, found.rows[:, 2].copy())
    np.testing.assert_array_equal(found.again.scores, scores)
    assert (found.again.before != found.again.after).any()
    assert f"without {AXIOM}: place " in as_table(found)
    assert "without" not in as_table(plain)
    shown = json.loads(as_json(found))["predictions"][0]["without"]
    assert shown["axioms"] == [AXIOM]
    assert (shown["score"], shown["place_without"]) == (found.again.scores[0], found.again.after[0])
    assert "without" not in json.loads(as_json(plain))["predictions"][0]


@pytest.mark.slow
def test_all_members_of_an_ensemble_are_fitted_again(tmp_path: Path) -> None:
    both = elgeo.train("cell-tiny-hf", folder=tmp_path / "both", seed=5, seeds=2)
    found = api.predictions(both, head="p00003", top=4, without=[AXIOM])
    less = without(both.dataset, told_row(AXIOM, both.dataset))
    again = [Atlas.fit(less, AtlasSettings(), np.random.default_rng(seed), lambda message: None) for seed in (5, 6)]
    heads, tails = (found.rows[:, column].copy() for column in (0, 2))
    scores = [each.scorer().pairs(heads, both.dataset.target_role, tails) for each in again]
    assert found.again is not None
    np.testing.assert_allclose(found.again.scores, np.mean(scores, axis=0), rtol=1e-6)
    assert not np.allclose(found.again.scores, scores[0], rtol=1e-4)


@pytest.mark.parametrize(
    "axiom",
    [
        "p00002 SubClassOf has_function some 'activity 17'",
        "p00002 SubClassOf interacts_with some p00003",
        "p00002 SubClassOf p00003",
        "p00002 SubClassOf has_function some (has_function some 'activity 51')",
    ],
)
def test_what_training_does_not_say_cannot_be_left_out(run: Run, axiom: str) -> None:
    with pytest.raises(SettingError, match="no training axiom of the target"):
        api.predictions(run, head="p00003", without=[axiom])


def test_only_what_is_fitted_can_be_fitted_again(tmp_path: Path) -> None:
    dataset = datasets.load("cell-tiny-hf")
    trained = elgeo.train(dataset, "elem", folder=tmp_path / "elem", epochs=1)
    with pytest.raises(SettingError, match="trained step by step"):
        api.predictions(trained, head="p00003", without=[AXIOM])
    counted = elgeo.train(dataset, "naive", folder=tmp_path / "naive")
    found = api.predictions(counted, head="p00003", without=[AXIOM], top=9)
    assert found.again is not None
    places = [place_of(counted.predictor(), dataset, row) for row in found.rows.tolist()]
    assert found.again.before.tolist() == [place for place, _ in places]
    assert any(equal for _, equal in places), "ties are counted by half"
    with pytest.raises(SettingError, match="leave the role out"):
        api.predictions(counted, head="p00003", without=[AXIOM], role="has_function")


def test_both_directions_of_a_symmetric_role_go() -> None:
    dataset = datasets.load("cell-tiny")
    head, role, tail = dataset.train[0].tolist()
    name = dataset.vocabulary.class_label
    rows = told_row(f"{name(head)} SubClassOf interacts_with some {name(tail)}", dataset)
    assert rows.tolist() == [[head, role, tail], [tail, role, head]]


@pytest.mark.slow
def test_without_the_axioms_that_a_reason_names_the_score_is_lower(run: Run) -> None:
    """Reasons beside fitting again: shares add up to the score, and what spoke for an axiom is missed."""
    dataset, predictor = run.dataset, run.predictor()
    names = dataset.vocabulary
    train = {
        f"{names.class_label(h)} {names.role_label(r)} {names.class_label(t)}": (h, r, t)
        for h, r, t in dataset.train.tolist()
    }
    fell = []
    for head in dataset.kinds.members(dataset.head_kind)[:8].tolist():
        found = api.predictions(run, head=names.classes[head], top=1, explain=True)
        if not len(found.rows):
            continue
        assert sum(reason.share for reason in found.reasons[0]) == pytest.approx(found.scores[0], abs=1e-4)
        # a reason begins with the training axiom that it speaks of
        named = [
            (train[said], reason.share)
            for reason in found.reasons[0]
            for said in [reason.words.partition(" (")[0]]
            if said in train and reason.share > 0
        ]
        if not named or sum(share for _, share in named) < 0.3 * found.scores[0]:
            continue
        axioms = [f"{names.classes[h]} SubClassOf {names.roles[r]} some {names.classes[t]}" for (h, r, t), _ in named]
        again = api.predictions(run, head=names.classes[head], top=1, without=axioms).again
        assert again is not None
        alone = predictor.scorer().tails(np.array([head], np.int32), int(found.rows[0, 1]), found.rows[:1, 2])
        fell.append(float(alone[0, 0]) - float(again.scores[0]))
    assert len(fell) > 2
    assert min(fell) > 0


@pytest.mark.slow
def test_another_run_that_has_seen_the_axiom_is_named(tmp_path: Path) -> None:
    counted = elgeo.train("cell-tiny-hf", "naive", folder=tmp_path / "counted")
    run = elgeo.train("cell-tiny-hf", folder=tmp_path / "run", geometry=str(counted.folder), contexts="up")
    with pytest.raises(SettingError, match="counted, which has seen the axioms"):
        api.predictions(run, head="p00003", top=4, without=[AXIOM])

"""Atlas as a whole: the same to the bit, honest about what is held out, and never worse than counting."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from elgeo import datasets
from elgeo.datasets.model import Dataset
from elgeo.errors import SettingError
from elgeo.evaluation.validation import validation_rank
from elgeo.models import Naive
from elgeo.models.atlas import Atlas, AtlasSettings, scorer
from elgeo.models.atlas import build as building
from elgeo.models.atlas.build import build
from elgeo.models.atlas.evidence import ITSELF
from elgeo.models.atlas.reranking.reranker import rank
from elgeo.models.atlas.weighing.heldout import without
from elgeo.models.atlas.weighing.weights import Weighing
from elgeo.ontology.normal_forms import NormalForms
from tests.models.atlas.plain_atlas import small_dataset

SHAPES = [("roles", False), ("same", False), ("same", True), ("subclass", False)]


def quiet(message: str) -> None:
    """No progress."""


def fitted(dataset: Dataset, seed: int = 0, **settings: object) -> Atlas:
    return Atlas.fit(dataset, AtlasSettings(**settings), np.random.default_rng(seed), quiet)  # type: ignore[arg-type]


@pytest.mark.slow
@pytest.mark.parametrize(("shape", "symmetric"), SHAPES)
def test_scores_are_the_weighted_evidence(shape: str, symmetric: bool) -> None:
    dataset = small_dataset(np.random.default_rng(1), shape, symmetric)
    atlas = fitted(dataset)
    assert atlas.weighing.weights
    evidence = atlas.parts.evidence
    ids = np.arange(2, dataset.vocabulary.n_classes, dtype=np.int32)
    rows = dict(zip(evidence.names, evidence.rows(ids), strict=True))
    itself = (ids[:, None] == evidence.target.tails).astype(np.float32)
    expected = np.zeros((len(ids), len(evidence.target.tails)))
    for name, weight in atlas.weighing.weights.items():
        bare = name.removesuffix(", bent")
        value = {**rows, ITSELF: itself}[bare].astype(np.float64)
        expected += weight * (value if bare == name else np.arcsinh(atlas.weighing.bends[bare] * value))
    ours = atlas.scorer()
    exact = ours.tails(ids, dataset.target_role, evidence.target.tails)
    np.testing.assert_allclose(exact, expected, rtol=1e-4, atol=1e-3)
    some = ids[[7, 3, 7]]
    tail = evidence.target.tails[[0, 4, 2]]
    np.testing.assert_array_equal(
        ours.pairs(some, dataset.target_role, tail), exact[[7, 3, 7], [0, 4, 2]].astype(np.float64)
    )
    np.testing.assert_array_equal(ours.heads(ids, dataset.target_role, tail), exact[:, [0, 4, 2]].T)


@pytest.mark.slow
def test_scores_that_are_kept_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    dataset = small_dataset(np.random.default_rng(1), "roles")
    atlas = fitted(dataset)
    target = atlas.parts.evidence.target
    heads = target.heads[[3, 5, 3, 8, 1]]
    monkeypatch.setattr(scorer, "KEPT", 2 * len(target.tails))
    few = scorer.AtlasScorer(dataset, target, lambda ids: atlas.weighing.scores(atlas.parts.evidence, ids))
    for asked in (heads[:1], heads, heads[::-1], heads):
        expected = atlas.weighing.scores(atlas.parts.evidence, asked)
        np.testing.assert_array_equal(few.tails(asked, target.role, target.tails), expected)
        np.testing.assert_array_equal(few.pairs(asked, target.role, target.tails[: len(asked)]), expected.diagonal())


@pytest.mark.slow
def test_a_class_is_joined_with_itself_only_if_training_does_that() -> None:
    dataset = small_dataset(np.random.default_rng(1), "same", n=40)
    heads = dataset.valid[:, 0]
    atlas = fitted(dataset)
    tails = atlas.parts.evidence.target.tails
    scores = atlas.scorer().tails(heads, dataset.target_role, tails)
    assert (tails[scores.argmin(axis=1)] == heads).all()
    loops = np.stack([tails[:12], np.full(12, dataset.target_role), tails[:12]], axis=1).astype(np.int32)
    looping = replace(dataset, train=np.concatenate([dataset.train, loops]))
    assert "itself" not in fitted(looping).weighing.weights


def test_tails_without_evidence_are_ordered_by_counts() -> None:
    dataset = small_dataset(np.random.default_rng(11), "roles", n=60)
    bare = fitted(dataset, contexts="none")
    target = bare.parts.evidence.target
    assert any(bare.weighing.weights.get(name, 0) for name in bare.parts.evidence.counts)
    unknown = np.setdiff1d(np.arange(2, 60), target.heads).astype(np.int32)[:1]  # nothing speaks for it
    scores = bare.scorer().tails(unknown, target.role, target.tails)[0]
    order = np.argsort(-scores, kind="stable")
    counts = target.tail_counts[order[target.tails[order] != unknown[0]]]  # a class is never joined with itself
    assert (counts[:-1] >= counts[1:]).all()
    assert len(np.unique(counts)) > 2


def test_two_axioms_that_say_nothing_of_each_other_are_counted() -> None:
    dataset = small_dataset(np.random.default_rng(1), "roles")
    two = dataset.train[[0, np.flatnonzero((dataset.train[:, [0, 2]] != dataset.train[0, [0, 2]]).all(axis=1))[0]]]
    told = dataset.forms.existential
    tables = {**dataset.forms.tables, "existential": np.concatenate([two, told[told[:, 1] != dataset.target_role]])}
    less = NormalForms(dataset.vocabulary, tables)
    nothing = dataset.valid[:0]
    atlas = fitted(replace(dataset, train=two, forms=less, valid=nothing, test=nothing), contexts="none")
    target = atlas.parts.evidence.target
    unknown = np.setdiff1d(target.heads, two[:, 0])[:1]
    scores = atlas.scorer().tails(unknown, target.role, target.tails)[0]
    assert scores[target.tail_counts > 0].min() > scores[target.tail_counts == 0].max()


@pytest.mark.slow
def test_another_role_is_ranked_by_counts() -> None:
    dataset = small_dataset(np.random.default_rng(1), "same")
    ids = np.arange(2, 10, dtype=np.int32)
    ours, counted = fitted(dataset).scorer(), Naive.fit(dataset).scorer()
    for role in (None, 2):
        np.testing.assert_array_equal(ours.tails(ids, role, ids), counted.tails(ids, role, ids))
        np.testing.assert_array_equal(ours.pairs(ids, role, ids), counted.pairs(ids, role, ids))
        np.testing.assert_array_equal(ours.heads(ids, role, ids), counted.heads(ids, role, ids))


@pytest.mark.slow
def test_the_same_bits_whatever_the_threads() -> None:
    dataset = datasets.load("cell-tiny")
    with threadpool_limits(2):
        atlas = fitted(dataset)
    expected = fitted(dataset)
    assert atlas.weighing == expected.weighing
    ids = dataset.kinds.members(dataset.head_kind)
    scores = [each.scorer().tails(ids, dataset.target_role, ids) for each in (atlas, expected)]
    np.testing.assert_array_equal(scores[0], scores[1])


@pytest.mark.slow
@pytest.mark.parametrize(("shape", "symmetric"), SHAPES)
def test_nothing_held_out_is_looked_at_beyond_validation(shape: str, symmetric: bool) -> None:
    """The test axioms may be anything: the fit is the same. Validation axioms only choose weights."""
    dataset = small_dataset(np.random.default_rng(2), shape, symmetric)
    if shape == "subclass":
        assert fitted(dataset).weighing == fitted(replace(dataset, test=dataset.test[:1])).weighing
    ids = np.arange(2, dataset.vocabulary.n_classes, dtype=np.int32)
    blind = replace(dataset, valid=dataset.valid[:0], test=dataset.test[:0])
    rows = [build(each, AtlasSettings(), quiet).evidence.rows(ids) for each in (dataset, blind)]
    for ours, expected in zip(*rows, strict=True):
        np.testing.assert_array_equal(ours, expected)


def planted(dataset: Dataset, axioms: np.ndarray, role: int) -> Dataset:
    """The dataset with axioms of the target among its training axioms of another role."""
    rows = np.stack([axioms[:, 0], np.full(len(axioms), role), axioms[:, -1]], axis=1).astype(np.int32)
    tables = {**dataset.forms.tables, "existential": np.concatenate([dataset.forms.existential, rows])}
    return replace(dataset, forms=NormalForms(dataset.vocabulary, tables))


def test_a_planted_leak_shows_in_the_contexts() -> None:
    dataset = small_dataset(np.random.default_rng(4), "roles", n=60)
    leaking = planted(dataset, dataset.valid, 2)
    ids = np.unique(dataset.valid[:, 0])
    blocks = [build(each, AtlasSettings(), quiet).blocks["direct"].rows[ids] for each in (dataset, leaking)]
    assert (blocks[0] != blocks[1]).nnz
    clean = build(dataset, AtlasSettings(), quiet).blocks
    role = dataset.target_role
    features = {clean["fill"].describe(f) for f in clean["fill"].rows.indices.tolist()}
    assert features
    assert not [f for f in features if f.startswith(dataset.vocabulary.role_label(role or 0))]


def mean_rank(atlas: Atlas, axioms: np.ndarray) -> float:
    target, ranks = atlas.parts.evidence.target, []
    scores = atlas.scorer().tails(np.ascontiguousarray(axioms[:, 0]), target.role, target.tails)
    for row, axiom in zip(scores, axioms.tolist(), strict=True):
        hidden = target.known[[target.head_place[axiom[0]]]].toarray()[0] > 0
        ranks.append(rank(row, hidden, int(target.tail_place[axiom[-1]])))
    return float(np.mean(ranks))


@pytest.mark.slow
def test_contexts_made_from_held_out_axioms_show_in_the_ranks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Were held-out axioms in the blocks, or anything that follows from them, the first ranks would be as the others.

    The leak has to be of one kind with what training has: a feature that held-out heads alone have joins them with no
    head whose axioms could speak for them.
    """
    monkeypatch.setattr(building, "links", lambda logic, target: {})  # what joins a pair would show it all the more
    dataset = datasets.load("cell-tiny-hf")
    every = np.concatenate([dataset.train, dataset.valid, dataset.test])
    role = dataset.vocabulary.role_id("http://example.org/cell/part_of")
    held = np.concatenate([dataset.valid, dataset.test])
    clean, told_again = (mean_rank(fitted(each), held) for each in (dataset, planted(dataset, dataset.train, role)))
    leaking = mean_rank(fitted(planted(dataset, every, role)), held)
    assert leaking < min(clean, told_again) / 2


@pytest.mark.slow
@pytest.mark.parametrize("shape", ["roles", "subclass"])
def test_a_held_out_axiom_told_by_another_role_comes_first(shape: str) -> None:
    dataset = small_dataset(np.random.default_rng(4), shape, n=60)
    held = np.concatenate([dataset.valid, dataset.test])
    clean, told = (mean_rank(fitted(each), held) for each in (dataset, planted(dataset, held, 2)))
    assert told < 0.6 * clean


@pytest.mark.slow
@pytest.mark.parametrize("name", ["cell-tiny", "cell-tiny-hf", "family"])
def test_not_worse_than_counting(name: str) -> None:
    dataset = datasets.load(name)
    measure = validation_rank(dataset)
    assert measure(fitted(dataset)) >= measure(Naive.fit(dataset)) - 1e-9


@pytest.mark.parametrize(("shape", "symmetric"), SHAPES)
def test_few_axioms_suffice(shape: str, symmetric: bool) -> None:
    dataset = small_dataset(np.random.default_rng(3), shape, symmetric)
    few = replace(dataset, train=dataset.train[:2], valid=dataset.valid[:0])
    ids = np.arange(2, dataset.vocabulary.n_classes, dtype=np.int32)
    assert np.isfinite(fitted(few).scorer().tails(ids, dataset.target_role, ids)).all()


@pytest.mark.parametrize("symmetric", [False, True])
def test_one_axiom_is_too_few_to_weigh_by(symmetric: bool) -> None:
    dataset = small_dataset(np.random.default_rng(2), "same", symmetric)
    pair = dataset.train[:1]
    train = np.concatenate([pair, pair[:, [2, 1, 0]]]) if symmetric else pair
    alone = replace(without(dataset, dataset.train), train=train, valid=dataset.valid[:0])
    with pytest.raises(SettingError, match=r"has [12] training axioms? of the target and none for validation"):
        fitted(alone)


def test_contexts_can_be_chosen() -> None:
    dataset = small_dataset(np.random.default_rng(3), "same")
    assert list(build(dataset, AtlasSettings(contexts="name, up"), quiet).blocks) == ["up", "name"]
    assert not build(dataset, AtlasSettings(contexts="none"), quiet).blocks
    bare = fitted(dataset, contexts="none")
    assert not [name for name in bare.parts.evidence.names if "alike" in name]
    with pytest.raises(SettingError, match="contexts has 'nom'"):
        AtlasSettings(contexts="nom")


@pytest.mark.slow
def test_a_block_is_worth_what_is_lost_without_it() -> None:
    dataset = datasets.load("cell-tiny-hf")
    whole = fitted(dataset, seed=3, contexts="up,direct,fill", worth=True)
    assert whole.weighing == fitted(dataset, seed=3, contexts="up,direct,fill").weighing
    found = whole.findings()["blocks"]
    assert list(found) == ["up", "direct", "fill"]
    for name, others in (("up", "direct,fill"), ("fill", "up,direct")):
        less = fitted(dataset, seed=3, contexts=others)
        assert found[name] == pytest.approx(whole.findings()["gain"] - less.findings()["gain"], abs=2e-4)
    assert any(found.values())
    assert all(worth == round(worth, 4) for worth in found.values())
    assert fitted(dataset, contexts="up", worth=True).findings()["blocks"].keys() == {"up"}


@pytest.mark.slow
def test_vectors_are_worth_what_is_lost_without_them(tmp_path: Path) -> None:
    dataset = small_dataset(np.random.default_rng(8), "roles", n=60)
    every = np.concatenate([dataset.train, dataset.valid])
    marks = {
        c: np.eye(60)[c] + np.eye(60)[every[every[:, 0] == c, -1]].sum(axis=0) for c in np.unique(every[:, [0, -1]])
    }
    (tmp_path / "v.tsv").write_text("".join(f"C{c:03}\t{' '.join(map(str, row))}\n" for c, row in marks.items()))
    told = fitted(dataset, contexts="up", vectors=str(tmp_path / "v.tsv"), worth=True).findings()
    assert told["blocks"].keys() == {"up", "vectors"}
    untold = fitted(dataset, contexts="up").findings()
    assert told["blocks"]["vectors"] == pytest.approx(told["gain"] - untold["gain"], abs=2e-4)
    assert told["blocks"]["vectors"] > 0.02


def test_findings_are_rounded() -> None:
    dataset = small_dataset(np.random.default_rng(3), "same")
    weighing = Weighing({"count": 0.0123456789, "entailed": -123456.789, "itself · same": 2.0}, {})
    worth = {"count": 0.123456, "entailed": 0.00004}
    last = {"hits@10": 0.5, "hits@10 without": 0.25}
    findings = {"gain": 0.6543219, "worth": worth, "entailed_last": last, "blocks": {}}
    atlas = Atlas(dataset, build(dataset, AtlasSettings(contexts="none"), quiet), weighing, None, findings)
    assert atlas.findings() == {
        "gain": 0.6543,
        "evidence": {
            "count": {"weight": 0.01235, "worth": 0.1235},
            "entailed": {"weight": -123500.0, "worth": 0.0},
            "itself · same": {"weight": 2.0, "worth": 0.0},
        },
        "entailed_last": last,
    }


def test_no_target_axioms_is_said() -> None:
    dataset = small_dataset(np.random.default_rng(3), "same")
    nothing = replace(dataset, train=dataset.train[:0])
    with pytest.raises(SettingError, match="no training axioms"):
        fitted(nothing)

"""Every piece of evidence equals a plain dense computation from its formula."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from elgeo.datasets.model import Dataset
from elgeo.models.atlas import build as building
from elgeo.models.atlas import evidence as evidences
from elgeo.models.atlas.build import build
from elgeo.models.atlas.contexts.logic import Logic, logical_blocks
from elgeo.models.atlas.evidence import ITSELF
from elgeo.models.atlas.settings import AtlasSettings
from elgeo.models.atlas.weighing.weights import Weighing, bent
from elgeo.ontology.normal_forms import NormalForms
from elgeo.reasoning.saturation.saturate import saturate
from tests.models.atlas.plain_atlas import OTHER, PART, TARGET, PlainAtlas, small_dataset, without_names
from tests.models.boxes.small_forms import with_tables

SHAPES = [("roles", False), ("same", False), ("same", True), ("subclass", False)]
MARKED = [pytest.param(*each, marks=pytest.mark.slow if each == ("same", True) else ()) for each in SHAPES]


def quiet(message: str) -> None:
    """No progress."""


def compared(dataset: Dataset) -> None:
    evidence = build(dataset, AtlasSettings(), quiet).evidence
    ids = np.arange(2, dataset.vocabulary.n_classes, dtype=np.int32)
    expected = PlainAtlas(dataset).evidence()
    assert set(evidence.names) == set(expected)
    for name, rows in zip(evidence.names, evidence.rows(ids), strict=True):
        np.testing.assert_allclose(rows, expected[name][2:, evidence.target.tails], rtol=2e-3, atol=2e-5, err_msg=name)


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2))])
@pytest.mark.parametrize(("shape", "symmetric"), MARKED)
def test_evidence_is_what_the_formulas_say(shape: str, symmetric: bool, seed: int) -> None:
    compared(small_dataset(np.random.default_rng(seed), shape, symmetric))


@pytest.mark.parametrize(("chains", "names"), [([PART] * 3, {"reach", "far"}), ([OTHER, PART, PART], set())])
def test_only_transitive_roles_reach_further_than_superclasses(chains: list[int], names: set[str]) -> None:
    dataset = small_dataset(np.random.default_rng(3), "roles")
    dataset = with_tables(dataset, chain=np.array([chains], np.int32))
    blocks = {block.name for block in logical_blocks(Logic(dataset, saturate(dataset.forms)))}
    assert blocks - {"up", "direct", "fill", "inverse"} == names


@pytest.mark.parametrize(
    ("inclusions", "chains", "reaching"),
    [
        ([[OTHER, PART]], [], True),
        ([[TARGET, PART]], [], False),
        ([[TARGET, OTHER], [OTHER, PART]], [], False),
        ([], [[TARGET, OTHER, PART]], False),
        ([[OTHER, PART]], [[TARGET, PART, OTHER]], False),
        ([], [[OTHER, TARGET, PART]], True),
        ([], [[TARGET, PART, OTHER]], True),
    ],
)
def test_roles_that_begin_with_the_target_do_not_reach_further(
    inclusions: list[list[int]], chains: list[list[int]], reaching: bool
) -> None:
    """What follows from a head's known tails would say what is above the tail to be predicted."""
    dataset = small_dataset(np.random.default_rng(3), "roles")
    further = np.array([[PART] * 3, *chains], np.int32)
    dataset = with_tables(dataset, subrole=np.array(inclusions, np.int32).reshape(-1, 2), chain=further)
    blocks = {block.name for block in logical_blocks(Logic(dataset, saturate(dataset.forms)))}
    assert ("reach" in blocks, "far" in blocks) == (reaching, reaching)


def with_labels(dataset: Dataset, labels: dict[int, str]) -> Dataset:
    """The dataset with roles that are called so."""
    names = dataset.vocabulary
    called = {names.roles[role]: label for role, label in labels.items()}
    vocabulary = replace(names, labels={**names.labels, **called})
    return replace(dataset, forms=NormalForms(vocabulary, dataset.forms.tables))


def test_roles_of_one_label_are_told_apart() -> None:
    dataset = small_dataset(np.random.default_rng(2), "same", n=40)
    bare, alike = (
        build(each, AtlasSettings(), quiet).evidence for each in (dataset, with_labels(dataset, {2: "near", 3: "near"}))
    )
    as_before = [
        name.replace("near (http://example.org/r2)", "r2").replace("near (http://example.org/r3)", "r3")
        for name in alike.names
    ]
    assert as_before == bare.names
    assert {name for name in bare.names if name.startswith("joined by")} == {
        "joined by r2",
        "joined by r3",
        "joined by ⊑",
    }
    ids = np.arange(2, 40, dtype=np.int32)
    np.testing.assert_array_equal(alike.rows(ids), bare.rows(ids))


def test_a_role_whose_label_has_two_lines_is_found_again() -> None:
    dataset = with_labels(small_dataset(np.random.default_rng(2), "same"), {1: "lies\nin", 2: "part \n of"})
    evidence = build(dataset, AtlasSettings(), quiet).evidence
    weighing = Weighing(dict.fromkeys(evidence.names, 1.0), {})
    assert {"walk lies in · same", "joined by part of"} < set(evidence.names)
    assert Weighing.restore(weighing.arrays(), set(evidence.names)) == weighing


def test_evidence_without_names() -> None:
    compared(without_names(small_dataset(np.random.default_rng(5), "roles")))


@pytest.mark.parametrize(("shape", "symmetric"), SHAPES)
def test_a_weighted_sum_is_the_sum_of_its_parts(shape: str, symmetric: bool) -> None:
    dataset = small_dataset(np.random.default_rng(7), shape, symmetric)
    evidence = build(dataset, AtlasSettings(), quiet).evidence
    ids = np.arange(2, dataset.vocabulary.n_classes, dtype=np.int32)
    generator = np.random.default_rng(1)
    weights = {name: float(generator.normal()) for name in evidence.names if generator.random() < 0.8}
    rows = dict(zip(evidence.names, evidence.rows(ids), strict=True))
    expected = sum(weight * rows[name].astype(np.float64) for name, weight in weights.items())
    weights[ITSELF] = -3.0
    expected = expected - 3.0 * (ids[:, None] == evidence.target.tails)
    np.testing.assert_allclose(evidence.combined(ids, weights), expected, rtol=1e-4, atol=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize(("shape", "symmetric"), SHAPES)
def test_scores_are_evidence_as_it_is_and_bent_a_piece_at_a_time(shape: str, symmetric: bool) -> None:
    dataset = small_dataset(np.random.default_rng(8), shape, symmetric)
    evidence = build(dataset, AtlasSettings(), quiet).evidence
    ids = np.arange(2, dataset.vocabulary.n_classes, dtype=np.int32)
    generator = np.random.default_rng(2)
    weights = {name: float(generator.normal()) for name in evidence.names if generator.random() < 0.5}
    bends = {name: float(generator.uniform(0.5, 30)) for name in evidence.names if generator.random() < 0.7}
    folded = {bent(name): float(generator.normal()) for name in bends}
    rows = {name: each.astype(np.float64) for name, each in zip(evidence.names, evidence.rows(ids), strict=True)}
    plain = sum(weight * rows[name] for name, weight in weights.items())
    expected = plain + sum(folded[bent(name)] * np.arcsinh(bend * rows[name]) for name, bend in bends.items())
    found = Weighing({**weights, **folded}, bends).scores(evidence, ids)
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-4)
    some = generator.permutation(len(ids))[:3]
    assert (Weighing({**weights, **folded}, bends).scores(evidence, ids[some]) == found[some]).all(), "to the bit"


@pytest.mark.slow
@pytest.mark.parametrize(("shape", "symmetric"), MARKED)
def test_each_class_has_the_same_scores_alone_to_the_bit(shape: str, symmetric: bool) -> None:
    dataset = small_dataset(np.random.default_rng(9), shape, symmetric)
    evidence = build(dataset, AtlasSettings(), quiet).evidence
    ids = np.arange(2, dataset.vocabulary.n_classes, dtype=np.int32)
    generator = np.random.default_rng(3)
    weights = {name: float(generator.normal()) for name in evidence.names}
    found = evidence.combined(ids, weights)
    alone = [evidence.combined(ids[[i]], weights)[0] for i in range(len(ids))]
    np.testing.assert_array_equal(np.stack(alone), found)


@pytest.mark.slow
@pytest.mark.parametrize(("shape", "symmetric"), SHAPES)
def test_restored_weights_give_the_same_scores_to_the_bit(shape: str, symmetric: bool) -> None:
    dataset = small_dataset(np.random.default_rng(10), shape, symmetric)
    evidence = build(dataset, AtlasSettings(), quiet).evidence
    generator = np.random.default_rng(4)
    names = generator.permutation(evidence.names[:-4]).tolist()
    bends = {name: float(generator.uniform(1, 30)) for name in generator.permutation(names).tolist()}
    chosen = [*names[::2], *(bent(name) for name in generator.permutation(names).tolist())]
    weighing = Weighing({name: float(generator.normal()) for name in chosen}, bends)
    again = Weighing.restore(weighing.arrays(), set(evidence.names))
    np.testing.assert_array_equal(
        again.scores(evidence, evidence.target.heads), weighing.scores(evidence, evidence.target.heads)
    )


@pytest.mark.parametrize(("shape", "symmetric"), [("roles", False), ("same", True)])
def test_a_regression_is_held_whole_where_it_is_not_too_large(
    shape: str, symmetric: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    evidence = build(small_dataset(np.random.default_rng(5), shape, symmetric), AtlasSettings(), quiet).evidence
    cells = len(evidence.target.heads) * len(evidence.target.tails)
    found = []
    for room, held in ((cells, True), (cells - 1, False)):
        monkeypatch.setattr(evidences, "WHOLE", room)
        again = replace(evidence)
        assert (again.regressed is not None) == held
        found.append(again.rows(np.arange(evidence.target.n_classes, dtype=np.int32)))  # some are neither head nor tail
    np.testing.assert_allclose(found[0], found[1], rtol=1e-3, atol=1e-4)


@pytest.mark.slow
def test_only_the_roles_used_most_join(monkeypatch: pytest.MonkeyPatch) -> None:
    dataset = small_dataset(np.random.default_rng(1), "same", n=40)
    evidence = build(dataset, AtlasSettings(), quiet).evidence
    size = {name: int(matrix[evidence.target.heads].sum()) for name, matrix in evidence.links.items()}
    assert list(size) == sorted(size, key=lambda name: -size[name])
    assert len(set(size.values())) > 1
    monkeypatch.setattr(building, "JOINED", 3)
    assert list(build(dataset, AtlasSettings(), quiet).evidence.links) == list(size)[:3]
    least = min(size.values())
    for fewest, kept in ((least, size), (least + 1, [name for name in size if size[name] > least])):
        monkeypatch.setattr(building, "JOINED", 99)
        monkeypatch.setattr(building, "FEWEST", fewest)
        assert list(build(dataset, AtlasSettings(), quiet).evidence.links) == list(kept)


def test_a_role_whose_label_ends_as_bent_evidence_does_is_no_bent_evidence() -> None:
    dataset = small_dataset(np.random.default_rng(2), "same", n=40)
    bare, called = (
        build(each, AtlasSettings(), quiet).evidence for each in (dataset, with_labels(dataset, {2: "twisted, bent"}))
    )
    assert [name.replace("twisted, bent (http://example.org/r2)", "r2") for name in called.names] == bare.names
    weighing = Weighing(dict.fromkeys(called.names, 1.0), {})
    assert Weighing.restore(weighing.arrays(), set(called.names)) == weighing

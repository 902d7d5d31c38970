"""The pieces atlas is made of, each by its formula: features, likeness, walks, inverses, choices."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import sparse

from elgeo.errors import SettingError
from elgeo.models.atlas import AtlasSettings
from elgeo.models.atlas import build as building
from elgeo.models.atlas.build import build, check_memory
from elgeo.models.atlas.contexts import likeness as likenesses
from elgeo.models.atlas.contexts.likeness import affordable, mixed, nearest, unit_rows, weighted
from elgeo.models.atlas.contexts.logic import Logic
from elgeo.models.atlas.contexts.words import texts_of, word_blocks
from elgeo.models.atlas.operators import dense
from elgeo.models.atlas.operators.adding import add, add_bent
from elgeo.models.atlas.operators.dense import BLOCK, alike_places, fixed_product, inverse, one_thread
from elgeo.models.atlas.operators.heads import Walk
from elgeo.models.atlas.operators.selecting import keep_nearest, mark_best
from elgeo.models.atlas.operators.sparse_products import dense_product
from elgeo.models.atlas.operators.tails import Regression
from elgeo.models.atlas.operators.target import Target, once, places, take
from elgeo.models.atlas.reranking import table
from elgeo.models.atlas.scorer import AtlasScorer
from elgeo.models.atlas.weighing.weights import Weighing
from elgeo.ontology.normal_forms import NormalForms
from elgeo.ontology.vocabulary import Kind
from elgeo.reasoning.saturation.saturate import saturate
from tests.models.atlas.plain_atlas import small_dataset, without_names


def random_rows(generator: np.random.Generator, n: int, m: int, share: float = 0.3) -> np.ndarray:
    return (generator.random((n, m)) < share).astype(np.float32)


def as_sparse(rows: np.ndarray) -> sparse.csr_array:
    return sparse.csr_array(rows, dtype=np.float32)


def test_pairs_that_are_told_twice_are_kept_once_and_in_order() -> None:
    pairs = np.random.default_rng(6).integers(0, 9, (200, 2)).astype(np.int32)
    pairs[:20] += np.int32(2**31 - 9)  # the largest ids there are
    found = once(pairs)
    assert found.dtype == np.int32
    assert found.tolist() == [list(pair) for pair in sorted({(a, b) for a, b in pairs.tolist()})]
    assert once(pairs[:0]).shape == (0, 2)


def test_features_are_weighted_by_how_rare_they_are_among_the_members() -> None:
    generator = np.random.default_rng(0)
    rows = random_rows(generator, 40, 12, 0.15)
    rows[:, 3], rows[:, 4], rows[:, 5] = 0, 1, 0
    members = np.sort(generator.permutation(40)[:30])
    rows[members[:1], 3] = 1  # one member has it: it joins nothing
    rows[members[:6], 5] = 1  # exactly as many as may have it
    expected = np.zeros((40, 0))
    for j in range(12):
        count = int(rows[members, j].sum())
        if 2 <= count <= 0.2 * 30:
            expected = np.column_stack([expected, rows[:, j] * np.log(31 / count)])
    lengths = np.linalg.norm(expected, axis=1, keepdims=True)
    expected = np.divide(expected, lengths, out=np.zeros_like(expected), where=lengths > 0)
    found = weighted(as_sparse(rows), members, 0.2)
    assert found.toarray() == pytest.approx(expected, abs=1e-6)
    assert found.shape[1] < 12
    few = weighted(as_sparse(rows[:4, :6]), np.arange(4))
    assert (few.toarray()[:, : few.shape[1]] >= 0).all()
    assert few.shape[1] == int(sum(rows[:4, j].sum() == 2 for j in range(6))), "two may always have a feature"


def test_a_mixture_of_likenesses_is_their_mean() -> None:
    generator = np.random.default_rng(1)
    blocks = [unit_rows(as_sparse(random_rows(generator, 9, m))) for m in (5, 8, 3)]
    found = mixed(blocks, 0.7, 9)
    expected = 0.7 * sum((block @ block.T).toarray() for block in blocks) / 3
    assert (found @ found.T).toarray() == pytest.approx(expected, abs=1e-6)
    assert mixed([], 1.0, 9).shape == (9, 0)


def test_the_most_common_features_go_where_comparing_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the products that a feature costs: how many on the left have it, times how many on the right."""
    rows = random_rows(np.random.default_rng(2), 20, 6, 0.5)
    left, right = np.arange(8), np.arange(5, 20)
    cost = sorted((int(rows[left, j].sum() * rows[right, j].sum()), j) for j in range(6))
    for kept in range(1, 7):
        monkeypatch.setattr(likenesses, "PRODUCTS", float(sum(c for c, _ in cost[:kept])))
        expected = sorted(j for _, j in cost[:kept])
        assert affordable(as_sparse(rows), left, right).toarray().tolist() == rows[:, expected].tolist()


@pytest.mark.parametrize("count", [1, 3, 8])
@pytest.mark.parametrize("at_once", [4, 1024])
def test_the_nearest_by_likeness(count: int, at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(likenesses, "AT_ONCE", at_once)
    generator = np.random.default_rng(count)
    left, right = generator.normal(size=(11, 6)), generator.normal(size=(8, 6))
    left[3], right[2] = 0, right[5]
    own = generator.integers(-1, 8, 11)
    found = nearest(as_sparse(left), as_sparse(right.T), own, count, 2.0).toarray()
    for i in range(11):
        row = (left[i].astype(np.float32) @ right.astype(np.float32).T).astype(np.float64)
        row[row < 0] = 0
        if own[i] >= 0:
            row[own[i]] = 0
        least = np.sort(row)[-count]
        row[row < least - 1e-6] = 0
        squares = row**2
        expected = squares / squares.sum() if squares.sum() else squares
        assert found[i] == pytest.approx(expected, abs=1e-5)
    assert nearest(as_sparse(left[:0]), as_sparse(right.T), own[:0], count, 2.0).shape == (0, 8)


def test_equals_of_the_last_kept_are_kept_and_nothing_below() -> None:
    values = np.array([4.0, 2.0, 2.0, 1.0, -3.0, 8.0, 5.0, 6.0], np.float32)
    start, columns = np.array([0, 6, 8], np.int32), np.array([0, 1, 2, 3, 4, 5, 0, 1], np.int32)
    keep_nearest(start, columns, values, np.array([5, -1]), 2, 1.0)
    assert values.tolist() == pytest.approx([0.5, 0.25, 0.25, 0, 0, 0, 5 / 11, 6 / 11])
    nothing = np.array([-1.0, 0.0], np.float32)
    keep_nearest(start[[0, 1]] // 3, columns[:2], nothing, np.array([-1]), 1, 2.0)
    assert nothing.tolist() == [0, 0]


def test_the_best_allowed_are_marked_among_equals_the_first() -> None:
    generator = np.random.default_rng(4)
    values = generator.integers(0, 4, (30, 9)).astype(np.float32)
    allowed = generator.random((30, 9)) < 0.7
    for count in (1, 2, 4, 12):
        chosen = np.zeros((30, 9), np.bool_)
        mark_best(values, allowed, count, chosen)
        for i in range(30):
            order = sorted((-values[i, j], j) for j in range(9) if allowed[i, j])[:count]
            assert np.flatnonzero(chosen[i]).tolist() == sorted(j for _, j in order)
        plain = np.zeros_like(chosen)
        mark_best.py_func(values, allowed, count, plain)  # type: ignore[attr-defined]
        assert np.array_equal(plain, chosen), "as numpy would do it, which refuses places that are not there"


@pytest.mark.parametrize("n", [0, 1, 2, 5, 511, 513, 700])
def test_the_inverse_of_a_gram_matrix(n: int) -> None:
    generator = np.random.default_rng(n)
    some = generator.normal(size=(n, n + 3)).astype(np.float32)
    gram = (some @ some.T / max(n, 1) + np.eye(n)).astype(np.float32)
    found = inverse(gram.copy())
    np.testing.assert_allclose(found @ gram, np.eye(n), atol=2e-3)
    np.testing.assert_array_equal(found, found.T)


@pytest.mark.parametrize("n", [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK + 3])
@pytest.mark.parametrize("parts", [None, (1, 3), (2, 7, 40)])
def test_a_product_is_a_product_and_a_row_the_same_alone_and_elsewhere(
    n: int, parts: tuple[int, ...] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As this processor multiplies, and as one would that treats rows differently by where they stand."""
    if parts is not None:
        among = np.random.default_rng(3).permutation(BLOCK)
        monkeypatch.setattr(dense, "alike_places", lambda: [np.sort(part) for part in np.split(among, parts)])
    generator = np.random.default_rng(n)
    left, right = (generator.normal(size=shape).astype(np.float32) for shape in ((n, 37), (37, 19)))
    with one_thread():
        found = fixed_product(left, right)
        np.testing.assert_allclose(found, left @ right, atol=1e-5)
        if parts is None:
            for some in (np.arange(n)[-1:], np.arange(n)[::-1], generator.permutation(n)[: n // 3]):
                np.testing.assert_array_equal(fixed_product(left[some], right), found[some])


class TreatsPlacesDifferently:
    """A right side of products, on a processor whose bits depend on where in a block a row stands."""

    __array_ufunc__ = None

    def __init__(self, right: NDArray[np.float32], places: list[NDArray[np.int64]]) -> None:
        self.right, self.shape, self.error = right, right.shape, np.zeros((BLOCK, 1), np.float32)
        for k, part in enumerate(places):
            self.error[part] = k / 100

    def __rmatmul__(self, left: NDArray[np.float32]) -> NDArray[np.float32]:
        return left @ self.right + self.error


@pytest.mark.parametrize("sizes", [(48,), (1, 47), (20, 28), (2, 5, 33, 8), (9, 39)])
def test_a_row_has_the_same_bits_wherever_it_is_where_places_differ(
    sizes: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    generator, n = np.random.default_rng(len(sizes)), 131
    among = generator.permutation(BLOCK)
    parts = [np.sort(part) for part in np.split(among, np.cumsum(sizes)[:-1])]
    monkeypatch.setattr(dense, "alike_places", lambda: parts)
    left, right = (generator.normal(size=shape).astype(np.float32) for shape in ((n, 37), (37, 19)))
    uneven: Any = TreatsPlacesDifferently(right, parts)
    with one_thread():
        found = fixed_product(left, uneven)
        stood = np.rint((found - left @ right) * 100)
        assert (stood == stood[:, :1]).all()
        assert set(stood[:, 0].tolist()) == set(range(len(sizes))), "all places are made use of"
        for some in (*np.arange(n)[:, None][:40], np.arange(n)[::-1], generator.permutation(n)[: n // 3]):
            alone = np.rint((fixed_product(left[some], uneven) - left[some] @ right) * 100)
            np.testing.assert_array_equal(alone, stood[some])


def test_alike_places_are_all_places_of_a_block_in_parts_of_equal_bits() -> None:
    generator = np.random.default_rng(5)
    row, right = generator.normal(size=61).astype(np.float32), generator.normal(size=(61, 83)).astype(np.float32)
    with one_thread():
        places = alike_places()
        assert sorted(np.concatenate(places).tolist()) == list(range(BLOCK))
        for part in places:
            found = []
            for place in part.tolist():
                left = generator.normal(size=(BLOCK, 61)).astype(np.float32)
                left[place] = row
                found.append((left @ right)[place].tolist())
            assert all(each == found[0] for each in found)


@pytest.mark.parametrize("shape", [(0, 4, 3), (7, 1, 5), (13, 9, 11), (4, 6, 0)])
@pytest.mark.parametrize("counted", [False, True])
def test_a_dense_product_of_sparse_matrices_has_the_sums_of_the_sparse_one(
    shape: tuple[int, int, int], counted: bool
) -> None:
    generator = np.random.default_rng(sum(shape))
    rows, inner, columns = shape
    left: Any
    left, right = (
        as_sparse(generator.normal(size=size) * (generator.random(size) < 0.5))
        for size in ((rows, inner), (inner, columns))
    )
    if counted:
        left = sparse.csr_array((left.toarray() > 0).astype(np.int64))
    found = dense_product(left, right)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, left.toarray() @ right.toarray().astype(np.float64), atol=1e-6)
    if not counted:
        np.testing.assert_array_equal(found, (left @ right).toarray())


@pytest.mark.parametrize("weight", [1.0, 2.0, -0.5])
@pytest.mark.parametrize("dense", [False, True])
def test_evidence_is_added_by_its_weight_as_it_is_and_bent(weight: float, dense: bool) -> None:
    generator = np.random.default_rng(3)
    found = np.where(generator.random((5, 4)) < 0.5, generator.normal(size=(5, 4)), 0).astype(np.float32)
    found[2], found[:, 3] = 0, 0
    before = generator.normal(size=(5, 4)).astype(np.float32)
    total, folded = before.copy(), before.copy()
    add(total, weight, found if dense else as_sparse(found))
    np.testing.assert_allclose(total, before + weight * found, rtol=1e-5, atol=1e-6)
    add_bent(folded, weight, 3.0, found if dense else as_sparse(found))
    np.testing.assert_allclose(folded, before + weight * np.arcsinh(3.0 * found), rtol=1e-5, atol=1e-6)


def test_places_and_rows_by_place() -> None:
    place = places(np.array([2, 5, 0]), 7)
    assert place.tolist() == [2, -1, 0, -1, -1, 1, -1]
    matrix = as_sparse(np.arange(6.0).reshape(3, 2))
    assert take(matrix, np.array([1, -1, 0, 1])).toarray().tolist() == [[2, 3], [0, 0], [0, 1], [2, 3]]


def test_the_target_has_every_real_class_of_both_kinds_and_its_training_axioms() -> None:
    dataset = small_dataset(np.random.default_rng(3), "roles")
    target = Target.of(dataset)
    pairs = {(int(row[0]), int(row[-1])) for row in dataset.train}
    rows, columns = target.axioms.nonzero()
    assert {(int(target.heads[i]), int(target.tails[j])) for i, j in zip(rows, columns, strict=True)} == pairs
    assert set(dataset.train[:, 0]) <= set(target.heads)
    assert set(dataset.train[:, -1]) <= set(target.tails)
    powers = target.scaled(0.5, 0.25).toarray()
    for i, head in enumerate(target.heads):
        for j, tail in enumerate(target.tails):
            told = (int(head), int(tail)) in pairs
            of_head = sum(h == head for h, _ in pairs)
            of_tail = sum(t == tail for _, t in pairs)
            expected = of_head**-0.5 * of_tail**-0.25 if told else 0
            assert powers[i, j] == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize(
    ("shape", "symmetric"), [("roles", False), ("same", False), ("same", True), ("subclass", False)]
)
def test_heads_and_tails_are_of_their_kinds_or_have_an_axiom(shape: str, symmetric: bool) -> None:
    dataset = small_dataset(np.random.default_rng(3), shape, symmetric)
    of_class = dataset.kinds.of_class.copy()
    of_class[[2, 5, 9, 13, 14, 19, 23]] = 0  # of neither kind
    kinds = replace(dataset.kinds, of_class=of_class)
    # of what has no kind some are heads alone and some are tails alone
    train = dataset.train[~np.isin(dataset.train[:, 0], [2, 13, 19]) & ~np.isin(dataset.train[:, -1], [5, 14, 13])]
    target = Target.of(replace(dataset, kinds=kinds, train=train))
    found = []
    for place, kind in ((0, dataset.head_kind), (-1, dataset.tail_kind)):
        named = {row[place] for row in train.tolist()}
        found.append({c for c, k in enumerate(of_class.tolist()) if c > 1 and (kinds.names[k] == kind or c in named)})
    if symmetric:
        found = [found[0] | found[1]] * 2
    else:
        assert found[0] != found[1]
    assert [target.heads.tolist(), target.tails.tolist()] == [sorted(each) for each in found]


def test_a_walk_goes_to_neighbours_in_both_directions_by_their_degrees() -> None:
    dataset = small_dataset(np.random.default_rng(5), "roles")
    target = Target.of(dataset)
    n = dataset.vocabulary.n_classes
    edges = random_rows(np.random.default_rng(6), n, n, 0.1) * 3
    found = Walk(target, as_sparse(edges)).matrix.toarray()
    among = edges[np.ix_(target.heads, target.heads)]
    joined = ((among + among.T) > 0) & ~np.eye(len(target.heads), dtype=bool)
    degree = np.maximum(joined.sum(axis=1), 1)
    assert found == pytest.approx(joined / np.sqrt(np.outer(degree, degree)), abs=1e-6)
    assert joined.any()


def test_a_regression_larger_than_the_machine_is_refused_with_its_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three matrices of four bytes a cell."""
    room = {"SC_PHYS_PAGES": 12_000, "SC_PAGE_SIZE": 1000}
    monkeypatch.setattr("elgeo.models.atlas.build.os.sysconf", room.__getitem__)
    check_memory(1000)
    with pytest.raises(SettingError, match=r"regressing 1,001 tails .* \(--set dense=1000\)"):
        check_memory(1001)
    with pytest.raises(SettingError, match=r"\(--set dense=8000\)"):
        check_memory(9000)


def test_a_container_may_have_less_memory_than_the_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("elgeo.models.atlas.build.os.sysconf", {"SC_PHYS_PAGES": 12, "SC_PAGE_SIZE": 1000}.__getitem__)
    given = tmp_path / "memory.max"
    monkeypatch.setattr(building, "CONTAINER", given)
    assert building.memory() == 12_000
    for text, expected in (("max\n", 12_000), ("900\n", 900), ("99000\n", 12_000)):
        given.write_text(text)
        assert building.memory() == expected


def test_chains_larger_than_the_machine_are_refused_with_their_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twenty matrices of four bytes a cell, also where a run is asked that was trained on a larger machine."""
    monkeypatch.setattr(table, "memory", lambda: 80 * 13 * 13)
    parts = build(small_dataset(np.random.default_rng(0), "roles"), AtlasSettings(), lambda message: None)
    sizes = len(parts.evidence.target.heads), len(parts.evidence.target.tails)
    assert sizes == (13, 11)
    table.PairTable(parts, Weighing({}, {}))
    monkeypatch.setattr(table, "memory", lambda: 80 * 13 * 11 - 1)
    with pytest.raises(SettingError, match=r"re-ranking 13 heads and 11 tails .* \(--set rerank=false\)"):
        table.PairTable(parts, Weighing({}, {}))
    monkeypatch.setattr(table, "WHOLE", 0)  # so large that no chains are followed
    table.PairTable(parts, Weighing({}, {}))


def test_names_are_labels_or_ends_of_iris_that_are_no_numbers() -> None:
    dataset = small_dataset(np.random.default_rng(0), "roles")
    iris = list(dataset.vocabulary.classes)
    iris[2:6] = ["http://x/heartMuscle", "http://x/GO_0001234", "http://x/right_ear", "http://x/H2O"]
    words = replace(
        dataset.vocabulary,
        classes=iris,
        labels={"http://x/GO_0001234": "cell death 22"},
        synonyms={"http://x/H2O": ("water",)},
        definitions={"http://x/H2O": "what falls as rain"},
    )
    made = replace(dataset, forms=replace(dataset.forms, vocabulary=words))
    real = np.zeros(len(iris), np.bool_)
    real[2:6] = True
    names, prose = texts_of(made, real)
    assert names == {2: ["heart Muscle"], 3: ["cell death 22"], 4: ["right ear"], 5: ["H2O"]}
    assert prose == {5: ["water", "what falls as rain"]}
    bare, _ = texts_of(replace(made, forms=replace(dataset.forms, vocabulary=replace(words, labels={}))), real)
    assert set(bare) == {2, 4, 5}, "an identifier is no name"


@pytest.mark.parametrize("n", [46, 42])
def test_the_few_without_a_label_are_known_by_their_numbers(n: int) -> None:
    dataset = small_dataset(np.random.default_rng(0), "roles", n=n)
    iris = [*dataset.vocabulary.classes[:2], *(f"http://example.org/UO_00000{i:02}" for i in range(2, n))]
    real = np.ones(len(iris), np.bool_)
    real[:2] = False
    for nameless, kept in ((4, True), (5, False)):
        labels = {iri: f"term {iri[-2:]}" for iri in iris[2 + nameless :]}
        words = replace(dataset.vocabulary, classes=iris, labels=labels)
        names, _ = texts_of(replace(dataset, forms=replace(dataset.forms, vocabulary=words)), real)
        assert names[20] == ["term 20"]
        assert (names.get(3) == ["UO 0000003"]) is kept, "four of 44 or of 40 are few, five are not"


def test_words_say_something_where_there_are_names_or_prose() -> None:
    dataset = without_names(small_dataset(np.random.default_rng(0), "roles"))
    logic = Logic(dataset, saturate(dataset.forms))
    members = np.array([3, 4, 5])
    texts = {3: ["red blood"], 4: ["blood"]}
    assert word_blocks(logic, members, members, {}, {}) == []
    assert word_blocks(logic, members, members, {3: []}, {4: []}) == []
    for names, prose in ((texts, {}), ({}, texts), (texts, texts)):
        blocks = word_blocks(logic, members, members, names, prose)
        said = {block.describe(int(f)) for block in blocks for f in block.rows[[3]].indices}
        assert {"“blood”", "“red”"} <= said


def test_words_of_what_members_are_related_to_though_it_is_no_member() -> None:
    dataset = without_names(small_dataset(np.random.default_rng(0), "roles"))
    told = dataset.forms.existential
    other = told[told[:, 1] != dataset.target_role]
    members = np.unique(other[:3, 0])
    ends = {c: set(other[other[:, 0] == c, 2].tolist()) for c in members.tolist()}
    assert not set().union(*ends.values()) <= set(members.tolist())
    names = {c: [f"word{c}"] for c in range(2, dataset.vocabulary.n_classes)}
    found = {
        each.name: each for each in word_blocks(Logic(dataset, saturate(dataset.forms)), members, members, names, {})
    }
    for c in members.tolist():
        said = {found["words"].describe(int(f)) for f in found["words"].rows[[c]].indices}
        assert said == {f"related “word{d}”" for d in ends[c]}
        assert [found["name"].describe(int(f)) for f in found["name"].rows[[c]].indices] == [f"“word{c}”"]
    forms = NormalForms(dataset.vocabulary, {**dataset.forms.tables, "existential": dataset.train})
    alone = replace(dataset, forms=forms)  # no other role
    found = {each.name: each for each in word_blocks(Logic(alone, saturate(forms)), members, members, names, {})}
    assert set(found) == {"name", "chars", "pairs", "ends"}
    assert np.flatnonzero(np.diff(found["name"].rows.indptr)).tolist() == members.tolist()


def test_scores_of_pairs_are_asked_for_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    dataset = small_dataset(np.random.default_rng(3), "roles")
    target = Target.of(dataset)
    table = np.random.default_rng(0).normal(size=(dataset.vocabulary.n_classes, len(target.tails))).astype(np.float32)
    asked: list[int] = []

    def scores(heads: np.ndarray) -> np.ndarray:
        asked.append(len(heads))
        return table[heads]

    monkeypatch.setattr("elgeo.models.atlas.scorer.CELLS", 2 * len(target.tails))
    scorer = AtlasScorer(dataset, target, scores)
    heads = np.random.default_rng(1).choice(target.heads, 40).astype(np.int32)
    tails = np.random.default_rng(2).choice(target.tails, 40).astype(np.int32)
    found = scorer.pairs(heads, target.role, tails)
    column = {int(t): j for j, t in enumerate(target.tails)}
    assert found.tolist() == pytest.approx([table[h, column[int(t)]] for h, t in zip(heads, tails, strict=True)])
    assert max(asked) <= 2
    others = target.tails[[3, 0, 5]]
    rows = AtlasScorer(dataset, target, scores).tails(heads[:7], target.role, others)
    np.testing.assert_array_equal(rows, table[heads[:7]][:, [3, 0, 5]])
    assert max(asked) <= 2


@pytest.mark.parametrize(
    ("largest", "drawn_up_to", "wanted"), [(0, 0, ["grouped", "drawn together"]), (0, -1, ["grouped"]), (-1, 0, [])]
)
def test_groups_are_found_among_so_many_heads(
    largest: int, drawn_up_to: int, wanted: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    dataset = small_dataset(np.random.default_rng(3), "same", True, n=12)
    parts = build(dataset, AtlasSettings(contexts="none"), lambda message: None)
    target = parts.evidence.target
    monkeypatch.setattr(building, "LARGEST", len(target.heads) + largest)
    monkeypatch.setattr(building, "DRAWN_UP_TO", len(target.heads) + drawn_up_to)
    assert list(building.groups(parts.logic, target, parts.blocks)) == wanted
    assert building.groups(parts.logic, replace(target, symmetric=False), parts.blocks) == {}


def test_no_more_scores_are_kept_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    dataset = small_dataset(np.random.default_rng(3), "roles")
    target = Target.of(dataset)
    table = np.random.default_rng(0).normal(size=(dataset.vocabulary.n_classes, len(target.tails))).astype(np.float32)
    asked: list[int] = []

    def scores(heads: np.ndarray) -> np.ndarray:
        asked.extend(heads.tolist())
        return table[heads]

    monkeypatch.setattr("elgeo.models.atlas.scorer.KEPT", 4 * len(target.tails) - 1)  # three heads, and not quite four
    scorer = AtlasScorer(dataset, target, scores)
    a, b, c, d, e, f = target.heads[[7, 0, 5, 2, 8, 1]].tolist()
    for some, new in (([a, b], [a, b]), ([c, b, d], [c, d]), ([e, d], [e, d]), ([f, c, a], [f]), ([f, b], [f])):
        asked.clear()
        found = scorer.tails(np.array(some, np.int32), target.role, target.tails)
        assert asked == new
        np.testing.assert_array_equal(found, table[some])


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("weights", np.zeros(1)),
        ("bends", np.zeros((2, 1))),
        ("weights", np.array([1.0, np.nan])),
        ("bends", np.zeros(3)),
    ],
)
def test_weights_that_do_not_fit_their_evidence_are_refused(name: str, value: NDArray[np.float64]) -> None:
    weighing = Weighing({"a": 1.0, "b": 2.0}, {})
    arrays = weighing.arrays()
    assert Weighing.restore(arrays, {"a", "b"}) == weighing
    with pytest.raises(SettingError, match=f"{name} of atlas has to be 2 numbers"):
        Weighing.restore({**arrays, name: value}, {"a", "b"})
    with pytest.raises(SettingError, match="no evidence of"):
        Weighing.restore({**arrays, "evidence": np.array([255, 254], np.uint8)}, {"a", "b"})


def test_what_definitions_say_in_the_targets_shape_is_told_too() -> None:
    dataset = small_dataset(np.random.default_rng(0), "same")
    role, names = dataset.target_role, dataset.vocabulary
    kinds = np.asarray(names.class_kinds).copy()
    fresh = 25
    kinds[fresh] = Kind.FRESH
    vocabulary = replace(names, class_kinds=kinds)
    gone = (dataset.train != fresh).all(axis=1)
    joined = {tuple(row) for row in dataset.train[:, [0, 2]].tolist()}
    head = next(c for c in range(5, 25) if c != 11 and (c, 11) not in joined)
    more = np.array([(head, role, 11), (fresh, role, 11), (fresh, role, 4), (9, 2, 4)], np.int32)
    tables = {**dataset.forms.tables, "existential": np.concatenate([dataset.train[gone], more])}
    told = replace(dataset, forms=NormalForms(vocabulary, tables), train=dataset.train[gone])
    bare = Target.of(replace(told, forms=NormalForms(vocabulary, {**tables, "existential": told.train})))
    found = Target.of(told)
    assert fresh not in found.heads.tolist()
    at = found.head_place[head], found.tail_place[11]
    np.testing.assert_array_equal(found.known.toarray(), bare.axioms.toarray())
    difference = found.axioms.toarray() - bare.axioms.toarray()
    assert np.argwhere(difference).tolist() == [list(at)]
    expected = bare.tail_counts.copy()
    expected[found.tail_place[11]] += 2  # of a class, and of a part of a definition
    expected[found.tail_place[4]] += 1
    np.testing.assert_array_equal(found.told, expected)


def test_a_tail_that_nothing_is_regressed_on_says_nothing_of_itself() -> None:
    """Heads with one tail each, and no contexts: R is 0, and so is what rounding leaves of z − z p / p."""
    dataset = small_dataset(np.random.default_rng(0), "roles")
    target = Target.of(dataset)
    heads, tails = len(target.heads), len(target.tails)
    generator = np.random.default_rng(1)
    alone = np.zeros((heads, tails))
    alone[np.arange(heads), generator.integers(0, tails, heads)] = 1
    target = replace(target, axioms=as_sparse(alone))
    nothing = sparse.csr_array((dataset.vocabulary.n_classes, 0), dtype=np.float32)
    regression = Regression(target, target.scaled(0.22, 0.22), nothing, 1.5)
    rows = as_sparse(alone * generator.uniform(0.01, 1, alone.shape))
    for found in (regression.apply(rows), regression.apply_sparse(rows)):
        np.testing.assert_array_equal(found, np.zeros_like(found))

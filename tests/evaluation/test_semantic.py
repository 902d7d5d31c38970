"""Semantic measures against hand-worked cases and slow twins over sets."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from elgeo.arrays import Flags, Floats
from elgeo.evaluation.measures import cafa as cafa_module
from elgeo.evaluation.measures import hierarchy as hierarchy_module
from elgeo.evaluation.measures.cafa import Proteins, cafa, propagate
from elgeo.evaluation.measures.hierarchy import ClassHierarchy, information_accretion, information_content, lin
from elgeo.evaluation.measures.semantic import function_measures, lin_hits, superclass_ranks, upwards
from elgeo.evaluation.ranking.known import Known
from elgeo.evaluation.ranking.rank_axioms import rank
from elgeo.evaluation.ranking.scoring import Contest
from tests.evaluation.matrix_scorer import MatrixScorer


def random_hierarchy(n: int, generator: np.random.Generator) -> tuple[ClassHierarchy, list[set[int]]]:
    """A random order: each class below some with smaller numbers, itself and 0 always; numbers then shuffled."""
    names = generator.permutation(n)
    above: list[set[int]] = []
    for c in range(n):
        parents: Sequence[int] = generator.integers(0, c, int(generator.integers(1, 3))).tolist() if c else []
        above.append({c, 0}.union(*(above[p] for p in parents)))
    named: list[set[int]] = [set() for _ in range(n)]
    for c in range(n):
        named[names[c]] = {int(names[d]) for d in above[c]}
    return as_hierarchy(named), named


def as_hierarchy(above: list[set[int]]) -> ClassHierarchy:
    sizes = [len(row) for row in above]
    flat = np.array([c for row in above for c in sorted(row)], np.int32)
    return ClassHierarchy(np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64), flat)


CHAIN = as_hierarchy([{0}, {0, 1}, {0, 1, 2}, {0, 1, 3}, {0, 4}])
"""0 above 1 above 2 and 3; 0 above 4."""


def test_lin_by_hand() -> None:
    # four annotated things: 2, 3, 3, 4
    annotated = CHAIN.propagated(np.array([10, 11, 12, 13]) - 10, np.array([2, 3, 3, 4]))
    content = information_content(annotated, 5)
    assert content == pytest.approx([-math.log(p) for p in (5 / 5, 4 / 5, 2 / 5, 3 / 5, 2 / 5)])
    found = lin(CHAIN, content, np.array([2, 2, 2, 2]), np.array([2, 3, 4, 1]))
    one = -math.log(4 / 5)
    expected = [1, 2 * one / (-math.log(2 / 5) - math.log(3 / 5)), 0, 2 * one / (one - math.log(2 / 5))]
    assert found == pytest.approx(expected)


@pytest.mark.parametrize("at_once", [1, 7, 1 << 22])
def test_what_follows_is_the_same_in_parts(at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hierarchy_module, "AT_ONCE", at_once)
    generator = np.random.default_rng(at_once)
    hierarchy, above = random_hierarchy(40, generator)
    heads, tails = generator.integers(0, 40, 60), generator.integers(0, 40, 60)
    found = hierarchy.propagated(heads, tails)
    for head in range(40):
        expected = set().union(*(above[tail] for tail in tails[heads == head].tolist()))
        assert found.of(head).tolist() == sorted(expected)
    assert not len(hierarchy.propagated(heads[:0], tails[:0]).others)


@pytest.mark.slow
def test_pairs_of_many_classes_are_told_apart() -> None:
    # head · classes + other is far beyond 32 bits, whatever the ids come as
    n = 3_000_000
    heads, others = np.array([n - 1, n - 1, 0, 70_000], np.int32), np.array([n - 1, 5, n - 1, 70_001], np.int32)
    known = Known.of_pairs(heads, others, n)
    assert known.of(n - 1).tolist() == [5, n - 1]
    assert known.contains(heads, others).all()
    assert not known.contains(heads, others - 1).any()
    above = ClassHierarchy(np.arange(n + 1), np.arange(n, dtype=np.int32))
    followed = above.propagated(heads, others)
    np.testing.assert_array_equal(followed.start, known.start)
    np.testing.assert_array_equal(followed.others, known.others)


def test_accretion_by_hand() -> None:
    annotated = CHAIN.propagated(np.arange(4), np.array([2, 3, 3, 4]))
    parents = CHAIN.parents(np.arange(5, dtype=np.int32))
    assert [parents.superclasses(c).tolist() for c in range(5)] == [[], [0], [1], [1], [0]]
    accretion = information_accretion(annotated, parents)
    # 4 annotated; 3 have class 1; one of those has 2, two have 3; one of the four has 4
    assert accretion == pytest.approx([-math.log2(p) for p in (5 / 5, 4 / 5, 2 / 4, 3 / 4, 2 / 5)])


@settings(max_examples=40)
@given(st.integers(0, 10**6))
def test_hierarchy_against_sets(seed: int) -> None:
    generator = np.random.default_rng(seed)
    n = int(generator.integers(2, 25))
    hierarchy, above = random_hierarchy(n, generator)
    members = np.sort(generator.permutation(n)[: generator.integers(1, n + 1)]).astype(np.int32)
    inside = set(members.tolist())
    parents = hierarchy.parents(members)
    strict = {c: (above[c] - {c}) & inside for c in range(n)}
    direct = {c: {d for d in strict[c] if not any(d in strict[e] for e in strict[c])} for c in inside}
    for c in range(n):
        assert set(parents.superclasses(c).tolist()) == direct.get(c, set())
    heads, tails = generator.integers(0, n, (2, 20))
    annotated = hierarchy.propagated(heads, tails)
    rows = {
        h: set().union(*(above[t] for g, t in zip(heads, tails, strict=True) if g == h)) for h in set(heads.tolist())
    }
    for h in range(n):
        assert set(annotated.of(h).tolist()) == rows.get(h, set())
    content = information_content(annotated, n)
    accretion = information_accretion(annotated, parents)
    for c in range(n):
        count = sum(c in row for row in rows.values())
        assert content[c] == pytest.approx(-math.log((count + 1) / (len(rows) + 1)))
        eligible = sum(direct.get(c, set()) <= row for row in rows.values())
        assert accretion[c] == pytest.approx(-math.log2((count + 1) / (eligible + 1)))
    a, b = (x.astype(np.int32) for x in generator.integers(0, n, (2, 40)))
    for x, y, value in zip(a.tolist(), b.tolist(), lin(hierarchy, content, a, b), strict=True):
        shared = max(content[c] for c in above[x] & above[y])
        total = content[x] + content[y]
        assert value == pytest.approx(1 if x == y else 2 * shared / total if total else 0)


@settings(max_examples=40)
@given(st.integers(0, 10**6))
def test_lin_hits_and_superclass_ranks_against_loops(seed: int) -> None:
    generator = np.random.default_rng(seed)
    n = int(generator.integers(3, 25))
    hierarchy, above = random_hierarchy(n, generator)
    candidates = generator.permutation(n)[: generator.integers(2, n + 1)].astype(np.int32)
    matrix = generator.integers(0, 6, (n, n)).astype(np.float64)
    heads = generator.integers(0, n, 30).astype(np.int32)
    answers = generator.choice(candidates, 30).astype(np.int32)
    pairs = np.unique(generator.integers(0, n, (2, 40)), axis=1)
    known = Known.of_pairs(pairs[0], pairs[1], n)
    without_head = bool(generator.integers(0, 2))
    contest = Contest(MatrixScorer(matrix, 0.4, seed), 0, candidates)
    ranks = rank(contest, heads, answers, known, without_head).filtered
    credited = superclass_ranks(contest, ranks, hierarchy, known, without_head)
    content = generator.random(n)
    k = int(generator.integers(1, 6))
    priority = np.random.default_rng(9).permutation(len(candidates))
    similar = []
    for i, (h, d) in enumerate(zip(heads, answers, strict=True)):
        true_of_head = {int(b) for a, b in zip(heads, answers, strict=True) if a == h}
        removed = set(known.of(h).tolist()) | ({int(h)} if without_head else set())
        left = [c for c in candidates if c == d or c not in removed]
        place = 1.0
        for c in left:
            if c != d:
                weight = 0.5 if c in above[d] else 1.0
                place += weight * ((matrix[h, c] > matrix[h, d]) + 0.5 * (matrix[h, c] == matrix[h, d]))
        assert credited[i] == pytest.approx(place)
        order = {int(c): int(p) for c, p in zip(candidates, priority, strict=True)}
        # what is asked for is never removed from the ranking of its head, unless it is the head itself
        shown = [c for c in candidates if (c in true_of_head or c not in known.of(h)) and not (without_head and c == h)]
        top = sorted(shown, key=lambda c: (-matrix[h, c], order[int(c)]))[:k]
        pairs_of = lin(hierarchy, content, np.full(len(top), d, np.int32), np.array(top, np.int32))
        similar.append(max(pairs_of, default=0.0))
    found = lin_hits(contest, ranks, hierarchy, content, k, known, without_head, np.random.default_rng(9))
    assert found == pytest.approx(sum(similar) / len(similar))


def slow_cafa(scores: Floats, true: Flags, counted: Flags, accretion: Floats) -> tuple[float, float, float]:
    """The definitions, threshold by threshold, protein by protein, over sets; every score that occurs is tried."""
    proteins = [i for i in range(len(scores)) if (true[i] & counted[i]).any()]
    best_f = best_wf = 0.0
    best_s = math.inf
    for threshold in [*np.unique(scores).tolist(), math.inf]:
        precision, wprecision, recall, wrecall, ru, mi = [], [], [], [], 0.0, 0.0
        for i in proteins:
            columns = [j for j in range(scores.shape[1]) if counted[i, j]]
            p = {j for j in columns if scores[i, j] >= threshold}
            t = {j for j in columns if true[i, j]}

            def weight(terms: set[int]) -> float:
                return sum(accretion[j] for j in terms)

            if p:
                precision.append(len(p & t) / len(p))
            if weight(p) > 0:
                wprecision.append(weight(p & t) / weight(p))
            recall.append(len(p & t) / len(t))
            if weight(t) > 0:
                wrecall.append(weight(p & t) / weight(t))
            ru += weight(t - p) / len(proteins)
            mi += weight(p - t) / len(proteins)
        for pr, rc, weighted in ((precision, recall, False), (wprecision, wrecall, True)):
            if pr and rc and sum(pr) + sum(rc) > 0:
                a, b = sum(pr) / len(pr), sum(rc) / len(rc)
                f = 2 * a * b / (a + b)
                best_f, best_wf = (best_f, max(best_wf, f)) if weighted else (max(best_f, f), best_wf)
        best_s = min(best_s, math.hypot(ru, mi))
    return best_f, best_wf, best_s


def in_chunks(scores: Floats, true: Flags, counted: Flags, size: int) -> Callable[[], Iterator[Proteins]]:
    def chunks() -> Iterator[Proteins]:
        for first in range(0, len(scores), size):
            part = slice(first, first + size)
            yield Proteins(scores[part], true[part], counted[part])

    return chunks


@settings(max_examples=60)
@given(st.integers(0, 10**6))
def test_cafa_against_the_definitions(seed: int) -> None:
    generator = np.random.default_rng(seed)
    shape = (int(generator.integers(1, 7)), int(generator.integers(1, 12)))
    scores = generator.integers(-3, 4, shape).astype(np.float64)
    true = generator.random(shape) < 0.3
    counted = generator.random(shape) < generator.choice([0.5, 1.0])
    accretion = generator.random(shape[1]) * generator.integers(0, 2, shape[1])
    if not (true & counted).any():
        return
    found = cafa(in_chunks(scores, true, counted, 2), accretion)
    assert found == pytest.approx(slow_cafa(scores, true, counted, accretion))


def test_cafa_by_hand() -> None:
    """Two proteins, three terms: root 0 (ia 0), 1 (ia 1), 2 (ia 3)."""
    scores = np.array([[0.9, 0.9, 0.2], [0.8, 0.4, 0.8]])
    true = np.array([[True, True, False], [True, True, False]])
    counted = np.ones((2, 3), np.bool_)
    found = cafa(in_chunks(scores, true, counted, 1), np.array([0.0, 1.0, 3.0]))
    # τ=.9: pr 1 (one protein), rc (1+0)/2; F .667. τ=.8: pr, rc (1+.5)/2; F .75. τ=.4: pr (1+2/3)/2, rc 1; F .909
    assert found.fmax == pytest.approx(2 * (5 / 6) / (5 / 6 + 1))
    # weighted τ=.9: pr 1, rc .5; F 2/3. τ=.4: pr (1 + 1/4)/2, rc 1; F .769
    assert found.wfmax == pytest.approx(2 * 0.625 / 1.625)
    # τ=∞: ru 1, mi 0. τ=.9: ru .5, mi 0
    assert found.smin == pytest.approx(0.5)
    everything = cafa(in_chunks(true.astype(np.float64), true, counted, 2), np.array([0.0, 1.0, 3.0]))
    assert everything == (1, 1, 0)
    none = cafa(in_chunks(scores, np.zeros((2, 3), np.bool_), counted, 2), np.ones(3))
    assert all(math.isnan(v) for v in none)


def test_cafa_with_fewer_thresholds_comes_close(monkeypatch: pytest.MonkeyPatch) -> None:
    generator = np.random.default_rng(0)
    true = generator.random((40, 60)) < 0.2
    scores = generator.normal(size=true.shape) + true
    counted, accretion = np.ones(true.shape, np.bool_), generator.random(60)
    exact = cafa(in_chunks(scores, true, counted, 7), accretion)
    monkeypatch.setattr(cafa_module, "THRESHOLDS", 50)
    coarse = cafa(in_chunks(scores, true, counted, 7), accretion)
    assert coarse.fmax <= exact.fmax
    assert coarse == pytest.approx(exact, rel=0.03)


def test_scores_reach_the_root() -> None:
    scores = np.array([[0.0, 1.0, 5.0, 3.0, 2.0], [9.0, 1.0, 0.0, 0.0, 0.0]])
    parents = CHAIN.parents(np.arange(5, dtype=np.int32))
    propagate(scores, np.array([2, 3, 1, 4, 0]), parents.start, parents.above)
    assert scores.tolist() == [[5, 5, 5, 3, 2], [9, 1, 0, 0, 0]]


def test_function_measures_do_not_depend_on_the_numbers_of_classes() -> None:
    generator = np.random.default_rng(3)
    n_terms, n = 13, 20
    _, above = random_hierarchy(n_terms, generator)
    above += [{c} for c in range(n_terms, n)]
    scores = generator.random((n, n))
    heads, trained_heads = generator.integers(n_terms, n, (2, 15)).astype(np.int32)
    answers, trained_answers = generator.integers(0, n_terms, (2, 15)).astype(np.int32)
    found = []
    for number in (np.arange(n), np.arange(n)[::-1], generator.permutation(n)):
        matrix, named = np.empty((n, n)), [set[int]()] * n
        matrix[np.ix_(number, number)] = scores
        for c, row in enumerate(above):
            named[number[c]] = {int(number[d]) for d in row}
        hierarchy, ids = as_hierarchy(named), number.astype(np.int32)
        contest = Contest(MatrixScorer(matrix), 0, np.sort(ids[:n_terms]))
        trained = hierarchy.propagated(ids[trained_heads], ids[trained_answers])
        found.append(function_measures(contest, ids[heads], ids[answers], hierarchy, trained, True))
    assert 0 < found[0].fmax < 1
    assert found[1] == pytest.approx(found[0])
    assert found[2] == pytest.approx(found[0])


@pytest.mark.parametrize("filtered", [False, True])
@pytest.mark.parametrize("equivalent", [False, True])
def test_function_measures_against_sets(filtered: bool, equivalent: bool) -> None:
    generator = np.random.default_rng(8)
    n_terms, n_proteins = 15, 9
    _, above = random_hierarchy(n_terms, generator)
    if equivalent:
        first = max(range(n_terms), key=lambda c: sum(c in row for row in above) * (len(above[c]) > 2))
        above = [row | {n_terms} if first in row else row for row in above]
        above.append(set(above[first]))
        n_terms += 1
    n = n_terms + n_proteins
    hierarchy = as_hierarchy([*above, *({c} for c in range(n_terms, n))])
    candidates = generator.permutation(n_terms).astype(np.int32)
    matrix = generator.integers(0, 9, (n, n)).astype(np.float64)
    train = (generator.integers(n_terms, n, 12), generator.integers(0, n_terms, 12))
    heads, answers = (generator.integers(low, high, 14).astype(np.int32) for low, high in ((n_terms, n), (0, n_terms)))
    trained = hierarchy.propagated(*train)
    contest = Contest(MatrixScorer(matrix), 0, candidates)
    found = function_measures(contest, heads, answers, hierarchy, trained, filtered)
    proteins = sorted(set(heads.tolist()))
    shape = (len(proteins), n_terms)
    scores, true, counted = np.empty(shape), np.zeros(shape, np.bool_), np.ones(shape, np.bool_)
    for i, protein in enumerate(proteins):
        for c in range(n_terms):
            scores[i, c] = max(matrix[protein, d] for d in range(n_terms) if c in above[d])
            true[i, c] = any(c in above[t] for h, t in zip(heads, answers, strict=True) if h == protein)
            if filtered:
                counted[i, c] = c not in trained.of(protein)
    accretion = information_accretion(trained, hierarchy.parents(np.sort(candidates)))[:n_terms]
    assert found == pytest.approx(slow_cafa(scores, true, counted, accretion))


@pytest.mark.parametrize("equivalent", [False, True])
def test_scores_climb_by_direct_superclasses_unless_classes_are_equivalent(equivalent: bool) -> None:
    """Along parents alone there are few steps; equivalent classes are parents of neither, so all steps are taken."""
    above = [{0}, {0, 1}, {0, 1, 2}, {0, 1, 2, 3}, {0, 4}]
    if equivalent:
        above[1] |= {2}
    hierarchy = as_hierarchy(above)
    candidates = np.array([3, 0, 2, 1, 4], np.int32)
    position = np.argsort(candidates).astype(np.int32)
    order, start, columns = upwards(hierarchy, hierarchy.parents(candidates), candidates, position)
    steps = {int(c): {int(candidates[j]) for j in columns[start[i] : start[i + 1]]} for i, c in enumerate(candidates)}
    if equivalent:
        assert steps == {0: {0}, 1: {0, 1, 2}, 2: {0, 1, 2}, 3: {0, 1, 2, 3}, 4: {0, 4}}
    else:
        assert steps == {0: set(), 1: {0}, 2: {1}, 3: {2}, 4: {0}}
    climbed = candidates[order].tolist()
    assert climbed.index(3) < min(climbed.index(2), climbed.index(1))
    assert climbed[-1] == 0

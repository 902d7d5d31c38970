"""Re-ranking: evidence of pairs as its formulas say, a net that learns, and the closed form where it does not help."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from elgeo import datasets
from elgeo.errors import SettingError
from elgeo.models.atlas import Atlas, AtlasSettings
from elgeo.models.atlas import build as building
from elgeo.models.atlas.build import Parts, build, small_features
from elgeo.models.atlas.evidence import ITSELF
from elgeo.models.atlas.operators.dense import Dense
from elgeo.models.atlas.reranking import chains, examples, net, reranker, table
from elgeo.models.atlas.reranking.chains import Chains
from elgeo.models.atlas.reranking.examples import Examples
from elgeo.models.atlas.reranking.net import Net
from elgeo.models.atlas.reranking.ranks import levels, log_ranks, marks
from elgeo.models.atlas.reranking.table import SCORE, PairTable
from elgeo.models.atlas.reranking.wholes import BOTH, FREE, both, free, whole_names, wholes
from elgeo.models.atlas.weighing.search import gains
from elgeo.models.atlas.weighing.weights import Weighing, bent
from elgeo.ontology.normal_forms import NormalForms
from tests.models.atlas.plain_atlas import TARGET, PlainAtlas, small_dataset
from tests.models.atlas.plain_chains import plain_chains, regressed_alone

SHAPES = [("roles", False), ("same", False), ("same", True), ("subclass", False)]
MARKED = [pytest.param(*each, marks=pytest.mark.slow if each == ("same", True) else ()) for each in SHAPES]


def quiet(message: str) -> None:
    """No progress."""


def weighed(parts: Parts, seed: int = 0) -> Weighing:
    """All evidence at work, some of it bent."""
    generator, names = np.random.default_rng(seed), parts.evidence.names
    bends = {name: float(generator.uniform(1, 4)) for name in names[:-4:2]}
    return Weighing({n: float(generator.uniform(0.5, 2)) for n in (*names, ITSELF, *map(bent, bends))}, bends)


@pytest.mark.parametrize(("shape", "symmetric"), SHAPES)
def test_chains_are_what_the_formulas_say(shape: str, symmetric: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chains, "RANK", 3)
    dataset = small_dataset(np.random.default_rng(5), shape, symmetric)
    parts = build(dataset, AtlasSettings(), quiet)
    target = parts.evidence.target
    features = small_features(parts, target.members)
    found = Chains(target, features).makers
    expected = plain_chains(parts.evidence, features.toarray().astype(np.float64), 3)
    assert set(found) == set(expected)
    at = np.arange(len(target.heads))[::-1].copy()
    for name, make in found.items():
        if "low rank" not in name:
            np.testing.assert_allclose(make(at), expected[name][at], rtol=2e-3, atol=2e-4, err_msg=name)
    for matrix, name in ((target.scaled(0.5, 0.5).toarray(), "low rank"), (expected["surprise"], "surprise, low rank")):
        made = found[name](np.arange(len(target.heads)))  # equal singular values leave a choice: compare what is left
        assert np.linalg.matrix_rank(made, tol=1e-3) <= 3
        assert np.linalg.norm(matrix - made) == pytest.approx(np.linalg.norm(matrix - expected[name]), rel=1e-3)


@pytest.mark.slow
@pytest.mark.parametrize(("shape", "symmetric"), MARKED)
def test_wholes_are_what_the_formulas_say(shape: str, symmetric: bool) -> None:
    dataset = small_dataset(np.random.default_rng(6), shape, symmetric)
    evidence = build(dataset, AtlasSettings(), quiet).evidence
    target, plain = evidence.target, PlainAtlas(dataset)
    found, expected = wholes(evidence), plain.evidence()
    assert list(wholes(evidence, every=False)) == [free(ridge) for _, ridge in FREE]
    if symmetric:
        found[BOTH] = np.concatenate([both(evidence, at) for at in np.array_split(np.arange(len(target.heads)), 3)])
    assert list(found) == whole_names(evidence)
    x = target.axioms.toarray().astype(np.float64)
    for power, ridge in FREE:
        alone = regressed_alone(x, power, ridge)
        expected[free(ridge)] = np.zeros((plain.n, plain.n))
        expected[free(ridge)][np.ix_(target.heads, target.tails)] = alone + alone.T if symmetric else alone
    if symmetric:
        r = plain.tail_operators()["regressed"]
        expected[BOTH] = r.T @ plain.x @ r
    assert (BOTH in found) == symmetric
    for name, rows in found.items():
        wanted = expected[name][np.ix_(target.heads, target.tails)]
        np.testing.assert_allclose(rows, wanted, rtol=2e-3, atol=2e-5, err_msg=name)


def test_ranks_are_kept_at_some_places() -> None:
    np.testing.assert_array_equal(levels(20), [1, 2, 3, 4, 6, 8, 11, 16, 20])
    np.testing.assert_array_equal(levels(1), [1])
    generator = np.random.default_rng(0)
    scores = generator.permutation(60).reshape(3, 20).astype(np.float32)
    kept = levels(20)
    row_marks = marks(scores, kept)
    found = log_ranks(scores, row_marks, kept, False)
    for i in range(3):
        order = sorted(scores[i].tolist(), reverse=True)
        for j in range(20):
            rank = 1 + order.index(scores[i, j])
            if rank in kept:
                assert found[i, j] == pytest.approx(math.log(rank), abs=1e-6)
            else:
                low, high = max(k for k in kept if k < rank), min(k for k in kept if k > rank)
                above, below = order[int(low) - 1], order[int(high) - 1]
                part = (above - scores[i, j]) / (above - below)
                expected = math.log(low) + part * (math.log(high) - math.log(low))
                assert found[i, j] == pytest.approx(expected, abs=1e-5)
    turned = log_ranks(np.ascontiguousarray(scores.T), row_marks, kept, True)
    np.testing.assert_array_equal(turned, found.T)
    beyond = log_ranks(np.array([[-5.0, 99.0]], np.float32), row_marks[:1], kept, False)
    np.testing.assert_allclose(beyond, [[math.log(20), 0]], atol=1e-6)


def test_what_does_not_count_has_no_rank() -> None:
    scores = np.array([[3.0, 1.0, -np.inf, 2.0]], np.float32)
    kept = levels(4)
    found = log_ranks(np.array([[2.0, 0.5, 9.0]], np.float32), marks(scores, kept), kept, False)
    np.testing.assert_allclose(found, [[math.log(2), math.log(3), 0]], atol=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize(("shape", "symmetric"), SHAPES)
@pytest.mark.parametrize("whole", [0, 6500])
def test_a_table_has_all_evidence_bent(
    shape: str, symmetric: bool, whole: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table, "WHOLE", whole)
    dataset = small_dataset(np.random.default_rng(7), shape, symmetric)
    parts = build(dataset, AtlasSettings(), quiet)
    weighing = weighed(parts)
    made = PairTable(parts, weighing)
    evidence, target = parts.evidence, parts.evidence.target
    at = np.arange(len(target.heads))
    rows = dict(zip(made.columns, made.rows(at), strict=True))
    assert len(rows) == len(made.columns)
    without_last = {n: w for n, w in weighing.weights.items() if n not in ("entailed", ITSELF)}
    values: dict[str, np.ndarray] = dict(zip(evidence.names, evidence.rows(target.heads), strict=True))
    values[SCORE] = Weighing(without_last, weighing.bends).scores(evidence, target.heads)
    features = small_features(parts, target.members).toarray().astype(np.float64)
    if whole:
        values |= {**plain_chains(evidence, features, 128), **wholes(evidence)}
        values |= {BOTH: both(evidence, at)} if symmetric else {}
    assert set(made.names) == set(values) - {"count", "root of count", "has axioms", "entailed"}
    for name in made.names:
        value = np.asarray(values[name], np.float64)
        unit = 0.1 * value.std() if (value < 0).any() else 0.02 * value.mean()
        np.testing.assert_allclose(rows[name], np.arcsinh(value / (unit or 1)), rtol=5e-3, atol=5e-2, err_msg=name)
    hidden = made.hidden(at)
    for name in [column.removeprefix("rank of tail by ") for column in made.columns if "rank of tail" in column]:
        score = np.where(hidden, -np.inf, made.raw(at)[made.names.index(name)])
        exact = np.log(1 + (score[:, None, :] > score[:, :, None]).sum(axis=2))
        assert np.abs(rows[f"rank of tail by {name}"] - exact)[~hidden].max() < 0.41  # a step between two kept
        if whole:
            exact = np.log(1 + (score[None, :, :] > score[:, None, :]).sum(axis=1))
            assert np.abs(rows[f"rank of head by {name}"] - exact)[~hidden].max() < 0.41
    x = target.axioms.toarray()
    np.testing.assert_allclose(rows["axioms of head"], np.log1p(x.sum(axis=1))[:, None] * np.ones_like(x), rtol=1e-5)
    np.testing.assert_allclose(rows["axioms of tail"], np.log1p(x.sum(axis=0)) * np.ones_like(x), rtol=1e-5)
    others = [np.mean([x[:, t].sum() for t in np.flatnonzero(row)]) if row.any() else 0 for row in x]
    np.testing.assert_allclose(rows["axioms of its others of head"][:, 0], np.log1p(others), rtol=1e-5)
    sizes = (features[target.tails] != 0).sum(axis=1)
    np.testing.assert_allclose(rows["contexts of tail"][0], np.log1p(sizes), rtol=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize(("shape", "symmetric"), SHAPES)
def test_a_row_of_a_table_is_the_same_alone_and_among_others(shape: str, symmetric: bool) -> None:
    dataset = small_dataset(np.random.default_rng(8), shape, symmetric)
    parts = build(dataset, AtlasSettings(), quiet)
    made = PairTable(parts, weighed(parts))
    every = made.rows(np.arange(len(made.target.heads)))
    for place in (0, 3, 7):
        np.testing.assert_array_equal(made.rows(np.array([place]))[:, 0], every[:, place])


def rounded(scores: Dense) -> NDArray[np.bool_]:
    """Which scores of a row are nearly, not wholly, those of another of it: rounding decides on their order."""
    apart = np.abs(scores[:, :, None] - scores[:, None, :])
    return np.asarray(((apart > 0) & (apart < 1e-5 * scores.std())).any(axis=2))


@pytest.mark.parametrize(("joined", "whole"), [(False, 6500), (True, 6500), (True, 0)])
def test_pairs_of_a_symmetric_role_are_also_looked_at_the_other_way_round(
    joined: bool, whole: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table, "WHOLE", whole)
    monkeypatch.setattr(building, "FEWEST", 1 if joined else 10**6)
    dataset = small_dataset(np.random.default_rng(11), "same", True)
    parts = build(dataset, AtlasSettings(), quiet)
    assert bool(parts.evidence.links) == joined
    assert parts.evidence.groups
    made = PairTable(parts, weighed(parts))
    assert made.both_ways == bool(whole)
    if not whole:
        return
    every = made.rows(np.arange(len(made.target.heads)))
    at = np.array([3, 17, 0, 8])
    turned = made.turned(at, made.raw(at))
    assert not np.allclose(turned, every[:, at], atol=0.1)
    raw = dict(zip(made.names, made.raw(np.arange(len(every[0]))), strict=True))
    for name, mine, theirs in zip(made.columns, turned, every, strict=True):
        apart = np.abs(mine - theirs[:, at].T)
        if name.endswith("by surprise, low rank"):  # equal ones are told apart by rounding
            assert np.mean(apart < 5e-3) > 0.6, name
        elif name.startswith("rank of "):
            _, _, side, _, by = name.split(" ", 4)
            either = rounded(raw[by]) if side == "tail" else rounded(raw[by].T).T
            left_out = either[:, at].T
            assert np.mean(left_out) < 0.3, name
            assert apart[~left_out].max() < 0.05, name
        else:
            assert apart.max() < 5e-3, name
    alone = made.turned(at[1:2], made.raw(at[1:2]))
    np.testing.assert_array_equal(alone[:, 0], turned[:, 1])


@pytest.mark.parametrize(("shape", "symmetric"), [("roles", False), ("same", False), ("subclass", False)])
def test_pairs_of_other_targets_are_looked_at_one_way(shape: str, symmetric: bool) -> None:
    parts = build(small_dataset(np.random.default_rng(12), shape, symmetric), AtlasSettings(), quiet)
    made = PairTable(parts, weighed(parts))
    assert not made.both_ways
    assert len(made.kept().own_marks) == 0
    assert tuple(array.shape for array in made.kept()) == tuple(made.kept_shapes)


def test_examples_are_held_out_axioms_among_candidates(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("BEST", 4), ("MIDDLE", 3), ("REST", 2), ("NEXT", 9)):
        monkeypatch.setattr(examples, name, value)
    dataset = small_dataset(np.random.default_rng(9), "same", n=40)
    parts = build(dataset, AtlasSettings(), quiet)
    made = PairTable(parts, weighed(parts))
    columns = [*made.columns, "unknown"]
    drawn = Examples.draw(made, dataset.valid, columns, 10**6, np.random.default_rng(0))
    target = made.target
    heads = np.unique(target.head_place[dataset.valid[:, 0]])
    rows, hidden = made.rows(heads), made.hidden(heads)
    assert len(drawn.true) == len(dataset.valid)
    assert (drawn.true[:, -1] == 0).all()
    assert (drawn.others[:, :, -1] == 0).all()
    for i, place in enumerate(heads.tolist()):
        mine = target.tail_place[dataset.valid[target.head_place[dataset.valid[:, 0]] == place, -1]]
        np.testing.assert_array_equal(drawn.true[drawn.head == i, :-1], rows[:, i, mine].T)
        candidates = np.flatnonzero(~hidden[i] & ~np.isin(np.arange(len(target.tails)), mine))
        assert np.exp(drawn.weights[i]).sum() == pytest.approx(len(candidates), rel=1e-5)
        order = candidates[np.argsort(-rows[0, i, candidates], kind="stable")]
        np.testing.assert_array_equal(drawn.others[i, :4, :-1], rows[:, i, order[:4]].T.astype(np.float16))
        for k, pool in ((slice(4, 7), order[4:9]), (slice(7, 9), order[9:])):
            there = {tuple(row) for row in rows[:, i, pool].T.astype(np.float16).tolist()}
            assert {tuple(row) for row in drawn.others[i, k, :-1].tolist()} <= there
    few = Examples.draw(made, dataset.valid, columns, 3, np.random.default_rng(0))
    assert len(few.others) == 3
    both = Examples.together([drawn, few])
    np.testing.assert_array_equal(both.head, np.concatenate([drawn.head, few.head + len(drawn.others)]))
    np.testing.assert_array_equal(both.others[len(drawn.others) :], few.others)


@pytest.mark.parametrize("n", [0, 1, 3, 4, 5, 8, 9, 10, 12])
def test_candidates_stand_for_all_that_are_allowed(n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("BEST", 4), ("MIDDLE", 3), ("REST", 2), ("NEXT", 9)):
        monkeypatch.setattr(examples, name, value)
    generator = np.random.default_rng(n)
    scores, allowed = generator.normal(size=20).astype(np.float32), np.sort(generator.permutation(20)[:n])
    chosen, weights = examples._candidates(scores, allowed, generator)
    order = sorted(allowed.tolist(), key=lambda c: -scores[c])
    at = 0
    for pool, most in ((order[:4], 4), (order[4:9], 3), (order[9:], 2)):
        count = min(most, len(pool))
        part = chosen[at : at + count].tolist()
        assert len(set(part)) == count
        assert set(part) <= set(pool)
        assert all(weight == pytest.approx(np.log(len(pool) / count)) for weight in weights[at : at + count])
        at += count
    assert (weights[at:] == -np.inf).all()
    assert len(weights) == 9


def planted_examples(generator: np.random.Generator, heads: int = 300, candidates: int = 30) -> Examples:
    """True pairs have two of three columns alike in sign: no linear score finds them."""
    others = generator.normal(size=(heads, candidates, 3))
    others[..., 1] = -np.sign(others[..., 0]) * np.abs(others[..., 1])
    true = generator.normal(size=(heads, 3))
    true[:, 1] = np.sign(true[:, 0]) * np.abs(true[:, 1])
    weights = np.zeros((heads, candidates), np.float32)
    weights[:, -1] = -np.inf
    return Examples(others.astype(np.float16), weights, true.astype(np.float32), np.arange(heads))


def plain_net(arrays: dict[str, np.ndarray], x: np.ndarray) -> float:
    def gelu(values: np.ndarray) -> np.ndarray:
        return np.array([v * (1 + math.erf(v / math.sqrt(2))) / 2 for v in values])

    a = {name: value.astype(np.float64) for name, value in arrays.items()}
    z = (x.astype(np.float64) - a["mean"]) / a["deviation"]
    hidden = gelu(gelu(z @ a["first"] + a["first_bias"]) @ a["second"] + a["second_bias"])
    return float(z @ a["linear"] + hidden @ a["last"])


@pytest.mark.slow
def test_the_net_learns_what_no_sum_can_say(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(net, "EPOCHS", 20)
    generator = np.random.default_rng(0)
    learned = Net.learn(planted_examples(generator), generator, quiet)
    fresh = planted_examples(generator)
    true = learned.scores(fresh.true.T[:, :, None])[:, 0]
    others = learned.scores(fresh.others.astype(np.float32).transpose(2, 0, 1))
    ranks = 1 + (others[:, :-1] > true[:, None]).sum(axis=1)
    assert np.mean(ranks <= 3) > 0.5  # by chance 0.1
    arrays = learned.arrays()
    for name in ("linear", "first_bias", "second_bias"):  # these begin at zero
        assert arrays[name].all()
    for row in fresh.true[:5]:
        score = learned.scores(row[:, None, None])[0, 0]
        assert score == pytest.approx(plain_net(arrays, row), rel=1e-4, abs=1e-4)
        shares, average = learned.shares(row)
        assert average == pytest.approx(plain_net(arrays, arrays["mean"]), abs=1e-5)
        assert shares.sum() + average == pytest.approx(score, abs=1e-3)
        steps = [arrays["mean"] + (k + 0.5) / 2000 * (row - arrays["mean"]) for k in range(0, 2000, 20)]
        aside = np.array([1e-3, 0, 0])
        slope = [(plain_net(arrays, s + aside) - plain_net(arrays, s - aside)) / 2e-3 for s in steps]
        assert shares[0] == pytest.approx(np.mean(slope) * (row[0] - arrays["mean"][0]), rel=0.05, abs=0.02)


@pytest.mark.slow
def test_units_that_are_left_out_make_up_for_it_by_the_others() -> None:
    values = torch.from_numpy(np.random.default_rng(1).normal(0, 3, (400, 50)).astype(np.float32))
    share = net._some(values, np.random.default_rng(0)) / values
    left, kept = (share == 0).float().mean().item(), share[share != 0]
    assert 0 < left < 0.5
    torch.testing.assert_close(kept, torch.full_like(kept, 1 / (1 - net.DROPPED / 256)))
    assert kept.mean().item() * (1 - left) == pytest.approx(1, abs=0.02)
    assert net._some(values, None) is values


@pytest.mark.slow
def test_the_net_has_the_same_bits_whatever_the_threads() -> None:
    found = []
    before = torch.get_num_threads()
    for threads in (1, 2):
        torch.set_num_threads(threads)
        generator = np.random.default_rng(3)
        found.append(Net.learn(planted_examples(generator, 70), generator, quiet).arrays())
        assert torch.get_num_threads() == threads
    torch.set_num_threads(before)
    for name, array in found[0].items():
        np.testing.assert_array_equal(array, found[1][name])


@pytest.mark.parametrize("n", [1, 7, 8, 19, 200])
def test_tails_that_stand_for_all(n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reranker, "BEST", 7)
    monkeypatch.setattr(reranker, "STRIDE", 5)
    generator = np.random.default_rng(n)
    scores = np.concatenate([generator.normal(size=n), np.full(3, -np.inf)]).astype(np.float32)
    scores = generator.permutation(scores)
    places, stand_for = reranker.sampled(scores)
    assert len(set(places.tolist())) == len(places)
    assert np.isfinite(scores[places]).all()
    assert stand_for.sum() == pytest.approx(n)
    order = np.argsort(-scores)[:n].tolist()
    assert places[:7].tolist() == order[:7]
    assert (stand_for[:7] == 1).all()
    assert len(places) == 7 + round((n - 7) / 5) if n > 8 else len(places) == n
    whole = np.exp(scores[np.isfinite(scores)], dtype=np.float64).sum()
    assert (stand_for * np.exp(scores[places])).sum() == pytest.approx(whole, rel=0.1)


def test_ranks_of_judged_axioms() -> None:
    scores = np.array([5.0, 3.0, 3.0, 3.0, 1.0, 9.0], np.float32)
    hidden = np.array([False, False, False, False, False, True])
    assert [reranker.rank(scores, hidden, k) for k in (0, 1, 4)] == [1, 3, 5]
    hidden[1] = True
    assert reranker.rank(scores, hidden, 1) == 3


@pytest.fixture(scope="module")
def learned() -> tuple[datasets.Dataset, Atlas]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reranker, "FEW", 10)
        patch.setattr(reranker, "better", lambda new, old: True)
        dataset = datasets.load("cell-tiny")
        return dataset, Atlas.fit(dataset, AtlasSettings(rerank=True), np.random.default_rng(0), quiet)


@pytest.mark.slow
def test_axioms_are_judged_alike_in_parts(
    learned: tuple[datasets.Dataset, Atlas], monkeypatch: pytest.MonkeyPatch
) -> None:
    dataset, atlas = learned
    assert atlas.reranker is not None
    asked = np.concatenate([dataset.valid, dataset.test])[::-1]
    whole = atlas.reranker.judged(asked)
    assert len(np.unique(whole)) > 5
    target, evidence = atlas.reranker.table.target, atlas.parts.evidence
    for i, axiom in enumerate(asked[:9].tolist()):
        head, answer = np.array(axiom[:1], np.int32), int(target.tail_place[axiom[-1]])
        hidden = atlas.reranker.table.hidden(target.head_place[head])[0]
        for scores, found in zip(
            (atlas.weighing.scores(evidence, head), atlas.reranker.scores(head)), whole, strict=True
        ):
            assert found[i] == pytest.approx(gains(np.array([reranker.rank(scores[0], hidden, answer)]))[0])
    monkeypatch.setattr(atlas.reranker.table, "at_once", 3)
    np.testing.assert_array_equal(atlas.reranker.judged(asked), whole)


@pytest.mark.slow
def test_a_reranked_run_is_restored_to_the_bit(learned: tuple[datasets.Dataset, Atlas]) -> None:
    dataset, atlas = learned
    assert atlas.reranker is not None
    assert atlas.findings()["rerank"]["used"]
    again = Atlas.restore(dataset, AtlasSettings(rerank=True), atlas.arrays())
    target = atlas.parts.evidence.target
    ids = target.heads[[5, 2, 9]]
    expected = atlas.scorer().tails(ids, target.role, target.tails)
    np.testing.assert_array_equal(again.scorer().tails(ids, target.role, target.tails), expected)
    np.testing.assert_array_equal(
        again.scorer().pairs(ids, target.role, target.tails[:3]), expected[[0, 1, 2], [0, 1, 2]]
    )
    assert sum(array.nbytes for array in atlas.arrays().values()) < 1 << 20
    made = atlas.reranker.table
    every = np.arange(len(target.heads))
    one_way = np.array([atlas.reranker.net.scores(made.rows(every[[k]]))[0] for k in every], np.float64)
    counts = target.axioms.toarray().sum(axis=1)
    hidden = made.hidden(every)
    level = [np.log(counts[k] + 3) - np.log(np.exp(one_way[k][~hidden[k]]).sum()) for k in every]
    both = one_way + one_way.T + np.add.outer(level, level)
    own = target.tail_place[ids]
    apart = np.ones_like(expected, np.bool_)
    apart[np.arange(3), own] = False
    # where evidence is equal but for rounding, ranks by it are not quite those the other way round
    np.testing.assert_allclose(expected[apart], both[[5, 2, 9]][apart], atol=0.3)
    assert np.median(np.abs(expected - both[[5, 2, 9]])[apart]) < 0.01
    assert (expected[~apart] < -1e5).all()  # never itself
    stranger = np.array([c for c in range(2, dataset.vocabulary.n_classes) if c not in set(target.heads.tolist())][:2])
    closed = atlas.weighing.scores(atlas.parts.evidence, stranger.astype(np.int32))
    np.testing.assert_array_equal(atlas.scorer().tails(stranger.astype(np.int32), target.role, target.tails), closed)


@pytest.mark.slow
def test_reranked_reasons_add_up_to_the_score(learned: tuple[datasets.Dataset, Atlas]) -> None:
    dataset, atlas = learned
    target = atlas.parts.evidence.target
    for head, tail in dataset.valid[:6, [0, -1]].tolist():
        reasons = atlas.explain(head, tail)
        score = atlas.scorer().pairs(np.array([head], np.int32), target.role, np.array([tail], np.int32))[0]
        assert sum(reason.share for reason in reasons) == pytest.approx(score, rel=1e-4, abs=1e-4)
        sizes = [abs(reason.share) for reason in reasons[:8]]
        assert sizes == sorted(sizes, reverse=True)
        assert reasons[8].words.endswith("other kinds of evidence")
    assert atlas.explain(int(target.heads[0]), 0) == []
    itself = atlas.explain(int(target.heads[0]), int(target.heads[0]))
    assert itself[-1].words == reranker.LAST
    assert itself[-1].share < -1e5


@pytest.mark.slow
def test_arrays_of_another_net_are_refused(learned: tuple[datasets.Dataset, Atlas]) -> None:
    dataset, atlas = learned
    arrays = atlas.arrays()
    for name, wrong, message in (
        ("signed", arrays["signed"][:-1], "kinds of evidence"),
        ("first", arrays["first"][:-1], "first"),
        ("linear", arrays["linear"].astype(np.int64), "linear"),
        ("units", arrays["units"][1:], "units do not fit"),
        ("marks", arrays["marks"][:, 1:], "marks do not fit"),
        ("own_marks", arrays["own_marks"][1:], "own_marks do not fit"),
        ("level", arrays["level"][1:], "level does not fit"),
        ("level", np.full_like(arrays["level"], np.inf), "level does not fit"),
        ("left", np.full_like(arrays["left"], np.nan), "left do not fit"),
        ("right", arrays["right"].astype(np.float64), "right do not fit"),
    ):
        with pytest.raises(SettingError, match=message):
            Atlas.restore(dataset, AtlasSettings(rerank=True), {**arrays, name: wrong})
    with pytest.raises(SettingError, match="not those of a re-ranker"):
        Atlas.restore(dataset, AtlasSettings(rerank=True), {k: v for k, v in arrays.items() if k != "last"})


@pytest.mark.slow
@pytest.mark.parametrize("valid", [True, False])
def test_a_net_that_does_not_help_is_left_out(valid: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    dataset = small_dataset(np.random.default_rng(2), "same", n=40)
    if not valid:
        dataset = replace(dataset, valid=dataset.valid[:0])
    closed = Atlas.fit(dataset, AtlasSettings(), np.random.default_rng(0), quiet)
    few = Atlas.fit(dataset, AtlasSettings(rerank=True), np.random.default_rng(0), quiet)
    assert few.reranker is None  # too few axioms to try
    assert few.weighing == closed.weighing
    monkeypatch.setattr(reranker, "FEW", 10)
    monkeypatch.setattr(net, "EPOCHS", 1)
    judged: list[tuple[np.ndarray, np.ndarray]] = []

    def never(new: np.ndarray, old: np.ndarray) -> bool:
        judged.append((new, old))
        return False

    monkeypatch.setattr(reranker, "better", never)
    said: list[str] = []
    worse = Atlas.fit(dataset, AtlasSettings(rerank=True), np.random.default_rng(0), said.append)
    parts = [each for each in said if each.endswith("of training, for the net")]
    assert parts == [f"holding out part {number} of 5 of training, for the net" for number in range(1, 6)]
    assert worse.reranker is None
    assert worse.weighing == closed.weighing
    ((new, old),) = judged
    found = worse.findings()["rerank"]
    assert found == {"used": False, "without": round(old.mean(), 4), "with": round(new.mean(), 4)}
    assert (len(new) == len(dataset.valid)) == valid


def test_a_head_with_an_axiom_of_every_tail_teaches_nothing() -> None:
    generator = np.random.default_rng(8)
    examples = planted_examples(generator, 70)
    weights = examples.weights.copy()
    weights[[3, 41]] = -np.inf
    learned = Net.learn(replace(examples, weights=weights), generator, quiet).arrays()
    for name, array in learned.items():
        assert np.isfinite(array).all(), name


def test_candidates_that_stand_for_none_are_no_part_of_means() -> None:
    generator = np.random.default_rng(9)
    examples = planted_examples(generator, 11, 7)
    weights = np.where(generator.random((11, 7)) < 0.4, -np.inf, 0.3).astype(np.float32)
    others = (examples.others + np.float16(2)) * (1 + np.arange(7, dtype=np.float16)[:, None])
    learned = Net.learn(Examples(others, weights, examples.true, examples.head), generator, quiet).arrays()
    rows = [others[i, j] for i in range(11) for j in range(7) if weights[i, j] > -1] + list(examples.true)
    assert 11 < len(rows) < 11 * 8
    np.testing.assert_allclose(learned["mean"], np.mean(np.array(rows, np.float64), axis=0), rtol=1e-5)
    np.testing.assert_allclose(learned["deviation"], np.std(np.array(rows, np.float64), axis=0), rtol=1e-5)


def test_columns_of_every_size_are_made_alike() -> None:
    """By their deviation, be it small or large; what hardly varies at all is left as it is."""
    generator = np.random.default_rng(4)
    size = np.array([1e-3, 0.05, 1, 40, 1e-6, 0])
    true = (generator.normal(size=(31, 6)) * size + 3).astype(np.float32)
    others = (generator.normal(size=(7, 5, 6)) * size + 3).astype(np.float16)
    weights = np.where(generator.random((7, 5)) < 0.3, -np.inf, 0).astype(np.float32)
    mean, deviation = net._moments(Examples(others, weights, true, generator.integers(0, 7, 31)))
    rows = np.concatenate([others[np.isfinite(weights)], true]).astype(np.float64)
    np.testing.assert_allclose(mean, rows.mean(axis=0), rtol=1e-5)
    exact = rows.std(axis=0)
    assert (exact[:4] < 1).any()
    np.testing.assert_allclose(deviation, np.where(np.arange(6) < 4, exact, 1), rtol=1e-3)


@pytest.mark.parametrize(
    ("values", "signed", "unit"),
    [
        ([1.0, 2.0, 6.0], False, 0.06),
        ([-1.0, 2.0, 5.0], True, 0.1 * math.sqrt(6)),
        ([4.0, 4.0], True, 1.0),  # what is the same everywhere says nothing
        ([-4.0, 1.0], False, 1.0),
        ([1e-7, -1e-8], True, 1.0),  # rounding
        ([], True, 1.0),
    ],
)
def test_what_counts_as_small(values: list[float], signed: bool, unit: float) -> None:
    assert table._unit(np.array(values, np.float32), signed) == pytest.approx(unit)


def test_a_head_that_has_every_tail_has_a_level() -> None:
    """Of a symmetric role: nothing is left to rank for it, and its pairs still have scores."""
    dataset = small_dataset(np.random.default_rng(7), "same", symmetric=True)
    head, others = 5, [c for c in range(2, dataset.vocabulary.n_classes) if c != 5]
    more = np.array([pair for c in others for pair in ((head, TARGET, c), (c, TARGET, head))])
    rows = np.unique(np.concatenate([dataset.train, more.astype(np.int32)]), axis=0)
    told = np.unique(np.concatenate([dataset.forms.existential, rows]), axis=0)
    forms = NormalForms(dataset.vocabulary, {**dataset.forms.tables, "existential": told})
    dataset = replace(dataset, train=rows, forms=forms, valid=rows[:0], test=rows[:0])
    parts = build(dataset, AtlasSettings(), quiet)
    weighing = weighed(parts)
    columns = len(PairTable(parts, weighing).columns)
    generator = np.random.default_rng(1)
    arrays = {name: generator.normal(size=shape) for name, shape in Net.shapes(columns, reranker.HIDDEN).items()}
    made = reranker.Reranker(parts, weighing, Net({**arrays, "deviation": np.ones(columns)}), None)
    assert made.table.hidden(np.array([parts.evidence.target.head_place[head]])).all()
    assert np.isfinite(made.level).all()


@pytest.mark.slow
def test_levels_are_sums_over_the_best_and_some_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """The best by closed form; of the others each fifth stands for all of them."""
    monkeypatch.setattr(reranker, "BEST", 6)
    monkeypatch.setattr(reranker, "STRIDE", 5)
    parts = build(small_dataset(np.random.default_rng(7), "same", symmetric=True), AtlasSettings(), quiet)
    weighing = weighed(parts)
    columns = len(PairTable(parts, weighing).columns)
    generator = np.random.default_rng(1)
    arrays = {n: 0.2 * generator.normal(size=shape) for n, shape in Net.shapes(columns, reranker.HIDDEN).items()}
    made = reranker.Reranker(parts, weighing, Net({**arrays, "deviation": np.ones(columns)}), None)
    every = np.arange(len(made.table.target.heads))
    closed = made.table.raw(every)[made.table.names.index(SCORE)]
    scores, hidden = made.net.scores(made.table.rows(every)), made.table.hidden(every)
    for i, count in enumerate(made.table.target.axioms.toarray().sum(axis=1).tolist()):
        order = sorted(np.flatnonzero(~hidden[i]).tolist(), key=lambda t: -closed[i, t])
        others = order[6:]
        some = others[2::5]
        assert len(some) > 1
        total = np.exp(scores[i, order[:6]], dtype=np.float64).sum()
        total += np.exp(scores[i, some], dtype=np.float64).sum() * len(others) / len(some)
        assert made.level[i] == pytest.approx(math.log(count + 3) - math.log(total), abs=1e-3)


def test_a_score_that_is_no_number_is_last() -> None:
    scores = np.array([5.0, np.nan, 3.0, 7.0], np.float32)
    hidden = np.array([False, False, False, True])
    assert reranker.rank(scores, hidden, 1) == 3
    hidden[1] = True
    assert reranker.rank(scores, hidden, 1) == 3

"""Reasons add up to the score, name what is there, and mean something."""

from __future__ import annotations

import numpy as np
import pytest

from elgeo import datasets
from elgeo.datasets.model import Dataset
from elgeo.models.atlas import Atlas, AtlasSettings, explain
from elgeo.models.atlas.build import build
from elgeo.models.atlas.evidence import DRAWN, GROUPINGS, ITSELF
from elgeo.models.atlas.explain import Explainer
from elgeo.models.atlas.groups import Groups
from elgeo.models.atlas.reranking.net import Net
from elgeo.models.atlas.reranking.reranker import HIDDEN, Reranker
from elgeo.models.atlas.reranking.table import PairTable
from elgeo.models.atlas.sampled.groups import SampledGroups
from elgeo.models.atlas.shares import remainders, shares
from elgeo.models.atlas.weighing.heldout import without
from elgeo.models.atlas.weighing.weights import Weighing, bent
from elgeo.models.ensemble import Ensemble
from tests.models.atlas.plain_atlas import PlainAtlas, small_dataset

SHAPES = [("roles", False), ("same", False), ("same", True), ("subclass", False)]


def quiet(message: str) -> None:
    """No progress."""


def weighed(dataset: Dataset, seed: int = 0, folded: bool = False) -> Atlas:
    """Atlas with every piece of evidence at work."""
    parts = build(dataset, AtlasSettings(), quiet)
    generator = np.random.default_rng(seed)
    names = [*parts.evidence.names, ITSELF]
    bends = {name: float(generator.uniform(1, 4)) for name in parts.evidence.names[:-4:2]} if folded else {}
    weights = {name: float(generator.uniform(0.5, 2)) for name in (*names, *map(bent, bends))}
    return Atlas(dataset, parts, Weighing(weights, bends))


@pytest.mark.parametrize("name", GROUPINGS)
def test_what_groups_expect_without_axioms_is_a_remainder_of_its_own(name: str) -> None:
    dataset = small_dataset(np.random.default_rng(2), "same", True)
    atlas = weighed(dataset)
    target = atlas.parts.evidence.target
    head, tail = int(target.heads[9]), int(target.tails[5])
    _, rest = grouped(atlas, name, head, tail)
    found = remainders(atlas.parts.evidence, atlas.weighing.weights, head, tail)
    assert found[name] == pytest.approx(atlas.weighing.weights[name] * rest)
    alone = Atlas(dataset, atlas.parts, Weighing({name: 2.0}, {}))
    words = {reason.words: reason.share for reason in alone.explain(head, tail)}
    assert words["what is expected of any two groups"] == pytest.approx(2.0 * rest)
    assert any("grouped with" in each for each in words)
    assert alone.explain(0, tail) == []  # a class of another kind


@pytest.mark.slow
@pytest.mark.parametrize("name", GROUPINGS)
def test_only_classes_of_one_group_are_said_to_be_grouped(name: str) -> None:
    dataset = datasets.load("cell-tiny")
    atlas = Atlas(dataset, build(dataset, AtlasSettings(), quiet), Weighing({name: 1.0}, {}))
    groups, heads = atlas.parts.evidence.groups[name], atlas.parts.evidence.target.heads
    place = {dataset.vocabulary.class_label(head): i for i, head in enumerate(heads.tolist())}
    assert len(place) == len(heads)
    if isinstance(groups, SampledGroups):
        large = np.array([draw.state.large[draw.state.small] for draw in groups.draws])
        together = (large[:, :, None] == large[:, None]).mean(axis=0)
    else:
        assert isinstance(groups, Groups)
        together = groups.grouping.members @ groups.grouping.members.T
    assert groups.together(2, 7) == pytest.approx(together[2, 7])
    least = {" is grouped with ": 0.5, " is at times grouped with ": 0.1}
    seen = dict.fromkeys((*least, " itself", "usual "), 0)
    for head in heads[::9].tolist():
        for tail in heads[1::7].tolist():
            reasons = atlas.explain(head, tail)[: explain.SHOWN]
            for how in (how for reason in reasons for how in reason.words[:-1].split(" (")[1].split(", ")):
                (kind,) = (each for each in seen if each in how)
                seen[kind] += 1
                if kind in least:
                    one, other = how.split(kind)
                    assert together[place[one], place[other]] > least[kind]
                    assert heads[place[other]] in (head, tail)
    assert all(number for kind, number in seen.items() if name == DRAWN or "at times" not in kind)


@pytest.mark.slow
@pytest.mark.parametrize(("shape", "symmetric"), SHAPES)
def test_reasons_add_up_to_the_score(shape: str, symmetric: bool) -> None:
    dataset = small_dataset(np.random.default_rng(2), shape, symmetric)
    atlas = weighed(dataset, folded=True)
    target, scorer = atlas.parts.evidence.target, atlas.scorer()
    for head in target.heads[::3].tolist():
        for tail in target.tails[::4].tolist():
            reasons = atlas.explain(head, tail)
            score = scorer.pairs(np.array([head], np.int32), target.role, np.array([tail], np.int32))[0]
            assert sum(reason.share for reason in reasons) == pytest.approx(score, rel=1e-4, abs=1e-4)
            assert all(reason.words for reason in reasons)


def grouped(atlas: Atlas, name: str, head: int, tail: int) -> tuple[list[tuple[int, int, float]], float]:
    """What each axiom adds to a score by groups, and what is there without any."""
    evidence = atlas.parts.evidence
    target = evidence.target
    added, rest = evidence.groups[name].shares(int(target.head_place[head]), int(target.tail_place[tail]))
    heads, tails = target.axioms.tocoo().coords
    return list(zip(target.heads[heads].tolist(), target.tails[tails].tolist(), added.tolist(), strict=True)), rest


@pytest.mark.slow
@pytest.mark.parametrize(("shape", "symmetric"), SHAPES)
def test_shares_of_axioms_are_what_the_formula_says(shape: str, symmetric: bool) -> None:
    dataset = small_dataset(np.random.default_rng(3), shape, symmetric)
    atlas, plain = weighed(dataset), PlainAtlas(dataset)
    lefts, rights = plain.head_operators(), plain.tail_operators()
    head, tail = dataset.valid[1, [0, -1]].tolist()
    expected: dict[tuple[int, int], float] = {}
    for a, left in lefts.items():
        for b, right in rights.items():
            weight = atlas.weighing.weights.get(f"{a} · {b}", 0)
            for c, d in np.argwhere(plain.x).tolist():
                value = left[head, c] * plain.x[c, d] * right[d, tail]
                value += left[tail, c] * plain.x[c, d] * right[d, head] if symmetric else 0
                expected[c, d] = expected.get((c, d), 0) + weight * value
    for name in atlas.parts.evidence.groups:  # what an axiom adds by groups is tested beside these
        for c, d, value in grouped(atlas, name, head, tail)[0]:
            expected[c, d] += atlas.weighing.weights[name] * value
    found = dict.fromkeys(expected, 0.0)
    parts = shares(atlas.parts.evidence, atlas.weighing.weights, head, tail)
    assert parts.values.all(), "an axiom that adds nothing is not named"
    for share in parts.each:
        found[share.head, share.tail] += share.value
    assert found == pytest.approx(expected, rel=1e-3, abs=1e-4)
    assert any(abs(value) > 1e-3 for value in expected.values())


def test_remainders_are_the_other_evidence() -> None:
    dataset = small_dataset(np.random.default_rng(2), "same")
    atlas = weighed(dataset)
    expected = PlainAtlas(dataset).evidence()
    target = atlas.parts.evidence.target
    head, tail = int(target.heads[9]), int(target.tails[5])
    found = remainders(atlas.parts.evidence, atlas.weighing.weights, head, tail)
    for name in atlas.parts.evidence.names:
        if " · " not in name:
            assert found.get(name, 0) == pytest.approx(
                atlas.weighing.weights[name] * expected[name][head, tail], abs=1e-5
            )
        else:
            assert name not in found


def test_the_largest_come_first_and_the_rest_is_summed_up(monkeypatch: pytest.MonkeyPatch) -> None:
    dataset = small_dataset(np.random.default_rng(2), "same")
    atlas = weighed(dataset)
    target = atlas.parts.evidence.target
    head, tail = int(target.heads[2]), int(target.tails[7])
    monkeypatch.setattr(explain, "SHOWN", 10**6)
    everything = atlas.explain(head, tail)
    axioms = [reason for reason in everything if " r1 " in reason.words and "(" in reason.words]
    assert [abs(r.share) for r in axioms] == sorted([abs(r.share) for r in axioms], reverse=True)
    monkeypatch.setattr(explain, "SHOWN", 2)
    few = atlas.explain(head, tail)
    assert few[:2] == axioms[:2]
    assert few[2].words == f"{len(axioms) - 2} other training axioms"
    assert few[2].share == pytest.approx(sum(reason.share for reason in axioms[2:]))
    assert few[3:] == everything[len(axioms) :]


def test_shared_features_are_named_rarest_first() -> None:
    dataset = small_dataset(np.random.default_rng(2), "same")
    parts = build(dataset, AtlasSettings(contexts="name"), quiet)
    explainer = Explainer(dataset, parts, Weighing({}, {}))
    rows = parts.blocks["name"].rows
    frequency = rows.sum(axis=0)
    seen = 0
    for one in range(4, 20):
        for other in range(one + 1, 20):
            words = [set(dataset.texts.labels[c].split()) for c in (one, other)]
            shared = explainer.shared(one, other)
            assert {word.strip("“”") for word in shared} <= words[0] & words[1]
            assert len(shared) == min(2, len(words[0] & words[1]))
            listed = [parts.blocks["name"].describe(f) for f in range(rows.shape[1])]
            counts = [frequency[listed.index(word)] for word in shared]
            assert counts == sorted(counts)
            seen += len(shared)
    assert seen


def test_what_is_no_tail_has_no_reasons() -> None:
    dataset = small_dataset(np.random.default_rng(2), "roles")
    atlas = weighed(dataset)
    target = atlas.parts.evidence.target
    head, first = int(target.heads[0]), int(target.tails[0])
    assert atlas.explain(head, 0) == []
    score = atlas.scorer().pairs(target.heads[:1], target.role, target.tails[:1])[0]
    assert sum(reason.share for reason in atlas.explain(head, first)) == pytest.approx(score, rel=1e-4)


@pytest.mark.slow
def test_without_the_named_axiom_the_score_falls_on_average() -> None:
    dataset = small_dataset(np.random.default_rng(6), "same", n=60)
    parts = build(dataset, AtlasSettings(), quiet)
    weights = {"itself · regressed": 1.0, "peers · same": 1.0}
    atlas = Atlas(dataset, parts, Weighing(weights, {}))
    target, falls = parts.evidence.target, []
    for head, tail in dataset.valid[:12, [0, 2]].tolist():
        named = max(shares(parts.evidence, weights, head, tail).each, key=lambda share: share.value, default=None)
        if named is None:
            continue
        less = without(dataset, np.array([[named.head, target.role, named.tail]]))
        again = Atlas(dataset, build(less, AtlasSettings(), quiet), Weighing(weights, {}))
        pair = np.array([head], np.int32), target.role, np.array([tail], np.int32)
        falls.append(atlas.scorer().pairs(*pair)[0] - again.scorer().pairs(*pair)[0])
    assert len(falls) > 5
    assert np.mean(falls) > 0


def test_an_ensemble_names_each_axiom_once_and_the_rest_are_others() -> None:
    dataset = small_dataset(np.random.default_rng(2), "roles")
    members = [weighed(dataset, seed, folded=seed > 0) for seed in (0, 1)]
    few = Atlas(dataset, members[0].parts, Weighing({"itself · regressed": 1.0}, {}))
    ensemble = Ensemble([*members, few])
    target = members[0].parts.evidence.target
    head, tail = int(target.heads[3]), int(target.tails[5])
    reasons = ensemble.explain(head, tail)
    score = ensemble.scorer().pairs(np.array([head], np.int32), target.role, np.array([tail], np.int32))[0]
    assert sum(reason.share for reason in reasons) == pytest.approx(score, rel=1e-4)
    words = [reason.words.partition(" (")[0] for reason in reasons]
    (place,) = [i for i, each in enumerate(words) if "other training axioms" in each]
    named = words[:place]
    assert len(named) == len(set(named)) == explain.SHOWN
    assert len(named) + int(words[place].split()[0]) <= target.axioms.nnz
    parts = members[0].parts.evidence
    each = [shares(parts, member.weighing.at(parts, head, tail), head, tail) for member in (*members, few)]
    label = dataset.vocabulary.class_label
    for name, reason in zip(named, reasons, strict=False):
        mine = [s.value for one in each for s in one.each if f"{label(s.head)} r1 {label(s.tail)}" == name]
        assert reason.share == pytest.approx(sum(mine) / 3)


@pytest.mark.slow
def test_an_ensemble_of_re_ranked_members_has_mean_shares_and_one_of_both_sorts_says_both() -> None:
    dataset = small_dataset(np.random.default_rng(2), "roles")
    plain = weighed(dataset)
    columns = len(PairTable(plain.parts, plain.weighing).columns)
    made = []
    for seed in (0, 1):
        generator = np.random.default_rng(seed)
        arrays = {name: generator.normal(size=shape) for name, shape in Net.shapes(columns, HIDDEN).items()}
        net = Net({**arrays, "deviation": np.ones(columns)})
        made.append(Atlas(dataset, plain.parts, plain.weighing, Reranker(plain.parts, plain.weighing, net, None)))
    target = plain.parts.evidence.target
    head, tail = int(target.heads[3]), int(target.tails[5])
    for members, many in ((made, 1), ([made[0], plain], 2), ([plain, made[0]], 2)):
        ensemble = Ensemble(members)
        score = ensemble.scorer().pairs(np.array([head], np.int32), target.role, np.array([tail], np.int32))[0]
        reasons = ensemble.explain(head, tail)
        assert sum(reason.share for reason in reasons) == pytest.approx(score, rel=1e-3, abs=1e-3)
        assert len([reason for reason in reasons if " other " in reason.words]) == many
    first = Ensemble(made).explain(int(target.heads[0]), int(target.tails[0]))
    assert first[explain.SHOWN].words.endswith("other kinds of evidence")

"""Texts, patterns and weights of placement beside plain computations, and terms whose place is plain."""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from elgeo import datasets
from elgeo.errors import ElgeoError, SettingError
from elgeo.models.atlas.contexts.cutting import pairs, words
from elgeo.models.atlas.contexts.logic import Matrix
from elgeo.models.atlas.operators.dense import Dense
from elgeo.models.nearest_names import NearestNames, NearestScorer
from elgeo.models.placement import meaning, model, weighing
from elgeo.models.placement.evidence import (
    ABOVE,
    AT_END,
    CLUES,
    COUNT,
    FIRST,
    IN_NAME,
    IN_TEXT,
    KNOWN,
    LED,
    MEANT,
    MIXED,
    NameEvidence,
    SeenTerms,
)
from elgeo.models.placement.knowledge import Knowledge
from elgeo.models.placement.model import AT_ONCE, PARENTS, RELATIONS, Placement, chunks, weigh
from elgeo.models.placement.patterns import NameIndex, Patterns, Relation
from elgeo.models.placement.reranking import reranker
from elgeo.models.placement.reranking.columns import PairColumns
from elgeo.models.placement.reranking.newness import choose, hold_out
from elgeo.models.placement.reranking.reranker import ParentNet
from elgeo.models.placement.terms import Term, in_words, tokens
from elgeo.models.placement.texts import BLOCKS, WordBlock
from elgeo.models.placement.weighing import Rivalry, Rows, bent, learnt, rivalries, scores
from elgeo.ontology.vocabulary import BOTTOM, TOP
from tests.models.placement import small_names


@pytest.fixture(scope="module")
def knowledge(tmp_path_factory: pytest.TempPathFactory) -> Knowledge:
    return Knowledge.of(small_names.dataset(tmp_path_factory.mktemp("names")))


def number(knowledge: Knowledge, label: str) -> int:
    return [term.label for term in knowledge.terms].index(label)


def test_names_in_words() -> None:
    assert in_words("five_prime_cap") == "five prime cap"
    assert in_words("FivePrimeCap") == "Five Prime Cap"
    assert in_words("tRNA intron") == "tRNA intron"
    assert in_words("tRNA") == "tRNA"
    assert tokens("Étude, de l'ADN (2)") == ("étude", "de", "l", "adn", "2")


def test_a_block_by_plain_sums() -> None:
    texts = ["heart valve", "heart heart chamber", "lung", "lung lobe", "brain", "liver liver"]
    terms = [Term(text) for text in texts]
    block = WordBlock(pairs, lambda term: (term.label,), terms)
    counts = [Counter(pairs(text)) for text in texts]
    frequency = Counter(feature for count in counts for feature in count)

    def row(count: Counter[str]) -> dict[str, float]:
        # what no class has is as rare as can be
        known = {
            f: (1 + math.log(n)) * math.log(7 / max(1, frequency[f])) for f, n in count.items() if frequency[f] <= 2
        }
        length = math.sqrt(sum(v * v for v in known.values()))
        return {f: v / length for f, v in known.items()}

    asked = Counter(pairs("heart valve lung unknown"))
    alike = (block.of([Term("heart valve lung unknown")]) @ block.rows.T).toarray()[0]
    for i, count in enumerate(counts):
        plain = sum(value * row(count).get(feature, 0.0) for feature, value in row(asked).items())
        assert alike[i] == pytest.approx(plain, abs=1e-6)


def test_what_no_class_says_has_no_row_and_no_warning() -> None:
    block = WordBlock(pairs, lambda term: (term.label,), [Term("heart valve"), Term("lung")])
    with np.errstate(all="raise"):
        assert block.of([Term(""), Term("unheard of"), Term("lung")]).toarray().any(axis=1).tolist() == [0, 0, 1]


def test_a_word_that_says_little_makes_texts_alike() -> None:
    """Of three classes two have it: its weight is log 2, below 1."""
    terms = [Term("heart valve"), Term("heart"), Term("lung")]
    block = WordBlock(words, lambda term: (term.label,), terms)
    asked = [Term("heart"), Term("heart chamber"), Term("heart chamber chamber of")]
    alike = (block.of(asked) @ block.rows.T).toarray()
    some, all_of_it = math.log(2), math.log(4)  # what no class says weighs as much as what one says
    beside, less = (some / math.hypot(some, *unknown) for unknown in ([all_of_it], [(1 + some) * all_of_it, all_of_it]))
    expected = [[beside, 1, 0], [beside * beside, beside, 0], [beside * less, less, 0]]
    np.testing.assert_allclose(alike, expected, rtol=1e-5)


def test_words_that_many_texts_have_do_not_count() -> None:
    """Of twenty texts up to four may share a word; of few texts two."""
    texts = [f"{'all ' if i < 5 else ''}{'some ' if i < 4 else ''}own{i}" for i in range(20)]
    block = WordBlock(words, lambda term: (term.label,), [Term(text) for text in texts])
    alike = (block.of([Term("all"), Term("some")]) @ block.rows.T).toarray()
    assert not alike[0].any()
    assert np.flatnonzero(alike[1]).tolist() == [0, 1, 2, 3]


def test_splits() -> None:
    names = NameIndex({0: Term("heart"), 1: Term("heart valve", ("cardiac valve",)), 2: Term("development")})
    found = [(" ".join(f[0]), " ".join(f[1]), part) for f, part in names.splits(tokens("cardiac valve development"))]
    assert found == [("", "development", 1), ("cardiac valve", "", 2)]
    assert {part for _, part in names.splits(tokens("heart valve"))} == {0}
    assert names.within(tokens("the heart valve of a heart")) == {0: 1, 1: 1}
    assert names.framed((("x",), ()), 1) is None
    assert names.framed(((), ("valve",)), 0) == 1


def test_habits_by_hand() -> None:
    labels = [
        "A",
        "B",
        "C",
        "regulation of A",
        "regulation of B",
        "negative regulation of B",
        "negative regulation of A",
        "root",
    ]
    terms = {i: Term(label) for i, label in enumerate(labels)}
    told: dict[int, list[Relation]] = {
        3: [(None, 7), (5, 0)],
        4: [(None, 3), (5, 1)],
        5: [(None, 4), (None, 6)],
        6: [(None, 3)],
        1: [(None, 0)],
        2: [(None, 1)],
    }
    parents = {head: [end for role, end in some if role is None] for head, some in told.items()}
    patterns = Patterns(NameIndex(terms), told, parents)
    assert patterns.above(2) == {2: 0, 1: 1, 0: 2}
    clues = patterns.clues(["negative regulation of C"])
    # both “negative regulation of …” are below “regulation of” the same, one of them below its own frame around A
    assert clues["broader", (None, 5)][1:] == ((("negative", "regulation", "of"), ()), 1, 2)
    assert clues["broader", (None, 5)].share == pytest.approx(1 / 3)
    assert ("same", (None, 4)) not in clues  # there is no “regulation of C”
    clues = patterns.clues(["regulation of C"])
    assert clues["same", (5, 2)][2:] == (2, 2)
    assert clues["broader", (None, 4)].share == pytest.approx(1 / 3)
    assert clues["fixed", (None, 7)].share == pytest.approx(1 / 3)
    assert clues["fixed", (None, 7)].frame == (("regulation", "of"), ())
    assert patterns.clues(["C"]) == {} == patterns.clues(["unheard of C"])


def test_all_that_is_nearest_above_is_offered_and_nothing_farther() -> None:
    """C is below A and B alike, both of them below D: "care of C" belongs below the care of either, not that of D."""
    labels = ["A", "B", "C", "D", "care of A", "care of B", "care of D"]
    told: dict[int, list[Relation]] = {0: [(None, 3)], 1: [(None, 3)], 2: [(None, 0), (None, 1)]}
    told |= {4: [(None, 6)], 5: [(None, 6)], 6: []}
    parents = {head: [end for _, end in some] for head, some in told.items()}
    patterns = Patterns(NameIndex({i: Term(label) for i, label in enumerate(labels)}), told, parents)
    clues = patterns.clues(["care of C"])
    # two of the three with this frame are below the care of something broader
    assert {relation: clue.share for (sort, relation), clue in clues.items() if sort == "broader"} == {
        (None, 4): 2 / 4,
        (None, 5): 2 / 4,
    }


def test_scores_by_plain_sums() -> None:
    generator = np.random.default_rng(0)
    plain = np.where(generator.random((3, 5)) < 0.5, generator.random((3, 5)), 0).astype(np.float32)
    prior = generator.random((1, 5)).astype(np.float32)
    weights = generator.random(4)
    found = scores({"a": sparse.csr_array(plain), "b": prior}, weights, 3, 5)
    wanted = weights[0] * plain + weights[2] * np.sqrt(plain) + weights[1] * prior + weights[3] * np.sqrt(prior)
    np.testing.assert_allclose(found, wanted, rtol=1e-5)
    true = [np.array([1, 2]), np.array([], int), np.array([0])]
    asked = rivalries({"a": sparse.csr_array(plain), "b": prior}, true, weights, 5)
    assert [len(question.features) for question in asked] == [4, 4, 5]
    np.testing.assert_array_equal(asked[1].features[0], [plain[0, 2], prior[0, 2]])
    assert {tuple(row) for row in asked[0].features[1:].tolist()} == {
        (plain[0, i].item(), prior[0, i].item()) for i in (0, 3, 4)
    }


def test_a_piece_counts_as_it_is_or_by_its_root_alone() -> None:
    plain = np.array([[0.25, 0, 4]], np.float32)
    for weights, wanted in (([3.0, 0.0], 3 * plain), ([0.0, 2.0], 2 * np.sqrt(plain)), ([0.0, 0.0], 0 * plain)):
        for rows in ({"a": sparse.csr_array(plain)}, {"a": plain}):
            np.testing.assert_array_equal(scores(rows, np.array(weights), 1, 3), wanted)


@pytest.mark.parametrize("classes", [6, 7, 8, 19])
def test_rivals_are_the_likeliest_by_the_first_guess(classes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weighing, "RIVALS", 7)
    chance = np.random.default_rng(classes)
    plain = chance.permutation(np.arange(1, 3 * classes + 1)).reshape(3, classes).astype(np.float32)
    true = [np.array([0, 3]), np.array([], int), chance.permutation(classes)[:3]]
    asked = rivalries({"a": sparse.csr_array(plain)}, true, np.array([1.0, 0.0]), classes)
    wanted = []
    for row, ends in zip(plain.tolist(), true, strict=True):
        rivals = sorted((row[c] for c in range(classes) if c not in ends), reverse=True)[:7]
        wanted += [(row[end], sorted(rivals)) for end in ends.tolist()]
    assert [question.true for question in asked] == [0] * len(wanted)
    assert [(q.features[0, 0], sorted(q.features[1:, 0].tolist())) for q in asked] == wanted


@pytest.mark.parametrize("seed", range(3))
def test_weights_are_the_best_there_are_for_what_they_cost(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cross entropy, and a share of the squared weights of features that are one on average: the slope is 0."""
    monkeypatch.setattr(weighing, "RIDGE", 0.03)
    generator = np.random.default_rng(seed)
    asked = []
    for _ in range(30):
        features = generator.lognormal(0, 0.7, (int(generator.integers(2, 9)), 3)).astype(np.float32) * [1, 20, 0.3]
        number = int(generator.integers(len(features)))
        features[number] *= [2, 1.5, 0.6]
        asked.append(Rivalry(features.astype(np.float32), number))
    every = bent(np.concatenate([question.features for question in asked])).astype(np.float64)
    size = np.sqrt(np.mean(every**2, axis=0))

    def loss(some: np.ndarray) -> float:
        lost = 0.0
        for question in asked:
            value = bent(question.features).astype(np.float64) @ some
            lost += np.log(np.exp(value - value[question.true]).sum()) / len(asked)
        return float(lost + 0.03 * np.sum((some * size) ** 2))

    found = learnt(asked, 3)
    step = 1e-4 / size
    slope = [(loss(found + s) - loss(found - s)) / 2e-4 for s in np.diag(step)]
    assert (found > 0).any()
    for weight, steep in zip(found.tolist(), slope, strict=True):
        assert steep == pytest.approx(0, abs=2e-3) if weight > 0 else steep > -2e-3


def test_weights_lower_the_loss_and_none_is_negative() -> None:
    generator = np.random.default_rng(1)
    asked = []
    for _ in range(40):
        features = generator.random((8, 3)).astype(np.float32)
        features[:, 2] = 0
        features[0, 0] += 0.8
        features[0, 1] *= 0.1
        asked.append(Rivalry(features, 0))
    weights = learnt(asked, 3)
    assert (weights >= 0).all()
    assert weights[2] == weights[5] == 0
    assert weights[1] < 0.01 * weights[0]

    def loss(some: np.ndarray) -> float:
        total = 0.0
        for question in asked:
            value = bent(question.features) @ some
            total += float(np.log(np.exp(value).sum()) - value[0])
        return total / len(asked)

    assert loss(weights) < 0.5 * math.log(8)
    for i in range(6):
        moved = weights.copy()
        moved[i] += 0.05
        assert loss(moved) > loss(weights) - 1e-3
    assert learnt([], 2).tolist() == [1, 1, 0, 0]


@pytest.mark.slow
def test_of_classes_held_out_nothing_is_left(knowledge: Knowledge) -> None:
    for seed in range(5):
        away = choose(knowledge, 12, np.random.default_rng(seed))
        assert 0 < away.sum() <= 12
        out = hold_out(knowledge, away)
        labels = [term.label for term in out.left.terms]
        gone = [term.label for term, is_away in zip(knowledge.terms, away.tolist(), strict=True) if is_away]
        assert not set(labels) & set(gone)
        assert {term.label for term in out.terms} <= set(gone)
        for i, term in enumerate(out.terms):
            told = knowledge.relations[number(knowledge, term.label)]
            for role, found in out.true.items():
                wanted = {knowledge.terms[end].label for other, end in told if other == role} - set(gone)
                assert {labels[end] for end in found[i].tolist()} == wanted
        fresh = {name: WordBlock(cut, of, out.left.terms) for name, (cut, of) in BLOCKS.items()}
        for name, block in out.left.blocks.items():  # as if there had never been such classes
            alike = (block.of(out.terms) @ block.rows.T).toarray()
            np.testing.assert_allclose(alike, (fresh[name].of(out.terms) @ fresh[name].rows.T).toarray(), atol=1e-6)
        evidence = NameEvidence(out.left)
        seen = evidence.look(out.terms)
        assert list(evidence.rows(seen, None)) == evidence.names
        np.testing.assert_allclose(seen.near[MIXED].sum(axis=1), 1, rtol=1e-5)


def test_the_first_class_that_stays_is_an_end_like_any_other(knowledge: Knowledge) -> None:
    head, end = next((c, min(above)) for c, above in sorted(knowledge.parents.items()) if above and c > min(above) > 0)
    away = np.arange(len(knowledge.ids)) < end
    away[head] = True
    out = hold_out(knowledge, away)
    mine = [term.label for term in out.terms].index(knowledge.terms[head].label)
    assert out.left.terms[0] == knowledge.terms[end]
    assert 0 in out.true[None][mine].tolist()


def under(top: int, below: dict[int, set[int]]) -> set[int]:
    return set().union(*({c} | under(c, below) for c in below.get(top, ())))


def test_families_branches_and_single_classes_are_chosen(knowledge: Knowledge) -> None:
    below: dict[int, set[int]] = {}
    for head, above in knowledge.parents.items():
        for end in above:
            below.setdefault(end, set()).add(head)
    wholes, inner = [], 0
    for seed in range(8):
        out = set(np.flatnonzero(choose(knowledge, 1000, np.random.default_rng(seed))).tolist())
        assert all(knowledge.parents.get(c) for c in out)
        assert len(choose(knowledge, 3, np.random.default_rng(seed)).nonzero()[0]) == 3
        leaves = {c for c in knowledge.parents if c not in below}
        families = [some & leaves for some in below.values() if len(some & leaves) > 1]
        wholes.append(len(set().union(*(family for family in families if family <= out))) / len(out))
        inner += len(out & set(below))
        assert any(under(c, below) <= out for c in out & set(below)), "a branch goes as a whole"
    assert np.mean(wholes) > 0.2
    assert inner > 0


def test_a_family_is_the_children_of_one_parent(tmp_path: Path) -> None:
    """Of 15 classes to be new 6 may be families: any one of 15 families of four, and not two of them."""
    told = {f"family {i}": "all" for i in range(15)}
    told |= {f"child {i} {k}": f"family {i}" for k in range(4) for i in range(15)}
    numbers = {name: f"X:{i:04}" for i, name in enumerate(["all", *told])}
    stanzas = [f"[Term]\nid: {numbers[name]}\nname: {name}\nis_a: {numbers[up]}" for name, up in told.items()]
    (tmp_path / "families.obo").write_text("\n\n".join(["ontology: x", *stanzas]) + "\n")
    knowledge = Knowledge.of(datasets.split(tmp_path / "families.obo", "?C SubClassOf ?D", shares="100:0:0"))
    families = [{number(knowledge, f"child {i} {k}") for k in range(4)} for i in range(15)]
    chosen: set[int] = set()
    for seed in range(12):
        out = set(np.flatnonzero(choose(knowledge, 1000, np.random.default_rng(seed))).tolist())
        assert len(out) == 15
        whole = {i for i, family in enumerate(families) if family <= out}
        assert 1 <= len(whole) <= 2, "a second one is a branch"
        chosen |= {i for i in whole if number(knowledge, f"family {i}") not in out}
    assert len(chosen) > 6


def test_how_often_a_class_is_an_end_and_whether_it_ever_is(knowledge: Knowledge) -> None:
    evidence = NameEvidence(knowledge)
    seen, met = evidence.look([Term("x"), Term("heart")]), set[int]()
    for role in knowledge.told:
        ends = Counter(end for told in knowledge.relations.values() for of_role, end in told if of_role == role)
        counts = [ends[c] for c in range(len(knowledge.ids))]
        rows = evidence.rows(seen, role)
        np.testing.assert_allclose(np.asarray(rows[COUNT]), [np.log1p(counts)], rtol=1e-6)
        assert np.asarray(rows[KNOWN]).tolist() == [[float(count > 0) for count in counts]]
        met.update(counts)
    assert {0, 1} < met


def test_likeness_clues_and_names_within_names_by_plain_loops(knowledge: Knowledge) -> None:
    evidence = NameEvidence(knowledge)
    terms = [
        Term("regulation of spleen development"),
        Term("negative regulation of frontal lobe development", ("lobe",), "All of the lung lobe."),
        Term("the left heart chamber wall", ("wall of heart", "heart")),
    ]
    seen = evidence.look(terms)
    names = [tokens(term.label) for term in knowledge.terms]
    spoken = 0
    for role in knowledge.told:
        rows = {
            name: np.asarray(sparse.csr_array(found).toarray()) for name, found in evidence.rows(seen, role).items()
        }
        assert list(rows) == evidence.names
        for name, block in knowledge.blocks.items():
            exact = block.of(terms).toarray() @ block.rows.toarray().T
            np.testing.assert_allclose(rows[f"alike by {name}"], exact, atol=1e-6)
        above = rows["votes by all texts"] @ knowledge.told[None].toarray()
        np.testing.assert_allclose(rows[ABOVE], above, atol=1e-6)
        for i, term in enumerate(terms):
            wanted = {name: np.zeros(len(names)) for name in (*CLUES, IN_NAME, AT_END)}
            for (sort, (of_role, end)), clue in evidence.patterns.clues(term.names).items():
                if of_role == role:
                    wanted[sort][end] = clue.share
                    spoken += 1
            for said in map(tokens, term.names):
                for c, part in enumerate(names):
                    places = [k for k in range(len(said)) if said[k : k + len(part)] == part]
                    if places and part != said:
                        share = len(part) / len(said)
                        wanted[IN_NAME][c] = max(wanted[IN_NAME][c], share)
                        if places[-1] + len(part) == len(said):
                            wanted[AT_END][c] = max(wanted[AT_END][c], share)
            for name, values in wanted.items():
                np.testing.assert_allclose(rows[name][i], values, rtol=1e-6, err_msg=name)
    assert spoken > 3


def test_what_a_definition_begins_with(knowledge: Knowledge) -> None:
    evidence = NameEvidence(knowledge)
    lung, lobe = (number(knowledge, name) for name in ("lung", "lung lobe"))
    seen = evidence.look([Term("x", (), "A big lung lobe " + "and so on " * 4 + "of the heart")])
    rows = {
        name: found.toarray()[0]
        for name, found in evidence.rows(seen, None).items()
        if not isinstance(found, np.ndarray)
    }
    assert rows[FIRST][lobe] == pytest.approx(2 / 3 / (1 + 2 / 4))
    assert rows[FIRST][lung] == pytest.approx(1 / 2 / (1 + 2 / 4))
    heart = number(knowledge, "heart")
    assert rows[IN_TEXT][heart] == pytest.approx(1 / 2)
    assert rows[FIRST][heart] == 0
    seen = evidence.look([Term("x", (), "so " * before + "heart") for before in (0, 11, 12)])
    found = sparse.csr_array(evidence.rows(seen, None)[FIRST]).toarray()[:, heart]
    np.testing.assert_allclose(found, [1 / 2, 1 / 2 / (1 + 11 / 4), 0], rtol=1e-6)


def test_meaning_by_its_formulas(knowledge: Knowledge, monkeypatch: pytest.MonkeyPatch) -> None:
    told, block = knowledge.told, knowledge.blocks["text"]
    rows = block.rows.toarray().astype(np.float64)
    _, values, right = np.linalg.svd(rows, full_matrices=False)
    size = 4 + int(np.argmax(values[3:9] - values[4:10]))  # where the basis is sure
    monkeypatch.setattr(meaning, "DIMENSIONS", size)
    monkeypatch.setattr(meaning, "KEPT", 9)
    made = meaning.Meaning(block, told)

    def unit(x: np.ndarray) -> np.ndarray:
        length = np.linalg.norm(x, axis=1, keepdims=True)
        return np.where(length > 1e-3, x / np.maximum(length, 1e-12), 0)

    places = unit(rows @ right[:size].T)
    np.testing.assert_allclose(made.places @ made.places.T, places @ places.T, atol=2e-3)  # whatever the basis
    terms = [knowledge.terms[3], Term("regulation of lung development")]
    vectors = made.of(terms)
    exact = unit(block.of(terms).toarray() @ right[:size].T)
    pulled = exact @ np.linalg.inv(places.T @ places + 3 * np.eye(size)) @ places.T
    np.testing.assert_allclose(made.drawn(vectors), pulled, atol=1e-3)
    assert np.abs(pulled).max() > 0.05
    together = made.led_to(vectors, list(told))
    for role, matrix in told.items():
        alone = made.led_to(vectors, [role])[role]
        np.testing.assert_array_equal(together[role].toarray(), alone.toarray())  # the same bits
        heads, tails = matrix.nonzero()
        here, there = places[heads], places[tails]
        leads = exact @ np.linalg.inv(here.T @ here + 3 * np.eye(size)) @ here.T @ there
        for found, wanted in (
            (made.alike(vectors), exact @ places.T),
            (together[role], unit(leads) @ places.T),
        ):
            dense = found.toarray()
            least = np.sort(wanted, axis=1)[:, [-9]]
            far = wanted < least - 5e-3
            assert not dense[far].any()
            near = (wanted > least + 5e-3) & (wanted > 0)
            np.testing.assert_allclose(dense[near], wanted[near], atol=5e-3)
            assert near.any()


@pytest.mark.parametrize("kept", [1, 3, 4, 6, 7, 9])
def test_the_most_alike_are_kept_and_what_is_as_much(kept: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meaning, "KEPT", kept)
    alike = np.array([[0.5, -0.2, 0.9, 0.1, 0.3, 0.5, 0.7], [0.2, 0.1, -0.1, 0.0, -0.5, 0.3, -0.4]], np.float32)
    found = meaning._best(alike).toarray()
    for row, dense in zip(alike.tolist(), found.tolist(), strict=True):
        least = sorted(row, reverse=True)[:kept][-1]
        assert dense == [x if x >= least and x > 0 else 0 for x in row]


def test_what_texts_mean_is_evidence_where_there_are_texts(knowledge: Knowledge) -> None:
    terms = [knowledge.terms[3], Term("regulation of lung development")]
    evidence = NameEvidence(knowledge)
    found = evidence.rows(evidence.look(terms), None)
    made = meaning.Meaning(knowledge.blocks["text"], knowledge.told)
    np.testing.assert_array_equal(sparse.csr_array(found[MEANT]).toarray(), made.alike(made.of(terms)).toarray())
    assert LED in found


def test_terms_are_looked_at_in_chunks_that_leave_out_none() -> None:
    for count in (0, 1, AT_ONCE, AT_ONCE + 1, 3 * AT_ONCE - 1):
        parts = [np.arange(count)[part] for part in chunks(count)]
        assert np.concatenate([np.arange(0), *parts]).tolist() == list(range(count))
        assert all(0 < len(part) <= AT_ONCE for part in parts)


def test_votes_by_plain_sums(knowledge: Knowledge) -> None:
    evidence = NameEvidence(knowledge)
    seen = evidence.look([Term("regulation of spleen development")])
    told = knowledge.told[None].toarray()
    for block in BLOCKS:
        if block not in seen.alike:
            continue
        alike = seen.alike[block].toarray()[0].astype(np.float64)
        least = np.sort(alike)[-30]
        weight = np.where((alike >= least) & (alike > 0), alike**3, 0)
        found: Matrix = evidence.rows(seen, None)[f"votes by {block}"]
        wanted = weight @ told / max(weight.sum(), 1e-300)
        np.testing.assert_allclose(found.toarray()[0], wanted, atol=1e-4, err_msg=block)


@pytest.mark.slow
def test_terms_whose_place_is_plain(knowledge: Knowledge) -> None:
    placement = Placement.fit(knowledge.dataset, np.random.default_rng(0))
    wanted = {
        "negative regulation of frontal lobe development": [
            "negative regulation of brain lobe development",
            "regulation of frontal lobe development",
        ],
        "regulation of heart valve development": ["regulation of heart development"],
        "right heart chamber": ["heart chamber"],
    }
    seen = placement.look([Term(label) for label in wanted])
    order = np.argsort(-placement.scores(seen, None), axis=1)
    for row, parents in zip(order.tolist(), wanted.values(), strict=True):
        assert sorted(placement.knowledge.terms[b].label for b in row[: len(parents)]) == parents
    regulates = knowledge.dataset.vocabulary.role_id("regulates")
    best = placement.scores(seen, regulates)[:2].argmax(axis=1)
    assert [placement.knowledge.terms[b].label for b in best.tolist()] == [
        "frontal lobe development",
        "heart valve development",
    ]
    again = Placement.restore(knowledge.dataset, placement.arrays())
    np.testing.assert_array_equal(again.scores(again.look(seen.terms), None), placement.scores(seen, None))
    with pytest.raises(SettingError, match="do not fit"):
        Placement.restore(knowledge.dataset, {PARENTS: np.ones(3), RELATIONS: np.ones(3)})


@pytest.mark.slow
def test_nets_judge_parents_and_the_closed_form_relations(knowledge: Knowledge) -> None:
    class Backwards(ParentNet):
        """The worst go first."""

        def scores(self, pairs: PairColumns, seen: SeenTerms, rows: Rows, before: Dense) -> Dense:
            return -before

    generator = np.random.default_rng(2)
    size = 2 * len(NameEvidence(knowledge).names)
    placement = Placement(knowledge, {PARENTS: generator.random(size), RELATIONS: generator.random(size)})
    seen, role = placement.look([Term("right heart chamber")]), knowledge.dataset.vocabulary.role_id("regulates")
    plain = {asked: placement.scores(seen, asked) for asked in (None, role)}
    for asked, weights in ((None, PARENTS), (role, RELATIONS)):
        evidence = placement.evidence
        exact = scores(evidence.rows(seen, asked), placement.weights[weights], 1, evidence.size)
        np.testing.assert_allclose(plain[asked], exact, rtol=1e-5)
        assert exact.any()
    placement.net = Backwards([], [])
    np.testing.assert_array_equal(placement.scores(seen, None), -plain[None])
    np.testing.assert_array_equal(placement.scores(seen, role), plain[role])


@pytest.mark.slow
def test_where_one_time_is_enough_others_are_held_out_for_the_nets_alone(
    knowledge: Knowledge, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in large ontologies: weights are those of the first time, and the nets hear of a second one."""
    monkeypatch.setattr(model, "ENOUGH", 5)
    said: list[str] = []
    placement = Placement.learn(knowledge, np.random.default_rng(3), said.append)
    generator = np.random.default_rng(3)
    out = hold_out(knowledge, choose(knowledge, model.HELD_OUT, generator))
    assert len(out.terms) >= 5
    assert said[1] == f"learning from {len(out.terms)} classes held out"
    assert "holding out others, 2 of 2" in said
    wanted = weigh([(NameEvidence(out.left), out)])
    assert placement.weights.keys() == wanted.keys()
    for name, weights in wanted.items():
        assert weights.any()
        np.testing.assert_array_equal(placement.weights[name], weights)


@pytest.mark.slow
def test_parents_are_weighed_by_parents_and_relations_by_all_roles(
    knowledge: Knowledge, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(weighing, "RIVALS", 6)  # those that the first guess chooses
    monkeypatch.setattr(model, "AT_ONCE", 5)
    folds = model._held_out(knowledge, np.random.default_rng(5), 12)
    asked: dict[str, list[Rivalry]] = {PARENTS: [], RELATIONS: []}
    names = folds[0][0].names
    first = [{COUNT: 0.01, KNOWN: 0.3}.get(name, 1.0) for name in names] + [0.0] * len(names)
    for evidence, out in folds:
        seen = evidence.look(out.terms)
        for role, true in out.true.items():
            found = rivalries(evidence.rows(seen, role), true, np.array(first), evidence.size)
            asked[RELATIONS if role is not None else PARENTS] += found
    weights = weigh(folds)
    assert weights.keys() == asked.keys()
    for name, found in asked.items():
        assert len(found) > 5
        np.testing.assert_allclose(weights[name], learnt(found, len(names)), rtol=2e-2, atol=2e-2)


@pytest.mark.parametrize(("most", "enough", "folds"), [(3, 10**6, 3), (3, 1, 1), (3, 0, 0), (1, 10**6, 1)])
def test_classes_are_held_out_until_there_are_enough(
    most: int, enough: int, folds: int, knowledge: Knowledge, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model, "MOST_FOLDS", most)
    found = model._held_out(knowledge, np.random.default_rng(0), enough)
    assert len(found) == folds
    sizes = [len(out.terms) for _, out in found]
    assert all(sizes)
    if most == 3 and folds == 3:
        assert len(model._held_out(knowledge, np.random.default_rng(0), sum(sizes[:2]))) == 2
        assert len(model._held_out(knowledge, np.random.default_rng(0), sum(sizes[:2]) + 1)) == 3


@pytest.mark.parametrize("at_once", [1, 4, 50])
def test_lessons_are_of_all_terms_with_a_parent(
    at_once: int, knowledge: Knowledge, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reranker, "AT_ONCE", at_once)
    ((evidence, out),) = model._held_out(knowledge, np.random.default_rng(1), 1)
    parents = [ends[: len(ends) * (i != 1)] for i, ends in enumerate(out.true[None])]  # one has relations alone
    out = out._replace(true={**out.true, None: parents})
    kept = [i for i, ends in enumerate(out.true[None]) if len(ends)]
    assert 4 < len(kept) < len(out.terms)
    weights = np.random.default_rng(2).random(2 * len(evidence.names))
    found = list(reranker.lessons(evidence, weights, out))
    assert [len(each.true) for each in found[:-1]] == [at_once] * (len(found) - 1)
    assert [ends.tolist() for each in found for ends in each.true] == [out.true[None][i].tolist() for i in kept]
    seen = evidence.look([out.terms[i] for i in kept])
    exact = scores(evidence.rows(seen, None), weights, len(kept), evidence.size)
    np.testing.assert_allclose(np.concatenate([each.before for each in found]), exact, rtol=1e-4, atol=1e-5)
    for each in found:
        assert (np.diff(np.take_along_axis(each.before, each.closely.candidates, 1)) <= 0).all()
        assert each.closely.rows.shape[:2] == (len(each.true), evidence.size)


def test_without_labels_there_is_nothing_to_compare(tmp_path: Path) -> None:
    text = "\n".join(line for line in "\n\n".join(small_names.lines()).split("\n") if not line.startswith("name:"))
    (tmp_path / "n.obo").write_text(text)
    from elgeo import datasets

    dataset = datasets.split(tmp_path / "n.obo", "?C SubClassOf ?D", shares="90:5:5", classes="as-drawn")
    with pytest.raises(ElgeoError, match="no labels"):
        Placement.fit(dataset, np.random.default_rng(0))


def test_a_role_is_suggested_that_has_enough_axioms_of_classes_in_use(tmp_path: Path) -> None:
    said: dict[str, list[str]] = {
        "A": ["is_a: C", "is_a: Y", "relationship: many B", "relationship: some B"],
        "B": ["is_a: C", "relationship: many C", "relationship: some C"],
        "C": ["relationship: many D", "relationship: some D"],
        "D": ["relationship: many E", "relationship: some E", "relationship: some D"],
        "E": ["relationship: many A", "relationship: some F"],
        "F": ["is_obsolete: true"],
    }
    said = {"Y": ["is_a: Z"], "Z": []} | said  # the numbers of these are those of roles
    stanzas = ["\n".join([f"[Term]\nid: {c}\nname: {c}", *lines]) for c, lines in said.items()]
    roles = [f"[Typedef]\nid: {role}\nname: {role}" for role in ("some", "many")]
    (tmp_path / "few.obo").write_text("\n\n".join(["ontology: x", *roles, *stanzas]) + "\n")
    dataset = datasets.split(tmp_path / "few.obo", "?C SubClassOf ?D", shares="100:0:0")
    knowledge = Knowledge.of(dataset)
    labels = [term.label for term in knowledge.terms]
    assert sorted(labels) == ["A", "B", "C", "D", "E", "Y", "Z"]
    assert dataset.vocabulary.role_id("many") not in dataset.forms.existential[:, 2]
    assert knowledge.roles == [dataset.vocabulary.role_id("many")]
    named = {
        role: {labels[head] + labels[tail] for head, tail in zip(*matrix.nonzero(), strict=True)}
        for role, matrix in knowledge.told.items()
    }
    assert named == {None: {"AC", "AY", "BC", "YZ"}, knowledge.roles[0]: {"AB", "BC", "CD", "DE", "EA"}}


def test_nearest_names_by_plain_sums(knowledge: Knowledge) -> None:
    scorer = NearestNames.fit(knowledge.dataset).scorer()
    _nearest_by_plain_sums(knowledge, scorer, number(knowledge, "regulation of heart development"))


def test_nearest_names_of_the_first_and_of_the_last_class(tmp_path: Path) -> None:
    labels = ["heart valve", "valve of a heart", "lung lobe", "lobe", "brain lobe of a heart"]
    above = {1: 0, 2: 3, 4: 3}
    terms = [
        f"[Term]\nid: X:{i}\nname: {label}" + (f"\nis_a: X:{above[i]}" if i in above else "")
        for i, label in enumerate(labels)
    ]
    (tmp_path / "few.obo").write_text("\n\n".join(["ontology: x", *terms]) + "\n")
    knowledge = Knowledge.of(datasets.split(tmp_path / "few.obo", "?C SubClassOf ?D", shares="100:0:0"))
    assert [term.label for term in knowledge.terms] == labels
    scorer = NearestNames.fit(knowledge.dataset).scorer()
    for head in range(len(labels)):
        _nearest_by_plain_sums(knowledge, scorer, head)
    # what has no words, and a role that nothing was told of, have nothing
    assert not scorer.tails(np.array([TOP, BOTTOM], np.int32), None, knowledge.ids).any()
    assert not scorer.tails(knowledge.ids, 7, knowledge.ids).any()
    mixed = scorer.tails(np.array([TOP, knowledge.ids[1]], np.int32), None, knowledge.ids)
    assert mixed.any(axis=1).tolist() == [False, True]


def _nearest_by_plain_sums(knowledge: Knowledge, scorer: NearestScorer, head: int) -> None:
    total = np.zeros(len(knowledge.ids))
    for block in knowledge.blocks.values():
        rows = block.rows.toarray()
        total += [float(row @ rows[head]) for row in rows]
    total /= len(knowledge.blocks)
    total[head] = 0
    best = sorted(range(len(total)), key=lambda c: (-total[c], c))[:30]
    for role in knowledge.told:
        wanted = np.zeros(len(total)) if role is not None else total.copy()
        for near in best:
            for other, end in knowledge.relations.get(near, ()):
                if other == role:
                    wanted[end] += total[near]
        found = scorer.tails(knowledge.ids[[head]], role, knowledge.ids)
        np.testing.assert_allclose(found[0], wanted, atol=1e-5)


@pytest.mark.parametrize("at_once", [1, 3, 7])
def test_nearest_names_a_few_heads_at_a_time(
    knowledge: Knowledge, at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    scorer, chance = NearestNames.fit(knowledge.dataset).scorer(), np.random.default_rng(at_once)
    heads, tails = (knowledge.ids[chance.choice(10, 21)] for _ in range(2))
    whole = scorer.tails(heads, None, tails)
    monkeypatch.setattr("elgeo.models.nearest_names.AT_ONCE", at_once)
    np.testing.assert_array_equal(scorer.tails(heads, None, tails), whole)
    np.testing.assert_array_equal(scorer.pairs(heads, None, tails), np.diagonal(whole))

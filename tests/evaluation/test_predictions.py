"""What is predicted, against a loop over all pairs: what is left out, what is said once, in which order, how named."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from elgeo.arrays import Flags, Floats, Ids, Table
from elgeo.datasets.model import Dataset
from elgeo.errors import SettingError, UnknownNameError
from elgeo.evaluation.entailments import Entailments
from elgeo.evaluation.predictions import choosing
from elgeo.evaluation.predictions.choosing import choose
from elgeo.evaluation.predictions.known_pairs import goes_one_way, is_mirrored
from elgeo.evaluation.predictions.lineage import _is_usual, lineage
from elgeo.evaluation.predictions.neighbours import _centres
from elgeo.evaluation.predictions.offer import Offer, class_named, obsolete
from elgeo.evaluation.predictions.predict import Predictions, predict
from elgeo.evaluation.predictions.words import EXCLUDABLE, check_choices
from elgeo.evaluation.ranking.known import Known
from elgeo.evaluation.ranking.scoring import Contest
from elgeo.models.contract import Arrays
from elgeo.ontology.normal_forms import NormalForms
from elgeo.ontology.short_names import called
from elgeo.ontology.vocabulary import TOP
from elgeo.report.predictions_text import as_json, as_table, as_tsv
from tests.evaluation.matrix_scorer import MatrixScorer
from tests.evaluation.odd_geometry import Odd
from tests.evaluation.small_functions import functions, hierarchy_completion
from tests.evaluation.small_places import N_PLACES, PREFIX, TablePredictor, ids_of, places

DATASET = places()
ENTAILMENTS = Entailments(DATASET)
IDS = ids_of(DATASET)
NUMBERS = {c: i for i, c in IDS.items()}


def random_matrix(seed: int, dataset: Dataset = DATASET) -> np.ndarray:
    """Few different scores, so that there are ties; not symmetric."""
    n = dataset.vocabulary.n_classes
    return np.random.default_rng(seed).integers(-4, 9, (n, n)).astype(np.float64)


def pairs_of(found: Predictions) -> list[tuple[int, int]]:
    return [(int(row[0]), int(row[-1])) for row in found.rows]


def slow_offered(exclude: Collection[str]) -> list[int]:
    """Which places may stand on either side, by what the ontology of places says in words."""
    numbers = list(IDS)
    if "obsolete" in exclude:
        numbers = [i for i in numbers if i != 15]
    if "domain" in exclude:
        numbers = [i for i in numbers if i < 100]
    if "general" in exclude:
        numbers = [i for i in numbers if i != 0]
    return [IDS[i] for i in numbers]


def slow_predictions(matrix: Floats, exclude: Collection[str], heads: Sequence[int]) -> list[tuple[int, int]]:
    """All pairs one after the other, best first, with what must go taken out."""
    train = {(int(a), int(b)) for a, _, b in DATASET.train}
    # who is below a touches what is above b
    up = {i: {i, 0} if i < 100 else {i} for i in IDS} | {2: {2, 1, 0}, 100: {100, 101}}
    entailed = {
        (IDS[low], IDS[high])
        for a, b in train
        for low in IDS
        for high in IDS
        if NUMBERS[a] in up[low] and high in up[NUMBERS[b]]
    }
    known = (train if "train" in exclude else set()) | (entailed if "entailed" in exclude else set())
    known |= {(b, a) for a, b in known}
    if "lineage" in exclude:
        strict = {(low, high) for low, highs in up.items() for high in highs if low != high}
        for related in (strict, {(high, low) for low, high in strict}):
            used = sum((NUMBERS[a], NUMBERS[b]) in related for a, b in train)
            known |= set() if used / len(train) >= 0.01 else {(IDS[a], IDS[b]) for a, b in related}
    found, said = [], set()
    left = {a: [b for b in slow_offered(exclude) if a != b and (a, b) not in known] for a in heads}
    margin = {
        (a, b): matrix[a, b] - max((matrix[a, c] for c in answers if c != b), default=matrix[a, b])
        for a, answers in left.items()
        for b in answers
    }
    every = sorted(margin, key=lambda p: (-margin[p], -matrix[p], p))
    for a, b in every:
        clash = NUMBERS[a] == 4 and NUMBERS[b] == 5
        if (clash and "contradicted" in exclude) or (b, a) in said:
            continue
        found.append((a, b))
        if len(heads) > 1:
            said.add((a, b))
    return found


@pytest.mark.slow
@settings(max_examples=25)
@given(
    seed=st.integers(0, 10**6),
    top=st.integers(1, 40),
    exclude=st.sets(st.sampled_from(EXCLUDABLE)),
    tolerance=st.sampled_from([0.0, 0.4]),
)
def test_the_best_pairs_that_are_left(seed: int, top: int, exclude: Collection[str], tolerance: float) -> None:
    matrix = random_matrix(seed)
    predictor = TablePredictor(matrix, tolerance)
    exclude = sorted(exclude)
    found = predict(predictor, DATASET, top=top, exclude=exclude, entailments=ENTAILMENTS)
    expected = slow_predictions(matrix, exclude, slow_offered(exclude))
    assert pairs_of(found) == expected[:top]
    assert found.scores.tolist() == [matrix[pair] for pair in expected[:top]]
    assert (np.diff(found.margins) <= 0).all()
    assert (np.diff(found.ranks) >= 0).all()
    one = predict(predictor, DATASET, head="town square", top=top, exclude=exclude, entailments=ENTAILMENTS)
    assert pairs_of(one) == slow_predictions(matrix, exclude, [IDS[3]])[:top]
    # of a tail: the same the other way round
    turned = predict(
        TablePredictor(matrix.T, tolerance), DATASET, tail=f"{PREFIX}3", top=top,
        exclude=sorted({*exclude} - {"entailed", "contradicted"}), entailments=ENTAILMENTS,
    )  # fmt: skip
    answers = slow_predictions(matrix, {*exclude} - {"entailed", "contradicted"}, [IDS[3]])
    assert pairs_of(turned) == [(b, a) for a, b in answers][:top]


def test_everything_is_left_out_by_default() -> None:
    found = predict(TablePredictor(random_matrix(1)), DATASET, top=10_000, entailments=ENTAILMENTS)
    held_out = {(int(row[0]), int(row[-1])) for row in [*DATASET.valid, *DATASET.test]}
    pairs = [(int(row[0]), int(row[-1])) for row in found.rows]
    assert list(found.status) == ["held out" if pair in held_out else "novel" for pair in pairs]
    shown = {frozenset(pair) for pair in pairs_of(found)}
    assert len(shown) == len(found.rows), "a pair and its mirror"
    classes = {NUMBERS[c] for pair in pairs_of(found) for c in pair}
    assert classes == set(range(1, 15))
    assert (IDS[4], IDS[5]) not in pairs_of(found)
    whole = predict(TablePredictor(random_matrix(1)), DATASET, top=10_000, exclude=(), entailments=ENTAILMENTS)
    assert {NUMBERS[c] for pair in pairs_of(whole) for c in pair} == set(IDS)
    status = dict(zip(pairs_of(whole), whole.status, strict=True))
    clash = [s for pair, s in status.items() if set(pair) == {IDS[4], IDS[5]}]
    assert clash in (["contradicted"], ["novel"])  # the better of the two directions is shown


def test_only_what_would_be_shown_is_asked_about() -> None:
    asked: list[tuple[int, int]] = []

    class Watched(Entailments):
        def contradicts(self, rows: Table) -> Flags:
            asked.extend((int(row[0]), int(row[-1])) for row in rows)
            return super().contradicts(rows)

    predict(TablePredictor(random_matrix(3)), DATASET, top=5, entailments=Watched(DATASET))
    assert 5 <= len(asked) <= 20
    assert len(set(asked)) == len(asked)


def test_ranks_are_places_among_what_is_shown() -> None:
    matrix = np.zeros((DATASET.vocabulary.n_classes,) * 2)
    head = IDS[12]
    for i, score in ((1, 5.0), (6, 7.0), (3, 5.0), (13, 9.0), (8, 5.0)):
        matrix[head, IDS[i]] = score
    found = predict(TablePredictor(matrix), DATASET, head=f"{PREFIX}12", top=5, entailments=ENTAILMENTS)
    assert [NUMBERS[b] for _, b in pairs_of(found)] == [13, 6, 1, 3, 8]
    assert found.ranks.tolist() == [1, 2, 4, 4, 4]


def test_margins_are_to_the_best_of_the_others() -> None:
    matrix = np.zeros((DATASET.vocabulary.n_classes,) * 2)
    matrix[IDS[12], [IDS[1], IDS[6], IDS[13]]] = [100, 99, 98]  # high scores that are hard to tell apart
    matrix[IDS[13], [IDS[1], IDS[6]]] = [7, 3]
    found = predict(TablePredictor(matrix), DATASET, top=3, entailments=ENTAILMENTS)
    assert [(NUMBERS[a], NUMBERS[b]) for a, b in pairs_of(found)] == [(13, 1), (12, 1), (1, 3)]
    assert (found.margins.tolist(), found.scores.tolist()) == ([4, 1, 0], [7, 100, 0])


def test_a_class_is_not_joined_with_those_above_and_below_it() -> None:
    """Unless training joins such pairs; and nothing is said where nothing was left out."""
    matrix = random_matrix(6)
    usual = predict(TablePredictor(matrix), DATASET, top=10_000, exclude=["lineage"], entailments=ENTAILMENTS)
    assert {(0, 3), (3, 0), (1, 2), (100, 101)}.isdisjoint((NUMBERS[a], NUMBERS[b]) for a, b in pairs_of(usual))
    # 15 places below place 0, and 2 below 1, and 100 below 101; in both directions
    assert usual.notes == ["left out: 34 pairs of a class and one above or below it (`lineage`); see --exclude"]
    whole = predict(TablePredictor(matrix), DATASET, top=10_000, exclude=(), entailments=ENTAILMENTS)
    assert whole.notes == []
    row = np.array([[IDS[2], DATASET.target_role, IDS[1]]], np.int32)
    dataset = replace(DATASET, train=np.concatenate([DATASET.train, row]), symmetric=False)
    upwards = predict(TablePredictor(matrix), dataset, top=10_000, exclude=["lineage"])
    shown = {(NUMBERS[a], NUMBERS[b]) for a, b in pairs_of(upwards)}
    assert {(3, 0), (2, 1)} <= shown
    assert {(0, 3), (1, 2)}.isdisjoint(shown)
    # where C ⊑ D is completed, what is above is what is looked for, and what is below would be the same
    subclasses = hierarchy_completion()
    found = predict(TablePredictor(random_matrix(4, subclasses)), subclasses, top=10_000, exclude=["lineage"])
    hierarchy = Entailments(subclasses).hierarchy
    assert any(b in hierarchy.superclasses(a) for a, b in pairs_of(found))
    assert not any(a in hierarchy.superclasses(b) for a, b in pairs_of(found))


@pytest.mark.slow
def test_where_training_goes_one_way_a_pair_is_not_shown_with_its_mirror() -> None:
    dataset = hierarchy_completion()
    entailments = Entailments(dataset)
    matrix = random_matrix(7, dataset)
    offered = Offer(dataset, entailments, ["mirrored"], 1.0)
    heads, tails = (offered.classes(side).tolist() for side in ("head", "tail"))
    above = {c: set(entailments.hierarchy.superclasses(c).tolist()) for c in (*heads, *tails)}
    left = {a: [b for b in tails if a != b and a not in above[b]] for a in heads}
    mirrors = sum(a != b and a in above[b] for a in heads for b in tails)
    margin = {
        (a, b): matrix[a, b] - max((matrix[a, c] for c in answers if c != b), default=matrix[a, b])
        for a, answers in left.items()
        for b in answers
    }
    expected: list[tuple[int, int]] = []
    for a, b in sorted(margin, key=lambda p: (-margin[p], -matrix[p], p)):
        if (b, a) not in expected:
            expected.append((a, b))
    found = predict(TablePredictor(matrix), dataset, top=10_000, exclude=["mirrored"], general=1.0)
    assert pairs_of(found) == expected
    assert mirrors > 10
    assert found.notes == [f"left out: {mirrors} pairs whose mirror follows (`mirrored`); see --exclude"]
    # of one class only what would have been among the best is spoken of
    spoken = set()
    for head, answers in left.items():
        of_head = [b for b in tails if head != b and head in above[b]]
        for top in (1, 3):
            shown = sorted((matrix[head, b] for b in answers), reverse=True)[:top]
            better = sum(matrix[head, b] >= min(shown) for b in of_head) if len(shown) == top else len(of_head)
            name = f"<{dataset.vocabulary.classes[head]}>"
            notes = predict(TablePredictor(matrix), dataset, name, top=top, exclude=["mirrored"], general=1.0).notes
            pairs = "1 pair" if better == 1 else f"{better} pairs"
            assert notes == ([f"left out: {pairs} whose mirror follows (`mirrored`); see --exclude"] if better else [])
            spoken.add(better)
    assert {0, 1} < spoken
    both = predict(TablePredictor(matrix), dataset, top=10_000, exclude=[])
    assert {(b, a) for a, b in pairs_of(both)} == set(pairs_of(both))
    assert both.notes == []


def test_which_way_training_goes() -> None:
    def going(*pairs: tuple[int, int]) -> bool:
        rows = np.array([(a, DATASET.target_role, b) for a, b in pairs], np.int32)
        return goes_one_way(replace(DATASET, train=rows, symmetric=False))

    forth = [(i, i + 1) for i in range(20)]
    assert going(*forth)
    assert not going(*forth[:19])  # too few to tell
    assert not going(*forth[:19], (3, 3))  # a class with itself tells nothing
    assert not going(*forth, (1, 0))
    many = [(i, i + 1) for i in range(0, 400, 2)]
    assert going(*many, (1, 0))  # 2 of 201 are less than 1 %
    assert not going(*many[:199], (1, 0))


def test_what_is_unsatisfiable_is_told_of() -> None:
    impossible = impossible_places()
    entailments = Entailments(impossible)
    matrix = random_matrix(3)
    one = predict(TablePredictor(matrix), impossible, head=f"{PREFIX}14", entailments=entailments)
    assert len(one.rows) == 0
    assert one.notes[0] == (
        "unsatisfiable: map:14; it can have no instance, so every axiom about it follows already"
        " (`elgeo explain FILE --unsatisfiable` says why)"
    )
    tail = predict(TablePredictor(matrix), impossible, tail=f"{PREFIX}14", entailments=entailments)
    assert len(tail.rows) == 0
    assert "nothing can be joined to it" in tail.notes[0]
    whole = predict(TablePredictor(matrix), impossible, top=10_000, entailments=entailments)
    assert whole.notes[0].startswith("unsatisfiable: map:14; it can have no instance")
    assert not any(IDS[14] in pair for pair in pairs_of(whole))


def test_where_everything_follows_that_alone_is_said() -> None:
    tables = {**DATASET.forms.tables, "empty": np.array([[TOP]], np.int32)}
    inconsistent = replace(DATASET, forms=NormalForms(DATASET.vocabulary, tables))
    for head in (None, f"{PREFIX}14"):
        found = predict(TablePredictor(random_matrix(3)), inconsistent, head=head, top=10_000)
        assert len(found.rows) == 0
        assert found.notes == [
            "the training axioms are inconsistent: every class is unsatisfiable, and everything follows"
        ]


def impossible_places() -> Dataset:
    """The places, one of which can have no instance."""
    tables = dict(DATASET.forms.tables)
    tables["empty"] = np.array([[IDS[14]]], np.int32)
    return replace(DATASET, forms=NormalForms(DATASET.vocabulary, tables))


def test_a_class_is_general_by_what_is_below_it() -> None:
    # map_0 has 15 of the 19 below it; no class of a few is general, whatever the share
    for share, gone in ((0.0, {0}), (0.78, {0}), (0.8, set())):
        offered = Offer(DATASET, ENTAILMENTS, ("general",), share).classes("tail")
        assert {NUMBERS[int(c)] for c in offered} == set(IDS) - gone
    dataset = functions()
    terms = dataset.kinds.members("term")
    hierarchy = Entailments(dataset).hierarchy
    below = {int(c): sum(int(c) in hierarchy.superclasses(int(d)) for d in terms) - 1 for c in terms}
    for share in (0.2, 0.5):
        offered = Offer(dataset, Entailments(dataset), ("general",), share).classes("tail")
        limit = max(10, share * len(terms))
        assert offered.tolist() == [c for c in terms.tolist() if below[c] <= limit]


def test_an_axiom_no_class_keeps_to_is_no_guide() -> None:
    """Where every candidate is outside the domain, leaving out would leave nothing."""
    kinds = DATASET.kinds.of_class.copy()
    kinds[[IDS[i] for i in range(N_PLACES)]] = 0
    dataset = replace(DATASET, kinds=replace(DATASET.kinds, of_class=kinds))
    offered = Offer(dataset, Entailments(dataset), ("domain",), 1.0).classes("head")
    assert {NUMBERS[int(c)] for c in offered} == {100, 101, 102}


def test_the_range_is_that_of_the_role_and_of_those_above_it() -> None:
    names = DATASET.vocabulary
    touches, meets = (names.role_id(PREFIX + name) for name in ("touches", "meets"))  # touching is meeting
    wide, narrow = IDS[1], IDS[2]
    for role, rows, expected in (
        (touches, [(touches, wide)], {1, 2}),
        (touches, [(meets, narrow)], {2}),
        (touches, [(touches, wide), (meets, narrow)], {2}),
        (meets, [(meets, wide), (touches, narrow)], {1, 2}),
        (meets, [(touches, narrow)], set(IDS)),
    ):
        tables = {**DATASET.forms.tables, "range": np.array(rows, np.int32)}
        dataset = replace(DATASET, forms=NormalForms(names, tables), target_role=role)
        offered = Offer(dataset, Entailments(dataset), ("domain",), 1.0).classes("tail")
        assert {NUMBERS[int(c)] for c in offered} == expected, (role, rows)


def test_symmetry_is_seen_in_training_or_said() -> None:
    assert is_mirrored(DATASET)
    one_way = places(mirrored=False)
    assert not is_mirrored(one_way)
    assert is_mirrored(replace(one_way, symmetric=True))
    assert not is_mirrored(replace(DATASET, train=DATASET.train[:0]))
    for tail, mirrored in ((IDS[3], True), (IDS[4], False)):
        assert is_mirrored(replace(DATASET, train=np.array([[IDS[3], 1, tail]], np.int32))) == mirrored
    assert not is_mirrored(hierarchy_completion())
    found = predict(TablePredictor(random_matrix(2)), one_way, top=10_000, exclude=())
    assert len(found.rows) == len(IDS) * (len(IDS) - 1), "both directions, but no place touches itself"


def test_a_class_is_joined_with_itself_only_where_training_does_that() -> None:
    loop = np.array([[IDS[6], DATASET.target_role, IDS[6]]], np.int32)
    dataset = replace(DATASET, train=np.concatenate([DATASET.train, loop]))
    found = predict(TablePredictor(random_matrix(4)), dataset, top=10_000, exclude=())
    assert (IDS[7], IDS[7]) in pairs_of(found)
    subclasses = hierarchy_completion()
    matrix = random_matrix(4, subclasses)
    loop = subclasses.train[:1].copy()
    loop[:, 1] = loop[:, 0]
    subclasses = replace(subclasses, train=np.concatenate([subclasses.train, loop]))
    found = predict(TablePredictor(matrix), subclasses, top=10_000, exclude=())
    assert all(a != b for a, b in pairs_of(found))


def test_choosing_goes_on_until_enough_is_left() -> None:
    matrix = np.arange(36.0).reshape(6, 6)
    classes = np.arange(6, dtype=np.int32)
    contest = Contest(MatrixScorer(matrix), 0, classes)
    batches = []

    def refused(heads: Ids, answers: Ids) -> Flags:
        batches.append(len(heads))
        return (heads + answers) % 5 != 0

    found = choose(contest, classes, 3, Known.nothing(6), refused, False)
    assert list(zip(found.asked.tolist(), found.answers.tolist(), strict=True)) == [(5, 5), (0, 5), (1, 4)]
    assert found.scores.tolist() == [35, 5, 10]
    assert found.margins.tolist() == [1, 1, -1]
    assert batches == [3] * 4
    with pytest.MonkeyPatch.context() as patch:  # all pairs are scored again where too few were kept
        patch.setattr(choosing, "SPARE", 2)
        again = choose(contest, classes, 3, Known.nothing(6), refused, False)
    assert again.scores.tolist() == found.scores.tolist()
    assert batches == [3] * 8
    for mirrored, judged in ((False, [4]), (True, [8])):  # of two that mirror each other one is shown
        batches.clear()
        choose(contest, classes, 4, Known.nothing(6), lambda h, a: refused(h, a) & False, mirrored)
        assert batches == judged
    everything = choose(contest, classes, 100, Known.nothing(6), lambda h, a: h < 0, True)
    assert len(everything.scores) == 21
    assert all(a <= b for a, b in zip(everything.asked.tolist(), everything.answers.tolist(), strict=True))


def test_ids_stand_beside_labels_everywhere() -> None:
    predictor = TablePredictor(random_matrix(5))
    found = predict(predictor, DATASET, head="town square", top=4, explain=True, entailments=ENTAILMENTS)
    table = as_table(found).splitlines()
    assert DATASET.target_role is not None
    assert f"  {DATASET.vocabulary.role_label(DATASET.target_role)}  " in table[0]
    assert len(table) == 1 + 2 * 4
    assert "town square (map:3)" in table[1]
    assert table[2].strip().split("  ")[1] == f"cell {IDS[3]}, {int(found.rows[0, 2])}"
    assert table[2].split()[0] == f"{found.scores[0]:+.4f}"
    frame = found.frame()
    assert list(frame["head_id"]) == ["map:3"] * 4
    assert list(frame["head_label"]) == ["town square"] * 4
    assert list(frame["tail_id"]) == [f"map:{NUMBERS[b]}" for _, b in pairs_of(found)]
    assert as_tsv(found).splitlines()[1].split("\t")[:3] == [f"{PREFIX}3", "map:3", "town square"]
    record = json.loads(as_json(found))["predictions"][0]
    assert record["reasons"] == [{"words": f"cell {IDS[3]}, {int(found.rows[0, 2])}", "share": found.scores[0]}]
    assert (record["head_id"], record["rank"]) == ("map:3", found.ranks[0])
    assert isinstance(record["rank"], int) == float(found.ranks[0]).is_integer()
    assert record["margin"] == found.margins[0]
    assert repr(found) == "<4 predictions on small places>"
    assert found._repr_html_().count("<tr") == 1 + 4
    silent = predict(predictor, DATASET, head="town square", top=4, entailments=ENTAILMENTS)
    assert "reasons" not in json.loads(as_json(silent))["predictions"][0]
    assert len(as_table(silent).splitlines()) == 5


@pytest.mark.parametrize("likely", [False, True])
def test_numbers_end_and_words_begin_under_each_other(likely: bool) -> None:
    found = predict(TablePredictor(random_matrix(5) * 37), DATASET, top=60, entailments=ENTAILMENTS)
    chances = np.linspace(0, 1, len(found.rows)) if likely else None
    heading, *lines = as_table(replace(found, probabilities=chances)).splitlines()
    assert heading.split()[:3] == (["rank", "probability", "score"] if likely else ["rank", "score", "margin"])
    ends = {name: heading.index(name) + len(name) for name in ("rank", "score", "margin")}
    for i, line in enumerate(lines):
        numbers = f"{found.ranks[i]:g}", f"{found.scores[i]:.4f}", f"{found.margins[i]:+.4f}"
        for end, text in zip(ends.values(), numbers, strict=True):
            assert line[:end].endswith(f" {text}") or (line[:end] == text)
        assert line[heading.index("  head  ") + 2 :].startswith(called(DATASET.vocabulary, int(found.rows[i, 0])))
        assert not likely or f" {chances[i]:.3f}  " in line  # type: ignore[index]
    one = predict(TablePredictor(random_matrix(5)), DATASET, top=1, entailments=ENTAILMENTS)
    assert as_table(one).split()[:5] == ["rank", "score", "margin", "head", "map_touches"]


def test_a_protein_is_found_without_its_species() -> None:
    names = DATASET.vocabulary
    proteins = replace(
        names, classes=[*names.classes[:3], "http://4932.YAL001C", "http://4932.YAL0", *names.classes[5:]]
    )
    assert class_named(proteins, "YAL001C") == 3
    assert class_named(proteins, " YAL001C ") == 3
    assert class_named(proteins, "4932.YAL0") == 4
    with pytest.raises(UnknownNameError, match="no class is called 'AL001C'"):
        class_named(proteins, "AL001C")
    twice = replace(names, classes=["http://1.X", "http://2.X", *names.classes[2:]])
    with pytest.raises(UnknownNameError):
        class_named(twice, "X")


def test_obsolete_is_said_by_the_label_or_a_mark() -> None:
    names = DATASET.vocabulary
    marks = obsolete(names, np.array([IDS[3], IDS[15]], np.int32))
    assert marks.tolist() == [False, True]
    marked = replace(names, deprecated=[f"{PREFIX}3"])
    assert obsolete(marked, np.array([IDS[3], IDS[4], IDS[15]], np.int32)).tolist() == [True, False, True]
    capital = replace(names, labels={f"{PREFIX}3": "Obsolete square"})
    assert obsolete(capital, np.array([IDS[3], IDS[15]], np.int32)).tolist() == [True, False]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"general": 1.5}, "share from 0 to 1"),
        ({"general": -0.1}, "share from 0 to 1"),
        ({"top": 0}, "at least 1"),
        ({"head": "x", "tail": "y"}, "not both"),
        ({"exclude": ("novel",)}, "cannot be excluded; there are entailed, train"),
        ({"role": "map_meets"}, "no training axiom has the role"),
    ],
)
def test_what_cannot_be_asked(options: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingError, match=message):
        predict(TablePredictor(random_matrix(0)), DATASET, entailments=ENTAILMENTS, **options)


def test_nothing_left_is_said() -> None:
    kinds = DATASET.kinds.of_class.copy()
    kinds[[c for i, c in IDS.items() if i != 15]] = 0
    dataset = replace(DATASET, kinds=replace(DATASET.kinds, of_class=kinds))
    with pytest.raises(SettingError, match=r"every candidate .* is left out"):
        predict(TablePredictor(random_matrix(0)), dataset, head="town square")
    found = predict(TablePredictor(random_matrix(0)), dataset, head=f"{PREFIX}15", exclude=())
    assert as_table(found) == "nothing is left to predict\n"
    assert found.status == []


@pytest.mark.parametrize("seed", range(4))
def test_lineage_is_between_the_classes_that_are_asked_for(seed: int) -> None:
    """Heads and tails of which neither has all of the other: pairs by a loop over the hierarchy."""
    random = np.random.default_rng(seed)
    subclasses = hierarchy_completion()
    for dataset in (DATASET, subclasses):
        entailments = Entailments(dataset)
        every = np.arange(2, dataset.vocabulary.n_classes, dtype=np.int32)
        heads, tails = (np.sort(random.choice(every, len(every) // 2, replace=False)) for _ in range(2))
        above = {c: set(entailments.hierarchy.superclasses(c).tolist()) - {c} for c in every.tolist()}
        expected = {(a, b) for a in heads.tolist() for b in tails.tolist() if a in above[b]}
        if dataset.target_role is not None:
            expected |= {(a, b) for a in heads.tolist() for b in tails.tolist() if b in above[a]}
        found = lineage(dataset, entailments, heads, tails)
        assert {(int(a), int(b)) for a, b in found} == expected
        assert len(expected) > 1


def test_training_joins_classes_with_what_is_above_them_or_it_does_not() -> None:
    """The axioms of a class and one above it count, though no class stands on both sides."""
    hierarchy = ENTAILMENTS.hierarchy
    pairs = [(c, d) for c in range(2, DATASET.vocabulary.n_classes) for d in hierarchy.superclasses(c) if c != d]
    low, high = pairs[0]
    apart = next(d for d in range(2, DATASET.vocabulary.n_classes) if (low, d) not in pairs and d != low)
    assert _is_usual(np.array([[low, high]] + [[low, apart]] * 99, np.int32), hierarchy)
    assert not _is_usual(np.array([[low, high]] + [[low, apart]] * 100, np.int32), hierarchy)
    assert _is_usual(np.array([[low, high]], np.int32), hierarchy), "one axiom is enough"
    assert not _is_usual(np.array([[high, low]], np.int32), hierarchy)
    assert not _is_usual(np.empty((0, 2), np.int32), hierarchy)


def test_any_share_may_be_general() -> None:
    for general in (0.0, 1.0):
        check_choices(None, None, 1, (), general)


def test_what_is_near_is_told_by_the_first_vectors_of_classes() -> None:
    class Embedded(Odd):
        def embeddings(self) -> Arrays:
            return vectors

    vectors: Arrays = {"role_centres": np.zeros((2, 3)), "class_radii": np.ones(4), "class_lower": np.full((4, 3), 5.0)}
    assert _centres(Embedded()) is vectors["class_lower"]
    vectors["class_centres"] = np.full((4, 3), 7.0)
    assert _centres(Embedded()) is vectors["class_centres"]
    vectors.clear()
    assert _centres(Embedded()) is None
    assert _centres(TablePredictor(random_matrix(0))) is None

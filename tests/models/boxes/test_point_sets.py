"""Whole axioms among boxes: truth against sets of points, distances against plain counts, and what follows is true."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import elgeo
from elgeo.cli import main
from elgeo.errors import UnsupportedError
from elgeo.models.boxes.faithful import Faithful, FaithfulSettings
from elgeo.models.boxes.halves import Halves
from elgeo.models.boxes.numbers import LAST, NOTHING, POINTS
from elgeo.ontology.normal_forms import FORMS
from elgeo.ontology.vocabulary import BOTTOM, TOP
from elgeo.reasoning.questions.expressions import And, Atom, Expression, Only, Self, Some
from elgeo.reasoning.reasoner import Reasoner
from tests.models.boxes.plain_boxes import LINE, PlainBoxes, Sets, random_halves
from tests.models.boxes.small_forms import dataset_of, random_axioms

NONE = Atom(BOTTOM)


def plain_set(plain: PlainBoxes, expression: Expression) -> Sets:
    match expression:
        case Atom(c):
            return plain.classes[c]
        case And(parts):
            every = [plain_set(plain, part) for part in parts]
            return [set.intersection(*sets) for sets in zip(*every, strict=True)]
        case Some(role, filler):
            return plain.some(plain.roles[role], plain_set(plain, filler))
        case Self(role):
            return [{x for x in LINE if (x, x) in pairs} for pairs in plain.roles[role]]
    raise AssertionError


def random_expression(generator: np.random.Generator, classes: int, roles: int, depth: int = 3) -> Expression:
    kind = generator.integers(8) if depth else 0
    if kind < 3:
        return Atom(int(generator.integers(classes)))
    inner = [random_expression(generator, classes, roles, depth - 1) for _ in range(2 + kind % 2)]
    if kind < 5:
        return And(tuple(inner))
    role = int(generator.integers(roles))
    return Self(role) if kind == 7 and generator.random() < 0.3 else Some(role, inner[0])


def text_of(expression: Expression, classes: list[str], roles: list[str]) -> str:
    """In functional syntax."""
    match expression:
        case Atom(c):
            own = f"ObjectOneOf(<{classes[c]}>)" if classes[c] in "abcd" else f"<{classes[c]}>"
            return {TOP: "owl:Thing", BOTTOM: "owl:Nothing"}.get(c, own)
        case And(parts):
            return f"ObjectIntersectionOf({' '.join(text_of(part, classes, roles) for part in parts)})"
        case Some(role, filler):
            return f"ObjectSomeValuesFrom(<{roles[role]}> {text_of(filler, classes, roles)})"
    raise AssertionError


@pytest.mark.slow
def test_the_truth_of_expressions_is_that_of_their_points() -> None:
    generator = np.random.default_rng(0)
    kinds = {True: 0, False: 0}
    for _ in range(25):
        halves = random_halves(generator)
        model, plain = Faithful(halves), PlainBoxes(halves)
        for _ in range(40):
            left, right = (random_expression(generator, 9, 6) for _ in range(2))
            one, two = plain_set(plain, left), plain_set(plain, right)
            found = model.includes(left, right)
            assert found.true == plain.inside(one, two), (left, right)
            assert found.true or (found.distance >= 1 and found.score <= -1)
            if all(one):
                kinds[found.true] += 1
                assert found.true == (found.distance == 0) == (found.score > -1)
            assert model.includes(left, NONE).true == (not all(one))
            assert model.includes(left, left).true
    assert min(kinds.values()) > 40, kinds


def test_normal_forms_have_the_truth_and_the_score_they_have_as_rows() -> None:
    generator = np.random.default_rng(1)
    expressions: dict[str, Callable[..., tuple[Expression, Expression]]] = {
        "subclass": lambda c, d: (Atom(c), Atom(d)),
        "conjunction": lambda c, d, e: (And((Atom(c), Atom(d))), Atom(e)),
        "existential": lambda c, r, d: (Atom(c), Some(r, Atom(d))),
        "left_existential": lambda r, c, d: (Some(r, Atom(c)), Atom(d)),
        "disjoint": lambda c, d: (And((Atom(c), Atom(d))), NONE),
        "empty_existential": lambda r, c: (Some(r, Atom(c)), NONE),
        "empty": lambda c: (Atom(c), NONE),
    }
    for _ in range(5):
        model = Faithful(random_halves(generator))
        for form, sides in expressions.items():
            roles = FORMS[form].role_columns
            many = [generator.integers(6 if i in roles else 9, size=60) for i in range(len(FORMS[form].columns))]
            rows = np.stack(many, axis=1).astype(np.int32)
            found = [model.includes(*sides(*row)) for row in rows.tolist()]
            assert [each.true for each in found] == model.holds(form, rows).tolist(), form
            if form in ("subclass", "existential"):
                for row, each in zip(rows, found, strict=True):
                    if row[-1] != BOTTOM or form == "existential":
                        role = int(row[1]) if form == "existential" else None
                        assert each.score == model.scorer().pairs(row[:1], role, row[-1:])[0]
                        assert each.distance == -np.trunc(each.score)


def test_distances_are_counted_point_by_point() -> None:
    classes = np.full((6, 4), LAST, np.int8)
    classes[1] = NOTHING
    classes[2:] = [[3, 1, 5, 0], [2, 1, 1, 0], [9, -7, 4, 0], [0, 16, 16, -15]]
    below = np.where(np.arange(-LAST, LAST + 1) >= 0, 4, NOTHING)  # −4 … 4 for each point from 0 on
    roles = np.stack([np.full((4, POINTS), LAST), np.stack([below] * 4)]).astype(np.int8)
    model, (a, b, c, d) = Faithful(Halves(classes, roles)), map(Atom, range(2, 6))
    assert model.includes(a, b)[:2] == (False, 1 + 4)
    assert model.includes(b, a)[:2] == (True, 0)
    assert model.includes(a, d)[:2] == (False, 3 + 8), "15 beyond at one end, which counts 8"
    # a and c are apart by 3 points: nothing, that lies between 3 and 7 where it is ranked
    both = And((a, c))
    assert model.includes(both, NONE) == (True, 0, -1 / 5)
    assert model.includes(both, b)[:2] == (True, 1 + 3)
    assert model.includes(a, both)[:2] == (False, 8 + 1)
    assert model.includes(And((a, b)), NONE) == (False, 2, -2), "two points in common where there are fewest"
    assert model.includes(Some(1, both), NONE).true
    assert model.includes(Some(1, a), b)[:2] == (False, 2 + 3 + 3 + 4)
    assert model.includes(Atom(TOP), a).distance == 8 * 4
    assert model.includes(NONE, a)[:2] == (True, 0)
    # 0 … 4 have role 1 to themselves
    assert model.includes(Self(1), Some(1, b)).true
    assert model.includes(And((b, Self(1))), NONE) == (False, 2, -2)
    assert model.includes(b, Self(1))[:2] == (False, 1)


def test_a_point_between_those_that_have_a_role_to_themselves_is_outside() -> None:
    classes = np.array([[LAST] * 2, [NOTHING] * 2, [3, 0]], np.int8)
    table = np.zeros((2, POINTS), np.int8)
    table[0, LAST:] = [1, 1, 1, *[3] * (LAST - 2)]  # 0, 1 and 3 do, 2 does not
    model = Faithful(Halves(classes, table[None]))
    assert model.includes(Self(0), Atom(2)).true
    true, distance, score = model.includes(Atom(2), Self(0))
    assert (true, distance) == (False, 1)
    assert -2 < score <= -1


def test_boxes_side_by_side_have_nothing_in_common_by_the_least_there_is() -> None:
    classes = np.array([[LAST] * 4, [NOTHING] * 4, [3, 0, 9, 0], [5, -4, 9, 0], [6, -5, 2, 0], [2, -2, 9, 0]], np.int8)
    table = np.zeros((4, POINTS), np.int8)
    table[0, LAST:] = [1, 1, 1, *[3] * (LAST - 2)]  # 0, 1 and 3 have role 0 to themselves, 2 does not
    table[2:] = LAST
    model, (a, b, c, two) = Faithful(Halves(classes, table[None])), map(Atom, range(2, 6))
    assert model.includes(And((a, b)), NONE) == (True, 0, -1 / 2), "0 … 3 and 4 … 5"
    assert model.includes(And((a, c)), NONE) == (True, 0, -1 / 3), "0 … 3 and 5 … 6"
    assert model.includes(And((Self(0), two)), NONE) == (True, 0, -1 / 2), "a point between 0, 1 and 3"


def test_scores_beside_classes_are_those_of_the_axioms() -> None:
    generator = np.random.default_rng(2)
    model = Faithful(random_halves(generator))
    expressions = [random_expression(generator, 9, 6) for _ in range(20)]
    scorer, classes = model.with_expressions(expressions), np.arange(2, 9, dtype=np.int32)
    tails = scorer.tails(np.arange(9, 29, dtype=np.int32), None, classes)
    for i, expression in enumerate(expressions):
        if not isinstance(expression, Self):
            expected = [model.includes(expression, Atom(c)).score for c in classes.tolist()]
            np.testing.assert_array_equal(tails[i], expected)
    assert model.with_expressions([]).tails(classes, None, classes).shape == (7, 7)


@pytest.mark.slow
def test_what_follows_is_true_of_random_ontologies() -> None:
    generator = np.random.default_rng(5)
    settings = FaithfulSettings(dimension=6, proposals=4, rounds=1, pool=30)
    models = followed = 0
    while models < 3:
        axioms = {**random_axioms(generator), "disjoint": "C0 C1", "empty_existential": "s C2"}
        dataset = dataset_of(individuals="a b c d", **axioms)
        reasoner = Reasoner(dataset.forms)
        if not reasoner.saturation.consistent:
            continue
        model = Faithful.fit(dataset, settings, generator, lambda message: None)
        if model.findings()["false"]:
            continue
        models += 1
        names, roles = list(dataset.vocabulary.classes), list(dataset.vocabulary.roles)
        for _ in range(150):
            left, right = (random_expression(generator, len(names), len(roles), 2) for _ in range(2))
            try:
                text = f"SubClassOf({text_of(left, names, roles)} {text_of(right, names, roles)})"
            except AssertionError:
                continue
            if reasoner.entails(text):
                followed += 1
                assert model.includes(left, right).true, text
    assert followed > 40, followed


def test_what_is_not_in_el_is_refused() -> None:
    model = Faithful(random_halves(np.random.default_rng(3)))
    with pytest.raises(UnsupportedError, match="EL has no other expressions"):
        model.includes(Atom(2), Only(1, Atom(3)))
    with pytest.raises(UnsupportedError, match="knows no class http://x/unknown"):
        model.includes(Atom(-1, "http://x/unknown"), Atom(2))


def test_the_command_takes_whole_axioms_of_a_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = elgeo.train("family", preset="faithful", dimension=6, proposals=8, folder=tmp_path / "run", quiet=True)
    some = "has_child some (Person and has_parent some Mother)"
    axioms = [f"Mother SubClassOf {some}", "Mother SubClassOf has_child some Person", f"{some} SubClassOf Parent"]
    capsys.readouterr()
    for axiom in axioms:
        assert main(["score", str(tmp_path / "run"), axiom]) == 0
        word, distance, _, text = capsys.readouterr().out.rstrip("\n").split("\t")
        assert text == axiom
        assert (word == "true") == (float(distance) == 0)
    reasoner = Reasoner(run.dataset.forms)
    found = run.score(axioms).set_index("axiom")
    assert found["true"][axioms[1]]
    assert all(found["true"][axiom] for axiom in axioms if reasoner.entails(axiom))
    table = run.predict(head=some, top=100, exclude=())
    model = run.predictor()
    assert isinstance(model, Faithful)
    names = run.dataset.vocabulary
    mother, person = (Atom(names.class_id(name)) for name in ("Mother", "Person"))
    child, parent, role = (names.role_id(name) for name in ("has_child", "has_parent", "has_mother"))
    head = Some(child, And((person, Some(parent, mother))))
    assert len(table) > 10
    for tail, score in zip(table["tail"], table["score"], strict=True):
        assert score == model.includes(head, Some(role, Atom(names.class_id(tail)))).score
    for range_of, expected in (("owl:Thing", True), ("Musician", False)):
        axiom = f"ObjectPropertyRange(has_child {range_of})"
        row = np.array([[child, names.class_id(range_of)]], np.int32)
        assert run.score(axiom)["true"].tolist() == [expected] == model.holds("range", row).tolist()
    with pytest.raises(UnsupportedError, match=r"axiom 'TransitiveObjectProperty.*does not use the role"):
        run.score(["Mother SubClassOf Person", "TransitiveObjectProperty(<http://x/aunt>)"])

"""The picture around a class: who stands in it, where, and what it is said to be."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from starlette.testclient import TestClient

import elgeo
from elgeo.models.ensemble import Ensemble
from elgeo.serve.application import application
from elgeo.serve.decisions import Axiom, Decision, Decisions
from elgeo.serve.library import Shelf
from elgeo.serve.picture import ABOVE, BELOW, ITSELF, KNOWN, MISSING, MOST, _layout, classes_around, picture
from elgeo.training.run import Run

FAMILY = "http://example.org/family#"


@pytest.fixture(scope="module")
def balls() -> Run:
    return elgeo.train("family", model="elem", dimension=2, epochs=3)


@pytest.fixture(scope="module")
def shelves(balls: Run) -> list[Shelf]:
    return [Shelf("atlas", elgeo.train("family")), Shelf("balls", balls)]


def test_what_stands_around_a_class(shelves: list[Shelf], balls: Run) -> None:
    dataset = balls.dataset
    names = dataset.vocabulary
    head = int(dataset.train[0, 0])
    for shelf in shelves:
        made = shelf.picture(names.classes[head])
        by_relation: dict[str, list[str]] = {}
        for shape in made["shapes"]:
            by_relation.setdefault(shape["relation"], []).append(shape["class"]["iri"])
        assert by_relation[ITSELF] == [names.classes[head]]
        known = {names.classes[t] for h, t in dataset.train[:, [0, -1]].tolist() if h == head}
        known |= {names.classes[h] for h, t in dataset.train[:, [0, -1]].tolist() if t == head}
        shown = {iri for classes in by_relation.values() for iri in classes}
        assert known & shown == known or len(by_relation[KNOWN]) == MOST
        missing = [row["tail"]["iri"] for row in shelf.missing(names.classes[head])]
        assert by_relation[MISSING] == [iri for iri in missing if iri not in known][: len(by_relation[MISSING])]
        assert len(shown) == len(made["shapes"]), "nobody stands there twice"


def test_what_is_above_and_below_stands_there(shelves: list[Shelf], balls: Run) -> None:
    reasoner = elgeo.Reasoner(balls.dataset.forms)
    shown = {shape["class"]["iri"]: shape["relation"] for shape in shelves[1].picture(f"{FAMILY}Parent")["shapes"]}
    for relation, expected in (
        (ABOVE, reasoner.superclasses(f"{FAMILY}Parent", direct=True)),
        (BELOW, reasoner.subclasses(f"{FAMILY}Parent", direct=True)),
    ):
        assert expected
        assert {iri for iri, each in shown.items() if each == relation} == set(expected)


def test_shapes_are_those_of_the_geometry(shelves: list[Shelf], balls: Run) -> None:
    names, weights = balls.dataset.vocabulary, balls.weights
    made = shelves[1].picture(f"{FAMILY}Person")
    assert made["geometry"]
    assert made["words"] == "the geometry of elem itself: what is inside is below"
    for shape in made["shapes"]:
        c = names.class_id(shape["class"]["iri"])
        assert (shape["x"], shape["y"]) == pytest.approx(weights["centres"][c].tolist(), rel=1e-6)
        assert shape["width"] == shape["height"] == pytest.approx(abs(float(weights["radii"][c])), rel=1e-6)
        assert shape["round"]
    assert {shape["relation"] for shape in made["shapes"]} >= {ITSELF, BELOW}


def test_a_projection_is_said_to_be_one(balls: Run) -> None:
    high = elgeo.train(balls.dataset, model="elem", dimension=7, epochs=1).predictor()
    around = {ITSELF: [3], ABOVE: [4, 3, 5]}
    made = picture(high, around)
    assert made["words"].startswith("a projection: elem has 7 dimensions, of which two are drawn")
    assert [(shape["class"], shape["relation"]) for shape in made["shapes"]] == [(3, ITSELF), (4, ABOVE), (5, ABOVE)]
    three = elgeo.train(balls.dataset, model="elem", dimension=3, epochs=1).predictor()
    assert picture(three, around)["words"].startswith("a projection: elem has 3 dimensions")
    both = picture(Ensemble([high, balls.predictor()]), around)
    assert both["words"].startswith("a projection: the first model of the ensemble has 7 dimensions")
    assert both["shapes"] == made["shapes"]


def test_without_a_geometry_places_say_what_is_what(shelves: list[Shelf]) -> None:
    naive = elgeo.train("family", model="naive").predictor()
    many = list(range(10, 30))
    made = picture(naive, {ITSELF: [3], ABOVE: many, BELOW: [4, 5], KNOWN: [6], MISSING: [7]})
    assert not made["geometry"]
    assert "places mean nothing" in made["words"]
    assert [s["relation"] for s in made["shapes"]].count(ABOVE) == MOST
    where = {s["class"]: (s["x"], s["y"]) for s in made["shapes"]}
    assert where[3] == (0, 0)
    assert len(set(where.values())) == len(where)
    assert all(where[c][1] > 0.5 for c in many[:MOST])
    assert where[4][1] < -0.5 < 0.5 < where[6][0]
    assert where[4][0] < where[5][0]
    assert where[7][0] < -0.5
    assert not shelves[0].about()["geometry"]
    assert shelves[1].about()["geometry"]


def test_other_ends_in_their_order() -> None:
    head, tail = np.array([1, 2, 3, 1], np.int32), np.array([5, 1, 1, 6], np.int32)
    assert classes_around(head, tail, 1) == [5, 6, 2, 3]


@pytest.mark.slow
def test_filters(shelves: list[Shelf], tmp_path: Path) -> None:
    decisions = Decisions(tmp_path / "d.sqlite")
    client = TestClient(application(shelves, decisions, ["testserver"]))
    assert client.get("/api/picture", params={"name": "nobody at all"}).status_code == 404
    assert client.get("/api/picture", params={"name": f"{FAMILY}Person"}).json()["shapes"]
    rows = client.get("/api/missing", params={"top": 6}).json()["missing"]
    assert all(row["probability"] is None for row in rows)
    chosen = rows[4]
    axiom = Axiom(chosen["head"]["term"], chosen["role"], chosen["tail"]["term"])
    decisions.say(Decision(axiom, "reject", "ann"))
    rejected = client.get("/api/missing", params={"top": 3, "decided": "reject"}).json()["missing"]
    assert [(row["head"], row["tail"]) for row in rejected] == [(chosen["head"], chosen["tail"])], (
        "beyond the first three"
    )
    free = client.get("/api/missing", params={"top": 5, "decided": "nobody"}).json()["missing"]
    expected = [row for row in client.get("/api/missing", params={"top": 6}).json()["missing"] if not row["decisions"]]
    ends = ("head", "role", "tail", "score", "decisions")  # ranks are among what is looked at
    assert [[row[end] for end in ends] for row in free] == [[row[end] for end in ends] for row in expected]
    assert client.get("/api/missing", params={"top": 5, "probability": "0.5"}).json()["missing"] == []


def test_decisions_about_some_axioms(tmp_path: Path) -> None:
    decisions = Decisions(tmp_path / "d.sqlite")
    axioms = [Axiom(f"http://x/{i}", "", "http://x/a'b") for i in range(2_500)]
    for i in (3, 7, 2_400):
        decisions.say(Decision(axioms[i], "accept", "ann"))
        decisions.say(Decision(axioms[i], "reject", "bob"))
    decisions.say(Decision(axioms[7], "postpone", "ann"))
    decisions.undo(axioms[3], "bob")
    found = decisions.of([*axioms[5:], axioms[3], axioms[3]])
    assert {axiom: [(d.who, d.verdict) for d in said] for axiom, said in found.items()} == {
        axioms[7]: [("bob", "reject"), ("ann", "postpone")],
        axioms[2_400]: [("ann", "accept"), ("bob", "reject")],
        axioms[3]: [("ann", "accept")],
    }
    assert decisions.of([]) == {}


def test_without_a_geometry_neighbours_stand_around_the_class() -> None:
    """Above and below in rows, known and missing in columns, a step of 0.24 between two, half as much again in rows."""
    relations = [ITSELF, ABOVE, ABOVE, ABOVE, BELOW, KNOWN, KNOWN, MISSING]
    places = [(round(shape.x, 9), round(shape.y, 9)) for shape in _layout(relations)]
    assert places == [
        (0, 0), (-0.36, 1), (0, 1), (0.36, 1), (0, -1), (1, 0.12), (1, -0.12), (-1, 0),
    ]  # fmt: skip
    assert all(not shape.round for shape in _layout(relations))


def test_the_other_ends_of_pairs_come_once_and_in_order() -> None:
    heads, tails = np.array([3, 5, 3, 7, 3], np.int32), np.array([9, 3, 5, 8, 9], np.int32)
    assert classes_around(heads, tails, 3) == [9, 5]
    assert classes_around(heads, tails, 8) == [7]
    assert classes_around(heads, tails, 1) == []

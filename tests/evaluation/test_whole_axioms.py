"""`elgeo score` and `run.score`: whole axioms, their truth and order, and what cannot be scored."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

import elgeo
from elgeo.cli import main
from elgeo.errors import ElgeoError
from elgeo.evaluation.predictions.whole_axioms import score_axioms
from elgeo.models import TransBox
from elgeo.models.closed import Closed, Inclusion
from elgeo.models.contract import Scorer
from elgeo.models.ensemble import Ensemble
from elgeo.ontology.vocabulary import TOP
from elgeo.reasoning.questions.expressions import And, Atom, Expression
from elgeo.training.run import Run
from tests.evaluation.small_places import TablePredictor

AXIOMS = [
    "Mother SubClassOf Parent",
    "Mother SubClassOf has_child some Person",
    "Mother SubClassOf has_child some (Person and has_parent some Mother)",
    "has_child some (Person and has_child some Person) SubClassOf Parent",
    "Man DisjointWith Woman",
]


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Run]:
    folder = tmp_path_factory.mktemp("runs")
    settings = {"dimension": 4, "epochs": 3, "threads": 1}
    models = ("transbox", "elbe")
    found = {name: elgeo.train("family", model=name, folder=folder / name, **settings) for name in models}
    return {**found, "naive": elgeo.train("family", model="naive", folder=folder / "naive")}


def names_of(run: Run) -> tuple[dict[str, int], dict[str, int]]:
    vocabulary = run.dataset.vocabulary
    classes = {name.rsplit("#", 1)[-1].rsplit("/", 1)[-1]: i for i, name in enumerate(vocabulary.classes)}
    return classes, {name.rsplit("#", 1)[-1].rsplit("/", 1)[-1]: i for i, name in enumerate(vocabulary.roles)}


def test_normal_forms_have_the_truth_and_the_score_of_the_model(runs: dict[str, Run]) -> None:
    for name in ("transbox", "elbe"):
        model = runs[name].predictor()
        classes, roles = names_of(runs[name])
        row = np.array([[classes["Mother"], roles["has_child"], classes["Person"]]], np.int32)
        found = runs[name].score(AXIOMS[:2]).set_index("axiom").loc[AXIOMS[1]]
        assert found["true"] == model.holds("existential", row)[0]  # type: ignore[attr-defined]
        expected = model.scorer().pairs(row[:, 0], int(row[0, 1]), row[:, 2])[0]
        assert found["score"] == pytest.approx(expected)


def test_every_normal_form_is_asked_for_as_such(runs: dict[str, Run]) -> None:
    """The rows that a model judges, put together by hand from the names of each axiom."""
    model = runs["elbe"].predictor()
    classes, roles = names_of(runs["elbe"])
    man, woman, person, child = classes["Man"], classes["Woman"], classes["Person"], roles["has_child"]
    for axiom, form, row in (
        ("Man SubClassOf Person", "subclass", (man, person)),
        ("Man SubClassOf owl:Thing", "subclass", (man, TOP)),
        ("Man SubClassOf owl:Nothing", "empty", (man,)),
        ("Man and Woman SubClassOf Person", "conjunction", (man, woman, person)),
        ("Man and Woman SubClassOf owl:Nothing", "disjoint", (man, woman)),
        ("has_child some Man SubClassOf Person", "left_existential", (child, man, person)),
        ("has_child some Man SubClassOf owl:Nothing", "empty_existential", (child, man)),
    ):
        found = runs["elbe"].score(axiom).iloc[0]
        assert form in model.judged_forms  # type: ignore[attr-defined]
        assert found["true"] == model.holds(form, np.array([row], np.int32))[0], axiom  # type: ignore[attr-defined]


def test_of_several_models_distance_and_score_are_means(runs: dict[str, Run]) -> None:
    dataset = runs["transbox"].dataset
    other = elgeo.train(dataset, model="transbox", dimension=4, epochs=1, threads=1, seed=9)
    members = [runs["transbox"].predictor(), other.predictor()]
    own = [score_axioms(member, dataset, AXIOMS) for member in members]
    for number, found in enumerate(score_axioms(Ensemble(members), dataset, AXIOMS)):
        alone = [each[number] for each in own]
        assert found.distance == pytest.approx(sum(each.distance or 0.0 for each in alone) / 2)
        assert found.score == pytest.approx(sum(each.score or 0.0 for each in alone) / 2)
        assert found.true == all(each.true for each in alone)
    assert any(each.distance for each in own[0])


def test_the_best_come_first(runs: dict[str, Run]) -> None:
    found = runs["transbox"].score(AXIOMS)
    assert set(found["axiom"]) == set(AXIOMS)
    order = list(zip(~found["true"].to_numpy(bool), -found["score"].to_numpy(float), strict=True))
    assert order == sorted(order)
    assert ((found["distance"] == 0) == (found["score"] > 0)).all()


def test_what_is_empty_has_a_score_of_its_own(runs: dict[str, Run]) -> None:
    """Under Man ⊓ Woman, whose boxes are apart: what lies between ranks classes, as where they are predicted."""
    model = runs["transbox"].predictor()
    assert isinstance(model, TransBox)
    classes, _ = names_of(runs["transbox"])
    expression = And((Atom(classes["Man"]), Atom(classes["Woman"])))
    assert model._regions().of(expression).is_empty
    named = [name for name in classes if name.isalpha() and name.istitle() and name not in ("Thing", "Nothing")]
    for text, true in (("Man and Woman SubClassOf {}", True), ("{} SubClassOf Man and Woman", False)):
        found = runs["transbox"].score([text.format(name) for name in named]).set_index("axiom")
        assert (found["true"] == true).all()
        assert found["score"].nunique() >= len(named) - 1  # between Man and Woman both are equally near
        scorer, own = model.with_expressions([expression]), np.array([runs["transbox"].dataset.vocabulary.n_classes])
        for name in named:
            sides = own, np.array([classes[name]])
            expected = scorer.pairs(sides[not true], None, sides[true])[0]
            assert found["score"][text.format(name)] == pytest.approx(expected, rel=1e-6), name


def test_an_axiom_of_two_parts_is_as_good_as_the_worse(runs: dict[str, Run]) -> None:
    both = runs["transbox"].score("EquivalentClasses(Mother Parent)").iloc[0]
    ways = runs["transbox"].score(["Mother SubClassOf Parent", "Parent SubClassOf Mother"])
    assert both["score"] == ways["score"].min()


class Judging(TablePredictor, Closed):
    """Finds each inclusion as it is told to."""

    def __init__(self, found: dict[tuple[int, int], Inclusion]) -> None:
        super().__init__(np.zeros((1, 1)))
        self.found = found

    def with_expressions(self, expressions: Sequence[Expression]) -> Scorer:
        return self.scorer()

    def includes(self, left: Expression, right: Expression, tolerance: float = 1e-5) -> Inclusion:
        assert isinstance(left, Atom)
        assert isinstance(right, Atom)
        return self.found[left.id, right.id]


@pytest.mark.parametrize(
    ("parts", "worst"),
    [
        # what is false is worse than what is true, whatever their scores: what is empty has a score of its own
        ([(True, 0.0, -3.0), (False, 0.5, 2.0), (True, 0.0, 1.0)], 1),
        ([(False, 0.5, 2.0), (True, 0.0, -3.0), (True, 0.0, 3.0)], 0),
        ([(False, 0.5, 2.0), (True, 0.0, -3.0), (False, 0.25, 1.0)], 2),
        ([(True, 0.0, 4.0), (True, 0.0, 7.0), (True, 0.0, 3.0)], 2),
        ([(True, 0.0, 4.0), (False, 0.5, 2.0), (False, np.inf, 3.0)], 2),
    ],
)
def test_the_worst_part_of_an_axiom_is_a_false_one_with_the_lowest_score(
    runs: dict[str, Run], parts: list[tuple[bool, float, float]], worst: int
) -> None:
    classes, _ = names_of(runs["naive"])
    mother, parent, person = (classes[name] for name in ("Mother", "Parent", "Person"))
    ways = [(mother, parent), (parent, mother), (parent, person), (person, parent)]
    model = Judging({way: Inclusion(*part) for way, part in zip(ways, [*parts, (True, 0.0, 9.0)], strict=True)})
    [found] = score_axioms(model, runs["naive"].dataset, ["EquivalentClasses(Mother Parent Person)"])
    true, distance, score = parts[worst]
    assert found[1:4] == ((true, distance, score) if np.isfinite(distance) else (true, None, None))


def test_the_command_prints_lines_or_a_document(
    runs: dict[str, Run], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = str(runs["transbox"].folder)
    (tmp_path / "axioms").write_text(f"# two\n{AXIOMS[2]}\n\n{AXIOMS[3]}\n")
    assert main(["score", folder, AXIOMS[0], "--axioms", str(tmp_path / "axioms"), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)["axioms"]
    assert {each["axiom"] for each in document} == {AXIOMS[0], AXIOMS[2], AXIOMS[3]}
    assert main(["score", folder, AXIOMS[0]]) == 0
    words, distance, score, axiom = capsys.readouterr().out.rstrip("\n").split("\t")
    assert words in ("true", "false")
    assert float(distance) >= 0
    assert float(score) == pytest.approx(document[[e["axiom"] for e in document].index(AXIOMS[0])]["score"], rel=1e-3)
    assert axiom == AXIOMS[0]


def test_a_file_that_is_no_text_is_refused(
    runs: dict[str, Run], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "axioms").write_bytes("Mère SubClassOf Parent\n".encode("latin-1"))
    assert main(["score", str(runs["naive"].folder), "--axioms", str(tmp_path / "axioms")]) == 2
    assert "axioms: not UTF-8 text" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "axiom", "message"),
    [
        ("transbox", "Nobody SubClassOf Parent", "Nobody"),
        ("transbox", "SubClassOf(<http://x/unknown> <http://x/other>)", "knows no class http://x/unknown"),
        ("elbe", "SubClassOf(<http://x/unknown> <http://x/other>)", "knows not every class"),
        ("transbox", "Mother SubClassOf has_child only Person", "EL has no other"),
        ("transbox", "Mother SubClassOf has_child only Man", "axiom 'Mother SubClassOf has_child only Man': a box"),
        ("elbe", "FunctionalObjectProperty(has_child)", "axiom 'FunctionalObjectProperty"),
        ("transbox", "has_pet o has_pet o has_pet SubPropertyOf has_pet", "axiom 'has_pet o has_pet o has_pet"),
        ("elbe", "EquivalentClasses(Mother)", "names one class alone"),
        ("transbox", "DisjointClasses(Mother)", "names one class alone"),
        ("elbe", AXIOMS[2], "in transbox every EL expression"),
        ("elbe", "SubObjectPropertyOf(has_child has_parent)", "neither judge nor score R ⊑ S"),
        ("naive", "Man DisjointWith Woman", "neither judge nor score"),
    ],
)
def test_what_cannot_be_scored_is_said_in_one_message(
    runs: dict[str, Run], name: str, axiom: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(ElgeoError, match=message):
        runs[name].score(axiom)
    assert main(["score", str(runs[name].folder), axiom]) == 2
    assert message in capsys.readouterr().err
    assert main(["score", str(runs[name].folder)]) == 2
    assert "no axioms to score" in capsys.readouterr().err

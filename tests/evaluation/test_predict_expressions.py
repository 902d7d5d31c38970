"""Predictions of an expression: ranks by a plain count, what follows is left out, and models without a place say so."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import elgeo
from elgeo.cli import main
from elgeo.datasets.folder import save
from elgeo.datasets.splits.all_forms import AllForms, split_forms
from elgeo.errors import ElgeoError, SettingError, UnknownNameError, UnsupportedError
from elgeo.evaluation.predictions.expressions import _Placing, _Together, asked
from elgeo.models import TransBox
from elgeo.models.closed import Closed, Inclusion
from elgeo.models.contract import Scorer
from elgeo.reasoning.questions.expressions import THING, And, Atom, Expression, Some
from elgeo.training.run import Run
from tests.datasets.random_forms import ontology_file
from tests.evaluation.small_places import TablePredictor

EXPRESSION = "C1 and r0 some (C2 and C3)"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("runs")
    dataset = split_forms(AllForms(ontology_file(folder)))[0]
    save(dataset, folder / "data")
    return elgeo.train(folder / "data", model="transbox", folder=folder / "transbox", dimension=3, epochs=3, threads=1)


@pytest.fixture(scope="module")
def family() -> Run:
    return elgeo.train("family", model="transbox", dimension=3, epochs=3, threads=1)


def test_the_best_superclasses_of_an_expression_are_those_of_its_box(run: Run) -> None:
    names, model = run.dataset.vocabulary, run.predictor()
    assert isinstance(model, TransBox)
    found = run.predict(head=EXPRESSION, top=100, exclude=())
    c1, c2, c3 = (Atom(names.class_id(name)) for name in ("C1", "C2", "C3"))
    expression = And((c1, Some(names.role_id("r0"), And((c2, c3)))))
    (head,) = set(found["head"])
    assert head.startswith("ObjectIntersectionOf(<http://example.org/C1> ObjectSomeValuesFrom(<http://example.org/r0>")
    assert set(found["head_label"]) == {EXPRESSION}
    assert len(found) == len(run.dataset.candidates)
    if not model._regions().of(expression).is_empty:
        for tail, score in zip(found["tail"], found["score"], strict=True):
            assert score == pytest.approx(model.includes(expression, Atom(names.class_id(tail))).score, rel=1e-9)
    assert list(found["score"]) == sorted(found["score"], reverse=True)


def test_a_model_that_is_fitted_again_is_asked_about_classes_alone() -> None:
    fitted = elgeo.train("family", model="faithful", dimension=4, proposals=4, rounds=1)
    known, told = "ada", "ada SubClassOf has_mother some mia"
    assert fitted.predict(head=known, without=told, top=1) is not None
    with pytest.raises(SettingError, match="about classes of the dataset, not expressions"):
        fitted.predict(head="Person and has_child some Musician", without=told)
    with pytest.raises(SettingError, match="about classes of the dataset, not expressions"):
        fitted.predict(tail="Person and has_child some Musician", without=told)


def test_what_follows_of_an_expression_is_known(run: Run) -> None:
    every = run.predict(head=EXPRESSION, top=100, exclude=())
    status = dict(zip(every["tail_label"], every["status"], strict=True))
    reasoner = elgeo.Reasoner(run.dataset.forms)
    for tail, word in status.items():
        follows = reasoner.entails(f"({EXPRESSION}) SubClassOf {tail}")
        assert (word == "entailed") == follows
    assert status["C1"] == "entailed"
    assert "C1" not in set(run.predict(head=EXPRESSION, top=100)["tail_label"])
    below = run.predict(tail="C1 and C2", top=100, exclude=())
    for head, word in zip(below["head_label"], below["status"], strict=True):
        assert (word == "entailed") == reasoner.entails(f"{head} SubClassOf (C1 and C2)")


def test_each_part_of_an_expression_that_is_no_name_is_one_more_class(run: Run) -> None:
    names, forms = run.dataset.vocabulary, run.dataset.forms
    number, extended, _ = asked(run.predictor(), run.dataset, "C1 and r0 some (C2 and C3) and C4")
    more = extended.vocabulary.n_classes - names.n_classes
    assert (number, more) == (names.n_classes, 4)  # the whole, the last two of its parts, the existential, its filler
    assert len(extended.kinds.of_class) == extended.vocabulary.n_classes
    told = {form: len(extended.forms[form]) - len(rows) for form, rows in forms.tables.items()}
    assert {form: count for form, count in told.items() if count} == {
        "subclass": 5, "conjunction": 3, "existential": 1, "left_existential": 1,
    }  # fmt: skip


@pytest.mark.slow
def test_successors_of_an_expression_by_the_role_of_the_target(family: Run) -> None:
    found = family.predict(head="Woman and has_child some Person", top=100, exclude=())
    names, model = family.dataset.vocabulary, family.predictor()
    assert isinstance(model, TransBox)
    woman, person = (Atom(names.class_id(name)) for name in ("Woman", "Person"))
    expression = And((woman, Some(names.role_id("has_child"), person)))
    scorer = model.with_expressions([expression])
    for tail, score in zip(found["tail"], found["score"], strict=True):
        asked, one = np.array([names.n_classes], np.int32), np.array([names.class_id(tail)], np.int32)
        assert scorer.pairs(asked, family.dataset.target_role, one)[0] == score


def test_a_name_stays_a_name_and_what_has_no_place_is_said(run: Run) -> None:
    assert set(run.predict(head="C4", top=3)["head_label"]) == {"C4"}
    assert set(run.predict(head="(C4)", top=3)["head_label"]) == {"C4"}
    with pytest.raises(UnknownNameError):
        run.predict(head="C4x", top=3)
    with pytest.raises(ElgeoError, match="C4x"):
        run.predict(head="r0 some C4x", top=3)
    with pytest.raises(UnsupportedError, match="classes, intersections and existentials"):
        run.predict(head="r0 only C4 and C5", top=3)
    with pytest.raises(UnsupportedError, match="empty or everything"):
        run.predict(head="owl:topObjectProperty some C5", top=3)
    assert len(run.predict(head="C4 and r0 some owl:Thing", top=3, exclude=())) == 3
    other = elgeo.train(run.dataset, model="elbe", dimension=3, epochs=1, threads=1)
    with pytest.raises(SettingError, match=r"elbe has places for classes alone.*transbox"):
        other.predict(head=EXPRESSION, top=3)
    model = run.predictor()
    assert isinstance(model, TransBox)
    with pytest.raises(UnsupportedError, match="empty or everything"):
        model.with_expressions([THING])


class Believing(TablePredictor, Closed):
    """Says that one inclusion is true, and no other."""

    def __init__(self, left: Expression, right: Expression) -> None:
        super().__init__(np.zeros((10, 10)))
        self.true = left, right

    def with_expressions(self, expressions: Sequence[Expression]) -> Scorer:
        return self.scorer()

    def includes(self, left: Expression, right: Expression, tolerance: float = 1e-5) -> Inclusion:
        return Inclusion((left, right) == self.true, 0.0, 0.0)


def test_a_predicted_axiom_is_true_where_its_own_sides_are_included() -> None:
    expression = And((Atom(3), Some(1, Atom(5))))
    rows: dict[tuple[int, ...], tuple[Expression, Expression]] = {
        (9, 4): (expression, Atom(4)),
        (4, 9): (Atom(4), expression),
        (9, 2, 4): (expression, Some(2, Atom(4))),
        (2, 4, 9): (Atom(2), Some(4, expression)),
        (4, 9, 2): (Atom(4), Some(9, Atom(2))),
    }
    for row, sides in rows.items():
        placing = _Placing(Believing(*sides), 9, expression)
        assert [other for other in rows if placing.holds(other)] == [row]
    together = _Together([_Placing(Believing(*rows[row]), 9, expression) for row in ((9, 2, 4), (9, 2, 4), (2, 4, 9))])
    assert together.true_in("existential", np.array([(9, 2, 4), (4, 9, 2), (2, 4, 9)])).tolist() == [2, 0, 1]


@pytest.mark.slow
def test_several_models_answer_by_their_mean_and_say_in_how_many_it_is_true(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options: Any = {"dimension": 3, "epochs": 2, "threads": 1}
    run = elgeo.train("family", model="transbox", folder=tmp_path / "two", seeds=2, **options)
    members = [member.predictor() for member in run.members]
    names = run.dataset.vocabulary
    woman, man = (Atom(names.class_id(name)) for name in ("Woman", "Man"))
    expression = And((woman, Some(names.role_id("has_child"), man)))
    text, role = "Woman and has_child some Man", run.dataset.target_role
    assert role is not None
    own = [member.predict(head=text, top=100, exclude=()).set_index("tail") for member in run.members]
    alone = {tail: [each["score"][tail] for each in own] for tail in own[0].index}
    found = run.predict(head=text, top=100, exclude=())
    assert set(found["tail"]) == set(alone)
    assert list(found["score"]) == sorted(found["score"], reverse=True)
    for tail, score, spread, true in zip(found["tail"], found["score"], found["spread"], found["true_in"], strict=True):
        assert score == pytest.approx(np.mean(alone[tail]))
        assert spread == pytest.approx(np.std(alone[tail]))
        axiom = expression, Some(role, Atom(names.class_id(tail)))
        assert true == sum(isinstance(member, TransBox) and member.includes(*axiom).true for member in members)
    assert 1 in set(found["true_in"])  # where it is empty
    assert main(["predict", str(tmp_path / "two"), "--tail", text, "--top", "3"]) == 0
    assert "of 2, true in" in capsys.readouterr().out
    other = elgeo.train("family", model="elbe", seeds=2, **options)
    with pytest.raises(SettingError, match=r"elbe × 2 has places for classes alone.*transbox"):
        other.predict(head=text, top=3)


def test_predictions_of_an_expression_are_an_ontology_too(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run.folder is not None
    command = ["predict", str(run.folder), "--head", EXPRESSION, "--top", "3", "--exclude", "nothing"]
    assert main([*command, "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert EXPRESSION in json.dumps(printed, ensure_ascii=False)
    assert main(command) == 0
    lines = capsys.readouterr().out.splitlines()
    assert all(f"  {EXPRESSION}  " in line and "ObjectIntersectionOf" not in line for line in lines[-3:])
    out = tmp_path / "found.ofn"
    assert main([*command, "-o", str(out)]) == 0
    assert "ObjectIntersectionOf(" in out.read_text(encoding="utf-8")
    assert len(elgeo.read(out).axiom_nodes) == 3

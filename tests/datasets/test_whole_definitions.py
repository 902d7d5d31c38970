"""Definitions held out whole: training has nothing of them, the folder keeps them, and each class is ranked."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import elgeo
from elgeo.cli import main
from elgeo.datasets.folder import _read_definitions, load_folder, save
from elgeo.datasets.splits.definitions import WholeDefinitions, split_definitions
from elgeo.errors import ElgeoError, ReadError, SettingError
from elgeo.evaluation.by_form import DEFINITIONS, rank_definitions, rank_forms
from elgeo.evaluation.settings import EvaluationSettings
from elgeo.models import Elbe, Naive, Sizes, TransBox
from elgeo.models.box_models.transbox import TransBoxSettings
from elgeo.models.ensemble import Ensemble
from elgeo.ontology.writing.table_formats import FORMATS
from elgeo.reasoning.questions.expressions import And, Atom, Some
from elgeo.report.targets_text import by_form
from tests.datasets.random_forms import ontology_file

SHARES = (0.6, 0.2, 0.2)


def test_training_has_nothing_of_a_definition_that_is_held_out(tmp_path: Path) -> None:
    path = ontology_file(tmp_path)
    dataset, drops = split_definitions(WholeDefinitions(path, SHARES, seed=2))
    text = path.read_text(encoding="utf-8")
    assert sorted(each.part for each in dataset.definitions).count("test") == 5 - sum(drops.counts.values())
    names = dataset.vocabulary
    whole = elgeo.normalise(elgeo.read(path))
    for each in dataset.definitions:
        iri = names.classes[each.class_id]
        short = each.expression.replace("<http://example.org/", ":").replace(">", "")
        assert f"EquivalentClasses(:{iri.rpartition('/')[2]} {short})" in text
    # a definition gives C ⊑ B, C ⊑ ∃r.D, ∃r.D ⊑ F and B ⊓ F ⊑ C
    held = {str(each.expression) for each in dataset.definitions}
    left = {tuple(row) for row in dataset.forms.conjunction.tolist()}
    assert len(held) == len(dataset.definitions)
    assert len(whole.conjunction) - len(left) >= len(held)
    told = {tuple(row) for row in dataset.forms.subclass.tolist()}
    assert not {tuple(row) for row in [*dataset.valid.tolist(), *dataset.test.tolist()]} & told
    assert {tuple(row) for row in dataset.train.tolist()} == told
    assert len(dataset.test) > 0
    tested = {each.class_id for each in dataset.definitions if each.part == "test"}
    assert {c for c, _ in dataset.test.tolist()} <= tested
    again, _ = split_definitions(WholeDefinitions(path, SHARES, seed=2))
    other, _ = split_definitions(WholeDefinitions(path, SHARES, seed=3))
    assert again.definitions == dataset.definitions
    assert other.definitions != dataset.definitions


BEYOND_EL = (
    "ObjectUnionOf(:C3 :C8)",
    "ObjectAllValuesFrom(:r0 :C4)",
    "ObjectHasSelf(:r0)",
    "ObjectIntersectionOf(:C2 ObjectComplementOf(:C9))",
    "ObjectSomeValuesFrom(:r1 ObjectUnionOf(:C1 :C7))",
    "ObjectSomeValuesFrom(ObjectInverseOf(:r1) :C4)",
    "ObjectIntersectionOf(:C5 ObjectSomeValuesFrom(:r2 ObjectIntersectionOf(:C6 ObjectMinCardinality(2 :r0 :C11))))",
)


def test_definitions_that_el_cannot_say_stay_in_training(tmp_path: Path) -> None:
    """Neither what is beyond EL itself nor what has it inside, however deep, is a definition to ask for."""
    path = ontology_file(tmp_path)
    within_el = path.read_text(encoding="utf-8")
    more = "".join(f"EquivalentClasses(:C{i} {beyond})\n" for i, beyond in enumerate(BEYOND_EL, 12))
    path.write_text(within_el.removesuffix(")\n") + more + ")\n", encoding="utf-8")
    said: list[str] = []
    dataset, _ = split_definitions(WholeDefinitions(path, (0.2, 0.4, 0.4)), said.append)
    assert "25 definitions, 20 of them held out" in said
    for each in dataset.definitions:
        short = each.expression.replace("<http://example.org/", ":").replace(">", "")
        assert f" {short})\n" in within_el


def test_the_folder_keeps_definitions_and_refuses_damage(tmp_path: Path) -> None:
    dataset, _ = split_definitions(WholeDefinitions(ontology_file(tmp_path), SHARES))
    save(dataset, tmp_path / "data")
    assert load_folder(tmp_path / "data").definitions == tuple(dataset.definitions)
    path = tmp_path / "bad.parquet"
    for part, number, words in (("test", 10**6, "does not have"), ("test", -1, "does not have"), ("train", 3, "part")):
        FORMATS["parquet"].write(
            path, {"part": [part], "class_id": np.array([number], np.int32), "expression": ["<x>"]}
        )
        with pytest.raises(ReadError, match=words):
            _read_definitions(path, dataset.forms)
    edges = np.array([0, dataset.vocabulary.n_classes - 1], np.int32)
    FORMATS["parquet"].write(path, {"part": ["test", "valid"], "class_id": edges, "expression": ["<x>", "<y>"]})
    assert [tuple(each) for each in _read_definitions(path, dataset.forms)] == [
        ("test", 0, "<x>"), ("valid", edges[1], "<y>")
    ]  # fmt: skip


@pytest.mark.parametrize("part", ["valid", "test"])
def test_the_class_of_an_expression_is_ranked_by_its_box(tmp_path: Path, part: str) -> None:
    dataset, _ = split_definitions(WholeDefinitions(ontology_file(tmp_path), SHARES))
    names = dataset.vocabulary
    model = TransBox(Sizes.of(dataset), TransBoxSettings(dimension=3), np.random.default_rng(0))
    settings = EvaluationSettings(split=part)  # type: ignore[arg-type]
    found = rank_forms(model, dataset, settings, dataset.candidates, lambda stage: None)
    assert list(found) == [DEFINITIONS]
    held = [each for each in dataset.definitions if each.part == part]
    counts = np.bincount(dataset.forms.subclass[:, 1], minlength=names.n_classes)
    raw = found[DEFINITIONS]["transbox"].raw
    counted = found[DEFINITIONS]["naive"].raw
    assert len(raw) == len(held)
    for number, each in enumerate(held):
        first, rest = each.expression.removeprefix("ObjectIntersectionOf(").split(" ", 1)
        role, filler = rest.removeprefix("ObjectSomeValuesFrom(").rstrip(")").split(" ")
        b, d = (names.class_id(name.strip("<>")) for name in (first, filler))
        expression = And((Atom(b), Some(names.role_id(role.strip("<>")), Atom(d))))
        scorer = model.with_expressions([expression])
        scores = scorer.tails(np.array([names.n_classes], np.int32), None, dataset.candidates)[0]
        own = scores[dataset.candidates.tolist().index(each.class_id)]
        asked = dataset.candidates != b  # B ⊓ ∃r.D ⊑ B is no question
        assert raw.optimistic[number] == 1 + (scores[asked] > own).sum()
        assert raw.candidates[number] == asked.sum()
        assert raw.answers[number] == each.class_id
        assert counted.optimistic[number] == 1 + (counts[dataset.candidates[asked]] > counts[each.class_id]).sum()
    together = rank_forms(Ensemble([model, model]), dataset, settings, dataset.candidates, lambda stage: None)
    np.testing.assert_array_equal(together[DEFINITIONS]["transbox × 2"].raw.optimistic, raw.optimistic)
    other = Elbe(Sizes.of(dataset), Elbe.Settings(dimension=3), np.random.default_rng(0))
    assert list(rank_forms(other, dataset, settings, dataset.candidates, lambda stage: None)[DEFINITIONS]) == ["naive"]


def test_conjuncts_within_conjuncts_are_no_answers_and_what_is_below_a_role_is_one(tmp_path: Path) -> None:
    text = ontology_file(tmp_path).read_text(encoding="utf-8")
    nested = "ObjectIntersectionOf(:C1 ObjectIntersectionOf(:C2 ObjectSomeValuesFrom(:r0 :C3)))"
    path = tmp_path / "nested.ofn"
    path.write_text(text.rstrip().removesuffix(")") + f"EquivalentClasses(:C4 {nested})\n)\n", encoding="utf-8")
    dataset, _ = split_definitions(WholeDefinitions(path, (0.0, 0.0, 1.0)))
    names = dataset.vocabulary
    held = [each for each in dataset.definitions if "C2> ObjectSomeValuesFrom" in each.expression]
    naive = Naive.fit(dataset)
    raw = rank_definitions(naive, dataset, held, dataset.candidates)["naive"].raw
    counts = np.bincount(dataset.forms.subclass[:, 1], minlength=names.n_classes)
    for number, each in enumerate(held):
        in_it = [names.class_id(iri) for iri in re.findall(r"<([^>]*/C\d+)>", each.expression)]
        asked = [c for c in dataset.candidates.tolist() if c not in in_it[:-1]]  # the last is below the role
        assert raw.optimistic[number] == 1 + (counts[asked] > counts[each.class_id]).sum()
        assert raw.candidates[number] == len(asked)
    assert max(each.expression.count("ObjectIntersectionOf") for each in held) == 2


def test_the_command_and_its_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, data = ontology_file(tmp_path), tmp_path / "data"
    command = ["dataset", "split", str(path), "--definitions-whole", "-o", str(data)]
    assert main([*command, "--cold"]) == 2
    assert main([*command, "--split", "60:20:20"]) == 0
    run = elgeo.train(data, model="transbox", dimension=3, epochs=1, threads=1)
    figures = by_form(elgeo.evaluate(run).evaluation)
    assert list(figures) == ["C ⊑ D", "X ⊑ C of C ≡ X", "all"]
    assert set(figures["X ⊑ C of C ≡ X"]["methods"]) == {"transbox", "naive"}
    few = tmp_path / "few.ofn"
    few.write_text("Ontology(SubClassOf(<http://e.org/A> <http://e.org/B>))", encoding="utf-8")
    with pytest.raises(ElgeoError, match="of 0 definitions"):
        split_definitions(WholeDefinitions(few))
    with pytest.raises(SettingError, match="below 0"):
        WholeDefinitions(few, seed=-1)


def test_what_only_a_held_out_definition_names_stays_known(tmp_path: Path) -> None:
    text = ontology_file(tmp_path).read_text(encoding="utf-8").rstrip().removesuffix(")")
    more = [
        f"EquivalentClasses(:own{i} ObjectIntersectionOf(:C1 ObjectSomeValuesFrom(:of{i} :end{i})))" for i in range(9)
    ]
    path = tmp_path / "more.ofn"
    path.write_text("\n".join([text, *more, ")"]), encoding="utf-8")
    dataset, drops = split_definitions(WholeDefinitions(path, SHARES, seed=1))
    named = [name for i in range(9) for name in (f"own{i}", f"end{i}")]
    assert {f"http://example.org/{name}" for name in named} <= set(dataset.vocabulary.classes)
    assert {f"http://example.org/of{i}" for i in range(9)} <= set(dataset.vocabulary.roles)
    assert 0 < drops.counts["held-out definitions of a class that training does not mention"] < 9


def test_a_class_is_known_by_whatever_training_says_of_it(tmp_path: Path) -> None:
    """By what it is in, what is in it, what it is related to and what is related to it; of a third nothing is said."""
    told = ["SubClassOf(:D{0} :B)", "SubClassOf(:B :D{0})", "SubClassOf(:D{0} ObjectSomeValuesFrom(:q :B))"]
    told += ["SubClassOf(:B ObjectSomeValuesFrom(:q :D{0}))", "", ""]
    lines = ["Prefix(:=<http://e.org/>) Ontology(<http://e.org/o> SubClassOf(:B :Top)"]
    for i in range(24):
        lines.append(f"EquivalentClasses(:D{i} ObjectIntersectionOf(:Top ObjectSomeValuesFrom(:r :F)))")
        lines.append(told[i % 6].format(i))
    (tmp_path / "o.ofn").write_text("\n".join([*lines, ")"]), encoding="utf-8")
    dataset, drops = split_definitions(WholeDefinitions(tmp_path / "o.ofn", (0.1, 0.2, 0.7), seed=4))
    kept = {int(dataset.vocabulary.classes[each.class_id].rpartition("/D")[2]) for each in dataset.definitions}
    assert {i % 6 for i in kept} == {0, 1, 2, 3}
    assert len(kept) + drops.counts["held-out definitions of a class that training does not mention"] == 22

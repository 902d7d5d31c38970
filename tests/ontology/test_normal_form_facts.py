"""The facts of each normal form, written down once more by hand; and who else in the house names a form."""

from __future__ import annotations

import ast
from pathlib import Path

import numpy as np
import pytest

import elgeo
from elgeo.ontology.normal_forms import CODES, FORMS, PUBLISHED, TAILED, form_named
from elgeo.ontology.sentences import written
from elgeo.reasoning import Reasoner
from elgeo.reasoning.questions.row_text import row_text

# role columns, classes on the left, result, whether it has a tail, unordered, with ⊥ on the right, general form
FACTS: dict[str, tuple[tuple[int, ...], tuple[int, ...], int | None, bool, bool, str, str]] = {
    "subclass": ((), (0,), 1, True, False, "empty", "subclass"),
    "conjunction": ((), (0, 1), 2, True, True, "disjoint", "conjunction"),
    "existential": ((1,), (0,), 2, True, False, "", "existential"),
    "left_existential": ((0,), (1,), 2, True, False, "empty_existential", "left_existential"),
    "empty": ((), (0,), None, False, False, "", "subclass"),
    "disjoint": ((), (0, 1), None, False, True, "", "conjunction"),
    "empty_existential": ((0,), (1,), None, False, False, "", "left_existential"),
    "subrole": ((0, 1), (), 1, False, False, "", "subrole"),
    "chain": ((0, 1, 2), (), 2, False, False, "", "chain"),
    "reflexive": ((0,), (), None, False, False, "", "reflexive"),
    "self": ((1,), (0,), None, False, False, "", "self"),
    "left_self": ((0,), (), 1, False, False, "", "left_self"),
    "range": ((0,), (), 1, False, False, "", "range"),
}
MEANINGS = {
    "GCI0": "C ⊑ D",
    "GCI1": "C ⊓ D ⊑ E",
    "GCI2": "C ⊑ ∃R.D",
    "GCI3": "∃R.C ⊑ D",
    "GCI0-BOT": "C ⊑ ⊥",
    "GCI1-BOT": "C ⊓ D ⊑ ⊥",
    "GCI3-BOT": "∃R.C ⊑ ⊥",
    "RI0": "R ⊑ S",
    "RI1": "R ∘ S ⊑ T",
    "REFLEXIVE": "⊤ ⊑ ∃R.Self",
    "SELF": "C ⊑ ∃R.Self",
    "LEFT-SELF": "∃R.Self ⊑ D",
    "RANGE": "⊤ ⊑ ∀R.C",
}


@pytest.mark.parametrize("name", FORMS)
def test_the_facts_of_a_form(name: str) -> None:
    form = FORMS[name]
    roles, left, result, has_tail, unordered, with_bottom, general = FACTS[name]
    assert form.role_columns == roles
    assert sorted((*form.role_columns, *form.class_columns)) == list(range(form.width))
    assert form.left_classes == left
    assert form.result == result
    assert form.has_tail is has_tail
    assert form.unordered is unordered
    assert form.with_bottom == with_bottom
    assert form.general == general
    assert not left or form.head == left[0]
    assert form.width == form.meaning.translate(str.maketrans("", "", "⊑⊓∃∀⊤⊥∘. ")).replace("Self", "").__len__()


def test_the_names_of_the_forms() -> None:
    assert list(FORMS) == list(FACTS)
    assert {form.code: form.meaning for form in FORMS.values()} == MEANINGS
    assert list(CODES) == list(MEANINGS)
    assert tuple(FACTS)[:9] == PUBLISHED
    assert tuple(name for name, facts in FACTS.items() if facts[3]) == TAILED
    assert len({form.symbol for form in FORMS.values()}) == len(FORMS)
    assert form_named("GCI3").name == form_named("left_existential").name == "left_existential"
    with pytest.raises(elgeo.errors.SettingError, match="no normal form is called 'gci'; there are subclass, "):
        form_named("gci")


def test_the_sides_of_rows() -> None:
    two, three = np.array([[3, 4], [5, 6]], np.int32), np.array([[3, 4, 5], [6, 7, 8]], np.int32)
    heads, roles = FORMS["subclass"].sides(two)
    assert (heads.tolist(), roles) == ([3, 5], None)
    heads, roles = FORMS["conjunction"].sides(three)
    assert (heads.tolist(), roles) == ([[3, 4], [6, 7]], None)
    heads, roles = FORMS["existential"].sides(three)
    assert roles is not None
    assert (heads.tolist(), roles.tolist()) == ([3, 6], [4, 7])
    heads, roles = FORMS["left_existential"].sides(three)
    assert roles is not None
    assert (heads.tolist(), roles.tolist()) == ([4, 7], [3, 6])


TEXT = """Prefix(:=<http://example.org/>) Ontology(
SubClassOf(:A :B) SubClassOf(ObjectIntersectionOf(:A :B) :C) SubClassOf(:A ObjectSomeValuesFrom(:p :D))
SubClassOf(ObjectSomeValuesFrom(:p :C) :D) SubClassOf(:E owl:Nothing) DisjointClasses(:C :F)
SubClassOf(ObjectSomeValuesFrom(:q :F) owl:Nothing) SubObjectPropertyOf(:p :q)
SubObjectPropertyOf(ObjectPropertyChain(:p :q) :s) ReflexiveObjectProperty(:p) SubClassOf(:A ObjectHasSelf(:t))
SubClassOf(ObjectHasSelf(:t) :G) ObjectPropertyRange(:u :G))"""


def test_a_row_reads_back_as_itself_in_every_way_of_writing(tmp_path: Path) -> None:
    path = tmp_path / "all.ofn"
    path.write_text(TEXT)
    forms = elgeo.normalise(elgeo.read(path))
    assert all(len(forms.tables[name]) for name in FORMS), forms.counts()
    reasoner = Reasoner(forms)
    for name in FORMS:
        row = forms.tables[name][0].tolist()
        # each alone says what the row says: read back, it is the same normal form and nothing else
        again = tmp_path / "one.ofn"
        again.write_text(f"Ontology({row_text(name, row, forms.vocabulary)})")
        alone = elgeo.normalise(elgeo.read(again))
        counts = {code: n for code, n in alone.counts().items() if n}
        assert FORMS[name].code in counts, name
        assert name == "range" or len(counts) == 1, (name, counts)
        # the class of a range row stands for what is in the range, which a question cannot name
        if name != "range":
            assert reasoner.entails(written(name, row, forms.vocabulary)), name


SOURCE = Path(elgeo.__file__).parent
# a module that names columns of a normal form, or has a table by form: why it has to
COLUMNS = {
    "serve/library.py": "the rows that an accepted axiom becomes",
    "models/placement/knowledge.py": "told heads and tails by role",
    "reasoning/revisions/other_ways.py": "the rows by what the rule of each form looks at first",
    "ontology/normal_forms.py": "where they are defined",
    "reasoning/saturation/completion.py": "which rows change its index",
    "reasoning/saturation/index.py": "how each form is indexed for its rule",
    "reasoning/saturation/roles.py": "the role hierarchy is made of them",
    "reasoning/saturation/queries.py": "the rows that a query is made of",
    "reasoning/questions/drafts.py": "the rows that a draft is made of",
    "reasoning/closure/base.py": "the forms whose tails are kept as rows",
    "reasoning/closure/complete.py": "how each form is answered",
    "reasoning/closure/contradictions.py": "the element that each form speaks of",
    "reasoning/closure/listening.py": "what the rule of each form looks at",
    "reasoning/closure/modules.py": "roles bring classes in",
    "reasoning/closure/paper.py": "the forms whose tails are kept as rows",
    "reasoning/proofs/rules.py": "a rule for each form",
    "datasets/splits/definitions.py": "the rows that a definition is made of",
    "evaluation/by_form.py": "the forms that a target already is",
    "datasets/manifest.py": "a target is C ⊑ D or C ⊑ ∃R.D",
    "models/ball_models/geometry.py": "the geometry of each form",
    "models/ball_models/losses.py": "the loss of each form",
    "models/box_models/box2el.py": "which boxes lie in which",
    "models/box_models/boxel.py": "which boxes lie in which",
    "models/box_models/elbe.py": "which boxes lie in which",
    "models/box_models/transbox.py": "which boxes lie in which",
    "models/box_models/model.py": "the forms that have a loss",
    "models/box_models/terms.py": "which boxes lie in which",
    "models/lefts.py": "the forms whose left side is no class",
    "models/walks/projection.py": "the edges of each form",
    "models/boxes/halves.py": "the inequality of each form",
    "models/boxes/pool.py": "the forms whose random axioms are to be refuted",
    "models/boxes/problem.py": "which axioms a geometry of boxes has to make true",
    "models/boxes/disjoint.py": "the forms about nothing, and what keeps the sides of C ⊓ D together",
    "models/boxes/role_truth.py": "the truth of each form about roles",
    "models/boxes/tables.py": "what role axioms ask of tables",
    "models/graphs/models.py": "the forms that are edges",
    "models/ball_models/emelpp.py": "the forms that are about roles",
    "evaluation/predictions/expressions.py": "the rows that an expression is made of",
    "evaluation/measures/faithfulness.py": "the forms that are a question each",
    "experiments/presets.py": "the forms that the paper's settings name",
    "experiments/others.py": "the forms that published settings name",
}
# … and those that go by the letters of columns
LETTERS = {
    "ontology/normal_forms.py": "where they are defined",
    "models/ball_models/geometry.py": "truth is written with the letters of the columns",
    "models/ball_models/elem.py": "terms of losses name the columns they are made of",
    "models/box_models/autograd.py": "the common part of two boxes, by the letters of the columns",
    "models/ball_models/lens.py": "the common part of two balls, by the letters of the columns",
    "models/ball_models/engine.py": "terms of losses name the columns they are made of",
}


def names_columns(tree: ast.Module) -> bool:
    """Whether a module takes columns of a form's table (`forms.subclass[:, 0]`) or has a table by form of its own."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Tuple) and table_of_a_form(node.value):
            return True
        members = node.keys if isinstance(node, ast.Dict) else getattr(node, "elts", [])
        if sum(isinstance(member, ast.Constant) and member.value in FORMS for member in members) > 1:
            return True
    return False


def table_of_a_form(node: ast.expr) -> bool:
    if isinstance(node, ast.Subscript):
        return isinstance(node.slice, ast.Constant) and node.slice.value in FORMS
    return ast.unparse(node).endswith(tuple(f"forms.{name}" for name in FORMS))


def by_letters(text: str) -> bool:
    """Whether a module tells columns apart by their letters."""
    return any(mark in text for mark in ('"rst"', '"cde"', 'columns.index("', 'column["', "(FORMS[form].columns)"))


@pytest.mark.slow
def test_every_module_that_names_columns_is_known_with_its_reason() -> None:
    found = {path.relative_to(SOURCE).as_posix(): path.read_text() for path in SOURCE.rglob("*.py")}
    columns = {name for name, text in found.items() if names_columns(ast.parse(text))}
    assert columns - set(COLUMNS) == set(), "name a form's columns: take the fact from FORMS, or say in COLUMNS why not"
    assert set(COLUMNS) - columns == set(), "name no columns any more: take them off COLUMNS"
    letters = {name for name, text in found.items() if by_letters(text)}
    assert letters - set(LETTERS) == set(), "tell columns by their letter: use role_columns and class_columns"
    assert set(LETTERS) - letters == set(), "go by letters no more: take them off LETTERS"


@pytest.mark.parametrize(
    ("text", "does"),
    [
        ("forms.subclass[:, 0]", True),
        ("self.tables['chain'][mine, 2]", True),
        ("forms['range'][:, [0, 1]]", True),
        ("TAILED = ('subclass', 'existential')", True),
        ("LAST = {'subclass': 1, 'existential': 2}", True),
        ("forms.subclass[3]", False),
        ("rows = forms['range']", False),
        ("form == 'subclass'", False),
        ("x = ('subclass', 'other')", False),
        ("words[:, 0]", False),
    ],
)
def test_what_counts_as_naming_columns(text: str, does: bool) -> None:
    assert names_columns(ast.parse(text)) is does

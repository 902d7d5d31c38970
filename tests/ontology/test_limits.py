"""Limits: read off every axiom that has one, kept in order, through tables and back."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest

from elgeo.errors import ReadError
from elgeo.ontology import normalise
from elgeo.ontology.limits import ANY_ROLE, Limit, LimitKind, Limits
from elgeo.ontology.normal_forms import NormalForms
from elgeo.ontology.vocabulary import TOP
from elgeo.ontology.writing.tables import load_tables, save_tables
from tests.ontology.small import EX, small

TEXT = """
    SubClassOf(A ObjectIntersectionOf(B ObjectIntersectionOf(
        ObjectAllValuesFrom(r ObjectUnionOf(D ObjectUnionOf(C E))) ObjectSomeValuesFrom(r ObjectAllValuesFrom(s A)))))
    EquivalentClasses(F ObjectIntersectionOf(B ObjectAllValuesFrom(r ObjectIntersectionOf(C ObjectUnionOf(D E)))))
    SubClassOf(ObjectUnionOf(C D) ObjectAllValuesFrom(s ObjectUnionOf(A ObjectIntersectionOf(B C))))
    SubClassOf(Thing ObjectAllValuesFrom(s ObjectOneOf(_a _b))) ClassAssertion(ObjectAllValuesFrom(r E) _a)
    SubClassOf(B ObjectAllValuesFrom(ObjectInverseOf(r) C))
    SubClassOf(B ObjectAllValuesFrom(r ObjectSomeValuesFrom(s C)))
    SubClassOf(ObjectSomeValuesFrom(r C) ObjectAllValuesFrom(s D)) SubClassOf(ObjectAllValuesFrom(t C) E)
    SubClassOf(E ObjectMaxCardinality(1 s)) SubClassOf(E ObjectExactCardinality(1 r D))
    SubClassOf(E ObjectMaxCardinality(2 s)) SubClassOf(E ObjectMaxCardinality(0 r C)) SubClassOf(E ObjectUnionOf(A B))
    FunctionalObjectProperty(s) InverseFunctionalObjectProperty(t) ObjectPropertyDomain(t ObjectUnionOf(A D))
    ObjectPropertyRange(t ObjectUnionOf(E F)) DisjointUnion(D F C) SubClassOf(A ObjectAllValuesFrom(r Thing))
"""
SAID = {
    "A ⊑ ∀r.(C ⊔ D ⊔ E)",
    "F ⊑ ∀r.C",
    "F ⊑ ∀r.(D ⊔ E)",
    *(f"{c} ⊑ ∀s.{union}" for c in "CD" for union in ("(A ⊔ B)", "(A ⊔ C)")),
    "⊤ ⊑ ∀s.(a ⊔ b)",
    "a ⊑ ∀r.E",
    "E ⊑ ≤1 s",
    "E ⊑ ≤1 r.D",
    "E ⊑ A ⊔ B",
    "⊤ ⊑ ≤1 s",
    "∃t.⊤ ⊑ A ⊔ D",
    "⊤ ⊑ ∀t.(E ⊔ F)",
    "D ⊑ C ⊔ F",
}


def said(forms: NormalForms) -> set[str]:
    """Limits in words, the classes of unions by name."""
    found = set()
    for limit in forms.limits:
        fillers = tuple(sorted(limit.fillers, key=forms.vocabulary.class_label))
        below = np.append(limit.class_id, forms.subclass[forms.subclass[:, 1] == limit.class_id, 0])
        found.add(limit._replace(fillers=fillers).text(forms.vocabulary, int(below[-1])))
    return found


def test_limits_are_read_wherever_they_stand() -> None:
    forms = normalise(small(TEXT))
    assert said(forms) == SAID
    assert forms.source is not None
    for limit in forms.limits:
        text = forms.source.text(int(forms.source.axiom_nodes[limit.axiom]))
        assert all(forms.vocabulary.classes[c] in text for c in limit.fillers if c != 0)
    beyond = {axiom for _, axiom in forms.unsupported}
    assert {limit.axiom for limit in forms.limits} <= beyond
    assert forms.limits.n_axioms < len(beyond)


def test_a_name_for_an_expression_has_its_limit() -> None:
    text = "SubClassOf(A ObjectAllValuesFrom(r {0})) SubClassOf(B ObjectAllValuesFrom(r {0})) SubClassOf({1} C)"
    union = "ObjectUnionOf(D E)"
    forms = normalise(small(text.format(union, f"ObjectAllValuesFrom(r {union})")))
    (limit,) = (each for each in forms.limits if each.kind == LimitKind.ONLY)
    a = forms.vocabulary.class_id("A")
    assert limit.text(forms.vocabulary, a).startswith("A ⊑ ∀r.(")
    assert limit.class_id in forms.subclass[forms.subclass[:, 0] == a, 1]
    assert limit.axiom == 0, "the first of those that say it"


@pytest.mark.parametrize(
    "axiom",
    [
        "SubClassOf(E ObjectMaxCardinality(1 r ObjectIntersectionOf(A B)))",
        "SubClassOf(E ObjectMaxCardinality(1 ObjectInverseOf(r) D))",
        "SubClassOf(E ObjectMaxCardinality(1 topRole D))",
        "SubClassOf(E ObjectExactCardinality(2 r D))",
        "SubClassOf(ObjectSomeValuesFrom(r A) ObjectUnionOf(B C))",
        "SubClassOf(ObjectSomeValuesFrom(topRole Thing) ObjectUnionOf(B C))",
        "SubClassOf(ObjectIntersectionOf(A D) ObjectUnionOf(B C))",
        "SubClassOf(ObjectIntersectionOf(A D) ObjectAllValuesFrom(r C))",
    ],
)
def test_of_what_has_no_row_nothing_is_kept(axiom: str) -> None:
    """One of a class, one to a class, a union over a class or over all that has a link: nothing else is a limit."""
    forms = normalise(small(f"SubClassOf(A ObjectSomeValuesFrom(r D)) {axiom}"))
    assert list(forms.limits) == []
    assert len(forms.unsupported) == 1


def test_everything_may_be_one_of_some() -> None:
    assert said(normalise(small("SubClassOf(Thing ObjectUnionOf(A B)) SubClassOf(C A)"))) == {"⊤ ⊑ A ⊔ B"}


@pytest.mark.parametrize(
    ("filler", "limits"),
    [
        ("ObjectUnionOf(B Thing)", set()),
        ("ObjectUnionOf(B Nothing)", {"A ⊑ ∀r.B"}),
        ("ObjectUnionOf(B ObjectIntersectionOf(C Nothing))", {"A ⊑ ∀r.(B ⊔ C)", "A ⊑ ∀r.B"}),
        ("ObjectIntersectionOf(B Thing)", {"A ⊑ ∀r.B"}),
    ],
)
def test_everything_and_nothing_in_fillers(filler: str, limits: set[str]) -> None:
    assert said(normalise(small(f"SubClassOf(A ObjectAllValuesFrom(r {filler}))"))) == limits


def test_a_filler_with_a_name_of_its_own_is_the_union_that_it_stands_for() -> None:
    union, many = "ObjectUnionOf(D E)", "ObjectMinCardinality(2 s D)"
    forms = normalise(
        small(
            f"SubClassOf(A ObjectAllValuesFrom(r {union})) SubClassOf({union} C) EquivalentClasses(F {union}) "
            f"SubClassOf(B ObjectAllValuesFrom(r {many})) SubClassOf({many} C) EquivalentClasses(G {many})"
        )
    )
    only = [limit for limit in forms.limits if limit.kind == LimitKind.ONLY]
    names = [[forms.vocabulary.classes[c].replace(EX, "") for c in limit.fillers] for limit in only]
    assert [forms.vocabulary.class_label(limit.class_id) for limit in only] == ["A", "B"]
    assert names == [["D", "E"], ["ObjectMinCardinality(2 <s> <D>)"]]


def test_a_filler_of_too_many_unions_is_left_alone() -> None:
    """A union of conjunctions is a conjunction of unions, of one member of each: sixty-four of them at most."""

    def limits(*sizes: int) -> list[tuple[str, ...]]:
        names = [" ".join(f"{letter}{j}" for j in range(n)) for letter, n in zip("BCDEFG", sizes, strict=False)]
        parts = [f"ObjectIntersectionOf({members})" for members in names]
        forms = normalise(small(f"SubClassOf(A ObjectAllValuesFrom(r ObjectUnionOf({' '.join(parts)})))"))
        assert {limit.kind for limit in forms.limits} <= {LimitKind.ONLY}
        return sorted(tuple(sorted(forms.vocabulary.class_label(d) for d in limit.fillers)) for limit in forms.limits)

    everything = product(*([f"{letter}{j}" for j in range(2)] for letter in "BCDEFG"))
    assert limits(2, 2, 2, 2, 2, 2) == sorted(everything)
    assert len(limits(4, 16)) == 64
    assert limits(5, 13) == []


def test_what_el_can_say_has_no_limits_and_no_table(tmp_path: Path) -> None:
    forms = normalise(small("SubClassOf(A ObjectSomeValuesFrom(r B)) SubClassOf(A ObjectAllValuesFrom(r Nothing))"))
    assert not len(forms.limits)
    save_tables(forms, tmp_path / "t", "parquet")
    assert not (tmp_path / "t" / "limits.parquet").exists()
    assert not len(load_tables(tmp_path / "t").limits)


@pytest.mark.parametrize("format", ["tsv", "parquet"])
def test_tables_give_the_same_limits(tmp_path: Path, format: str) -> None:
    forms = normalise(small(TEXT))
    save_tables(forms, tmp_path / "t", format)
    again = load_tables(tmp_path / "t")
    assert list(again.limits) == list(forms.limits)
    assert len(again.limits) == len(SAID)


def test_limits_without_classes_and_twice_the_same() -> None:
    made = [Limit(LimitKind.ONLY, 7, 2, (5, 4, 5), 9), Limit(LimitKind.ONLY, 7, 2, (4, 5), 3)]
    found = Limits.of([*made, Limit(LimitKind.ONLY, 3, 1, (), 8)])
    assert list(found) == [Limit(LimitKind.ONLY, 3, 1, (), 8), Limit(LimitKind.ONLY, 7, 2, (4, 5), 3)]
    assert list(Limits.from_table(found.table)) == list(found)
    assert len(found.table) == 3


@pytest.mark.parametrize(
    ("column", "value", "words"),
    [
        ("kind", "never", "kind: none is called"),
        ("c", "999", "ids that no class or role has"),
        ("r", "-1", "only a cover"),
        ("d", "-1", "exactly one class"),
        ("limit", "1", "rows of one limit"),
        # the first that is none: of the limits, classes, roles and axioms
        ("limit", "2", "ids that no class or role has"),
        ("c", "2", "ids that no class or role has"),
        ("r", "3", "ids that no class or role has"),
        ("d", "2", "ids that no class or role has"),
        ("axiom", "2147483648", "ids that no class or role has"),
        ("limit", "-1", "ids that no class or role has"),
        ("c", "-1", "ids that no class or role has"),
        ("r", "-2", "ids that no class or role has"),
        ("d", "-2", "ids that no class or role has"),
        ("axiom", "-2", "ids that no class or role has"),
    ],
)
def test_a_damaged_table_is_refused(tmp_path: Path, column: str, value: str, words: str) -> None:
    save_tables(normalise(small("FunctionalObjectProperty(r) FunctionalObjectProperty(s)")), tmp_path / "t")
    path = tmp_path / "t" / "limits.tsv"
    header, first, *rest = path.read_text().split("\n")
    cells = first.split("\t")
    cells[header.split("\t").index(column)] = value
    path.write_text("\n".join([header, "\t".join(cells), *rest]))
    with pytest.raises(ReadError, match=words):
        load_tables(tmp_path / "t")


@pytest.mark.parametrize(("column", "value"), [("kind", "cover"), ("c", "4"), ("r", "2"), ("axiom", "1")])
def test_the_rows_of_a_limit_differ_in_the_class_they_name_alone(tmp_path: Path, column: str, value: str) -> None:
    said = "SubClassOf(A ObjectAllValuesFrom(r ObjectUnionOf(B C))) ObjectPropertyDomain(s ObjectUnionOf(C D))"
    save_tables(normalise(small(said)), tmp_path / "t")
    path = tmp_path / "t" / "limits.tsv"
    header, *lines = (line.split("\t") for line in path.read_text().removesuffix("\n").split("\n"))
    place = header.index(column)
    assert [line[0] for line in lines] == ["0", "0", "1", "1"]
    assert lines[0][place] == lines[1][place] != value
    lines[1][place] = value
    path.write_text("".join("\t".join(line) + "\n" for line in [header, *lines]))
    with pytest.raises(ReadError, match="rows of one limit speak of different classes, roles or axioms"):
        load_tables(tmp_path / "t")


@pytest.mark.parametrize(
    ("limit", "text"),
    [
        (Limit(LimitKind.COVER, 2, ANY_ROLE, (3, 4)), "A ⊑ B ⊔ C"),
        (Limit(LimitKind.COVER, 2, 1, (3, 4)), "A ⊓ ∃r.⊤ ⊑ B ⊔ C"),
        (Limit(LimitKind.COVER, TOP, 1, (3,)), "∃r.⊤ ⊑ B"),
        (Limit(LimitKind.COVER, TOP, ANY_ROLE, (3, 2)), "⊤ ⊑ B ⊔ A"),
        (Limit(LimitKind.ONLY, TOP, 1, ()), "⊤ ⊑ ∀r.⊥"),
        (Limit(LimitKind.ONLY, 3, 1, (2,)), "B ⊑ ∀r.A"),
        (Limit(LimitKind.ONE, 3, 1, (TOP,)), "B ⊑ ≤1 r"),
        (Limit(LimitKind.ONE, TOP, 1, (2,)), "⊤ ⊑ ≤1 r.A"),
    ],
)
def test_limits_in_words(limit: Limit, text: str) -> None:
    names = normalise(small("SubClassOf(A B) SubClassOf(C ObjectSomeValuesFrom(r B))")).vocabulary
    assert [names.class_label(c) for c in (2, 3, 4)] == ["A", "B", "C"]
    assert limit.text(names) == text


def test_many_classes_are_counted() -> None:
    names = normalise(small(" ".join(f"SubClassOf(A{i} B)" for i in range(12)))).vocabulary
    ids = tuple(np.arange(2, 12).tolist())
    assert Limit(LimitKind.COVER, 2, -1, ids).text(names).endswith(" ⊔ 4 more")
    seven, six = (Limit(LimitKind.COVER, 2, ANY_ROLE, ids[:n]).text(names) for n in (7, 6))
    assert seven == f"{six} ⊔ 1 more"
    assert six.count("⊔") == 5

"""`NormalForms`: an ontology as integer tables, one for each normal form of EL++."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, get_args

import numpy as np

from elgeo.arrays import Table
from elgeo.errors import SettingError
from elgeo.ontology import glimpse
from elgeo.ontology.limits import NO_LIMITS, Limits
from elgeo.ontology.model import Ontology
from elgeo.ontology.vocabulary import Vocabulary


@dataclass(frozen=True)
class Form:
    """One normal form, and every fact about it that depends on the form alone.

    Columns are named by letters: r, s, t hold roles, c, d, e classes. The three texts have a place for each column.
    """

    name: str
    code: str
    """The field's name."""
    columns: tuple[str, ...]
    logic: str
    """How a row is printed in description logic …"""
    functional: str
    """… in OWL's functional syntax …"""
    words: str
    """… and as a person writes it, in Manchester syntax."""
    symbol: str
    """What stands for the form where there is little room."""
    with_bottom: str = ""
    """The form that a row belongs in when its last class is ⊥; none where ⊥ is like any class or there is none."""

    @property
    def width(self) -> int:
        return len(self.columns)

    @cached_property
    def meaning(self) -> str:
        """The form with capitals for its classes and roles: `C ⊑ ∃R.D`."""
        return self.logic.format(**{column: column.upper() for column in self.columns})

    @cached_property
    def published(self) -> bool:
        """One of the nine forms of the literature: closures list it, and models may train on it."""
        return self.code.startswith(("GCI", "RI"))

    @cached_property
    def role_columns(self) -> tuple[int, ...]:
        return tuple(i for i, column in enumerate(self.columns) if column in "rst")

    @cached_property
    def class_columns(self) -> tuple[int, ...]:
        return tuple(i for i in range(self.width) if i not in self.role_columns)

    @cached_property
    def result(self) -> int | None:
        """The column with the class or role that a row concludes, the last; None where ⊥ or a loop is concluded."""
        return self.width - 1 if self.logic.endswith(f"{{{self.columns[-1]}}}") else None

    @cached_property
    def left_classes(self) -> tuple[int, ...]:
        """The columns whose classes all have to be there for a row to say something; none in axioms about roles."""
        return tuple(i for i in self.class_columns if i != self.result)

    @cached_property
    def head(self) -> int:
        """The column of the first class."""
        return self.class_columns[0]

    @cached_property
    def has_tail(self) -> bool:
        """A published form with a class on the right, in its last column: it can be drawn, ranked or corrupted."""
        return self.published and self.result is not None and self.result in self.class_columns

    @cached_property
    def unordered(self) -> bool:
        """C ⊓ D is D ⊓ C: the first two columns may change places."""
        return len(self.left_classes) == 2

    @cached_property
    def general(self) -> str:
        """The form that this one is a case of, with ⊥ as its last class; its own name where it is no such case."""
        return next((form.name for form in FORMS.values() if form.with_bottom == self.name), self.name)

    def sides(self, rows: Table) -> tuple[Table, Table | None]:
        """The classes on the left (pairs where there are two) and the roles, if there are roles, of given rows."""
        heads = rows[:, self.head] if len(self.left_classes) == 1 else rows[:, list(self.left_classes)]
        return heads, rows[:, self.role_columns[0]] if self.role_columns else None


FORMS: dict[str, Form] = {
    form.name: form
    for form in (
        Form(
            "subclass",
            "GCI0",
            ("c", "d"),
            "{c} ⊑ {d}",
            "SubClassOf({c} {d})",
            "{c} SubClassOf {d}",
            "⊑",
            with_bottom="empty",
        ),
        Form(
            "conjunction",
            "GCI1",
            ("c", "d", "e"),
            "{c} ⊓ {d} ⊑ {e}",
            "SubClassOf(ObjectIntersectionOf({c} {d}) {e})",
            "{c} and {d} SubClassOf {e}",
            "⊓",
            with_bottom="disjoint",
        ),
        Form(
            "existential",
            "GCI2",
            ("c", "r", "d"),
            "{c} ⊑ ∃{r}.{d}",
            "SubClassOf({c} ObjectSomeValuesFrom({r} {d}))",
            "{c} SubClassOf {r} some {d}",
            "∃",
        ),
        Form(
            "left_existential",
            "GCI3",
            ("r", "c", "d"),
            "∃{r}.{c} ⊑ {d}",
            "SubClassOf(ObjectSomeValuesFrom({r} {c}) {d})",
            "{r} some {c} SubClassOf {d}",
            "∃⊑",
            with_bottom="empty_existential",
        ),
        Form("empty", "GCI0-BOT", ("c",), "{c} ⊑ ⊥", "SubClassOf({c} owl:Nothing)", "{c} SubClassOf owl:Nothing", "⊑⊥"),
        Form(
            "disjoint",
            "GCI1-BOT",
            ("c", "d"),
            "{c} ⊓ {d} ⊑ ⊥",
            "SubClassOf(ObjectIntersectionOf({c} {d}) owl:Nothing)",
            "{c} DisjointWith {d}",
            "⊓⊥",
        ),
        Form(
            "empty_existential",
            "GCI3-BOT",
            ("r", "c"),
            "∃{r}.{c} ⊑ ⊥",
            "SubClassOf(ObjectSomeValuesFrom({r} {c}) owl:Nothing)",
            "{r} some {c} SubClassOf owl:Nothing",
            "∃⊥",
        ),
        Form("subrole", "RI0", ("r", "s"), "{r} ⊑ {s}", "SubObjectPropertyOf({r} {s})", "{r} SubPropertyOf {s}", "r⊑"),
        Form(
            "chain",
            "RI1",
            ("r", "s", "t"),
            "{r} ∘ {s} ⊑ {t}",
            "SubObjectPropertyOf(ObjectPropertyChain({r} {s}) {t})",
            "{r} o {s} SubPropertyOf {t}",
            "∘",
        ),
        # EL++ beyond the nine forms of the literature; the geometric models do not train on these
        Form(
            "reflexive",
            "REFLEXIVE",
            ("r",),
            "⊤ ⊑ ∃{r}.Self",
            "ReflexiveObjectProperty({r})",
            "owl:Thing SubClassOf {r} Self",
            "⊤∃",
        ),
        Form(
            "self",
            "SELF",
            ("c", "r"),
            "{c} ⊑ ∃{r}.Self",
            "SubClassOf({c} ObjectHasSelf({r}))",
            "{c} SubClassOf {r} Self",
            "⊑Self",
        ),
        Form(
            "left_self",
            "LEFT-SELF",
            ("r", "d"),
            "∃{r}.Self ⊑ {d}",
            "SubClassOf(ObjectHasSelf({r}) {d})",
            "{r} Self SubClassOf {d}",
            "Self⊑",
        ),
        Form("range", "RANGE", ("r", "c"), "⊤ ⊑ ∀{r}.{c}", "ObjectPropertyRange({r} {c})", "{r} Range {c}", "∀"),
    )
}
TailedForm = Literal["subclass", "conjunction", "existential", "left_existential"]
"""The forms with a tail, for settings that name some of them."""
TAILED: tuple[TailedForm, ...] = get_args(TailedForm)
PUBLISHED = tuple(name for name, form in FORMS.items() if form.published)
"""The nine forms of the literature."""
CODES = {form.code: form.name for form in FORMS.values()}


def form_named(name: str) -> Form:
    """The form under our name (`existential`) or the field's (`GCI2`)."""
    try:
        return FORMS[CODES.get(name, name)]
    except KeyError:
        raise SettingError(f"no normal form is called {name!r}; there are {', '.join(FORMS)}") from None


def no_inverses() -> Table:
    """Of an ontology in which no role is the inverse of another."""
    return np.empty((0, 2), np.int32)


@dataclass(frozen=True, eq=False)
class NormalForms:
    """Tables of class and role ids; no row twice, no tautologies.

    Ranges are already worked into the right-hand existentials (∃R.D became ∃R.(D ⊓ range of R), a fresh class). The
    `range` table has for each role with a range, own or inherited, the fresh class that stands for it, so that queries
    can be treated alike; it needs no closing under the role hierarchy.
    """

    vocabulary: Vocabulary
    tables: Mapping[str, Table]
    """By form name; every form is present, with shape (n, number of columns)."""
    origins: Mapping[str, Table] = field(default_factory=dict)
    """By form name, pairs (row, axiom number in `source`) sorted by row. A row without origin is the definition of a
    fresh name: true whatever the ontology says."""
    source: Ontology | None = None
    unsupported: tuple[tuple[str, int], ...] = ()
    """(kind, axiom number in `source`) of each axiom that EL++ cannot say in full."""
    limits: Limits = NO_LIMITS
    """What such axioms say that rules suggestions out: reasoning does not look at it, `contradicts` does."""
    inverses: Table = field(default_factory=no_inverses)
    """Pairs of roles r, s with r⁻ = s, both ways, sorted; the fresh role that stands for r⁻ is one too. Reasoning has
    what EL++ can say of them in `tables`; graphs are drawn from this."""

    def __getitem__(self, name: str) -> Table:
        return self.tables[form_named(name).name]

    @property
    def subclass(self) -> Table:
        """C ⊑ D (GCI0): c, d."""
        return self.tables["subclass"]

    @property
    def conjunction(self) -> Table:
        """C ⊓ D ⊑ E (GCI1): c, d, e."""
        return self.tables["conjunction"]

    @property
    def existential(self) -> Table:
        """C ⊑ ∃R.D (GCI2): c, r, d."""
        return self.tables["existential"]

    @property
    def left_existential(self) -> Table:
        """∃R.C ⊑ D (GCI3): r, c, d."""
        return self.tables["left_existential"]

    @property
    def empty(self) -> Table:
        """C ⊑ ⊥ (GCI0-BOT): c."""
        return self.tables["empty"]

    @property
    def disjoint(self) -> Table:
        """C ⊓ D ⊑ ⊥ (GCI1-BOT): c, d."""
        return self.tables["disjoint"]

    @property
    def empty_existential(self) -> Table:
        """∃R.C ⊑ ⊥ (GCI3-BOT): r, c."""
        return self.tables["empty_existential"]

    @property
    def subrole(self) -> Table:
        """R ⊑ S (RI0): r, s."""
        return self.tables["subrole"]

    @property
    def chain(self) -> Table:
        """R ∘ S ⊑ T (RI1): r, s, t."""
        return self.tables["chain"]

    def __repr__(self) -> str:
        rows = {f"{form.meaning}": len(self.tables[name]) for name, form in FORMS.items()}
        said = ", ".join(f"{n:,} {meaning}" for meaning, n in rows.items() if n) or "no rows"
        return f"<NormalForms: {said}; {self.vocabulary.n_classes:,} classes, {self.vocabulary.n_roles:,} roles>"

    def _repr_html_(self) -> str:
        rows = {f"{form.meaning} ({form.code})": len(self.tables[name]) for name, form in FORMS.items()}
        sizes = {"classes": self.vocabulary.n_classes, "roles": self.vocabulary.n_roles}
        return glimpse.table("NormalForms", {**rows, **sizes, "axioms EL++ cannot say in full": len(self.unsupported)})

    def counts(self) -> dict[str, int]:
        """Rows of each form, under the field's names."""
        return {form.code: len(self.tables[name]) for name, form in FORMS.items()}


def empty_tables() -> dict[str, Table]:
    """A table without rows for every form."""
    return {name: np.empty((0, form.width), np.int32) for name, form in FORMS.items()}

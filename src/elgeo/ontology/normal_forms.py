"""`NormalForms`: an ontology as integer tables, one for each normal form of EL++."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from elgeo.errors import SettingError
from elgeo.ontology.model import Ontology
from elgeo.ontology.vocabulary import Vocabulary

Table = NDArray[np.int32]


class Form(NamedTuple):
    """One normal form: our name, the field's name, its columns (r, s, t are roles, the others classes), its shape."""

    name: str
    code: str
    columns: tuple[str, ...]
    meaning: str


FORMS: dict[str, Form] = {
    form.name: form
    for form in (
        Form("subclass", "GCI0", ("c", "d"), "C ⊑ D"),
        Form("conjunction", "GCI1", ("c", "d", "e"), "C ⊓ D ⊑ E"),
        Form("existential", "GCI2", ("c", "r", "d"), "C ⊑ ∃R.D"),
        Form("left_existential", "GCI3", ("r", "c", "d"), "∃R.C ⊑ D"),
        Form("empty", "GCI0-BOT", ("c",), "C ⊑ ⊥"),
        Form("disjoint", "GCI1-BOT", ("c", "d"), "C ⊓ D ⊑ ⊥"),
        Form("empty_existential", "GCI3-BOT", ("r", "c"), "∃R.C ⊑ ⊥"),
        Form("subrole", "RI0", ("r", "s"), "R ⊑ S"),
        Form("chain", "RI1", ("r", "s", "t"), "R ∘ S ⊑ T"),
        # EL++ beyond the nine forms of the literature; the geometric models do not train on these
        Form("reflexive", "REFLEXIVE", ("r",), "⊤ ⊑ ∃R.Self"),
        Form("self", "SELF", ("c", "r"), "C ⊑ ∃R.Self"),
        Form("left_self", "LEFT-SELF", ("r", "d"), "∃R.Self ⊑ D"),
        Form("range", "RANGE", ("r", "c"), "⊤ ⊑ ∀R.C"),
    )
}
CODES = {form.code: form.name for form in FORMS.values()}


def form_named(name: str) -> Form:
    """The form under our name (`existential`) or the field's (`GCI2`)."""
    try:
        return FORMS[CODES.get(name, name)]
    except KeyError:
        raise SettingError(f"no normal form is called {name!r}; there are {', '.join(FORMS)}") from None


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

    def counts(self) -> dict[str, int]:
        """Rows of each form, under the field's names."""
        return {form.code: len(self.tables[name]) for name, form in FORMS.items()}


def empty_tables() -> dict[str, Table]:
    """A table without rows for every form."""
    return {name: np.empty((0, len(form.columns)), np.int32) for name, form in FORMS.items()}

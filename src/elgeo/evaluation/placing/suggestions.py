"""What is said of a new term: classes that exist already, parents, relations, reasons, and what would follow."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from elgeo.documents import shown
from elgeo.errors import SettingError
from elgeo.models.placement.terms import Term

_ID = re.compile(r'[A-Za-z][\w.+-]*:[^\s<>"{}|\\^`]+')


@dataclass(frozen=True)
class Proposal:
    """A new term as its author gives it: an id, its words, and axioms that are known already."""

    label: str
    definition: str = ""
    synonyms: tuple[str, ...] = ()
    axioms: tuple[str, ...] = ()
    """`NEW SubClassOf …`: what stands on the right may be any EL expression."""
    id: str = ""

    def __post_init__(self) -> None:
        if not self.label.strip():
            raise SettingError("a new term needs a label: it is empty")
        if self.id and not _ID.fullmatch(self.id):
            raise SettingError(f"the id of a new term has to be like X:0001 or an IRI, not {shown(self.id)}")

    @property
    def term(self) -> Term:
        return Term.of(self.label.strip(), self.synonyms, self.definition)


NEAR_NAME = "near name"
BY_SYNONYM = ", by a synonym given"
"""Added where it is not the label of the new term that exists already."""


@dataclass(frozen=True)
class Existing:
    """A class that may be the term itself."""

    class_id: int
    how: str
    likeness: float


@dataclass(frozen=True)
class Suggestion:
    """A class as parent, or as the end of a role."""

    class_id: int
    share: float
    """How much of the belief in all classes is on this one, from 0 to 1."""
    reasons: tuple[str, ...] = ()
    verdict: str = ""
    """What the reasoner says to it, if anything."""


@dataclass(frozen=True)
class Placed:
    """All that is said of one term."""

    proposal: Proposal
    existing: Sequence[Existing]
    parents: Sequence[Suggestion]
    relations: Mapping[int, Sequence[Suggestion]] = field(default_factory=dict)
    """By role; only roles that classes like the term have."""
    follows: Sequence[int] = ()
    """Superclasses that the term would have if the first parent that contradicts nothing were added."""
    known_words: bool = True
    """Whether any of its words is known: if not, nothing but frequency speaks."""

    @property
    def first_parents(self) -> list[Suggestion]:
        """The first parent that contradicts nothing, alone: what an editor would begin with."""
        return [parent for parent in self.parents if not parent.verdict.startswith("contradicts")][:1]

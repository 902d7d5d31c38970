"""`Limits`: what EL++ cannot say of classes but what rules suggestions out: only, at most one, one of these."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

import numpy as np

from elgeo.arrays import Ints, Longs, Table
from elgeo.ontology.short_names import called, role_called
from elgeo.ontology.vocabulary import TOP, Kind, Vocabulary

ANY_ROLE = -1
"""In place of a role, where a limit asks for none."""
NO_AXIOM = -1
COLUMNS = ("limit", "kind", "c", "r", "d", "axiom")
"""The columns of `Limits.table`."""
_NO_CLASS = -1
_MOST_NAMED = 6


class LimitKind(IntEnum):
    """How a limit of C, with a role R and classes D₁, D₂, … is meant."""

    ONLY = 0  # C ⊑ ∀R.(D₁ ⊔ D₂ ⊔ …)
    ONE = 1  # C ⊑ ≤1 R.D
    COVER = 2  # C ⊓ ∃R.⊤ ⊑ D₁ ⊔ D₂ ⊔ …, or C ⊑ D₁ ⊔ D₂ ⊔ … without a role


class Limit(NamedTuple):
    """One of them; sorts by what it says."""

    kind: LimitKind
    class_id: int
    role: int
    fillers: tuple[int, ...]
    axiom: int = NO_AXIOM
    """The axiom of the source that it comes from."""

    def text(self, names: Vocabulary, of: int | None = None) -> str:
        """In description logic, with the names that people use; `of` is who has it, for the limit of an expression."""
        whose = of if of is not None and names.class_kinds[self.class_id] == Kind.FRESH else self.class_id
        fillers = [called(names, d) for d in self.fillers[:_MOST_NAMED]]
        if len(self.fillers) > _MOST_NAMED:
            fillers.append(f"{len(self.fillers) - _MOST_NAMED:,} more")
        right, left = " ⊔ ".join(fillers) or "⊥", "⊤" if whose == TOP else called(names, whose)
        role = "" if self.role == ANY_ROLE else role_called(names, self.role)
        match self.kind:
            case LimitKind.ONLY:
                return f"{left} ⊑ ∀{role}.{f'({right})' if len(fillers) > 1 else right}"
            case LimitKind.ONE:
                return f"{left} ⊑ ≤1 {role}" + ("" if self.fillers == (TOP,) else f".{right}")
            case LimitKind.COVER:
                having = f"∃{role}.⊤" if role else ""
                sides = [having] if having and self.class_id == TOP else [left, *([having] if having else [])]
                return f"{' ⊓ '.join(sides)} ⊑ {right}"


@dataclass(frozen=True, eq=False)
class Limits:
    """Limits by number: `fillers[start[i]:start[i + 1]]` are the classes of limit i."""

    kinds: Ints
    classes: Ints
    roles: Ints
    axioms: Ints
    start: Longs
    fillers: Ints

    @classmethod
    def of(cls, limits: Iterable[Limit]) -> Limits:
        """Each once, in an order that does not depend on that of the axioms; of equal ones the first axiom is kept."""
        first: dict[tuple[int, int, int, tuple[int, ...]], int] = {}
        for kind, class_id, role, fillers, axiom in limits:
            key = int(kind), class_id, role, tuple(sorted(set(fillers)))
            first[key] = min(axiom, first.get(key, axiom))
        keys = sorted(first)
        kinds, classes, roles = np.array([key[:3] for key in keys], np.int32).reshape(-1, 3).T
        return cls(
            np.ascontiguousarray(kinds),
            np.ascontiguousarray(classes),
            np.ascontiguousarray(roles),
            np.array([first[key] for key in keys], np.int32),
            np.cumsum([0, *(len(key[3]) for key in keys)], dtype=np.int64),
            np.array([d for key in keys for d in key[3]], np.int32),
        )

    @classmethod
    def from_table(cls, table: Table) -> Limits:
        """What `table` made."""
        found: dict[int, tuple[int, int, int, int, list[int]]] = {}
        for number, kind, c, r, d, axiom in table.tolist():
            fillers = found.setdefault(number, (kind, c, r, axiom, []))[4]
            fillers += [d] if d != _NO_CLASS else []
        return cls.of(Limit(LimitKind(kind), c, r, tuple(ds), axiom) for kind, c, r, axiom, ds in found.values())

    @property
    def table(self) -> Table:
        """A row for each class of each limit, in `COLUMNS`; a limit without classes (C ⊑ ∀R.⊥) has one too."""
        rows = [
            (i, *limit[:3], d, limit.axiom) for i, limit in enumerate(self) for d in (limit.fillers or (_NO_CLASS,))
        ]
        return np.array(rows, np.int32).reshape(-1, len(COLUMNS))

    def __iter__(self) -> Iterator[Limit]:
        return (self[number] for number in range(len(self)))

    def __len__(self) -> int:
        return len(self.kinds)

    def __getitem__(self, number: int) -> Limit:
        fillers = self.fillers[self.start[number] : self.start[number + 1]].tolist()
        kind, class_id, role = (int(column[number]) for column in (self.kinds, self.classes, self.roles))
        return Limit(LimitKind(kind), class_id, role, tuple(fillers), int(self.axioms[number]))

    @property
    def n_axioms(self) -> int:
        """How many axioms they come from."""
        return len(np.unique(self.axioms[self.axioms != NO_AXIOM]))


NO_LIMITS = Limits.of(())

"""`Entailments`: what the training axioms entail about the target, worked out when it is first asked for."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from elgeo.arrays import Ids, Table
from elgeo.datasets.model import Dataset
from elgeo.evaluation.measures.hierarchy import ClassHierarchy
from elgeo.ontology.vocabulary import Kind
from elgeo.reasoning import Reasoner
from elgeo.reasoning.closure.base import Closure
from elgeo.reasoning.closure.tail_rows import TailRows, ranges

Pairs = tuple[Ids, Ids]
Found = TypeVar("Found")

ROWS_AT_ONCE = 1 << 20


class Entailments:
    """The closure and the hierarchy of a dataset's training axioms."""

    def __init__(self, dataset: Dataset, mode: str = "complete") -> None:
        self.dataset, self.mode = dataset, mode
        self._found: dict[Hashable, Any] = {}

    def once(self, what: Hashable, work_out: Callable[[], Found]) -> Found:
        """What was worked out about the dataset under this name before, or else is worked out now."""
        if what not in self._found:
            self._found[what] = work_out()
        found: Found = self._found[what]
        return found

    @cached_property
    def reasoner(self) -> Reasoner:
        return Reasoner(self.dataset.forms)

    @cached_property
    def closure(self) -> Closure:
        return self.reasoner.closure(self.mode)

    @cached_property
    def hierarchy(self) -> ClassHierarchy:
        saturation = self.reasoner.saturation.unconditional or self.reasoner.saturation
        return ClassHierarchy(saturation.subsumer_start, saturation.subsumers)

    def contains(self, rows: Table) -> NDArray[np.bool_]:
        """Whether each target axiom is entailed."""
        return self.closure.contains(self.dataset.target_form, rows)

    def emptied(self, rows: Table) -> Ids:
        """A class that each target axiom, added to the training axioms, would empty: its head, or one below; or -1."""
        return self.closure.emptied(self.dataset.target_form, rows)

    def contradicts(self, rows: Table) -> NDArray[np.bool_]:
        """Whether each target axiom would make its head or a class below it unsatisfiable: nothing to propose."""
        return self.emptied(rows) >= 0

    def ruled_out_by(self, rows: Table) -> list[str]:
        """For each target axiom what beyond EL++ it contradicts, in words; nothing for most."""
        limits, names = self.dataset.forms.limits, self.dataset.vocabulary
        broken = self.closure.limits_broken(self.dataset.target_form, rows).tolist()
        heads = rows[:, 0].tolist()
        return ["" if i < 0 else limits[i].text(names, head) for i, head in zip(broken, heads, strict=True)]

    def axioms(self, heads: Ids, tails: Ids) -> Table:
        """All entailed target axioms between these heads and tails; C ⊑ C is not among them."""
        heads, tails = np.unique(heads), np.unique(tails)
        stored = self.closure.tail_rows(self.dataset.target_form)
        pairs = self._asked(heads, tails) if stored is None else self._stored(stored, heads, tails)
        rows = self.rows_of(*pairs)
        return rows[rows[:, 0] != rows[:, -1]] if self.dataset.target_form == "subclass" else rows

    def _stored(self, stored: TailRows, heads: Ids, tails: Ids) -> Pairs:
        """Read from the closure's rows; an unsatisfiable head has every tail."""
        role = 0 if self.dataset.target_role is None else self.dataset.target_role
        wanted = np.zeros(len(stored.unsatisfiable), np.bool_)
        wanted[tails] = True
        entries = heads.astype(np.int64) * stored.n_roles + role
        first, last = stored.start[entries], stored.start[entries + 1]
        last = np.where(stored.unsatisfiable[heads], first, last)
        owners, found = np.repeat(heads, last - first), stored.tails[ranges(first, last)]
        owners, found = owners[wanted[found]], found[wanted[found]]
        empty = heads[stored.unsatisfiable[heads]]
        if len(empty):
            owners = np.concatenate([owners, np.repeat(empty, len(tails))])
            order = np.argsort(owners, kind="stable")
            owners, found = owners[order], np.concatenate([found, np.tile(tails, len(empty))])[order]
        return owners, found

    def _asked(self, heads: Ids, tails: Ids) -> Pairs:
        """Asked pair by pair, where the closure is too large to be stored."""
        found_heads, found_tails = [heads[:0]], [tails[:0]]
        for part in np.array_split(heads, max(1, len(heads) * len(tails) // ROWS_AT_ONCE)):
            pairs = np.repeat(part, len(tails)), np.tile(tails, len(part))
            entailed = self.contains(self.rows_of(*pairs))
            found_heads.append(pairs[0][entailed])
            found_tails.append(pairs[1][entailed])
        return np.concatenate(found_heads), np.concatenate(found_tails)

    def rows_of(self, heads: NDArray[np.integer], tails: NDArray[np.integer]) -> Table:
        """Pairs as rows of the target form."""
        return target_rows(self.dataset, heads, tails)


def target_rows(dataset: Dataset, heads: NDArray[np.integer], tails: NDArray[np.integer]) -> Table:
    """Pairs of a head and a tail as rows of the dataset's target form."""
    columns = (
        [heads, tails] if dataset.target_role is None else [heads, np.full_like(heads, dataset.target_role), tails]
    )
    return np.stack(columns, axis=1).astype(np.int32)


def real_classes(dataset: Dataset) -> Ids:
    """The classes that users know: named ones and individuals, not what normalisation made up."""
    kinds = dataset.vocabulary.class_kinds
    return np.flatnonzero((kinds == Kind.NAMED) | (kinds == Kind.INDIVIDUAL)).astype(np.int32)

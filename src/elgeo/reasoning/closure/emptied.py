"""Classes that could have no instance any more if an axiom were added: its left side, or what is below that."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from elgeo.arrays import Flags, Ints, Places, Table
from elgeo.ontology.vocabulary import Kind
from elgeo.reasoning.closure.contradictions import Contradictions
from elgeo.reasoning.closure.tail_rows import ranges

NOT_ONE = -1
AT_ONCE = 1 << 20
"""Classes below left sides that are looked at together."""


class Emptied:
    """Asks of each class below a left side whether it, told the right side itself, could not exist."""

    def __init__(self, contradictions: Contradictions) -> None:
        self._saturation, self._contradictions = contradictions.saturation, contradictions

    def rows(self, form: str, table: Table) -> Ints:
        """For each C ⊑ D or C ⊑ ∃R.D a class that it would empty, C itself before others; -1 where it empties none."""
        left = self._contradictions.rows(form, table)
        found = np.where(left, table[:, 0], NOT_ONE).astype(np.int32)
        if not self._contradictions.anything_is_said:
            return found
        start, below = self._below(np.unique(table[~left, 0]))
        rest = np.flatnonzero(~left)
        sizes = start[table[rest, 0] + 1] - start[table[rest, 0]]
        part = np.cumsum(sizes) // AT_ONCE
        for some in (rest[part == number] for number in np.unique(part[sizes > 0])):
            first, last = start[table[some, 0]], start[table[some, 0] + 1]
            again = np.repeat(table[some], last - first, axis=0)
            again[:, 0] = below[ranges(first, last)]
            emptied = np.flatnonzero(self._contradictions.rows(form, again))[::-1]  # of several the first stays
            found[np.repeat(some, last - first)[emptied]] = again[emptied, 0]
        return found

    def _below(self, classes: Ints) -> tuple[Places, Ints]:
        """By class, the others strictly below it that are there for somebody; of these classes only."""
        s = self._saturation
        wanted = np.zeros(len(s.unsatisfiable), np.bool_)
        wanted[classes] = True
        at = np.flatnonzero(wanted[s.subsumers])
        owners = np.searchsorted(s.subsumer_start, at, side="right") - 1
        some = self._there[owners] & (owners != s.subsumers[at])
        above, owners = s.subsumers[at[some]], owners[some].astype(np.int32)
        start = np.concatenate([[0], np.cumsum(np.bincount(above, minlength=len(wanted)))])
        return start, owners[np.argsort(above, kind="stable")]

    @cached_property
    def _there(self) -> Flags:
        """Satisfiable classes with names, and what they lead to: who links to what cannot exist cannot either."""
        s = self._saturation
        kinds, n = s.forms.vocabulary.class_kinds, len(s.unsatisfiable)
        found, more = np.zeros(n, np.bool_), np.zeros(n, np.bool_)
        more[: len(kinds)] = (kinds == Kind.NAMED) | (kinds == Kind.INDIVIDUAL)
        more &= ~s.unsatisfiable
        while more.any():
            found |= more
            new = np.flatnonzero(more)
            more = np.zeros(n, np.bool_)
            more[s.link_targets[ranges(s.link_start[new], s.link_start[new + 1])]] = True
            more &= ~found
        return found

"""Refuted negatives: axioms whose addition makes their left side unsatisfiable, through disjointness."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from elgeo.arrays import Ints, Table
from elgeo.negatives.entailed import draw_by, laid_out
from elgeo.negatives.kernels import Entailed, Pool, draw_entailed
from elgeo.negatives.sampler import Draw
from elgeo.reasoning.closure.base import Closure

Rows = tuple[NDArray[np.int64], Ints, NDArray[np.bool_]]
"""Subsumers of left sides: start, members, and which are unsatisfiable."""


class Refuted:
    """For each row of a table the classes D that its left side X cannot be below.

    X ⊓ D has to be empty because X is below some A and D (or ∃R.D) below some B that are disjoint, or because D (or
    ∃R.D) is empty by itself. Left sides that are below the same disjoint classes share their refuted classes. What
    only a further inference would refute is not found; all that is found is refuted. Left sides that are empty in any
    case have none, since every axiom about them is entailed.
    """

    def __init__(self, closure: Closure, form: str, table: Table) -> None:
        self._disjoint = closure.forms.disjoint
        self._named = np.unique(self._disjoint)
        self._n = closure.n_classes
        every = np.arange(self._n, dtype=np.int32)
        lefts, inverse = np.unique(table[:, :-1], axis=0, return_inverse=True)
        if form == "existential":
            subsumers = closure.entailed_tails("subclass", lefts[:, :1])
            roles, group = np.unique(lefts[:, 1], return_inverse=True)
            sides = [closure.entailed_tails("left_existential", _with_role(role, every)) for role in roles.tolist()]
        else:
            subsumers = closure.entailed_tails(form, lefts)
            group = np.zeros(len(lefts), np.int64)
            sides = [closure.entailed_tails("subclass", every[:, None])]
        avoided = self._avoided(subsumers)
        signatures, of_left = np.unique(np.column_stack([group, avoided]), axis=0, return_inverse=True)
        lists = [self._refuted(sides[int(signature[0])], signature[1:]) for signature in signatures]
        # what is empty already is below everything: nothing refutes that
        of_left = np.where(subsumers[2], len(lists), of_left.ravel())
        lists.append(np.empty(0, np.int64))
        sizes = [len(found) for found in lists]
        start = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)]).astype(np.int64)
        members = np.concatenate(lists).astype(np.int32)
        self.rows: Entailed = laid_out(start, members, np.zeros(len(lists), np.bool_))
        self.head_of_row: Ints = of_left[inverse.ravel()].astype(np.int32)

    def _below(self, subsumers: Rows) -> Any:
        """Which classes that are disjoint with something each left side is below: a sparse matrix."""
        start, members, _ = subsumers
        place = np.searchsorted(self._named, members)
        place[place == len(self._named)] = 0
        hit = self._named[place] == members if len(self._named) else np.zeros(len(members), np.bool_)
        owner = np.repeat(np.arange(len(start) - 1), np.diff(start))
        shape = (len(start) - 1, len(self._named))
        return sparse.csr_matrix((np.ones(int(hit.sum()), np.int32), (owner[hit], place[hit])), shape=shape)

    def _avoided(self, subsumers: Rows) -> NDArray[np.bool_]:
        """Which of the disjoint classes each left side cannot be below."""
        a, b = np.searchsorted(self._named, self._disjoint).T
        size = len(self._named)
        partners = sparse.csr_matrix((np.ones(2 * len(a), np.int32), (np.append(a, b), np.append(b, a))), (size, size))
        return np.asarray((self._below(subsumers) @ partners).toarray() > 0)

    def _refuted(self, sides: Rows, avoided: NDArray[np.bool_]) -> NDArray[np.int64]:
        """The classes whose side is below an avoided class, or empty."""
        refuted = np.asarray(self._below(sides) @ avoided.astype(np.int32)).ravel() > 0
        return np.flatnonzero(refuted | sides[2])


def refuted_draw(pool: Pool, refuted: Refuted) -> Draw:
    """A class of the same kind that the left side cannot be below; none where nothing is refuted."""
    return draw_by(draw_entailed, pool, refuted.head_of_row, refuted.rows)


def _with_role(role: int, classes: Ints) -> Table:
    return np.column_stack([np.full(len(classes), role, np.int32), classes])

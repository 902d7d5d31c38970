"""Scores that are inner products of what head and role make together with the tail."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from elgeo.arrays import Floats, Ids
from elgeo.models.ball_models.scores import BallScorer

Joined = Callable[[Ids, int | None], Floats]
"""One vector for each head and the role (None: subClassOf)."""


class InnerScorer:
    """joined(head, role) · tail, in double precision."""

    def __init__(self, joined: Joined, tails: Floats) -> None:
        self._joined, self._tails = joined, tails
        every = np.arange(len(tails), dtype=np.int32)
        longest = np.linalg.norm(tails, axis=1).max(initial=0.0)
        # rounding of a sum of products is below this share of the product of the lengths
        self.tolerance = float(1e-12 * longest * max(1.0, np.linalg.norm(joined(every, None), axis=1).max(initial=0.0)))

    def pairs(self, heads: Ids, role: int | None, tails: Ids) -> Floats:
        """Scores of (heads[i], tails[i])."""
        return np.asarray((self._joined(heads, role) * self._tails[tails]).sum(axis=1))

    def tails(self, heads: Ids, role: int | None, tails: Ids) -> Floats:
        """Scores of every head against every tail, (heads, tails)."""
        return np.asarray(self._joined(heads, role) @ self._tails[tails].T)

    def heads(self, heads: Ids, role: int | None, tails: Ids) -> Floats:
        """Scores of every tail against every head, (tails, heads)."""
        return np.asarray(self._tails[tails] @ self._joined(heads, role).T)


class TranslationScorer:
    """−‖h + r − t‖, exact in bulk; subClassOf is the last of the relations."""

    tolerance = 0.0

    def __init__(self, entities: Floats, relations: Floats) -> None:
        self._last = len(relations) - 1
        self._balls = BallScorer(entities, np.zeros(len(entities)), relations, margin=0.0, slope=1.0)

    def pairs(self, heads: Ids, role: int | None, tails: Ids) -> Floats:
        """Scores of (heads[i], tails[i])."""
        return self._balls.pairs(heads, self._relation(role), tails)

    def tails(self, heads: Ids, role: int | None, tails: Ids) -> Floats:
        """Scores of every head against every tail, (heads, tails)."""
        return self._balls.tails(heads, self._relation(role), tails)

    def heads(self, heads: Ids, role: int | None, tails: Ids) -> Floats:
        """Scores of every tail against every head, (tails, heads)."""
        return self._balls.heads(heads, self._relation(role), tails)

    def _relation(self, role: int | None) -> int:
        return self._last if role is None else role

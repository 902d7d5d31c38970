"""What the net sees of a term and a class that may be its parent: all evidence, what is around the class, and words."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from elgeo.arrays import Places
from elgeo.models.atlas.contexts.logic import Matrix
from elgeo.models.atlas.operators.dense import Dense
from elgeo.models.placement.evidence import AT_END, FIRST, IN_NAME, LED, MIXED, NameEvidence, SeenTerms
from elgeo.models.placement.reranking.candidates import candidates
from elgeo.models.placement.reranking.common_words import CommonWords
from elgeo.models.placement.reranking.support import best_member, shared
from elgeo.models.placement.terms import Term
from elgeo.models.placement.weighing import Rows

TINY = np.float32(1e-6)
LARGEST = 100.0
"""What is more counts for so much."""
COMPARED = (LED, IN_NAME, AT_END, FIRST)
"""Evidence, beside likeness, that is looked at beside the most that any class has of it."""
VOTERS = (MIXED, "text", "name", "definition")
TENTH = 10


class Closely(NamedTuple):
    """Some candidates of each term, the best first, and what is seen of each."""

    candidates: Places
    columns: dict[str, Dense]

    @property
    def rows(self) -> NDArray[np.float16]:
        """(term, candidate, column)."""
        stacked = np.stack([np.broadcast_to(each, self.candidates.shape) for each in self.columns.values()], axis=-1)
        return np.clip(stacked, -LARGEST, LARGEST).astype(np.float16)


class PairColumns:
    """Made once of the evidence, asked for some terms at a time."""

    def __init__(self, evidence: NameEvidence) -> None:
        self.evidence, self._hierarchy = evidence, evidence.knowledge.hierarchy

    @property
    def names(self) -> list[str]:
        """Of what is seen, in order."""
        seen = self.evidence.look([Term("")])
        return list(
            self.look(seen, self.evidence.rows(seen, None), np.zeros((1, self.evidence.size), np.float32)).columns
        )

    @cached_property
    def _words(self) -> CommonWords:
        return CommonWords(self.evidence.knowledge.terms)

    def look(self, seen: SeenTerms, rows: Rows, scores: Dense) -> Closely:
        """`scores` are those of the closed form."""
        among = candidates(scores, self._hierarchy)
        made = self._evidence(rows, among)
        made |= self._support(seen, rows, among)
        made |= self._expected(seen, among)
        made |= self._scores(scores, among)
        made |= self._words.columns(seen.terms, among)
        made |= self._places(among)
        made["has a definition"] = np.array([[bool(term.definition)] for term in seen.terms], np.float32)
        return Closely(among, made)

    def _children(self, values: Dense, among: Places, without: float = 0.0) -> Dense:
        return best_member(values, among, self._hierarchy.down.indptr, self._hierarchy.down.indices, without)

    def _parents(self, values: Dense, among: Places, without: float = 0.0) -> Dense:
        return best_member(values, among, self._hierarchy.up.indptr, self._hierarchy.up.indices, without)

    def _evidence(self, rows: Rows, among: Places) -> dict[str, Dense]:
        """Each piece; beside the most there is; and of likeness that of the class beside its children and parents."""
        made: dict[str, Dense] = {}
        for name, found in rows.items():
            values = _dense(found, len(among))
            here = np.take_along_axis(values, among, 1)
            made[name] = np.sqrt(np.maximum(here, 0))
            alike = name.startswith("alike by")
            most = np.maximum(values.max(axis=1, keepdims=True), TINY)
            if alike or name in COMPARED:
                made[f"{name}, beside the most"] = here / most
            if alike:
                child = self._children(values, among)
                made[f"{name}, a child"] = child
                made[f"{name}, a child beside the most"] = child / most
                made[f"{name}, beside its children"] = here - child
                made[f"{name}, beside its parents"] = here - self._parents(values, among)
        return made

    def _support(self, seen: SeenTerms, rows: Rows, among: Places) -> dict[str, Dense]:
        """How much of the weight of like classes is a candidate or below it, below one child, below its parents."""
        hierarchy, made = self._hierarchy, {}
        children = hierarchy.children[among].astype(np.float32)
        for name in VOTERS:
            if name not in seen.near:
                continue
            near = seen.near[name]
            own, whole = near.toarray(), (near @ hierarchy.above).toarray()
            made[f"below it by {name}"] = np.take_along_axis(whole, among, 1)
            made[f"itself by {name}"] = np.sqrt(np.take_along_axis(own, among, 1))
            votes = np.take_along_axis(_dense(rows[f"votes by {name}"], len(among)), among, 1)
            made[f"votes by {name}, by children"] = votes / np.sqrt(1 + children)
            made[f"votes by {name}, beyond chance"] = np.log1p(votes * self.evidence.size / (10 + children))
            if name == MIXED:
                whole += own
                here, child = np.take_along_axis(whole, among, 1), self._children(whole, among)
                parent = -self._parents(-whole, among, -1.0)
                made["below one child"], made["below no one child"] = child, here - child
                made["below a parent"], made["of what is below a parent"] = parent, here / np.maximum(parent, TINY**0.5)
                made["below the same top"] = np.take_along_axis(whole, hierarchy.top[among], 1)
        return made

    def _expected(self, seen: SeenTerms, among: Places) -> dict[str, Dense]:
        """What a regression by meaning expects: parents, and how much of a class, of one child and of its parents."""
        if self.evidence.meaning is None:
            return {}
        drawn = self.evidence.meaning.drawn(seen.meant)
        whole = np.ascontiguousarray(drawn @ self._hierarchy.above + drawn, np.float32)
        here, child = np.take_along_axis(whole, among, 1), self._children(whole, among)
        return {
            "expected": np.take_along_axis(np.asarray(drawn @ self._hierarchy.up, np.float32), among, 1),
            "expected below": here,
            "expected below one child": child,
            "expected below no one child": here - child,
            "expected beside its parents": here - self._parents(whole, among),
        }

    def _scores(self, scores: Dense, among: Places) -> dict[str, Dense]:
        """The closed form's: beside the best, the parents and the children, and as belief shared with those around."""
        here, most = np.take_along_axis(scores, among, 1), scores.max(axis=1, keepdims=True)
        belief = np.exp(here - most)
        belief /= belief.sum(axis=1, keepdims=True)
        above = self._hierarchy.above
        lower, higher = shared(belief, among, above.indptr, above.indices, self.evidence.size)
        child, parent = self._children(scores, among), self._parents(scores, among)
        return {
            "score": here,
            "score beside the best": here - most,
            "rank": np.log1p(np.arange(among.shape[1], dtype=np.float32))[None],
            "belief": np.log(belief + TINY),
            "belief below": np.sqrt(lower),
            "belief above": np.sqrt(higher),
            "best child beside the best": child - most,
            "best parent beside the best": parent - most,
            "score beside the best child": here - child,
            "score beside the best parent": here - parent,
            "how sure": most - here[:, [min(TENTH, among.shape[1] - 1)]],
        }

    def _places(self, among: Places) -> dict[str, Dense]:
        """Where a class stands in the hierarchy."""
        hierarchy = self._hierarchy
        depth = np.where(np.isfinite(hierarchy.depth), hierarchy.depth, 0).astype(np.float32)
        return {
            "depth": depth[among],
            "children": np.log1p(hierarchy.children.astype(np.float32))[among],
            "descendants": np.log1p(hierarchy.descendants.astype(np.float32))[among],
            "ancestors": np.log1p(np.diff(hierarchy.above.indptr).astype(np.float32))[among],
            "parents": np.diff(hierarchy.up.indptr).astype(np.float32)[among],
            "no children": (hierarchy.children[among] == 0).astype(np.float32),
        }


def _dense(found: Matrix | Dense, n_terms: int) -> Dense:
    """All values; where they are the same for all terms, as often as there are terms."""
    if isinstance(found, np.ndarray):
        return np.ascontiguousarray(np.broadcast_to(found, (n_terms, found.shape[1])))
    return np.asarray(found.toarray(), np.float32)

"""A reasoner of sets and loops, written from the completion rules alone; the twin the fast one is checked against."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from elgeo.ontology.normal_forms import FORMS, NormalForms
from elgeo.ontology.vocabulary import BOTTOM, TOP, Kind, Vocabulary

Rows = dict[str, set[tuple[int, ...]]]


def rows_of(forms: NormalForms) -> Rows:
    return {name: {tuple(map(int, row)) for row in forms.tables[name]} for name in FORMS}


class Slow:
    """Subsumers, links and self-loops of `n` classes under rows of the normal forms."""

    def __init__(self, n: int, rows: Rows, individuals: set[int] = frozenset()) -> None:  # type: ignore[assignment]
        self.n, self.rows, self.individuals = n, rows, set(individuals)
        self.subsumers = [{c, TOP} for c in range(n)]
        self.links: set[tuple[int, int, int]] = set()
        self.loops: set[tuple[int, int]] = set()
        while self._step():
            pass
        if any(BOTTOM in self.subsumers[c] for c in {TOP} | self.individuals):
            for c in range(n):
                self.subsumers[c].add(BOTTOM)

    @property
    def unsatisfiable(self) -> set[int]:
        return {c for c in range(self.n) if BOTTOM in self.subsumers[c]}

    def _step(self) -> bool:
        before = (sum(map(len, self.subsumers)), len(self.links), len(self.loops))
        rows, S = self.rows, self.subsumers
        S[BOTTOM].add(BOTTOM)
        for c in range(self.n):
            mine = set(S[c])
            for a, b in rows["subclass"]:
                if a in mine:
                    S[c].add(b)
            for a, b, e in rows["conjunction"]:
                if a in mine and b in mine:
                    S[c].add(e)
            for (a,) in rows["empty"]:
                if a in mine:
                    S[c].add(BOTTOM)
            for a, b in rows["disjoint"]:
                if a in mine and b in mine:
                    S[c].add(BOTTOM)
            for a, r, e in rows["existential"]:
                if a in mine:
                    self.links.add((c, r, e))
            for a, r in rows["self"]:
                if a in mine:
                    self.loops.add((c, r))
            for (r,) in rows["reflexive"]:
                self.loops.add((c, r))
        # a loop is a link to oneself
        self.links |= {(c, r, c) for c, r in self.loops}
        for c, r, e in list(self.links):
            for a, b in rows["subrole"]:
                if a == r:
                    self.links.add((c, b, e))
            for a, x, d in rows["left_existential"]:
                if a == r and x in S[e]:
                    S[c].add(d)
            for a, x in rows["empty_existential"]:
                if a == r and x in S[e]:
                    S[c].add(BOTTOM)
            if BOTTOM in S[e]:
                S[c].add(BOTTOM)
            for a, b, t in rows["chain"]:
                if a == r:
                    self.links |= {(c, t, z) for y, q, z in list(self.links) if y == e and q == b}
        for c, r in list(self.loops):
            for a, b in rows["subrole"]:
                if a == r:
                    self.loops.add((c, b))
            for a, d in rows["left_self"]:
                if a == r:
                    S[c].add(d)
            for a, b, t in rows["chain"]:
                if a == r and (c, b) in self.loops:
                    self.loops.add((c, t))
            for a, d in rows["range"]:
                if a == r:
                    S[c].add(d)
        return before != (sum(map(len, S)), len(self.links), len(self.loops))

    def subsumed(self, c: int, d: int) -> bool:
        return d in self.subsumers[c] or BOTTOM in self.subsumers[c]

    def reaches(self, c: int, r: int, d: int) -> bool:
        return BOTTOM in self.subsumers[c] or any(d in self.subsumers[e] for x, q, e in self.links if x == c and q == r)


def slow_saturation(forms: NormalForms) -> Any:
    """The arrays of a `Saturation`, made slowly."""
    vocabulary = forms.vocabulary
    n = vocabulary.n_classes
    slow = Slow(n, rows_of(forms), set(np.flatnonzero(vocabulary.class_kinds == Kind.INDIVIDUAL).tolist()))
    subsumers = [sorted(s) for s in slow.subsumers]
    links = sorted(slow.links)
    return SimpleNamespace(
        forms=forms,
        slow=slow,
        subsumer_start=np.cumsum([0, *map(len, subsumers)]).astype(np.int64),
        subsumers=np.array([d for s in subsumers for d in s], np.int32),
        link_start=np.searchsorted([c for c, _, _ in links], np.arange(n + 1)).astype(np.int64),
        link_roles=np.array([r for _, r, _ in links], np.int32),
        link_targets=np.array([e for _, _, e in links], np.int32),
        unsatisfiable=np.array([c in slow.unsatisfiable for c in range(n)]),
    )


def make_forms(n_classes: int, n_roles: int, fresh: int = 0, **tables: list[tuple[int, ...]]) -> NormalForms:
    """Normal forms over classes 2.. and roles 1.. with names of no meaning; the last `fresh` classes are fresh."""
    kinds = np.full(n_classes, Kind.NAMED, np.uint8)
    kinds[:2] = Kind.BUILT_IN
    kinds[n_classes - fresh :] = Kind.FRESH
    role_kinds = np.full(n_roles, Kind.NAMED, np.uint8)
    role_kinds[0] = Kind.BUILT_IN
    vocabulary = Vocabulary(
        [f"http://example.org/C{i}" for i in range(n_classes)],
        kinds,
        [f"http://example.org/r{i}" for i in range(n_roles)],
        role_kinds,
    )
    full = {
        name: np.unique(np.array(tables.get(name, []), np.int32).reshape(-1, len(form.columns)), axis=0)
        for name, form in FORMS.items()
    }
    return NormalForms(vocabulary, full)

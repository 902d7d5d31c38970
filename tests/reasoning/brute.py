"""A reasoner over normal forms in sets and loops: slow, plain, and written without a look at the fast one."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable
from functools import cache

import numpy as np
from hypothesis import strategies as st

from elgeo.arrays import Table
from elgeo.ontology.normal_forms import FORMS, NormalForms, empty_tables
from elgeo.ontology.vocabulary import BOTTOM, TOP, TOP_ROLE, Kind, Vocabulary

Pairs = set[tuple[int, int]]
Rows = dict[str, set[tuple[int, ...]]]
Triples = set[tuple[int, int, int]]


class Brute:
    """S, links and loops of every class at the fixed point."""

    def __init__(self, n: int, n_roles: int, rows: Rows, individuals: Iterable[int] = ()) -> None:
        self.rows, self.classes, self.roles = rows, range(n), range(n_roles)
        self.individuals = sorted(individuals)
        self.inclusions = {(r, s) for r, s in rows["subrole"] if r != s} | {(r, TOP_ROLE) for r in self.roles if r}
        self.subsumers: list[set[int]] = [{c, TOP} for c in self.classes]
        self.links: Triples = set()
        self.loops: Pairs = {(c, r) for c in self.classes for r in (TOP_ROLE, *(r for (r,) in rows["reflexive"]))}
        while self._size() != self._step():
            pass
        self.universal = self._universal_roles()
        self._targets = defaultdict(set)
        for x, r, y in self.links:
            self._targets[x, r].add(y)

    @classmethod
    def of(cls, forms: NormalForms) -> Brute:
        kinds = forms.vocabulary.class_kinds
        individuals = [c for c in range(len(kinds)) if kinds[c] == Kind.INDIVIDUAL]
        return cls(len(kinds), forms.vocabulary.n_roles, rows_of(forms), individuals)

    def subsumed(self, c: int, d: int) -> bool:
        """C ⊑ D."""
        return d in self.subsumers[c] or self.unsatisfiable(c)

    def reaches(self, c: int, r: int, d: int) -> bool:
        """C ⊑ ∃r.D."""
        targets = self._reached([c, TOP, *self.individuals]) if r in self.universal else self._targets[c, r]
        return self.unsatisfiable(c) or any(d in self.subsumers[y] for y in targets)

    def unsatisfiable(self, c: int) -> bool:
        return BOTTOM in self.subsumers[c]

    def _size(self) -> int:
        return sum(map(len, self.subsumers)) + len(self.links) + len(self.loops)

    def _step(self) -> int:
        self._inclusions_of_classes()
        self._role_axioms()
        self._existentials()
        self._self_restrictions()
        self._whole_domain()
        return self._size()

    def _inclusions_of_classes(self) -> None:
        rows, loops = self.rows, defaultdict(set)
        for x, r in self.loops:
            loops[x].add(r)
        for x in self.classes:
            s = self.subsumers[x]
            for c in list(s):
                s |= self.subsumers[c]
                self.loops |= {(x, r) for r in loops[c] - loops[x]}
            s |= {d for c, d in rows["subclass"] if c in s}
            s |= {e for c, d, e in rows["conjunction"] if c in s and d in s}
            if any(c in s for (c,) in rows["empty"]) or any(c in s and d in s for c, d in rows["disjoint"]):
                s.add(BOTTOM)
            self.links |= {(x, r, d) for c, r, d in rows["existential"] if c in s}
            self.loops |= {(x, r) for c, r in rows["self"] if c in s}

    def _role_axioms(self) -> None:
        chains = self.rows["chain"]
        self.loops |= {(x, s) for x, r in self.loops for q, s in self.inclusions if q == r}
        for r, s, t in chains:
            self.loops |= {(x, t) for x in self.classes if (x, r) in self.loops and (x, s) in self.loops}
        self.links |= {(x, r, x) for x, r in self.loops}
        self.links |= {(x, s, y) for x, r, y in self.links for q, s in self.inclusions if q == r}
        if not chains:
            return
        out = defaultdict(set)
        for x, r, y in self.links:
            out[x, r].add(y)
        for r, s, t in chains:
            self.links |= {(x, t, z) for (x, q), ys in list(out.items()) if q == r for y in ys for z in out[y, s]}

    def _existentials(self) -> None:
        universal = self._universal_roles()
        for r, c, d in [*self.rows["left_existential"], *((r, c, BOTTOM) for r, c in self.rows["empty_existential"])]:
            for x, q, y in self.links:
                if q == r and c in self.subsumers[y]:
                    self.subsumers[x].add(d)
            if r in universal:
                for x in self.classes:
                    reached = self._reached([x, *self.individuals])
                    if any(c in self.subsumers[y] for y in reached):
                        self.subsumers[x].add(d)
        for x, _, y in self.links:
            if BOTTOM in self.subsumers[y]:
                self.subsumers[x].add(BOTTOM)

    def _self_restrictions(self) -> None:
        for r, d in [*self.rows["left_self"], *self.rows["range"]]:
            for x in self.classes:
                if (x, r) in self.loops:
                    self.subsumers[x].add(d)
        if self.rows["left_self"]:
            for x, r, y in self.links:
                if any(a in self.subsumers[x] and a in self.subsumers[y] for a in self.individuals):
                    self.loops.add((x, r))

    def _whole_domain(self) -> None:
        if not self.individuals:
            return
        if any(self.unsatisfiable(a) for a in self.individuals):
            for s in self.subsumers:
                s.add(BOTTOM)
        if self.unsatisfiable(TOP):
            # all follows from this: how much of it is listed beside ⊥ does not matter
            return
        existing = self._reached([TOP, *self.individuals])
        for a in self.individuals:
            self.subsumers[a] |= {y for y in existing if a in self.subsumers[y]}
            for x in self.classes:
                if a in self.subsumers[x]:
                    self.subsumers[x] |= {y for y in self._reached([x]) if a in self.subsumers[y]}

    def _universal_roles(self) -> set[int]:
        found = {TOP_ROLE}
        everywhere = {r for x, r in self.loops if x == TOP}
        while True:
            more = {s for r, s in self.inclusions if r in found}
            for r, s, t in self.rows["chain"]:
                if (r in found and s in everywhere) or (r in everywhere and s in found):
                    more.add(t)
            if more <= found:
                return found
            found |= more

    def _reached(self, start: list[int]) -> set[int]:
        found = set(start)
        while more := {y for x, _, y in self.links if x in found} - found:
            found |= more
        return found


def rows_of(forms: NormalForms) -> Rows:
    """The tables as sets of tuples."""
    return {name: {tuple(row) for row in forms[name].tolist()} for name in FORMS}


def all_rows(*sizes: int) -> Table:
    """Every row with ids below the given numbers."""
    return np.array(list(itertools.product(*map(range, sizes))), np.int32).reshape(-1, len(sizes))


def vocabulary(named: int, individuals: int, fresh: int, roles: int) -> Vocabulary:
    """A vocabulary of numbered names."""
    kinds = [Kind.BUILT_IN] * 2 + [Kind.NAMED] * named + [Kind.INDIVIDUAL] * individuals + [Kind.FRESH] * fresh
    names = [
        f"http://example.org/{'C' if k == Kind.NAMED else 'a' if k == Kind.INDIVIDUAL else '<'}{i}"
        for i, k in enumerate(kinds)
    ]
    names[:2] = ["http://www.w3.org/2002/07/owl#Thing", "http://www.w3.org/2002/07/owl#Nothing"]
    role_names = [
        "http://www.w3.org/2002/07/owl#topObjectProperty",
        *(f"http://example.org/r{i}" for i in range(1, roles)),
    ]
    role_kinds = [Kind.BUILT_IN] + [Kind.NAMED] * (roles - 1)
    return Vocabulary(names, np.array(kinds, np.uint8), role_names, np.array(role_kinds, np.uint8))


def make_forms(words: Vocabulary, **tables: object) -> NormalForms:
    """Normal forms of lists of rows."""
    filled: dict[str, Table] = empty_tables()
    for name, rows in tables.items():
        filled[name] = np.array(rows, np.int32).reshape(-1, len(FORMS[name].columns))
    return NormalForms(words, filled)


@st.composite
def random_forms(draw: st.DrawFn, individuals: bool = True, universal: bool = True) -> NormalForms:
    """Irregular: every table, cycles, duplicates, ⊤ and ⊥ in odd places, sometimes more roles than classes.

    Without individuals and the universal role nothing depends on which classes have instances.
    """
    words = vocabulary(
        draw(st.integers(2, 6)),
        draw(st.sampled_from([0, 0, 1, 2])) if individuals else 0,
        draw(st.integers(0, 2)),
        draw(st.sampled_from([2, 3, 4, 5, 11])),
    )
    return make_forms(words, **draw(random_tables(words, universal=universal)))


@st.composite
def random_tables(
    draw: st.DrawFn, words: Vocabulary, role_axioms: bool = True, most: int = 6, universal: bool = True
) -> dict[str, list[tuple[int, ...]]]:
    """Rows for some of the tables."""
    sizes = {
        "subclass": most,
        "existential": most,
        "left_existential": most,
        "conjunction": most // 2,
        "subrole": 3,
        "chain": 3,
    }
    sometimes = ("empty", "disjoint", "empty_existential", "reflexive", "self", "left_self", "range")
    tables: dict[str, list[tuple[int, ...]]] = {}
    for name in FORMS:
        if not role_axioms and name in ("subrole", "chain", "reflexive", "self", "left_self", "range"):
            continue
        size = sizes.get(name, draw(_A_FEW) if name in sometimes else 0)
        tables[name] = draw(_lists_of_rows(name, words.n_classes, words.n_roles, size, universal))
    return tables


_A_FEW = st.sampled_from([0, 0, 0, 2])


@cache
def _lists_of_rows(
    form: str, n_classes: int, n_roles: int, size: int, universal: bool
) -> st.SearchStrategy[list[tuple[int, ...]]]:
    """Up to `size` rows of a form. Made once: what it is made of takes longer to check than to draw from."""
    usual = st.integers(2, n_classes - 1)
    classes = st.one_of(usual, usual, usual, usual, st.sampled_from([TOP, BOTTOM]))
    plain = st.integers(1, n_roles - 1)
    roles = st.one_of(*[plain] * 6, st.just(TOP_ROLE) if universal else plain)
    columns = [roles if column in "rst" else classes for column in FORMS[form].columns]
    return st.lists(st.tuples(*columns), max_size=size)

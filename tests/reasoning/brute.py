"""A reasoner over normal forms in sets and loops: slow, plain, and written without a look at the fast one."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from elgeo.ontology.normal_forms import FORMS, NormalForms, Table, empty_tables
from elgeo.ontology.vocabulary import BOTTOM, TOP, TOP_ROLE, Kind, Vocabulary

Pairs = set[tuple[int, int]]
Triples = set[tuple[int, int, int]]


class Brute:
    """S, links and loops of every class at the fixed point."""

    def __init__(self, forms: NormalForms) -> None:
        self.rows = {name: [tuple(int(i) for i in row) for row in forms[name]] for name in FORMS}
        self.classes = range(forms.vocabulary.n_classes)
        self.roles = range(forms.vocabulary.n_roles)
        self.individuals = [c for c in self.classes if forms.vocabulary.class_kinds[c] == Kind.INDIVIDUAL]
        self.inclusions = set(self.rows["subrole"]) | {(r, TOP_ROLE) for r in self.roles}
        self.subsumers: list[set[int]] = [{c, TOP} for c in self.classes]
        self.links: Triples = set()
        self.loops: Pairs = {(c, r) for c in self.classes for r in (TOP_ROLE, *(r for (r,) in self.rows["reflexive"]))}
        while self._size() != self._step():
            pass

    def entails_subclass(self, c: int, d: int) -> bool:
        return d in self.subsumers[c] or self.unsatisfiable(c)

    def entails_existential(self, c: int, r: int, d: int) -> bool:
        return self.unsatisfiable(c) or any(d in self.subsumers[y] for x, s, y in self.links if (x, s) == (c, r))

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
        for x in self.classes:
            s = self.subsumers[x]
            for c in list(s):
                s |= self.subsumers[c]
                self.loops |= {(x, r) for y, r in self.loops if y == c}
            s |= {d for c, d in self.rows["subclass"] if c in s}
            s |= {e for c, d, e in self.rows["conjunction"] if c in s and d in s}
            if any(c in s for (c,) in self.rows["empty"]) or any(c in s and d in s for c, d in self.rows["disjoint"]):
                s.add(BOTTOM)
            self.links |= {(x, r, d) for c, r, d in self.rows["existential"] if c in s}
            self.loops |= {(x, r) for c, r in self.rows["self"] if c in s}

    def _role_axioms(self) -> None:
        self.loops |= {(x, s) for x, r in self.loops for q, s in self.inclusions if q == r}
        for r, s, t in self.rows["chain"]:
            self.loops |= {(x, t) for x in self.classes if (x, r) in self.loops and (x, s) in self.loops}
        self.links |= {(x, r, x) for x, r in self.loops}
        self.links |= {(x, s, y) for x, r, y in self.links for q, s in self.inclusions if q == r}
        for r, s, t in self.rows["chain"]:
            first = [(x, y) for x, q, y in self.links if q == r]
            second = [(y, z) for y, q, z in self.links if q == s]
            self.links |= {(x, t, z) for x, y in first for v, z in second if y == v}

    def _existentials(self) -> None:
        universal = self._universal_roles()
        everything = set(self.classes)
        for r, c, d in [*self.rows["left_existential"], *((r, c, BOTTOM) for r, c in self.rows["empty_existential"])]:
            for x, q, y in self.links:
                if q == r and c in self.subsumers[y]:
                    self.subsumers[x].add(d)
            if r in universal:
                for x in self.classes:
                    reached = self._reached([x, *self.individuals])
                    if any(c in self.subsumers[y] for y in reached & everything):
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
            for x, r, a in self.links:
                if a in self.individuals and a in self.subsumers[x]:
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
def random_forms(draw: st.DrawFn, role_axioms: bool = True) -> NormalForms:
    """Irregular normal forms: every table, cycles, duplicates, ⊤ and ⊥ in odd places."""
    words = vocabulary(
        draw(st.integers(3, 6)), draw(st.sampled_from([0, 0, 1, 2])), draw(st.integers(0, 1)), draw(st.integers(2, 5))
    )
    return make_forms(words, **draw(random_tables(words, role_axioms)))


@st.composite
def random_tables(
    draw: st.DrawFn, words: Vocabulary, role_axioms: bool = True, most: int = 6
) -> dict[str, list[tuple[int, ...]]]:
    """Rows for some of the tables."""
    usual = st.integers(2, words.n_classes - 1)
    classes = st.one_of(usual, usual, usual, usual, st.sampled_from([TOP, BOTTOM]))
    roles = st.one_of(*[st.integers(1, words.n_roles - 1)] * 6, st.just(TOP_ROLE))
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
    for name, form in FORMS.items():
        if not role_axioms and name in ("subrole", "chain", "reflexive", "self", "left_self", "range"):
            continue
        size = sizes.get(name, draw(st.sampled_from([0, 0, 0, 2])) if name in sometimes else 0)
        columns = [roles if column in "rst" else classes for column in form.columns]
        tables[name] = draw(st.lists(st.tuples(*columns), max_size=size))
    return tables

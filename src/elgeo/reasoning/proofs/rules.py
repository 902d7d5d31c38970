"""The calculus of proofs: for something that is known to follow, every rule application that may have given it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from elgeo.arrays import Longs, Table
from elgeo.ontology.normal_forms import FORMS
from elgeo.ontology.vocabulary import BOTTOM, TOP, TOP_ROLE, Kind
from elgeo.reasoning.questions.drafts import Drafts
from elgeo.reasoning.questions.expressions import And, Atom, Expression, Or, Self, Some

Fact = tuple[Any, ...]
"""What a step says. X, Y are classes or elements of the question, C, D classes:

("sub", X, D) X ⊑ D · ("link", X, r, Y) X ⊑ ∃r.Y · ("loop", X, r) X ⊑ ∃r.Self · ("role", r, s) r ⊑ s ·
("reflexive", r) · ("leads", X, Y) if X exists so does Y · ("has", X, expression) · ("all", facts) ·
leaves: ("row", form, number) a row of the normal forms · ("told", X, what, …) given by the question.
"""


class Inference(NamedTuple):
    """One application of a rule."""

    rule: str
    conclusion: Fact
    premises: tuple[Fact, ...]


class _ByColumn:
    """The rows of a table by the value in one column."""

    def __init__(self, table: Table, column: int) -> None:
        self._order = np.argsort(table[:, column], kind="stable")
        # as wide as what is looked up: else all keys are widened each time
        self._keys = table[self._order, column].astype(np.int64)

    def rows(self, value: int) -> Longs:
        return self._order[self._keys.searchsorted(value) : self._keys.searchsorted(value, "right")]


class RowIndex:
    """The tables of normal forms, found by what their rows conclude; shared by all proofs of an ontology."""

    def __init__(self, tables: Any) -> None:
        self.tables = tables
        self._by: dict[str, _ByColumn] = {}

    def concluding(self, form: str, value: int) -> Longs:
        """The numbers of the rows of a form with a value as their result."""
        if form not in self._by:
            self._by[form] = _ByColumn(self.tables[form], FORMS[form].width - 1)
        return self._by[form].rows(value)


class Calculus:
    """Enumerates rule applications backwards; premises are looked up in the saturated state, so they are all true."""

    def __init__(self, drafts: Drafts, index: RowIndex | None = None) -> None:
        self.drafts, self.forms = drafts, drafts.forms
        # an index made before is of use unless the question needed more rows
        self.index = index if index and index.tables is self.forms.tables else RowIndex(self.forms.tables)
        self._n = self.forms.vocabulary.n_classes
        roles = drafts.saturation.completion.roles
        self._below, self._reflexive, self._universal = roles.below, roles.reflexive, roles.universal
        self._nominals = np.flatnonzero(self.forms.vocabulary.class_kinds == Kind.INDIVIDUAL).astype(np.int32)
        self._reach: dict[int, dict[int, list[int]]] = {}
        self._not_composed: dict[tuple[int, int], list[int]] = {}
        self._led: dict[tuple[int, int], dict[int, None]] = {}
        self._readers: dict[str, Callable[..., Iterator[tuple[Any, ...]]]] = {
            "sub": self._sub,
            "link": self._link,
            "loop": self._loop,
            "role": self._role,
            "reflexive": self._reflexive_role,
            "leads": self._leads,
            "has": self._has,
            "all": self._all,
        }

    def inferences(self, fact: Fact) -> list[Inference]:
        """Every rule application that concludes a fact."""
        found = self._readers[fact[0]](*fact[1:])
        return [Inference(rule, fact, tuple(premises)) for rule, *premises in found]

    def _holds(self, x: int, classes: Any) -> Any:
        """Which of `classes` x is below."""
        mine = self.drafts.subsumers(x)
        at = np.minimum(np.searchsorted(mine, classes), len(mine) - 1)
        return mine[at] == classes

    def _sub(self, x: int, d: int) -> Iterator[tuple[Any, ...]]:
        if d in (x, TOP):
            yield ("tautology",)
            return
        yield from self._told_of_draft(x, d)
        if d == BOTTOM:
            yield from self._bottom(x)
        elif self.drafts.unsatisfiable(x):
            yield "contradiction", ("sub", x, BOTTOM)
        tables = self.forms.tables
        numbers = self.index.concluding("subclass", d)
        for i in numbers[self._holds(x, tables["subclass"][numbers, 0])].tolist():
            yield "superclass", ("sub", x, int(tables["subclass"][i, 0])), ("row", "subclass", i)
        numbers = self.index.concluding("conjunction", d)
        rows = tables["conjunction"][numbers]
        for i in numbers[self._holds(x, rows[:, 0]) & self._holds(x, rows[:, 1])].tolist():
            a, b, _ = tables["conjunction"][i].tolist()
            yield "conjunction", ("sub", x, a), ("sub", x, b), ("row", "conjunction", i)
        for i in self.index.concluding("left_existential", d).tolist():
            yield from self._left_existential(x, "left_existential", i)
        for form, rule in (("left_self", "left self"), ("range", "range of a loop")):
            for i in self.index.concluding(form, d).tolist():
                r = int(tables[form][i, 0])
                if self.drafts.loops(x, r) or self._reflexive[r]:
                    yield rule, ("loop", x, r), ("row", form, i)
        yield from self._same_element(x, d)

    def _bottom(self, x: int) -> Iterator[tuple[Any, ...]]:
        tables = self.forms.tables
        empty = tables["empty"][:, 0]
        for i in np.flatnonzero(self._holds(x, empty)).tolist():
            yield "superclass", ("sub", x, int(empty[i])), ("row", "empty", i)
        a, b = tables["disjoint"].T
        for i in np.flatnonzero(self._holds(x, a) & self._holds(x, b)).tolist():
            yield "conjunction", ("sub", x, int(a[i])), ("sub", x, int(b[i])), ("row", "disjoint", i)
        for i in range(len(tables["empty_existential"])):
            yield from self._left_existential(x, "empty_existential", i)
        for r, y in zip(*(column.tolist() for column in self.drafts.links(x)), strict=True):
            if self.drafts.unsatisfiable(y):
                yield "empty filler", ("link", x, r, y), ("sub", y, BOTTOM)
        # single elements of a question are individuals too, but none that the ontology says to exist
        for a in [TOP, *self._nominals[self._nominals < self.drafts.first].tolist()]:
            if a != x and self.drafts.saturation.unsatisfiable[a]:
                yield "existence", ("sub", int(a), BOTTOM)

    def _left_existential(self, x: int, form: str, i: int) -> Iterator[tuple[Any, ...]]:
        r, a = self.forms.tables[form][i, :2].tolist()
        if self._universal[r]:
            for start in {x, TOP, *self._nominals.tolist()}:
                for y in self._reached(start):
                    if self._is_below(y, a):
                        yield (
                            "universal role",
                            ("leads", start, y),
                            ("sub", y, a),
                            ("row", form, i),
                            *_role(TOP_ROLE, r),
                        )
        for y in self.drafts.targets(x, r):
            if self._is_below(y, a):
                yield "left existential", ("link", x, r, y), ("sub", y, a), ("row", form, i)
        if self._reflexive[r] and self._is_below(x, a):
            yield "left existential", ("link", x, r, x), ("sub", x, a), ("row", form, i)

    def _is_below(self, x: int, c: int) -> bool:
        return c in (x, TOP) or bool(self._holds(x, c))

    def _told_of_draft(self, x: int, d: int) -> Iterator[tuple[Any, ...]]:
        drafts = self.drafts
        if not drafts.is_draft(x):
            return
        if d in drafts[x].classes:
            yield "question", ("told", x, "class", d)
        ranges = self.index.concluding("range", d).tolist()
        if not ranges:
            return
        for number, source in enumerate(drafts.all):
            for r, target in source.links:
                if target == x:
                    told = ("told", drafts.first + number, "link", r, x)
                    for i in ranges:
                        s = int(self.forms.tables["range"][i, 0])
                        if self._below[r, s]:
                            yield "range", told, ("row", "range", i), *_role(r, s)

    def _link(self, x: int, r: int, y: int) -> Iterator[tuple[Any, ...]]:
        drafts, tables = self.drafts, self.forms.tables
        if drafts.is_draft(x):
            for s, target in drafts[x].links:
                if target == y and self._below[s, r]:
                    yield "question", ("told", x, "link", s, y), *_role(s, r)
        if y < self._n:
            numbers = self.index.concluding("existential", y)
            rows = tables["existential"][numbers]
            fits = (self._below[rows[:, 1], r] == 1) & self._holds(x, rows[:, 0])
            for i in numbers[fits].tolist():
                a, s, _ = tables["existential"][i].tolist()
                yield "existential", ("sub", x, a), ("row", "existential", i), *_role(s, r)
        if x == y:
            yield from (("loop", ("loop", x, r)),) if drafts.loops(x, r) or self._reflexive[r] else ()
        for i, (first, second, t) in enumerate(tables["chain"].tolist()):
            if self._below[t, r]:
                for z in self._first_targets(x, i):
                    if y in self._targets(z, second):
                        yield "chain", ("link", x, first, z), ("link", z, second, y), ("row", "chain", i), *_role(t, r)

    def _first_targets(self, x: int, number: int) -> Iterable[int]:
        """Where the first link of a chain may lead: r ∘ r ⊑ r need not begin with a link that only it has made."""
        chains, rows = self.forms.tables["chain"], self.forms.tables["existential"]
        r = int(chains[number, 0])
        if (chains[number] != r).any() or self._below[np.delete(chains[:, 2], number), r].any():
            return self._targets(x, r)
        if (x, r) not in self._not_composed:
            told = rows[(self._below[rows[:, 1], r] == 1) & self._holds(x, rows[:, 0]), 2].tolist()
            told += [target for s, target in self.drafts[x].links if self._below[s, r]]
            self._not_composed[x, r] = list(dict.fromkeys(told))
        return self._not_composed[x, r]

    def _targets(self, x: int, r: int) -> dict[int, None]:
        """Where links lead, in their order; looked up once, since chains ask for the same again and again."""
        if (x, r) not in self._led:
            found = dict.fromkeys(self.drafts.targets(x, r))
            self._led[x, r] = {**found, x: None} if self._reflexive[r] else found
        return self._led[x, r]

    def _loop(self, x: int, r: int) -> Iterator[tuple[Any, ...]]:
        drafts, tables = self.drafts, self.forms.tables
        if self._reflexive[r]:
            yield "reflexive role", ("reflexive", r)
        if drafts.is_draft(x):
            for s in drafts[x].loops:
                if self._below[s, r]:
                    yield "question", ("told", x, "loop", s), *_role(s, r)
        for i, (a, s) in enumerate(tables["self"].tolist()):
            if self._below[s, r] and self._is_below(x, a):
                yield "self", ("sub", x, a), ("row", "self", i), *_role(s, r)
        for i, (first, second, t) in enumerate(tables["chain"].tolist()):
            if self._below[t, r] and self._loops(x, first) and self._loops(x, second):
                yield "chain of loops", ("loop", x, first), ("loop", x, second), ("row", "chain", i), *_role(t, r)
        for a in self._nominals[self._holds(x, self._nominals)].tolist():
            for y in drafts.targets(x, r):
                if self._is_below(y, a):
                    yield "loop of one element", ("sub", x, a), ("link", x, r, y), ("sub", y, a)

    def _loops(self, x: int, r: int) -> bool:
        return bool(self._reflexive[r]) or self.drafts.loops(x, r)

    def _role(self, r: int, s: int) -> Iterator[tuple[Any, ...]]:
        if s in (r, TOP_ROLE):
            yield ("tautology",)
            return
        for i in self.index.concluding("subrole", s).tolist():
            between = int(self.forms.tables["subrole"][i, 0])
            if self._below[r, between]:
                yield "subrole", ("role", r, between), ("row", "subrole", i)
        for i in self.index.concluding("chain", s).tolist():
            first, second, _ = self.forms.tables["chain"][i].tolist()
            if self._below[r, first] and self._reflexive[second]:
                yield "chain with a reflexive role", ("role", r, first), ("reflexive", second), ("row", "chain", i)
            if self._below[r, second] and self._reflexive[first]:
                yield "chain with a reflexive role", ("role", r, second), ("reflexive", first), ("row", "chain", i)

    def _reflexive_role(self, r: int) -> Iterator[tuple[Any, ...]]:
        if r == TOP_ROLE:
            yield ("tautology",)
        for i, s in enumerate(self.forms.tables["reflexive"][:, 0].tolist()):
            if self._below[s, r]:
                yield "reflexive role", ("row", "reflexive", i), *_role(s, r)
        if self._universal[r] and r != TOP_ROLE:
            yield "reflexive role", ("reflexive", TOP_ROLE), ("role", TOP_ROLE, r)
        for i, (first, second, t) in enumerate(self.forms.tables["chain"].tolist()):
            if self._below[t, r] and self._reflexive[first] and self._reflexive[second]:
                yield "chain of loops", ("reflexive", first), ("reflexive", second), ("row", "chain", i), *_role(t, r)

    def _same_element(self, x: int, d: int) -> Iterator[tuple[Any, ...]]:
        """What follows from an individual being one element only."""
        if d >= self._n:
            return
        for a in self._nominals[self._holds(d, self._nominals)].tolist():
            if a == d:
                continue
            if not self._is_below(x, a):
                continue
            for start in {x, TOP, *self._nominals.tolist()}:
                if d in self._reached(start):
                    yield "same element", ("leads", start, d), *([] if x == a else [("sub", x, a)]), ("sub", d, a)

    def _reached(self, x: int) -> dict[int, list[int]]:
        """All that x leads to, each with those that link to it."""
        if x not in self._reach:
            found: dict[int, list[int]] = {x: []}
            waiting = [x]
            while waiting:
                y = waiting.pop()
                for z in set(self.drafts.links(y)[1].tolist()):
                    if z not in found:
                        found[z] = []
                        waiting.append(z)
                    found[z].append(y)
            self._reach[x] = found
        return self._reach[x]

    def _leads(self, x: int, y: int) -> Iterator[tuple[Any, ...]]:
        if x == y:
            yield ("tautology",)
            return
        for z in self._reached(x)[y]:
            roles, targets = self.drafts.links(z)
            for r in roles[targets == y].tolist():
                yield "link", ("leads", x, z), ("link", z, r, y)

    def _has(self, x: int, expression: Expression) -> Iterator[tuple[Any, ...]]:
        if self.drafts.unsatisfiable(x):
            yield "contradiction", ("sub", x, BOTTOM)
            return
        match expression:
            case Atom(class_id):
                if class_id >= 0 and self.drafts.below(x, class_id):
                    yield "same", ("sub", x, class_id)
                elif class_id < 0 and self.drafts.is_wider:
                    yield "unknown name", ("sub", x, self.drafts.unknown[expression.iri])
                elif class_id < 0:
                    yield "question", ("told", x, "name", expression.iri)
            case And(parts):
                yield "all parts", *(("has", x, part) for part in parts)
            case Or(parts):
                for part in parts:
                    yield "one part", ("has", x, part)
            case Self(role):
                yield "same", ("loop", x, role)
            case Some(role, filler):
                for y in self._targets(x, role):
                    if self._may_have(y, filler):
                        yield "witness", ("link", x, role, y), ("has", y, filler)
                if self._universal[role]:
                    for start in {x, TOP, *self._nominals.tolist()}:
                        for y in self._reached(start):
                            yield "universal witness", ("leads", start, y), ("has", y, filler), *_role(TOP_ROLE, role)

    def _may_have(self, x: int, expression: Expression) -> bool:
        """Whether an element is in the classes that an expression names, so that it is worth to look at the rest."""
        match expression:
            case Atom(class_id) if class_id >= 0:
                return self.drafts.below(x, class_id)
            case And(parts):
                return all(self._may_have(x, part) for part in parts)
        return True

    def _all(self, *facts: Fact) -> Iterator[tuple[Any, ...]]:
        yield "all parts", *facts


def _role(r: int, s: int) -> tuple[Fact, ...]:
    return () if r == s else (("role", r, s),)

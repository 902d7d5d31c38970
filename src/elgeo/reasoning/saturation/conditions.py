"""What holds only where some class has an instance: fresh names let the rules speak of it.

The rules tell of each class what follows if it has an instance, from what its links lead to. They do not see two
things: where G has an instance and leads to a class inside {a}, then a is in that class, and all that leads to a may
learn of it; and the universal role relates all that G leads to. Both hold only where G has an instance. So for such a G
the class X ⊓ ∃U.G, "X where G has an instance", gets a name for every X that may learn more there:

    G ⊑ ∃U.G ⊑ ∃U.(G ⊓ ∃U.G),   C ⊑ ∃r.Y  ⟹  C ⊓ ∃U.G ⊑ ∃r.(Y ⊓ ∃U.G),   ∃U.G ⊑ ∃U.({a} ⊓ ∃U.G)

All these lead to each other, and the rules for one element and for the universal role do the rest. Ontologies without
individuals and without ∃U.C on the left have no such G, nearly all others have few.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property

import numpy as np

from elgeo.arrays import Flags, Ints, Longs, Places
from elgeo.ontology.expressions import TOP_OBJECT_PROPERTY
from elgeo.ontology.extension import NewRow, extended, new_table
from elgeo.ontology.normal_forms import NormalForms
from elgeo.ontology.vocabulary import TOP, TOP_ROLE, Kind
from elgeo.reasoning.saturation.completion import Completion
from elgeo.reasoning.saturation.index import HIDDEN
from elgeo.reasoning.saturation.readout import subsumer_rows
from elgeo.reasoning.saturation.saturate import Saturation, read_out

_HERE = f"ObjectSomeValuesFrom(<{TOP_OBJECT_PROPERTY}> {{}})"


def under_conditions(saturation: Saturation, asked: Places | None = None) -> Saturation:
    """With names for what holds only where a named class, or one of the classes `asked`, has an instance."""
    if not saturation.may_have_conditions:
        return saturation
    chosen = saturation.conditional.copy()
    if asked is None:
        chosen &= saturation.forms.vocabulary.class_kinds == Kind.NAMED
    else:
        chosen[np.setdiff1d(np.arange(len(chosen)), asked)] = False
    if not chosen.any():
        return saturation
    naming = _Naming(saturation, np.flatnonzero(chosen).tolist())
    wider = saturation
    while naming.grow(wider):
        wider = continued(wider, *naming.taken())
    return replace(
        wider, given={**saturation.given, **naming.given}, unconditional=saturation.unconditional or saturation
    )


def continued(
    saturation: Saturation, names: list[str], rows: dict[str, list[NewRow]], kinds: list[Kind] | None = None
) -> Saturation:
    """The saturation with further classes and rows about them."""
    forms = extended(saturation.forms, names, rows, kinds)
    classes = np.arange(len(saturation.unsatisfiable), dtype=np.int32)
    roles = np.arange(forms.vocabulary.n_roles, dtype=np.int32)
    tables = {name: new_table(name, added) for name, added in rows.items()}
    completion = saturation.completion.extended(forms, classes, roles, tables) or Completion(forms)
    return replace(read_out(forms, completion), given=saturation.given, unconditional=saturation.unconditional)


def conditional(saturation: Saturation) -> Flags:
    """Which classes lead to something that would tell others more if it had an instance."""
    view = _View(saturation)
    n, nominal = len(saturation.unsatisfiable), saturation.completion.nominal
    owners = np.repeat(np.arange(n), np.diff(saturation.subsumer_start))
    inside = nominal[saturation.subsumers] & (saturation.subsumers != owners) & ~saturation.unsatisfiable[owners]
    classes, individuals = owners[inside], saturation.subsumers[inside].astype(np.int64)
    keys = owners << 32 | saturation.subsumers
    found = np.zeros(n, np.bool_)
    found[classes[~np.isin(individuals << 32 | classes, keys)]] = True
    sources, targets = view.edges
    for item in range(HIDDEN, saturation.completion.hidden.first_loop):
        has = view.has_item(item)
        if not has[TOP]:
            found[sources[has[sources] & ~has[targets]]] = True
            if nominal.any():
                found |= has
    if not found.any():
        return found
    while True:
        before = int(found.sum())
        found[sources[found[targets]]] = True
        if int(found.sum()) == before:
            return found & ~saturation.unsatisfiable


class _View:
    """A saturation as sets and edges."""

    def __init__(self, saturation: Saturation) -> None:
        self.saturation = saturation
        self._subsumers: dict[int, frozenset[int]] = {}

    def subsumers(self, x: int) -> frozenset[int]:
        if x not in self._subsumers:
            self._subsumers[x] = frozenset(self.saturation.subsumers_of(x).tolist())
        return self._subsumers[x]

    def targets(self, x: int) -> set[int]:
        start = self.saturation.link_start
        return set(self.saturation.link_targets[start[x] : start[x + 1]].tolist())

    def sources(self, y: int) -> set[int]:
        order, keys = self._by_target
        low, high = np.searchsorted(keys, [y, y + 1])
        return set(self.edges[0][order[low:high]].tolist())

    @cached_property
    def edges(self) -> tuple[Longs, Ints]:
        """Sources and targets of all links."""
        s = self.saturation
        return np.repeat(np.arange(len(s.unsatisfiable)), np.diff(s.link_start)), s.link_targets

    @cached_property
    def _by_target(self) -> tuple[Longs, Ints]:
        order = np.argsort(self.edges[1], kind="stable")
        return order, self.edges[1][order]

    @cached_property
    def _items(self) -> tuple[Longs, Longs]:
        """Pairs of a hidden item and a class that has it."""
        completion = self.saturation.completion
        start, items = subsumer_rows(completion.state.arena, completion.state.head, 0, completion.n, 2**62)
        owners = np.repeat(np.arange(completion.n), np.diff(start))
        hidden = (items >= HIDDEN) & (items < completion.hidden.first_loop)
        return items[hidden].astype(np.int64), owners[hidden]

    def has_item(self, item: int) -> Flags:
        """Which classes have a hidden item."""
        found = np.zeros(self.saturation.completion.n, np.bool_)
        found[self._items[1][self._items[0] == item]] = True
        return found

    def reached(self, start: Iterable[int]) -> set[int]:
        """All that some classes lead to, and they themselves."""
        found = set(start)
        waiting = list(found)
        while waiting:
            new = self.targets(waiting.pop()) - found
            found |= new
            waiting += new
        return found


class _Naming:
    """Collects the names X ⊓ ∃U.G and the rows about them, round by round."""

    def __init__(self, saturation: Saturation, roots: list[int]) -> None:
        self.forms: NormalForms = saturation.forms
        self.individuals = set(np.flatnonzero(saturation.completion.nominal).tolist())
        self.others = set(saturation.given.values())
        self.existing = _View(saturation).reached([TOP, *self.individuals])
        self.given: dict[tuple[int, int], int] = {}
        """The names: (X, G) and the class X ⊓ ∃U.G."""
        self.first = self._size = self.forms.vocabulary.n_classes
        self._names: list[str] = []
        self._rows: dict[str, list[NewRow]] = {}
        existential = self.forms["existential"]
        order = np.argsort(existential[:, 2], kind="stable")
        self._by_filler = order, existential[order, 2]
        self._written: set[tuple[int, int, int]] = set()
        self.worlds = [_World(self, g) for g in roots]

    def grow(self, saturation: Saturation) -> bool:
        """Name what else has to be named by what is derived now; whether there was anything."""
        view = _View(saturation)
        for world in self.worlds:
            world.grow(view)
        return bool(self._rows)

    def taken(self) -> tuple[list[str], dict[str, list[NewRow]]]:
        """The names and rows since the last time."""
        found = self._names, self._rows
        self._names, self._rows = [], {}
        return found

    def name(self, x: int, g: int, text: str) -> int:
        """A new class for (x, g)."""
        self._names.append(text)
        self.given[x, g] = found = self._size
        self._size += 1
        return found

    def add(self, form: str, row: tuple[int, ...], axioms: Iterable[int] = ()) -> None:
        self._rows.setdefault(form, []).append((row, tuple(axioms)))

    def add_existential(self, head: int, role: int, filler: int, number: int) -> None:
        """A copy of an asserted row."""
        if (head, role, filler) not in self._written:
            self._written.add((head, role, filler))
            pairs = self.forms.origins.get("existential", np.empty((0, 2), np.int32))
            low, high = np.searchsorted(pairs[:, 0], [number, number + 1])
            self.add("existential", (head, role, filler), pairs[low:high, 1].tolist())

    def leading_to(self, y: int) -> Iterator[tuple[int, int, int]]:
        """The asserted C ⊑ ∃r.Y: C, r and the number of the row."""
        order, keys = self._by_filler
        low, high = np.searchsorted(keys, [y, y + 1])
        for number in order[low:high].tolist():
            head, role, _ = self.forms["existential"][number].tolist()
            yield head, role, number

    def text(self, x: int) -> str:
        """A class in functional syntax."""
        words = self.forms.vocabulary
        name, kind = str(words.classes[x]), int(words.class_kinds[x])
        if kind == Kind.FRESH:
            return name
        own = name if name.startswith("_:") else f"<{name}>"
        return f"ObjectOneOf({own})" if kind == Kind.INDIVIDUAL else own


class _World:
    """The names X ⊓ ∃U.G of one G."""

    def __init__(self, naming: _Naming, g: int) -> None:
        self._naming, self.g = naming, g
        self._here = naming.name(TOP, g, _HERE.format(naming.text(g)))
        self.copies: dict[int, int] = {TOP: self._here}
        self._original = {self._here: TOP}
        naming.add("subclass", (g, self._here))
        naming.add("existential", (self._here, TOP_ROLE, self._copy(g)))

    def grow(self, view: _View) -> None:
        """Name what may learn more, and everything that leads to it; then the links between them."""
        naming = self._naming
        exists = self._existing(view)
        missing = self._missing_items(view, exists)
        waiting = {x for x in exists if x in self.copies} | missing
        for x in missing:
            self._copy(x)
        for x in sorted(exists):
            for a in self._subsumers(view, x) & naming.individuals - {x}:
                if x in self.copies or a in self.copies or x not in view.subsumers(a):
                    waiting |= {x, a}
        exists |= waiting
        seen = set(waiting)
        while waiting:
            y = waiting.pop()
            self._copy(y)
            before = {self._base(x) for z in (y, self.copies[y]) for x in view.sources(z)}
            same = {x for x in exists if y in self._subsumers(view, x)} if y in naming.individuals else set()
            new = ({x for x in before if x in exists or x in naming.existing} | same) - seen
            exists |= new
            seen |= new
            waiting |= new
        self._link(view, exists)

    def _link(self, view: _View, exists: set[int]) -> None:
        """C ⊑ ∃r.Y  ⟹  C ⊓ ∃U.G ⊑ ∃r.(Y ⊓ ∃U.G), for the C that something is in."""
        heads: set[int] = set()
        for x in exists & self.copies.keys():
            heads |= self._subsumers(view, x)
        for y in sorted(exists & self.copies.keys()):
            for head, role, number in self._naming.leading_to(y):
                if head in heads:
                    self._naming.add_existential(self._copy(head), role, self.copies[y], number)

    def _existing(self, view: _View) -> set[int]:
        """What exists where G has an instance, as far as it can learn from that: by original."""
        found = {self.g, *(a for a in self._naming.individuals if a in self.copies)}
        waiting = list(found)
        while waiting:
            x = waiting.pop()
            known = len(view.saturation.unsatisfiable)
            current = self.copies.get(x, x)
            # a name of this round has no links of its own yet
            new = {self._base(y) for y in view.targets(current if current < known else x)} - found - {-1}
            found |= new
            waiting += new
        return found

    def _missing_items(self, view: _View, exists: set[int]) -> set[int]:
        """Where the universal role has not yet brought what G leads to."""
        hidden, found = view.saturation.completion.hidden, set[int]()
        for item in range(HIDDEN, hidden.first_loop):
            has = view.has_item(item)
            if has[self.g] and not has[TOP]:
                everywhere = exists | (self._naming.existing if self._naming.individuals else set())
                found |= {x for x in everywhere if not has[x] and x not in self.copies}
        return found

    def _subsumers(self, view: _View, x: int) -> frozenset[int]:
        current = self.copies.get(x, x)
        return view.subsumers(current if current < len(view.saturation.unsatisfiable) else x)

    def _base(self, x: int) -> int:
        """The original of a name of this world; -1 for names of other worlds, which say nothing new here."""
        if x in self._original:
            return self._original[x]
        return -1 if x >= self._naming.first or x in self._naming.others else x

    def _copy(self, x: int) -> int:
        """The name X ⊓ ∃U.G."""
        if x in self.copies:
            return self.copies[x]
        naming, here = self._naming, self._here
        text = f"ObjectIntersectionOf({naming.text(x)} {_HERE.format(naming.text(self.g))})"
        found = self.copies[x] = naming.name(x, self.g, text)
        self._original[found] = x
        naming.add("subclass", (found, x))
        naming.add("subclass", (found, here))
        naming.add("conjunction", (x, here, found))
        if x in naming.individuals:
            naming.add("existential", (here, TOP_ROLE, found))
        return found

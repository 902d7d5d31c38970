"""The paper's closure: each asserted axiom with one class replaced by a sub- or superclass; sound, not complete."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from elgeo.errors import SettingError
from elgeo.ontology.normal_forms import Table, form_named
from elgeo.reasoning.closure import ROLE_COLUMNS, TAILED, Closure, Left
from elgeo.reasoning.closure_rows import Flags, Ints, Starts, TailRows, plain_rows, ranges, starts_of
from elgeo.reasoning.complete_closure import MEMORY, Saturated
from elgeo.reasoning.paper_kernels import Keys, any_above, any_below, tails_by_above

FORMS = (*TAILED, "empty", "disjoint", "empty_existential")
UNORDERED = ("conjunction", "disjoint")
"""C ⊓ D is D ⊓ C: both orders are in the closure, and count once."""


class PaperClosure(Closure):
    """Algorithm 1 of the paper: one rule application to each axiom of the ontology.

    A class on the left becomes any of its subclasses, or the class on the right any of its superclasses, in the
    hierarchy the reasoner found: C ⊑ D, C ⊓ D ⊑ E, C ⊑ ∃R.D, ∃R.C ⊑ D and their ⊥ forms. An unsatisfiable class is
    below every class. Role inclusions are those asserted. The result is not extended again.
    `count` counts axioms between named classes and individuals with satisfiable left classes, without C ⊑ C.
    """

    mode = "paper"

    def __init__(self, saturation: Saturated, memory: int = MEMORY) -> None:
        super().__init__(saturation.forms)
        self.saturation = saturation
        self.memory = memory
        self._keys: dict[str, Keys] = {}
        self._rows: dict[str, TailRows | None] = {}
        if self.n_classes**3 >= 2**63 or self.n_classes**2 * self.n_roles >= 2**63:
            raise SettingError(f"the paper's closure is limited to 2,000,000 classes; here are {self.n_classes}")

    def count(self, form: str) -> int:
        name = form_named(form).name
        if name not in FORMS:
            return len(self.forms[name])
        return sum(len(table) for table in self.tables(name))

    def tables(self, form: str) -> Iterator[Table]:
        """What `count` counts, a part at a time: ascending rows, the parts disjoint."""
        parts = 1 + 48 * self._expansion_size(form) // max(self.memory, 1 << 20)
        bounds = np.linspace(0, self.n_classes if form != "left_existential" else self.n_roles, parts + 1).astype(int)
        for low, high in pairwise(bounds.tolist()):
            table = self._columns(form, self._expanded(form, low, high))
            classes = [j for j in range(table.shape[1]) if j not in ROLE_COLUMNS.get(form, ())]
            keep = self.visible[table[:, classes]].all(axis=1)
            on_left = classes[:-1] if form in TAILED else classes
            keep &= ~self.saturation.unsatisfiable[table[:, on_left]].any(axis=1)
            if form == "subclass":
                keep &= table[:, 0] != table[:, 1]
            if form in UNORDERED:
                keep &= table[:, 0] <= table[:, 1]
            yield table[keep]

    def _in_rows(self, form: str) -> bool:
        return form not in ("subclass", "existential") or self._kept(form) is not None

    def _left(self, form: str, left: Table) -> Left:
        rows = self._kept(form) if form in ("subclass", "existential") else None
        if rows is not None:
            roles = left[:, 1] if form == "existential" else np.zeros(len(left), np.int32)
            return Left(rows, np.ascontiguousarray(left[:, 0]), np.ascontiguousarray(roles, np.int32))
        distinct, index = np.unique(left, axis=0, return_inverse=True)
        return Left(self._rows_of(form, distinct), index.reshape(-1).astype(np.int32), np.zeros(len(left), np.int32))

    def _contains(self, form: str, table: Table) -> Flags:
        if form not in FORMS:
            return _rows_in(table, self.forms[form], max(self.n_classes, self.n_roles))
        if form in ("subclass", "existential") and self._kept(form) is not None:
            return super()._contains(form, table)
        keys, s = self._asserted(form), self.saturation
        wanted, found = self._key(form, table), np.zeros(len(table), np.bool_)
        steps = self._steps(form)
        if form in TAILED:
            last = np.ascontiguousarray(table[:, -1])
            any_below(
                keys,
                wanted // self.n_classes,
                self.n_classes,
                last,
                s.subsumer_start,
                s.subsumers,
                s.unsatisfiable,
                found,
            )
        for j in self._moving(form):
            movers = np.ascontiguousarray(table[:, j])
            base = wanted - movers * steps[j]
            any_above(keys, base, int(steps[j]), movers, s.subsumer_start, s.subsumers, found)
            empty = np.flatnonzero(s.unsatisfiable[movers])
            if len(empty):
                others = keys - self._columns(form, keys)[:, j] * steps[j]
                found[empty] |= np.isin(base[empty], others)
        return found

    def _moving(self, form: str) -> list[int]:
        """The class columns of the left side."""
        width = len(form_named(form).columns) - (form in TAILED)
        return [j for j in range(width) if j not in ROLE_COLUMNS.get(form, ())]

    def _sizes(self, form: str) -> list[int]:
        roles = ROLE_COLUMNS.get(form, ())
        return [self.n_roles if j in roles else self.n_classes for j in range(len(form_named(form).columns))]

    def _steps(self, form: str) -> list[np.int64]:
        """The weight of each column in a row's key."""
        sizes = self._sizes(form)
        return [np.int64(int(np.prod(sizes[j + 1 :], dtype=np.int64))) for j in range(len(sizes))]

    def _key(self, form: str, table: Table) -> Keys:
        return np.asarray(table.astype(np.int64) @ np.array(self._steps(form)), np.int64)

    def _columns(self, form: str, keys: Keys) -> Table:
        columns = []
        for size, step in zip(self._sizes(form), self._steps(form), strict=True):
            columns.append((keys // step) % size)
        return np.stack(columns, axis=1).astype(np.int32)

    def _asserted(self, form: str) -> Keys:
        """The keys of the asserted rows, ascending; C ⊓ D in both orders."""
        if form not in self._keys:
            table = self.forms[form]
            if form in UNORDERED:
                table = np.concatenate([table, table[:, [1, 0, *range(2, table.shape[1])]]])
            self._keys[form] = np.unique(self._key(form, table))
        return self._keys[form]

    @cached_property
    def _below(self) -> tuple[Starts, Ints]:
        """The satisfiable subclasses of each class."""
        s = self.saturation
        owners = np.repeat(np.arange(self.n_classes, dtype=np.int32), np.diff(s.subsumer_start))
        sound = ~s.unsatisfiable[owners]
        owners, above = owners[sound], s.subsumers[sound]
        order = np.argsort(above, kind="stable")
        return starts_of(np.bincount(above, minlength=self.n_classes)), owners[order]

    @cached_property
    def _empty(self) -> Ints:
        return np.flatnonzero(self.saturation.unsatisfiable).astype(np.int32)

    def _expansion_size(self, form: str) -> int:
        """How many rows the rules give, the same one perhaps many times."""
        table, s = self._columns(form, self._asserted(form)), self.saturation
        start, _ = self._below
        size = sum(int(np.diff(start)[table[:, j]].sum()) + len(table) * len(self._empty) for j in self._moving(form))
        if form in TAILED:
            above = np.where(s.unsatisfiable, self.n_classes, np.diff(s.subsumer_start))
            size += int(above[table[:, -1]].sum())
        return size

    def _expanded(self, form: str, low: int, high: int) -> Keys:
        """All rows of the closure whose first column is from `low` up to `high`, as ascending keys."""
        keys, steps, s = self._asserted(form), self._steps(form), self.saturation
        table = self._columns(form, keys)
        found: list[Keys] = [keys]
        for j in self._moving(form):
            start, below = self._below
            first, last = start[table[:, j]], start[table[:, j] + 1]
            base = keys - table[:, j] * steps[j]
            found.append(np.repeat(base, last - first) + below[ranges(first, last)] * steps[j])
            found.append(np.asarray(base[:, None] + self._empty * steps[j], np.int64).reshape(-1))
        if form in TAILED:
            last_class = table[:, -1]
            base = np.asarray(keys - last_class, np.int64)
            sound = ~s.unsatisfiable[last_class]
            first, last = s.subsumer_start[last_class[sound]], s.subsumer_start[last_class[sound] + 1]
            found.append(np.asarray(np.repeat(base[sound], last - first) + s.subsumers[ranges(first, last)], np.int64))
            everything = np.arange(self.n_classes, dtype=np.int64)
            found.append((base[~sound][:, None] + everything).reshape(-1))
        step = steps[0]
        return np.unique(np.concatenate([k[(k >= low * step) & (k < high * step)] for k in found]))

    def _kept(self, form: str) -> TailRows | None:
        """All rows of C ⊑ D or C ⊑ ∃R.D in memory, or None where they do not fit."""
        if form not in self._rows:
            n_roles = 1 if form == "subclass" else self.n_roles
            lefts = self.n_classes * n_roles
            if 16 * self._expansion_size(form) + 8 * lefts > self.memory:
                self._rows[form] = None
            else:
                keys = self._expanded(form, 0, self.n_classes)
                start = np.searchsorted(keys, np.arange(lefts + 1) * np.int64(self.n_classes))
                tails = (keys % self.n_classes).astype(np.int32)
                nothing = np.zeros(self.n_classes, np.bool_)
                self._rows[form] = TailRows(start.astype(np.int64), tails, nothing, n_roles)
        return self._rows[form]

    def _rows_of(self, form: str, left: Table) -> TailRows:
        """The entailed tails of given left sides alone."""
        keys, s, n = self._asserted(form), self.saturation, np.int64(self.n_classes)
        steps = [step // n for step in self._steps(form)[:-1]]
        prefix = np.asarray(left.astype(np.int64) @ np.array(steps), np.int64)
        first, last = np.searchsorted(keys, prefix * n), np.searchsorted(keys, (prefix + 1) * n)
        owner = np.repeat(np.arange(len(left)), last - first)
        below = keys[ranges(first, last)] % n
        sound = ~s.unsatisfiable[below]
        low, high = s.subsumer_start[below[sound]], s.subsumer_start[below[sound] + 1]
        found = [
            np.repeat(owner[sound], high - low) * n + s.subsumers[ranges(low, high)],
            (owner[~sound][:, None] * n + np.arange(n)).reshape(-1),
        ]
        for j in self._moving(form):
            movers = np.ascontiguousarray(left[:, j])
            base = prefix - movers * steps[j]
            rows, tails = tails_by_above(
                keys, int(n), base, int(steps[j]), movers, s.subsumer_start, s.subsumers, s.unsatisfiable
            )
            found.append(rows * n + tails)
        pairs = np.unique(np.concatenate(found))
        start = np.searchsorted(pairs, np.arange(len(left) + 1) * n)
        return plain_rows(start.astype(np.int64), (pairs % n).astype(np.int32), np.zeros(len(left), np.bool_))


def _rows_in(rows: Table, table: Table, span: int) -> Flags:
    weights = np.int64(span) ** np.arange(rows.shape[1])
    found: NDArray[np.bool_] = np.isin(rows.astype(np.int64) @ weights, table.astype(np.int64) @ weights)
    return found

"""The paper's closure: each asserted axiom with one class replaced by a sub- or superclass; sound, not complete."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise

import numpy as np

from elgeo.arrays import Flags, Ints, Keys, Longs, Starts, Table
from elgeo.errors import SettingError
from elgeo.keys import distinct
from elgeo.ontology.normal_forms import FORMS, form_named
from elgeo.reasoning.closure.base import Closure, Left
from elgeo.reasoning.closure.complete import MEMORY
from elgeo.reasoning.closure.paper_counting import count_rows
from elgeo.reasoning.closure.paper_kernels import any_above, any_below, any_pair, tails_by_above, tails_of_classes
from elgeo.reasoning.closure.tail_rows import TailRows, plain_rows, ranges, starts_of
from elgeo.reasoning.saturation.saturate import Saturation


class PaperClosure(Closure):
    """Algorithm 1 of the paper: one rule application to each axiom of the ontology.

    A class on the left becomes any of its subclasses, or the class on the right any of its superclasses, in the
    hierarchy the reasoner found: C ⊑ D, C ⊓ D ⊑ E, C ⊑ ∃R.D, ∃R.C ⊑ D and their ⊥ forms. An unsatisfiable class is
    below every class. Role inclusions are those asserted. The result is not extended again.
    `count` counts axioms with satisfiable classes on the left, without C ⊑ C; role inclusions as asserted.
    """

    mode = "paper"

    def __init__(self, saturation: Saturation, memory: int = MEMORY) -> None:
        # the published approximation knows no conditions
        super().__init__(saturation.unconditional or saturation)
        self.memory = memory
        self._keys: dict[str, Keys] = {}
        self._rows: dict[str, TailRows | None] = {}
        if self.n_classes**3 >= 2**63 or self.n_classes**2 * self.n_roles >= 2**63:
            found = f"{self.n_classes} and {self.n_roles}"
            raise SettingError(
                f"the paper's closure is limited to 2,000,000 classes and as many roles; here are {found}"
            )

    def count(self, form: str, fresh: bool = False) -> int:
        name = form_named(form).name
        allowed = self.countable(fresh)
        if not FORMS[name].left_classes or name == "empty" or (FORMS[name].role_columns and self.has_fresh_roles):
            return sum(len(table) for table in self.tables(form, fresh))
        rows = self._kept(name) if name in ("subclass", "existential") else None
        return count_rows(self, name, allowed) if rows is None else self._count_kept(name, rows, allowed)

    def _count_kept(self, form: str, rows: TailRows, allowed: Flags) -> int:
        heads = np.flatnonzero(allowed & ~self.saturation.unsatisfiable)
        before = starts_of(allowed[rows.tails].astype(np.int64))[rows.start]
        count = int((before[(heads + 1) * rows.n_roles] - before[heads * rows.n_roles]).sum())
        if form == "existential":
            return count
        own = np.repeat(heads[:, None], 2, axis=1).astype(np.int32)
        return count - int(self._contains(form, own).sum())

    def tables(self, form: str, fresh: bool = False) -> Iterator[Table]:
        name, allowed = form_named(form).name, self.countable(fresh)
        if not FORMS[name].left_classes:
            yield self.of_known_roles(name, self.forms[name], fresh)
            return
        if name == "empty":
            # of these the left side cannot be satisfiable
            table = np.flatnonzero(allowed & self.saturation.unsatisfiable).astype(np.int32)[:, None]
            yield table[self._contains(name, table)]
            return
        for low, high in self._parts(name):
            table = self.columns(name, self._expanded(name, low, high))
            yield self.of_known_roles(name, table[self.counts(name, table, allowed)], fresh)

    def counts(self, form: str, table: Table, allowed: Flags) -> Flags:
        """Which rows count: of allowed classes, satisfiable on the left, no C ⊑ C, unordered pairs once."""
        keep = allowed[table[:, list(FORMS[form].class_columns)]].all(axis=1)
        keep &= ~self.saturation.unsatisfiable[table[:, self.moving(form)]].any(axis=1)
        if form == "subclass":
            keep &= table[:, 0] != table[:, 1]
        if FORMS[form].unordered:
            keep &= table[:, 0] <= table[:, 1]
        return np.asarray(keep)

    def _in_rows(self, form: str) -> bool:
        return self._kept(form) is not None

    def left(self, form: str, left: Table) -> Left:
        rows = self._kept(form) if form in ("subclass", "existential") else None
        if rows is not None:
            roles = left[:, 1] if form == "existential" else np.zeros(len(left), np.int32)
            return Left(rows, np.ascontiguousarray(left[:, 0]), np.ascontiguousarray(roles, np.int32))
        lefts, index = np.unique(left, axis=0, return_inverse=True)
        return Left(self._rows_of(form, lefts), index.ravel().astype(np.int32), np.zeros(len(left), np.int32))

    def _contains(self, form: str, table: Table) -> Flags:
        if not FORMS[form].left_classes:
            return _rows_in(table, self.forms[form], max(self.n_classes, self.n_roles))
        if form in ("subclass", "existential") and self._kept(form) is not None:
            return super()._contains(form, table)
        found = self.by_subclass(form, table)
        if FORMS[form].has_tail:
            s, last = self.saturation, np.ascontiguousarray(table[:, -1])
            left = self.key(form, table) // self.n_classes
            any_below(
                self.asserted(form), left, self.n_classes, last, s.subsumer_start, s.subsumers, s.unsatisfiable, found
            )
        return found

    def by_subclass(self, form: str, table: Table) -> Flags:
        """Whether each row is asserted, or is with one class on its left replaced by a superclass."""
        keys, s, steps = self.asserted(form), self.saturation, self.steps(form)
        found = np.zeros(len(table), np.bool_)
        if FORMS[form].unordered:
            groups = np.ascontiguousarray(table[:, 2]) if FORMS[form].has_tail else np.zeros(len(table), np.int32)
            any_pair(*self._by_group(form), groups, table, s.subsumer_start, s.subsumers, s.unsatisfiable, found)
            return found
        wanted = self.key(form, table)
        for j in self.moving(form):
            movers = np.ascontiguousarray(table[:, j])
            base = wanted - movers * steps[j]
            any_above(keys, base, int(steps[j]), movers, s.subsumer_start, s.subsumers, found)
            empty = np.flatnonzero(s.unsatisfiable[movers])
            if len(empty):
                others = keys - self.columns(form, keys)[:, j] * steps[j]
                found[empty] |= np.isin(base[empty], others)
        return found

    def _by_group(self, form: str) -> tuple[Ints, Ints, Starts]:
        """The asserted pairs of C ⊓ D ⊑ E by E, of C ⊓ D ⊑ ⊥ all in one group."""
        table = self.columns(form, self.asserted(form))
        group = table[:, 2] if FORMS[form].has_tail else np.zeros(len(table), np.int32)
        order = np.argsort(group, kind="stable")
        start = starts_of(np.bincount(group, minlength=self.n_classes))
        return np.ascontiguousarray(table[order, 0]), np.ascontiguousarray(table[order, 1]), start

    def moving(self, form: str) -> list[int]:
        """The class columns of the left side."""
        return list(FORMS[form].left_classes)

    def _sizes(self, form: str) -> list[int]:
        shape = FORMS[form]
        return [self.n_roles if j in shape.role_columns else self.n_classes for j in range(shape.width)]

    def steps(self, form: str) -> list[np.int64]:
        """The weight of each column in a row's key."""
        sizes = self._sizes(form)
        return [np.int64(int(np.prod(sizes[j + 1 :], dtype=np.int64))) for j in range(len(sizes))]

    def key(self, form: str, table: Table) -> Keys:
        """A number for each row, in the order of rows."""
        return np.asarray(table.astype(np.int64) @ np.array(self.steps(form)), np.int64)

    def columns(self, form: str, keys: Keys) -> Table:
        """The rows behind keys."""
        columns = []
        for size, step in zip(self._sizes(form), self.steps(form), strict=True):
            columns.append((keys // step) % size)
        return np.stack(columns, axis=1).astype(np.int32)

    def asserted(self, form: str) -> Keys:
        """The keys of the asserted rows, ascending; C ⊓ D in both orders."""
        if form not in self._keys:
            table = self.forms[form]
            if FORMS[form].unordered:
                table = np.concatenate([table, table[:, [1, 0, *range(2, table.shape[1])]]])
            self._keys[form] = distinct(self.key(form, table))
        return self._keys[form]

    @cached_property
    def below(self) -> tuple[Starts, Ints]:
        """The satisfiable subclasses of each class."""
        s = self.saturation
        owners = np.repeat(np.arange(self.n_classes, dtype=np.int32), np.diff(s.subsumer_start))
        sound = ~s.unsatisfiable[owners]
        owners, above = owners[sound], s.subsumers[sound]
        order = np.argsort(above, kind="stable")
        return starts_of(np.bincount(above, minlength=self.n_classes)), owners[order]

    @cached_property
    def empty(self) -> Ints:
        """The unsatisfiable classes."""
        return np.flatnonzero(self.saturation.unsatisfiable).astype(np.int32)

    def _growth(self, form: str) -> Longs:
        """How many rows the rules give from each asserted row, the same one perhaps many times."""
        table, s = self.columns(form, self.asserted(form)), self.saturation
        start, _ = self.below
        size = np.ones(len(table), np.int64)
        for j in self.moving(form):
            size += np.diff(start)[table[:, j]] + len(self.empty)
        if FORMS[form].has_tail:
            size += np.where(s.unsatisfiable, self.n_classes, np.diff(s.subsumer_start))[table[:, -1]]
        return size

    def _parts(self, form: str) -> list[tuple[int, int]]:
        """Ranges of the last class that give about as many rows each as memory has room for."""
        if not FORMS[form].has_tail:
            return [(0, self.n_classes)]
        last = self.columns(form, self.asserted(form))[:, -1]
        weight = np.cumsum(np.bincount(last, self._growth(form), minlength=self.n_classes))
        room = max(self.memory // 48, 1)
        bounds = np.unique(np.searchsorted(weight, np.arange(room, weight[-1] + 1, room)))
        return list(pairwise([0, *(bounds[(bounds > 0) & (bounds < self.n_classes)]).tolist(), self.n_classes]))

    def _expanded(self, form: str, low: int, high: int) -> Keys:
        """The rows of the closure whose last class is from `low` up to `high`, as ascending keys."""
        keys, steps = self.asserted(form), self.steps(form)
        found: list[Keys] = []
        if FORMS[form].has_tail:
            above = self.expanded_upwards(form)
            found.append(above[(above % self.n_classes >= low) & (above % self.n_classes < high)])
            keys = keys[(keys % self.n_classes >= low) & (keys % self.n_classes < high)]
        found.append(keys)
        table = self.columns(form, keys)
        start, below = self.below
        for j in self.moving(form):
            first, last = start[table[:, j]], start[table[:, j] + 1]
            base = keys - table[:, j] * steps[j]
            found.append(np.repeat(base, last - first) + below[ranges(first, last)] * steps[j])
            found.append(np.asarray(base[:, None] + self.empty * steps[j], np.int64).ravel())
        return distinct(np.concatenate(found))

    def expanded_upwards(self, form: str) -> Keys:
        """Every asserted row with its last class replaced by each superclass."""
        keys, s = self.asserted(form), self.saturation
        last_class = keys % self.n_classes
        base, sound = keys - last_class, ~s.unsatisfiable[last_class]
        first, last = s.subsumer_start[last_class[sound]], s.subsumer_start[last_class[sound] + 1]
        everything = np.arange(self.n_classes, dtype=np.int64)
        above = np.asarray(np.repeat(base[sound], last - first) + s.subsumers[ranges(first, last)], np.int64)
        return distinct(np.concatenate([above, (base[~sound][:, None] + everything).ravel()]))

    def _kept(self, form: str) -> TailRows | None:
        """All rows of C ⊑ D or C ⊑ ∃R.D in memory, or None where they do not fit."""
        if form not in self._rows:
            n_roles = 1 if form == "subclass" else self.n_roles
            lefts = self.n_classes * n_roles
            if 16 * int(self._growth(form).sum()) + 8 * lefts > self.memory:
                self._rows[form] = None
            else:
                self._rows[form] = self._made(form, n_roles)
        return self._rows[form]

    def _made(self, form: str, n_roles: int) -> TailRows:
        keys, s, n = self.asserted(form), self.saturation, self.n_classes
        width = np.int64(n_roles * n)
        head_start = np.searchsorted(keys, np.arange(n + 1) * width)
        room = int(self._growth(form).sum())
        rest, start = tails_of_classes(
            keys % width, head_start, n, s.subsumer_start, s.subsumers, s.unsatisfiable, room
        )
        heads = np.repeat(np.arange(n), np.diff(start))
        sizes = np.bincount(heads * n_roles + rest // n, minlength=n * n_roles)
        return TailRows(starts_of(sizes), (rest % n).astype(np.int32), np.zeros(n, np.bool_), n_roles)

    def _rows_of(self, form: str, left: Table) -> TailRows:
        """The entailed tails of given left sides alone."""
        keys, s, n = self.asserted(form), self.saturation, np.int64(self.n_classes)
        steps = [step // n for step in self.steps(form)[:-1]]
        prefix = np.asarray(left.astype(np.int64) @ np.array(steps), np.int64)
        first, last = np.searchsorted(keys, prefix * n), np.searchsorted(keys, (prefix + 1) * n)
        owner = np.repeat(np.arange(len(left)), last - first)
        below = keys[ranges(first, last)] % n
        sound = ~s.unsatisfiable[below]
        low, high = s.subsumer_start[below[sound]], s.subsumer_start[below[sound] + 1]
        found = [
            np.repeat(owner[sound], high - low) * n + s.subsumers[ranges(low, high)],
            (owner[~sound][:, None] * n + np.arange(n)).ravel(),
        ]
        for j in self.moving(form):
            movers = np.ascontiguousarray(left[:, j])
            base = prefix - movers * steps[j]
            rows, tails = tails_by_above(
                keys, int(n), base, int(steps[j]), movers, s.subsumer_start, s.subsumers, s.unsatisfiable
            )
            found.append(rows * n + tails)
        pairs = distinct(np.concatenate(found))
        start = np.searchsorted(pairs, np.arange(len(left) + 1) * n)
        return plain_rows(start.astype(np.int64), (pairs % n).astype(np.int32), np.zeros(len(left), np.bool_))


def _rows_in(rows: Table, table: Table, span: int) -> Flags:
    weights = np.int64(span) ** np.arange(rows.shape[1])
    found: Flags = np.isin(rows.astype(np.int64) @ weights, table.astype(np.int64) @ weights)
    return found

"""`Closure`: everything an ontology entails in each normal form, as a question answered fast."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from elgeo.errors import SettingError
from elgeo.ontology.normal_forms import Form, NormalForms, Table, form_named
from elgeo.ontology.vocabulary import Kind
from elgeo.reasoning.closure.contradictions import Contradictions
from elgeo.reasoning.closure.rows import Flags, Ints, TailRows, has_tail_many
from elgeo.reasoning.closure.sampling import TRIES, draw_entailed, draw_not_entailed
from elgeo.reasoning.saturation.saturate import Saturation

ROLE_COLUMNS = {"existential": (1,), "left_existential": (0,), "empty_existential": (0,), "subrole": (0, 1)}
"""Which columns of a form hold roles; of `chain` all do, of the others none."""
TAILED = ("subclass", "conjunction", "existential", "left_existential")
"""The forms with a class on the right: they can be sampled, and their last column corrupted."""

ASKED_FOR = (*TAILED, "empty", "disjoint", "empty_existential", "subrole", "chain")
"""The forms that the closure knows; the others are the reasoner's alone."""


class Left(NamedTuple):
    """Where the entailed tails of given left sides are: row i has those of `rows` under `heads[i]` and `roles[i]`."""

    rows: TailRows
    heads: Ints
    roles: Ints


@dataclass(frozen=True, eq=False)
class Candidates:
    """The classes that may replace a class: those of the same group."""

    members: Ints
    start: NDArray[np.int64]
    """Group g has `members[start[g]:start[g + 1]]`."""
    group_of_class: NDArray[np.int64]

    @classmethod
    def by_group(cls, groups: ArrayLike) -> Candidates:
        """A class may be replaced by any class with the same number in `groups` (negative: by none)."""
        of_class = np.asarray(groups, np.int64)
        members = np.argsort(of_class, kind="stable").astype(np.int32)
        members = members[of_class[members] >= 0]
        start = np.searchsorted(of_class[members], np.arange(int(of_class.max(initial=-1)) + 2))
        return cls(members, start.astype(np.int64), np.where(of_class < 0, len(start) - 1, of_class))

    @classmethod
    def single(cls, members: ArrayLike, n_classes: int) -> Candidates:
        """Every class may be replaced by any of `members`."""
        ids = np.unique(np.asarray(members, np.int32))
        if len(ids) and (ids[0] < 0 or ids[-1] >= n_classes):
            raise SettingError(f"candidates must be class ids from 0 to {n_classes - 1}")
        return cls(ids, np.array([0, len(ids)]), np.zeros(n_classes, np.int64))

    def of(self, classes: Ints) -> tuple[NDArray[np.int64], Ints]:
        """First position in `members` and number of candidates for each class."""
        ends = np.append(self.start, self.start[-1])
        group = self.group_of_class[classes]
        return ends[group], (ends[group + 1] - ends[group]).astype(np.int32)


class Closure(ABC):
    """The entailed axioms of an ontology, in one of two modes.

    `complete`: exactly what the ontology entails. `paper`: what one replacement of one class of an asserted axiom by
    a sub- or superclass reaches; sound, not complete. Rows are integer arrays with the columns of `FORMS`; every
    class id of the vocabulary may be asked for, fresh ones too.
    """

    mode: str

    def __init__(self, saturation: Saturation) -> None:
        self.saturation = saturation
        self.forms: NormalForms = saturation.forms
        self.n_classes = self.forms.vocabulary.n_classes
        self.n_roles = self.forms.vocabulary.n_roles

    def contains(self, form: str, rows: ArrayLike) -> Flags:
        """Whether each row is in the closure.

        >>> closure.contains("existential", [[5, 1, 7]])  # doctest: +SKIP
        array([ True])
        """
        name = form_named(form).name
        return self._contains(name, self.checked(name, rows))

    @abstractmethod
    def count(self, form: str, fresh: bool = False) -> int:
        """How many axioms of a form the closure has; see the mode for which are counted.

        Classes are named classes and individuals and, if asked for, the fresh ones of normalisation; never ⊤ or ⊥.
        """

    @abstractmethod
    def tables(self, form: str, fresh: bool = False) -> Iterator[Table]:
        """The axioms that `count` counts, as tables of bounded size, no row twice."""

    def sample(
        self,
        form: str,
        heads: ArrayLike,
        roles: ArrayLike | None,
        generator: np.random.Generator,
        among: ArrayLike | None = None,
    ) -> Ints:
        """One entailed tail for each head and role, all with the same probability; -1 where there is none.

        `heads` are the C of C ⊑ D and C ⊑ ∃R.D and ∃R.C ⊑ D, and pairs of classes for C ⊓ D ⊑ E. Tails come from
        `among` (class ids), by default named classes and individuals; C ⊑ C is never drawn.
        """
        name = self._tailed(form)
        left = self.left(name, self._left_columns(name, heads, roles))
        everything = self.visible_ids if among is None else Candidates.single(among, self.n_classes).members
        allowed = np.zeros(self.n_classes, np.bool_)
        allowed[everything] = True
        own = left.heads if name == "subclass" else np.full(len(left.heads), -1, np.int32)
        return draw_entailed(*left.rows, left.heads, left.roles, own, allowed, everything, _seed(generator))

    def sample_not_entailed(
        self,
        form: str,
        rows: ArrayLike,
        candidates: Candidates | ArrayLike,
        generator: np.random.Generator,
        column: int = -1,
    ) -> Ints:
        """For each row a candidate for the class in `column` that makes it an axiom outside the closure; -1 for none.

        Every such candidate has the same probability.
        """
        name = form_named(form).name
        table = self.checked(name, rows)
        column %= table.shape[1]
        if column in self.role_columns(name):
            raise SettingError(f"column {column} of {name} is a role: only classes can be replaced")
        options = candidates if isinstance(candidates, Candidates) else Candidates.single(candidates, self.n_classes)
        first, size = options.of(table[:, column])
        if name in TAILED and column == table.shape[1] - 1 and self._in_rows(name):
            left = self.left(name, table[:, :-1])
            chosen = draw_not_entailed(
                *left.rows, left.heads, left.roles, options.members, first, size, _seed(generator)
            )
            open_rows = (chosen < 0) & (size > 0) & ~left.rows.unsatisfiable[left.heads]
        else:
            chosen = self._draw_by_rounds(name, table, column, options.members, first, size, generator)
            open_rows = (chosen < 0) & (size > 0)
        pending = np.flatnonzero(open_rows)
        if len(pending):
            chosen[pending] = self._draw_exactly(
                name, table[pending], column, options.members, first[pending], size[pending], generator
            )
        return chosen

    def contradicts(self, form: str, rows: ArrayLike) -> Flags:
        """Whether the addition of each row would make its left side, satisfiable now, unsatisfiable.

        The same in both modes. C ⊑ ⊥ and its like say nothing else, so they contradict wherever they are not entailed.
        """
        name = form_named(form).name
        return self._contradictions.rows(name, self.checked(name, rows))

    @cached_property
    def _contradictions(self) -> Contradictions:
        return Contradictions(self.saturation)

    def tail_rows(self, form: str) -> TailRows | None:
        """The arrays of `subclass` or `existential` for kernels (`closure_rows.has_tail`); None if not in memory."""
        name = form_named(form).name
        if name not in ("subclass", "existential"):
            raise SettingError(f"the tails of {name} depend on two names: ask `contains` or `sample`")
        return self.left(name, np.empty((0, 2), np.int32)).rows if self._in_rows(name) else None

    def entailed_tails(self, form: str, left: ArrayLike) -> tuple[NDArray[np.int64], Ints, Flags]:
        """The entailed last classes of each left side (all columns of a form but the last), for kernels.

        Left side i has `tails[start[i]:start[i + 1]]`, ascending, and all classes where `everything[i]`:
        `start, tails, everything`.
        """
        name = self._tailed(form)
        sides = np.asarray(left)
        table = self.checked(name, np.concatenate([sides, np.zeros((len(sides), 1), sides.dtype)], axis=1))
        found = self.left(name, table[:, :-1])
        keys = found.heads.astype(np.int64) * found.rows.n_roles + found.roles
        sizes = found.rows.start[keys + 1] - found.rows.start[keys]
        start = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])
        places = np.repeat(found.rows.start[keys] - start[:-1], sizes) + np.arange(start[-1])
        return start, found.rows.tails[places], found.rows.unsatisfiable[found.heads]

    @cached_property
    def visible(self) -> Flags:
        """Which class ids users know: named classes and individuals."""
        kinds = self.forms.vocabulary.class_kinds
        return np.asarray((kinds == Kind.NAMED) | (kinds == Kind.INDIVIDUAL))

    def countable(self, fresh: bool) -> Flags:
        """Which class ids an axiom may speak of to be counted."""
        return np.asarray(self.visible | (self.forms.vocabulary.class_kinds == Kind.FRESH)) if fresh else self.visible

    @cached_property
    def visible_ids(self) -> Ints:
        return np.flatnonzero(self.visible).astype(np.int32)

    def role_columns(self, form: str) -> tuple[int, ...]:
        """Which columns of a form hold roles."""
        return (0, 1, 2) if form == "chain" else ROLE_COLUMNS.get(form, ())

    def checked(self, form: str, rows: ArrayLike) -> Table:
        """Rows as a table of known ids, or an error that says what is wrong with them."""
        shape: Form = form_named(form)
        if shape.name not in ASKED_FOR:
            raise SettingError(f"the closure has no {shape.name} axioms; it has {', '.join(ASKED_FOR)}")
        width = len(shape.columns)
        table = np.asarray(rows)
        if table.size == 0:
            return np.empty((0, width), np.int32)
        if table.ndim != 2 or table.shape[1] != width or table.dtype.kind not in "iu":
            raise SettingError(
                f"rows of {shape.name} are integers ({', '.join(shape.columns)}), so of shape (n, {width}); "
                f"these are {table.dtype} of shape {table.shape}"
            )
        for column in range(width):
            is_role = column in self.role_columns(shape.name)
            limit = self.n_roles if is_role else self.n_classes
            low, high = int(table[:, column].min()), int(table[:, column].max())
            if low < 0 or high >= limit:
                wrong, what = (low if low < 0 else high), ("role" if is_role else "class")
                raise SettingError(f"{shape.name} row with {what} id {wrong}: {what} ids go from 0 to {limit - 1}")
        return np.ascontiguousarray(table, np.int32)

    @abstractmethod
    def left(self, form: str, left: Table) -> Left:
        """Rows with the entailed tails of the given left sides (all columns of a form but the last)."""

    @abstractmethod
    def _in_rows(self, form: str) -> bool:
        """Whether `left` is cheap for a form: its rows are in memory, or will be kept once asked for."""

    def _contains(self, form: str, table: Table) -> Flags:
        left = self.left(form, table[:, :-1])
        return np.asarray(has_tail_many(*left.rows, left.heads, left.roles, np.ascontiguousarray(table[:, -1])))

    def _tailed(self, form: str) -> str:
        name = form_named(form).name
        if name not in TAILED:
            raise SettingError(f"{name} has no class on the right to draw; {', '.join(TAILED)} have")
        return name

    def _left_columns(self, form: str, heads: ArrayLike, roles: ArrayLike | None) -> Table:
        """Heads and roles of the user as the left columns of a form, checked."""
        first = np.asarray(heads)
        if form == "conjunction":
            columns = [first[:, 0], first[:, 1]] if first.ndim == 2 and first.shape[1] == 2 else []
        elif form == "subclass":
            columns = [first]
        elif roles is None:
            columns = []
        else:
            each = np.broadcast_to(np.asarray(roles), first.shape)
            columns = [first, each] if form == "existential" else [each, first]
        if not columns or any(c.ndim != 1 for c in columns):
            need = "pairs of classes as heads" if form == "conjunction" else "a class and a role for each row"
            raise SettingError(f"sampling {form} needs {need}")
        tails = np.zeros(len(first), np.int32)
        return self.checked(form, np.stack([*columns, tails], axis=1))[:, :-1]

    def _draw_by_rounds(
        self,
        form: str,
        table: Table,
        column: int,
        members: Ints,
        first: NDArray[np.int64],
        size: Ints,
        generator: np.random.Generator,
    ) -> Ints:
        chosen = np.full(len(table), -1, np.int32)
        pending = np.flatnonzero(size > 0)
        for _ in range(TRIES):
            if not len(pending):
                break
            trial = table[pending]
            trial[:, column] = members[first[pending] + generator.integers(size[pending])]
            free = ~self._contains(form, trial)
            chosen[pending[free]] = trial[free, column]
            pending = pending[~free]
        return chosen

    def _draw_exactly(
        self,
        form: str,
        table: Table,
        column: int,
        members: Ints,
        first: NDArray[np.int64],
        size: Ints,
        generator: np.random.Generator,
    ) -> Ints:
        """Draw from the list of all candidates that are not entailed; equal rows share the list."""
        key = np.concatenate([np.delete(table, column, axis=1), first[:, None]], axis=1)
        _, leader, group = np.unique(key, axis=0, return_index=True, return_inverse=True)
        order = np.argsort(group.reshape(-1), kind="stable")
        bounds = np.searchsorted(group.reshape(-1)[order], np.arange(len(leader) + 1))
        chosen = np.full(len(table), -1, np.int32)
        for g, row in enumerate(leader):
            options = members[first[row] : first[row] + size[row]]
            trial = np.repeat(table[row : row + 1], len(options), axis=0)
            trial[:, column] = options
            free = options[~self._contains(form, trial)]
            if len(free):
                mine = order[bounds[g] : bounds[g + 1]]
                chosen[mine] = free[generator.integers(len(free), size=len(mine))]
        return chosen


def _seed(generator: np.random.Generator) -> np.uint64:
    return np.uint64(generator.integers(2**64, dtype=np.uint64))

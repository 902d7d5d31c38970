"""`Closure`: everything an ontology entails in each normal form, as a question answered fast."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from elgeo.arrays import Flags, Ints, Longs, Table
from elgeo.errors import SettingError
from elgeo.ontology import glimpse
from elgeo.ontology.normal_forms import FORMS, PUBLISHED, TAILED, Form, NormalForms, form_named
from elgeo.ontology.vocabulary import Kind
from elgeo.reasoning.closure.contradictions import Contradictions
from elgeo.reasoning.closure.emptied import Emptied
from elgeo.reasoning.closure.limited import NO_LIMIT
from elgeo.reasoning.closure.sampling import draw_entailed
from elgeo.reasoning.closure.tail_rows import TailRows, has_tail_many
from elgeo.reasoning.saturation.saturate import Saturation


class Left(NamedTuple):
    """Where the entailed tails of given left sides are: row i has those of `rows` under `heads[i]` and `roles[i]`."""

    rows: TailRows
    heads: Ints
    roles: Ints


class Closure(ABC):
    """The entailed axioms of an ontology, in one of two modes.

    `complete`: exactly what the ontology entails. `paper`: what one replacement of one class of an asserted axiom by
    a sub- or superclass reaches; sound, not complete. Rows are integer arrays with the columns of `FORMS`; every
    class id of the vocabulary may be asked for, fresh ones too.
    """

    mode: str

    def __init__(self, saturation: Saturation) -> None:
        self.saturation = saturation
        # classes that the reasoner has named for itself are nobody's question
        self.forms: NormalForms = (saturation.unconditional or saturation).forms
        self.n_classes = self.forms.vocabulary.n_classes
        self.n_roles = self.forms.vocabulary.n_roles

    def __repr__(self) -> str:
        return glimpse.line(f"Closure, {self.mode}", {"classes": self.n_classes, "roles": self.n_roles})

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
        everything = self.visible_ids if among is None else self._class_ids(among)
        allowed = np.zeros(self.n_classes, np.bool_)
        allowed[everything] = True
        own = left.heads if name == "subclass" else np.full(len(left.heads), -1, np.int32)
        return draw_entailed(*left.rows, left.heads, left.roles, own, allowed, everything, _seed(generator))

    def contradicts(self, form: str, rows: ArrayLike) -> Flags:
        """Whether the addition of each row would make its left side, satisfiable now, unsatisfiable.

        The same in both modes. C ⊑ ⊥ and its like say nothing else, so they contradict wherever they are not entailed.
        Of axioms beyond EL++ the limits count too (C ⊑ ∀R.(A ⊔ …), see `Limits`), as far as the left side itself
        breaks one.
        """
        name = form_named(form).name
        return self._contradictions.rows(name, self.checked(name, rows))

    def limits_broken(self, form: str, rows: ArrayLike) -> Ints:
        """The number in `forms.limits` of a limit that each row breaks; -1 where it breaks none."""
        name = form_named(form).name
        return self._contradictions.broken(name, self.checked(name, rows))

    def emptied(self, form: str, rows: ArrayLike) -> Ints:
        """For each C ⊑ D or C ⊑ ∃R.D a class that could have no instance any more by it: C, or one below it; else -1.

        Each is asked as `contradicts` asks of the left side, with the right side told to it alone.
        """
        name = form_named(form).name
        if name not in ("subclass", "existential"):
            raise SettingError(f"{name} axioms have no single class on the left that others could be below")
        return self._emptied.rows(name, self.checked(name, rows))

    @property
    def impossible_by_limits(self) -> Ints:
        """By class, the number of a limit that leaves it no instance; -1 for none, or where EL++ sees it already."""
        return self._contradictions.limited.of_classes

    @property
    def unsatisfiable(self) -> Flags:
        """Which classes can have no instance, by what EL++ says or by limits."""
        return np.asarray(self.saturation.unsatisfiable | (self.impossible_by_limits != NO_LIMIT))

    @cached_property
    def _contradictions(self) -> Contradictions:
        return Contradictions(self.saturation)

    @cached_property
    def _emptied(self) -> Emptied:
        return Emptied(self._contradictions)

    def tail_rows(self, form: str) -> TailRows | None:
        """The arrays of `subclass` or `existential` for kernels (`tail_rows.has_tail`); None if not in memory."""
        name = form_named(form).name
        if name not in ("subclass", "existential"):
            raise SettingError(f"the tails of {name} depend on two names: ask `contains` or `sample`")
        return self.left(name, np.empty((0, 2), np.int32)).rows if self._in_rows(name) else None

    def entailed_tails(self, form: str, left: ArrayLike) -> tuple[Longs, Ints, Flags]:
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

    @property
    def has_fresh_roles(self) -> bool:
        """Whether there are roles that users do not know: beginnings of chains, inverses."""
        return bool((self.forms.vocabulary.role_kinds == Kind.FRESH).any())

    def of_known_roles(self, form: str, table: Table, fresh: bool) -> Table:
        """The rows without roles that users do not know, unless those are asked for."""
        columns = list(FORMS[form].role_columns)
        if fresh or not columns or not self.has_fresh_roles:
            return table
        return np.asarray(table[(self.forms.vocabulary.role_kinds[table[:, columns]] != Kind.FRESH).all(axis=1)])

    @cached_property
    def visible_ids(self) -> Ints:
        return np.flatnonzero(self.visible).astype(np.int32)

    def _class_ids(self, among: ArrayLike) -> Ints:
        ids = np.unique(np.asarray(among, np.int32))
        if len(ids) and (ids[0] < 0 or ids[-1] >= self.n_classes):
            raise SettingError(f"candidates must be class ids from 0 to {self.n_classes - 1}")
        return ids

    def checked(self, form: str, rows: ArrayLike) -> Table:
        """Rows as a table of known ids, or an error that says what is wrong with them."""
        shape: Form = form_named(form)
        if shape.name not in PUBLISHED:
            raise SettingError(f"the closure has no {shape.name} axioms; it has {', '.join(PUBLISHED)}")
        width = shape.width
        table = np.asarray(rows)
        if table.size == 0:
            return np.empty((0, width), np.int32)
        if table.ndim != 2 or table.shape[1] != width or table.dtype.kind not in "iu":
            raise SettingError(
                f"rows of {shape.name} are integers ({', '.join(shape.columns)}), so of shape (n, {width}); "
                f"these are {table.dtype} of shape {table.shape}"
            )
        for column in range(width):
            is_role = column in shape.role_columns
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
        """Whether all rows of `subclass` or `existential` are in memory."""

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
        first, shape = np.asarray(heads), form_named(form)
        fits = first.ndim == 2 and first.shape[1] == 2 if shape.unordered else first.ndim == 1
        if not fits or (shape.role_columns and roles is None):
            need = "pairs of classes as heads" if shape.unordered else "a class and a role for each row"
            raise SettingError(f"sampling {form} needs {need}")
        rows = np.zeros((len(first), shape.width), first.dtype)
        rows[:, list(shape.left_classes)] = first if shape.unordered else first[:, None]
        if shape.role_columns:
            rows[:, shape.role_columns[0]] = np.broadcast_to(np.asarray(roles), first.shape)
        return self.checked(form, rows)[:, :-1]


def _seed(generator: np.random.Generator) -> np.uint64:
    return np.uint64(generator.integers(2**64, dtype=np.uint64))

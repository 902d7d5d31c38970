"""`BoxEngine`: trains box models on a CPU with the kernels of `kernels.py`, from the data of their losses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from elgeo.arrays import Longs, Table
from elgeo.deferred import torch
from elgeo.errors import SettingError
from elgeo.models.box_models import kernels
from elgeo.models.box_models.model import BoxModel, Penalty
from elgeo.models.box_models.plan import Plan, Tables, plan_of
from elgeo.models.contract import Arrays, Batch, steps_taken
from elgeo.models.engines.lists import ROW_AS_ROLE
from elgeo.models.engines.moments import AS_THEY_ARE, WORTH_THREADS, Moments, adam_constants, few_threads, padded
from elgeo.models.engines.pieces import Piece, pieces
from elgeo.models.engines.term_lists import Listed, TermLists, number_of_parts
from elgeo.ontology.normal_forms import FORMS


class BoxEngine:
    """Adam on the losses of a box model, to rounding the same as `TorchEngine`, on a CPU."""

    def __init__(self, model: BoxModel) -> None:
        self.model = model
        arrays = model.arrays()
        self.dtype = arrays["centres"].dtype
        self._tables = Tables(model.class_tables, model.role_tables, model.settings.dimension, self.dtype)
        sizes = model.sizes
        self._classes = Moments.of(np.zeros((sizes.classes, self._tables.class_width), self.dtype), in_place=True)
        self._roles = Moments.of(np.zeros((sizes.roles, self._tables.role_width), self.dtype), in_place=True)
        for name, array in arrays.items():
            self._of(name, "old")[:] = array
        self._kinds = model.kinds()
        self._steps = 0
        self._plans: dict[tuple[str, bool], Plan] = {}
        self._chunks = number_of_parts(self._roles.old.nbytes)
        self._term_lists = TermLists(sizes, self._chunks)
        self._role_gradients = np.empty((self._chunks, *self._roles.old.shape), self.dtype)
        self._slots = padded((0, model.settings.dimension), self.dtype)
        self._show()

    def step(self, batch: Mapping[str, Batch], learning_rate: float) -> dict[str, float]:
        self._steps += 1
        return self._walk(batch, adam_constants(learning_rate, self._steps), self.model.penalties())

    def gradients(self, batch: Mapping[str, Batch]) -> tuple[dict[str, float], Arrays]:
        losses = self._walk(batch, AS_THEY_ARE, ())
        return losses, {name: self._of(name, "mean") for name in self.model.parameters}

    def _walk(
        self, batch: Mapping[str, Batch], adam: tuple[float, ...], asked: tuple[Penalty, ...]
    ) -> dict[str, float]:
        found = list(pieces(batch, self._plan))
        for piece in found:
            self._check(piece.form, piece.rows)
        work = sum(len(piece.rows) * len(piece.loss.listed) for piece in found) + self.model.sizes.classes
        # what is no longer a number shows in the losses, which the trainer looks at
        with few_threads(work * self.model.settings.dimension < WORTH_THREADS), np.errstate(all="ignore"):
            return self._step(found, tuple(self.dtype.type(constant) for constant in adam), asked)

    def _step(self, found: list[Piece[Plan]], adam: tuple[Any, ...], asked: tuple[Penalty, ...]) -> dict[str, float]:
        factors = self._room(sum(len(piece.rows) * piece.loss.slots for piece in found))
        self._role_gradients[:] = 0
        losses, listed, patterns, bases = {}, [], [], []
        place = 0
        for piece in found:
            count = len(piece.rows)
            base = place + count * np.arange(piece.loss.slots, dtype=np.int64)
            place += count * piece.loss.slots
            losses[piece.name] = self._force(piece, base, factors) / max(count, 1)
            for each in piece.loss.listed:
                listed.append(Listed(piece.form, piece.rows, each.first, each.second, ROW_AS_ROLE))
                patterns += [each.pattern, each.second_pattern]
                bases.append(base[each.slot])
        lists = self._term_lists.sorted(listed)
        kernels.move(
            (self._classes.old, self._classes.mean, self._classes.square),
            self.model.settings.dimension,
            self._tables.flags(self.model.class_tables, self.model.width_tables),
            self._penalties(asked),
            self._kinds,
            self._term_lists.bounds,
            lists,
            np.array(patterns, np.int64).reshape(-1, kernels.PATTERN_COLUMNS),
            np.array(bases, np.int64),
            self._slots,
            factors,
            adam,
        )
        self._roles.move(self._role_gradient(asked), adam)
        return losses

    def _force(self, piece: Piece[Plan], base: Longs, factors: NDArray[Any]) -> float:
        """Fill the slots of a piece; the sum of its losses."""
        number, plan, rows = self.dtype.type, piece.loss, piece.rows
        scale = number(piece.weight / max(len(rows), 1))
        sums = np.zeros((2, self._chunks))
        if plan.common is not None:
            kernels.common_forces(
                rows,
                self._classes.old,
                self.model.settings.dimension,
                self._tables.stride,
                plan.common,
                scale,
                base[: kernels.SLOTS_OF_COMMON],
                self._slots,
                factors,
                sums[0],
            )
        if len(plan.terms):
            kernels.forces(
                rows,
                self._classes.old,
                self._roles.old,
                self.model.settings.dimension,
                plan.terms,
                plan.margins,
                plan.parts,
                plan.groups,
                scale,
                base[plan.slots - len(plan.terms) :],
                self._slots,
                factors,
                self._role_gradients,
                sums[1],
            )
        return float(sums.sum())

    def _plan(self, form: str, negative: bool) -> Plan:
        if (form, negative) not in self._plans:
            loss, numbers = self.model.loss_data(form, negative), self.model.settings.numbers
            self._plans[form, negative] = plan_of(form, loss, numbers, self._tables)
        return self._plans[form, negative]

    def _check(self, form: str, rows: Table) -> None:
        """Refuse ids that would be read beyond the tables."""
        shape, sizes = FORMS[form], self.model.sizes
        limits = [sizes.roles if i in shape.role_columns else sizes.classes for i in range(shape.width)]
        if len(rows) and (rows.min() < 0 or (rows.max(axis=0) >= limits).any()):
            raise SettingError(f"the {form} rows have ids that the model of {sizes.classes} classes does not know")

    def _room(self, slots: int) -> NDArray[Any]:
        """Room for so many slots; their factors."""
        if slots > len(self._slots):
            self._slots = padded((slots, self.model.settings.dimension), self.dtype)
        return np.empty(slots, self.dtype)

    def _penalties(self, asked: tuple[Penalty, ...]) -> NDArray[Any]:
        """Weight and bound for classes and for individuals, for each table of a class."""
        found = np.zeros((2, len(self.model.class_tables), 2), self.dtype)
        for each in asked:
            if each.table in self.model.class_tables:
                row = self.model.class_tables.index(each.table)
                found[:, row, 0] = each.weight / self.model.sizes.classes * self.model.weights_of_kinds()
                found[:, row, 1] = each.bound
        return found

    def _role_gradient(self, asked: tuple[Penalty, ...]) -> NDArray[Any]:
        gradient: NDArray[Any] = self._role_gradients.sum(axis=0)
        for name in self.model.role_tables:
            here = self._tables.slice_of(name)
            if name in self.model.width_tables:
                gradient[:, here] *= np.sign(self._roles.old[:, here])
        for each in asked:
            if each.table in self.model.role_tables:
                values = self._of(each.table, "old")
                norms = np.linalg.norm(values, axis=1, keepdims=True)
                pull = np.where(norms > each.bound, each.weight / self.model.sizes.roles / norms, 0)
                gradient[:, self._tables.slice_of(each.table)] += pull * values
        return gradient

    def state(self) -> Arrays:
        arrays: Arrays = {"step": np.array(self._steps, np.int64)}
        for name in self.model.parameters:
            for kind in ("mean", "square"):
                arrays[f"{kind}.{name}"] = np.array(self._of(name, kind), order="C")
        return arrays

    def load_state(self, state: Mapping[str, NDArray[Any]]) -> None:
        self._steps = steps_taken(state)
        for name in self.model.parameters:
            for kind in ("mean", "square"):
                self._of(name, kind)[:] = state[f"{kind}.{name}"]

    def _of(self, name: str, kind: str) -> NDArray[Any]:
        """The values (`old`), Adam's mean or its mean square of a table of the model."""
        owner = self._classes if name in self.model.class_tables else self._roles
        whole: NDArray[Any] = getattr(owner, kind)
        return whole[:, self._tables.slice_of(name)]

    def _show(self) -> None:
        """Let the model see the values that steps change."""
        self.model.parameters = {name: torch.from_numpy(self._of(name, "old")) for name in self.model.parameters}

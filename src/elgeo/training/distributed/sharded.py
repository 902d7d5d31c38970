"""`Sharded`: a model whose class tables lie by rows in several processes, trained as one.

A step: each process has its share of the batch, fetches the distinct rows of the classes in it from the processes they
are in, works out losses and gradients as a model of those classes alone, and gives the gradients back; whoever has a
row adds what came and takes Adam's step. The few rows of roles are everywhere, and are moved the same everywhere.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from elgeo.arrays import Floats, Ints, Table
from elgeo.deferred import torch
from elgeo.errors import SettingError
from elgeo.models.contract import Arrays, Batch, Model, Predictor, Sizes
from elgeo.models.engines.adam import gradient
from elgeo.models.engines.pieces import pieces
from elgeo.models.engines.torch_engine import TorchEngine
from elgeo.ontology.normal_forms import FORMS
from elgeo.ontology.vocabulary import TOP
from elgeo.training.batches import Portion
from elgeo.training.distributed.drawing import BLOCK, begun
from elgeo.training.distributed.processes import Processes
from elgeo.training.distributed.rows import Distinct, Finder, RowExchange
from elgeo.training.folder.parts import OwnRows, WantedRows
from elgeo.training.workshop import losses_of, restored

MakeModel = Callable[[Sizes, np.random.Generator], Model]


class Sharded:
    """A `Workshop` in several processes."""

    def __init__(
        self, make: MakeModel, sizes: Sizes, generator: np.random.Generator, processes: Processes, device: str = "cpu"
    ) -> None:
        if processes.size > sizes.classes:
            raise SettingError(f"{processes.size} processes are more than there are classes: {sizes.classes}")
        self.processes, self.sizes = processes, sizes
        self.share = Portion(processes.rank, processes.size)
        self.own = OwnRows(sizes.classes, processes.rank, processes.size)
        self.tables = class_tables(make, sizes.roles)
        self._device = processes.device(device)
        self.model = begun(make, sizes, self.own, self.tables, generator)
        self._mover = TorchEngine(self.model, self._device)
        self._finder = Finder(sizes.classes, processes.size)

    def step(self, batch: Mapping[str, Batch], learning_rate: float) -> dict[str, float]:
        given = {piece.name: (piece.form, piece.rows) for piece in pieces(batch, lambda form, negative: None)}
        own = {name: len(rows) for name, (_, rows) in given.items()}
        numbered, distinct = self._numbered(given)
        header = self.processes.gathered(np.array([*distinct.counts, *own.values()], np.int64))
        counts = dict(zip(own, header[:, self.processes.size :].sum(axis=0).tolist(), strict=True))
        fetched = self._fetch(distinct, header)
        model = self._small(fetched, len(distinct.classes))
        losses, gradients = model.engine(self._device).gradients(_renumbered(batch, numbered, counts))
        mover = self._prepared()
        names = [name for name in self.model.parameters if name in self.tables]
        fetched.give_back([self._tensor(gradients[name]) for name in names], [mover[name] for name in names])
        sums = np.array([losses[name] * own[name] for name in own])
        others = [name for name in self.model.parameters if name not in self.tables]
        packed = self.processes.reduced(
            np.concatenate([sums, *(np.asarray(gradients[name], np.float64).ravel() for name in others)])
        )
        place = len(sums)
        for name in others:
            part = packed[place : place + mover[name].numel()].reshape(mover[name].shape)
            mover[name] += self._tensor(part).to(mover[name].dtype)
            place += part.size
        self._mover.move(learning_rate)
        return {name: float(total) / max(counts[name], 1) for name, total in zip(own, packed, strict=False)}

    def _prepared(self) -> dict[str, torch.Tensor]:
        """The gradients of what is here, with what the model asks beside the axioms and nothing else."""
        self._mover.adam.forget()
        penalty = self.model.penalty()
        if penalty is not None and penalty.requires_grad:
            torch.autograd.backward(penalty)
        found = {}
        for name, tensor in self.model.parameters.items():
            found[name] = gradient(tensor)
            if name in self.tables:  # it has means over rows, of which these are some
                found[name] *= self.own.count / self.own.total
        return found

    def _numbered(self, tables: Mapping[str, tuple[str, Table]]) -> tuple[dict[str, Table], Distinct]:
        """The tables with their classes numbered anew, and which classes they are."""
        # ⊤ is always among them: there is no model without a class
        ids: list[Ints] = [np.array([TOP], np.int32)]
        ids += [rows[:, FORMS[form].class_columns].astype(np.int32).ravel() for form, rows in tables.values()]
        distinct = self._finder.distinct(np.concatenate(ids))
        found, place = {}, 1
        for name, (form, rows) in tables.items():
            columns = list(FORMS[form].class_columns)
            count = len(rows) * len(columns)
            found[name] = np.array(rows, np.int32)
            found[name][:, columns] = distinct.places[place : place + count].reshape(len(rows), len(columns))
            place += count
        return found, distinct

    def _fetch(self, distinct: Distinct, header: NDArray[np.int64]) -> RowExchange:
        return RowExchange(
            self.processes, distinct, header[:, self.processes.rank].tolist(), torch.device(self._device)
        )

    def _small(self, fetched: RowExchange, classes: int) -> Model:
        """A model of the classes fetched."""
        with torch.no_grad():
            here = {name: tensor.detach() for name, tensor in self.model.parameters.items()}
            rows = fetched.rows([here[name] for name in here if name in self.tables])
        here |= dict(zip([name for name in here if name in self.tables], rows, strict=True))
        return _of_classes(self.model, Sizes(classes, self.sizes.roles), here)

    def _tensor(self, array: NDArray[Any]) -> torch.Tensor:
        return torch.from_numpy(np.ascontiguousarray(array)).to(self._device)

    def arrays(self) -> Arrays:
        return self.model.arrays()

    def state(self) -> Arrays:
        return self._mover.state()

    def load(self, arrays: Mapping[str, NDArray[Any]], state: Mapping[str, NDArray[Any]]) -> None:
        self.model.load(arrays)
        self._mover = restored(TorchEngine(self.model, self._device), state)

    def losses(self, form: str, rows: Table, negative: bool) -> Floats:
        mine = rows[self.share.of(len(rows))]
        numbered, distinct = self._numbered({form: (form, mine)})
        fetched = self._fetch(distinct, self.processes.gathered(distinct.counts))
        model = self._small(fetched, len(distinct.classes))
        own = losses_of(model, form, numbered[form], negative) if len(mine) else np.empty(0)
        return self.processes.joined(own)

    def measured(self, measure: Callable[[Predictor], float]) -> float:
        whole = self.whole(self.arrays())
        figure = 0.0
        if whole:
            model = _of_classes(self.model, self.sizes, {})
            model.parameters = {name: torch.from_numpy(array) for name, array in whole.items()}
            figure = measure(model)
        return float(self.processes.gathered(np.array(figure))[0])

    def whole(self, arrays: Mapping[str, NDArray[Any]]) -> Arrays:
        """Parameters of which each process has its rows, put together in the first one; nothing in the others."""
        found: Arrays = {}
        for name, array in arrays.items():
            if self.processes.is_first:
                room = np.empty((self.own.total, *array.shape[1:]), array.dtype)
                found[name] = room if name in self.tables else array
            if name in self.tables:
                self._put_together(array, found.get(name))
        return found

    def _put_together(self, own: NDArray[Any], whole: NDArray[Any] | None) -> None:
        """Fill a table of which each process has its rows, in the process that is given room for it."""
        size = self.processes.size
        for first in range(0, OwnRows(self.own.total, 0, size).count, BLOCK):
            for rank, part in enumerate(self.processes.collected(own[first : first + BLOCK])):
                if whole is not None:
                    room = whole[first * size + rank :: size][: len(part)]
                    room[:] = part[: len(room)]

    @property
    def chosen(self) -> WantedRows:
        """What of a checkpoint belongs here."""
        return WantedRows(self.own.rank, self.own.size, self.tables)

    def gathered(self, rows: Table) -> Table:
        return self.processes.joined(rows)

    def totals(self, counts: Mapping[str, int]) -> dict[str, int]:
        sums = self.processes.summed(np.array(list(counts.values()), np.int64))
        return dict(zip(counts, sums.tolist(), strict=True))

    def agreed(self, flag: bool) -> bool:
        return self.processes.any(flag)


def class_tables(make: MakeModel, roles: int) -> frozenset[str]:
    """The parameters that have a row for each class: those that grow with the classes."""
    few, more = (make(Sizes(classes, roles), np.random.default_rng(0)).parameters for classes in (3, 5))
    return frozenset(name for name, table in few.items() if table.shape != more[name].shape)


def _of_classes(model: Model, sizes: Sizes, parameters: dict[str, torch.Tensor]) -> Model:
    """The same model with other classes in it."""
    other = copy.copy(model)
    other.sizes = sizes
    other.parameters = parameters
    return other


def _renumbered(batch: Mapping[str, Batch], rows: Mapping[str, Table], counts: Mapping[str, int]) -> dict[str, Batch]:
    """The batch by the new numbers of its classes, and which part of the whole it is."""

    def part(name: str) -> float:
        return len(rows[name]) / counts[name] if counts.get(name) else 0.0

    return {
        form: Batch(rows[form], rows.get(f"{form}-"), each.weight, (part(form), part(f"{form}-")))
        if f"{form}-" in rows
        else Batch(rows[form], None, each.weight, (part(form), 1.0))
        for form, each in batch.items()
    }

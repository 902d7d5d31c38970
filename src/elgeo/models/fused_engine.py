"""`FusedEngine`: trains the ball model on a CPU with the kernels of `ball_kernels.py`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import numba
import numpy as np
import torch
from numpy.typing import NDArray

from elgeo.arrays import Table
from elgeo.errors import SettingError
from elgeo.models import ball_kernels as kernels
from elgeo.models import balls, lens
from elgeo.models.contract import Arrays, Batch, steps_taken
from elgeo.ontology.normal_forms import FORMS

if TYPE_CHECKING:
    from elgeo.models.elem import ElEmbeddings

BETAS, EPSILON = (0.9, 0.999), 1e-8
"""Adam's constants, as torch has them."""
LINE = 64
"""Bytes of a cache line; rows of centres begin on one and are padded with zeros to the next."""
ROLE_BYTES = 64 << 20
"""What the partial gradients of the roles may take; it decides in how many parts the classes are walked."""


WORTH_THREADS = 1 << 20
"""Numbers in a step from which on several threads are worth waking."""


class Moments(NamedTuple):
    """A parameter in its two buffers, old and new, and Adam's running means of its gradient and its square."""

    old: NDArray[Any]
    new: NDArray[Any]
    mean: NDArray[Any]
    square: NDArray[Any]

    @staticmethod
    def of(values: NDArray[Any]) -> Moments:
        padded = [_padded(values.shape, values.dtype) for _ in range(4)]
        padded[0][..., : values.shape[-1]] = values
        return Moments(*padded)

    def swapped(self) -> Moments:
        return self._replace(old=self.new, new=self.old)


class FusedEngine:
    """Adam on the losses of `balls.py`, to rounding the same as `TorchEngine`, on a CPU."""

    def __init__(self, model: ElEmbeddings) -> None:
        self.model = model
        arrays = model.arrays()
        self.dtype = arrays["centres"].dtype
        self._moments = {name: Moments.of(array) for name, array in arrays.items()}
        self._steps = 0
        classes, roles = model.sizes.classes, model.sizes.roles
        width = self._moments["centres"].old.shape[1]
        parts = int(np.clip(ROLE_BYTES // (roles * width * self.dtype.itemsize), 8, 64))
        self._bounds = np.empty(parts + 1, np.int64)
        self._role_gradients = np.empty((parts, roles, width), self.dtype)
        self._start = np.empty(classes + 1, np.int32)
        self._cursor = np.empty((kernels.SHARES, classes), np.int32)
        self._room = np.empty((5, 0), np.int32)
        self._show()

    def step(self, batch: Mapping[str, Batch], learning_rate: float) -> dict[str, float]:
        pieces = list(self._pieces(batch))
        # what is no longer a number shows in the losses, which the trainer looks at
        with few_threads(self._work(pieces) < WORTH_THREADS), np.errstate(all="ignore"):
            return self._step(pieces, learning_rate)

    def _step(self, pieces: list[Piece], learning_rate: float) -> dict[str, float]:
        terms = [(piece, term, force) for piece in pieces for term, force in piece.terms()]
        lists = self._lists(terms)
        losses = {piece.name: 0.0 for piece in pieces}
        given = self._forces(pieces, losses)
        sums = np.empty((len(self._bounds) - 1, len(terms)))
        settings, number = self.model.settings, self.dtype.type
        self._steps += 1
        adam = self._adam(learning_rate)
        kernels.step(
            self._moments["centres"],
            self._moments["radii"],
            self._moments["roles"].old,
            self._bounds,
            lists,
            self._table(terms),
            given,
            (settings.regularisation == "strict", number(settings.radius)),
            number(settings.slope_below),
            tuple(number(constant) for constant in adam),
            sums,
            self._role_gradients,
        )
        self._move_roles(adam)
        self._moments = {name: moments.swapped() for name, moments in self._moments.items()}
        self._show()
        for (piece, *_), total in zip(terms, sums.sum(axis=0), strict=True):
            losses[piece.name] += float(total) / max(len(piece.rows), 1)
        return losses

    def state(self) -> Arrays:
        arrays: Arrays = {"step": np.array(self._steps, np.int64)}
        for name, tensor in self.model.parameters.items():
            cut = (..., slice(tensor.shape[-1]))
            arrays[f"mean.{name}"] = np.array(self._moments[name].mean[cut], order="C")
            arrays[f"square.{name}"] = np.array(self._moments[name].square[cut], order="C")
        return arrays

    def load_state(self, state: Mapping[str, NDArray[Any]]) -> None:
        self._steps = steps_taken(state)
        for name, tensor in self.model.parameters.items():
            cut = (..., slice(tensor.shape[-1]))
            self._moments[name].mean[cut] = state[f"mean.{name}"]
            self._moments[name].square[cut] = state[f"square.{name}"]

    def _pieces(self, batch: Mapping[str, Batch]) -> Iterator[Piece]:
        for form, (positives, negatives, weight) in batch.items():
            for rows, name, negative in ((positives, form, False), (negatives, f"{form}-", True)):
                if rows is not None:
                    loss = balls.loss_of(form, negative, self.model.settings.inclusions)
                    yield Piece(name, form, np.ascontiguousarray(rows, np.int32), weight, loss)

    def _work(self, pieces: list[Piece]) -> int:
        """Numbers that a step goes through, about."""
        ends = 2 * sum(len(piece.rows) * len(piece.loss.terms) for piece in pieces)
        return (ends + self.model.sizes.classes) * self.model.settings.dimension

    def _forces(self, pieces: list[Piece], losses: dict[str, float]) -> NDArray[Any]:
        """The derivatives of the terms that look at three balls at once; their losses are added to `losses`."""
        given = np.empty((0, 6), self.dtype)
        for piece in pieces:
            if piece.loss.common_part and len(piece.rows):
                given = np.empty((len(piece.rows), 6), self.dtype)
                centres, radii = self._moments["centres"].old, self._moments["radii"].old
                settings = self.model.settings
                total = lens.forces(piece.rows, centres, radii, settings.margin, settings.slope_below, given)
                losses[piece.name] += total / len(piece.rows)
        return given

    def _lists(self, terms: list[tuple[Piece, balls.Term, int]]) -> tuple[Table, Table, Table]:
        """The terms of the batch, sorted by the classes in them."""
        count = sum(len(piece.rows) for piece, *_ in terms)
        if count > self._room.shape[1] // 2:
            self._room = np.empty((5, 2 * count), np.int32)
        first, second, tag = self._room[:3, :count]
        other, tags = self._room[3:, : 2 * count]
        place = 0
        sizes = (self.model.sizes.classes, self.model.sizes.roles)
        for number, (piece, term, force) in enumerate(terms):
            columns = FORMS[piece.form].columns
            role = columns.index("r") if term.translation else kernels.ROW_AS_ROLE if force else kernels.NO_ROLE
            here = slice(place, place + len(piece.rows))
            place = here.stop
            known = kernels.expand(
                piece.rows,
                (columns.index(term.first), columns.index(term.second), role),
                sizes,
                number,
                first[here],
                second[here],
                tag[here],
            )
            if not known:
                raise SettingError(f"the {piece.form} rows have ids that the model of {sizes[0]} classes does not know")
        kernels.index(first, second, tag, self._cursor, self._start, other, tags)
        kernels.divide(self._start, self._bounds)
        return self._start, other, tags

    def _table(self, terms: list[tuple[Piece, balls.Term, int]]) -> NDArray[Any]:
        """What the kernel has to know of each term, seen from its first and from its second class."""
        table = np.zeros((2 * len(terms), kernels.COLUMNS), self.dtype)
        regularised: set[tuple[str, str]] = set()
        pulled: set[tuple[str, str]] = set()
        for number, (piece, term, force) in enumerate(terms):
            for side, column in enumerate((term.first, term.second)):
                row = table[2 * number + side]
                row[kernels.TRANSLATION] = term.translation * (1, -1)[side]
                row[kernels.DISTANCE] = term.distance
                row[kernels.MINE], row[kernels.THEIRS] = term.radii[side], term.radii[1 - side]
                row[kernels.MARGIN] = term.margin * self.model.settings.margin
                row[kernels.SCALE] = piece.weight / max(len(piece.rows), 1)
                # a class column is in several terms of its loss and regularised with the first of them
                row[kernels.REGULARISED] = piece.loss.regularised and (piece.name, column) not in regularised
                regularised.add((piece.name, column))
                row[kernels.FORCE] = force
                # so is its radius pulled, with the first difference that it stands in
                if force and (piece.name, column) not in pulled:
                    row[kernels.PULL] = 1 + len(lens.PAIRS) + lens.PULLED.index(column)
                    pulled.add((piece.name, column))
        return table

    def _adam(self, learning_rate: float) -> tuple[float, ...]:
        """Rate and root with the corrections for the first steps, then the shares of new and old in the means."""
        rate = learning_rate / (1 - BETAS[0] ** self._steps)
        root = (1 - BETAS[1] ** self._steps) ** -0.5
        return rate, root, 1 - BETAS[0], BETAS[1], 1 - BETAS[1], EPSILON

    def _move_roles(self, adam: tuple[float, ...]) -> None:
        rate, root, mean_share, square_keep, square_share, epsilon = adam
        gradient = self._role_gradients.sum(axis=0)
        roles = self._moments["roles"]
        roles.mean[:] += (gradient - roles.mean) * mean_share
        roles.square[:] = square_keep * roles.square + square_share * gradient * gradient
        roles.new[:] = roles.old - rate * roles.mean / (np.sqrt(roles.square) * root + epsilon)

    def _show(self) -> None:
        """Let the model see the newest buffers; they are what the next step reads."""
        self.model.parameters = {
            name: torch.from_numpy(self._moments[name].old)[..., : tensor.shape[-1]]
            for name, tensor in self.model.parameters.items()
        }


class Piece(NamedTuple):
    """The rows of one form in a batch, positive or negative, and their loss."""

    name: str
    form: str
    rows: Table
    weight: float
    loss: balls.Loss

    def terms(self) -> Iterator[tuple[balls.Term, int]]:
        """The terms of the loss; then, for what looks at three balls, its differences, numbered from 1."""
        yield from ((term, 0) for term in self.loss.terms)
        if self.loss.common_part:
            for force, (first, second) in enumerate(lens.PAIRS, start=1):
                yield balls.Term(first, second, 0, 0, (0, 0), 0), force


@contextmanager
def few_threads(is_little: bool) -> Iterator[None]:
    """Use one thread where there is too little to do for two; the result is the same."""
    threads = numba.get_num_threads()
    if is_little:
        numba.set_num_threads(1)
    try:
        yield
    finally:
        numba.set_num_threads(threads)


def _padded(shape: tuple[int, ...], dtype: np.dtype[Any]) -> NDArray[Any]:
    """Zeros of a shape whose last axis, in a matrix, is padded to whole cache lines."""
    if len(shape) == 1:
        return np.zeros(shape, dtype)
    per_line = LINE // dtype.itemsize
    rows, width = shape[0], -(-shape[1] // per_line) * per_line
    flat = np.zeros(rows * width + per_line, dtype)
    begin = -flat.ctypes.data % LINE // dtype.itemsize
    return flat[begin : begin + rows * width].reshape(rows, width)

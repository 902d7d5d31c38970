"""`FusedEngine`: trains the ball model on a CPU with the kernels of `kernels.py`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from elgeo.arrays import Table
from elgeo.deferred import torch
from elgeo.models.ball_models import kernels, lens
from elgeo.models.ball_models.losses import BallLoss, BallTerm, loss_of
from elgeo.models.contract import Arrays, Batch, steps_taken
from elgeo.models.engines.lists import NO_ROLE, ROW_AS_ROLE
from elgeo.models.engines.moments import AS_THEY_ARE, WORTH_THREADS, Moments, adam_constants, few_threads
from elgeo.models.engines.pieces import Piece, pieces
from elgeo.models.engines.term_lists import Listed, TermLists, number_of_parts
from elgeo.ontology.normal_forms import FORMS

if TYPE_CHECKING:
    from elgeo.models.ball_models.elem import ElEmbeddings

BallPiece = Piece[BallLoss]


class FusedEngine:
    """Adam on the losses of `losses.py`, to rounding the same as `TorchEngine`, on a CPU."""

    def __init__(self, model: ElEmbeddings) -> None:
        self.model = model
        arrays = model.arrays()
        self.dtype = arrays["centres"].dtype
        self._moments = {name: Moments.of(array) for name, array in arrays.items()}
        self._steps = 0
        roles, width = model.sizes.roles, self._moments["centres"].old.shape[1]
        parts = number_of_parts(roles * width * self.dtype.itemsize)
        self._term_lists = TermLists(model.sizes, parts)
        self._role_gradients = np.empty((parts, roles, width), self.dtype)
        self._show()

    def step(self, batch: Mapping[str, Batch], learning_rate: float) -> dict[str, float]:
        self._steps += 1
        losses = self._walk(batch, adam_constants(learning_rate, self._steps))
        self._moments = {name: moments.swapped() for name, moments in self._moments.items()}
        self._show()
        return losses

    def gradients(self, batch: Mapping[str, Batch]) -> tuple[dict[str, float], Arrays]:
        losses = self._walk(batch, AS_THEY_ARE)
        shapes = {name: tensor.shape[-1] for name, tensor in self.model.parameters.items()}
        return losses, {name: self._moments[name].mean[..., :width] for name, width in shapes.items()}

    def _walk(self, batch: Mapping[str, Batch], adam: tuple[float, ...]) -> dict[str, float]:
        about_roles = {form: each for form, each in batch.items() if form in self.model.role_forms}
        about_classes = {form: each for form, each in batch.items() if form not in about_roles}
        inclusions = self.model.settings.inclusions
        found = list(pieces(about_classes, lambda form, negative: loss_of(form, negative, inclusions)))
        # what is no longer a number shows in the losses, which the trainer looks at
        with few_threads(self._work(found) < WORTH_THREADS), np.errstate(all="ignore"):
            return self._step(found, about_roles, adam)

    def _step(
        self, found: list[BallPiece], about_roles: Mapping[str, Batch], adam: tuple[float, ...]
    ) -> dict[str, float]:
        terms = [(piece, term, force) for piece in found for term, force in _terms_of(piece.loss)]
        lists = self._lists(terms)
        losses = {piece.name: 0.0 for piece in found}
        given = self._forces(found, losses)
        sums = np.empty((len(self._term_lists.bounds) - 1, len(terms)))
        settings, number = self.model.settings, self.dtype.type
        kernels.step(
            self._moments["centres"],
            self._moments["radii"],
            self._moments["roles"].old,
            self._term_lists.bounds,
            lists,
            self._table(terms),
            given,
            (settings.regularisation == "strict", number(settings.radius)),
            tuple(number(constant) for constant in adam),
            sums,
            self._role_gradients,
        )
        role_losses, role_gradient = self._roles_alone(about_roles)
        self._moments["roles"].move(self._role_gradients.sum(axis=0) + role_gradient, adam)
        losses |= role_losses
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

    def _work(self, found: list[BallPiece]) -> int:
        """Numbers that a step goes through, about."""
        ends = 2 * sum(len(piece.rows) * len(piece.loss.terms) for piece in found)
        return (ends + self.model.sizes.classes) * self.model.settings.dimension

    def _forces(self, found: list[BallPiece], losses: dict[str, float]) -> NDArray[Any]:
        """The derivatives of the terms that look at three balls at once; their losses are added to `losses`."""
        given = np.empty((0, 6), self.dtype)
        for piece in found:
            if piece.loss.common_part and len(piece.rows):
                given = np.empty((len(piece.rows), 6), self.dtype)
                centres, radii = self._moments["centres"].old, self._moments["radii"].old
                settings = self.model.settings
                total = lens.forces(piece.rows, centres, radii, settings.margin, settings.slope_below, given)
                losses[piece.name] += total / len(piece.rows)
        return given

    def _lists(self, terms: list[tuple[BallPiece, BallTerm, int]]) -> tuple[Table, Table, Table]:
        """The terms of the batch, sorted by the classes in them."""
        listed = []
        for piece, term, force in terms:
            columns = FORMS[piece.form].columns
            role = columns.index("r") if term.translation else ROW_AS_ROLE if force else NO_ROLE
            listed.append(Listed(piece.form, piece.rows, columns.index(term.first), columns.index(term.second), role))
        return self._term_lists.sorted(listed)

    def _table(self, terms: list[tuple[BallPiece, BallTerm, int]]) -> NDArray[Any]:
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
                row[kernels.SLOPE] = self.model.slope(piece.form, piece.name.endswith("-"))
                row[kernels.FORCE] = force
                # so is its radius pulled, with the first difference that it stands in
                if force and (piece.name, column) not in pulled:
                    row[kernels.PULL] = 1 + len(lens.PAIRS) + lens.PULLED.index(column)
                    pulled.add((piece.name, column))
        return table

    def _roles_alone(self, batch: Mapping[str, Batch]) -> tuple[dict[str, float], NDArray[Any]]:
        """Losses and gradient of the axioms that are about roles alone; there are few, so autograd is quick enough."""
        gradient = np.zeros_like(self._moments["roles"].old)
        losses = {}
        if batch:
            roles = self.model.parameters["roles"].clone().requires_grad_()
            total = torch.zeros(())
            for name, form, rows, weight, _ in pieces(batch, lambda form, negative: None):
                loss = self.model.role_loss(form, torch.from_numpy(rows), roles)
                mean = loss.mean() if len(rows) else torch.zeros(())
                losses[name] = float(mean.detach())
                total = total + weight * mean
            if total.requires_grad:
                torch.autograd.backward(total)
                assert roles.grad is not None
                gradient[:, : roles.shape[1]] = roles.grad.numpy()
        return losses, gradient

    def _show(self) -> None:
        """Let the model see the newest buffers; they are what the next step reads."""
        self.model.parameters = {
            name: torch.from_numpy(self._moments[name].old)[..., : tensor.shape[-1]]
            for name, tensor in self.model.parameters.items()
        }


def _terms_of(loss: BallLoss) -> Iterator[tuple[BallTerm, int]]:
    """The terms of a loss; then, for what looks at three balls, its differences, numbered from 1."""
    yield from ((term, 0) for term in loss.terms)
    if loss.common_part:
        for force, (first, second) in enumerate(lens.PAIRS, start=1):
            yield BallTerm(first, second, 0, 0, (0, 0), 0), force

"""The losses of `terms.py` by torch: the definition that the kernels are tested against, on any device."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NamedTuple

from elgeo.deferred import torch
from elgeo.models.box_models.terms import BoxLoss, BoxTerm, Common, Group, Part

Look = Callable[[str, str], "torch.Tensor"]
"""The rows of a table that a column of the axioms names."""


class Numbers(NamedTuple):
    """What the settings of a model say: γ, with a sign for its side; δ; the depth of a refutation in one dimension."""

    margin: float
    sided_margin: float
    distance: float
    depth: float

    def margin_of(self, term: BoxTerm | Common) -> float:
        return term.margin * (self.sided_margin if term.sided else self.margin)

    def wanted(self, group: Group) -> float:
        return {"": 0.0, "distance": self.distance, "depth": self.depth}[group.wanted]


def loss_of(loss: BoxLoss, look: Look, numbers: Numbers) -> torch.Tensor:
    """The loss of each row."""
    parts = [_group(group, look, numbers) for group in loss.groups]
    if loss.common is not None:
        parts.append(_common(loss.common, look, numbers))
    total = parts[0]
    for part in parts[1:]:
        total = total + part
    return total


def summed(parts: Collection[Part], look: Look, absolute: bool = False) -> torch.Tensor | None:
    """The sum of the rows that parts name; nothing where there are none."""
    total: torch.Tensor | None = None
    for part in parts:
        rows = look(part.table, part.column)
        share = part.sign * (rows.abs() if absolute else rows)
        total = share if total is None else total + share
    return total


def inner(term: BoxTerm, look: Look, margin: float) -> torch.Tensor:
    """distance · |Δ| + w + margin in each dimension."""
    centre, width = summed(term.centre, look), summed(term.width, look, absolute=True)
    total = margin if centre is None else term.distance * centre.abs() + margin
    return torch.as_tensor(total if width is None else total + width)


def _term(term: BoxTerm, look: Look, numbers: Numbers) -> torch.Tensor:
    if term.kind == "length":
        centre = summed(term.centre, look)
        assert centre is not None
        return torch.abs(_norm(centre) - 1)
    x = inner(term, look, numbers.margin_of(term))
    return torch.amax(x, dim=1) if term.kind == "deepest" else _norm(torch.relu(x))


def _group(group: Group, look: Look, numbers: Numbers) -> torch.Tensor:
    values = torch.stack([_term(term, look, numbers) for term in group.terms])
    if group.wanted == "depth":
        return torch.relu(numbers.depth - values.amax(dim=0)).square()
    total = group.factor * values.sum(dim=0)
    if group.wanted:
        total = numbers.wanted(group) - total
    return total.square() if group.squared else total


def _common(common: Common, look: Look, numbers: Numbers) -> torch.Tensor:
    (c, o_c), (d, o_d), (e, o_e) = ((look("centres", x), look("offsets", x).abs()) for x in "cde")
    lower, upper = torch.maximum(c - o_c, d - o_d), torch.minimum(c + o_c, d + o_d)
    hollow = _norm(torch.relu(lower - upper))
    middle, half = (lower + upper) / 2, (upper - lower).abs() / 2
    x = common.distance * (middle - e).abs() + half + common.width * o_e + numbers.margin_of(common)
    if common.depth:
        return torch.square(torch.relu(numbers.depth - x.amax(dim=1))) + torch.square(hollow)
    if common.masked:
        x = torch.where(lower <= upper, x, torch.zeros_like(x))
    return torch.square(hollow + _norm(torch.relu(x)))


def _norm(vectors: torch.Tensor) -> torch.Tensor:
    return torch.as_tensor(torch.linalg.vector_norm(vectors, dim=1))

"""The data of a loss as the kernels read it: tables of numbers instead of names."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from elgeo.arrays import Longs
from elgeo.models.box_models import kernels
from elgeo.models.box_models.autograd import Numbers
from elgeo.models.box_models.terms import BoxLoss, BoxTerm, Common, Part
from elgeo.models.engines.moments import padded_width
from elgeo.ontology.normal_forms import FORMS

Pattern = tuple[int, int, int, int, int]
NOTHING: Pattern = (-1, 0, -1, 0, 0)
KINDS = {"clipped": kernels.CLIPPED, "length": kernels.LENGTH, "deepest": kernels.DEEPEST}


class Tables:
    """Where the tables of a model stand in one row of a class or role: one after the other, `stride` numbers each."""

    def __init__(self, classes: tuple[str, ...], roles: tuple[str, ...], dimension: int, dtype: np.dtype[Any]) -> None:
        self.stride, self.dimension, self.dtype = padded_width(dimension, dtype), dimension, dtype
        self.offsets = {name: i * self.stride for names in (classes, roles) for i, name in enumerate(names)}
        self.roles = frozenset(roles)
        self.class_width, self.role_width = len(classes) * self.stride, len(roles) * self.stride

    def slice_of(self, name: str) -> slice:
        return slice(self.offsets[name], self.offsets[name] + self.dimension)

    def flags(self, names: tuple[str, ...], among: tuple[str, ...]) -> NDArray[Any]:
        return np.array([name in among for name in names], self.dtype)


class ListedTerm(NamedTuple):
    """A slot, the columns of the two classes it moves (the same where it is one), and what it adds to each."""

    slot: int
    first: int
    second: int
    pattern: Pattern
    second_pattern: Pattern


class Plan(NamedTuple):
    """A loss in numbers. The slots of the part that looks at three boxes come first, then one for each term."""

    slots: int
    listed: tuple[ListedTerm, ...]
    common: tuple[Any, Any, Any, bool, bool, Any] | None
    terms: Longs
    margins: NDArray[Any]
    parts: Longs
    groups: NDArray[Any]


def plan_of(form: str, loss: BoxLoss, numbers: Numbers, tables: Tables) -> Plan:
    """The loss of a form for the kernels."""
    columns, number = FORMS[form].columns, tables.dtype.type
    before = kernels.SLOTS_OF_COMMON if loss.common is not None else 0
    every = [term for group in loss.groups for term in group.terms]
    parts: list[tuple[int, int, int, int]] = []
    terms: list[tuple[int, ...]] = []
    for term in every:
        begin, middle = len(parts), len(parts) + len(term.centre)
        for part in (*term.centre, *term.width):
            of_role = part.table in tables.roles
            parts.append((of_role, columns.index(part.column), tables.offsets[part.table], part.sign))
        terms.append((KINDS[term.kind], term.distance, begin, middle, len(parts)))
    groups, place = [], 0
    for group in loss.groups:
        wanted, deep = numbers.wanted(group), group.wanted == "depth"
        ends = (place, place + len(group.terms))
        groups.append((*ends, group.factor, wanted, bool(group.wanted), deep, 1 + group.squared))
        place = ends[1]
    listed = [] if loss.common is None else _listed_common(loss.common, tables)
    for i, term in enumerate(every):
        listed += _listed(before + i, term, columns, tables)
    return Plan(
        before + len(every),
        tuple(listed),
        None if loss.common is None else _common(loss.common, numbers, number),
        np.array(terms, np.int64).reshape(-1, kernels.TERM_COLUMNS),
        np.array([numbers.margin_of(term) for term in every], tables.dtype),
        np.array(parts, np.int64).reshape(-1, kernels.PART_COLUMNS),
        np.array(groups, tables.dtype).reshape(-1, kernels.GROUP_COLUMNS),
    )


def _common(common: Common, numbers: Numbers, number: Any) -> tuple[Any, Any, Any, bool, bool, Any]:
    margin = numbers.margin_of(common)
    return (
        number(common.distance),
        number(common.width),
        number(margin),
        common.masked,
        common.depth,
        number(numbers.depth),
    )


def _listed_common(common: Common, tables: Tables) -> list[ListedTerm]:
    """Corners are centre ∓ half width; see `kernels.SLOTS_OF_COMMON` for their order."""
    centre, width = tables.offsets["centres"], tables.offsets["offsets"]
    corners = [(column, (centre, 1, width, side, 1)) for column in (0, 1) for side in (-1, 1)]
    every = [*corners, (2, (centre, 1, width, common.width, 0))]
    return [ListedTerm(slot, column, column, pattern, NOTHING) for slot, (column, pattern) in enumerate(every)]


def _listed(slot: int, term: BoxTerm, columns: tuple[str, ...], tables: Tables) -> list[ListedTerm]:
    """A term in the lists of its classes, of which there are at most two; none where it is about roles alone."""
    mine = [part for part in (*term.centre, *term.width) if part.table not in tables.roles]
    classes = sorted({columns.index(part.column) for part in mine})
    if not classes:
        return []
    patterns = [_pattern(term, columns[column], tables) for column in classes]
    second = patterns[1] if len(classes) > 1 else NOTHING
    return [ListedTerm(slot, classes[0], classes[-1], patterns[0], second)]


def _pattern(term: BoxTerm, column: str, tables: Tables) -> Pattern:
    def one(parts: tuple[Part, ...]) -> tuple[int, int]:
        found = [part for part in parts if part.column == column and part.table not in tables.roles]
        assert len(found) <= 1, "a class is in the centre, or in the width, of a term once at most"
        return (tables.offsets[found[0].table], found[0].sign) if found else (-1, 0)

    return (*one(term.centre), *one(term.width), 0)

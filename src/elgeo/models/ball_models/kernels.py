"""One optimisation step of the ball model, fused: every term of every loss, their gradients and Adam in one walk.

A term pulls or pushes two classes, so it stands in the list of both (`engines/lists.py`). `step` goes class by class
through these lists: each entry fetches the other class's old centre once, gives its share of the class's gradient, and
then the class takes its Adam step into the new buffer. Nothing is scattered, so nothing needs locks, and no difference
vector is ever stored; each distance is computed twice, which costs less than fetching it again. Sums are taken in an
order that depends on the batch alone: the same bits come out on any number of threads.
"""

from __future__ import annotations

import math
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from elgeo.arrays import Array, Ints, Longs
from elgeo.compilation import kernel
from elgeo.models.engines.lists import FAST, TAG_BITS, moved
from elgeo.prefetch import prefetch

AHEAD = 4
"""How many entries before its use a centre is asked for."""
TRANSLATION, DISTANCE, MINE, THEIRS, MARGIN, SCALE, REGULARISED, FORCE, PULL, SLOPE, COLUMNS = range(11)
"""Columns of the terms' table; a row for each term and side. FORCE and PULL, counted from 1, say in which columns of
`given` a term finds the derivatives by the distance and by the radius, where these were computed beforehand."""


@kernel(parallel=True, fastmath=FAST, error_model="numpy")
def step(
    centres: tuple[Array, Array, Array, Array],
    radii: tuple[Array, Array, Array, Array],
    roles: Array,
    bounds: Longs,
    lists: tuple[Ints, Ints, Ints],
    terms: Array,
    given: Array,
    regularisation: tuple[bool, Any],
    adam: tuple[Any, ...],
    losses: NDArray[np.float64],
    role_gradients: Array,
) -> None:
    """Move every class from the old to the new buffer; `centres` and `radii` are old, new, Adam's mean and mean square.

    Fills, for each part of the classes, the sums of the terms' losses and the gradients of the roles.
    """
    old, new, mean, square = centres
    old_radii, new_radii, mean_radii, square_radii = radii
    start, other, tags = lists
    strict, norm_wanted = regularisation
    width = old.shape[1]
    line = 64 // old.itemsize
    zero, one = old.dtype.type(0), old.dtype.type(1)
    for part in numba.prange(bounds.shape[0] - 1):
        difference, gradient = np.empty(width, old.dtype), np.empty(width, old.dtype)
        losses[part] = 0.0
        role_gradients[part] = zero
        for c in range(bounds[part], bounds[part + 1]):
            if c + 1 < old.shape[0]:
                for k in range((c + 1) * width, (c + 2) * width, line):
                    prefetch(mean, k)
                    prefetch(square, k)
                    prefetch(new, k)
            for k in range(width):
                gradient[k] = zero
            radius, radius_gradient, pull = abs(old_radii[c]), zero, zero
            excess, direction = zero, zero
            if start[c] < start[c + 1]:
                norm = zero
                for k in range(width):
                    norm += old[c, k] * old[c, k]
                norm = math.sqrt(norm)
                excess = norm - norm_wanted
                if excess > zero:
                    direction = one / norm
                elif strict and excess < zero and norm > zero:
                    excess, direction = -excess, -one / norm
                elif strict:
                    excess = abs(excess)
                else:
                    excess = zero
            for entry in range(start[c], start[c + 1]):
                if entry + AHEAD < other.shape[0]:
                    ahead = np.int64(other[entry + AHEAD]) * width
                    for k in range(ahead, ahead + width, line):
                        prefetch(old, k)
                o, term = np.uint64(other[entry]), np.uint64(tags[entry] & ((1 << TAG_BITS) - 1))
                role, number = np.uint64(tags[entry] >> TAG_BITS), term >> np.uint64(1)
                translation, scale = terms[term, TRANSLATION], terms[term, SCALE]
                distance = zero
                if translation != zero:
                    for k in range(width):
                        apart = old[c, k] - old[o, k] + translation * roles[role, k]
                        difference[k] = apart
                        distance += apart * apart
                else:
                    for k in range(width):
                        apart = old[c, k] - old[o, k]
                        difference[k] = apart
                        distance += apart * apart
                force = int(terms[term, FORCE])
                if force:
                    factor, inner, pulled = scale * given[role, force - 1], zero, int(terms[term, PULL])
                    if pulled:
                        radius_gradient += scale * given[role, pulled - 1]
                else:
                    distance = math.sqrt(distance)
                    inner = (
                        terms[term, DISTANCE] * distance
                        + (terms[term, MINE] * radius + terms[term, THEIRS] * abs(old_radii[o]))
                        + terms[term, MARGIN]
                    )
                    steepness = scale if inner > zero else terms[term, SLOPE] * scale
                    radius_gradient += steepness * terms[term, MINE]
                    factor = steepness * terms[term, DISTANCE] / distance if distance > zero else zero
                for k in range(width):
                    gradient[k] += factor * difference[k]
                pull += scale * terms[term, REGULARISED]
                losses[part, number] += terms[term, REGULARISED] * excess
                if term == number + number:
                    losses[part, number] += inner if inner > zero else terms[term, SLOPE] * inner
                    if translation != zero:
                        factor *= translation
                        for k in range(width):
                            role_gradients[part, role, k] += factor * difference[k]
            pull *= direction
            for k in range(width):
                new[c, k], mean[c, k], square[c, k] = moved(
                    old[c, k], gradient[k] + pull * old[c, k], mean[c, k], square[c, k], adam
                )
            if old_radii[c] < zero:
                radius_gradient = -radius_gradient
            elif old_radii[c] == zero:
                radius_gradient = zero
            new_radii[c], mean_radii[c], square_radii[c] = moved(
                old_radii[c], radius_gradient, mean_radii[c], square_radii[c], adam
            )

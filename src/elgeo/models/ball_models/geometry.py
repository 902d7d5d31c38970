"""Truth of axioms among balls: C ⊑ D is inclusion, ∃R.C is the ball of C moved by −R, ⊓ is intersection."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from elgeo.arrays import Floats, Table
from elgeo.errors import SettingError
from elgeo.ontology.normal_forms import FORMS


def holds(
    form: str, rows: Table, centres: NDArray[Any], radii: NDArray[Any], roles: NDArray[Any], tolerance: float
) -> NDArray[np.bool_]:
    """Whether each axiom is true of the balls; a border may be crossed by `tolerance`.

    C ⊑ D: ‖c−d‖ + r_c ≤ r_d. C ⊑ ∃R.D: ‖c+R−d‖ + r_c ≤ r_d. ∃R.C ⊑ D: ‖c−R−d‖ + r_c ≤ r_d. C ⊓ D ⊑ E: the farthest
    point from e that c and d have in common is within r_e, or they have none. C ⊓ D ⊑ ⊥: r_c + r_d ≤ ‖c−d‖. C ⊑ ⊥ and
    ∃R.C ⊑ ⊥: r_c ≤ 0, since a ball without radius is as near to nothing as a ball can be.
    """
    column = {name: rows[:, i] for i, name in enumerate(FORMS[form].columns)}

    def centre(name: str) -> Floats:
        return centres[column[name]].astype(np.float64)

    def radius(name: str) -> Floats:
        return radii[column[name]].astype(np.float64)

    def shift() -> Floats:
        return roles[column["r"]].astype(np.float64)

    result: NDArray[np.bool_]
    if form == "subclass":
        result = _norm(centre("c") - centre("d")) + radius("c") <= radius("d") + tolerance
    elif form == "existential":
        result = _norm(centre("c") + shift() - centre("d")) + radius("c") <= radius("d") + tolerance
    elif form == "left_existential":
        result = _norm(centre("c") - shift() - centre("d")) + radius("c") <= radius("d") + tolerance
    elif form == "conjunction":
        farthest = farthest_common_point(centre("c"), radius("c"), centre("d"), radius("d"), centre("e"))
        result = farthest <= radius("e") + tolerance
    elif form == "disjoint":
        result = radius("c") + radius("d") <= _norm(centre("c") - centre("d")) + tolerance
    elif form in ("empty", "empty_existential"):
        result = radius("c") <= tolerance
    else:
        raise SettingError(f"truth of {form!r} among balls is not defined")
    return result


def farthest_common_point(c: Floats, r_c: Floats, d: Floats, r_d: Floats, e: Floats) -> Floats:
    """How far from e the common part of two balls reaches, row by row; −inf where they have none.

    In two dimensions or more the part is round about the line through c and d, so the plane through c, d and e
    decides. There the farthest point is the far side of one ball, if that lies in the other, or else the corner of the
    two circles away from e.
    """
    apart = _norm(d - c)
    axis = np.divide(d - c, apart[:, None], out=np.zeros_like(c), where=apart[:, None] > 0)
    along = np.sum((e - c) * axis, axis=1)
    off = _norm(e - c - along[:, None] * axis)

    def far_side(origin: Floats, radius: Floats, other: Floats, other_radius: Floats) -> Floats:
        # the point of the ball at `origin` opposite to e, in coordinates (along the axis, away from it)
        distance = np.hypot(origin - along, off)
        scale = np.divide(radius, distance, out=np.zeros_like(radius), where=distance > 0)
        x, y = origin + (origin - along) * scale, -off * scale
        # e in the centre: every point of the sphere is as far, so any of them in the other ball will do
        nearest = np.where(distance > 0, np.hypot(x - other, y), np.abs(np.abs(other - origin) - radius))
        return np.where(nearest <= other_radius, distance + radius, -np.inf)

    zero = np.zeros_like(apart)
    best = np.maximum(far_side(zero, r_c, apart, r_d), far_side(apart, r_d, zero, r_c))
    x = np.divide(apart**2 + r_c**2 - r_d**2, 2 * apart, out=np.zeros_like(apart), where=apart > 0)
    height = np.sqrt(np.maximum(r_c**2 - x**2, 0.0))
    crossing = (apart > 0) & (np.abs(r_c - r_d) <= apart) & (apart <= r_c + r_d)
    return np.where(crossing, np.maximum(best, np.hypot(x - along, height + off)), best)


def _norm(vectors: Floats) -> Floats:
    return np.asarray(np.linalg.norm(vectors, axis=1))

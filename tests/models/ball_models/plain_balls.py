"""The losses of the ball model a second time: one row at a time, in plain numpy, straight from the formulas."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from elgeo.models import ElSettings
from elgeo.models.contract import Arrays


def lens_reach(f: np.ndarray, r: Callable[[int], float], c: int, d: int, e: int) -> float:
    """How far the smallest ball around what c and d share reaches from e; −∞ if they share nothing."""
    side = float(np.linalg.norm(f[c] - f[d]))
    if side >= r(c) + r(d):
        return -np.inf
    small, large = sorted((c, d), key=r)
    # an obtuse angle at the smaller ball's centre means that more than half of that ball is shared
    if side**2 + r(small) ** 2 <= r(large) ** 2:
        return float(np.linalg.norm(f[small] - f[e])) + r(small)
    cosine = (r(c) ** 2 + side**2 - r(d) ** 2) / (2 * r(c) * side)
    middle = f[c] + r(c) * cosine * (f[d] - f[c]) / side
    return float(np.linalg.norm(middle - f[e])) + r(c) * float(np.sqrt(1 - cosine**2))


def plain_loss(form: str, row: Sequence[int], negative: bool, settings: ElSettings, parameters: Arrays) -> float:
    """The loss of one axiom, written out for each form."""
    f, rho, roles = parameters["centres"], parameters["radii"], parameters["roles"]
    margin = settings.margin

    def clip(x: float) -> float:
        if x == -np.inf:
            return 0.0
        return max(x, 0.0) if settings.activation == "relu" else x if x > 0 else settings.slope * x

    def norm(x: np.ndarray) -> float:
        return float(np.sqrt(np.dot(x, x)))

    def reg(*classes: int) -> float:
        excess = [norm(f[c]) - settings.radius for c in classes]
        return sum(abs(x) if settings.regularisation == "strict" else max(0.0, x) for x in excess)

    def r(c: int) -> float:
        return abs(float(rho[c]))

    match form, negative:
        case "subclass", False:
            c, d = row
            return clip(norm(f[c] - f[d]) + r(c) - r(d) - margin) + reg(c, d)
        case "conjunction", False:
            c, d, e = row
            return (
                clip(norm(f[c] - f[d]) - r(c) - r(d) - margin)
                + clip(norm(f[c] - f[e]) - r(c) - margin)
                + clip(norm(f[d] - f[e]) - r(d) - margin)
                + (clip(lens_reach(f, r, c, d, e) - r(e) - margin) if settings.conjunction == "inclusion" else 0.0)
                + reg(c, d, e)
            )
        case "existential", False:
            c, role, d = row
            return clip(norm(f[c] + roles[role] - f[d]) + r(c) - r(d) - margin) + reg(c, d)
        case "left_existential", False:
            role, c, d = row
            sign = -1 if settings.left_existential == "overlap" else 1
            return clip(norm(f[c] - roles[role] - f[d]) + sign * r(c) - r(d) - margin) + reg(c, d)
        case (("empty" | "empty_existential"), False):
            return r(row[-1])
        case "disjoint", False:
            c, d = row
            return clip(r(c) + r(d) - norm(f[c] - f[d]) + margin) + reg(c, d)
        case "subclass", True:
            c, d = row
            return clip(r(c) + r(d) - norm(f[c] - f[d]) + margin) + reg(c, d)
        case "conjunction", True:
            c, d, e = row
            return (
                clip(norm(f[c] - f[d]) - r(c) - r(d) - margin)
                + clip(r(c) - norm(f[c] - f[e]) + margin)
                + clip(r(d) - norm(f[d] - f[e]) + margin)
                + reg(c, d, e)
            )
        case "existential", True:
            c, role, d = row
            return clip(r(c) + r(d) - norm(f[c] + roles[role] - f[d]) + margin) + reg(c, d)
        case "left_existential", True:
            role, c, d = row
            return clip(r(c) + r(d) - norm(f[c] - roles[role] - f[d]) + margin) + reg(c, d)
    raise AssertionError(form)

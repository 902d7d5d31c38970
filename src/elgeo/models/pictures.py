"""How geometry is drawn: a shape in the plane for each of some classes; `Geometry.picture` says which."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from elgeo.arrays import Reals


class Shape(NamedTuple):
    """An ellipse or a rectangle around (x, y); width and height are half of what they span."""

    x: float
    y: float
    width: float
    height: float
    round: bool


def balls_in_plane(centres: Reals, radii: Reals) -> list[Shape]:
    """Balls as circles: centres in the plane that shows them best, radii as they are.

    In more than two dimensions this is a projection, in which balls that are apart may seem to overlap.
    """
    plane = np.asarray(centres, np.float64)
    if plane.shape[1] > 2:
        around = plane - plane.mean(axis=0)
        plane = around @ np.linalg.svd(around, full_matrices=False)[2][:2].T
    plane = np.pad(plane, ((0, 0), (0, max(0, 2 - plane.shape[1]))))
    return [Shape(float(x), float(y), float(r), float(r), True) for (x, y), r in zip(plane, np.abs(radii), strict=True)]


def boxes_in_plane(centres: Reals, offsets: Reals) -> list[Shape]:
    """Boxes as rectangles: their shadows on the two axes along which the centres differ most."""
    centres, offsets = np.asarray(centres, np.float64), np.abs(np.asarray(offsets, np.float64))
    axes = np.sort(np.argsort(-centres.var(axis=0), kind="stable")[:2])
    places, sizes = (np.pad(each[:, axes], ((0, 0), (0, 2 - len(axes)))) for each in (centres, offsets))
    return [
        Shape(float(x), float(y), float(width), float(height), False)
        for (x, y), (width, height) in zip(places, sizes, strict=True)
    ]

"""The common part of two balls, for the loss that makes C ⊓ D ⊑ E true: for autograd, and with its derivatives."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from elgeo.compilation import kernel
from elgeo.deferred import torch

FLAT = 1e-8
"""The squared half width below which a common part has no width that could pull at anything."""


def common_ball(
    c: torch.Tensor, r_c: torch.Tensor, d: torch.Tensor, r_d: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Centre m and squared radius h² of the smallest ball around the common part; h² ≤ 0 where there is none."""
    square = ((c - d) ** 2).sum(dim=1)
    place = (square + r_c**2 - r_d**2) / (2 * square.clamp(min=FLAT))
    half = torch.where(place < 0, r_c**2, torch.where(place > 1, r_d**2, r_c**2 - place**2 * square))
    return c + place.clamp(0, 1)[:, None] * (d - c), half


def reach(
    c: torch.Tensor, r_c: torch.Tensor, d: torch.Tensor, r_d: torch.Tensor, e: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """How far from e the smallest ball around the common part of two balls reaches, ‖m−e‖ + h; whether there is one.

    With D = ‖c−d‖ and λ = (D² + r_c² − r_d²)/2D², the spheres cross around m = c + λ(d−c) at h, h² = r_c² − λ²D².
    Where λ < 0 (λ > 1) most of c (of d) is common and its own ball is the smallest; m = c, h = r_c (m = d, h = r_d).
    """
    middle, half = common_ball(c, r_c, d, r_d)
    distance = torch.linalg.vector_norm(middle - e, dim=1)
    return distance + half.clamp(min=FLAT).sqrt(), half > 0


PAIRS = (("c", "d"), ("c", "e"), ("d", "e"))
"""The differences that `forces` has factors for, in its first three columns."""
PULLED = "cde"
"""The classes whose radius `forces` has a derivative by, in its last three columns."""


@kernel(error_model="numpy")
def _square(x: NDArray[Any], a: int, b: int) -> float:
    # in double precision: q² below is a small difference of large numbers
    total = 0.0
    for k in range(x.shape[1]):
        total += (np.float64(x[a, k]) - np.float64(x[b, k])) ** 2
    return total


@kernel(error_model="numpy")
def forces(
    rows: NDArray[np.int32],
    centres: NDArray[Any],
    radii: NDArray[Any],
    margin: float,
    slope: float,
    given: NDArray[Any],
) -> float:
    """Σ of l(reach − r_e − γ) over rows c, d, e; `given` gets the derivatives of each.

    The term depends on the three distances alone, so the derivative by a centre is a sum of differences to the other
    two: columns 0 to 2 are what to multiply c−d, c−e and d−e with. Columns 3 to 5 are the derivatives by r_c, r_d, r_e.
    q² = (1−λ)‖c−e‖² + λ‖d−e‖² − λ(1−λ)D² is the squared distance of m from e.
    """
    total = 0.0
    given[:] = 0
    for i in range(rows.shape[0]):
        c, d, e = rows[i]
        r_c, r_d, r_e = np.float64(abs(radii[c])), np.float64(abs(radii[d])), np.float64(abs(radii[e]))
        cd, ce, de = _square(centres, c, d), _square(centres, c, e), _square(centres, d, e)
        safe = max(cd, FLAT)
        place = (cd + r_c**2 - r_d**2) / (2 * safe)
        by_cd, by_ce, by_de, by_r_c, by_r_d = 0.0, 0.0, 0.0, 0.0, 0.0
        if place < 0 or place > 1:
            # one ball is the smallest around the common part
            distance = math.sqrt(ce if place < 0 else de)
            radius = r_c if place < 0 else r_d
            half = radius**2
            width = math.sqrt(max(half, FLAT))
            steep = 0.5 / distance if distance > 0 else 0.0
            wide = radius / width if half >= FLAT else 0.0
            if place < 0:
                by_ce, by_r_c = steep, wide
            else:
                by_de, by_r_d = steep, wide
        else:
            half = r_c**2 - place**2 * cd
            width = math.sqrt(max(half, FLAT))
            distance = math.sqrt(max((1 - place) * ce + place * de - place * (1 - place) * cd, 0.0))
            steep = 0.5 / distance if distance > 0 else 0.0
            wide = 0.5 / width if half >= FLAT else 0.0
            by_place = steep * (de - ce - (1 - 2 * place) * cd) - wide * 2 * place * cd
            slide = (r_d**2 - r_c**2) / (2 * cd * cd) if cd >= FLAT else 0.5 / FLAT
            by_cd = by_place * slide - steep * place * (1 - place) - wide * place**2
            by_ce, by_de = steep * (1 - place), steep * place
            by_r_c = by_place * r_c / safe + wide * 2 * r_c
            by_r_d = -by_place * r_d / safe
        if half > 0:
            inner = distance + width - r_e - margin
            total += inner if inner > 0 else slope * inner
            steepness = 1.0 if inner > 0 else slope
            for column, value in enumerate((2 * by_cd, 2 * by_ce, 2 * by_de, by_r_c, by_r_d, -1.0)):
                given[i, column] = steepness * value
    return total

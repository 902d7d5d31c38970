"""The common part of two balls, for the loss that makes C ⊓ D ⊑ E true; differentiable."""

from __future__ import annotations

import torch

FLAT = 1e-8
"""The squared half width below which a common part has no width that could pull at anything."""


def reach(
    c: torch.Tensor, r_c: torch.Tensor, d: torch.Tensor, r_d: torch.Tensor, e: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """How far from e the smallest ball around the common part of two balls reaches, ‖m−e‖ + h; whether there is one.

    With D = ‖c−d‖ and λ = (D² + r_c² − r_d²)/2D², the spheres cross around m = c + λ(d−c) at h, h² = r_c² − λ²D².
    Where λ < 0 (λ > 1) most of c (of d) is common and its own ball is the smallest; m = c, h = r_c (m = d, h = r_d).
    """
    square = ((c - d) ** 2).sum(dim=1)
    place = (square + r_c**2 - r_d**2) / (2 * square.clamp(min=FLAT))
    half = torch.where(place < 0, r_c**2, torch.where(place > 1, r_d**2, r_c**2 - place**2 * square))
    middle = c + place.clamp(0, 1)[:, None] * (d - c)
    distance = torch.linalg.vector_norm(middle - e, dim=1)
    return distance + half.clamp(min=FLAT).sqrt(), half > 0

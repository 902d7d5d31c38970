"""Box models in plain PyTorch, written without our kernels, as the twin to measure against.

As the authors' programs, with what makes them quick: `embedding()` rather than indexing, one lookup for centre and half
width together, fused Adam.
"""

from __future__ import annotations

import torch
from torch.nn.functional import embedding, normalize, relu

MARGIN, DISTANCE, BUMPS = 0.05, 2.0, 0.1
Boxes = tuple[torch.Tensor, torch.Tensor]


def norm(x: torch.Tensor) -> torch.Tensor:
    return torch.linalg.vector_norm(x, dim=1)


def inside(a: Boxes, b: Boxes) -> torch.Tensor:
    return norm(relu((a[0] - b[0]).abs() + a[1] - b[1] + MARGIN))


def gap(a: Boxes, b: Boxes) -> torch.Tensor:
    return norm(relu((a[0] - b[0]).abs() - a[1] - b[1] - MARGIN))


class PlainBoxModel(torch.nn.Module):
    """`elbe`, `box2el` or `transbox`: four normal forms with negatives, gaps for the corrupted ones."""

    def __init__(self, name: str, classes: int, roles: int, dimension: int) -> None:
        super().__init__()
        self.name, self.dimension = name, dimension
        per_class = 3 if name == "box2el" else 2
        per_role = {"elbe": 1, "box2el": 4, "transbox": 2}[name]
        self.classes = torch.nn.Parameter(normalize(torch.rand(classes, per_class * dimension) * 2 - 1))
        self.roles = torch.nn.Parameter(normalize(torch.rand(roles, per_role * dimension) * 2 - 1))

    def forward(self, form: str, rows: torch.Tensor, negative: bool) -> torch.Tensor:
        n = self.dimension

        def boxes(column: int) -> tuple[Boxes, torch.Tensor]:
            found = embedding(rows[:, column], self.classes)
            return (found[:, :n], found[:, n : 2 * n].abs()), found[:, 2 * n :]

        def role(column: int) -> torch.Tensor:
            return embedding(rows[:, column], self.roles)

        if form == "conjunction":
            ((c, o_c), _), ((d, o_d), _), ((e, o_e), _) = boxes(0), boxes(1), boxes(2)
            lower, upper = torch.maximum(c - o_c, d - o_d), torch.minimum(c + o_c, d + o_d)
            middle, half = (lower + upper) / 2, (upper - lower).abs() / 2
            if negative:
                x = half + o_e - (middle - e).abs() + MARGIN
            else:
                x = (middle - e).abs() + half - o_e + MARGIN
                if self.name == "transbox":
                    x = torch.where(lower <= upper, x, 0)
            return (norm(relu(x)) + norm(relu(lower - upper))).square()
        if form == "subclass":
            pairs = [(boxes(0)[0], boxes(1)[0])]
        elif self.name == "elbe":
            left = form == "left_existential"
            (c, o_c), d = boxes(1 if left else 0)[0], boxes(2)[0]
            pairs = [((c - role(0) if left else c + role(1), o_c), d)]
        elif self.name == "transbox":
            left = form == "left_existential"
            (c, o_c), (d, o_d), r = boxes(1 if left else 0)[0], boxes(2)[0], role(0 if left else 1)
            place, width = r[:, :n], r[:, n:].abs()
            pairs = [((c + place, o_c + width), (d, o_d)) if left else ((c, o_c), (d + place, o_d + width))]
        elif form == "existential":
            ((c, o_c), b_c), ((d, o_d), b_d), r = boxes(0), boxes(2), role(1)
            heads, tails = (r[:, :n], r[:, n : 2 * n].abs()), (r[:, 2 * n : 3 * n], r[:, 3 * n :].abs())
            pairs = [((c + b_d, o_c), heads), ((d + b_c, o_d), tails)]
        else:
            (_, b_c), (d, _), r = boxes(1), boxes(2), role(0)
            pairs = [((r[:, :n] - b_c, r[:, n : 2 * n].abs()), d)]
        if negative:
            return sum((DISTANCE - gap(*pair)).square() for pair in pairs)
        return (sum(inside(*pair) for pair in pairs) / len(pairs)).square()

    def penalty(self) -> torch.Tensor | float:
        if self.name != "box2el":
            return 0.0
        return BUMPS * norm(self.classes[:, 2 * self.dimension :]).mean()

"""The same method in plain PyTorch and numpy, written without our kernels, as the twin to measure against.

Autograd, fused Adam and `embedding()`, which is quicker than fancy indexing; negatives drawn with numpy; the paper's
filter: the closure materialised as encoded rows, `np.isin` on the encoded negatives, entailed ones deleted.
"""

from __future__ import annotations

import numpy as np
import torch
from torch.nn.functional import embedding, leaky_relu

from _plain_boxes import PlainBoxModel

Tables = dict[str, np.ndarray]
LEARNING_RATE, MARGIN, SLOPE = 0.01, 0.1, 0.01


class PlainBalls(torch.nn.Module):
    """LeakyReLU, relaxed regularisation with R = 1, four normal forms with negatives."""

    def __init__(self, classes: int, roles: int, dimension: int) -> None:
        super().__init__()
        self.centres = torch.nn.Parameter(torch.nn.functional.normalize(torch.rand(classes, dimension) * 2 - 1))
        self.radii = torch.nn.Parameter(torch.rand(classes, 1) * 2 - 1)
        self.roles = torch.nn.Parameter(torch.nn.functional.normalize(torch.rand(roles, dimension) * 2 - 1))

    def forward(self, form: str, rows: torch.Tensor, negative: bool) -> torch.Tensor:
        def ball(column: int) -> tuple[torch.Tensor, torch.Tensor]:
            return embedding(rows[:, column], self.centres), embedding(rows[:, column], self.radii).abs()[:, 0]

        def distance(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
            return torch.linalg.vector_norm(x - y, dim=1)

        def reg(*centres: torch.Tensor) -> torch.Tensor:
            return sum(torch.relu(torch.linalg.vector_norm(x, dim=1) - 1) for x in centres)

        def clip(x: torch.Tensor) -> torch.Tensor:
            return leaky_relu(x, SLOPE)

        if form == "conjunction":
            (c, r_c), (d, r_d), (e, _) = ball(0), ball(1), ball(2)
            meet = clip(distance(c, d) - r_c - r_d - MARGIN)
            if negative:
                rest = clip(r_c - distance(c, e) + MARGIN) + clip(r_d - distance(d, e) + MARGIN)
            else:
                rest = clip(distance(c, e) - r_c - MARGIN) + clip(distance(d, e) - r_d - MARGIN)
            return meet + rest + reg(c, d, e)
        if form == "subclass":
            (c, r_c), (d, r_d) = ball(0), ball(1)
            apart = distance(c, d)
        elif form == "existential":
            (c, r_c), (d, r_d) = ball(0), ball(2)
            apart = distance(c + embedding(rows[:, 1], self.roles), d)
        else:
            (c, r_c), (d, r_d) = ball(1), ball(2)
            apart = distance(c - embedding(rows[:, 0], self.roles), d)
        if negative:
            return clip(r_c + r_d - apart + MARGIN) + reg(c, d)
        return clip(apart + r_c - r_d - MARGIN) + reg(c, d)

    def penalty(self) -> float:
        return 0.0


class PlainTraining:
    """Epochs of the plain method on tables of normal forms; `closure` are entailed rows to be left out."""

    def __init__(
        self,
        tables: Tables,
        kinds: np.ndarray,
        roles: int,
        dimension: int,
        batch: int,
        closure: Tables | None,
        model: str = "elem",
    ) -> None:
        self.tables, self.kinds, self.batch = tables, kinds, batch
        self.sizes = (len(kinds), roles)
        self.members = [np.flatnonzero(kinds == kind) for kind in range(kinds.max() + 1)]
        self.closure = {form: self.encoded(rows) for form, rows in closure.items()} if closure else None
        self.steps = {form: -(-len(table) // batch) for form, table in tables.items()}
        self.generator = np.random.default_rng(0)
        torch.manual_seed(0)
        sizes = (len(kinds), roles, dimension)
        self.model = PlainBalls(*sizes) if model == "elem" else PlainBoxModel(model, *sizes)
        self.adam = torch.optim.Adam(self.model.parameters(), lr=LEARNING_RATE, fused=True)

    def encoded(self, rows: np.ndarray) -> np.ndarray:
        keys = np.zeros(len(rows), np.int64)
        for column in rows.T:
            keys = keys * max(self.sizes) + column
        return keys

    def negatives(self, form: str, rows: np.ndarray) -> np.ndarray:
        rows = rows.copy()
        kinds = self.kinds[rows[:, -1]]
        for kind in np.unique(kinds):
            here = kinds == kind
            rows[here, -1] = self.generator.choice(self.members[kind], int(here.sum()))
        if self.closure is not None:
            rows = rows[~np.isin(self.encoded(rows), self.closure[form])]
        return rows

    def epoch(self) -> float:
        total = sum(self.steps.values())
        orders = {}
        mean = 0.0
        for step in range(max(self.steps.values())):
            losses = []
            for form, table in self.tables.items():
                first = step % self.steps[form] * self.batch
                if first == 0:
                    orders[form] = self.generator.permutation(len(table))
                rows = table[orders[form][first : first + self.batch]]
                for part, negative in ((rows, False), (self.negatives(form, rows), True)):
                    loss = self.model(form, torch.from_numpy(part), negative).mean()
                    losses.append(self.steps[form] / total * loss)
            loss = torch.stack(losses).sum() + self.model.penalty()
            self.adam.zero_grad(set_to_none=True)
            loss.backward()
            self.adam.step()
            mean += float(loss.detach()) / max(self.steps.values())
        return mean

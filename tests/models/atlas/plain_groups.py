"""Groups again, written plainly with loops over classes and groups."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import fcluster, linkage

Real = NDArray[np.float64]


class PlainGroups:
    """Memberships of `heads`, by the axioms among all classes, the features of each, and likeness by contexts.

    Of small groups, within large ones; the large ones are made the same way and have none around them.
    """

    def __init__(
        self, axioms: Real, told: Sequence[set[Any]], kernel: Real, heads: Sequence[int], small: bool = True
    ) -> None:
        self.large = PlainGroups(axioms, told, kernel, heads, False) if small else None
        self.each, *self.more = (6, 20.0, 5.0) if small else (30, 0.5, 2.0)
        self.heads, self.n = list(heads), len(heads)
        self.x = axioms[np.ix_(self.heads, self.heads)]
        mine = [told[h] for h in self.heads]
        every = sorted(set().union(*mine), key=str)
        shared = [feature for feature in every if sum(feature in has for has in mine) >= 2]
        self.f = np.array([[feature in has for feature in shared] for has in mine], float).reshape(self.n, len(shared))
        count = self.x.sum(axis=1)
        self.theta = (count + 4) / (count.mean() + 4)
        self.chance = self.x.sum() / self.theta.sum() ** 2
        self.first = self.cut(kernel[np.ix_(self.heads, self.heads)])
        self.z = np.zeros((self.n, max(self.first) + 1))
        self.z[range(self.n), self.first] = 1
        for step in range(25):
            self.step(min(1, 0.3 + 0.7 * step / 15))

    def cut(self, kernel: Real) -> list[int]:
        distances = []
        for i in range(self.n):
            for j in range(i + 1, self.n):
                one, other = ({*np.flatnonzero(self.x[k]).tolist(), k} for k in (i, j))
                cosine = len(one & other) / np.sqrt(len(one) * len(other))
                distances.append(max(0.0, 1 - (cosine + 2 * kernel[i, j]) / 3))
        # equal distances may come in another order after rounding: as the product rounds
        self.tree = linkage(np.asarray(distances, np.float32).astype(float), "average")
        return [int(group) - 1 for group in fcluster(self.tree, -(-self.n // self.each), "maxclust")]

    def axioms_and_pairs(self, a: int, b: int) -> tuple[float, float]:
        """Between two groups."""
        pairs = (self.z[:, a] @ self.theta) * (self.z[:, b] @ self.theta)
        pairs -= (self.theta**2 * self.z[:, a]).sum() if a == b else 0
        return float(self.z[:, a] @ self.x @ self.z[:, b]), max(float(pairs), 0.0)

    def lies(self) -> Real:
        """How far each group lies in each large one."""
        assert self.large is not None
        made = np.zeros((self.z.shape[1], self.large.z.shape[1]))
        for a in range(len(made)):
            for c in range(made.shape[1]):
                made[a, c] = self.z[:, a] @ self.large.z[:, c] + 1e-6 * self.large.z[:, c].mean()
            made[a] /= made[a].sum()
        return made

    def usual(self) -> tuple[Real, Real, float]:
        """Rates by the large groups; the pairs of each two of these, and those of each group alone."""
        k = self.z.shape[1]
        if self.large is None:
            return np.full((k, k), self.chance), np.zeros((0, 0)), 0.0
        lies, alone = self.lies(), [0.5, 0.5 / self.chance]
        axioms, pairs = (np.full(2 * [lies.shape[1]], start) for start in alone)
        for a in range(k):
            for b in range(k):
                there, possible = self.axioms_and_pairs(a, b)
                if a == b:
                    alone[0] += there
                    alone[1] += possible
                else:
                    axioms += there * np.outer(lies[a], lies[b])
                    pairs += possible * np.outer(lies[a], lies[b])
        made = np.zeros((k, k))
        for a in range(k):
            for b in range(k):
                made[a, b] = alone[0] / alone[1] if a == b else lies[a] @ (axioms / pairs) @ lies[b]
        return made, pairs, alone[1]

    def sizes(self) -> Real:
        usual, k = self.usual()[0], self.z.shape[1]
        return np.array(
            [[self.axioms_and_pairs(a, b)[1] + self.more[0] / usual[a, b] for b in range(k)] for a in range(k)]
        )

    def rates(self) -> Real:
        sizes, k = self.sizes(), self.z.shape[1]
        return np.array(
            [[(self.axioms_and_pairs(a, b)[0] + self.more[0]) / sizes[a, b] for b in range(k)] for a in range(k)]
        )

    def share(self, head: int, tail: int, i: int, j: int) -> float:
        """What the axiom between i and j adds to the score of head and tail, by place."""
        usual, pairs, alone = self.usual()
        sizes, k, own = self.sizes(), self.z.shape[1], np.outer(self.z[i], self.z[j])
        lies = self.lies()
        apart = lies.T @ (own - np.diag(own.diagonal())) @ lies / pairs
        total = 0.0
        for a in range(k):
            for b in range(k):
                more = own.trace() / alone if a == b else lies[a] @ apart @ lies[b]
                rate = (own[a, b] + self.more[0] / usual[a, b] * more) / sizes[a, b]
                total += self.z[head, a] * self.z[tail, b] * rate
        return float(self.theta[tail] * total)

    def step(self, certain: float) -> None:
        rates, k = self.rates(), self.z.shape[1]
        total = self.theta @ self.z
        size = self.z.sum(axis=0)
        share = (self.z.T @ self.f + self.more[1] * self.f.mean(axis=0)) / (size[:, None] + self.more[1])
        share = np.clip(share, 1e-6, 1 - 1e-6)
        made = np.zeros_like(self.z)
        for i in range(self.n):
            for a in range(k):
                log = sum((self.x[i] @ self.z[:, b]) * np.log(rates[a, b]) for b in range(k))
                log -= sum(self.theta[i] * total[b] * rates[a, b] for b in range(k))
                log += self.theta[i] ** 2 * rates[a, a] * self.z[i, a]
                had = [np.log(p if has else 1 - p) for has, p in zip(self.f[i], share[a], strict=True)]
                made[i, a] = certain * (log + 0.5 * sum(had) + np.log(size[a] + 0.5))
        made = np.exp(made - made.max(axis=1, keepdims=True))
        self.z = 0.3 * self.z + 0.7 * made / made.sum(axis=1, keepdims=True)

    def scores(self, n_classes: int) -> Real:
        """By class id; 0 for a head that is none."""
        made = np.zeros((n_classes, n_classes))
        made[np.ix_(self.heads, self.heads)] = self.z @ self.rates() @ self.z.T * self.theta
        return made

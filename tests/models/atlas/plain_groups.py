"""Groups again, written plainly with loops over classes and groups."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import fcluster, linkage

Real = NDArray[np.float64]


class PlainGroups:
    """Memberships of `heads`, by the axioms among all classes, the features of each, and likeness by contexts."""

    def __init__(
        self, axioms: Real, told: Sequence[set[Any]], kernel: Real, heads: Sequence[int], more: tuple[float, float]
    ) -> None:
        """`more` is added to the axioms between two groups, and to the classes with a feature."""
        self.more = more
        self.heads, self.n = list(heads), len(heads)
        self.x = axioms[np.ix_(self.heads, self.heads)]
        mine = [told[h] for h in self.heads]
        every = sorted(set().union(*mine), key=str)
        shared = [feature for feature in every if sum(feature in has for has in mine) >= 2]
        self.f = np.array([[feature in has for feature in shared] for has in mine], float).reshape(self.n, len(shared))
        count = self.x.sum(axis=1)
        self.theta = (count + 4) / (count.mean() + 4)
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
        tree = linkage(np.asarray(distances, np.float32).astype(float), "average")
        return [int(group) - 1 for group in fcluster(tree, -(-self.n // 6), "maxclust")]

    def rates(self) -> Real:
        k = self.z.shape[1]
        chance = self.x.sum() / self.theta.sum() ** 2
        made = np.zeros((k, k))
        for a in range(k):
            for b in range(k):
                axioms = sum(self.z[i, a] * self.x[i, j] * self.z[j, b] for i in range(self.n) for j in range(self.n))
                pairs = (self.z[:, a] @ self.theta) * (self.z[:, b] @ self.theta)
                pairs -= (self.theta**2 * self.z[:, a]).sum() if a == b else 0
                made[a, b] = (axioms + self.more[0]) / (max(pairs, 0) + self.more[0] / chance)
        return made

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

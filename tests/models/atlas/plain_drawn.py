"""Groups drawn by chance again: each draw is from the joint probability of everything, for every way it could go."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, lgamma, log

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import fcluster

Real = NDArray[np.float64]
Numbers = NDArray[np.int64]
Options = list[tuple[int, int]]
"""A small group and the large one it is in, by number."""


class PlainDrawn:
    """By the axioms among `heads`, joined either way, their features, and a tree."""

    def __init__(self, axioms: Real, features: Real, tree: Real, heads: Sequence[int], seed: int = 0) -> None:
        self.heads, self.n, self.told = list(heads), len(axioms), axioms > 0
        self.x = (self.told | self.told.T) & ~np.eye(self.n, dtype=bool)
        self.pairs = np.triu_indices(self.n, 1)
        self.joined = self.x[self.pairs]
        self.f, self.common = features, features.sum(axis=0) / (self.n + 1)
        small, large = ([int(g) - 1 for g in fcluster(tree, -(-self.n // each), "maxclust")] for each in (4, 10))
        self.small, self.large = small, dict(zip(small, large, strict=True))
        self.room, self.above = 2 * (max(small) + 1), 2 * (max(large) + 1)
        self.rate = max((self.told | self.told.T).sum(), 1) / self.n**2
        self.theta, self.usual = np.ones(self.n), [self.rate] * 3
        self.same, self.within = np.full(self.room, self.rate), np.full(self.above, self.rate)
        self.drawn: list[PlainDraw] = []
        self.known: dict[tuple[int, ...], float] = {}
        generator = np.random.default_rng(seed)
        for _ in range(10):
            self.settle()
        for sweep in range(45):
            self.sweep(generator.random(self.n + self.room))
            self.settle()
            if sweep >= 15:
                self.drawn.append(PlainDraw(self))

    def groups(self) -> tuple[Numbers, Numbers]:
        """The small group of each class, and the large one."""
        return np.array(self.small), np.array([self.large[group] for group in self.small])

    def kinds(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Which pairs are of one small group, and which are of one large group else."""
        small, large = self.groups()
        same = small[:, None] == small
        return same, (large[:, None] == large) & ~same

    def expected(self) -> Real:
        """(class, class): how many axioms."""
        (small, large), (same, within) = self.groups(), self.kinds()
        rate = np.where(same, self.same[small], np.where(within, self.within[large], self.usual[2]))
        return np.asarray(rate * np.outer(self.theta, self.theta))

    def joint(self, small: Numbers, large: Numbers) -> list[float]:
        """For each row the logarithm of the probability of its groups, axioms and features, but for a constant."""
        one, other = self.pairs
        same, within = small[:, one] == small[:, other], large[:, one] == large[:, other]
        rate = np.where(same, self.same[small[:, one]], np.where(within, self.within[large[:, one]], self.usual[2]))
        expected = rate * self.theta[one] * self.theta[other]
        found = np.where(self.joined, np.log1p(-np.exp(-expected)), -expected).sum(axis=1)
        ways = zip(found.tolist(), small.tolist(), large.tolist(), strict=True)
        return [told + self.of_groups(one, other) for told, one, other in ways]

    def of_groups(self, small: list[int], large: list[int]) -> float:
        """The logarithm of the probability of groups, and of the features in each."""
        found, used, lies = 0.0, dict[int, list[int]](), dict(zip(small, large, strict=True))
        for i, group in enumerate(small):
            used.setdefault(group, []).append(i)
        for members in used.values():
            found += self.features_of(tuple(members)) + log(10.0) + lgamma(len(members))
        larger = list(lies.values())
        return found + sum(log(2.0) + lgamma(larger.count(a)) for a in set(larger)) - lgamma(2.0 + len(used))

    def features_of(self, members: tuple[int, ...]) -> float:
        """The logarithm of the probability of the features of one small group."""
        if members not in self.known:
            mine = self.f[list(members)]
            n, m = len(mine), mine.sum(axis=0)
            typical = np.array([exp(lgamma(k + 1) + lgamma(n - k + 1) - lgamma(n + 2)) for k in m])
            usual = self.common**m * (1 - self.common) ** (n - m)
            self.known[members] = float(np.log(0.02 * typical + 0.98 * usual).sum())
        return self.known[members]

    def choose(self, chances: list[float], number: float) -> int:
        weights = np.exp(np.array(chances) - max(chances))
        return int(np.searchsorted(np.cumsum(weights), number * weights.sum(), side="right"))

    def sweep(self, numbers: Real) -> None:
        for i in range(self.n):
            others = {group for j, group in enumerate(self.small) if j != i}
            options: Options = [(group, self.large[group]) for group in sorted(others)]
            free, used = sorted({*range(self.room)} - others), {self.large[group] for group in others}
            unused = sorted({*range(self.above)} - used)[:1]
            options += [(free[0], a) for a in sorted({*used, *unused}) if free]
            self.same[free[:1]], self.within[unused] = self.usual[0], self.usual[1]
            small, large = (np.tile(groups, (len(options), 1)) for groups in self.groups())
            small[:, i], large[:, i] = np.array(options).T
            self.small[i], a = options[self.choose(self.joint(small, large), numbers[i])]
            self.large[self.small[i]] = a
        for group in sorted(set(self.small)):
            used = {self.large[g] for g in self.small if g != group}
            unused = sorted({*range(self.above)} - used)[:1]
            larger = sorted({*used, *unused})
            self.within[unused] = self.usual[1]
            small, large = (np.tile(groups, (len(larger), 1)) for groups in self.groups())
            large[small == group] = np.repeat(larger, self.small.count(group))
            self.large[group] = larger[self.choose(self.joint(small, large), numbers[self.n + group])]

    def settle(self) -> None:
        for i in range(self.n):
            expected = self.expected()[i]
            found = np.where(self.x[i], expected / (1 - np.exp(-expected)), 0).sum()
            others = (expected.sum() - expected[i]) / self.theta[i]
            self.theta[i] = (12 + found) / (12 + others)
        self.theta /= self.theta.mean()
        counted = PlainDraw(self)
        self.usual = counted.usual
        self.same = np.array([counted.rate(group, None) for group in range(self.room)])
        self.within = np.array([counted.rate(None, a) for a in range(self.above)])

    def scores(self, n: int) -> Real:
        """By class id."""
        made = np.zeros((n, n))
        for i, head in enumerate(self.heads):
            for j, tail in enumerate(self.heads):
                made[head, tail] = np.mean([draw.score(i, j) for draw in self.drawn])
        return made

    def share(self, head: int, tail: int, i: int, j: int) -> float:
        """What the score of head and tail would be less without counting the axiom between i and j, sizes unchanged."""
        ways = [(i, j)] if self.told[j, i] or i == j else [(i, j), (j, i)]
        return float(np.mean([draw.score(head, tail) - draw.score(head, tail, ways) for draw in self.drawn]))


class PlainDraw:
    """Groups, θ, and how many axioms are counted for each pair, at one time."""

    def __init__(self, drawn: PlainDrawn) -> None:
        self.small, self.large = drawn.groups()
        self.theta = drawn.theta.copy()
        self.known: dict[tuple[int | None, int | None, tuple[tuple[int, int], ...]], float] = {}
        expected = drawn.expected()
        self.many = np.where(drawn.x, expected / (1 - np.exp(-expected)), 0)
        same, within = drawn.kinds()
        self.kinds = [same, within, ~same & ~within]
        self.pairs = np.outer(self.theta, self.theta) * (1 - np.eye(drawn.n))
        self.sizes = [self.pairs[kind].sum() + 0.5 / drawn.rate for kind in self.kinds]
        self.usual = [(self.many[kind].sum() + 0.5) / size for kind, size in zip(self.kinds, self.sizes, strict=True)]

    def rate(self, small: int | None, large: int | None, without: Sequence[tuple[int, int]] = ()) -> float:
        """Within a small group, else within a large one, else beyond; some axioms not counted, sizes as they are."""
        key = small, large, tuple(without)
        if key not in self.known:
            self.known[key] = self.counted(*key)
        return self.known[key]

    def counted(self, small: int | None, large: int | None, without: Sequence[tuple[int, int]]) -> float:
        many = self.many.copy()
        for i, j in without:
            many[i, j] = 0
        k = 0 if small is not None else 1 if large is not None else 2
        usual = (many[self.kinds[k]].sum() + 0.5) / self.sizes[k]
        if k == 2:
            return float(usual)
        mine = self.small == small if k == 0 else self.large == large
        own = self.kinds[k] & np.outer(mine, mine)
        more = 20 / self.usual[k]
        return float((many[own].sum() + more * usual) / (self.pairs[own].sum() + more))

    def score(self, head: int, tail: int, without: Sequence[tuple[int, int]] = ()) -> float:
        """θ θ λ of a pair."""
        same, within = self.kinds[0][head, tail], self.kinds[1][head, tail]
        small, large = int(self.small[head]) if same else None, int(self.large[head]) if within else None
        return float(self.theta[head] * self.theta[tail] * self.rate(small, large, without))

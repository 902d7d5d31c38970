"""`ClassHierarchy`: what lies above each class, and what that says about how alike and how telling classes are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from elgeo.arrays import Array, Floats, Ids, Keys
from elgeo.compilation import kernel
from elgeo.evaluation.ranking.known import Known
from elgeo.keys import distinct, lower_bound

AT_ONCE = 1 << 22
"""Pairs that are worked out at a time, about."""


@dataclass(frozen=True, eq=False)
class ClassHierarchy:
    """The subsumers of each class, itself included, as rows of one array."""

    start: NDArray[np.int64]
    above: Ids
    """Class c is below `above[start[c]:start[c + 1]]`, ascending."""

    def superclasses(self, c: int) -> Ids:
        """The classes above c, itself included."""
        return self.above[self.start[c] : self.start[c + 1]]

    def propagated(self, heads: NDArray[np.integer], tails: NDArray[np.integer]) -> Known:
        """Pairs and all that follows from them: what is annotated with a class is annotated with those above."""
        n_classes = len(self.start) - 1
        order = np.argsort(heads, kind="stable")
        heads, tails = heads[order], tails[order]
        ends = np.cumsum(self.start[tails + 1] - self.start[tails])
        sizes, others, first = np.zeros(n_classes, np.int64), [np.empty(0, np.int32)], 0
        while first < len(heads):
            # what follows is many times as long as what is said: a part at a time, with whole heads
            done = int(ends[first - 1]) if first else 0
            last = int(np.searchsorted(ends, done + AT_ONCE))
            last = int(np.searchsorted(heads, heads[min(last, len(heads) - 1)], "right"))
            keys = self._followed(heads[first:last], tails[first:last])
            owners, counts = np.unique(keys // n_classes, return_counts=True)
            sizes[owners] = counts
            others.append((keys % n_classes).astype(np.int32))
            first = last
        return Known(np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)]), np.concatenate(others))

    def _followed(self, heads: NDArray[np.integer], tails: NDArray[np.integer]) -> Keys:
        """head · classes + a class above its tail, ascending, each once."""
        sizes = self.start[tails + 1] - self.start[tails]
        ends = np.cumsum(sizes)
        places = np.arange(int(sizes.sum())) + np.repeat(self.start[tails] - ends + sizes, sizes)
        return distinct(np.repeat(heads.astype(np.int64), sizes) * (len(self.start) - 1) + self.above[places])

    def parents(self, members: Ids) -> ClassHierarchy:
        """The direct superclasses of each member among the members; the rows of other classes are empty."""
        among = np.zeros(len(self.start) - 1, np.bool_)
        among[members] = True
        sizes, flat = _direct(self.start, self.above, among)
        return ClassHierarchy(np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)]), flat)


def information_content(annotated: Known, n_classes: int) -> Floats:
    """IC(c) = −ln((n_c + 1)/(N + 1)), n_c of the N annotated classes having c among their propagated annotations.

    The 1 keeps a class that no annotation mentions finite, and above all that are mentioned.
    """
    counts = np.bincount(annotated.others, minlength=n_classes)
    n = int((np.diff(annotated.start) > 0).sum())
    return np.asarray(-np.log((counts + 1) / (n + 1)))


def information_accretion(annotated: Known, parents: ClassHierarchy) -> Floats:
    """ia(v) = −log₂ Pr(v | its parents) of each class, from propagated annotations.

    Pr is (annotated with v + 1)/(annotated with all parents of v + 1): finite where nothing is annotated with v.
    """
    with_class, with_parents = _count_with_parents(annotated.start, annotated.others, parents.start, parents.above)
    return np.asarray(-np.log2((with_class + 1) / (with_parents + 1)))


def lin(hierarchy: ClassHierarchy, content: Floats, first: Ids, second: Ids) -> Floats:
    """Lin similarity of pairs: 2·IC(their most telling common superclass)/(IC(a) + IC(b)); 1 of a class with itself."""
    return np.asarray(_lin(hierarchy.start, hierarchy.above, content, first, second))


@kernel
def _lin(start: Array, above: Array, content: Array, first: Array, second: Array) -> Array:
    out = np.empty(len(first), np.float64)
    for k in range(len(first)):
        a, b = first[k], second[k]
        if a == b:
            out[k] = 1.0
            continue
        i, j, shared = start[a], start[b], 0.0
        while i < start[a + 1] and j < start[b + 1]:
            if above[i] < above[j]:
                i += 1
            elif above[i] > above[j]:
                j += 1
            else:
                shared = max(shared, content[above[i]])
                i += 1
                j += 1
        total = content[a] + content[b]
        # subsumers that annotations do not reach (unsatisfiable classes) could carry more than either class
        out[k] = min(1.0, 2 * shared / total) if total > 0 else 0.0
    return out


@kernel
def _is_above(start: Array, above: Array, c: int, d: int) -> bool:
    place = lower_bound(above, start[c], start[c + 1], d)
    return bool(place < start[c + 1] and above[place] == d)


@kernel
def _direct(start: Array, above: Array, among: Array) -> tuple[Array, Array]:
    n = len(start) - 1
    sizes, flat = np.zeros(n, np.int64), np.empty(len(above), np.int32)
    used = 0
    for c in range(n):
        if not among[c]:
            continue
        for i in range(start[c], start[c + 1]):
            d = above[i]
            if not among[d] or _is_above(start, above, d, c):
                continue  # itself, or equivalent to it
            between = False
            for j in range(start[c], start[c + 1]):
                e = above[j]
                if (
                    among[e]
                    and e != d
                    and not _is_above(start, above, e, c)
                    and _is_above(start, above, e, d)
                    and not _is_above(start, above, d, e)
                ):
                    between = True
                    break
            if not between:
                flat[used] = d
                used += 1
                sizes[c] += 1
    return sizes, flat[:used].copy()


@kernel
def _count_with_parents(start: Array, others: Array, parent_start: Array, parents: Array) -> tuple[Array, Array]:
    """How many annotated classes have v, and how many have all parents of v."""
    n = len(parent_start) - 1
    with_class, with_parents = np.zeros(n, np.int64), np.zeros(n, np.int64)
    has = np.full(n, -1, np.int64)
    # the classes by their first parent: what lacks that one need not be looked at
    child_start, annotated = np.zeros(n + 2, np.int64), 0
    for v in range(n):
        if parent_start[v] < parent_start[v + 1]:
            child_start[parents[parent_start[v]] + 2] += 1
    for p in range(n):
        child_start[p + 2] += child_start[p + 1]
    children = np.empty(child_start[n + 1], np.int64)
    for v in range(n):
        if parent_start[v] < parent_start[v + 1]:
            p = parents[parent_start[v]]
            children[child_start[p + 1]] = v
            child_start[p + 1] += 1
    for head in range(len(start) - 1):
        if start[head] == start[head + 1]:
            continue
        annotated += 1
        for i in range(start[head], start[head + 1]):
            has[others[i]] = head
            with_class[others[i]] += 1
        for i in range(start[head], start[head + 1]):
            for k in range(child_start[others[i]], child_start[others[i] + 1]):
                v = children[k]
                complete = True
                for j in range(parent_start[v] + 1, parent_start[v + 1]):
                    if has[parents[j]] != head:
                        complete = False
                        break
                with_parents[v] += complete
    for v in range(n):
        if parent_start[v] == parent_start[v + 1]:
            with_parents[v] = annotated
    return with_class, with_parents

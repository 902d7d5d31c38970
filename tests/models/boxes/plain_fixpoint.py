"""`grow` and `shrink` as plain loops over all axioms, again and again until nothing changes."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from elgeo.models.boxes.numbers import INFINITE, LARGEST
from elgeo.ontology.normal_forms import empty_tables

Tables = Mapping[str, NDArray[np.int32]]


def plus(a: float, b: float) -> float:
    return float("inf") if float("inf") in (a, b) else a + b


def real(numbers: NDArray[np.int32]) -> list[float]:
    return [float("inf") if x == INFINITE else float(x) for x in numbers.tolist()]


def plain_grow(
    tables: Tables, start: NDArray[np.int32], widths: NDArray[np.int32], limit: float
) -> tuple[list[float], bool]:
    """The least numbers above `start`, and whether all axioms hold with them."""
    v, h = [min(x, limit) for x in real(start)], real(widths)
    v[0] = limit

    def up(x: float) -> float:
        return min(float("inf") if x > LARGEST else x, limit)

    while True:
        before = list(v)
        for c, d in tables["subclass"].tolist():
            v[d] = max(v[d], v[c])
        for c, d, e in tables["conjunction"].tolist():
            v[e] = max(v[e], min(v[c], v[d]))
        for c, r, d in tables["existential"].tolist():
            if h[r] != float("inf"):
                v[d] = max(v[d], up(v[c] - h[r]))
        for r, c, d in tables["left_existential"].tolist():
            v[d] = max(v[d], up(plus(v[c], h[r])))
        if v == before:
            return v, all(v[c] <= plus(v[d], h[r]) for c, r, d in tables["existential"].tolist())


def plain_shrink(
    tables: Tables, start: list[float], widths: NDArray[np.int32], floor: list[float], limit: float = float("inf")
) -> list[float]:
    """The largest numbers below `start` with which all axioms hold, none below its floor; there is no C ⊓ D ⊑ E."""
    v, h = [max(x, low) for x, low in zip(start, floor, strict=True)], real(widths)
    assert not len(tables["conjunction"])
    while True:
        before = list(v)
        for c, d in tables["subclass"].tolist():
            v[c] = max(min(v[c], v[d]), floor[c])
        for c, r, d in tables["existential"].tolist():
            v[c] = max(min(v[c], plus(v[d], h[r])), floor[c])
        for r, c, d in tables["left_existential"].tolist():
            if h[r] != float("inf") and v[d] < limit:
                v[c] = max(min(v[c], v[d] - h[r]), floor[c])
        if v == before:
            return v


def random_tables(generator: np.random.Generator, n: int, roles: int, rows: int = 12) -> dict[str, NDArray[np.int32]]:
    """Axioms between classes 2 … n − 1, some of them about ⊤ on the left."""
    tables = empty_tables()

    def classes(count: int) -> NDArray[np.int64]:
        return generator.integers(2, n, count)

    some = generator.integers(1, roles, rows)
    tables["subclass"] = np.stack([classes(rows), classes(rows)], axis=1).astype(np.int32)
    tables["conjunction"] = np.stack([classes(rows), classes(rows), classes(rows)], axis=1).astype(np.int32)
    tables["existential"] = np.stack([classes(rows), some, classes(rows)], axis=1).astype(np.int32)
    tables["left_existential"] = np.stack([some[::-1], classes(rows), classes(rows)], axis=1).astype(np.int32)
    return tables

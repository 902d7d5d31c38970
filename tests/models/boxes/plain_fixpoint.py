"""`grow` and `shrink` as plain loops over all axioms, again and again until nothing changes."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from elgeo.models.boxes.numbers import LAST
from elgeo.models.boxes.tables import RoleRules
from elgeo.ontology.normal_forms import empty_tables

Tables = Mapping[str, NDArray[np.int32]]
Maps = list[list[int]]


def plain_close(maps: Maps, rules: RoleRules) -> Maps:
    """The least tables above some that never fall and make every role axiom true."""
    f = [list(row) for row in maps]
    f[0] = [LAST] * (LAST + 1)
    while True:
        before = [list(row) for row in f]
        for row in f:
            for y in range(LAST):
                row[y + 1] = max(row[y + 1], row[y])
        for y in range(LAST + 1):
            for r in rules.at_home.tolist():
                f[r][y] = max(f[r][y], y)
            for r, s in rules.subrole.tolist():
                f[s][y] = max(f[s][y], f[r][y])
            for r, s, t in rules.chain.tolist():
                f[t][y] = max(f[t][y], f[r][f[s][y]])
        if f == before:
            return f


def plain_grow(tables: Tables, start: list[int], maps: Maps, rules: RoleRules) -> tuple[list[int], Maps]:
    """The least numbers above `start` with which all axioms hold, and the tables, of which the last entry may rise."""
    v, f = list(start), [list(row) for row in maps]
    v[0] = LAST
    while True:
        before = list(v), [list(row) for row in f]
        for c, d in tables["subclass"].tolist():
            v[d] = max(v[d], v[c])
        for c, d, e in tables["conjunction"].tolist():
            v[e] = max(v[e], min(v[c], v[d]))
        for c, r, d in tables["existential"].tolist():
            f[r][LAST] = max(f[r][LAST], v[c])
            v[d] = max(v[d], min(y for y in range(LAST + 1) if f[r][y] >= v[c]))
        for r, c, d in tables["left_existential"].tolist():
            v[d] = max(v[d], f[r][v[c]])
        if (v, f) == before:
            f = plain_close(f, rules)
            if f == before[1]:
                return v, f


def plain_shrink(tables: Tables, start: list[int], maps: Maps, floor: list[int]) -> list[int]:
    """The largest numbers below `start` with which all axioms hold, none below its floor; there is no C ⊓ D ⊑ E."""
    v = [max(x, low) for x, low in zip(start, floor, strict=True)]
    assert not len(tables["conjunction"])
    while True:
        before = list(v)
        for c, d in tables["subclass"].tolist():
            v[c] = max(min(v[c], v[d]), floor[c])
        for c, r, d in tables["existential"].tolist():
            v[c] = max(min(v[c], maps[r][v[d]]), floor[c])
        for r, c, d in tables["left_existential"].tolist():
            allowed = [y for y in range(LAST + 1) if maps[r][y] <= v[d]]
            v[c] = max(min(v[c], max(allowed, default=-1)), floor[c])
        if v == before:
            return v


def random_maps(generator: np.random.Generator, roles: int) -> Maps:
    """Tables that never fall: anything, standing still, steps up or down, nowhere, everywhere."""
    levels = np.arange(LAST + 1)
    kinds = [
        np.sort(generator.integers(0, LAST + 1, LAST + 1)), np.sort(generator.integers(0, 4, LAST + 1)), levels,
        levels + 1, np.maximum(levels - 1, 0), levels | 1, 0 * levels, levels + LAST,
    ]  # fmt: skip
    return [np.minimum(kinds[generator.integers(len(kinds))], LAST).tolist() for _ in range(roles)]


def random_rules(generator: np.random.Generator, roles: int) -> RoleRules:
    """Some inclusions and chains between roles, also of a role with itself, and a reflexive one now and then."""
    count = generator.integers(0, 3, 3)
    return RoleRules(
        generator.integers(1, roles, (count[0], 2)).astype(np.int32),
        generator.integers(1, roles, (count[1], 3)).astype(np.int32),
        generator.integers(1, roles, min(count[2], 1)).astype(np.int32),
    )


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

"""What role axioms ask of relations between points on two sides, by raising them condition by condition."""

from __future__ import annotations

import numpy as np
import pytest

from elgeo.arrays import Ints
from elgeo.models.boxes.sides import LEFT, NONE, RIGHT, WIDE, close_sides
from elgeo.models.boxes.tables import RoleRules

ROLES = 7


def least(roles: Ints, rules: RoleRules) -> Ints:
    """The lowest relations that are no lower than these and of which every axiom is true."""
    found = roles.copy()
    for role in rules.at_home.tolist():
        for side in (LEFT, RIGHT):
            found[role, side, :, side] = np.maximum(found[role, side, :, side], np.arange(WIDE))
    while True:
        before = found.copy()
        found = np.maximum.accumulate(found, axis=2)  # what is related to a point is to those further out
        for r, s in rules.subrole.tolist():
            found[s] = np.maximum(found[s], found[r])
        for r, s, t in rules.chain.tolist():
            for side, level, middle in np.ndindex(2, WIDE, 2):
                through = found[s, side, level, middle]
                if through != NONE:
                    found[t, side, level] = np.maximum(found[t, side, level], found[r, middle, through])
        if np.array_equal(found, before):
            return found


@pytest.mark.parametrize("seed", range(12))
def test_relations_are_raised_as_far_as_axioms_ask_and_no_further(seed: int) -> None:
    generator = np.random.default_rng(seed)
    given = generator.integers(0, WIDE, (ROLES, 2, WIDE, 2)).astype(np.int32)
    roles: Ints = np.where(generator.random(given.shape) < 0.04, given, NONE).astype(np.int32)
    subrole, chain = (generator.integers(0, ROLES, (seed % 4, width)).astype(np.int32) for width in (2, 3))
    rules = RoleRules(subrole, chain, generator.permutation(ROLES)[: seed % 3].astype(np.int32))
    expected = least(roles, rules)
    close_sides(roles, rules)
    assert np.array_equal(roles, expected)

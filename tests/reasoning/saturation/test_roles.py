"""Which roles are below which: those that a link becomes, beside links that are followed one by one."""

from __future__ import annotations

import numpy as np
import pytest

from elgeo.reasoning.saturation.roles import RoleBox
from tests.reasoning.brute import Brute, make_forms, rows_of, vocabulary

ROLES = 8


@pytest.mark.parametrize("seed", range(12))
def test_a_role_is_below_what_its_link_becomes(seed: int) -> None:
    rng = np.random.default_rng(seed)

    def some(count: int, width: int) -> list[tuple[int, ...]]:
        return [tuple(map(int, row)) for row in rng.integers(1, ROLES, (count, width))]

    tables = {"subrole": some(4, 2), "chain": some(7, 3), "reflexive": some(2, 1)}
    if seed % 4 == 0:
        tables["subrole"].append((0, int(rng.integers(1, ROLES))))
    forms = make_forms(vocabulary(2, 0, 0, ROLES), **tables)
    box = RoleBox.of(forms)
    followed = 0
    for r in range(1, ROLES):
        # 2 is related to 3 by r, and else only everything to itself by what is reflexive
        rows = rows_of(forms)
        rows["existential"] = {(2, r, 3)}
        slow = Brute(4, ROLES, rows)
        becomes = [s for s in range(ROLES) if (2, s, 3) in slow.links or s in slow.universal]
        assert np.flatnonzero(box.below[r]).tolist() == becomes
        assert np.flatnonzero(box.reflexive).tolist() == [s for s in range(ROLES) if (3, s) in slow.loops]
        followed += len(becomes) - 2
    assert followed > 3

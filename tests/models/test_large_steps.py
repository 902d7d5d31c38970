"""Steps that would not fit into the 32 bits of a list's entries are refused, not wrapped around."""

from __future__ import annotations

import numpy as np
import pytest

from elgeo.arrays import Table
from elgeo.errors import SettingError
from elgeo.models.contract import Sizes
from elgeo.models.engines.lists import NO_ROLE, ROW_AS_ROLE, TAG_BITS
from elgeo.models.engines.term_lists import MOST_ROWS, Listed, TermLists


def many(count: int) -> Table:
    """So many rows that take no memory."""
    return np.broadcast_to(np.array([[0, 1]], np.int32), (count, 2))


def test_a_row_number_fits_into_its_tag() -> None:
    last = (MOST_ROWS - 1) << TAG_BITS | (1 << TAG_BITS) - 1
    assert last == np.iinfo(np.int32).max


@pytest.mark.parametrize(("count", "role"), [(2**24 + 1, ROW_AS_ROLE), (2**30, NO_ROLE)])
def test_steps_that_are_too_large_are_refused(count: int, role: int) -> None:
    with pytest.raises(SettingError, match=f"a step with {count:,} subclass axioms is too large: set a smaller batch"):
        TermLists(Sizes(3, 1), 8).sorted([Listed("subclass", many(count), 0, 1, role)])


def test_others_are_not() -> None:
    start, other, _ = TermLists(Sizes(3, 1), 8).sorted([Listed("subclass", many(5).copy(), 0, 1, NO_ROLE)])
    assert start.tolist() == [0, 5, 10, 10]
    assert other.tolist() == [1] * 5 + [0] * 5

"""Numbers that stand for rows or ids, beside plain Python."""

from __future__ import annotations

from bisect import bisect_left

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from elgeo.arrays import Table
from elgeo.compilation import kernel
from elgeo.keys import GOLDEN, contained, distinct, lower_bound, mixed, mixed_number, row_numbers

HIGHEST = 2**31 - 1
IDS = st.one_of(st.integers(0, 4), st.integers(HIGHEST - 2, HIGHEST))


def table(rows: list[tuple[int, int, int]]) -> Table:
    return np.array(rows, np.int32).reshape(-1, 3)


@kernel
def _successive(seed: np.uint64, count: int) -> list[np.uint64]:
    return [mixed_number(seed + GOLDEN * np.uint64(i)) for i in range(1, count + 1)]


def test_mixing_gives_the_published_numbers_of_splitmix64() -> None:
    known = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821]
    assert [int(number) for number in _successive(np.uint64(1234567), 5)] == known
    seeds = np.uint64(1234567) + GOLDEN * np.arange(1, 6, dtype=np.uint64)
    assert mixed(seeds).tolist() == known


@given(st.lists(st.integers(-5, 5)), st.integers(-7, 7), st.integers(0, 4), st.integers(0, 4))
@settings(max_examples=60)
def test_lower_bound_is_bisection_within_the_slice(values: list[int], value: int, low: int, fewer: int) -> None:
    values.sort()
    low = min(low, len(values))
    high = max(low, len(values) - fewer)
    assert lower_bound(np.array(values, np.int32), low, high, value) == bisect_left(values, value, low, high)


@given(st.lists(st.integers(-(2**40), 2**40) | st.integers(-3, 3)))
@settings(max_examples=60)
def test_distinct_numbers_are_sorted_and_once_only(numbers: list[int]) -> None:
    array = np.array(numbers, np.int64)
    assert distinct(array).tolist() == sorted(set(numbers))
    assert array.tolist() == numbers


@pytest.mark.slow
@given(st.lists(st.tuples(IDS, IDS, IDS), max_size=12), st.lists(st.tuples(IDS, IDS, IDS), max_size=12))
@settings(max_examples=60)
def test_rows_have_equal_numbers_where_they_are_equal(
    some: list[tuple[int, int, int]], others: list[tuple[int, int, int]]
) -> None:
    first, second = row_numbers(table(some), table(others))
    assert (len(first), len(second)) == (len(some), len(others))
    rows, numbers = some + others, [*first.tolist(), *second.tolist()]
    for i, row in enumerate(rows):
        assert [number == numbers[i] for number in numbers] == [other == row for other in rows]
    assert contained(table(some), table(others)).tolist() == [row in others for row in some]


def test_rows_of_large_ids_are_told_apart() -> None:
    most = 2**31 - 1
    rows = np.array([(most, most, most), (most, most, most - 1), (most, 0, most), (0, 0, 0)], np.int32)
    some, all_of_them = row_numbers(rows[[1, 3]], rows)
    assert len(set(all_of_them.tolist())) == 4
    assert some.tolist() == all_of_them[[1, 3]].tolist()
    assert [n.tolist() for n in row_numbers(rows[:0, :1], rows[:, :1])] == [[], rows[:, 0].tolist()]

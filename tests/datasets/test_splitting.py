"""Splits: no pair on both sides, twins together, counts add up, the seed decides and nothing else."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from elgeo.datasets.splits.splitting import as_shares, both_directions, parse_shares, split
from elgeo.errors import SettingError
from elgeo.keys import contained

PAIRS = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), min_size=1, max_size=80, unique=True)
SHARES = st.tuples(st.integers(1, 10), st.integers(0, 5), st.integers(0, 5)).map(lambda s: tuple(x / sum(s) for x in s))


@given(PAIRS, SHARES, st.integers(0, 5), st.booleans())
def test_every_row_is_in_one_part_and_twins_together(
    pairs: list[tuple[int, int]], shares: tuple[float, ...], seed: int, twins: bool
) -> None:
    rows = np.array(pairs, np.int64)
    parts = split(rows, shares, seed, twins_together=twins)
    assert sorted(np.concatenate(parts).tolist()) == list(range(len(rows)))
    named = [{pairs[i] for i in part.tolist()} for part in parts]
    groups = [{tuple(sorted(pair)) if twins else pair for pair in part} for part in named]
    assert not groups[0] & groups[1]
    assert not groups[0] & groups[2]
    assert not groups[1] & groups[2]
    total = len(set().union(*groups))
    assert len(groups[1]) == round(total * shares[1])
    assert len(groups[2]) in (round(total * shares[2]), total - len(groups[1]))


@pytest.mark.slow
@given(PAIRS, st.integers(0, 5), st.randoms(use_true_random=False))
def test_the_order_of_rows_does_not_matter(pairs: list[tuple[int, int]], seed: int, random: object) -> None:
    shuffled = pairs[:]
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    first, second = (
        [{rows[i] for i in part.tolist()} for part in split(np.array(rows), (0.5, 0.3, 0.2), seed)]
        for rows in (pairs, shuffled)
    )
    assert first == second


def test_another_seed_gives_another_split() -> None:
    rows = np.array([(a, b) for a in range(30) for b in range(a)], np.int64)
    splits = {split(rows, seed=seed).test.tobytes() for seed in range(5)}
    assert len(splits) == 5
    assert split(rows, seed=3).test.tobytes() in splits
    assert split(rows).test.tobytes() == split(rows, (0.9, 0.05, 0.05), 0, twins_together=True).test.tobytes()
    with pytest.raises(SettingError, match="below 0"):
        split(rows, seed=-1)


def test_rounding_never_takes_more_than_there_is() -> None:
    parts = split(np.array([(0, 1)]), (0.01, 0.5, 0.49))
    assert sum(map(len, parts)) == 1


@given(PAIRS)
def test_both_directions(pairs: list[tuple[int, int]]) -> None:
    doubled = both_directions(np.array(pairs))
    expected = sorted({(a, b) for a, b in pairs} | {(b, a) for a, b in pairs})
    assert [tuple(row) for row in doubled.tolist()] == expected


@given(st.integers(1, 3), st.sampled_from([3, 40, 2**31 - 1]), st.integers(0, 99))
def test_contained(width: int, limit: int, seed: int) -> None:
    draw = np.random.default_rng(seed)
    table = draw.integers(0, limit, (draw.integers(0, 30), width)).astype(np.int32)
    rows = np.concatenate([draw.integers(0, limit, (draw.integers(0, 30), width)).astype(np.int32), table[:4]])
    known = set(map(tuple, table.tolist()))
    assert contained(rows, table).tolist() == [tuple(row) in known for row in rows.tolist()]


def test_shares() -> None:
    assert parse_shares("90:5:5") == pytest.approx((0.9, 0.05, 0.05))
    assert parse_shares("8:1:1") == pytest.approx((0.8, 0.1, 0.1))
    assert parse_shares("90:0:10") == pytest.approx((0.9, 0, 0.1))
    assert parse_shares("1:1:0") == pytest.approx((0.5, 0.5, 0))
    assert as_shares((1, 1, 2)) == pytest.approx((0.25, 0.25, 0.5))


@pytest.mark.parametrize("text", ["", "90:5", "0:0:0", "90:5:x", "0:50:50", "-1:1:1", "inf:1:1", "nan:1:1", "90:5:5:5"])
def test_shares_that_are_none(text: str) -> None:
    with pytest.raises(SettingError, match="split"):
        parse_shares(text)


def test_shares_that_do_not_add_up_are_told_of() -> None:
    said: list[str] = []
    for text in ("90:5:5", "8:1:1", "0.8:0.1:0.1", "33.3:33.3:33.4"):
        parse_shares(text, said.append)
    assert said == []
    assert parse_shares("80:10:20", said.append) == pytest.approx((8 / 11, 1 / 11, 2 / 11))
    assert said == ["--split 80:10:20 adds up to 110: taken as 72.7%, 9.1% and 18.2%"]

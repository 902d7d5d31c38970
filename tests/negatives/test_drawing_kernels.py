"""Kernels that draw corrupted classes against plain sets: what is entailed, the choice by counting, the stream."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np

from elgeo.negatives import corrupters
from elgeo.negatives.entailed import laid_out
from elgeo.negatives.export import export
from elgeo.negatives.kernels import (
    NONE,
    Features,
    Pool,
    _is_entailed,
    _nth_allowed,
    _random,
    draw_entailed,
    draw_hard,
    fill_words,
)
from elgeo.reasoning import Reasoner
from tests.small_dataset import small_dataset
from tests.splitmix import GOLDEN, splitmix

ROWS = [[2, 5, 9], [], [0, 3], [7], [1, 2, 3, 4, 5, 6, 7, 8, 9]]
START = np.concatenate([[0], np.cumsum([len(row) for row in ROWS])]).astype(np.int64)
MEMBERS = np.array([x for row in ROWS for x in row], np.int32)


def test_numbers_are_those_of_one_stream_for_each_row() -> None:
    for row in (0, 1, 5, 1000):
        for position in (0, 1, 255):
            state = 99 + GOLDEN * (row * 256 + position + 1)
            assert int(_random(np.uint64(99), row, position)) == splitmix(state)


def test_what_is_entailed_is_known_exactly_whatever_the_bits_say() -> None:
    """With every bit set the bits exclude nothing, and the rows decide alone."""
    filled = np.zeros(16, np.uint64)
    fill_words(START, MEMBERS, filled)
    for words in (filled, np.full(1, 2**64 - 1, np.uint64)):
        for head, row in enumerate(ROWS):
            found = [bool(_is_entailed(START, MEMBERS, words, head, c)) for c in range(10)]
            assert found == [c in row for c in range(10)]


def test_by_counting_each_allowed_candidate_has_the_same_chance() -> None:
    words = np.zeros(16, np.uint64)
    fill_words(START, MEMBERS, words)
    candidates = np.array([2, 3, 5, 7, 8, 9], np.int32)
    for head, row in enumerate(ROWS):
        allowed = [c for c in candidates.tolist() if c not in row]
        found = Counter(
            int(_nth_allowed(candidates, START, MEMBERS, words, head, np.uint64((2 * k + 1) * 2**63 // 600)))
            for k in range(600)
        )
        assert found == ({c: 600 // len(allowed) for c in allowed} if allowed else {NONE: 600})
    everything = np.array([1, 4, 6], np.int32)
    assert _nth_allowed(everything, START, MEMBERS, words, 4, np.uint64(5)) == NONE


def test_what_is_drawn_of_the_entailed_is_of_the_kind_and_never_top_or_bottom() -> None:
    """Of 300 entailed classes few are of the kind: they are found by chance or, at last, by counting."""
    kind_of = np.array([1, 1, *[0] * 300, 1, 0, 1, 2], np.int16)
    pool = Pool(kind_of, np.zeros(4, np.int64), np.zeros(0, np.int32))
    rows = [[0, 1, 304], list(range(302)), list(range(305)), [], [0, 1], [302, 304]]
    start = np.concatenate([[0], np.cumsum([len(row) for row in rows])]).astype(np.int64)
    members = np.array([x for row in rows for x in row], np.int32)
    entailed = laid_out(start, members, np.zeros(len(rows), np.bool_))
    numbers = np.tile(np.arange(len(rows) - 1), 400)
    originals, chosen = np.full(len(numbers), 302, np.int32), np.empty(len(numbers), np.int32)
    draw_entailed(originals, numbers, np.arange(len(rows), dtype=np.int32), pool, entailed, np.uint64(5), chosen)
    found = [Counter(chosen[numbers == head].tolist()) for head in range(len(rows) - 1)]
    assert [set(each) for each in found] == [{304}, {NONE}, {302, 304}, {NONE}, {NONE}]
    assert 150 < found[2][302] < 250


def test_of_what_entails_everything_each_of_the_pool_has_the_same_chance() -> None:
    """What stands beside the classes of the kind in the pool is of the kind too here, so that one too many shows."""
    kind_of = np.array([0, 0, 2, *[1] * 9], np.int16)
    pool = Pool(kind_of, np.array([0, 2, 6, 9], np.int64), np.array([3, 4, 5, 7, 8, 10, 6, 9, 11], np.int32))
    start, members = np.array([0, 1, 3, 3, 5], np.int64), np.array([4, 1, 9, 2, 11], np.int32)
    entailed = laid_out(start, members, np.array([False, False, True, True]))
    head_of = np.array([3, 0, 2, 1], np.int32)
    numbers = np.tile(np.array([2, 1, 0, 3]), 600)
    originals, chosen = np.full(len(numbers), 3, np.int32), np.empty(len(numbers), np.int32)
    draw_entailed(originals, numbers, head_of, pool, entailed, np.uint64(8), chosen)
    found = {head: Counter(chosen[head_of[numbers] == head].tolist()) for head in range(4)}
    assert (found[0], found[1]) == ({4: 600}, {9: 600})
    for head in (2, 3):
        assert set(found[head]) == {5, 7, 8, 10}
        assert all(110 < count < 190 for count in found[head].values())


def test_of_two_things_in_common_the_rarer_leads_to_a_neighbour() -> None:
    """Class 2 shares with 1, 2 and 5 classes: the rarer of two drawn is the first in 5 of 9 cases, the last in 1."""
    sharing = [[], [9, 10, 11, 12, 13], [3], [7, 8], [14], [6, 5]]
    features = [[], [], [3, 1, 2], [5], [4], *[[]] * 10]
    member_start, start = (np.concatenate([[0], np.cumsum([*map(len, rows)])]) for rows in (sharing, features))
    near = Features(
        start.astype(np.int64), np.array([f for row in features for f in row], np.int32),
        member_start.astype(np.int64), np.array([c for row in sharing for c in row], np.int32),
    )  # fmt: skip
    kind_of = np.array([0, 0, *[1] * 12, 2], np.int16)
    pool = Pool(kind_of, np.array([0, 0, 12, 13], np.int64), np.arange(2, 15, dtype=np.int32))
    entailed = laid_out(np.array([0, 0, 1, 12], np.int64), np.array([6, *range(2, 13)], np.int32), np.zeros(3, bool))
    asked = {"many": (2, 0), "one not entailed": (3, 1), "another kind": (4, 2), "nothing": (5, 2)}
    found = {}
    for number, (name, (original, head)) in enumerate(asked.items()):
        originals, heads = np.full(9_000, original, np.int32), np.full(9_000, head, np.int32)
        chosen = np.empty(9_000, np.int32)
        draw_hard(originals, heads, pool, entailed, near, np.uint64(number), chosen)
        found[name] = Counter(chosen.tolist())
    shares = {3: 5 / 9, 7: 3 / 18, 8: 3 / 18, **dict.fromkeys(range(9, 14), 1 / 45)}
    assert set(found["many"]) == set(shares)
    for chosen_class, share in shares.items():
        deviation = (9_000 * share * (1 - share)) ** 0.5
        assert abs(found["many"][chosen_class] - 9_000 * share) < 4.5 * deviation
    # what is entailed, or of another kind, is no neighbour: then any class will do that is of the kind and not entailed
    assert found["one not entailed"] == {5: 9_000}
    assert found["another kind"] == found["nothing"] == {13: 9_000}


def test_one_corrupted_axiom_for_each_unless_more_are_asked_for(tmp_path: Path) -> None:
    dataset = small_dataset(3)
    usual = corrupters(dataset, "random")
    for corrupter in usual.values():
        rows, positives, dropped = corrupter.draw(np.arange(6), 0)
        assert (len(rows), dropped) == (6, 0)
        assert positives.tolist() == list(range(6))
    closure = Reasoner(dataset.forms).closure()
    count = export(tmp_path / "negatives.tsv", dataset, usual, closure, 0)
    lines = (tmp_path / "negatives.tsv").read_text().splitlines()
    assert count == len(lines) - 1 == sum(len(corrupter.table) for corrupter in usual.values())

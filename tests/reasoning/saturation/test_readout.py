"""Rows are read out sorted, whatever their length and however many threads sort them."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from elgeo import threads
from elgeo.arrays import Ints, Longs
from elgeo.reasoning.saturation import readout
from elgeo.reasoning.saturation.memory import HEAD_WIDTH, ITEMS, SIZE

LENGTHS = [0, 1, 2, 31, 32, 33, 33, 34, 40, 41, 42, 42, 50, 95, 96, 97, 300, 301, 301, 301, 309, 310, 2000]


@pytest.mark.parametrize("several", ["1", "3"])
@pytest.mark.parametrize("block", [64, 700, 1 << 17])
def test_rows_are_the_classes_of_a_context_ascending(monkeypatch: pytest.MonkeyPatch, several: str, block: int) -> None:
    monkeypatch.setenv("ELGEO_THREADS", several)
    monkeypatch.setattr(threads, "WORTH_THREADS", 1)
    monkeypatch.setattr(readout, "_BLOCK", block)
    rng = np.random.default_rng(7)
    n, lengths = 5000, rng.permutation(np.repeat(LENGTHS, 2))
    contexts = [rng.choice(n + 400, size, replace=False).astype(np.int32) for size in lengths]
    arena, head = np.full(60_000, 3, np.int32), np.zeros((len(contexts), HEAD_WIDTH), np.int32)
    at = 8
    for x in rng.permutation(len(contexts)):
        arena[at : at + len(contexts[x])] = contexts[x]
        head[x, ITEMS], head[x, SIZE] = at, len(contexts[x])
        at += len(contexts[x]) + 5
    first, last = 2, len(contexts) - 1
    gathered: list[int] = []
    gather = readout._gather_items

    def counted(arena: Ints, head: Ints, first: int, n: int, start: Longs, items: Ints) -> None:
        gathered.extend(range(first, first + len(start) - 1))
        gather(arena, head, first, n, start, items)

    monkeypatch.setattr(readout, "_gather_items", counted)
    start, items = readout.subsumer_rows(arena, head, first, last, n)
    wanted = [sorted(item for item in context.tolist() if item < n) for context in contexts[first:last]]
    found = [items[low:high].tolist() for low, high in pairwise(start)]
    assert found == wanted
    # no thread writes what another one does
    assert sorted(gathered) == list(range(first, last))

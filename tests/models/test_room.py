"""What is in memory at a time: the parts of long work are as large as there is room for, and no larger."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from elgeo.models import room
from elgeo.models.room import in_room


@pytest.mark.parametrize(
    ("count", "width", "ends"),
    [
        (9, 3, [0, 4, 8, 9]),
        (8, 3, [0, 4, 8]),
        (4, 3, [0, 4]),
        (3, 3, [0, 3]),
        (0, 3, [0, 0]),
        (3, 7, [0, 1, 2, 3]),
        (3, 100, [0, 1, 2, 3]),
        (14, 1, [0, 13, 14]),
        (27, 0, [0, 13, 26, 27]),
    ],
)
def test_parts_fill_the_room(count: int, width: int, ends: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "ROOM", 13)
    parts: list[tuple[int, int]] = []

    def do(part: slice) -> np.ndarray:
        parts.append((part.start, min(part.stop, count)))
        return values[:, part]

    values = np.random.default_rng(count).random((2, count))
    assert np.array_equal(in_room(count, width, do, axis=1), values)
    assert parts == list(pairwise(ends))


def test_rows_are_joined_and_what_is_whole_is_not_copied() -> None:
    values = np.arange(6.0).reshape(3, 2)
    assert in_room(3, 1, lambda part: values) is values
    found = in_room(3, room.ROOM // 2 + 1, lambda part: values[part])
    assert found.tolist() == values.tolist()

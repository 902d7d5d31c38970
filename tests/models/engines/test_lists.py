"""Classes cut into parts for the threads: each part begins where its share of the work is done."""

from __future__ import annotations

import numpy as np
import pytest

from elgeo.models.engines.lists import divide


@pytest.mark.parametrize(("classes", "parts"), [(23, 4), (40, 7), (5, 5), (3, 8), (9, 1)])
def test_parts_have_about_equal_work(classes: int, parts: int) -> None:
    chance = np.random.default_rng(classes)
    entries = np.where(chance.random(classes) < 0.3, chance.integers(5, 60, classes), chance.integers(0, 3, classes))
    start = np.append(0, np.cumsum(entries)).astype(np.int32)
    bounds = np.empty(parts + 1, np.int64)
    divide(start, bounds)
    work = [2 * int(count) + 3 for count in entries]
    for part, bound in enumerate(bounds[:-1].tolist()):
        share = part * sum(work) / parts
        # a class is cut in no two: the part before ends with the one that fills its share
        assert sum(work[:bound]) >= share
        assert bound == 0 or sum(work[: bound - 1]) < share
    assert bounds[-1] == classes

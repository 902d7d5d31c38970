"""How box models begin: what is one box has norm 1 together, and a seed gives the same boxes again."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from elgeo.models import find
from elgeo.models.contract import Sizes
from tests.small_dataset import small_dataset

TOGETHER: dict[str, list[tuple[str, ...]]] = {
    "elbe": [("centres", "offsets"), ("role_vectors",)],
    "box2el": [
        ("centres", "offsets"), ("bumps",), ("head_centres", "head_offsets"), ("tail_centres", "tail_offsets"),
    ],
    "transbox": [("centres", "offsets"), ("role_centres", "role_offsets")],
}  # fmt: skip


@pytest.mark.parametrize("name", TOGETHER)
def test_the_parts_of_a_box_have_norm_one_together(name: str) -> None:
    sizes = Sizes.of(small_dataset())
    cls: Any = find(name)
    made, again, other = (
        cls(sizes, cls.Settings(dimension=5), np.random.default_rng(seed)).arrays() for seed in (3, 3, 4)
    )
    assert {table for tables in TOGETHER[name] for table in tables} == set(made)
    for tables in TOGETHER[name]:
        norms = np.sqrt(sum(np.square(made[table].astype(np.float64)).sum(axis=1) for table in tables))
        np.testing.assert_allclose(norms, 1, rtol=1e-5)
        for table in tables:
            assert made[table].shape[1] == 5
            assert (made[table] == again[table]).all()
            assert (made[table] != other[table]).any()

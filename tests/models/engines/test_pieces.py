"""The pieces of a batch: each its rows, its name and the part of the weight that is its own."""

from __future__ import annotations

from typing import Any

import numpy as np

from elgeo.models.contract import Batch
from elgeo.models.engines.pieces import pieces


def test_pieces_weigh_what_their_form_weighs_and_how_much_of_it_they_are() -> None:
    chance = np.random.default_rng(5)
    counts = {"told": 4, "wrong": 7, "links": 2}
    rows: dict[str, Any] = {name: chance.integers(0, 9, (count, 3)) for name, count in counts.items()}
    batch = {
        "subclass": Batch(rows["told"][:, :2], rows["wrong"][:, :2], 3.0, (0.25, 0.5)),
        "existential": Batch(rows["links"], None, 0.5),
    }
    found = list(pieces(batch, lambda form, negative: (form, negative)))
    assert [(each.name, each.form, each.weight, each.loss) for each in found] == [
        ("subclass", "subclass", 0.75, ("subclass", False)),
        ("subclass-", "subclass", 1.5, ("subclass", True)),
        ("existential", "existential", 0.5, ("existential", False)),
    ]
    for each, wanted in zip(found, (rows["told"][:, :2], rows["wrong"][:, :2], rows["links"]), strict=True):
        assert (each.rows.dtype, each.rows.flags.c_contiguous) == (np.dtype(np.int32), True)
        np.testing.assert_array_equal(each.rows, wanted)

"""What training does not know of the ends of an axiom, beside loops over all that it says."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from elgeo.datasets.splits.coldness import coldness
from elgeo.ontology.normal_forms import FORMS
from tests.small_dataset import small_dataset


def test_ends_are_known_anywhere_or_in_their_place_of_the_target() -> None:
    dataset, generator = small_dataset(3, n_things=12, n_people=25, n_links=30), np.random.default_rng(1)
    few = {name: table[:7] for name, table in dataset.forms.tables.items()}
    dataset = replace(dataset, forms=replace(dataset.forms, tables=few), train=dataset.train[:9])
    known = {
        c
        for name, form in FORMS.items()
        for row in dataset.forms.tables[name].tolist()
        for i, c in enumerate(row)
        if form.columns[i] not in "rst"
    }
    heads, tails = ({row[place] for row in dataset.train.tolist()} for place in (0, -1))
    classes = generator.integers(2, dataset.vocabulary.n_classes, (200, 2))
    rows = np.stack([classes[:, 0], np.full(200, dataset.target_role), classes[:, 1]], axis=1).astype(np.int32)
    found = coldness(dataset, rows)
    for i, (head, _, tail) in enumerate(rows.tolist()):
        assert (found.head[i], found.tail[i]) == (head not in known, tail not in known)
        assert (found.head_of_target[i], found.tail_of_target[i]) == (head not in heads, tail not in tails)
    for flags in (found.head, found.tail, found.head_of_target, found.tail_of_target):
        assert 0 < flags.sum() < 200

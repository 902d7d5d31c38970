"""Loops of a class to itself: whoever links to it, however many, goes on by the roles that compose with the loop."""

from __future__ import annotations

import numpy as np

from elgeo.reasoning.saturation.saturate import saturate
from tests.reasoning.brute import Brute, make_forms, vocabulary


def test_all_that_link_to_a_class_hear_of_its_loop() -> None:
    """r ∘ s ⊑ t and s ∘ r ⊑ u; the loop of class 9 follows late, after seven classes have linked to it."""
    forms = make_forms(
        vocabulary(12, 0, 0, 6),
        existential=[(c, 1, 9) for c in range(2, 9)] + [(9, 1, 12)],
        subclass=[(9, 10), (10, 11)],
        self=[(11, 2)],
        chain=[(1, 2, 3), (2, 1, 4)],
        subrole=[(3, 5)],
    )
    saturation = saturate(forms)
    links = {
        (c, int(r), int(d))
        for c in range(2, 14)
        for r, d in zip(
            saturation.link_roles[saturation.link_start[c] : saturation.link_start[c + 1]],
            saturation.link_targets[saturation.link_start[c] : saturation.link_start[c + 1]],
            strict=True,
        )
    }
    expected = {(c, r, 9) for c in range(2, 9) for r in (1, 3, 5)} | {(9, 1, 12), (9, 4, 12)}
    loops = {(c, 2, c) for c in (9, 10, 11)}
    assert links == expected | loops
    assert saturation.self_loops.tolist() == [[9, 2], [10, 2], [11, 2]]


def test_loops_by_the_last_role_and_nothing_beyond_the_roles() -> None:
    """The last role has loops too; what is hidden behind the loops of roles is none of them."""
    forms = make_forms(
        vocabulary(4, 0, 0, 4),
        self=[(2, 1), (3, 3)],
        left_self=[(3, 5)],
        subrole=[(1, 2)],
        range=[(3, 4)],
        left_existential=[(2, 2, 5)],
        chain=[(1, 1, 3)],
        disjoint=[(2, 3)],
    )
    saturation, slow = saturate(forms), Brute.of(forms)
    table = saturation.self_loops
    assert table.tolist() == [[2, 1], [2, 2], [2, 3], [3, 3]]
    for c in range(2, 6):
        above = {d for d in range(2, 6) if slow.subsumed(c, d)}
        assert above == set(np.setdiff1d(saturation.subsumers_of(c), [0]).tolist())

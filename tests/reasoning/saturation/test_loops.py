"""Loops of a class to itself: whoever links to it, however many, goes on by the roles that compose with the loop."""

from __future__ import annotations

import numpy as np
import pytest

from elgeo.reasoning.saturation.saturate import saturate
from tests.reasoning.agreement import assert_agrees
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


@pytest.mark.parametrize("seed", range(20))
def test_links_between_what_is_one_element_are_loops(seed: int) -> None:
    """Classes turn out to be in {a} or {b} before or after those that link to them, which have loops then."""
    rng = np.random.default_rng(seed)
    named, roles = 9, 5
    a, b = named + 2, named + 3
    links = [(int(c), int(r), int(d)) for c, r, d in rng.integers((2, 1, 2), (a, roles - 1, a), (9, 3))]
    # in a circle, so that some hear late of what they are in
    links += [(c, roles - 1, c + 1 if c + 1 < a else 2) for c in range(2, a)]
    found = rng.permutation(np.arange(2, a)).tolist()
    tables = {
        "existential": [links[i] for i in rng.permutation(len(links))],
        "subclass": [(found[0], a), (found[1], a), (found[2], b), (found[3], found[4])],
        "left_existential": [(roles - 1, found[0], a), (1, found[5], b), (roles - 1, found[2], found[6])],
        "left_self": [(1, found[7]), (2, found[8]), (roles - 1, found[3])],
        "subrole": [(2, 3)],
    }
    forms = make_forms(vocabulary(named, 2, 0, roles), **tables)
    assert_agrees(saturate(forms), Brute.of(forms))

"""A saturation is what the slow reasoner finds."""

from __future__ import annotations

import numpy as np

from elgeo.ontology.vocabulary import TOP_ROLE
from elgeo.reasoning.saturation.saturate import Saturation
from tests.reasoning.brute import Brute


def links_of(saturation: Saturation) -> set[tuple[int, int, int]]:
    heads = np.repeat(np.arange(len(saturation.link_start) - 1), np.diff(saturation.link_start))
    rows = zip(heads, saturation.link_roles, saturation.link_targets, strict=True)
    return {(int(x), int(r), int(y)) for x, r, y in rows}


def assert_agrees(saturation: Saturation, brute: Brute) -> None:
    # the slow reasoner knows no conditions: those are tested by adding instances
    saturation = saturation.unconditional or saturation
    assert saturation.consistent == (not brute.unsatisfiable(0))
    for x in brute.classes:
        assert saturation.unsatisfiable[x] == brute.unsatisfiable(x), x
    if not saturation.consistent:
        assert all(saturation.unsatisfiable)
        return
    # beside ⊥, what is listed for an unsatisfiable class says nothing more
    possible = {x for x in brute.classes if not brute.unsatisfiable(x)}
    for x in possible:
        assert saturation.subsumers_of(x).tolist() == sorted(brute.subsumers[x]), x
    ours = {link for link in links_of(saturation) if link[0] in possible}
    assert {link for link in ours if link[1] != TOP_ROLE} == {
        link for link in brute.links if link[0] in possible and link[1] != TOP_ROLE
    }
    assert ours <= brute.links
    loops = {(int(x), int(r)) for x, r in saturation.self_loops}
    reflexive = {(x, int(r)) for x in brute.classes for r in np.flatnonzero(saturation.reflexive)}
    assert {(x, r) for x, r in loops | reflexive if x in possible} == {(x, r) for x, r in brute.loops if x in possible}

"""Unsatisfiable classes told apart: those with a reason of their own, and those that only follow another one."""

from __future__ import annotations

import numpy as np

from elgeo.ontology.vocabulary import BOTTOM, TOP, Kind
from elgeo.reasoning.saturation.saturate import Saturation


def unsatisfiable_roots(saturation: Saturation) -> tuple[list[int], dict[int, list[int]]]:
    """The named classes that are unsatisfiable by themselves, and the roots that each of the others follows.

    A class follows another if it is below it or needs one of it, directly or through other impossible classes. Of
    classes that follow each other all are roots, unless they follow a further one.
    """
    kinds, impossible = saturation.forms.vocabulary.class_kinds, saturation.unsatisfiable
    needs: dict[int, set[int]] = {}
    for c in np.flatnonzero(impossible).tolist():
        targets = saturation.link_targets[saturation.link_start[c] : saturation.link_start[c + 1]]
        found = {*saturation.subsumers_of(c).tolist(), *targets.tolist()} - {c, TOP, BOTTOM}
        needs[c] = {d for d in found if impossible[d]}
    named = [c for c in needs if kinds[c] == Kind.NAMED]
    reached = {c: _reached(c, needs) & set(named) for c in named}
    roots = [c for c in named if all(c in reached[d] for d in reached[c])]
    return roots, {c: sorted(reached[c] & set(roots)) for c in named if c not in roots}


def _reached(start: int, needs: dict[int, set[int]]) -> set[int]:
    found, waiting = set[int](), [start]
    while waiting:
        new = needs[waiting.pop()] - found
        found |= new
        waiting += new
    return found - {start}

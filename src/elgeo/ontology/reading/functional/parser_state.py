"""The state of the parser of functional syntax, and the small steps on it."""

# mypy: disable-error-code=no-any-return

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from elgeo.arrays import Bytes, Ints, Longs
from elgeo.compilation import kernel
from elgeo.ontology.grammar import MAX_DEPTH
from elgeo.ontology.reading.functional.codes import COLON, EVENTS, FIXED, NO_SORT, POSITION, REPEATING, SORTS

STACK, FEWEST_EVENTS = 1 << 12, 64
"""Room to start with; both grow."""
BYTES_PER_EVENT = 100
"""Of a source, about."""


class Parse(NamedTuple):
    """Where the parser is: `frames` are the open expressions (operator, first argument on the stack, lists seen)."""

    state: Longs
    frames: Ints
    stack: Longs
    events: Longs


def new_parse(position: int, size: int) -> Parse:
    """A parser at a position of a source of this size."""
    state = np.zeros(8, np.int64)
    state[POSITION] = position
    frames = np.zeros((MAX_DEPTH + 2, 3), np.int32)
    events = np.zeros((max(FEWEST_EVENTS, size // BYTES_PER_EVENT), 4), np.int64)
    return Parse(state, frames, np.zeros(STACK, np.int64), events)


@kernel(inner=True, counted=False)
def place_sort(grammar: Ints, op: int, index: int) -> int:
    """The sort of an argument."""
    fixed, repeating = grammar[op, FIXED], grammar[op, REPEATING]
    if index < fixed:
        return grammar[op, SORTS + index]
    if repeating == 0:
        return NO_SORT
    return grammar[op, SORTS + fixed + (index - fixed) % repeating]


@kernel(inner=True, counted=False)
def has_colon(source: Bytes, at: int, end: int) -> bool:
    """Whether a word is an abbreviated IRI; in HasKey one may stand before a parenthesis."""
    while at < end and source[at] != COLON:
        at += 1
    return at < end


@kernel(inner=True, counted=False)
def log(state: Longs, events: Longs, kind: int, a: int, b: int, c: int) -> None:
    at = state[EVENTS]
    events[at, 0], events[at, 1], events[at, 2], events[at, 3] = kind, a, b, c
    state[EVENTS] = at + 1

"""The small steps of the parser of functional syntax, on grammars and words that no ontology has, beside plain ones."""

from __future__ import annotations

import numpy as np
import pytest

from elgeo.arrays import Bytes, Ints, Longs
from elgeo.compilation import kernel
from elgeo.ontology.grammar import MAX_DEPTH
from elgeo.ontology.reading.functional.codes import EVENTS, FIXED, NO_SORT, POSITION, REPEATING, SORTS
from elgeo.ontology.reading.functional.parser_state import has_colon, log, new_parse, place_sort


@kernel
def sort_of(grammar: Ints, op: int, index: int) -> int:
    return int(place_sort(grammar, op, index))


@kernel
def finds_colon(source: Bytes, at: int, end: int) -> bool:
    return bool(has_colon(source, at, end))


@kernel
def logged(state: Longs, events: Longs, count: int) -> None:
    for i in range(count):
        log(state, events, 10 * i, 10 * i + 1, 10 * i + 2, 10 * i + 3)


@pytest.mark.parametrize(("fixed", "repeating"), [(0, 0), (0, 1), (0, 3), (1, 0), (1, 2), (2, 3), (3, 2), (4, 3)])
def test_the_sorts_of_arguments_come_round(fixed: int, repeating: int) -> None:
    grammar = np.full((3, SORTS + 8), NO_SORT + 50, np.int32)
    sorts = [20 + i for i in range(fixed + repeating)]
    grammar[1, [FIXED, REPEATING]] = fixed, repeating
    grammar[1, SORTS : SORTS + len(sorts)] = sorts
    first, again = sorts[:fixed], sorts[fixed:]
    wanted = (first + again * 9 if again else [*first, *[NO_SORT] * 9])[:9]
    assert [sort_of(grammar, 1, index) for index in range(9)] == wanted


@pytest.mark.parametrize("text", [b"a:b", b":ab", b"ab:", b"abc"])
def test_a_colon_counts_within_the_word_alone(text: bytes) -> None:
    source = np.frombuffer(b":" + text + b":", np.uint8)
    for at in range(1, 4):
        for end in range(at, 5):
            assert finds_colon(source, at, end) == (b":" in source.tobytes()[at:end])


def test_events_are_logged_one_after_the_other() -> None:
    state, events = np.zeros(8, np.int64), np.full((7, 4), -1, np.int64)
    state[EVENTS] = 2
    logged(state, events, 3)
    assert state[EVENTS] == 5
    rows = [[-1] * 4, [-1] * 4, *([10 * i, 10 * i + 1, 10 * i + 2, 10 * i + 3] for i in range(3)), [-1] * 4, [-1] * 4]
    assert events.tolist() == rows


@pytest.mark.parametrize(("size", "events"), [(0, 64), (6_499, 64), (6_500, 65), (1_234_567, 12_345)])
def test_a_parser_begins_with_room_for_its_source_and_for_the_deepest_nesting(size: int, events: int) -> None:
    """An event takes 100 bytes, about; two frames are to spare."""
    parse = new_parse(17, size)
    assert (parse.frames.shape, parse.events.shape) == ((MAX_DEPTH + 2, 3), (events, 4))
    assert parse.state.tolist() == [17 if cell == POSITION else 0 for cell in range(len(parse.state))]
    assert not parse.frames.any()

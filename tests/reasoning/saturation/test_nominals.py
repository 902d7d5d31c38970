"""What individuals say about the whole domain is collected once, however much of it there is."""

from __future__ import annotations

import numpy as np
import pytest

from elgeo.ontology.vocabulary import BOTTOM, TOP
from elgeo.reasoning.saturation import nominals
from elgeo.reasoning.saturation.completion import Completion
from tests.reasoning.brute import make_forms, vocabulary


@pytest.fixture
def unaware(monkeypatch: pytest.MonkeyPatch) -> Completion:
    """A saturation that has not heard yet that each individual, a = 92 and b = 93, is one element.

    a leads to 2 … 81, and these are all in {a} but every seventh; 82 … 91, which nothing leads to, are in {b} and lead
    to the next, and to b.
    """
    inside = [(c, 92) for c in range(2, 82) if c % 7] + [(c, 93) for c in range(82, 92)]
    links = [(92, 1, c) for c in range(2, 82)] + [(c, 1, c + 1) for c in range(82, 91)] + [(91, 1, 93)]
    forms = make_forms(vocabulary(90, 2, 0, 2), subclass=inside, existential=links)
    with monkeypatch.context() as patch:
        patch.setattr(nominals, "consequences", lambda *_: np.empty((0, 2), np.int32))
        return Completion(forms)


def expected() -> list[tuple[int, int]]:
    same = [(92, c) for c in range(2, 82) if c % 7]
    # b itself is derived as its class; of 82 … those further on are reached
    return [(c, d) for c in range(82, 92) for d in range(c + 1, 92)] + same


def test_everything_that_is_one_element(unaware: Completion) -> None:
    found = nominals.consequences(unaware.state, unaware.n, unaware.hidden, unaware.nominal)
    assert sorted(map(tuple, found.tolist())) == expected()


@pytest.mark.parametrize("room", [0, 1, 64, 113, 114, 115])
def test_rows_are_filled_in_as_far_as_there_is_room(unaware: Completion, room: int) -> None:
    state, n = unaware.state, unaware.n
    # what lies behind the rows is somebody else's
    memory = np.full((room + 2, 2), -7, np.int32)
    work = np.zeros(n, np.bool_), np.zeros(n, np.int32), np.empty(n, np.int32)
    existing = np.array([TOP, 92, 93], np.int64)
    count = nominals._same_elements(
        state.arena, state.head, state.link_rows, unaware.nominal, existing, *work, memory[:room]
    )
    assert count == len(expected()) == 114
    assert set(map(tuple, memory[: min(room, count)].tolist())) <= set(expected())
    assert (memory[min(room, count) :] == -7).all()


def test_what_an_individual_cannot_be_nothing_can() -> None:
    forms = make_forms(vocabulary(3, 1, 0, 2), subclass=[(5, 2)], disjoint=[(2, 3)])
    completion = Completion(forms)
    assert len(nominals.consequences(completion.state, completion.n, completion.hidden, completion.nominal)) == 0
    completion.state.derive(np.array([5], np.int32), np.array([BOTTOM], np.int32))
    found = nominals.consequences(completion.state, completion.n, completion.hidden, completion.nominal)
    assert found.tolist() == [[TOP, BOTTOM]]

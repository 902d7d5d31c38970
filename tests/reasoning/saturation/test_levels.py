"""Several threads give what one gives, row for row, and the result can be asked and added to as before."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from elgeo import threads
from elgeo.ontology import normalise
from elgeo.ontology.generation.generate import generate
from elgeo.ontology.normal_forms import FORMS, NormalForms
from elgeo.reasoning.saturation import completion, levels
from elgeo.reasoning.saturation.incremental import extend
from elgeo.reasoning.saturation.index import HIDDEN
from elgeo.reasoning.saturation.memory import FIRST_WORD, TOP_OF_ARENA
from elgeo.reasoning.saturation.order import targets_first
from elgeo.reasoning.saturation.queries import saturate_queries
from elgeo.reasoning.saturation.saturate import Saturation, saturate
from elgeo.reasoning.saturation.state import SaturationState
from tests.reasoning.agreement import assert_agrees
from tests.reasoning.brute import Brute, make_forms, random_forms, random_tables, vocabulary


@pytest.fixture
def three_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(completion, "WORTH_THREADS", 1)
    monkeypatch.setattr(threads, "WORTH_THREADS", 1)
    monkeypatch.setattr(levels, "_SMALL", 4)  # so that most levels are shared out, and a few are put together
    monkeypatch.setenv("ELGEO_THREADS", "3")


def by_one(forms: NormalForms) -> Saturation:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ELGEO_THREADS", "1")
        return saturate(forms)


def assert_same(a: Saturation, b: Saturation) -> None:
    for name in ("subsumer_start", "subsumers", "link_start", "link_roles", "link_targets", "unsatisfiable"):
        assert np.array_equal(getattr(a, name), getattr(b, name)), name


@pytest.mark.parametrize("profile", ["snomed", "go", "tangled"])
@pytest.mark.usefixtures("three_threads")
def test_all_rows_are_those_of_one_thread(profile: str) -> None:
    forms = normalise(generate(profile, classes=700, seed=5))
    many, one = saturate(forms), by_one(forms)
    assert_same(many, one)
    assert not len(one.completion.state.unknown)
    if profile == "snomed":
        assert len(many.completion.state.unknown) == many.completion.n


@pytest.mark.parametrize(
    ("sizes", "rounds"),
    [
        ([5, 7], [(5, 1), (12, 1)]),
        ([1, 1, 1, 1, 9], [(4, 4), (13, 1)]),
        ([1, 2, 2, 1], [(5, 3), (6, 1)]),
        ([2, 4, 1, 1], [(2, 1), (6, 1), (8, 2)]),
        ([3], [(3, 1)]),
    ],
)
def test_small_levels_are_put_together(
    monkeypatch: pytest.MonkeyPatch, sizes: list[int], rounds: list[tuple[int, int]]
) -> None:
    monkeypatch.setattr(levels, "_SMALL", 4)
    assert list(levels._rounds(np.cumsum(sizes).tolist())) == rounds


def longest_chain(targets: list[set[int]], x: int) -> int:
    return max((1 + longest_chain(targets, y) for y in targets[x]), default=0)


@pytest.mark.parametrize("seed", range(4))
def test_levels_are_longest_chains_and_targets_come_first(seed: int) -> None:
    rng, n = np.random.default_rng(seed), 23
    # downwards along an irregular numbering, so that there are no cycles
    ids = 2 + rng.permutation(n - 2)
    pairs = [(int(ids[i]), int(ids[j])) for i, j in np.sort(rng.integers(0, n - 2, (2, 40)), axis=0).T if i < j]
    links = [(c, int(rng.integers(1, 4)), d) for c, d in pairs[:25]]
    # what is in the first of two is told that something is so, an item that has no level
    somewhere = {"existential": links, "left_existential": [(0, *pairs[7])]}
    made = completion.Completion(make_forms(vocabulary(n - 2, 0, 0, 4), **somewhere, subclass=pairs[20:]))
    assert HIDDEN in made.rules.told.item
    targets: list[set[int]] = [set() for _ in range(n)]
    for c, d in pairs:
        targets[c].add(d)
    order = targets_first(made.rules.told, made.state.link_rows, n)
    assert sorted(order.tolist()) == list(range(n))
    place = np.argsort(order)
    assert all(place[d] < place[c] for c, d in pairs)
    level = np.zeros(n, np.int32)
    levels._find_levels(made.rules.told, made.state.link_rows, order, level)
    assert level.tolist() == [longest_chain(targets, x) for x in range(n)]


@pytest.mark.usefixtures("three_threads")
def test_a_class_begins_with_what_its_finished_superclass_has(monkeypatch: pytest.MonkeyPatch) -> None:
    # a told superclass is on a lower level even where no link says so: whichever thread did it, it is known by then
    words = vocabulary(30, 0, 0, 1)
    chain = [(c, c + 1) for c in range(2, 31)]
    shared: list[int] = []
    exchange = levels._exchange

    def counted(branches: list[levels._Branch], pool: ThreadPoolExecutor) -> None:
        shared.append(sum(len(ids) for branch in branches for ids in branch.done))
        exchange(branches, pool)
        for branch in branches:
            assert np.array_equal(branch.head, branches[0].head)

    monkeypatch.setattr(levels, "_exchange", counted)
    forms = make_forms(words, subclass=chain)
    assert_agrees(saturate(forms), Brute.of(forms))
    assert sum(shared) == words.n_classes
    assert len(shared) > 5


@pytest.mark.slow
@pytest.mark.usefixtures("three_threads")
@given(random_forms(individuals=False), st.data())
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_it_can_be_asked_and_added_to(forms: NormalForms, data: st.DataObject) -> None:
    first = saturate(forms)
    assert_agrees(first, Brute.of(forms))
    asked = saturate_queries(first, 2, [(0, 2), (0, 3)], [(1, 1, 2)])
    plain = saturate_queries(by_one(forms), 2, [(0, 2), (0, 3)], [(1, 1, 2)])
    assert np.array_equal(asked.subsumers, plain.subsumers)
    added = data.draw(random_tables(forms.vocabulary, role_axioms=False, most=4))
    rows = {name: [tuple(row) for row in forms[name].tolist()] + added.get(name, []) for name in FORMS}
    whole = make_forms(forms.vocabulary, **rows)
    assert_agrees(extend(first, whole), Brute.of(whole))
    assert_agrees(first, Brute.of(forms))


@pytest.mark.usefixtures("three_threads")
def test_what_targets_learn_later_reaches_those_that_link_to_them() -> None:
    # 2 → 3 → 4 by role 1, nothing tells 4 apart at first; the role is transitive, so that 2 leads to 4 too
    words = vocabulary(5, 0, 0, 3)
    given = {"existential": [(2, 1, 3), (3, 1, 4)], "left_existential": [(1, 5, 6)], "chain": [(1, 1, 1)]}
    first = saturate(make_forms(words, **given))
    assert len(first.completion.state.unknown)
    whole = make_forms(words, **given, subclass=[(4, 5)])
    found = extend(first, whole)
    assert_agrees(found, Brute.of(whole))
    assert 6 in found.subsumers_of(2)
    assert not len(first.completion.state.unknown)


@pytest.mark.usefixtures("three_threads")
def test_what_all_elements_learn_later_reaches_those_that_link_to_any() -> None:
    words = vocabulary(5, 0, 0, 3)
    given = {"existential": [(2, 1, 0), (3, 2, 2)], "left_existential": [(1, 5, 6), (2, 6, 4)]}
    first = saturate(make_forms(words, **given))
    assert len(first.completion.state.unknown) == words.n_classes
    whole = make_forms(words, **given, subclass=[(0, 5)])
    found = extend(first, whole)
    assert_agrees(found, Brute.of(whole))
    assert 6 in found.subsumers_of(2)
    assert 4 in found.subsumers_of(3)


@pytest.mark.usefixtures("three_threads")
def test_room_is_made_while_threads_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    forms = normalise(generate("snomed", classes=400, seed=2))
    pieces: list[int | None] = []
    take = levels._Room.take

    def counted(room: levels._Room, words: int) -> int | None:
        pieces.append(take(room, words))
        return pieces[-1]

    monkeypatch.setattr(levels._Room, "take", counted)
    monkeypatch.setattr(completion, "SaturationState", lambda n, room: SaturationState(n, room=0))
    many = saturate(forms)
    assert_same(many, by_one(forms))
    assert len(pieces) > 9
    assert None in pieces  # the arena had to grow, and all waited for it
    assert many.completion.state.meta[TOP_OF_ARENA] <= len(many.completion.state.arena)


@pytest.mark.usefixtures("three_threads")
def test_room_is_made_for_a_context_as_large_as_the_arena(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(completion, "SaturationState", lambda n, room: SaturationState(n, room=0))
    monkeypatch.setattr("elgeo.reasoning.saturation.state.LARGEST_ARENA", 1 << 20)
    forms = make_forms(vocabulary(1500, 0, 0, 1), subclass=[(2, c) for c in range(3, 1500)])
    many = saturate(forms)
    assert_same(many, by_one(forms))
    assert len(many.completion.state.unknown) == many.completion.n


@pytest.mark.usefixtures("three_threads")
def test_a_hundred_processors_do_not_use_up_the_arena(monkeypatch: pytest.MonkeyPatch) -> None:
    forms = normalise(generate("snomed", classes=300, seed=2))
    branches: list[levels._Branch] = []
    exchange = levels._exchange

    def counted(found: list[levels._Branch], pool: ThreadPoolExecutor) -> None:
        branches[:] = found
        exchange(found, pool)

    monkeypatch.setattr(levels, "_exchange", counted)
    monkeypatch.setattr(levels, "_SMALL", 100)
    # as it is with two million classes
    monkeypatch.setattr("elgeo.reasoning.saturation.state.LARGEST_ARENA", 1024 * forms.vocabulary.n_classes)
    monkeypatch.setenv("ELGEO_THREADS", "100")
    assert_same(saturate(forms), by_one(forms))
    assert len(branches) == levels._MOST


@pytest.mark.usefixtures("three_threads")
def test_axioms_can_be_added_after_an_attempt_that_was_broken_off(monkeypatch: pytest.MonkeyPatch) -> None:
    words = vocabulary(5, 0, 0, 3)
    given = {"existential": [(2, 1, 3), (3, 1, 4)], "left_existential": [(1, 5, 6)], "chain": [(1, 1, 1)]}
    first = saturate(make_forms(words, **given))
    whole = make_forms(words, **given, subclass=[(4, 5)])
    register = levels._register
    told: list[int] = []

    def broken_off(*arguments: Any) -> int:
        told.append(register(*arguments))
        raise KeyboardInterrupt

    monkeypatch.setattr(levels, "_register", broken_off)
    with pytest.raises(KeyboardInterrupt):
        extend(first, whole)
    monkeypatch.setattr(levels, "_register", register)
    assert told
    assert len(first.completion.state.unknown)
    assert_agrees(extend(first, whole), Brute.of(whole))


def test_a_piece_of_the_arena_is_one_threads_alone() -> None:
    state = SaturationState(3, room=6400)
    room = levels._Room(state)
    first, second = room.take(room.piece), room.take(7)
    assert (room.piece, first, second) == (100, FIRST_WORD, FIRST_WORD + 100)
    assert room.take(6400 - room.top + 1) is None
    assert room.take(6400 - room.top) == FIRST_WORD + 107
    assert room.top == 6400


def test_less_memory_than_wanted_will_do(monkeypatch: pytest.MonkeyPatch) -> None:
    empty, asked = np.empty, []

    def scarce(words: int, kind: type) -> object:
        asked.append(words)
        if words > 30_000:
            raise MemoryError
        return empty(words, kind)

    monkeypatch.setattr(np, "empty", scarce)
    assert len(SaturationState(3, room=100_000).arena) == 25_000
    assert asked[:3] == [100_000, 50_000, 25_000]


def test_memory_for_nothing_at_all_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def none(words: int, _: type) -> object:
        asked.append(words)
        if len(asked) > 9:
            pytest.fail("it is asked for again and again")
        raise MemoryError

    monkeypatch.setattr(np, "empty", none)
    with pytest.raises(MemoryError):
        SaturationState(3, room=9_000)
    assert asked == [9_000, 4_500, 4_096]


@pytest.mark.usefixtures("three_threads")
@pytest.mark.parametrize("many", [0, 5])
def test_where_levels_do_not_help_one_thread_does_the_rest(monkeypatch: pytest.MonkeyPatch, many: int) -> None:
    monkeypatch.setattr(levels, "_MANY", many)
    words = vocabulary(40, 0, 0, 2)
    circle = [(c, 1, c + 1 if c < 31 else 2) for c in range(2, 32)]
    chain = [(c, 1, c - 1) for c in range(32, 42)]
    forms = make_forms(words, existential=circle + chain, left_existential=[(1, 5, 40)], subclass=[(20, 5)])
    many_threads = saturate(forms)
    assert_agrees(many_threads, Brute.of(forms))
    assert len(many_threads.completion.state.unknown) < words.n_classes

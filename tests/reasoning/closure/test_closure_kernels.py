"""Kernels of the closure against plain loops: drawing tails, walking along links, asking for targets."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from numpy.typing import NDArray

from elgeo.reasoning.closure import reached_elements
from elgeo.reasoning.closure.reached_elements import Elements, leads_to_left, met_in_left
from elgeo.reasoning.closure.sampling import TRIES, draw, draw_entailed
from elgeo.reasoning.closure.tail_rows import has_tail_many, reaches_many
from tests.splitmix import GOLDEN, splitmix

SEED = np.uint64(12345)
Rows = list[list[int]]


def packed(rows: Rows) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Rows of different lengths, one after the other, and where each starts."""
    start = np.concatenate([[0], np.cumsum([len(row) for row in rows])]).astype(np.int64)
    return start, np.array([x for row in rows for x in row], np.int32)


def test_draws_are_numbers_of_one_stream_that_no_two_rows_share() -> None:
    seen = set()
    for row in (0, 1, 2, 77):
        for attempt in range(TRIES + 1):
            number = splitmix(12345 + (row * (TRIES + 1) + attempt) * GOLDEN)
            assert draw(SEED, row, attempt, 1000) == int((number >> 11) / 2**53 * 1000)
            seen.add(number)
    assert len(seen) == 4 * (TRIES + 1)


def drawn(rows: Rows, head: int, allowed: list[int], n: int, own: int = -1, unsatisfiable: int = -1) -> Counter[int]:
    """How often each tail is drawn for a head, of 3000 draws."""
    start, tails = packed(rows)
    may = np.isin(np.arange(n), allowed)
    count = 3000
    found = draw_entailed(
        start, tails, np.arange(n) == unsatisfiable, 1, np.full(count, head, np.int32), np.zeros(count, np.int32),
        np.full(count, own, np.int32), may, np.flatnonzero(may).astype(np.int32), SEED,
    )  # fmt: skip
    return Counter(found.tolist())


def assert_alike(found: Counter[int], expected: list[int]) -> None:
    assert set(found) == set(expected)
    each = 3000 / len(expected)
    assert sum((count - each) ** 2 / each for count in found.values()) < 10 + 3 * len(expected)


def test_every_allowed_tail_is_drawn_as_often_as_any_other() -> None:
    rows = [[], [3, 4, 5, 6], [3, 7], []]
    assert_alike(drawn(rows, 1, [3, 4, 6, 7], 8), [3, 4, 6])
    assert_alike(drawn(rows, 1, [3, 4, 6, 7], 8, own=4), [3, 6])
    assert drawn(rows, 2, [4], 8) == {-1: 3000}
    assert drawn(rows, 2, [7], 8, own=7) == {-1: 3000}
    assert drawn(rows, 3, [7], 8) == {-1: 3000}


@pytest.mark.parametrize("few", [[2], [499], [2, 250, 499]])
def test_a_few_allowed_tails_among_many_are_found_and_drawn_alike(few: list[int]) -> None:
    rows = [list(range(2, 500))]
    assert_alike(drawn(rows, 0, few, 500), few)
    assert_alike(drawn(rows, 0, [*few, 300], 500, own=300), few)


def test_an_unsatisfiable_head_has_every_allowed_tail() -> None:
    assert_alike(drawn([[], [3], [4]], 1, [2, 5, 6], 7, unsatisfiable=1), [2, 5, 6])


def random_elements(
    generator: np.random.Generator, count: int, n: int, total: int, roles: int
) -> tuple[Elements, Rows, list[list[tuple[int, int]]]]:
    subsumers = [sorted(set(generator.integers(0, n, generator.integers(1, 4)).tolist())) for _ in range(count)]
    links = [
        sorted(
            {
                (int(r), int(z))
                for r, z in zip(generator.integers(0, roles, k), generator.integers(0, total, k), strict=True)
            }
        )
        for k in generator.integers(0, 4, count)
    ]
    start, flat = packed(subsumers)
    link_start, targets = packed([[z for _, z in row] for row in links])
    return (
        Elements(start, flat, link_start, packed([[r for r, _ in row] for row in links])[1], targets),
        subsumers,
        links,
    )


N, DRAFTS, ROLES = 9, 7, 3


class Walk:
    """Classes and drafts with subsumers and links at random, and what each draft leads to."""

    def __init__(self, seed: int) -> None:
        self.generator = np.random.default_rng(seed)
        total = N + DRAFTS
        self.classes, first, first_links = random_elements(self.generator, N, N, N, ROLES)
        self.drafts, second, second_links = random_elements(self.generator, DRAFTS, N, total, ROLES)
        self.subsumers, self.links = first + second, first_links + second_links
        self.rows = np.sort(self.generator.permutation(DRAFTS)[:5]).astype(np.int64)

    def reached(self, i: int) -> set[int]:
        """What draft i leads to, itself only if something leads back to it."""
        found: set[int] = set()
        waiting = [N + i]
        while waiting:
            for _, z in self.links[waiting.pop()]:
                if z not in found:
                    found.add(z)
                    waiting.append(z)
        return found


@pytest.mark.parametrize("by_role", [False, True])
def test_whether_a_draft_leads_to_something_in_the_left_side_alone(by_role: bool) -> None:
    outcomes = Counter[bool]()
    for seed in range(60):
        walk = Walk(seed)
        table = walk.generator.integers(0, N, (DRAFTS, 3)).astype(np.int32)
        if by_role:
            table[:, 0] = walk.generator.integers(0, ROLES, DRAFTS)
        expected = []
        for i in walk.rows.tolist():
            first, second, right = table[i].tolist()
            met = False
            for y in walk.reached(i) - {N + i}:
                above = walk.subsumers[y]
                if by_role:
                    inside = any(r == first and second in walk.subsumers[z] for r, z in walk.links[y])
                else:
                    inside = first in above and second in above
                met |= inside and right not in above
            expected.append(met)
        found = leads_to_left(by_role, table, walk.rows, walk.classes, walk.drafts).tolist()
        assert found == expected
        outcomes.update(found)
    assert min(outcomes[True], outcomes[False]) > 10


def test_walks_stay_inside_their_arrays() -> None:
    """Run as plain Python, where a place beyond the end of an array is an error, with the last draft among the rows."""
    for seed in range(4):
        walk = Walk(seed)
        rows = np.array([0, DRAFTS - 1], np.int64)
        table = walk.generator.integers(0, ROLES, (DRAFTS, 3)).astype(np.int32)
        for by_role in (False, True):
            asked = by_role, table, rows, walk.classes, walk.drafts
            plain = leads_to_left.py_func(*asked)  # type: ignore[attr-defined]
            assert plain.tolist() == leads_to_left(*asked).tolist()
        heard_by, composing = np.ones(ROLES, np.bool_), np.ones((ROLES, ROLES), np.bool_)
        left, right, role = (np.ascontiguousarray(table[:, k]) for k in range(3))
        asked_of_left = left, right, role, rows, heard_by, composing, walk.classes, walk.drafts
        plain = met_in_left.py_func(*asked_of_left)  # type: ignore[attr-defined]
        for one, other in zip(plain, met_in_left(*asked_of_left), strict=True):
            assert one.tolist() == other.tolist()


def test_what_a_draft_leads_to_in_the_left_side_and_by_which_roles() -> None:
    seen = Counter[str]()
    for seed in range(60):
        walk = Walk(seed)
        draw_from = walk.generator.integers
        left, right, role = (
            draw_from(low, high, DRAFTS).astype(np.int32) for low, high in ((0, N), (-1, N), (0, ROLES))
        )
        heard_by, composing = walk.generator.random(ROLES) < 0.4, walk.generator.random((ROLES, ROLES)) < 0.3
        owners, met, heard, composed = met_in_left(
            left, right, role, walk.rows, heard_by, composing, walk.classes, walk.drafts
        )
        pairs = set()
        for number, i in enumerate(walk.rows.tolist()):
            reached = walk.reached(i)
            wanted = {
                z
                for z in reached - {N + i}
                if left[i] in walk.subsumers[z] and not (right[i] >= 0 and right[i] in walk.subsumers[z])
            }
            pairs |= {(number, z) for z in wanted}
            steps = [(r, z) for y in {N + i} | reached for r, z in walk.links[y] if z in wanted]
            assert heard[number] == any(heard_by[r] for r, _ in steps)
            assert composed[number] == any(composing[r, role[i]] for r, _ in steps)
            seen[f"heard {heard[number]}"] += 1
            seen[f"composed {composed[number]}"] += 1
        assert len(owners) == len(set(zip(owners.tolist(), met.tolist(), strict=True)))
        assert set(zip(owners.tolist(), met.tolist(), strict=True)) == pairs
    assert min(seen[key] for key in ("heard True", "heard False", "composed True", "composed False")) > 10


def test_more_is_met_than_there_was_room_for() -> None:
    """One draft that leads to all of forty classes in its left side; the walk of a row ends some time later."""
    n = 40
    start, subsumers = packed([[5]] * n)
    link_start, targets = packed([list(range(n)), []])
    nothing = Elements(start, subsumers, np.zeros(n + 1, np.int64), np.empty(0, np.int32), np.empty(0, np.int32))
    drafts = Elements(*packed([[3], [3]]), link_start, np.zeros(n, np.int32), targets)
    asked = np.array([0], np.int64)
    left, role = np.array([5, 5], np.int32), np.zeros(2, np.int32)
    flags = np.ones(1, np.bool_)
    owners, met, _, _ = met_in_left(left, left - 6, role, asked, flags, np.ones((1, 1), np.bool_), nothing, drafts)
    assert owners.tolist() == [0] * n
    assert met.tolist() == list(range(n))
    assert n < reached_elements.MOST_MET


def test_targets_and_tails_are_found_in_their_own_rows() -> None:
    """Rows of all lengths beside each other: what stands at the ends of a neighbour's row does not count."""
    generator = np.random.default_rng(3)
    n, roles = 8, 3
    subsumers = [sorted(set(generator.integers(0, n, generator.integers(0, 5)).tolist())) for _ in range(n)]
    start, tails = packed(subsumers)
    unsatisfiable = np.arange(n) == 5
    links: list[dict[int, list[int]]] = []
    for _ in range(n):
        some = generator.permutation(roles)[: generator.integers(0, roles + 1)]
        links.append(
            {int(r): sorted(set(generator.integers(0, n, generator.integers(1, 4)).tolist())) for r in np.sort(some)}
        )
    entry_start, entry_roles = packed([list(row) for row in links])
    row_start, targets = packed([each for row in links for each in row.values()])
    queries = np.array([(c, r, d) for c in range(n) for r in range(roles) for d in range(n)], np.int32)
    found = reaches_many(entry_start, entry_roles, row_start, targets, start, tails, unsatisfiable, queries)
    expected = [c == 5 or any(d in subsumers[z] for z in links[c].get(r, [])) for c, r, d in queries.tolist()]
    assert found.tolist() == expected
    assert 10 < sum(expected) < len(expected) - 10

    by_role = [links[c].get(r, []) for c in range(n) for r in range(roles)]
    heads, asked, last = (np.ascontiguousarray(queries[:, k]) for k in range(3))
    found = has_tail_many(*packed(by_role), unsatisfiable, roles, heads, asked, last)
    assert found.tolist() == [c == 5 or d in by_role[c * roles + r] for c, r, d in queries.tolist()]

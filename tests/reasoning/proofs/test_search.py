"""The smallest proof is found, among many axioms few are asked for, and blocks of lines add up."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from elgeo.ontology import normalise
from elgeo.ontology.expressions import NOTHING, Op
from elgeo.reasoning.proofs.justifications import minimal
from elgeo.reasoning.proofs.rules import Calculus, Fact, Inference
from elgeo.reasoning.proofs.search import Origins, Search, cheapest, leaves
from elgeo.reasoning.saturation.saturate import saturate
from elgeo.reasoning.taxonomy import listing
from tests.reasoning.brute import make_forms, vocabulary
from tests.reasoning.plain_questions import question
from tests.reasoning.random_ontology import written


@given(st.sets(st.integers(0, 149), max_size=4), st.sets(st.integers(0, 149), min_size=1, max_size=3))
@settings(max_examples=30)
def test_few_of_many_axioms(first: set[int], second: set[int]) -> None:
    asked = 0

    def enough(some: list[int]) -> bool:
        nonlocal asked
        asked += 1
        return first <= set(some) or second <= set(some)

    found = set(minimal(list(range(150)), enough))
    assert found in (first, second)
    # by halves: far fewer questions than axioms
    assert asked < 75


def smallest(graph: list[Inference], usable: set[Fact], goal: Fact) -> int | None:
    """The size of the smallest proof tree, by passes over all inferences until nothing gets smaller."""
    size: dict[Fact, int] = dict.fromkeys(usable, 1)
    changed = True
    while changed:
        changed = False
        for _, conclusion, premises in graph:
            if all(premise in size for premise in premises):
                total = 1 + sum(size[premise] for premise in set(premises))
                if total < size.get(conclusion, 10**9):
                    size[conclusion], changed = total, True
    return size.get(goal)


def size_of(chosen: dict[Fact, Inference], fact: Fact) -> int:
    return 1 if fact[0] == "row" else 1 + sum(size_of(chosen, premise) for premise in set(chosen[fact].premises))


facts = st.integers(0, 5).map(lambda i: ("sub", i, 0))
rows = st.integers(0, 4).map(lambda i: ("row", "subclass", i))
inferences = st.builds(
    lambda conclusion, premises: Inference("rule", conclusion, tuple(premises)),
    facts,
    st.lists(st.one_of(facts, rows), max_size=3),
)


@pytest.mark.slow
@given(st.lists(inferences, max_size=14), st.sets(rows))
@settings(max_examples=200)
def test_the_smallest_proof(graph: list[Inference], usable: set[Fact]) -> None:
    goal = ("sub", 0, 0)
    chosen = cheapest([graph[::2], graph[1::2]], lambda leaf: leaf in usable, goal)
    expected = smallest(graph, usable, goal)
    assert (goal in chosen) == (expected is not None)
    if expected is not None:
        assert size_of(chosen, goal) == expected
        assert set(leaves(chosen, goal)) <= usable


def test_an_axiom_costs_as_much_as_a_step() -> None:
    # three axioms and a step are less than four steps from one axiom
    goal, *between = [("sub", i, 0) for i in range(4)]
    rows: list[Fact] = [("row", "subclass", i) for i in range(3)]
    chain = zip([goal, *between], [*between, rows[0]], strict=True)
    graph = [*(Inference("long", one, (other,)) for one, other in chain), Inference("short", goal, tuple(rows))]
    assert cheapest([graph], lambda leaf: leaf in rows, goal)[goal].rule == "short"


def test_what_needs_nothing_costs_one_step() -> None:
    goal, given = ("sub", 0, 0), ("sub", 1, 0)
    by_rows = Inference("rule", goal, (("row", "subclass", 0), ("row", "subclass", 1)))
    by_itself = [Inference("rule", goal, (given,)), Inference("rule", given, ())]
    longer = Inference("rule", goal, (given, ("row", "subclass", 2)))
    for graph in ([by_rows, *by_itself, longer], [longer, by_rows, *by_itself[::-1]]):
        chosen = cheapest([graph], lambda _: True, goal)
        assert chosen == {goal: by_itself[0], given: by_itself[1]}
        assert smallest(graph, {("row", "subclass", i) for i in range(3)}, goal) == size_of(chosen, goal) == 2


SUB, SOME, AND = Op.SubClassOf, Op.ObjectSomeValuesFrom, Op.ObjectIntersectionOf


def certain(told: list[Any], asked: Any) -> set[int]:
    drafts, goal = question(asked).goal(saturate(normalise(written(told))))
    return Search(Calculus(drafts), goal).certain()


def test_what_every_proof_needs() -> None:
    told = [
        (SUB, "A", (SOME, "r", "B")),
        (SUB, "B", "C"),
        (SUB, (SOME, "r", "C"), "D"),
        # two ways from here: both ends are beyond doubt, what is between is not
        (SUB, "D", "E"),
        (SUB, "D", "F"),
        (SUB, "E", "G"),
        (SUB, "F", "G"),
        (SUB, "G", "H"),
        # said twice: either can be missed
        (SUB, "H", "I"),
        (SUB, "H", (AND, "I", "K")),
        (SUB, (AND, "I", "L"), "M"),
        (SUB, "A", "L"),
        (SUB, "M", "N"),
    ]
    # the way back ends where it parts: what is before that is left to trial
    assert certain(told, (SUB, "A", "N")) == {7, 10, 11, 12}
    assert certain(told, (SUB, "A", "D")) == {0, 1, 2}
    assert certain(told, (SUB, "A", "G")) == set()
    assert certain(told, (SUB, "H", "I")) == set()
    assert certain(told, (SUB, "H", "K")) == {9}


@pytest.mark.parametrize("seed", range(4))
def test_without_what_is_certain_there_is_no_way(seed: int) -> None:
    chance = random.Random(seed)
    pairs = sorted({tuple(chance.sample("ABCDEFGH", 2)) for _ in range(13)})

    def reached(without: int) -> set[str]:
        found = {"A"}
        for _ in pairs:
            found |= {d for i, (c, d) in enumerate(pairs) if c in found and i != without}
        return found

    for end in sorted(reached(-1) - {"A"}):
        found = certain([(SUB, *pair) for pair in pairs], (SUB, "A", end))
        assert found <= {i for i in range(len(pairs)) if end not in reached(i)}
        # a class with one told subclass is reached through that alone
        into = [i for i, (_, d) in enumerate(pairs) if d == end]
        if len(into) == 1:
            assert into[0] in found


def test_origins_of_rows() -> None:
    forms = make_forms(vocabulary(3, 0, 0, 1), subclass=[(2, 3), (3, 4), (2, 4)])
    pairs = make_forms(vocabulary(1, 0, 0, 1), subclass=[(0, 7), (0, 9), (2, 1)])["subclass"]
    origins = Origins(type(forms)(forms.vocabulary, forms.tables, {"subclass": pairs}))
    assert [origins.of("subclass", row) for row in range(4)] == [[7, 9], [], [1], []]
    assert origins.of("existential", 0) == []


@pytest.mark.parametrize("room", [1, 100, 200, 1 << 20])
def test_blocks_of_lines_add_up(room: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing, "_BLOCK", room)
    words = vocabulary(12, 1, 1, 1)
    rows = [(c, d) for c in range(2, 13) for d in range(c + 1, 14, 3)]
    saturation = saturate(make_forms(words, subclass=rows, empty=[(13,)], disjoint=[(3, 14)]))
    blocks = [bytes(block) for block in listing.subsumption_lines(saturation)]
    assert (len(blocks) > 1) == (room < 1 << 20)
    assert all(block.endswith(b"\n") for block in blocks)
    named = [words.classes[c] for c in range(2, 14)]
    expected = []
    for c in range(2, 14):
        if saturation.unsatisfiable[c]:
            expected.append(f"{words.classes[c]}\t{NOTHING}")
        else:
            above = [words.classes[d] for d in saturation.subsumers_of(c).tolist() if d != c]
            expected += [f"{words.classes[c]}\t{name}" for name in above if name in named]
    assert b"".join(blocks).decode().splitlines() == sorted(expected)
    assert listing.count_subsumptions(saturation) == len(expected)

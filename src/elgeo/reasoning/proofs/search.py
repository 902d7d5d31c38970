"""Finds a short proof: explores rule applications backwards from the goal until what was explored proves it."""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Callable, Collection, Iterable

import numpy as np

from elgeo.ontology.normal_forms import NormalForms
from elgeo.reasoning.proofs.rules import Calculus, Fact, Inference

_FIRST_LOOK = 64
Chosen = dict[Fact, Inference]
"""The rule application that proves each fact."""


class Origins:
    """The axioms behind each row of normal forms."""

    def __init__(self, forms: NormalForms) -> None:
        self._origins = forms.origins

    def of(self, form: str, row: int) -> list[int]:
        """The numbers of the axioms that give a row, each by itself; none where the row defines a fresh name."""
        pairs = self._origins.get(form)
        if pairs is None or not len(pairs):
            return []
        low, high = np.searchsorted(pairs[:, 0], [row, row + 1])
        return [int(a) for a in pairs[low:high, 1]]


class Search:
    """Explores as far as needed, and remembers what it explored for the next question."""

    def __init__(self, calculus: Calculus, goal: Fact) -> None:
        self.calculus, self.origins, self.goal = calculus, Origins(calculus.forms), goal
        self._graph: dict[Fact, list[Inference]] = {}
        self._frontier: deque[Fact] = deque([goal])
        self._seen: set[Fact] = {goal}

    def proof(self, without: Collection[int] = ()) -> Chosen | None:
        """A cheapest proof among those explored that does without some axioms; None if there is no proof at all."""
        step = _FIRST_LOOK
        while True:
            chosen = cheapest(self._graph.values(), lambda leaf: self._usable(leaf, without), self.goal)
            if self.goal in chosen or not self._frontier:
                return chosen if self.goal in chosen else None
            self._explore(max(step, len(self._graph)))
            step *= 2

    def certain(self) -> set[int]:
        """Axioms that are in every proof: all else that is explored leads to the goal by way of them."""
        while self._frontier:
            self._explore(len(self._frontier))
        found: set[int] = set()
        seen, waiting = {self.goal}, [self.goal]
        while waiting:
            fact = waiting.pop()
            if fact[0] == "row" and len(origins := self.origins.of(*fact[1:])) == 1:
                found.add(origins[0])
            only = self._graph.get(fact, [])
            if len(only) == 1:
                new = [premise for premise in only[0].premises if premise not in seen]
                seen.update(new)
                waiting += new
        return found

    def axioms(self, chosen: Chosen, without: Collection[int] = ()) -> set[int]:
        """Axioms that give every row of a proof."""
        rows = [leaf for leaf in leaves(chosen, self.goal) if leaf[0] == "row"]
        options = [[a for a in self.origins.of(*leaf[1:]) if a not in without] for leaf in rows]
        needed: set[int] = set()
        for each in sorted(filter(None, options), key=len):
            if needed.isdisjoint(each):
                needed.add(each[0])
        return needed

    def _usable(self, leaf: Fact, without: Collection[int]) -> bool:
        if leaf[0] != "row" or not without:
            return True
        origins = self.origins.of(*leaf[1:])
        return not origins or any(a not in without for a in origins)

    def _explore(self, count: int) -> None:
        while count and self._frontier:
            fact = self._frontier.popleft()
            inferences = self.calculus.inferences(fact)
            self._graph[fact] = inferences
            count -= 1
            for inference in inferences:
                for premise in inference.premises:
                    if premise not in self._seen and not is_leaf(premise):
                        self._seen.add(premise)
                        self._frontier.append(premise)


def is_leaf(fact: Fact) -> bool:
    """Whether a fact is given, not proved."""
    return fact[0] in ("row", "told")


def leaves(chosen: Chosen, goal: Fact) -> list[Fact]:
    """The leaves of a proof."""
    found, seen, waiting = [], {goal}, [goal]
    while waiting:
        fact = waiting.pop()
        if is_leaf(fact):
            found.append(fact)
            continue
        for premise in chosen[fact].premises:
            if premise not in seen:
                seen.add(premise)
                waiting.append(premise)
    return found


def cheapest(graph: Iterable[list[Inference]], usable: Callable[[Fact], bool], goal: Fact) -> Chosen:
    """For each fact that can be proved before the goal is, the inference of its smallest proof tree.

    Knuth's generalisation of Dijkstra's algorithm: a proof costs one step more than its premises' proofs together.
    """
    inferences = [inference for each in graph for inference in each]
    missing = [len(set(inference.premises)) for inference in inferences]
    cost = [1] * len(inferences)
    users: dict[Fact, list[int]] = {}
    heap: list[tuple[int, int, Fact, int]] = []
    for i, inference in enumerate(inferences):
        for premise in set(inference.premises):
            users.setdefault(premise, []).append(i)
        if not inference.premises:
            heap.append((1, i, inference.conclusion, i))
    heap += [(1, -1 - i, fact, -1) for i, fact in enumerate(users) if is_leaf(fact) and usable(fact)]
    heapq.heapify(heap)
    chosen: Chosen = {}
    done: set[Fact] = set()
    while heap:
        total, _, fact, by = heapq.heappop(heap)
        if fact in done:
            continue
        done.add(fact)
        if by >= 0:
            chosen[fact] = inferences[by]
        if fact == goal:
            break
        for i in users.get(fact, ()):
            missing[i] -= 1
            cost[i] += total
            if missing[i] == 0:
                heapq.heappush(heap, (cost[i], i, inferences[i].conclusion, i))
    return chosen

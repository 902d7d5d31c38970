"""Lexical patterns of compound names: "regulation of X", where the part that varies is itself a class.

A name splits into a frame and a class X where some of its words are the name of a class. What is told of classes with
the same frame says what to expect of a new one: the same frame around something broader ("regulation of Y", X below Y),
another frame around the same ("regulation of X" for "negative regulation of X"), X itself, or one and the same
class for all.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from elgeo.models.placement.terms import Term, Tokens, tokens

Frame = tuple[Tokens, Tokens]
"""The words before and after the part that varies."""
Relation = tuple[int | None, int]
"""A role (None: is a) and the class at its end."""
LONGEST = 30
"""Words of a name that are looked at."""
FEWEST = 2
"""Classes of a frame that are needed before it says anything."""


class NameSplit(NamedTuple):
    frame: Frame
    part: int
    """The class whose name the varying part is."""


class Habit(NamedTuple):
    """What classes of a frame do: have a role to `frame` around the part (`broader`: around something above it)."""

    role: int | None
    frame: Frame
    broader: bool


class Clue(NamedTuple):
    """Why a relation is expected: a share of the classes with this frame have the like."""

    share: float
    frame: Frame
    having: int
    """Classes of the frame that have the like …"""
    members: int
    """… of so many."""


WHOLE: Frame = ((), ())


class NameIndex:
    """Finds classes by the words of their names, and the classes inside names."""

    def __init__(self, terms: Mapping[int, Term]) -> None:
        self._by_words: dict[Tokens, int] = {}
        for each in (lambda term: (term.label,), lambda term: term.synonyms):
            for class_id, term in terms.items():
                for name in each(term):
                    if words := tokens(name):
                        self._by_words.setdefault(words, class_id)
        self.words = {class_id: tokens(term.label) for class_id, term in terms.items()}
        self._longest = max(map(len, self._by_words), default=0)

    def find(self, words: Tokens) -> int | None:
        return self._by_words.get(words)

    def framed(self, frame: Frame, part: int) -> int | None:
        """The class called like the frame around a class."""
        return self.find(frame[0] + self.words[part] + frame[1])

    def splits(self, words: Tokens) -> list[NameSplit]:
        """Every way in which a name is a frame around a class; the whole name is no part of itself."""
        words = words[:LONGEST]
        found = []
        for first in range(len(words)):
            for last in range(first + 1, min(len(words), first + self._longest) + 1):
                part = self._by_words.get(words[first:last])
                if part is not None and last - first < len(words):
                    found.append(NameSplit((words[:first], words[last:]), part))
        return found

    def within(self, words: Tokens) -> dict[int, int]:
        """The classes whose names are in a text, and at which word each comes first."""
        found: dict[int, int] = {}
        for first in range(len(words)):
            for last in range(first + 1, min(len(words), first + self._longest) + 1):
                if (part := self._by_words.get(words[first:last])) is not None:
                    found.setdefault(part, first)
        return found


class Patterns:
    """What is habitual for classes with a frame; `told` are the relations of each class, `above` its superclasses."""

    def __init__(
        self, names: NameIndex, told: Mapping[int, Sequence[Relation]], parents: Mapping[int, Sequence[int]]
    ) -> None:
        self._names, self._parents = names, parents
        self._members: dict[Frame, int] = defaultdict(int)
        self._habits: dict[Frame, dict[Habit, int]] = defaultdict(lambda: defaultdict(int))
        self._fixed: dict[Frame, dict[Relation, int]] = defaultdict(lambda: defaultdict(int))
        self._above: dict[int, dict[int, int]] = {}
        self._splits = {class_id: self._names.splits(words) for class_id, words in names.words.items()}
        for class_id, relations in told.items():
            self._learn(class_id, relations)

    def _learn(self, class_id: int, relations: Sequence[Relation]) -> None:
        for frame, part in self._splits.get(class_id, ()):
            self._members[frame] += 1
            above = self.above(part)
            habits = set()
            for role, end in relations:
                self._fixed[frame][role, end] += 1
                for other, inner in [*self._splits.get(end, ()), NameSplit(WHOLE, end)]:
                    if inner in above:
                        habits.add(Habit(role, other, inner != part))
            for habit in habits:
                self._habits[frame][habit] += 1

    def above(self, class_id: int) -> dict[int, int]:
        """Superclasses by how many steps they are away, itself among them."""
        found = self._above.get(class_id)
        if found is None:
            found, level, here = {class_id: 0}, 0, [class_id]
            while here:
                level += 1
                here = [p for c in here for p in self._parents.get(c, ()) if found.setdefault(p, level) == level]
                here = list(dict.fromkeys(here))
            self._above[class_id] = found
        return found

    def clues(self, names: Iterable[str]) -> dict[tuple[str, Relation], Clue]:
        """What to expect of a class with these names, by the sort of habit and the relation; the best clue of each."""
        found: dict[tuple[str, Relation], Clue] = {}

        def offer(sort: str, relation: Relation, count: int, frame: Frame, nearness: float = 1.0) -> None:
            members = self._members[frame]
            clue = Clue(nearness * count / (members + 1), frame, count, members)
            if (sort, relation) not in found or clue.share > found[sort, relation].share:
                found[sort, relation] = clue

        for frame, part in dict.fromkeys(s for name in names for s in self._names.splits(tokens(name))):
            if self._members.get(frame, 0) < FEWEST:
                continue
            for relation, count in self._fixed[frame].items():
                offer("fixed", relation, count, frame)
            above = sorted(self.above(part).items(), key=lambda item: (item[1], item[0]))
            for (role, other, broader), count in self._habits[frame].items():
                if not broader:
                    if (end := self._end(other, part)) is not None:
                        offer("same", (role, end), count, frame)
                    continue
                nearest = None
                for inner, steps in above[1:]:
                    if nearest is not None and steps > nearest:
                        break
                    if (end := self._end(other, inner)) is not None:
                        nearest = steps
                        offer("broader", (role, end), count, frame, 1 / steps)
        return found

    def _end(self, frame: Frame, part: int) -> int | None:
        return part if frame == WHOLE else self._names.framed(frame, part)

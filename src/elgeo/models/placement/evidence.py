"""Every reason to relate a new term to a class: texts alike, what classes with like texts have, patterns, mentions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from scipy import sparse

from elgeo.models.atlas.contexts.logic import Matrix
from elgeo.models.atlas.operators.dense import Dense
from elgeo.models.atlas.operators.selecting import keep_nearest
from elgeo.models.placement.knowledge import Knowledge
from elgeo.models.placement.meaning import Meaning
from elgeo.models.placement.patterns import Clue, NameIndex, Patterns, Relation
from elgeo.models.placement.terms import Term, tokens
from elgeo.models.placement.texts import TEXT

NEAREST, POWER = 30, 3.0
"""How many classes with like texts are asked what they have, and how sharply the most alike count."""
MIXED = "all texts"
ABOVE = "votes for what is above"
CLUES = ("same", "broader", "fixed")
IN_NAME, AT_END, IN_TEXT = "in the name", "at the end of the name", "in the definition"
FIRST = "at the beginning of the definition"
MEANT, VOTED, LED = "alike by meaning", "votes by meaning", "where its meaning leads"
FIRST_WORDS = 12
"""Words of a definition among which what is defined is named: "A protein complex that …"."""
COUNT, KNOWN = "count", "has any"

Clues = Mapping[tuple[str, Relation], Clue]


@dataclass(frozen=True, eq=False)
class SeenTerms:
    """New terms as they look beside the classes: how alike texts are, the nearest classes, clues of their names."""

    terms: Sequence[Term]
    alike: Mapping[str, Matrix]
    near: Mapping[str, Matrix]
    meant: Dense
    """Vectors; none where there are no words."""
    meant_alike: Matrix | None
    mentions: Mapping[str, Matrix]
    clues: Sequence[Clues]
    led: dict[int | None, Matrix] = field(default_factory=dict)
    """Where the meaning of the terms leads by each role that was asked for."""


class NameEvidence:
    """The evidence of an ontology."""

    def __init__(self, knowledge: Knowledge) -> None:
        self.knowledge, self.size = knowledge, len(knowledge.ids)
        self._turned = {name: sparse.csr_array(block.rows.T) for name, block in knowledge.blocks.items()}
        self.words = NameIndex(dict(enumerate(knowledge.terms)))
        self.told = knowledge.told

    @cached_property
    def patterns(self) -> Patterns:
        return Patterns(self.words, self.knowledge.relations, self.knowledge.parents)

    @cached_property
    def meaning(self) -> Meaning | None:
        block = self.knowledge.blocks.get(TEXT)
        return Meaning(block, self.told) if block is not None else None

    @property
    def names(self) -> list[str]:
        """All evidence, in the order in which it is weighed."""
        blocks = list(self.knowledge.blocks)
        votes = [f"votes by {name}" for name in (*blocks, MIXED)]
        meant = [MEANT, VOTED, LED] if self.meaning else []
        mentions = [IN_NAME, AT_END, IN_TEXT, FIRST]
        return [f"alike by {name}" for name in blocks] + votes + [ABOVE, *CLUES, *mentions, *meant, COUNT, KNOWN]

    def look(self, terms: Sequence[Term]) -> SeenTerms:
        """Compare terms with all classes."""
        alike: dict[str, Matrix] = {}
        for name, block in self.knowledge.blocks.items():
            found = sparse.csr_array(block.of(terms) @ self._turned[name], dtype=np.float32)
            found.data = np.maximum(found.data, np.float32(0))  # vectors may point apart
            alike[name] = found
        near = {name: _nearest(rows) for name, rows in alike.items()}
        whole: Matrix = sum(alike.values())
        near[MIXED] = _nearest(sparse.csr_array(whole, dtype=np.float32))
        meant = self.meaning.of(terms) if self.meaning else np.zeros((len(terms), 0), np.float32)
        by_meaning = self.meaning.alike(meant) if self.meaning else None
        if by_meaning is not None:
            near[MEANT] = _nearest(by_meaning)
        mentioned = [self._mentions(term) for term in terms]
        mentions = {}
        for sort in (IN_NAME, AT_END, IN_TEXT, FIRST):
            cells = [(row, end, value) for row, of in enumerate(mentioned) for end, value in of[sort].items()]
            mentions[sort] = self._sparse(cells, len(terms))
        clues = [self.patterns.clues(term.names) for term in terms]
        return SeenTerms(terms, alike, near, meant, by_meaning, mentions, clues)

    def rows(self, seen: SeenTerms, role: int | None) -> dict[str, Matrix | Dense]:
        """Each piece of evidence for these terms and all classes; one row where it is the same for all terms."""
        told = self.told[role]
        found: dict[str, Matrix | Dense] = {f"alike by {name}": rows for name, rows in seen.alike.items()}
        for name, weights in seen.near.items():
            if name == MEANT:
                continue
            found[f"votes by {name}"] = sparse.csr_array(weights @ told, dtype=np.float32)
        found[ABOVE] = sparse.csr_array(found[f"votes by {MIXED}"] @ self.told[None], dtype=np.float32)
        for sort in CLUES:
            cells = [
                (row, end, clue.share)
                for row, clues in enumerate(seen.clues)
                for (other, (of_role, end)), clue in clues.items()
                if other == sort and of_role == role
            ]
            found[sort] = self._sparse(cells, len(seen.terms))
        found |= seen.mentions
        if self.meaning and seen.meant_alike is not None:
            found[MEANT] = seen.meant_alike
            found[VOTED] = sparse.csr_array(seen.near[MEANT] @ told, dtype=np.float32)
            found[LED] = self._led(self.meaning, seen, role)
        count = np.asarray(told.sum(axis=0), np.float32).ravel()
        return found | {COUNT: np.log1p(count)[None], KNOWN: (count > 0).astype(np.float32)[None]}

    def _led(self, meaning: Meaning, seen: SeenTerms, role: int | None) -> Matrix:
        """Relations are asked for one after the other: all are made at once."""
        if role not in seen.led:
            seen.led.update(
                meaning.led_to(seen.meant, [None] if role is None else [r for r in self.told if r is not None])
            )
        return seen.led[role]

    def _mentions(self, term: Term) -> dict[str, dict[int, float]]:
        """Classes whose names are in those of the term, by their share of it, and in its definition."""
        found: dict[str, dict[int, float]] = {IN_NAME: {}, AT_END: {}, IN_TEXT: {}, FIRST: {}}
        for name in term.names:
            words = tokens(name)
            for (_, after), part in self.words.splits(words):
                share = len(self.words.words[part]) / len(words)
                for sort in (IN_NAME, AT_END) if not after else (IN_NAME,):
                    found[sort][part] = max(share, found[sort].get(part, 0.0))
        for part, first in self.words.within(tokens(term.definition)).items():
            size = 1 - 1 / (1 + len(self.words.words[part]))
            found[IN_TEXT][part] = size
            if first < FIRST_WORDS:
                found[FIRST][part] = size / (1 + first / 4)
        return found

    def _sparse(self, cells: Sequence[tuple[int, int, float]], n_terms: int) -> Matrix:
        rows, columns, values = zip(*cells, strict=True) if cells else ((), (), ())
        return sparse.csr_array((np.array(values, np.float32), (rows, columns)), shape=(n_terms, self.size))


def _nearest(alike: Matrix) -> Matrix:
    """The classes most like each term, as weights that sum to 1."""
    found = alike.copy()
    found.sort_indices()
    keep_nearest(found.indptr, found.indices, found.data, np.full(found.shape[0], -1, np.int64), NEAREST, POWER)
    found.eliminate_zeros()
    return found

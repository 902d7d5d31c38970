"""`Placer`: suggests where new terms belong, with reasons and the reasoner's word."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

import numpy as np

from elgeo.arrays import Floats
from elgeo.evaluation.placing.reasons import reasons
from elgeo.evaluation.placing.suggestions import BY_SYNONYM, NEAR_NAME, Existing, Placed, Proposal, Suggestion
from elgeo.evaluation.placing.word import Word
from elgeo.models.atlas.operators.dense import Dense
from elgeo.models.placement.evidence import MIXED, SeenTerms
from elgeo.models.placement.model import Placement
from elgeo.models.placement.terms import Term, tokens

AT_ONCE = 16
BETWEEN_WORDS = re.compile(r"[\s_.,;:/()\[\]-]+")
"""Signs that make no other name; a plus or a prime does."""
NEAR, NEAREST = 0.55, 3
"""Likeness of names from which a class may be the term itself, and how many such are shown."""
LIKELY = 0.1
"""A parent makes another redundant if it is believed at least so much as that one."""
USUAL = 0.1
"""A role is suggested where this share of the classes with like texts, by weight, have it, or its best is this sure."""


class Placer:
    """What a run's training says of new terms; made once, asked often."""

    def __init__(self, placement: Placement) -> None:
        self.placement = placement
        self._knowledge = placement.knowledge

    @cached_property
    def _word(self) -> Word:
        return Word(self._knowledge.dataset)

    def place(
        self, proposals: Sequence[Proposal], top: int = 10, say: Callable[[str], None] = lambda _: None
    ) -> Iterator[Placed]:
        """What is said of each; checked as a whole before the first is placed."""
        given = [self._word.right_sides(proposal.axioms) for proposal in proposals]
        for first in range(0, len(proposals), AT_ONCE):
            if first and first % (AT_ONCE * 16) == 0:
                say(f"placed {first:,} of {len(proposals):,} terms")
            chunk = proposals[first : first + AT_ONCE]
            seen = self.placement.look([proposal.term for proposal in chunk])
            parents = _belief(self.placement.scores(seen, None))
            relations = {role: self.placement.scores(seen, role) for role in self._knowledge.roles}
            for row, proposal in enumerate(chunk):
                axioms = given[first + row]
                of_roles = {role: _belief(scores[[row]])[0] for role, scores in relations.items()}
                yield self._placed(proposal, seen, row, parents[row], of_roles, axioms, top)

    def _placed(
        self,
        proposal: Proposal,
        seen: SeenTerms,
        row: int,
        parents: Floats,
        relations: dict[int, Floats],
        axioms: list[str],
        top: int,
    ) -> Placed:
        suggested = self._parents(seen, row, parents, axioms, top)
        first = [each.class_id for each in suggested if not each.verdict.startswith("contradicts")][:1]
        added = axioms + [self._word.named(class_id) for class_id in first]
        by_role = {}
        for role, belief in relations.items():
            if found := self._relations(seen, row, role, belief, first, added, top):
                by_role[role] = found
        known = any(rows.indptr[row + 1] > rows.indptr[row] for rows in seen.alike.values())
        follows = self._word.above(added) if added else []
        return Placed(proposal, self._existing(seen, row), suggested, by_role, follows, known)

    def _parents(self, seen: SeenTerms, row: int, belief: Floats, axioms: list[str], top: int) -> list[Suggestion]:
        word = self._word
        best = np.argsort(-belief, kind="stable")[:top].tolist()
        ids = [int(self._knowledge.ids[number]) for number in best]
        lower, refuted = dict[int, list[int]](), dict[int, str]()
        for place, (number, class_id) in enumerate(zip(best, ids, strict=True)):
            likely = [c for c, other in zip(ids, best, strict=True) if belief[other] >= LIKELY * belief[number]]
            lower[class_id] = [other for other in likely if other != class_id and word.below(other, class_id)]
            before = [other for other in ids[:place] if other not in lower[class_id] and other not in refuted]
            if axioms and word.unsatisfiable([*axioms, word.named(class_id)]):
                refuted[class_id] = "contradicts the given axioms"
            elif before and word.unsatisfiable([word.named(before[0]), word.named(class_id)]):
                refuted[class_id] = f"contradicts {self._label(before[0])}"
        made = list[Suggestion]()
        for number, class_id in zip(best, ids, strict=True):
            verdict = refuted.get(class_id, "")
            # what cannot be makes nothing redundant
            possible = [other for other in lower[class_id] if other not in refuted]
            if possible and not verdict:
                verdict = f"follows from {self._label(possible[0])}"
            why = reasons(self.placement.evidence, seen, row, None, number)
            made.append(Suggestion(class_id, float(belief[number]), why, verdict))
        return made

    def _relations(
        self, seen: SeenTerms, row: int, role: int, belief: Floats, first: list[int], added: list[str], top: int
    ) -> list[Suggestion]:
        """Ends of a role, if classes like the term have it at all; their share is of that."""
        told = self.placement.evidence.told[role]
        near = seen.near[MIXED]
        classes = near.indices[near.indptr[row] : near.indptr[row + 1]]
        weights = near.data[near.indptr[row] : near.indptr[row + 1]]
        usual = float(weights[np.diff(told.indptr)[classes] > 0].sum())
        clues = [clue.share for (_, (of_role, _)), clue in seen.clues[row].items() if of_role == role]
        usual = max([usual, *clues])
        if usual < USUAL:
            return []
        word, made = self._word, list[Suggestion]()
        for number in np.argsort(-belief, kind="stable")[: max(1, top // 2)].tolist():
            class_id = int(self._knowledge.ids[number])
            verdict = ""
            if word.unsatisfiable([*added, word.named(class_id, role)]):
                verdict = "contradicts the first parent"
            elif any(word.has(parent, role, class_id) for parent in first):
                verdict = f"follows from {self._label(first[0])}"
            why = reasons(self.placement.evidence, seen, row, role, number)
            made.append(Suggestion(class_id, usual * float(belief[number]), why, verdict))
        return made

    def _existing(self, seen: SeenTerms, row: int) -> list[Existing]:
        """Classes with this name, then those whose names are near it."""
        found: dict[int, Existing] = {}
        names = self.placement.evidence.words
        for place, name in enumerate(seen.terms[row].names):
            number = names.find(tokens(name))
            if number is not None and number not in found:
                how = _how_called(self._knowledge.terms[number], name)
                if place and how != NEAR_NAME:
                    how += BY_SYNONYM
                found[number] = Existing(int(self._knowledge.ids[number]), how, 1.0)
        blocks = [seen.alike[name] for name in ("name", "chars") if name in seen.alike]
        alike = sum(block[[row]].toarray()[0] for block in blocks) / max(1, len(blocks))
        for number in np.argsort(-alike, kind="stable")[:NEAREST].tolist():
            if alike[number] >= NEAR and number not in found:
                found[number] = Existing(int(self._knowledge.ids[number]), NEAR_NAME, float(alike[number]))
        return list(found.values())

    def _label(self, class_id: int) -> str:
        return self._knowledge.dataset.vocabulary.class_label(class_id)


def _how_called(term: Term, name: str) -> str:
    """How a class whose words are those of a name is called so: `Ca2+` has the words of `Ca2`, and is another thing."""

    def bare(text: str) -> str:
        return " ".join(BETWEEN_WORDS.sub(" ", text.lower()).split())

    if bare(term.label) == bare(name):
        return "same label"
    return "synonym" if bare(name) in map(bare, term.synonyms) else NEAR_NAME


def _belief(scores: Dense) -> Floats:
    """Scores as shares of belief, by row."""
    raised = np.exp(scores.astype(np.float64) - scores.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True))

"""Why a score: the training axioms it is a sum of, and what else it has.

With L and R fixed each piece of evidence is exactly Σ L X̂ R over training axioms; what is bent is shared out among them
in proportion; the rest are named remainders. That is no counterfactual: without an axiom L and R would be others too.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from itertools import groupby
from operator import itemgetter

import numpy as np

from elgeo.datasets.model import Dataset
from elgeo.messages import counted
from elgeo.models.atlas.build import APART, OF_TEXTS, Parts
from elgeo.models.atlas.contexts.logic import ALL
from elgeo.models.atlas.evidence import ENTAILED, GROUPINGS, ITSELF, KIN, TOLD, WORDED, like
from elgeo.models.atlas.operators.dense import one_thread
from elgeo.models.atlas.operators.target import Ids
from elgeo.models.atlas.reranking.reranker import AVERAGE, BESIDE, LAST, Reranker
from elgeo.models.atlas.shares import Share, Shares, remainders, shares
from elgeo.models.atlas.weighing.weights import Weighing
from elgeo.models.contract import Reason

SHOWN = 8
"""Training axioms that are named; the rest are summed up."""
FEATURES = 2
"""Shared features that are named."""
MOSTLY, AT_TIMES = 0.5, 0.1
"""How far classes have to be in one group to be called so."""
TOGETHER = tuple(name for name in ALL if name not in APART)
"""Blocks that likeness by contexts is made of."""
_NUMBER = re.compile(
    r"(?:related |defined by )?“(?:… )?(?:\d+|(?:\w+ )*\w*\d{3}\w*(?: \w+)*)(?: …)?”",
)
"""Numbers, and words beside ids of definitions: two classes may share them, but they tell a reader nothing."""


def mean(parts: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Of what each says by name; what one does not name is 0."""
    found: dict[str, float] = {}
    for part in parts:
        for name, value in part.items():
            found[name] = found.get(name, 0.0) + value / len(parts)
    return found


class Explainer:
    """Reasons in words."""

    def __init__(self, dataset: Dataset, parts: Parts, weighing: Weighing) -> None:
        self._dataset, self._parts, self._weighing = dataset, parts, weighing
        self._frequencies: dict[str, Ids] = {}

    def explain(self, head: int, tail: int, others: Sequence[Weighing] = ()) -> list[Reason]:
        """Training axioms, the largest share first, then what is left; the shares add up to the score.

        With other weights for the same evidence, to the mean of the scores by all of them.
        """
        evidence = self._parts.evidence
        if evidence.target.tail_place[tail] < 0:
            return []
        with one_thread():
            weights = mean([each.at(evidence, head, tail) for each in (self._weighing, *others)])
            found = shares(evidence, weights, head, tail)
            rest = remainders(evidence, weights, head, tail)
        reasons = self._of_axioms(head, tail, found)
        named = {name: self._remainder(name, tail) for name in rest}
        return [*reasons, *(Reason(named[name], value) for name, value in rest.items())]

    def _of_axioms(self, head: int, tail: int, found: Shares) -> list[Reason]:
        """The axioms with the largest shares, among equal ones those of the first classes, and the sum of the rest."""
        keys = found.heads.astype(np.int64) << 32 | found.tails
        axioms, which = np.unique(keys, return_inverse=True)
        total = np.bincount(which, found.values, len(axioms))
        order = np.argsort(-np.abs(total), kind="stable")
        reasons = []
        for axiom in order[:SHOWN].tolist():
            each = [found.one(i) for i in np.flatnonzero(which == axiom).tolist()]
            reasons.append(Reason(self._words(head, tail, each), float(total[axiom])))
        if many := len(order[SHOWN:]):
            reasons.append(Reason(counted(many, "other training axiom"), float(total[order[SHOWN:]].sum())))
        return reasons

    def kinds(
        self, rerankers: Sequence[Reranker], head: int, tail: int, others: Sequence[Weighing] = ()
    ) -> list[Reason]:
        """How much each kind of evidence adds to a re-ranked score (to the mean of several), the largest first."""
        if self._parts.evidence.target.tail_place[tail] < 0:
            return []
        if self._parts.evidence.target.head_place[head] < 0:
            return self.explain(head, tail, others)
        found = mean([reranker.shares(head, tail) for reranker in rerankers])
        rest = {name: found.pop(name, 0.0) for name in (AVERAGE, BESIDE, LAST)}
        order = sorted(found, key=lambda name: -abs(found[name]))
        reasons = [
            Reason(f"{name} ({'for' if found[name] > 0 else 'against'} it)", found[name]) for name in order[:SHOWN]
        ]
        left = order[SHOWN:]
        reasons.append(
            Reason(
                counted(len(left), "other kind of evidence", "other kinds of evidence"),
                sum(found[name] for name in left),
            )
        )
        return [*reasons, *(Reason(name, value) for name, value in rest.items() if value)]

    def _words(self, head: int, tail: int, each: list[Share]) -> str:
        main = max(each, key=lambda share: abs(share.value))
        if main.way.head_operator in GROUPINGS:
            return f"{self._axiom(main.head, main.tail)} ({self._of_groups(main, head, tail)})"
        speaker, about = (tail, head) if main.way.turned else (head, tail)
        hows = [self._of_head(main, speaker), self._of_tail(main, about)]
        return f"{self._axiom(main.head, main.tail)} ({', '.join(how for how in hows if how)})"

    def _axiom(self, head: int, tail: int) -> str:
        names, role = self._dataset.vocabulary, self._dataset.target_role
        relation = "⊑" if role is None else names.role_label(role)
        return f"{names.class_label(head)} {relation} {names.class_label(tail)}"

    def _of_head(self, share: Share, speaker: int) -> str:
        label = self._dataset.vocabulary.class_label
        match share.way.head_operator:
            case "itself":
                return f"of {label(speaker)} itself"
            case "peers":
                return f"{label(share.head)} has axioms like those of {label(speaker)}"
            case "alike":
                return self._alike(share.head, speaker)
            case head if head == WORDED:
                return self._alike(share.head, speaker, OF_TEXTS)
            case walk:
                return f"{walk.removeprefix('walk ')} joins {label(share.head)} and {label(speaker)}"

    def _of_tail(self, share: Share, about: int) -> str:
        if share.way.tail_operator in ("same", TOLD):
            return ""
        label = self._dataset.vocabulary.class_label
        if share.way.tail_operator == "alike":
            return self._alike(share.tail, about)
        if share.way.tail_operator in KIN:
            return f"{label(about)} is directly {share.way.tail_operator} {label(share.tail)}"
        return f"who has {label(share.tail)} {'often' if share.value > 0 else 'seldom'} has {label(about)}"

    def _of_groups(self, share: Share, head: int, tail: int) -> str:
        """Which of its classes are in groups of those asked, either way round; some axioms only say what is usual."""
        label, place = self._dataset.vocabulary.class_label, self._parts.evidence.target.tail_place
        groups = self._parts.evidence.groups[share.way.head_operator]

        def together(one: int, other: int) -> float:
            return 2.0 if one == other else groups.together(int(place[one]), int(place[other]))

        asked = max(
            ((head, tail), (tail, head)),
            key=lambda way: together(share.head, way[0]) + together(share.tail, way[1]),
        )
        linked = tuple(zip((share.head, share.tail), asked, strict=True))
        hows = [f"of {label(each)} itself" for each in (head, tail) if (each, each) in linked][:1]
        hows += [
            f"{label(one)} is {'' if together(one, other) > MOSTLY else 'at times '}grouped with {label(other)}"
            for one, other in linked
            if one != other and together(one, other) > AT_TIMES
        ]
        return ", ".join(hows) or f"usual {'within' if together(share.head, share.tail) > MOSTLY else 'between'} groups"

    def _alike(self, one: int, other: int, among: Collection[str] = TOGETHER) -> str:
        label = self._dataset.vocabulary.class_label
        shared = self.shared(one, other, among)
        return f"{label(one)} is like {label(other)}" + (f": {'; '.join(shared)}" if shared else "")

    def shared(self, one: int, other: int, among: Collection[str] = TOGETHER) -> list[str]:
        """The rarest features that two classes share, of some blocks."""
        common = []
        for block in self._parts.blocks.values():
            if block.name != "chars" and block.name in among:
                mine, theirs = (slice(*block.rows.indptr[c : c + 2]) for c in (one, other))
                both = np.intersect1d(block.rows.indices[mine], block.rows.indices[theirs])
                common += [
                    (n, block, f)
                    for n, f in zip(self._frequency(block.name)[both].tolist(), both.tolist(), strict=True)
                ]
        common.sort(key=itemgetter(0))
        told: dict[str, None] = {}
        # words are made only of what is told: of two that are as rare the first by its words
        for _, rare in groupby(common, key=itemgetter(0)):
            words = sorted(block.describe(f) for _, block, f in rare)
            told.update(dict.fromkeys(each for each in words if not _NUMBER.fullmatch(each)))
            if len(told) >= FEATURES:
                break
        return list(told)[:FEATURES]

    def _frequency(self, block: str) -> Ids:
        if block not in self._frequencies:
            rows = self._parts.blocks[block].rows
            self._frequencies[block] = np.bincount(rows.indices, minlength=rows.shape[1]).astype(np.int32)
        return self._frequencies[block]

    def _remainder(self, name: str, tail: int) -> str:
        label = self._dataset.vocabulary.class_label(tail)
        count = int(self._parts.evidence.target.told[self._parts.evidence.target.tail_place[tail]])
        if name in map(like, self._parts.blocks):
            return f"head and tail are {name}"
        if name in self._parts.evidence.links:
            return f"head and tail are {name}"
        if name in self._parts.evidence.given:
            return f"score of another model ({name})"
        if name in GROUPINGS:
            return "what is expected of any two groups"
        if name == ITSELF:
            return "no training axiom joins a class with itself"
        return (
            "follows already, or never can"
            if name == ENTAILED
            else f"{label} is the tail of {counted(count, 'axiom')} ({name})"
        )

"""Semantic measures: a prediction near the truth is better than one far from it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from elgeo.arrays import Floats, Ids, Places
from elgeo.evaluation.measures.cafa import Cafa, Proteins, cafa, propagate
from elgeo.evaluation.measures.hierarchy import ClassHierarchy, information_accretion, lin
from elgeo.evaluation.ranking.best import best
from elgeo.evaluation.ranking.known import Known
from elgeo.evaluation.ranking.ranks import Ranks
from elgeo.evaluation.ranking.scoring import Contest

CAFA_CHUNK = 8
"""Proteins at a time; each needs a histogram over all thresholds."""


def lin_hits(
    contest: Contest,
    ranks: Ranks,
    hierarchy: ClassHierarchy,
    content: Floats,
    k: int,
    known: Known | None,
    without_head: bool,
    generator: np.random.Generator,
) -> float:
    """Hits@k with Lin similarity: the mean over axioms of the best similarity of the truth to one of the top k.

    The top k are chosen among the candidates that are not known; the truth itself is never removed. Ties are broken by
    chance, the same for all heads.
    """
    if not len(ranks):
        return float("nan")
    priority = generator.permutation(len(contest.candidates))
    heads, row = np.unique(ranks.heads, return_inverse=True)
    # an answer that is known and yet asked for (an entailed axiom) stays in the ranking of its head
    removed = known.without(ranks.heads, ranks.answers) if known is not None else None
    top = best(contest, heads.astype(np.int32), k, removed, without_head, priority).classes
    found = top[row]
    shown = found >= 0
    similarity = np.zeros(found.shape)
    truths = np.broadcast_to(ranks.answers[:, None], found.shape)
    similarity[shown] = lin(hierarchy, content, truths[shown], found[shown])
    return float(similarity.max(axis=1).mean())


def superclass_ranks(
    contest: Contest, ranks: Ranks, hierarchy: ClassHierarchy, known: Known | None, without_head: bool = False
) -> Floats:
    """Average ranks in which a superclass of the truth, being entailed by it, counts as half a mistake.

    rank − ½·(superclasses of the truth ranked above it + ½·those with the same score); known ones are not counted,
    since they are not in the ranking.
    """
    credit = np.zeros(len(ranks))
    n_classes = len(hierarchy.start) - 1
    known = known or Known.nothing(n_classes)
    position = contest.positions(n_classes)
    order = np.argsort(ranks.heads, kind="stable")
    sizes = np.diff(hierarchy.start)[ranks.answers[order]]
    step = max(1, (1 << 20) // max(1, int(sizes.max(initial=1))))
    for first in range(0, len(order), step):
        part = order[first : first + step]
        axiom, above = _expand(hierarchy, ranks.answers[part])
        heads, truth = ranks.heads[part][axiom], ranks.answers[part][axiom]
        counts = (position[above] >= 0) & (above != truth)
        if without_head:
            counts &= above != heads
        counts[counts] = ~known.contains(heads[counts], above[counts])
        axiom, above, heads, truth = (values[counts] for values in (axiom, above, heads, truth))
        score, true_score = contest.exact(heads, above), contest.exact(heads, truth)
        half = 0.5 * (score > true_score) + 0.25 * (score == true_score)
        credit[part] = np.bincount(axiom, half, len(part))
    return np.asarray(ranks.average - credit)


def _expand(hierarchy: ClassHierarchy, classes: Ids) -> tuple[NDArray[np.int64], Ids]:
    """All superclasses of the classes one after the other, and whose they are."""
    sizes = hierarchy.start[classes + 1] - hierarchy.start[classes]
    owner = np.repeat(np.arange(len(classes)), sizes)
    offset = np.arange(len(owner)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return owner, hierarchy.above[hierarchy.start[classes][owner] + offset]


def function_measures(
    contest: Contest, heads: Ids, answers: Ids, hierarchy: ClassHierarchy, trained: Known, filtered: bool
) -> Cafa:
    """Fmax, weighted Fmax and Smin of predicted functions; `trained` are the propagated training annotations.

    Filtered, a term already known of a protein counts neither as predicted nor as true for it.
    """
    parents = hierarchy.parents(contest.candidates)
    accretion = information_accretion(trained, parents)[contest.candidates]
    truth = hierarchy.propagated(heads, answers)
    position = contest.positions(len(hierarchy.start) - 1)
    order, start, columns = upwards(hierarchy, parents, contest.candidates, position)
    proteins = np.unique(heads).astype(np.int32)

    def flags(rows: Ids, known: Known) -> NDArray[np.bool_]:
        marks = np.zeros((len(rows), len(contest.candidates)), np.bool_)
        for i, row in enumerate(rows):
            places = position[known.of(int(row))]
            marks[i, places[places >= 0]] = True
        return marks

    def chunks() -> Iterator[Proteins]:
        for part in contest.chunks(proteins):
            scores = contest.bulk(proteins[part])
            propagate(scores, order, start, columns)
            for first in range(0, len(scores), CAFA_CHUNK):
                rows = proteins[part][first : first + CAFA_CHUNK]
                counted = ~flags(rows, trained) if filtered else np.ones((len(rows), scores.shape[1]), np.bool_)
                yield Proteins(scores[first : first + CAFA_CHUNK], flags(rows, truth), counted)

    return cafa(chunks, accretion)


def upwards(
    hierarchy: ClassHierarchy, parents: ClassHierarchy, candidates: Ids, position: Ids
) -> tuple[Places, Places, Ids]:
    """The columns from the lowest up, and those directly above each (all above it where classes are equivalent)."""
    owner, above = _expand(hierarchy, candidates)
    inside = position[above] >= 0
    owner, above = owner[inside], above[inside]
    heights = np.bincount(owner, minlength=len(candidates))
    # what is strictly below a class has more above it, so as many means equivalent
    equal = (heights[position[above]] == heights[owner]) & (above != candidates[owner])
    if not equal.any():
        owner, above = _expand(parents, candidates)
    start = np.searchsorted(owner, np.arange(len(candidates) + 1)).astype(np.int64)
    return np.argsort(-heights, kind="stable"), start, position[above]


def has_hierarchy(hierarchy: ClassHierarchy, classes: Ids) -> bool:
    """Whether one of the classes is below another."""
    owner, above = _expand(hierarchy, classes)
    return bool((np.isin(above, classes) & (above != classes[owner])).any())

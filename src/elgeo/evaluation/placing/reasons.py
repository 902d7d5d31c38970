"""Why a class is suggested, in words: habits of names, classes with like texts that have it, its own words."""

from __future__ import annotations

import numpy as np

from elgeo.models.placement.evidence import MIXED, NameEvidence, SeenTerms
from elgeo.ontology.short_names import short_form

MOST = 3
"""Classes that are named in one reason."""
ALIKE = 0.3
"""Likeness of texts that is worth a word."""
SENTENCES = {
    "same": "classes called “{frame}” are so related to what stands for the dots",
    "broader": "classes called “{frame}” are so related to something broader than what stands for the dots",
    "fixed": "classes called “{frame}” have just this",
}


def reasons(evidence: NameEvidence, seen: SeenTerms, row: int, role: int | None, end: int) -> tuple[str, ...]:
    """What speaks for a class, a number of `Knowledge`, as the end of a role of a term; the plainest first."""
    found = []
    for sort, sentence in SENTENCES.items():
        clue = seen.clues[row].get((sort, (role, end)))
        if clue is not None:
            words = sentence.format(frame=" ".join([*clue.frame[0], "…", *clue.frame[1]]))
            found.append((clue.share, f"{clue.having:,} of {clue.members:,} {words}"))
    told = [text for _, text in sorted(found, key=lambda item: -item[0])]
    if near := _neighbours(evidence, seen, row, role, end):
        told.append(f"so has what has like texts: {near}")
    likeness = float(np.mean([rows[[row], [end]].item() for rows in seen.alike.values()]))
    if likeness >= ALIKE:
        told.append(f"its own texts are alike ({likeness:.2f})")
    return tuple(told)


def _neighbours(evidence: NameEvidence, seen: SeenTerms, row: int, role: int | None, end: int) -> str:
    near = seen.near[MIXED]
    first, last = near.indptr[row], near.indptr[row + 1]
    classes, weights = near.indices[first:last], near.data[first:last]
    has = np.asarray(evidence.told[role][classes][:, [end]].toarray()).ravel() > 0
    order = np.argsort(-weights[has], kind="stable")[:MOST]
    names = evidence.knowledge.dataset.vocabulary
    ids = evidence.knowledge.ids[classes[has][order]]
    return ", ".join(f"{names.class_label(c)} ({short_form(names.classes[c])})" for c in ids.tolist())

"""What a person should know of predictions that are not shown, or of what nobody looked at."""

from __future__ import annotations

import numpy as np

from elgeo.arrays import Ids, Table
from elgeo.datasets.model import Dataset
from elgeo.evaluation.entailments import Entailments
from elgeo.evaluation.predictions.all_pairs import Pairs
from elgeo.evaluation.ranking.scoring import Contest, Side
from elgeo.messages import counted
from elgeo.ontology.short_names import called, listed, role_called


def impossible(entailments: Entailments, asked: Ids, given: Side | None) -> list[str]:
    """Notes on classes that can have no instance: all is said of them already, and nothing can lead to them."""
    names, saturation = entailments.dataset.vocabulary, entailments.reasoner.saturation
    if not saturation.consistent:
        return ["the training axioms are inconsistent: every class is unsatisfiable, and everything follows"]
    classes = asked[saturation.unsatisfiable[asked]].tolist()
    if not classes:
        return []
    what = {
        "tail": "it can have no instance, so every axiom about it follows already",
        "head": "it can have no instance, so nothing can be joined to it",
        None: "they can have no instance, so every axiom about them follows already",
    }[given or ("tail" if len(classes) == 1 else None)]
    return [f"unsatisfiable: {listed(names, classes)}; {what} (`elgeo explain FILE --unsatisfiable` says why)"]


def beyond(dataset: Dataset) -> list[str]:
    """A note where statuses may lack something for axioms that EL++ cannot say in full."""
    if not dataset.forms.unsupported:
        return []
    axioms, limits = counted(len(dataset.forms.unsupported), "axiom"), dataset.forms.limits.n_axioms
    use = f" ({limits:,} of them to rule suggestions out)" if limits else ""
    return [
        f"{axioms} beyond EL++ used in part{use}: what only the rest of them contradicts or entails is called novel"
    ]


def ruled_out(entailments: Entailments, dismissed: list[Table]) -> list[str]:
    """A note on pairs that were dismissed for what EL++ cannot say, with the first of them."""
    if not len(entailments.dataset.forms.limits) or not dismissed:
        return []
    rows, names = np.concatenate(dismissed), entailments.dataset.vocabulary
    by = [(row, text) for row, text in zip(rows.tolist(), entailments.ruled_out_by(rows), strict=True) if text]
    if not by:
        return []
    (head, *role, tail), text = by[0]
    said = " ".join([called(names, head), role_called(names, role[0]) if role else "is a", called(names, tail)])
    return [f"left out: {counted(len(by), 'pair')} ruled out by axioms beyond EL++, the first, {said}, by {text}"]


def left_out(
    contest: Contest, shown: Pairs, top: int, of_one_class: bool, of_lineage: Table, mirrors: Table
) -> list[str]:
    """A note on pairs that follow from nothing and yet are not shown; for one class on those alone that would be."""
    said = []
    for pairs, what in (
        (of_lineage, "of a class and one above or below it (`lineage`)"),
        (mirrors, "whose mirror follows (`mirrored`)"),
    ):
        count = len(pairs)
        if of_one_class and len(shown.scores) == top:
            count = int((contest.exact(pairs[:, 0], pairs[:, 1]) >= shown.scores.min()).sum())
        if count:
            said.append(f"{counted(count, 'pair')} {what}")
    return [f"left out: {', '.join(said)}; see --exclude"] if said else []

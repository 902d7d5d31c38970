"""What a finished dataset says of its making: what was left out on the way, and what leaks."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from elgeo.datasets.drops import Drops
from elgeo.datasets.model import Dataset
from elgeo.datasets.splits.leakage import measured
from elgeo.ontology.vocabulary import Kind
from elgeo.reasoning.saturation.saturate import saturate


def finished(dataset: Dataset, drops: Drops) -> Dataset:
    """The dataset with its record complete; axioms that EL++ cannot say in full are added to the drops."""
    source = dataset.forms.source
    for kind, number in dataset.forms.unsupported:
        why = f"axioms that EL++ cannot say in full ({kind})"
        drops.add(why, source.text(int(source.axiom_nodes[number])) if source else f"axiom {number}")
    drops_by_reason = dict(sorted(drops.counts.items()))
    found = {"drops": drops_by_reason, "leakage": measured(dataset), **_impossible(dataset)}
    return replace(dataset, record={**dataset.record, **found})


def _impossible(dataset: Dataset) -> dict[str, Any]:
    """For the record: the named classes that can have no instance, where there are any."""
    saturation, words = saturate(dataset.forms), dataset.vocabulary
    if not saturation.consistent:
        return {"inconsistent": True}
    classes = np.flatnonzero(saturation.unsatisfiable[: words.n_classes] & (words.class_kinds == Kind.NAMED)).tolist()
    return {"unsatisfiable": sorted(words.classes[c] for c in classes)} if classes else {}

"""What a finished dataset says of its making: what was left out on the way, and what leaks."""

from __future__ import annotations

from dataclasses import replace

from elgeo.datasets.drops import Drops
from elgeo.datasets.model import Dataset
from elgeo.datasets.splits.leakage import measured


def finished(dataset: Dataset, drops: Drops) -> Dataset:
    """The dataset with its record complete; axioms that EL++ cannot say in full are added to the drops."""
    source = dataset.forms.source
    for kind, number in dataset.forms.unsupported:
        why = f"axioms that EL++ cannot say in full ({kind})"
        drops.add(why, source.text(int(source.axiom_nodes[number])) if source else f"axiom {number}")
    drops_by_reason = dict(sorted(drops.counts.items()))
    return replace(dataset, record={**dataset.record, "drops": drops_by_reason, "leakage": measured(dataset)})

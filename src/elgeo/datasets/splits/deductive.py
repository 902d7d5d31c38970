"""A dataset of deduction: trained on all that is asserted, tested on what follows and is not asserted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from elgeo.arrays import Table
from elgeo.datasets.assemble import assemble
from elgeo.datasets.drops import Drops
from elgeo.datasets.model import Dataset
from elgeo.datasets.named_pairs import NamePair
from elgeo.datasets.splits.whole_ontology import WholeSplit
from elgeo.errors import ElgeoError, SettingError
from elgeo.keys import contained
from elgeo.ontology import normalise
from elgeo.ontology.normal_forms import NormalForms
from elgeo.ontology.vocabulary import Kind
from elgeo.reasoning.saturation.saturate import Saturation, saturate


@dataclass(frozen=True)
class Deduction(WholeSplit):
    """Which ontology, and how what follows from it is divided into valid and test.

    Only their shares count: training has everything that is asserted.
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.shares[1] + self.shares[2]:
            raise SettingError(
                "--deductive divides what follows into valid and test: give one of them a share at least"
            )


def deduce(recipe: Deduction, say: Callable[[str], None] = lambda _: None) -> tuple[Dataset, Drops]:
    """C ⊑ D between named classes: asserted ones are training, all others that follow are valid and test."""
    ontology, sources = recipe.read(say)
    say("classifying")
    forms = normalise(ontology)
    saturation = saturate(forms)
    if not saturation.consistent:
        raise ElgeoError(
            f"{recipe.ontology}: its axioms contradict each other, so everything follows (elgeo explain says how)"
        )
    asserted, entailed = _subsumptions(forms, saturation)
    if not len(asserted) or not len(entailed):
        what = "no C ⊑ D between named classes is asserted" if not len(asserted) else "nothing more follows"
        raise ElgeoError(f"{recipe.ontology}: {what}, so there is nothing to deduce")
    valid_share = recipe.shares[1] / (recipe.shares[1] + recipe.shares[2])
    order = np.random.default_rng(recipe.seed).permutation(len(entailed))
    cut = round(len(entailed) * valid_share)
    rows = {"train": asserted, "valid": entailed[np.sort(order[:cut])], "test": entailed[np.sort(order[cut:])]}
    say(f"{len(asserted):,} C ⊑ D are asserted, {len(entailed):,} more follow")
    settings = {"deductive": True, "shares": [round(share, 9) for share in recipe.shares], "seed": recipe.seed}
    dataset = assemble(
        name=recipe.name,
        ontology=ontology,
        role=None,
        parts={part: _names(forms, table) for part, table in rows.items()},
        kind_of=lambda iri, is_individual: "individual" if is_individual else "class",
        head_kind="class",
        tail_kind="class",
        record={"made_by": "split", "settings": settings, "sources": sources},
        individuals=(False, False),
    )
    return dataset, Drops()


def _subsumptions(forms: NormalForms, saturation: Saturation) -> tuple[Table, Table]:
    """Asserted, and further entailed, strict C ⊑ D between named classes; unsatisfiable classes have none of these."""
    n = forms.vocabulary.n_classes
    named = forms.vocabulary.class_kinds == Kind.NAMED
    heads = np.repeat(np.arange(n), np.diff(saturation.subsumer_start)[:n]).astype(np.int32)
    tails = saturation.subsumers[: len(heads)].astype(np.int32)
    real = (tails < n) & (heads != tails) & named[heads] & ~saturation.unsatisfiable[heads]
    real[real] &= named[tails[real]]
    every = np.column_stack([heads[real], tails[real]])
    told = forms.subclass[named[forms.subclass].all(axis=1)]
    return told, every[~contained(every, told)]


def _names(forms: NormalForms, rows: Table) -> list[NamePair]:
    classes = forms.vocabulary.classes
    return [(classes[c], classes[d]) for c, d in rows.tolist()]

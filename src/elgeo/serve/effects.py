"""What more follows when axioms are added: between names, counted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from elgeo.arrays import Ids
from elgeo.evaluation.entailments import Entailments
from elgeo.ontology.normal_forms import NormalForms
from elgeo.ontology.vocabulary import Kind
from elgeo.reasoning import Reasoner
from elgeo.reasoning.closure.base import Closure
from elgeo.reasoning.taxonomy.listing import count_subsumptions

Rows = dict[str, list[tuple[int, ...]]]
"""By normal form."""


class Effect(NamedTuple):
    """What axioms bring; they are among what follows."""

    added: int
    new: int
    """How many of them did not follow before."""
    subsumptions: int
    """How many more C ⊑ D follow between named classes."""
    links: int | None
    """How many more C ⊑ ∃R.D follow between names; None where a class became empty, of which everything follows."""
    unsatisfiable: Ids
    """Named classes that became empty, by what EL++ cannot say too."""


def effect(entailments: Entailments, rows: Mapping[str, list[tuple[int, ...]]]) -> Effect:
    """Add rows to the training axioms of a dataset, and saturate anew."""
    words, forms, before = entailments.dataset.vocabulary, entailments.dataset.forms, entailments.closure
    more = {form: np.array(each, np.int32).reshape(-1, forms[form].shape[1]) for form, each in rows.items()}
    tables = {**forms.tables, **{form: np.concatenate([forms[form], table]) for form, table in more.items()}}
    after = Reasoner(NormalForms(words, tables, limits=forms.limits)).closure()
    now, then = (each.unsatisfiable[: words.n_classes] for each in (after, before))
    emptied = np.flatnonzero(now & ~then & (words.class_kinds == Kind.NAMED)).astype(np.int32)
    links = None
    if not len(emptied):
        links = links_between_names(after) - entailments.once("links", lambda: links_between_names(before))
    return Effect(
        sum(map(len, rows.values())),
        sum(int((~before.contains(form, np.unique(table, axis=0))).sum()) for form, table in more.items()),
        count_subsumptions(after.saturation) - count_subsumptions(before.saturation),
        links,
        emptied,
    )


def links_between_names(closure: Closure) -> int:
    """How many C ⊑ ∃R.D follow between names, of what is satisfiable."""
    empty = closure.saturation.unsatisfiable
    return sum(int((~empty[table[:, 0]]).sum()) for table in closure.tables("existential"))

"""`Problem`: what of an ontology the construction of boxes works on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from elgeo.arrays import Flags, Table
from elgeo.models.boxes.rules import BoxRules, rules_of
from elgeo.models.boxes.widths import WidthRules
from elgeo.ontology.vocabulary import BOTTOM, TOP, TOP_ROLE, Kind
from elgeo.reasoning.saturation.saturate import Saturation


@dataclass(frozen=True, eq=False)
class Problem:
    """Axioms as rules, and what is known of the classes before any has a place."""

    n_classes: int
    n_roles: int
    books: tuple[BoxRules, BoxRules]
    """The axioms twice: where one side of C ⊓ D has to be lowered it is the smaller class, or rather a fresh one."""
    roles: WidthRules
    existential: Table
    """C ⊑ ∃r.D between classes that are not empty, without the universal role."""
    empty: Flags
    """Classes that can have no point."""
    points: Flags
    """Individuals, and classes below one: they are to have exactly one point."""
    bounded: bool
    """Whether a domain is said of a role, ∃r.⊤ ⊑ C, so that a bound of Δ makes a difference."""

    @classmethod
    def of(cls, saturation: Saturation) -> Problem:
        forms = saturation.forms
        kinds = forms.vocabulary.class_kinds
        n = len(kinds)
        empty = saturation.unsatisfiable.copy()
        empty[BOTTOM] = True
        named = _below_individuals(saturation, np.asarray(kinds == Kind.INDIVIDUAL), empty)
        points = np.asarray(kinds == Kind.INDIVIDUAL)
        points[named[:, 1]] = True
        tables = {**forms.tables, "subclass": np.concatenate([forms.subclass, named, _everything(saturation)])}
        burden = np.bincount(saturation.subsumers, minlength=n)
        fresh_first = np.where(kinds == Kind.FRESH, 0, burden + 1)
        rows = forms.existential
        return cls(
            n,
            forms.vocabulary.n_roles,
            (rules_of(n, tables, empty, burden), rules_of(n, tables, empty, fresh_first)),
            WidthRules.of(forms),
            rows[~empty[rows[:, 0]] & (rows[:, 1] != TOP_ROLE)],
            empty,
            points & ~empty,
            bool((forms.left_existential[:, 1] == TOP).any()),
        )


def _below_individuals(saturation: Saturation, individual: Flags, empty: Flags) -> Table:
    """{a} ⊑ C for each class C below {a}: a class that has a point there has that of a."""
    heads = np.repeat(np.arange(len(individual)), np.diff(saturation.subsumer_start))
    found = individual[saturation.subsumers] & ~empty[heads] & (heads != saturation.subsumers)
    return np.stack([saturation.subsumers[found], heads[found]], axis=1).astype(np.int32)


def _everything(saturation: Saturation) -> Table:
    """⊤ ⊑ C for the ranges of roles, and for what has a role to itself: with translations that is everything."""
    forms = saturation.forms
    classes = np.concatenate([forms["range"][:, 1], forms["left_self"][:, 1]])
    return np.stack([np.full(len(classes), TOP), classes], axis=1).astype(np.int32)

"""`Problem`: what of an ontology the construction of boxes works on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from elgeo.arrays import Flags, Table
from elgeo.models.boxes.attempts import AxiomRules
from elgeo.models.boxes.rules import rules_of
from elgeo.models.boxes.tables import RoleRules
from elgeo.ontology.vocabulary import BOTTOM, TOP, TOP_ROLE, Kind
from elgeo.reasoning.saturation.saturate import Saturation


@dataclass(frozen=True, eq=False)
class Problem:
    """Axioms as rules, and what is known of the classes before any has a place."""

    n_classes: int
    n_roles: int
    axioms: AxiomRules
    empty: Flags
    """Classes that can have no point."""
    points: Flags
    """Individuals, and classes below one: they are to have exactly one point."""
    pinned: Flags
    """Points that have to be the one in the middle: something that is no point lies in them."""

    @classmethod
    def of(cls, saturation: Saturation, unsatisfiable: Flags | None = None) -> Problem:
        """The problem of a saturation; more may be `unsatisfiable` than it knows, by what follows from an instance."""
        forms = saturation.forms
        kinds = forms.vocabulary.class_kinds
        n = len(kinds)
        empty = (saturation.unsatisfiable if unsatisfiable is None else unsatisfiable)[:n].copy()
        empty[BOTTOM] = True
        named = _below_individuals(saturation, np.asarray(kinds == Kind.INDIVIDUAL), empty)
        points = np.asarray(kinds == Kind.INDIVIDUAL)
        points[named[:, 1]] = True
        points &= ~empty
        tables = {**forms.tables, "subclass": np.concatenate([forms.subclass, named, _everything(saturation, empty)])}
        burden = np.bincount(saturation.subsumers, minlength=n)
        rows = forms.existential
        rows = np.ascontiguousarray(rows[~empty[rows[:, 0]] & (rows[:, 1] != TOP_ROLE)])
        axioms = AxiomRules(rules_of(n, tables, empty, burden), RoleRules.of(forms, empty), rows, empty)
        return cls(n, forms.vocabulary.n_roles, axioms, empty, points, _pinned(tables, points))


def _pinned(tables: Mapping[str, Table], points: Flags) -> Flags:
    """Points above some ∃r.C, or above the common part of two classes that are none."""
    found = np.zeros_like(points)
    found[tables["left_existential"][:, 2]] = True
    conjunction = tables["conjunction"]
    found[conjunction[~points[conjunction[:, :2]].any(axis=1), 2]] = True
    return found & points


def _below_individuals(saturation: Saturation, individual: Flags, empty: Flags) -> Table:
    """{a} ⊑ C for each class C below {a}: a class that has a point there has that of a."""
    heads = np.repeat(np.arange(len(individual)), np.diff(saturation.subsumer_start))
    found = individual[saturation.subsumers] & ~empty[heads] & (heads != saturation.subsumers)
    return np.stack([saturation.subsumers[found], heads[found]], axis=1).astype(np.int32)


def _everything(saturation: Saturation, empty: Flags) -> Table:
    """⊤ ⊑ C for the ranges of roles, and for what has a role to itself: every point is met, and may be so by itself."""
    forms = saturation.forms
    classes = np.concatenate([forms["range"][:, 1], forms["left_self"][:, 1]])
    classes = classes[~empty[classes]]
    return np.stack([np.full(len(classes), TOP), classes], axis=1).astype(np.int32)

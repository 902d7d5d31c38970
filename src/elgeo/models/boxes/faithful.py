"""`faithful`: a geometric interpretation in which every axiom of the ontology is true, made by construction."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from elgeo.arrays import Flags, Ids, Table
from elgeo.datasets.model import Dataset
from elgeo.errors import SettingError
from elgeo.models.boxes.disjoint import Separator
from elgeo.models.boxes.greedy import GreedyFill
from elgeo.models.boxes.halves import Halves
from elgeo.models.boxes.numbers import LAST, NOTHING, POINTS
from elgeo.models.boxes.point_sets import PointSets
from elgeo.models.boxes.pool import AxiomPool
from elgeo.models.boxes.problem import Problem
from elgeo.models.boxes.report import axiom_text, false_axioms, shares_by_part, summary
from elgeo.models.boxes.scores import BoxScorer
from elgeo.models.closed import Closed, Inclusion
from elgeo.models.contract import Arrays, Fitted, Geometry
from elgeo.models.lefts import PlacesLefts
from elgeo.models.pictures import Shape, boxes_in_plane
from elgeo.ontology.normal_forms import FORMS
from elgeo.ontology.vocabulary import TOP, Kind
from elgeo.reasoning.closure.modes import closure_of
from elgeo.reasoning.questions.expressions import And, Atom, Expression, Some
from elgeo.reasoning.saturation.saturate import Saturation, saturate
from elgeo.settings import check, setting

BOX = ("class_lower", "class_upper")
NO_REASON = "no place was found in which it is true"
SMALL = 11_000
"""Axioms up to which half dimensions are looked for as hard as can be."""
SAID = 20
"""False axioms that are said; the record of the run has all."""


@dataclass(frozen=True)
class FaithfulSettings:
    """How many dimensions there are, and how hard each is looked for."""

    dimension: int = setting(50, "dimensions of the boxes; each makes more false that does not follow", least=1)
    proposals: int = setting(
        0, "proposals for each half dimension, of which the best is taken; 0: by the size of the data", least=0
    )
    rounds: int = setting(
        0,
        "how often proposals are made: from the second time on they vary the best; 0: by the size of the data",
        least=0,
    )
    pool: int = setting(
        2000, "axioms of each form and role that do not follow, against which proposals are measured", least=1
    )

    def __post_init__(self) -> None:
        check(self)

    def effort(self, axioms: int) -> tuple[int, int]:
        """Proposals and rounds for so many axioms: each takes the longer the more there are."""
        share = min(1.0, SMALL / max(axioms, 1))
        return self.proposals or round(64 * share**0.25), self.rounds or math.ceil(20 * share**0.5)


class Faithful(Fitted, Geometry, Closed, PlacesLefts):
    """Classes are boxes of whole points; a role says for each point of a dimension which points it relates to it.

    These are intervals that touch, so ∃r.C is a box, and the points with these sets are an interpretation: whatever
    follows from axioms that are true in it is true in it. The axioms split into inequalities in each half dimension,
    which a least fixpoint makes true from any start; the starts are chosen so that what does not follow becomes false.
    See docs/faithful.md.
    """

    name = "faithful"
    paper = "our own; boxes that are closed under all of EL, as in Yang, Chen, Sattler 2024: TransBox"
    Settings = FaithfulSettings

    def __init__(self, halves: Halves, findings: Mapping[str, Any] | None = None) -> None:
        self.halves = halves
        self._findings = dict(findings or {})

    @classmethod
    def fit(cls, dataset: Dataset, settings: Any, generator: np.random.Generator, say: Callable[[str], None]) -> Self:
        saturation = saturate(dataset.forms)
        if not saturation.consistent:
            raise SettingError(
                f"{dataset.name} has no model, so no geometry either: its axioms contradict each other"
                " (elgeo explain says how)"
            )
        # what holds only where a class has an instance asks nothing more of boxes, but that some have none
        plain = saturation.unconditional or saturation
        _refuse_one_point(plain, dataset.name)
        problem = Problem.of(plain, saturation.unsatisfiable)
        apart = Separator(problem, dataset.forms, plain.subsumees_of).dimensions()
        if len(apart) > settings.dimension:
            raise SettingError(
                f"dimension has to be at least {len(apart)}, not {settings.dimension}: disjoint classes need so many"
            )
        builder = GreedyFill(problem, settings.dimension, generator)
        for dimension in apart:
            builder.put(dimension.classes, dimension.roles)
        pool = AxiomPool(dataset, closure_of(saturation, "complete"), settings.pool, generator)
        asserted = sum(len(dataset.forms[form]) for form in FORMS)
        proposals, rounds = settings.effort(asserted)
        builder.fill(pool, proposals, rounds, say, lambda: summary(pool))
        pool.measure(builder.halves)
        names, halves = dataset.vocabulary, builder.halves
        wrong = [f"{axiom_text(names, form, row)} ({NO_REASON})" for form, row in false_axioms(halves, dataset.forms)]
        for each in wrong[:SAID]:
            say(f"false: {each}")
        return cls(
            halves,
            {
                "asserted": asserted,
                "proposals": proposals,
                "rounds": rounds,
                "false": wrong,
                "dimensions_of_disjointness": len(apart),
                "true_without_following": shares_by_part(pool, names),
            },
        )

    def arrays(self) -> Arrays:
        return {"classes": self.halves.classes, "roles": self.halves.roles}

    @classmethod
    def restore(cls, dataset: Dataset, settings: Any, arrays: Mapping[str, NDArray[Any]]) -> Self:
        names, width = dataset.vocabulary, 2 * settings.dimension
        if "limits" in arrays:
            raise SettingError(
                f"these numbers of {cls.name} were made when roles were boxes of translations, which are not read any"
                " more: train again"
            )
        wanted = {"classes": (names.n_classes, width), "roles": (names.n_roles, width, POINTS)}
        found = {name: array.shape for name, array in arrays.items()}
        if found != wanted or any(array.dtype != np.int8 for array in arrays.values()):
            raise SettingError(
                f"the numbers of {cls.name} have the shapes {wanted}, in the file they have {found}: were they made of"
                " another dataset or dimension?"
            )
        for name, array in arrays.items():
            if not ((np.abs(array.astype(np.int16)) <= LAST) | (array == NOTHING)).all():
                raise SettingError(f"the numbers of {cls.name} lie between {-LAST} and {LAST}, some {name} do not")
        return cls(Halves(*(np.ascontiguousarray(arrays[name]) for name in wanted)))

    def findings(self) -> dict[str, Any]:
        return self._findings

    @property
    def judged_forms(self) -> tuple[str, ...]:
        return tuple(FORMS)

    def holds(self, form: str, rows: Table, tolerance: float = 0.0) -> Flags:
        """Whether each axiom is true; numbers are whole, so no tolerance is needed or used."""
        return self.halves.holds(form, rows)

    def includes(self, left: Expression, right: Expression, tolerance: float = 0.0) -> Inclusion:
        """Of any two EL expressions, without tolerance; see `point_sets.py`."""
        return PointSets(self.halves).includes(left, right)

    def with_expressions(self, expressions: Sequence[Expression]) -> BoxScorer:
        """Where boxes of an intersection are apart, its place is between them."""
        sets = PointSets(self.halves)
        more = [sets.of(expression).numbers[None] for expression in expressions]
        return BoxScorer(Halves(np.concatenate([self.halves.classes, *more]), self.halves.roles))

    def with_lefts(self, form: str, lefts: Table) -> BoxScorer:
        """C ⊓ D and ∃R.C are expressions like any other."""
        if form == "conjunction":
            return self.with_expressions([And((Atom(c), Atom(d))) for c, d in lefts.tolist()])
        return self.with_expressions([Some(role, Atom(c)) for role, c in lefts.tolist()])

    def embeddings(self) -> Arrays:
        """Corners of the boxes of classes, and of ∃r.{y} for each point y of a dimension; NaN for what is empty."""
        return dict(self.halves.corners())

    def picture(self, classes: Ids) -> list[Shape]:
        """Boxes cut off a little beyond the last corner that is not the end; an empty class is a dot in the middle."""
        corners = self.halves.corners()
        lower, upper = (np.nan_to_num(corners[name][classes]) for name in BOX)
        ends = np.abs(np.stack([lower, upper]))
        reach = 1.1 * np.where(ends < LAST, ends, 0).max(axis=(0, 1), initial=1)
        lower, upper = np.clip(lower, -reach, reach), np.clip(upper, -reach, reach)
        return boxes_in_plane((lower + upper) / 2, (upper - lower) / 2)

    def scorer(self) -> BoxScorer:
        return BoxScorer(self.halves)


def _refuse_one_point(saturation: Saturation, name: str) -> None:
    """Refuse an ontology in which everything is one individual: all that is true could only be so of one point."""
    names = saturation.forms.vocabulary
    above = saturation.subsumers_of(TOP)
    for a in above[names.class_kinds[above] == Kind.INDIVIDUAL][:1].tolist():
        raise SettingError(
            f"in {name} everything is {names.class_label(a)} (owl:Thing SubClassOf {{{names.class_label(a)}}} follows):"
            " a geometry would be one point"
        )

"""`transbox`: classes as boxes, roles as boxes of translations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from elgeo.errors import UnsupportedError
from elgeo.models.box_models.model import BoxModel, BoxSettings, Penalty
from elgeo.models.box_models.regions import BoxOf, Region, Regions
from elgeo.models.box_models.scores import TermScorer
from elgeo.models.box_models.terms import (
    Box,
    BoxLoss,
    BoxTerm,
    Common,
    Group,
    Pairs,
    box,
    difference,
    inclusions_of,
    mean_square,
    on_sphere,
)
from elgeo.models.closed import Closed, Inclusion
from elgeo.ontology.normal_forms import FORMS
from elgeo.reasoning.questions.expressions import Expression
from elgeo.settings import setting

C, D = box("c"), box("d")


def role(column: str) -> Box:
    """The translations x − y of a role from y to x."""
    return box(column, "role_centres", "role_offsets")


SUCCESSORS = C, D.spread(role("r"))
PAIRS: Pairs = {
    "subclass": [(C, D)],
    "existential": [SUCCESSORS],
    "left_existential": [(C.spread(role("r")), D)],
    "subrole": [(role("r"), role("s"))],
    "chain": [(role("r").spread(role("s")), role("t"))],
}


def every_successor() -> BoxTerm:
    """‖relu(|c − d − r| + o_c + o_d − o_r − γ)‖: each point of D is a successor of each point of C."""
    centre, _ = difference(*SUCCESSORS, (1, 1))
    c, (d, r) = C.width, SUCCESSORS[1].width
    return BoxTerm(centre, (*c, d, r.negated()), 1, -1)


@dataclass(frozen=True)
class TransBoxSettings(BoxSettings):
    """Settings of TransBox."""

    existential: Literal["plain", "enhanced"] = setting(
        "plain", "C ⊑ ∃R.D: C lies in D ⊕ R, or, as published, every point of D is a successor of all of C"
    )
    on_sphere: bool = setting(False, "whether the centres in an axiom are asked to have norm 1, as published")
    role_weight: float = setting(0.0, "λ: what the mean excess of the roles' widths over norm 1 costs", least=0)


class TransBox(BoxModel, Closed):
    """Boxes, and roles as boxes of translations: (x, y) ∈ R where x − y is in the box of R.

    So ∃R.C is the box C ⊕ R, with the sums of centres and half widths: every EL expression has a box, and what follows
    from axioms that are true is true. Parameters: `centres`, `offsets` (classes, n), `role_centres`, `role_offsets`
    (roles, n).
    """

    name = "transbox"
    paper = "Yang, Chen, Sattler 2024: TransBox: EL++-closed Ontology Embedding"
    Settings = TransBoxSettings
    settings: TransBoxSettings
    positive_forms = (*BoxModel.positive_forms, "subrole", "chain")
    advised: ClassVar[Mapping[str, Any]] = {"stop_by": "rank"}  # ranks go on rising long after the loss
    role_tables: ClassVar[tuple[str, ...]] = ("role_centres", "role_offsets")
    width_tables: ClassVar[tuple[str, ...]] = ("offsets", "role_offsets")
    individuals_are_points = True
    pairs = PAIRS
    inclusions = inclusions_of(PAIRS, C)
    common = Common(masked=True)

    def positive_loss(self, form: str) -> BoxLoss:
        enhanced = form == "existential" and self.settings.existential == "enhanced"
        loss = mean_square(every_successor()) if enhanced else super().positive_loss(form)
        return self._with_sphere(form, loss)

    def negative_loss(self, form: str) -> BoxLoss:
        return self._with_sphere(form, super().negative_loss(form))

    def _with_sphere(self, form: str, loss: BoxLoss) -> BoxLoss:
        shape = FORMS[form]
        letters = [shape.columns[i] for i in shape.class_columns]
        if not self.settings.on_sphere or not letters:
            return loss
        norms = Group(tuple(on_sphere(letter) for letter in letters), squared=False)
        return loss._replace(groups=(*loss.groups, norms))

    def includes(self, left: Expression, right: Expression, tolerance: float = 1e-5) -> Inclusion:
        """Of any two EL expressions; see `regions.py`."""
        return self._regions().includes(left, right, tolerance)

    def with_expressions(self, expressions: Sequence[Expression]) -> TermScorer:
        """Where boxes of an intersection have nothing in common, its place is between them."""
        regions = self._regions(between=True)
        found = [regions.of(expression) for expression in expressions]
        corners = [np.array(side).reshape(-1, self.settings.dimension) for side in zip(*found, strict=True)]
        lower, upper = corners or [np.zeros((0, self.settings.dimension))] * 2
        if not (np.isfinite(lower) & np.isfinite(upper)).all():
            raise UnsupportedError(
                "the expression is empty or everything, so nothing is better or worse for it: ask of a part of it"
            )
        return self._scorer_with(self.arrays(), (lower + upper) / 2, (upper - lower) / 2)

    def _regions(self, between: bool = False) -> Regions:
        arrays = self.views()

        def box_of(centres: str, offsets: str) -> BoxOf:
            def region(number: int) -> Region:
                centre, width = (arrays[name][number].astype(np.float64) for name in (centres, offsets))
                return Region(centre - np.abs(width), centre + np.abs(width))

            return region

        boxes = box_of("centres", "offsets"), box_of(*self.role_tables)
        return Regions(self.settings.dimension, *boxes, between, self.sizes.individuals)

    def penalties(self) -> tuple[Penalty, ...]:
        return (Penalty("role_offsets", self.settings.role_weight, 1.0),)

    def _scaled_together(self) -> tuple[tuple[str, ...], ...]:
        return (("centres", "offsets"), self.role_tables)

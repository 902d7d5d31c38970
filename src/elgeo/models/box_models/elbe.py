"""`elbe`: classes as boxes, roles as translations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from elgeo.models.box_models.model import BoxModel, BoxSettings
from elgeo.models.box_models.terms import (
    Box,
    Common,
    Loss,
    Part,
    Term,
    box,
    inside,
    meets,
    overlap,
    refuted,
    refuted_common,
    square,
    vanishing,
)
from elgeo.ontology.normal_forms import TAILED
from elgeo.settings import setting

C, D = box("c"), box("d")
FORTH, BACK = C.moved(Part("role_vectors", "r")), C.moved(Part("role_vectors", "r", -1))
PAIRS: dict[str, tuple[Box, Box]] = {"subclass": (C, D), "existential": (FORTH, D), "left_existential": (BACK, D)}


@dataclass(frozen=True)
class ElbeSettings(BoxSettings):
    """Settings of ELBE."""

    left_existential: Literal["inclusion", "overlap"] = setting(
        "inclusion", "∃R.C ⊑ D: the boxes have to include (true where the loss is 0) or only to meet, as published"
    )


class Elbe(BoxModel):
    """Boxes: C ⊑ D is inclusion, C ⊑ ∃R.D inclusion after a translation by R.

    Parameters: `centres` and `offsets` (classes, n), the half width is the absolute value; `role_vectors` (roles, n).
    Losses are squares of L(C, D) = ‖relu(|c − d| + o_c − o_d ∓ γ)‖. A target axiom scores −L without γ, and where that
    is 0 1 / (1 + ‖c − d‖).
    """

    name = "elbe"
    paper = "Peng, Tang, Kulmanov, Niu, Hoehndorf 2022: Description Logic EL++ Embeddings with Intersectional Closure"
    Settings = ElbeSettings
    settings: ElbeSettings
    positive_forms: ClassVar[tuple[str, ...]] = (*TAILED, "empty", "disjoint", "empty_existential")
    negative_forms: ClassVar[tuple[str, ...]] = TAILED
    class_tables: ClassVar[tuple[str, ...]] = ("centres", "offsets")
    role_tables: ClassVar[tuple[str, ...]] = ("role_vectors",)
    inclusions: ClassVar[Mapping[str, Sequence[Term]]] = {
        **{form: (inside(*pair),) for form, pair in PAIRS.items()},
        "disjoint": (overlap(C, D),),
        "empty": (vanishing(C),),
        "empty_existential": (vanishing(C),),
    }

    def positive_loss(self, form: str) -> Loss:
        if form == "conjunction":
            return Loss(common=Common())
        if form == "left_existential" and self.settings.left_existential == "overlap":
            return square(meets(*PAIRS[form]))
        return square(*self.inclusions[form])

    def negative_loss(self, form: str) -> Loss:
        how = self.settings.refutation
        return refuted_common(how) if form == "conjunction" else refuted(how, PAIRS[form])

"""`elbe`: classes as boxes, roles as translations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from elgeo.models.box_models.model import BoxModel, BoxSettings
from elgeo.models.box_models.terms import BoxLoss, Pairs, Part, box, inclusions_of, meets, square
from elgeo.settings import setting

C, D = box("c"), box("d")
FORTH, BACK = C.moved(Part("role_vectors", "r")), C.moved(Part("role_vectors", "r", -1))
PAIRS: Pairs = {"subclass": [(C, D)], "existential": [(FORTH, D)], "left_existential": [(BACK, D)]}


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
    role_tables: ClassVar[tuple[str, ...]] = ("role_vectors",)
    pairs = PAIRS
    inclusions = inclusions_of(PAIRS, C)

    def positive_loss(self, form: str) -> BoxLoss:
        if form == "left_existential" and self.settings.left_existential == "overlap":
            return square(*(meets(*pair) for pair in PAIRS[form]))
        return super().positive_loss(form)

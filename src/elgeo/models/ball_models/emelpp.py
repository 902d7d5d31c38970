"""`emelpp`: the ball model with losses for role inclusions and role chains."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from elgeo.arrays import Flags, Floats, Table
from elgeo.deferred import functional, torch
from elgeo.models.ball_models.elem import ElEmbeddings, ElSettings
from elgeo.models.ball_models.losses import POSITIVE
from elgeo.ontology.normal_forms import FORMS
from elgeo.settings import setting


@dataclass(frozen=True)
class EmElSettings(ElSettings):
    """Settings of EmEL++: those of balls, as this model has them."""

    activation: Literal["relu", "leaky"] = setting("relu", "l, what clips a loss: ReLU or LeakyReLU")
    regularisation: Literal["strict", "relaxed"] = setting(
        "strict", "centres have norm R (strict, the original model) or at most R (relaxed)"
    )
    left_existential: Literal["overlap", "inclusion"] = setting(
        "overlap", "∃R.C ⊑ D: the balls have to meet (as published) or to include (true where the loss is 0)"
    )
    clipped_negatives: bool = setting(
        False, "whether l clips the loss of C ⋢ ∃R.D; as published it falls without end as the balls part"
    )


class EmElPlusPlus(ElEmbeddings):
    """Balls and translations, with R ⊑ S and R ∘ S ⊑ T: translations that are near to each other and of one direction.

    R ⊑ S costs relu(‖s − r‖ − γ) + |1 − cos(r, s)| + reg of r, s; R ∘ S ⊑ T the same of r + s and t + reg of all. A
    role is one translation: R ⊑ S is true only where both are the same. C ⊑ D scores −l(‖c − d‖ − r_c − r_d − γ).
    """

    name = "emelpp"
    paper = "Mondal, Bhatia, Mutharaju 2021: EmEL++, Embeddings for EL++ Description Logic"
    Settings = EmElSettings
    settings: EmElSettings
    positive_forms: ClassVar[tuple[str, ...]] = (*POSITIVE, *("subrole", "chain"))
    role_forms: ClassVar[tuple[str, ...]] = ("subrole", "chain")
    subclass_meets: ClassVar[bool] = True

    def slope(self, form: str, negative: bool) -> float:
        if negative and form == "existential" and not self.settings.clipped_negatives:
            return 1.0
        return super().slope(form, negative)

    def loss(self, form: str, rows: torch.Tensor, negative: bool = False) -> torch.Tensor:
        if form in self.role_forms and not negative:
            return self.role_loss(form, rows, self.parameters["roles"])
        return super().loss(form, rows, negative)

    def role_loss(self, form: str, rows: torch.Tensor, roles: torch.Tensor) -> torch.Tensor:
        vectors = [functional.embedding(column, roles) for column in rows.T]
        left, right = (vectors[0] + vectors[1], vectors[2]) if form == "chain" else vectors
        near = torch.relu(torch.linalg.vector_norm(right - left, dim=1) - self.settings.margin)
        loss = near + (1 - functional.cosine_similarity(left, right, dim=1)).abs()
        for vector in vectors:
            loss = loss + self._regularised(vector)
        return torch.as_tensor(loss)

    def holds(self, form: str, rows: Table, tolerance: float = 1e-4) -> Flags:
        if form not in self.role_forms:
            return super().holds(form, rows, tolerance)
        roles: Floats = self.arrays()["roles"].astype(np.float64)
        vectors = [roles[column] for column in rows.T]
        left, right = (vectors[0] + vectors[1], vectors[2]) if FORMS[form].width == 3 else vectors
        return np.asarray(np.linalg.norm(left - right, axis=1) <= tolerance)

"""`elem`: ELEmbeddings, classes as balls and roles as translations, with every variation of the paper as a setting."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from elgeo.arrays import Ids, Table
from elgeo.deferred import functional, torch
from elgeo.errors import SettingError
from elgeo.models.ball_models.engine import FusedEngine
from elgeo.models.ball_models.geometry import holds
from elgeo.models.ball_models.lens import common_ball, reach
from elgeo.models.ball_models.losses import INCLUSION, NEGATIVE, POSITIVE, class_columns, loss_of
from elgeo.models.ball_models.scores import BallScorer
from elgeo.models.contract import Arrays, Engine, Model
from elgeo.models.engines.torch_engine import TorchEngine
from elgeo.models.lefts import PlacesLefts
from elgeo.models.pictures import Shape, balls_in_plane
from elgeo.models.room import in_room
from elgeo.ontology.normal_forms import FORMS
from elgeo.settings import check, setting


@dataclass(frozen=True)
class ElSettings:
    """Settings of the ball model."""

    dimension: int = setting(50, "length of the centres and of the role vectors", least=2, most=65_536)
    margin: float = setting(0.0, "γ: how far apart from its place a ball may be before it costs anything")
    activation: Literal["relu", "leaky"] = setting("leaky", "l, what clips a loss: ReLU or LeakyReLU")
    slope: float = setting(0.01, "slope of LeakyReLU below zero", least=0.0)
    regularisation: Literal["strict", "relaxed"] = setting(
        "relaxed", "centres have norm R (strict, the original model) or at most R (relaxed)"
    )
    radius: float = setting(1.0, "R, the norm that regularisation asks of centres", above=0.0)
    conjunction: Literal["overlap", "inclusion"] = setting(
        "overlap", "C ⊓ D ⊑ E: E's centre lies in C and D, which meet (the paper), or their common part lies in E too"
    )
    left_existential: Literal["overlap", "inclusion"] = setting(
        "inclusion", "∃R.C ⊑ D: the balls have to meet (the conference paper) or to include (true where the loss is 0)"
    )

    def __post_init__(self) -> None:
        check(self)

    @property
    def slope_below(self) -> float:
        """The slope of l below zero: 0 for ReLU."""
        return self.slope if self.activation == "leaky" else 0.0

    @property
    def inclusions(self) -> tuple[str, ...]:
        """The forms whose loss is to be zero only where the axiom is true."""
        return tuple(form for form in INCLUSION if getattr(self, form) == "inclusion")


class ElEmbeddings(Model, PlacesLefts):
    """Balls in n dimensions, C ⊑ D as inclusion, C ⊑ ∃R.D as inclusion after a translation by R.

    Parameters: `centres` (classes, n), `radii` (classes; the radius is the absolute value), `roles` (roles, n). The
    losses are in `losses.py`. A target axiom C ⊑ ∃R.D scores −l(‖c+R−d‖ − r_c − r_d − γ); C ⊑ D scores as its loss
    does, −l(‖c−d‖ + r_c − r_d − γ).
    """

    name = "elem"
    paper = "Kulmanov, Liu-Wei, Yan, Hoehndorf 2019: EL Embeddings, and the variations of its loss since"
    Settings = ElSettings
    positive_forms: ClassVar[tuple[str, ...]] = tuple(POSITIVE)
    negative_forms: ClassVar[tuple[str, ...]] = tuple(NEGATIVE)
    role_forms: ClassVar[tuple[str, ...]] = ()
    """Those of the forms that are about roles alone, for models that have a `role_loss`."""
    subclass_meets: ClassVar[bool] = False
    """Whether C ⊑ D scores by how far the balls are apart rather than by how far C is outside D."""
    settings: ElSettings

    def initial(self, generator: np.random.Generator) -> Arrays:
        """Centres and roles uniform in [−1, 1], then scaled to norm 1; ρ uniform in [−1, 1]."""

        def directions(count: int) -> NDArray[np.float32]:
            vectors = generator.uniform(-1, 1, (count, self.settings.dimension))
            return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), np.float32)

        return {
            "centres": directions(self.sizes.classes),
            "radii": generator.uniform(-1, 1, self.sizes.classes).astype(np.float32),
            "roles": directions(self.sizes.roles),
        }

    def loss(self, form: str, rows: torch.Tensor, negative: bool = False) -> torch.Tensor:
        """Σ of the terms of `losses.loss_of`, then reg of each class column."""
        loss = loss_of(form, negative, self.settings.inclusions)
        column = {name: rows[:, i] for i, name in enumerate(FORMS[form].columns)}
        centres = {name: functional.embedding(column[name], self.parameters["centres"]) for name in class_columns(form)}
        radii = {name: self.parameters["radii"].abs()[column[name]] for name in class_columns(form)}
        total: Any = 0.0
        for term in loss.terms:
            inner: Any = term.margin * self.settings.margin
            if term.distance:
                difference = centres[term.first] - centres[term.second]
                if term.translation:
                    moved = functional.embedding(column["r"], self.parameters["roles"])
                    difference = difference + term.translation * moved
                inner = inner + term.distance * torch.linalg.vector_norm(difference, dim=1)
            for coefficient, name in zip(term.radii, (term.first, term.second), strict=True):
                if coefficient:
                    inner = inner + coefficient * radii[name]
            total = total + torch.nn.functional.leaky_relu(inner, self.slope(form, negative))
        if loss.common_part:
            total = total + self._common_part_inside(centres, radii)
        if loss.regularised:
            for centre in centres.values():
                total = total + self._regularised(centre)
        return torch.as_tensor(total)

    def slope(self, form: str, negative: bool) -> float:
        """The slope of l below zero in the loss of a form."""
        return self.settings.slope_below

    def role_loss(self, form: str, rows: torch.Tensor, roles: torch.Tensor) -> torch.Tensor:
        """The loss of each row of one of the `role_forms`, by the vectors of all roles."""
        raise SettingError(f"{self.name} has no loss for {form!r}")

    def _activated(self, inner: torch.Tensor) -> torch.Tensor:
        return torch.nn.functional.leaky_relu(inner, self.settings.slope_below)

    def _common_part_inside(self, centres: dict[str, torch.Tensor], radii: dict[str, torch.Tensor]) -> torch.Tensor:
        """l(reach of C ⊓ D from e − r_e − γ), 0 where they have nothing in common."""
        farthest, common = reach(centres["c"], radii["c"], centres["d"], radii["d"], centres["e"])
        inner = farthest - radii["e"] - self.settings.margin
        return torch.where(common, self._activated(inner), torch.zeros_like(inner))

    def _regularised(self, centres: torch.Tensor) -> torch.Tensor:
        excess = torch.linalg.vector_norm(centres, dim=1) - self.settings.radius
        return excess.abs() if self.settings.regularisation == "strict" else torch.relu(excess)

    def holds(self, form: str, rows: Table, tolerance: float = 1e-4) -> NDArray[np.bool_]:
        """Truth in the geometric model; see `geometry.holds`."""
        shapes = self.embeddings()
        balls = shapes["class_centres"], shapes["class_radii"], shapes["role_vectors"]
        return in_room(len(rows), balls[0].shape[1], lambda part: holds(form, rows[part], *balls, tolerance=tolerance))

    def engine(self, device: str = "cpu") -> Engine:
        return FusedEngine(self) if device == "cpu" else TorchEngine(self, device)

    def scorer(self) -> BallScorer:
        shapes = self.embeddings()
        return self._scorer_of(shapes["class_centres"], shapes["class_radii"])

    def with_lefts(self, form: str, lefts: Table) -> BallScorer:
        """C ⊓ D is the smallest ball around the common part, or where there is none a point between both."""
        shapes = self.embeddings()
        centres, radii, roles = (
            torch.from_numpy(shapes[name]).double() for name in ("class_centres", "class_radii", "role_vectors")
        )
        if form == "conjunction":
            c, d = torch.from_numpy(np.ascontiguousarray(lefts.T)).long()
            middle, half = common_ball(centres[c], radii[c], centres[d], radii[d])
            more = middle, half.clamp(min=0).sqrt()
        else:
            r, c = torch.from_numpy(np.ascontiguousarray(lefts.T)).long()
            more = centres[c] - roles[r], radii[c]
        return self._scorer_of(*(torch.cat(each).numpy() for each in zip((centres, radii), more, strict=True)))

    def _scorer_of(self, centres: NDArray[Any], radii: NDArray[Any]) -> BallScorer:
        return BallScorer(
            centres,
            radii,
            self.embeddings()["role_vectors"],
            margin=self.settings.margin,
            slope=self.settings.slope_below,
            subclass_meets=self.subclass_meets,
        )

    def picture(self, classes: Ids) -> list[Shape]:
        shapes = self.embeddings()
        return balls_in_plane(shapes["class_centres"][classes], shapes["class_radii"][classes])

    def embeddings(self) -> Arrays:
        arrays = self.views()
        return {
            "class_centres": arrays["centres"],
            "class_radii": np.abs(arrays["radii"]),
            "role_vectors": arrays["roles"],
        }

"""`boxel`: classes as boxes, roles as affine maps, inclusion by how much of a box's volume lies in another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from elgeo.arrays import Flags, Floats, Ids, Table
from elgeo.deferred import functional, torch
from elgeo.errors import SettingError
from elgeo.models.box_models.extremes import with_extremes
from elgeo.models.box_models.volume_scores import VolumeScorer
from elgeo.models.contract import Arrays, Model
from elgeo.models.lefts import PlacesLefts
from elgeo.models.pictures import Shape, boxes_in_plane
from elgeo.ontology.normal_forms import FORMS, TAILED
from elgeo.settings import check, setting

SMALLEST = 1e-8
"""Added to the scalings, which are never 0 or below."""
FAR = -30.0
"""The width below which softplus(x) is exp(x) to the last bits, so that its log is x."""
OF_POINT = -1000.0
"""The δ of a box without width: exp δ is 0 in any precision, and so is its slope, so that it stays a point."""
Corners = tuple["torch.Tensor", "torch.Tensor"]


@dataclass(frozen=True)
class BoxElSettings:
    """Settings of BoxEL."""

    dimension: int = setting(50, "length of the corners", least=1, most=65_536)
    chain: Literal["composed", "published"] = setting(
        "composed", "R ∘ S ⊑ T: the maps one after the other, or with the first translation scaled by the first map"
    )
    unit_weight: float = setting(1.0, "what leaving the unit box costs", least=0)

    def __post_init__(self) -> None:
        check(self)


class BoxEl(Model, PlacesLefts):
    """Boxes from a corner m to M = m + exp δ, roles as maps x ↦ s ⊙ x + r.

    Losses are 1 − vol(A ∩ B) / vol(A), with vol = Π softplus(M − m) taken in logs: 0 exactly where A lies in B. So the
    image of C lies in D for C ⊑ ∃R.D, its preimage for ∃R.C ⊑ D. A target axiom scores the log of the share of volume
    that is in D, which falls as the loss rises.
    """

    name = "boxel"
    paper = "Xiong, Potyka, Tran, Nayyeri, Staab 2022: Faithful Embeddings for EL++ Knowledge Bases"
    Settings = BoxElSettings
    settings: BoxElSettings
    positive_forms: ClassVar[tuple[str, ...]] = (*TAILED, *("disjoint", "subrole", "chain"))
    negative_forms: ClassVar[tuple[str, ...]] = TAILED

    def initial(self, generator: np.random.Generator) -> Arrays:
        """m in [10⁻⁴, 0.2], δ in [−0.1, 0], r in [−0.1, 0.1], s in [0.9, 1.1], all uniform; individuals are points."""

        def uniform(low: float, high: float, count: int) -> np.ndarray:
            return generator.uniform(low, high, (count, self.settings.dimension)).astype(np.float32)

        classes, roles = self.sizes.classes, self.sizes.roles
        corners, deltas = uniform(1e-4, 0.2, classes), uniform(-0.1, 0.0, classes)
        deltas[list(self.sizes.individuals)] = OF_POINT
        return {
            "corners": corners,
            "deltas": deltas,
            "translations": uniform(-0.1, 0.1, roles),
            "scalings": uniform(0.9, 1.1, roles),
        }

    def loss(self, form: str, rows: torch.Tensor, negative: bool = False) -> torch.Tensor:
        known = self.negative_forms if negative else self.positive_forms
        if form not in known:
            kind = "negative " if negative else ""
            raise SettingError(f"{self.name} has no {kind}loss for {form!r}; there are {', '.join(known)}")
        column = dict(zip(FORMS[form].columns, rows.T, strict=True))
        map_of = self._map_by(lambda letter, table: functional.embedding(column[letter], self.parameters[table]))
        if form in ("subrole", "chain"):
            return self._role_loss(form, map_of)
        shape = FORMS[form]
        boxes = {}
        for letter in (shape.columns[i] for i in shape.class_columns):
            lower = functional.embedding(column[letter], self.parameters["corners"])
            boxes[letter] = lower, lower + torch.exp(functional.embedding(column[letter], self.parameters["deltas"]))
        if form == "disjoint":
            volumes = _log_volume(boxes["c"]) + _log_volume(boxes["d"])
            share = torch.exp(_log_volume(_common(boxes["c"], boxes["d"])) - volumes)
        else:
            left, right = _sides(form, boxes, map_of)
            share = torch.exp(_log_volume(_common(left, right)) - _log_volume(left))
        cost = (share if negative or form == "disjoint" else 1 - share).to(boxes["c"][0].dtype)
        for lower, upper in boxes.values():
            outside = torch.relu(upper - 1).mean(dim=1) + torch.relu(-lower).mean(dim=1)
            cost = cost + self.settings.unit_weight * outside
        return cost

    def _role_loss(self, form: str, map_of: Callable[[str], Corners]) -> torch.Tensor:
        scale, shift = map_of("r")
        other_scale, other_shift = map_of("s")
        if form == "chain":
            first = (scale if self.settings.chain == "published" else other_scale) * shift
            scale, shift = scale * other_scale, first + other_shift
            other_scale, other_shift = map_of("t")
        wider = torch.linalg.vector_norm(torch.relu(scale / other_scale - 1), dim=1)
        return torch.as_tensor(torch.linalg.vector_norm(shift - other_shift, dim=1) + wider)

    def _map_by(self, look: Callable[[str, str], torch.Tensor]) -> Callable[[str], Corners]:
        return lambda letter: (look(letter, "scalings").abs() + SMALLEST, look(letter, "translations"))

    def holds(self, form: str, rows: Table, tolerance: float = 1e-5) -> Flags:
        """Truth of the sets; a role is one map, so R ⊑ S is true where both maps are the same; ⊤ is everything."""
        if form not in self.judged_forms:
            raise SettingError(f"truth of {form!r} in {self.name} is not defined")
        return with_extremes(form, rows, lambda form, rows: self._true(form, rows, tolerance))

    def _true(self, form: str, rows: Table, tolerance: float) -> Flags:
        if form.startswith("empty"):
            return np.zeros(len(rows), np.bool_)  # no box is
        column = dict(zip(FORMS[form].columns, rows.T, strict=True))
        arrays = {name: torch.from_numpy(array.astype(np.float64)) for name, array in self.arrays().items()}
        map_of = self._map_by(lambda letter, table: arrays[table][column[letter]])
        if form in ("subrole", "chain"):
            scale, shift = map_of("r")
            other_scale, other_shift = map_of("s")
            if form == "chain":
                scale, shift = scale * other_scale, other_scale * shift + other_shift
                other_scale, other_shift = map_of("t")
            apart = torch.maximum((scale - other_scale).abs(), (shift - other_shift).abs())
            return _flags((apart <= tolerance).all(dim=1))
        shape = FORMS[form]
        boxes = {}
        for letter in (shape.columns[i] for i in shape.class_columns):
            lower = arrays["corners"][column[letter]]
            boxes[letter] = lower, lower + torch.exp(arrays["deltas"][column[letter]])
        if form == "disjoint":
            (lower, upper), (left, right) = boxes["c"], boxes["d"]
            return _flags((torch.minimum(upper - left, right - lower) <= tolerance).any(dim=1))
        (lower, upper), (left, right) = _sides(form, boxes, map_of)
        inside = (torch.maximum(left - lower, upper - right) <= tolerance).all(dim=1)
        return _flags(inside | (lower > upper).any(dim=1))

    def scorer(self) -> VolumeScorer:
        return VolumeScorer(*self._corners(), *self._maps())

    def with_lefts(self, form: str, lefts: Table) -> VolumeScorer:
        lower, upper = self._corners()
        scale, shift = self._maps()
        if form == "conjunction":
            c, d = lefts.T
            more = np.maximum(lower[c], lower[d]), np.minimum(upper[c], upper[d])
        else:
            r, c = lefts.T
            more = (lower[c] - shift[r]) / scale[r], (upper[c] - shift[r]) / scale[r]
        return VolumeScorer(np.concatenate([lower, more[0]]), np.concatenate([upper, more[1]]), scale, shift)

    def _maps(self) -> tuple[Floats, Floats]:
        arrays = self.arrays()
        scale = np.abs(arrays["scalings"].astype(np.float64)) + SMALLEST
        return scale, arrays["translations"].astype(np.float64)

    def _corners(self) -> tuple[Floats, Floats]:
        arrays = self.arrays()
        lower = arrays["corners"].astype(np.float64)
        return lower, lower + np.exp(arrays["deltas"].astype(np.float64))

    def embeddings(self) -> Arrays:
        lower, upper = self._corners()
        arrays = self.arrays()
        return {
            "class_lower": lower.astype(np.float32),
            "class_upper": upper.astype(np.float32),
            "role_translations": arrays["translations"],
            "role_scalings": np.abs(arrays["scalings"]) + np.float32(SMALLEST),
        }

    def picture(self, classes: Ids) -> list[Shape]:
        lower, upper = (corners[classes] for corners in self._corners())
        return boxes_in_plane((lower + upper) / 2, (upper - lower) / 2)


def _sides(form: str, boxes: dict[str, Corners], map_of: Callable[[str], Corners]) -> tuple[Corners, Corners]:
    """The two boxes of which the first has to lie in the second."""
    if form == "conjunction":
        return _common(boxes["c"], boxes["d"]), boxes["e"]
    (lower, upper), right = boxes["c"], boxes["d"]
    if form == "subclass":
        return (lower, upper), right
    scale, shift = map_of("r")
    if form == "existential":
        return (scale * lower + shift, scale * upper + shift), right
    return ((lower - shift) / scale, (upper - shift) / scale), right


def _common(a: Corners, b: Corners) -> Corners:
    return torch.maximum(a[0], b[0]), torch.minimum(a[1], b[1])


def _log_volume(box: Corners) -> torch.Tensor:
    """In double precision: the share of a volume is the exponent of a difference of such sums.

    Boxes far apart have widths of −1000 and below, where softplus is 0 and the slope of its log would be 0 / 0.
    """
    widths = (box[1] - box[0]).double()
    return torch.where(widths < FAR, widths, torch.log(functional.softplus(widths.clamp(min=FAR)))).sum(dim=1)


def _flags(tensor: torch.Tensor) -> Flags:
    return np.asarray(tensor.numpy(), np.bool_)

"""`BoxModel`: what models with boxes share; a model adds its tables and the data of its losses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from elgeo.arrays import Flags, Floats, Ids, Table
from elgeo.deferred import functional, torch
from elgeo.errors import SettingError
from elgeo.models.box_models import truth
from elgeo.models.box_models.autograd import Numbers, loss_of
from elgeo.models.box_models.extremes import with_extremes
from elgeo.models.box_models.scores import TermScorer
from elgeo.models.box_models.terms import BoxLoss, BoxTerm, Common, Pairs, mean_square, refuted, refuted_common
from elgeo.models.contract import Arrays, Engine, Model
from elgeo.models.engines.torch_engine import TorchEngine
from elgeo.models.lefts import PlacesLefts
from elgeo.models.pictures import Shape, boxes_in_plane
from elgeo.models.room import in_room
from elgeo.ontology.normal_forms import FORMS, TAILED
from elgeo.settings import check, setting


@dataclass(frozen=True)
class BoxSettings:
    """Settings that all box models have."""

    dimension: int = setting(50, "length of the centres and half widths", least=1, most=65_536)
    margin: float = setting(0.05, "γ: how far from its border a box is when it costs nothing; see margin_side")
    margin_side: Literal["safe", "loose"] = setting(
        "safe", "where γ is: inside the border, so that loss 0 means truth, or outside, as the authors have it"
    )
    refutation: Literal["gap", "overlap", "dimension"] = setting(
        "gap",
        "what a corrupted axiom is to be: boxes δ apart, boxes that do not overlap, or one dimension in which it fails",
    )
    distance: float = setting(2.0, "δ: how far apart the boxes of a corrupted axiom are to be", above=0)
    depth: float = setting(0.5, "how far a corrupted axiom is to fail where one dimension is enough", above=0)
    score: Literal["inclusion", "centres"] = setting(
        "inclusion", "how axioms are ranked: by how far they are from true, or by the centres alone, as the authors do"
    )

    def __post_init__(self) -> None:
        check(self)

    @property
    def numbers(self) -> Numbers:
        """What losses need of the settings."""
        side = 1 if self.margin_side == "loose" else -1
        return Numbers(self.margin, side * self.margin, self.distance, self.depth)


class Penalty(NamedTuple):
    """weight · the mean of relu(‖row‖ − bound) over the rows of a table, beside the losses of axioms.

    Where there are individuals, half of it is their mean and half that of the other classes.
    """

    table: str
    weight: float
    bound: float = 0.0


class BoxModel(Model, PlacesLefts):
    """Boxes with centres and half widths; the tables of a class are of one length each, those of a role too.

    `centres` and `offsets`, whose absolute values are the half widths, are the first two tables of a class.
    """

    positive_forms: ClassVar[tuple[str, ...]] = (*TAILED, "empty", "disjoint", "empty_existential")
    negative_forms: ClassVar[tuple[str, ...]] = TAILED
    class_tables: ClassVar[tuple[str, ...]] = ("centres", "offsets")
    role_tables: ClassVar[tuple[str, ...]]
    width_tables: ClassVar[tuple[str, ...]] = ("offsets",)
    """The tables, of classes or roles, whose absolute values are half widths."""
    pairs: ClassVar[Pairs]
    """For each form that says that boxes lie in boxes, which."""
    inclusions: ClassVar[Mapping[str, Sequence[BoxTerm]]]
    """For each form what its axioms ask; what is true, and what is scored."""
    common: ClassVar[Common] = Common()
    """How the common part of C ⊓ D ⊑ E is looked at."""
    is_interpretation: ClassVar[bool] = True
    """Whether roles are relations of points, so that ⊤, ⊥ and the universal role have a meaning of their own."""
    individuals_are_points: ClassVar[bool] = False
    settings: BoxSettings

    def positive_loss(self, form: str) -> BoxLoss:
        """What an axiom of a form costs; only for `positive_forms`."""
        return BoxLoss(common=self.common) if form == "conjunction" else mean_square(*self.inclusions[form])

    def negative_loss(self, form: str) -> BoxLoss:
        """What a corrupted axiom costs; only for `negative_forms`."""
        how = self.settings.refutation
        return refuted_common(how) if form == "conjunction" else refuted(how, *self.pairs[form])

    def penalties(self) -> tuple[Penalty, ...]:
        """What is asked of the tables whatever the axioms are."""
        return ()

    def loss_data(self, form: str, negative: bool) -> BoxLoss:
        """The loss of a form as data; an error where there is none."""
        known = self.negative_forms if negative else self.positive_forms
        if form not in known:
            kind = "negative " if negative else ""
            raise SettingError(f"{self.name} has no {kind}loss for {form!r}; there are {', '.join(known)}")
        return self.negative_loss(form) if negative else self.positive_loss(form)

    def initial(self, generator: np.random.Generator) -> Arrays:
        """Centre and raw half width of each box uniform in [−1, 1], then both together scaled to norm 1.

        A point begins, and stays, without width.
        """
        sizes = {**dict.fromkeys(self.class_tables, self.sizes.classes)}
        sizes |= dict.fromkeys(self.role_tables, self.sizes.roles)
        arrays = {}
        for name, count in sizes.items():
            arrays[name] = generator.uniform(-1, 1, (count, self.settings.dimension))
        if self.individuals_are_points:
            # where a half width is 0 its absolute value has slope 0: it stays there, however it is trained
            arrays["offsets"][list(self.sizes.individuals)] = 0
        for together in self._scaled_together():
            norm = np.sqrt(sum(np.square(arrays[name]).sum(axis=1) for name in together))
            for name in together:
                arrays[name] /= norm[:, None]
        return {name: array.astype(np.float32) for name, array in arrays.items()}

    def _scaled_together(self) -> tuple[tuple[str, ...], ...]:
        """Tables whose rows begin with norm 1 together."""
        return (("centres", "offsets"), *((name,) for name in self.role_tables))

    def loss(self, form: str, rows: torch.Tensor, negative: bool = False) -> torch.Tensor:
        """The loss of each row, from its data."""
        column = dict(zip(_letters(form), rows.T, strict=True)) if form in FORMS else {}

        def look(table: str, letter: str) -> torch.Tensor:
            return functional.embedding(column[letter], self.parameters[table])

        return loss_of(self.loss_data(form, negative), look, self.settings.numbers)

    def penalty(self) -> torch.Tensor | None:
        total: torch.Tensor | None = None
        for each in self.penalties():
            costs = torch.relu(torch.linalg.vector_norm(self.parameters[each.table], dim=1) - each.bound)
            if each.table in self.class_tables:
                costs = costs * torch.from_numpy(self.weights_of_kinds()[self.kinds()]).to(costs)
            share = each.weight * costs.mean()
            total = share if total is None else total + share
        return total

    def kinds(self) -> NDArray[np.uint8]:
        """Of each class, 1 where it is an individual."""
        found = np.zeros(self.sizes.classes, np.uint8)
        found[list(self.sizes.individuals)] = 1
        return found

    def weights_of_kinds(self) -> Floats:
        """What a class and an individual count in a mean in which both kinds have one half."""
        share = self.sizes.share
        return np.array([0.5 / (1 - share), 0.5 / share]) if 0 < share < 1 else np.ones(2)

    def holds(self, form: str, rows: Table, tolerance: float = 1e-5) -> Flags:
        """Truth of the sets: inclusion in every dimension; disjoint boxes are apart in one; see `extremes.py` for ⊤, ⊥.

        A box is closed and has a point even where its width is 0: in C ⊑ ⊥ and ∃r.C ⊑ ⊥ width 0 is read as empty, but
        for individuals, which never are.
        """
        if form not in self.judged_forms:
            raise SettingError(f"truth of {form!r} in {self.name} is not defined")
        width = max(table.shape[1] for table in self.views().values())

        def judge(form: str, rows: Table) -> Flags:
            return in_room(len(rows), width, lambda part: self._true(form, rows[part], tolerance))

        return with_extremes(form, rows, judge) if self.is_interpretation else judge(form, rows)

    def _true(self, form: str, rows: Table, tolerance: float) -> Flags:
        tables = self.views()
        column = dict(zip(_letters(form), rows.T, strict=True))

        def look(table: str, letter: str) -> Floats:
            return np.asarray(tables[table][column[letter]], np.float64)

        if not len(rows):
            return np.zeros(0, np.bool_)
        if form == "conjunction":
            return truth.common_inside(look, tolerance)
        if form == "disjoint":
            return truth.apart_somewhere(self.inclusions[form][0], look, tolerance)
        inside = truth.all_inside(self.inclusions[form], look, tolerance)
        if form.startswith("empty") and self.sizes.individuals:
            inside &= ~np.isin(rows[:, FORMS[form].head], self.sizes.individuals)
        return inside

    def engine(self, device: str = "cpu") -> Engine:
        from elgeo.models.box_models.engine import BoxEngine

        return BoxEngine(self) if device == "cpu" else TorchEngine(self, device)

    def scorer(self) -> TermScorer:
        return self._scorer_of(self.views())

    def with_lefts(self, form: str, lefts: Table) -> TermScorer:
        """C ⊓ D is the box between the corners of the common part, also where these have changed places."""
        arrays = self.arrays()
        column = dict(zip(FORMS[form].columns, lefts.T, strict=False))

        def look(table: str, letter: str) -> Floats:
            return np.asarray(arrays[table][column[letter]], np.float64)

        return self._scorer_with(arrays, *truth.left_box(form, self.pairs, look))

    def _scorer_with(self, arrays: Arrays, centres: Floats, widths: Floats) -> TermScorer:
        """The scorer with more boxes after the classes."""
        more = {"centres": centres, "offsets": widths}
        return self._scorer_of(
            {**arrays, **{name: np.concatenate([arrays[name], rows]) for name, rows in more.items()}}
        )

    def _scorer_of(self, arrays: Arrays) -> TermScorer:
        return TermScorer(arrays, self.inclusions, by_centres=self.settings.score == "centres")

    def picture(self, classes: Ids) -> list[Shape]:
        arrays = self.arrays()
        return boxes_in_plane(arrays["centres"][classes], arrays["offsets"][classes])

    def embeddings(self) -> Arrays:
        def shown(name: str, array: NDArray[np.float32]) -> tuple[str, NDArray[np.float32]]:
            owner = "class" if name in self.class_tables else "role"
            return f"{owner}_{name.removeprefix('role_')}", np.abs(array) if name in self.width_tables else array

        return dict(shown(name, array) for name, array in self.arrays().items())


def _letters(form: str) -> tuple[str, ...]:
    return FORMS[form].columns

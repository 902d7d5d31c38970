"""Places that touch: a symmetric role with domain and range, an obsolete place, two that must not touch, outsiders."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from elgeo.arrays import Floats, Table
from elgeo.datasets.model import Dataset, Kinds
from elgeo.models.contract import Predictor, Reason, Scorer
from elgeo.ontology import normalise
from elgeo.ontology.expressions import Op
from elgeo.ontology.model import Builder
from tests.evaluation.matrix_scorer import MatrixScorer

PREFIX = "http://example.org/map_"
N_PLACES, N_OUTSIDERS = 16, 3


class TablePredictor(Predictor):
    """Scores read from a matrix; says why in one sentence."""

    paper = "none"

    def __init__(self, matrix: Floats, tolerance: float = 0.0) -> None:
        self.name = "table"  # type: ignore[misc]  # on the instance, so that it is not registered
        self.matrix, self.tolerance = np.asarray(matrix, np.float64), tolerance

    def scorer(self) -> Scorer:
        return MatrixScorer(self.matrix, self.tolerance)

    def explain(self, head: int, tail: int) -> Sequence[Reason]:
        return (Reason(f"cell {head}, {tail}", float(self.matrix[head, tail])),)


def places(seed: int = 0, mirrored: bool = True) -> Dataset:
    """Class `map_0` is above all other places; `map_15` is obsolete; of `map_100`… nothing says they are places."""
    generator = np.random.default_rng(seed)
    builder = Builder()
    numbers = [*range(N_PLACES), *range(100, 100 + N_OUTSIDERS)]
    nodes = {i: builder.entity(Op.Class, f"{PREFIX}{i}") for i in numbers}
    role = builder.entity(Op.ObjectProperty, PREFIX + "touches")
    meets = builder.entity(Op.ObjectProperty, PREFIX + "meets")
    builder.axiom(Op.SubObjectPropertyOf, role, meets)
    builder.axiom(Op.ObjectPropertyDomain, meets, nodes[0])
    builder.axiom(Op.ObjectPropertyRange, meets, nodes[0])
    for i in range(1, N_PLACES):
        builder.axiom(Op.SubClassOf, nodes[i], nodes[0])
    builder.axiom(Op.SubClassOf, nodes[2], nodes[1])
    builder.axiom(Op.SubClassOf, nodes[100], nodes[101])
    meets_second = builder.node(Op.ObjectSomeValuesFrom, role, nodes[5])
    builder.axiom(
        Op.SubClassOf,
        builder.node(Op.ObjectIntersectionOf, nodes[4], meets_second),
        builder.entity(Op.Class, "http://www.w3.org/2002/07/owl#Nothing"),
    )
    drawn = {tuple(sorted(generator.choice(np.arange(1, 12), 2, replace=False).tolist())) for _ in range(14)}
    pairs = sorted(drawn - {(4, 5)})
    train, test = pairs[3:], pairs[:3]

    def both(some: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
        return [*some, *((b, a) for a, b in some)] if mirrored else list(some)

    for a, b in both(train):
        builder.axiom(Op.SubClassOf, nodes[a], builder.node(Op.ObjectSomeValuesFrom, role, nodes[b]))
    builder.labels[f"{PREFIX}15"] = "obsolete corner"
    builder.labels[f"{PREFIX}3"] = "town square"
    forms = normalise(builder.finish())
    names = forms.vocabulary
    role_id = names.role_id(PREFIX + "touches")

    def rows(some: Sequence[tuple[int, int]]) -> Table:
        made = [(names.class_id(f"{PREFIX}{a}"), role_id, names.class_id(f"{PREFIX}{b}")) for a, b in both(some)]
        return np.array(made, np.int32).reshape(-1, 3)

    kinds = np.zeros(names.n_classes, np.int16)
    kinds[[names.class_id(f"{PREFIX}{i}") for i in numbers]] = 1
    return Dataset(
        name="small places",
        forms=forms,
        target_form="existential",
        target_role=role_id,
        train=rows(train),
        valid=rows([])[:0],
        test=rows(test),
        kinds=Kinds(("other", "place"), kinds),
        head_kind="place",
        tail_kind="place",
        symmetric=False,
    )


def ids_of(dataset: Dataset) -> dict[int, int]:
    """The class id of each number."""
    numbers = [*range(N_PLACES), *range(100, 100 + N_OUTSIDERS)]
    return {i: dataset.vocabulary.class_id(f"{PREFIX}{i}") for i in numbers}

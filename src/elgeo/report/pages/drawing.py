"""Which classes a picture shows: those that axioms speak of most, as many as can be read."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from elgeo.arrays import Ids
from elgeo.datasets.model import Dataset
from elgeo.evaluation.entailments import real_classes
from elgeo.evaluation.measures.knowledge import mentions
from elgeo.models.contract import Geometry
from elgeo.models.pictures import Shape
from elgeo.ontology.short_names import called

POOL, SHOWN, FEW = 200, 30, 12
"""So many classes are looked at, at most so many are shown, and so few are shown whatever they look like."""
APART = (0.16, 0.045)
"""Labels closer than this share of the picture, across and up, could not be read."""
TOO_LARGE = 8
"""A shape so many times as large as the usual one would make all others dots."""


class Drawn(NamedTuple):
    """A class in a picture."""

    label: str
    name: str
    """The label with the id."""
    shape: Shape
    kind: int


def drawn(model: Geometry, dataset: Dataset) -> list[Drawn]:
    """A readable choice of classes as the model draws them; nothing where it does not."""
    counts, names = mentions(dataset), dataset.vocabulary
    classes = real_classes(dataset)
    classes = classes[counts[classes] > 0]
    pool: Ids = classes[np.argsort(-counts[classes], kind="stable")][:POOL]
    shapes = model.picture(pool)
    if not shapes:
        return []
    return [
        Drawn(names.class_label(c), called(names, c), shapes[i], int(dataset.kinds.of_class[c]))
        for i, c in ((i, int(pool[i])) for i in readable(shapes))
    ]


def readable(shapes: list[Shape]) -> list[int]:
    """Which of the shapes can stand in one picture, the first ones first: none huge, no two labels on each other."""
    if len(shapes) <= FEW:
        return list(range(len(shapes)))
    # points are of no size, and say nothing of what a usual one is
    usual = float(np.median([shape.height for shape in shapes if shape.height > 0] or [0.0]))
    fitting = (
        [i for i, shape in enumerate(shapes) if shape.height <= TOO_LARGE * usual]
        if usual
        else list(range(len(shapes)))
    )
    # a label stands on the top of its shape
    tops = {i: (shapes[i].x, shapes[i].y + shapes[i].height) for i in fitting}
    spans = [max(1e-12, float(np.ptp([top[axis] for top in tops.values()]))) for axis in (0, 1)]
    kept: list[int] = []
    for i in fitting:
        if len(kept) < SHOWN and all(_apart(tops[i], tops[j], spans) for j in kept):
            kept.append(i)
    return kept


def _apart(one: tuple[float, float], other: tuple[float, float], spans: list[float]) -> bool:
    return any(abs(a - b) > share * span for a, b, share, span in zip(one, other, APART, spans, strict=True))

"""The picture around a class: it and its neighbours as a geometry places them, or else as axioms join them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from elgeo.arrays import Ids
from elgeo.models.contract import Geometry, Predictor
from elgeo.models.ensemble import Ensemble
from elgeo.models.pictures import Shape

MOST = 8
"""Classes of one relation that are drawn."""
ITSELF, ABOVE, BELOW, KNOWN, MISSING = "itself", "above", "below", "known", "missing"
"""What a drawn class is to the one in the middle."""


def geometry_of(predictor: Predictor) -> Geometry | None:
    """What can be drawn: of an ensemble its first member."""
    if isinstance(predictor, Ensemble):
        predictor = predictor.members[0]
    return predictor if isinstance(predictor, Geometry) and predictor.picture(np.array([0], np.int32)) else None


def picture(predictor: Predictor, around: Mapping[str, Sequence[int]]) -> dict[str, Any]:
    """Shapes of classes, those of the first relation first, each with what it is to the class in the middle.

    `around` has the classes of each relation; one that stands in several is drawn once.
    """
    relation: dict[int, str] = {}
    for name, classes in around.items():
        for c in list(classes)[:MOST]:
            relation.setdefault(int(c), name)
    ids = np.array(list(relation), np.int32)
    geometry = geometry_of(predictor)
    shapes = _layout(list(relation.values())) if geometry is None else geometry.picture(ids)
    drawn = [
        {"class": c, "relation": relation[c], **shape._asdict()}
        for c, shape in zip(ids.tolist(), map(_finite, shapes), strict=True)
    ]
    return {"geometry": geometry is not None, "words": _words(predictor, geometry), "shapes": drawn}


def _words(predictor: Predictor, geometry: Geometry | None) -> str:
    """What the picture is, and what it is not."""
    if geometry is None:
        return f"{predictor.name} has no geometry: this is a drawing of axioms, places mean nothing"
    of = "the first model of the ensemble" if isinstance(predictor, Ensemble) else geometry.name
    dimensions = _dimensions(geometry)
    if dimensions <= 2:
        return f"the geometry of {of} itself: what is inside is below"
    return (
        f"a projection: {of} has {dimensions} dimensions, of which two are drawn; what is apart there may seem to"
        " overlap here"
    )


def _dimensions(geometry: Geometry) -> int:
    return max((array.shape[1] for name, array in geometry.embeddings().items() if _is_place(name, array)), default=0)


def _is_place(name: str, array: Any) -> bool:
    return name.startswith("class_") and array.ndim == 2


def _finite(shape: Shape) -> Shape:
    x, y, width, height = (float(np.nan_to_num(value)) for value in shape[:4])
    return Shape(x, y, width, height, shape.round)


def _layout(relations: Sequence[str]) -> list[Shape]:
    """Above at the top, below at the bottom, known on the right, missing on the left; the class in the middle."""
    centre: dict[str, tuple[float, float]] = {ABOVE: (0, 1), BELOW: (0, -1), KNOWN: (1, 0), MISSING: (-1, 0)}
    made, seen = [], dict.fromkeys(relations, 0)
    for name in relations:
        x, y = centre.get(name, (0.0, 0.0))
        many, place = relations.count(name), seen[name]
        seen[name] += 1
        step = (place - (many - 1) / 2) * 0.24
        across = name in (ABOVE, BELOW)
        made.append(Shape(x + step * across * 1.5, y - step * (not across), 0.06, 0.03, False))
    return made


def classes_around(head: Ids, tail: Ids, c: int) -> list[int]:
    """The other ends of pairs that have a class at one of theirs, in their order."""
    return list(dict.fromkeys([*tail[head == c].tolist(), *head[tail == c].tolist()]))

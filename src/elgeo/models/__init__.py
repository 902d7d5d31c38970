"""Geometry, the models made of it, the baselines.

Takes a `Dataset` and settings; gives scores, and truth where there is a geometry. Begin at `contract.py`, what a
model is to the house. `ball_models/` are the paper's balls, `box_models/` boxes that are trained, `boxes/` the geometry
in which every axiom is true, `graphs/` and `walks/` models of edges and of walks along them, `atlas/` our own
predictor, `placement/` where a new term belongs, `engines/` what training steps share; `baselines.py` and
`nearest_names.py` are what is counted, `ensemble.py` several predictors as one, `pictures.py` how a geometry is drawn.
"""

from __future__ import annotations

from elgeo.models.atlas import Atlas, AtlasSettings
from elgeo.models.ball_models.elem import ElEmbeddings, ElSettings
from elgeo.models.ball_models.emelpp import EmElPlusPlus
from elgeo.models.baselines import CommonNeighbours, Naive, SymmetricNaive
from elgeo.models.box_models.box2el import Box2El
from elgeo.models.box_models.boxel import BoxEl
from elgeo.models.box_models.elbe import Elbe
from elgeo.models.box_models.transbox import TransBox
from elgeo.models.boxes.faithful import Faithful
from elgeo.models.contract import (
    REGISTRY,
    Baseline,
    Batch,
    Engine,
    Fitted,
    Geometry,
    Model,
    Predictor,
    Scorer,
    Sizes,
)
from elgeo.models.graphs.models import ComplEx, DistMult, TransE
from elgeo.models.nearest_names import NearestNames
from elgeo.models.walks.model import Dl2Vec, Owl2Vec
from elgeo.shipped import unknown_model

__all__ = [
    "Atlas",
    "AtlasSettings",
    "Baseline",
    "Batch",
    "Box2El",
    "BoxEl",
    "CommonNeighbours",
    "ComplEx",
    "DistMult",
    "Dl2Vec",
    "ElEmbeddings",
    "ElSettings",
    "Elbe",
    "EmElPlusPlus",
    "Engine",
    "Faithful",
    "Fitted",
    "Geometry",
    "Model",
    "Naive",
    "NearestNames",
    "Owl2Vec",
    "Predictor",
    "Scorer",
    "Sizes",
    "SymmetricNaive",
    "TransBox",
    "TransE",
    "find",
    "names",
]


def names() -> list[str]:
    """The registered models and baselines, models first."""
    return sorted(REGISTRY, key=lambda name: (issubclass(REGISTRY[name], Baseline), name))


def find(name: str) -> type[Predictor]:
    """The model or baseline registered under a name."""
    try:
        return REGISTRY[name]
    except KeyError:
        raise unknown_model(name, names()) from None

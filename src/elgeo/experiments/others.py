"""Settings that other authors published for their models, and those that put the family into the plane."""

from __future__ import annotations

from typing import Any

_BOX_STEPS: dict[str, Any] = {
    "steps": 100,
    "epochs": 50,
    "weighting": "none",
    "plateau_factor": 1.0,
    "stop_by": "rank",
    "stop_patience": 0,
    "margin_side": "loose",
    "score": "centres",
    "negatives": "random",
    "negative_forms": ("existential",),
}
"""What the programs of the box models have in common: 5,000 steps, looked at each 100; the sum of the forms' means; the
margin on the loose side; corrupted C ⊑ ∃R.D only; ranks by centres."""


def _box2el(rate: float, margin: float, distance: float, negatives: int, weight: float) -> dict[str, Any]:
    """Box²EL as its authors' tables have it: learning rate, γ, δ, negatives for each axiom and side, λ."""
    own = {"dimension": 200, "margin": margin, "distance": distance, "bump_weight": weight}
    sampling = {"batch": 512, "negatives_per_positive": negatives, "corrupt": "both"}
    return {"model": "box2el", **_BOX_STEPS, **own, **sampling, "learning_rate": rate}


def _elbe(rate: float) -> dict[str, Any]:
    own = {"dimension": 200, "margin": 0.15, "distance": 2.0, "left_existential": "overlap"}
    return {"model": "elbe", **_BOX_STEPS, **own, "batch": 512, "learning_rate": rate}


def _transbox(rate: float) -> dict[str, Any]:
    own = {"dimension": 200, "margin": 0.0, "existential": "enhanced", "on_sphere": True}
    return {"model": "transbox", **_BOX_STEPS, **own, "batch": 1024, "learning_rate": rate}


PUBLISHED: dict[str, dict[str, Any]] = {
    "elbe/galen": _elbe(0.005),
    "elbe/go": _elbe(0.005),
    "elbe/anatomy": _elbe(0.01),
    "box2el/galen-prediction": _box2el(0.01, 0.15, 5.0, 1, 0.4),
    "box2el/go-prediction": _box2el(0.01, 0.15, 5.5, 5, 0.5),
    "box2el/anatomy-prediction": {**_box2el(0.01, 0.05, 5.5, 3, 0.3), "epochs": 70},
    "box2el/galen-deduction": _box2el(0.005, 0.05, 1.0, 2, 0.0),
    "box2el/go-deduction": _box2el(0.005, 0.05, 3.0, 3, 0.05),
    "box2el/anatomy-deduction": {**_box2el(0.001, 0.05, 2.0, 2, 0.05), "epochs": 70},
    "box2el/yeast-iw": _box2el(0.01, 0.02, 2.5, 4, 0.2),
    "box2el/human-iw": _box2el(0.01, 0.005, 3.5, 5, 0.3),
    "boxel/published": {
        "model": "boxel",
        "chain": "published",
        "batch": 256,
        "epochs": 1000,
        "learning_rate": 0.001,
        "weighting": "none",
        "negatives": "random",
        "negative_forms": ("existential",),
    },
    "emelpp/published": {
        "model": "emelpp",
        "batch": 256,
        "epochs": 1000,
        "learning_rate": 0.0003,
        "weighting": "none",
        "negatives": "random",
        "negative_forms": ("existential",),
        "negatives_per_positive": 2,
        "corrupt": "both",
    },
    "owl2vec/published": {"model": "owl2vec", "walks": 0, "length": 3, "negatives": 25},
    "owl2vec/survey": {"model": "owl2vec", "dimension": 50, "documents": "structure", "vector": "name"},
    "dl2vec/published": {"model": "dl2vec", "walks": 100, "length": 60, "window": 10, "passes": 30},
    "transbox/galen": _transbox(0.0005),
    "transbox/go": _transbox(0.0005),
    "transbox/anatomy": _transbox(0.005),
}
"""The models of others with the settings that were published for them; the learning rate does not fall on the way."""

TO_THE_END: dict[str, Any] = {
    "dimension": 2,
    "negative_forms": (),
    "batch": 32_768,
    "weighting": "none",
    "learning_rate": 0.1,
    "plateau_patience": 15,
    "plateau_factor": 0.5,
    "stop_by": "training_loss",
    "stop_patience": 100,
    "epochs": 1500,
    "threads": 1,
}
"""In the plane, on all axioms at once and without negatives, until the loss falls no more."""
FAMILY: dict[str, dict[str, Any]] = {
    **{f"family/{name}": {"model": name, **TO_THE_END, "margin": 0.005} for name in ("elbe", "box2el", "transbox")},
    "family/boxel": {"model": "boxel", **TO_THE_END, "unit_weight": 0.0},
    "family/transe": {"model": "transe", **TO_THE_END, "negative_forms": ("subclass", "existential")},
    "family/emelpp": {"model": "emelpp", **TO_THE_END, "regularisation": "relaxed", "radius": 3.0},
}
"""The family in the plane, trained to the end without corrupted axioms."""

OTHERS = {**PUBLISHED, **FAMILY}

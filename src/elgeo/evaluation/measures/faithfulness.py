"""Is the geometry a model of the axioms? Shares of true axioms by normal form, and signs that it has collapsed."""

from __future__ import annotations

import numpy as np

from elgeo.arrays import Table
from elgeo.datasets.model import Dataset
from elgeo.evaluation.ranking.ranks import Ranks
from elgeo.models.contract import Geometry
from elgeo.ontology.normal_forms import FORMS
from elgeo.reasoning.closure.base import Closure

AT_MOST = 100_000
"""Axioms of a form that are looked at; a larger table is sampled."""
CLASSES = 1000
"""Classes that are looked at whether they contain everything; those of a large ontology are sampled."""
PROBES = 256
"""Classes that a class has to contain to count as containing everything."""
ASKED_AT_MOST = {"conjunction": 2000, "left_existential": 2000}
"""Forms whose entailed tails are a question to the reasoner each, and how many questions that is worth."""


def true_shares(model: Geometry, dataset: Dataset, generator: np.random.Generator) -> dict[str, float]:
    """The share of asserted axioms of each normal form that are true in the model, under the field's names."""
    shares = {}
    for form in model.judged_forms:
        rows = _some(dataset.forms[form], generator)
        if len(rows):
            shares[FORMS[form].code] = float(model.holds(form, rows).mean())
    return shares


def entailed_shares(
    model: Geometry, dataset: Dataset, closure: Closure, generator: np.random.Generator
) -> dict[str, float]:
    """The same for entailed axioms: each asserted axiom with its last class drawn anew among the entailed ones."""
    shares = {}
    for form in _tailed_forms(model):
        rows = _some(dataset.forms[form], generator, ASKED_AT_MOST.get(form, AT_MOST)).copy()
        if not len(rows):
            continue
        heads, roles = FORMS[form].sides(rows)
        rows[:, -1] = closure.sample(form, heads, roles, generator)
        rows = rows[rows[:, -1] >= 0]
        if len(rows):
            shares[FORMS[form].code] = float(model.holds(form, rows).mean())
    return shares


def random_shares(model: Geometry, dataset: Dataset, generator: np.random.Generator) -> dict[str, float]:
    """The same for random axioms: the last class replaced by any of its kind. Few should be true."""
    kinds = dataset.kinds
    shares = {}
    for form in _tailed_forms(model):
        rows = _some(dataset.forms[form], generator).copy()
        for kind in np.unique(kinds.of_class[rows[:, -1]]):
            those = kinds.of_class[rows[:, -1]] == kind
            rows[those, -1] = generator.choice(kinds.members(int(kind)), int(those.sum()))
        if len(rows):
            shares[FORMS[form].code] = float(model.holds(form, rows).mean())
    return shares


def containing_everything(model: Geometry, dataset: Dataset, generator: np.random.Generator) -> float:
    """The share of classes that contain each of `PROBES` random classes: close to 1 in a collapsed model."""
    n = dataset.vocabulary.n_classes
    if n < 3:
        return float("nan")
    real = np.arange(2, n)
    classes = generator.choice(real, min(len(real), CLASSES), replace=False)
    probes = generator.choice(real, min(len(real), PROBES), replace=False)
    pairs = np.stack([np.tile(probes, len(classes)), np.repeat(classes, len(probes))], axis=1).astype(np.int32)
    return float(model.holds("subclass", pairs).reshape(len(classes), len(probes)).all(axis=1).mean())


def signs_of_collapse(
    model: Geometry | None, dataset: Dataset, ranks: Ranks, generator: np.random.Generator
) -> dict[str, float]:
    """Tie widths, the share of classes that contain everything, and the radii where there are balls."""
    signs: dict[str, float] = {}
    if len(ranks):
        widths = ranks.tie_widths
        signs["tie_width_median"] = float(np.median(widths))
        signs["tie_width_max"] = float(widths.max())
        signs["tied_share"] = float((widths / np.maximum(ranks.candidates, 1)).mean())
    if model is None:
        return signs
    if "subclass" in model.judged_forms:
        signs["containing_everything"] = containing_everything(model, dataset, generator)
    radii = model.embeddings().get("class_radii")
    if radii is not None:
        low, middle, high = np.quantile(radii, [0.05, 0.5, 0.95])
        signs |= {"radius_5%": float(low), "radius_median": float(middle), "radius_95%": float(high)}
    return signs


def _tailed_forms(model: Geometry) -> list[str]:
    return [form for form in model.judged_forms if FORMS[form].has_tail]


def _some(rows: Table, generator: np.random.Generator, limit: int = AT_MOST) -> Table:
    return rows if len(rows) <= limit else rows[generator.choice(len(rows), limit, replace=False)]

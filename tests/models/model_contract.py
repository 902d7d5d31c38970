"""What every registered model and baseline must do; small irregular datasets to do it on."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from elgeo.datasets.model import Dataset, Kinds
from elgeo.models import Baseline, Batch, Fitted, Model, Predictor, Sizes, find
from elgeo.ontology.normal_forms import FORMS, NormalForms, empty_tables
from elgeo.ontology.vocabulary import Vocabulary

SIZES = Sizes(classes=23, roles=4)
ROLE_COLUMNS = "rst"


def random_rows(form: str, count: int, generator: np.random.Generator, sizes: Sizes = SIZES) -> NDArray[np.int32]:
    """Rows of a form in which some ids are frequent and some never occur; the columns of a row are different ids."""
    weights = generator.pareto(1.0, sizes.classes) + 1e-3
    weights[:2] = 0
    columns = FORMS[form].columns
    n_classes = sum(column not in ROLE_COLUMNS for column in columns)
    rows = np.empty((count, len(columns)), np.int32)
    for row in rows:
        classes = iter(generator.choice(sizes.classes, n_classes, replace=False, p=weights / weights.sum()))
        for i, column in enumerate(columns):
            row[i] = generator.integers(1, sizes.roles) if column in ROLE_COLUMNS else next(classes)
    return rows


def random_batch(model: Model, generator: np.random.Generator) -> dict[str, Batch]:
    """All forms the model has a loss for, with tables of different lengths and more negatives than positives."""
    batch = {}
    for number, form in enumerate(model.positive_forms):
        positives = random_rows(form, 3 + 5 * number, generator)
        negatives = random_rows(form, 4 + 7 * number, generator) if form in model.negative_forms else None
        batch[form] = Batch(positives, negatives, float(generator.uniform(0.1, 1)))
    return batch


def random_dataset(generator: np.random.Generator, sizes: Sizes = SIZES) -> Dataset:
    """A dataset whose training axioms are random rows of every form."""
    tables = empty_tables() | {
        form: np.unique(random_rows(form, 40, generator, sizes), axis=0) for form in ("subclass", "existential")
    }
    vocabulary = Vocabulary(
        [f"http://example.org/C{i}" for i in range(sizes.classes)],
        np.array([0, 0] + [1] * (sizes.classes - 2), np.uint8),
        [f"http://example.org/r{i}" for i in range(sizes.roles)],
        np.array([0] + [1] * (sizes.roles - 1), np.uint8),
    )
    kinds = Kinds(("other", "thing"), np.array([0, 0] + [1] * (sizes.classes - 2), np.int16))
    existential = tables["existential"]
    target = existential[existential[:, 1] == 1]
    held_out = random_rows("existential", 6, generator, sizes)
    return Dataset(
        "random", NormalForms(vocabulary, tables), "existential", 1, target, held_out, held_out, kinds, "thing", "thing"
    )


def model_named(name: str, seed: int = 0) -> Model:
    cls = find(name)
    assert issubclass(cls, Model)
    return cls(SIZES, None, np.random.default_rng(seed))


@cache
def predictor_named(name: str) -> Predictor:
    """One to be asked by many tests."""
    cls = find(name)
    if issubclass(cls, Baseline):
        return cls.fit(random_dataset(np.random.default_rng(3)))
    return fitted_named(name)[0] if issubclass(cls, Fitted) else model_named(name)


def fitted_named(name: str, seed: int = 0) -> tuple[Fitted, Dataset]:
    cls = find(name)
    assert issubclass(cls, Fitted)
    dataset = random_dataset(np.random.default_rng(3))
    return cls.fit(dataset, cls.Settings(), np.random.default_rng(seed), lambda message: None), dataset

"""Trained to the end with the inclusion settings, the embedded family is true in its geometric model."""

from __future__ import annotations

import numpy as np
import pytest

from elgeo.datasets import load
from elgeo.models import Batch, ElEmbeddings, ElSettings, Sizes

STEPS = 6000


@pytest.mark.slow
@pytest.mark.parametrize(("activation", "seed"), [("relu", 0), ("leaky", 1)])
def test_every_asserted_axiom_of_the_family_holds(activation: str, seed: int) -> None:
    dataset = load("family")
    settings = ElSettings(
        dimension=10,
        activation=activation,  # type: ignore[arg-type]
        conjunction="inclusion",
        left_existential="inclusion",
    )
    model = ElEmbeddings(Sizes.of(dataset), settings, np.random.default_rng(seed))
    forms = [form for form in model.positive_forms if len(dataset.forms[form])]
    before = {form: model.holds(form, dataset.forms[form]).mean() for form in forms}
    batch = {form: Batch(dataset.forms[form], None, 1.0) for form in forms}
    engine = model.engine()
    for step in range(STEPS):
        engine.step(batch, 0.01 * 10 ** (-4 * step / STEPS))
    after = {form: model.holds(form, dataset.forms[form]).mean() for form in forms}
    assert min(after.values()) >= 0.99
    assert min(before.values()) < 0.5

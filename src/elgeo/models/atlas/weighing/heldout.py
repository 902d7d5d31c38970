"""Which axioms the evidence is weighed on: the validation axioms, or parts of training where these are few."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from elgeo.arrays import Table
from elgeo.datasets.model import Dataset
from elgeo.errors import SettingError
from elgeo.messages import counted
from elgeo.models.atlas.build import Parts, build
from elgeo.models.atlas.operators.target import Target
from elgeo.models.atlas.settings import AtlasSettings
from elgeo.models.atlas.weighing.sample import Sample
from elgeo.models.atlas.weighing.standing import is_asked_as_it_stands, standing_parts
from elgeo.ontology.normal_forms import NormalForms

ENOUGH = 200
"""Validation axioms that suffice; with fewer, training axioms are held out as well."""
MANY, SMALL = 1000, 4_000_000
"""So many suffice where heads times tails are so few that holding out parts of training costs little."""
FOLDS = 5


def held_out_sample(
    dataset: Dataset, parts: Parts, settings: AtlasSettings, generator: np.random.Generator, say: Callable[[str], None]
) -> Sample:
    """Held-out axioms with all evidence of them, which is made without them."""
    alone = leaves_heads_out(dataset)
    samples = []
    if len(dataset.valid):
        chosen = generator.permutation(len(dataset.valid))[: settings.sample]
        samples.append(Sample.draw(parts.evidence, dataset.valid[np.sort(chosen)], generator, alone))
    target = parts.evidence.target
    enough = MANY if len(target.heads) * len(target.tails) < SMALL else ENOUGH
    if len(dataset.valid) < enough:
        for number, held in enumerate(training_parts(dataset, target, max(settings.sample, enough), generator)):
            wanted = max(settings.sample, enough) - sum(map(len, samples))
            if wanted <= 0:  # a large ontology: one part has as many as are asked for
                break
            say(f"holding out part {number + 1} of training")
            less = without(dataset, held)
            if len(held) and len(less.train):
                made = build(less, without_geometry(settings), lambda message: None)
                if len(held) > wanted:
                    held = held[np.sort(generator.permutation(len(held))[:wanted])]
                drawn = Sample.draw(made.evidence, held, generator, alone)
                samples.append(aligned(drawn, made.evidence.names, parts.evidence.names))
    if not samples:
        raise SettingError(
            f"{dataset.name} has {counted(len(dataset.train), 'training axiom')} of the target and none for validation:"
            " none can be held out to weigh evidence by"
        )
    return Sample.together(samples)


def training_parts(dataset: Dataset, target: Target, wanted: int, generator: np.random.Generator) -> list[Table]:
    """Training axioms that are held out together: parts by chance, and before them half as new ones would be found.

    What is added to a class either joins what it has or takes the place of it.
    """
    parts = standing_parts(dataset, target.heads, wanted // 2, generator) if is_asked_as_it_stands(dataset) else []
    fold = folds(dataset, generator)
    return [*parts, *(dataset.train[fold == number] for number in range(min(FOLDS, len(dataset.train) - 1)))]


def without_geometry(settings: AtlasSettings) -> AtlasSettings:
    """For parts of training that are held out: another model's run has seen them."""
    return replace(settings, geometry="none")


def leaves_heads_out(dataset: Dataset) -> bool:
    """Whether no training axiom joins a class with itself, so that none is expected to."""
    return not np.any(dataset.train[:, 0] == dataset.train[:, -1])


def folds(dataset: Dataset, generator: np.random.Generator, count: int = FOLDS) -> NDArray[np.int64]:
    """A part for each training axiom by chance; both directions of a symmetric role in one."""
    pairs = np.sort(dataset.train[:, [0, -1]], axis=1) if dataset.symmetric else dataset.train[:, [0, -1]]
    _, group = np.unique(pairs, axis=0, return_inverse=True)
    n = int(group.max(initial=-1)) + 1
    return (generator.permutation(n) % count)[group]


def without(dataset: Dataset, axioms: Table) -> Dataset:
    """The dataset as it would be without some axioms of the target, nothing of them left anywhere."""
    form, gone = dataset.target_form, {tuple(row) for row in axioms.tolist()}

    def kept(table: Table) -> Table:
        return table[np.array([tuple(row) not in gone for row in table.tolist()], np.bool_)]

    forms = dataset.forms
    tables = {**forms.tables, form: kept(forms[form])}
    less = NormalForms(dataset.vocabulary, tables, limits=forms.limits, inverses=forms.inverses)
    return replace(dataset, forms=less, train=kept(dataset.train))


def aligned(sample: Sample, names: list[str], wanted: list[str]) -> Sample:
    """The sample with its evidence in another order, 0 where it has none."""
    values = np.zeros((len(wanted), *sample.values.shape[1:]), np.float32)
    for k, name in enumerate(wanted):
        if name in names:
            values[k] = sample.values[names.index(name)]
    return replace(sample, values=values)

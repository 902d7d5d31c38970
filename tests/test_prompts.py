"""What a prompt and a notebook show of everything the README's lines make: short, whatever its size."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np

import elgeo
from elgeo.datasets.model import Dataset
from elgeo.training.folder.record import Record, TrainedOn
from elgeo.training.run import Run
from elgeo.training.settings import Settings
from tests.small_dataset import small_dataset


def text(page: str) -> str:
    return "".join(ElementTree.fromstring(page).itertext())


def test_a_dataset() -> None:
    dataset = small_dataset(3, 12, 10, 60)
    parts = f"{len(dataset.train)} train axioms, {len(dataset.valid)} valid axioms, {len(dataset.test)} test axioms"
    assert repr(dataset) == f"<Dataset {dataset.name}: {parts}, C ⊑ ∃R.D with R = knows>"
    assert f"candidates{len(dataset.candidates)}" in text(dataset._repr_html_())
    assert repr(dataset.kinds) == "<Kinds: 2 other, 5 fresh, 12 thing, 10 person>"
    large = replace(dataset, train=np.tile(dataset.train, (1000, 1)))
    assert isinstance(large, Dataset)
    assert f"{1000 * len(dataset.train):,} train axioms" in repr(large)
    assert len(repr(large)) < 200


def test_a_run(tmp_path: Path) -> None:
    record = Record(Settings.of("elem", seed=7), TrainedOn("leaves", "0"), result={"epochs": 3, "best_value": 0.5})
    assert repr(Run(record)) == "<Run of elem on leaves: in memory>"
    assert text(Run(record)._repr_html_()).endswith("seed7epochs3best_value0.5")
    begun = Run(Record(record.settings, record.dataset), folder=tmp_path)
    assert repr(begun) == f"<Run of elem on leaves: {tmp_path}, not finished>"


def test_a_reasoner_and_a_closure() -> None:
    forms = small_dataset(3, 12, 10, 60).forms
    reasoner = elgeo.Reasoner(forms)
    assert repr(reasoner) == f"<Reasoner about {forms!r}>"
    assert repr(reasoner.closure("complete")) == f"<Closure, complete: {forms.vocabulary.n_classes} classes, 4 roles>"

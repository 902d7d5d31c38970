"""The baselines on real interactions, where independent programs have measured them: a check of the whole chain."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

from elgeo.datasets.model import Dataset, Kinds
from elgeo.evaluation.evaluate import evaluate
from elgeo.evaluation.settings import EvaluationSettings
from elgeo.models.baselines import CommonNeighbours
from elgeo.ontology.normal_forms import NormalForms, empty_tables
from elgeo.ontology.vocabulary import Vocabulary


def interactions(folder: Path) -> Dataset:
    """Training, validation and test pairs in both directions; nothing else."""
    pairs = {}
    for split in ("train", "valid", "test"):
        path = folder / "yeast" / f"interactions_{split}.tsv.gz"
        if not path.is_file():
            pytest.skip(f"no yeast interactions at {path}")
        with gzip.open(path, "rt", encoding="utf-8") as file:
            lines = (line.split("\t") for line in file if not line.startswith(("#", "protein")))
            pairs[split] = [(cells[0], cells[1]) for cells in lines]
    names = sorted({name for found in pairs.values() for pair in found for name in pair})
    ids = {name: i + 2 for i, name in enumerate(names)}
    rows = {}
    for split, found in pairs.items():
        one_way = np.array([(ids[a], 1, ids[b]) for a, b in found], np.int32)
        rows[split] = np.concatenate([one_way, one_way[:, ::-1]])
    kinds = np.array([0, 0] + [1] * len(names))
    vocabulary = Vocabulary(["⊤", "⊥", *names], kinds.astype(np.uint8), ["⊤", "interacts"], np.array([0, 1], np.uint8))
    forms = NormalForms(vocabulary, {**empty_tables(), "existential": rows["train"]})
    of_class = Kinds(("other", "protein"), kinds.astype(np.int16))
    return Dataset(
        "yeast",
        forms,
        "existential",
        1,
        kinds=of_class,
        head_kind="protein",
        tail_kind="protein",
        symmetric=True,
        train=rows["train"],
        valid=rows["valid"],
        test=rows["test"],
    )


def test_degree_and_adamic_adar(data: Path) -> None:
    dataset = interactions(data)
    assert len(dataset.candidates) == 5508
    report = evaluate(CommonNeighbours.fit(dataset), dataset, EvaluationSettings(semantic=False, resamples=20))
    document = report.to_dict()
    assert document["axioms"] == 10224
    adamic_adar = document["filtered"]["per_axiom"]
    assert adamic_adar["hits@1"] == pytest.approx(0.092, abs=5e-4)
    assert adamic_adar["hits@10"] == pytest.approx(0.412, abs=5e-4)
    assert adamic_adar["hits@100"] == pytest.approx(0.782, abs=5e-4)
    assert adamic_adar["mean_rank"] == pytest.approx(260, abs=1)
    assert adamic_adar["auc"] == pytest.approx(0.953, abs=5e-4)
    degree = document["beside"]["naive"]["filtered"]["per_axiom"]
    assert degree["auc"] == pytest.approx(0.821, abs=5e-4)
    assert "common-neighbours beats naive" in document["verdicts"][0]

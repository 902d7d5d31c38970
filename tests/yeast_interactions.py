"""Interactions of yeast as a dataset, where the real data is: what independent programs have measured."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

from elgeo.datasets.model import Dataset, Kinds
from elgeo.ontology.normal_forms import NormalForms, empty_tables
from elgeo.ontology.vocabulary import Vocabulary


def interactions(folder: Path) -> Dataset:
    """Training, validation and test pairs in both directions."""
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

"""Embeddings for other programs: npz, parquet, word2vec text or tsv, each with the names behind the rows."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from elgeo.datasets.model import Dataset
from elgeo.errors import SettingError
from elgeo.files import written_atomically
from elgeo.models.contract import Geometry, Predictor
from elgeo.ontology.vocabulary import Kind, Vocabulary

FORMATS = {"npz": ".npz", "parquet": ".parquet", "word2vec": ".txt", "tsv": ".tsv"}
"""Each format and the usual ending of its files."""

Arrays = dict[str, NDArray[Any]]


def export(
    predictor: Predictor, dataset: Dataset, path: str | os.PathLike[str], format: str, fresh: bool = False
) -> Path:
    """Write the embeddings of classes and roles to a file; `fresh` includes the classes normalisation made up."""
    if format not in FORMATS:
        raise SettingError(f"no format is called {format!r}; there are {', '.join(FORMATS)}")
    if not isinstance(predictor, Geometry):
        raise SettingError(f"{predictor.name} has no geometry: there are no embeddings to export")
    names = dataset.vocabulary
    keep = {
        "class": np.flatnonzero((names.class_kinds != Kind.FRESH) | fresh),
        "role": np.flatnonzero((names.role_kinds != Kind.FRESH) | fresh),
    }
    arrays = {
        name: array[keep[name.partition("_")[0]]]
        for name, array in predictor.embeddings().items()
        if name.partition("_")[0] in keep
    }
    columns = _names(names, keep)
    writers = {"npz": _npz, "parquet": _parquet, "word2vec": _word2vec, "tsv": _tsv}
    with written_atomically(path) as temporary:
        writers[format](temporary, columns, arrays)
    return Path(path)


def _names(names: Vocabulary, keep: dict[str, NDArray[np.int64]]) -> dict[str, list[str]]:
    return {
        "classes": [names.classes[int(c)] for c in keep["class"]],
        "class_labels": [names.class_label(int(c)) for c in keep["class"]],
        "roles": [names.roles[int(r)] for r in keep["role"]],
        "role_labels": [names.role_label(int(r)) for r in keep["role"]],
    }


def _npz(path: Path, names: dict[str, list[str]], arrays: Arrays) -> None:
    every: dict[str, Any] = {name: np.array(values, np.str_) for name, values in names.items()} | arrays
    with path.open("wb") as file:
        np.savez(file, **every)


def _rows(names: dict[str, list[str]], arrays: Arrays) -> dict[str, list[Any]]:
    """One table of classes, then roles; a column for each array, None where it has no value for an entity."""
    n_classes, n_roles = len(names["classes"]), len(names["roles"])
    columns: dict[str, list[Any]] = {
        "entity": ["class"] * n_classes + ["role"] * n_roles,
        "iri": names["classes"] + names["roles"],
        "label": names["class_labels"] + names["role_labels"],
    }
    for name, array in arrays.items():
        before, after = (0, n_roles) if name.startswith("class_") else (n_classes, 0)
        columns[name] = [None] * before + [*array] + [None] * after
    return columns


def _parquet(path: Path, names: dict[str, list[str]], arrays: Arrays) -> None:
    import pyarrow
    import pyarrow.parquet

    pyarrow.parquet.write_table(pyarrow.table(_rows(names, arrays)), path)


def _word2vec(path: Path, names: dict[str, list[str]], arrays: Arrays) -> None:
    """`n dimension`, then a line for each name; radii and other single numbers have no place in this format."""
    blocks = []
    for entity, iris in (("class", names["classes"]), ("role", names["roles"])):
        vectors = [a for name, a in arrays.items() if name.startswith(entity + "_") and a.ndim == 2]
        if vectors:
            blocks.append((iris, vectors[0]))
    dimension = blocks[0][1].shape[1]
    blocks = [block for block in blocks if block[1].shape[1] == dimension]
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.write(f"{sum(len(iris) for iris, _ in blocks)} {dimension}\n")
        for iris, rows in blocks:
            for iri, vector in zip(iris, rows, strict=True):
                file.write(f"{'_'.join(iri.split())} {' '.join(_text(x) for x in vector)}\n")


def _tsv(path: Path, names: dict[str, list[str]], arrays: Arrays) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        heading = ["entity", "iri", "label"]
        for name, array in arrays.items():
            heading += [name] if array.ndim == 1 else [f"{name}_{i}" for i in range(array.shape[1])]
        file.write("\t".join(heading) + "\n")
        widths = {name: 1 if array.ndim == 1 else array.shape[1] for name, array in arrays.items()}
        columns = _rows(names, arrays)
        for i in range(len(columns["iri"])):
            cells = [columns["entity"][i], *(" ".join(columns[c][i].split()) for c in ("iri", "label"))]
            for name, width in widths.items():
                value = columns[name][i]
                cells += [""] * width if value is None else [_text(x) for x in np.atleast_1d(value)]
            file.write("\t".join(cells) + "\n")


def _text(x: Any) -> str:
    """The shortest decimal that reads back as the same number."""
    return str(np.float32(x)) if isinstance(x, np.float32) else repr(float(x))

"""A block of the user's own: vectors of classes from a file, for instance made by a language model elsewhere."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from scipy import sparse

from elgeo.arrays import Floats
from elgeo.errors import ReadError, UnknownNameError
from elgeo.models.atlas.contexts.likeness import unit_rows
from elgeo.models.atlas.contexts.logic import Matrix
from elgeo.ontology.vocabulary import Vocabulary


def read_vectors(path: Path, vocabulary: Vocabulary) -> Matrix:
    """A unit row for each class id that the file names, none for the others.

    A line has the name of a class, a tab, and numbers separated by spaces, commas or tabs; all lines have as many. The
    mean vector is taken off first: what all classes have in common tells nothing.
    """
    rows: dict[int, Floats] = {}
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ReadError(f"vectors cannot be read: {error}", str(path)) from None
    for number, line in enumerate(lines, 1):
        name, _, rest = line.partition("\t")
        if not line.strip():
            continue
        try:
            vector = np.array([float(cell) for cell in rest.replace(",", " ").split()], np.float64)
            class_id = vocabulary.class_id(name)
        except ValueError as error:
            raise ReadError(f"not a vector: {error}", str(path), number) from None
        except UnknownNameError:
            continue  # a file may hold more classes than the dataset
        if not len(vector) or not np.isfinite(vector).all():
            raise ReadError(f"the vector of {name} has no numbers, or some that are not finite", str(path), number)
        if rows and len(vector) != len(next(iter(rows.values()))):
            raise ReadError(f"{name} has {len(vector)} numbers, others have more or fewer", str(path), number)
        rows[class_id] = vector
    if not rows:
        raise ReadError("no line names a class of the dataset", str(path))
    ids = np.array(sorted(rows))
    dense = np.stack([rows[int(c)] for c in ids])
    dense = (dense - dense.mean(axis=0)).astype(np.float32)
    place = np.repeat(ids, dense.shape[1]), np.tile(np.arange(dense.shape[1]), len(ids))
    shape = vocabulary.n_classes, dense.shape[1]
    return unit_rows(sparse.coo_array((dense.ravel(), place), shape=shape).tocsr())

"""A block of the user's own: vectors of classes from a file, for instance made by a language model elsewhere."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import numpy as np
from scipy import sparse

from elgeo.arrays import Floats
from elgeo.errors import ReadError, UnknownNameError
from elgeo.models.atlas.contexts.logic import Matrix
from elgeo.models.atlas.contexts.vector_files import named_vectors
from elgeo.ontology.vocabulary import Vocabulary

ROUNDING = 1e-12
"""What is left of a vector that equals the mean, beside the largest number."""


def read_vectors(path: Path, vocabulary: Vocabulary) -> Matrix:
    """A unit row for each class id that the file names, none for the others; see `named_vectors` for its formats.

    The mean vector is taken off first: what all classes have in common tells nothing.
    """
    rows: dict[int, Floats] = {}
    for _, name, vector in named_vectors(path):
        with suppress(UnknownNameError):  # a file may hold more classes than the dataset
            rows[vocabulary.class_id(name)] = vector
    if not rows:
        raise ReadError("no line names a class of the dataset", str(path))
    ids = np.array(sorted(rows))
    dense = np.stack([rows[int(c)] for c in ids])
    dense /= np.abs(dense).max() or 1.0  # numbers may be larger than single precision holds
    dense -= dense.mean(axis=0)
    length = np.linalg.norm(dense, axis=1, keepdims=True)
    dense = np.divide(dense, length, out=np.zeros_like(dense), where=length > ROUNDING).astype(np.float32)
    place = np.repeat(ids, dense.shape[1]), np.tile(np.arange(dense.shape[1]), len(ids))
    shape = vocabulary.n_classes, dense.shape[1]
    made: Matrix = sparse.coo_array((dense.ravel(), place), shape=shape).tocsr()
    made.eliminate_zeros()
    return made

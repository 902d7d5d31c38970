"""A tree of classes, by the axioms they share and by contexts, and the groups that it can be cut into."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.cluster import hierarchy
from scipy.spatial.distance import squareform

from elgeo.models.atlas.contexts.likeness import likeness, unit_rows
from elgeo.models.atlas.contexts.logic import Matrix

Real = NDArray[np.float64]
CONTEXTS = 2.0
"""How much likeness by contexts counts beside that by axioms."""


def clustered(axioms: Matrix, contexts: Matrix) -> Real:
    """The tree of classes by average linkage, by the axioms they share and by contexts; scipy's."""
    n = axioms.shape[0]
    if n < 2:
        return np.zeros((0, 4))
    own = unit_rows(sparse.csr_array(axioms + sparse.eye_array(n)))
    alike = likeness(own, own).astype(np.float64) + CONTEXTS * likeness(contexts, contexts)
    apart = 1 - (alike + alike.T) / (2 * (1 + CONTEXTS))
    pairs = squareform(np.maximum(apart, 0), checks=False)  # what is beside the diagonal
    return np.asarray(hierarchy.linkage(pairs, "average"))


def cut(tree: Real, each: int) -> NDArray[np.int64]:
    """Groups of the classes of a tree, numbered from 0, one for so many classes at most."""
    n = len(tree) + 1
    wanted = -(-n // each)
    if wanted < 2:
        return np.zeros(n, np.int64)
    return np.asarray(hierarchy.fcluster(tree, wanted, "maxclust"), np.int64) - 1

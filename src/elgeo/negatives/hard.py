"""Hard negatives: near the truth in the hierarchy, where entailed candidates are frequent, and never entailed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from elgeo.arrays import Ints
from elgeo.negatives.entailed import EntailedTails
from elgeo.negatives.kernels import Features, Pool, draw_hard
from elgeo.negatives.sampler import Draw
from elgeo.ontology.vocabulary import BOTTOM
from elgeo.reasoning.saturation.saturate import Saturation


def hard_draw(pool: Pool, tails: EntailedTails, near: Features) -> Draw:
    """A sibling or cousin of the class that is replaced, not entailed; any class of its kind where there is none."""

    def draw(numbers: NDArray[np.int64], originals: Ints, seed: np.uint64) -> Ints:
        chosen = np.empty(len(originals), np.int32)
        draw_hard(originals, tails.head_of_row.take(numbers), pool, tails.rows, near, seed, chosen)
        return chosen

    return draw


def shared_features(saturation: Saturation) -> Features:
    """What makes classes neighbours: a common subsumer below ⊤, or a common link (role and target).

    Links make proteins neighbours that have a function or a partner in common, though nothing in the hierarchy is
    above them.
    """
    saturation = saturation.unconditional or saturation
    n = saturation.forms.vocabulary.n_classes
    below = np.repeat(np.arange(n), np.diff(saturation.subsumer_start))
    above = saturation.subsumers.astype(np.int64)
    real = (below > BOTTOM) & (above > BOTTOM)
    linked = np.repeat(np.arange(n), np.diff(saturation.link_start))
    links = saturation.link_roles.astype(np.int64) * n + saturation.link_targets + n
    real_links = linked > BOTTOM
    classes = np.concatenate([below[real], linked[real_links]])
    names, features = np.unique(np.concatenate([above[real], links[real_links]]), return_inverse=True)
    features = features.ravel()
    by_class, by_feature = np.argsort(classes, kind="stable"), np.argsort(features, kind="stable")
    return Features(
        start=np.searchsorted(classes[by_class], np.arange(n + 1)).astype(np.int64),
        features=features[by_class].astype(np.int32),
        member_start=np.searchsorted(features[by_feature], np.arange(len(names) + 1)).astype(np.int64),
        members=classes[by_feature].astype(np.int32),
    )

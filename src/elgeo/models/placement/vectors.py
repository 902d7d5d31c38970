"""Vectors of the user's own as one more block of texts: from a file, and from a function for texts that it has not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from copy import copy
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from elgeo.arrays import Flags, Floats, Ids
from elgeo.errors import ReadError, SettingError, UnknownNameError
from elgeo.models.atlas.contexts.logic import Matrix
from elgeo.models.atlas.contexts.vector_files import named_vectors
from elgeo.models.placement.terms import Term, in_words
from elgeo.ontology.vocabulary import Vocabulary

Encoder = Callable[[Sequence[str]], NDArray[np.floating]]
"""Takes texts, gives a row of numbers for each."""
_encoders: list[Encoder] = []


def encodes_texts(function: Encoder) -> Encoder:
    """Register a function, as a decorator: it is called for texts of new terms that the file of vectors has not."""
    _encoders[:] = [function]
    return function


class VectorBlock:
    """A unit row for each class that the file names, by any of its names, its own mean taken off; none for others.

    A new term has the vector of the first of its texts that the file has: label, synonyms, definition.
    """

    def __init__(self, path: Path, vocabulary: Vocabulary, ids: Ids) -> None:
        self._path = path
        self._by_text: dict[str, Floats] = {}
        known: dict[int, Floats] = {}
        for _, name, vector in named_vectors(path):
            self._by_text[_key(name)] = vector
            with suppress(UnknownNameError):
                known[vocabulary.class_id(name)] = vector
        if not known:
            raise ReadError("no line names a class of the dataset", str(path))
        self._mean: Floats = np.mean(list(known.values()), axis=0)
        self.rows = self._unit([known.get(c) for c in ids.tolist()])

    def only(self, kept: Flags) -> VectorBlock:
        """The block as if there were no other classes."""
        made = copy(self)
        made.rows = self.rows[np.flatnonzero(kept)]
        return made

    def of(self, terms: Sequence[Term]) -> Matrix:
        found = [self._known(term) for term in terms]
        unknown = [i for i, vector in enumerate(found) if vector is None]
        if unknown and _encoders:
            texts = [". ".join(filter(None, (terms[i].label, terms[i].definition))) for i in unknown]
            for i, vector in zip(unknown, self._encoded(texts), strict=True):
                found[i] = vector
        return self._unit(found)

    def _known(self, term: Term) -> Floats | None:
        texts = (_key(text) for text in (*term.names, term.definition) if text)
        return next((self._by_text[text] for text in texts if text in self._by_text), None)

    def _encoded(self, texts: Sequence[str]) -> Floats:
        made = np.asarray(_encoders[0](texts), np.float64)
        if made.shape != (len(texts), len(self._mean)) or not np.isfinite(made).all():
            name = getattr(_encoders[0], "__name__", "the encoder")
            raise SettingError(
                f"{name} gave an array of shape {made.shape}, or numbers that are not finite, where"
                f" {len(texts)} rows of {len(self._mean)} are needed, as in {self._path}"
            )
        return made

    def _unit(self, vectors: Sequence[Floats | None]) -> Matrix:
        dense = np.zeros((len(vectors), len(self._mean)))
        for i, vector in enumerate(vectors):
            if vector is not None:
                dense[i] = vector - self._mean
        length = np.linalg.norm(dense, axis=1, keepdims=True)
        unit = np.divide(dense, length, out=np.zeros_like(dense), where=length > 0)
        return sparse.csr_array(unit.astype(np.float32))


def _key(text: str) -> str:
    return in_words(text).lower()

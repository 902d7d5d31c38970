"""Rows of normal forms as a person writes them."""

from __future__ import annotations

from collections.abc import Sequence

from elgeo.ontology.normal_forms import form_named
from elgeo.ontology.vocabulary import Vocabulary


def written(form: str, row: Sequence[int], vocabulary: Vocabulary) -> str:
    """An axiom with the labels of its classes and roles.

    >>> written("existential", dataset.train[0], dataset.vocabulary)  # doctest: +SKIP
    'Ann SubClassOf has_child some Bob'
    """
    shape = form_named(form)
    names = {
        column: vocabulary.role_label(int(i)) if j in shape.role_columns else vocabulary.class_label(int(i))
        for j, (column, i) in enumerate(zip(shape.columns, row, strict=True))
    }
    return shape.words.format(**names)

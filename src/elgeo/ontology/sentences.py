"""Rows of normal forms as a person writes them."""

from __future__ import annotations

from collections.abc import Sequence

from elgeo.ontology.normal_forms import form_named
from elgeo.ontology.vocabulary import Vocabulary

_SHAPES = {
    "subclass": "{c} SubClassOf {d}",
    "conjunction": "{c} and {d} SubClassOf {e}",
    "existential": "{c} SubClassOf {r} some {d}",
    "left_existential": "{r} some {c} SubClassOf {d}",
    "empty": "{c} SubClassOf owl:Nothing",
    "disjoint": "{c} DisjointWith {d}",
    "empty_existential": "{r} some {c} SubClassOf owl:Nothing",
    "subrole": "{r} SubPropertyOf {s}",
    "chain": "{r} o {s} SubPropertyOf {t}",
}


def written(form: str, row: Sequence[int], vocabulary: Vocabulary) -> str:
    """An axiom with the labels of its classes and roles.

    >>> written("existential", dataset.train[0], dataset.vocabulary)  # doctest: +SKIP
    'Ann SubClassOf has_child some Bob'
    """
    shape = form_named(form)
    names = {
        column: vocabulary.role_label(int(i)) if column in "rst" else vocabulary.class_label(int(i))
        for column, i in zip(shape.columns, row, strict=True)
    }
    return _SHAPES[shape.name].format(**names)

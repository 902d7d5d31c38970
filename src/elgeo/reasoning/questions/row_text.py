"""Rows of normal forms as axioms in functional syntax."""

from __future__ import annotations

from collections.abc import Sequence

from elgeo.errors import SettingError
from elgeo.ontology.normal_forms import form_named
from elgeo.ontology.vocabulary import Kind, Vocabulary


def row_text(form: str, row: Sequence[int], vocabulary: Vocabulary) -> str:
    """A row of a normal form in functional syntax."""
    shape = form_named(form)
    if len(row) != shape.width:
        raise SettingError(f"a row of {shape.name} has {shape.width} ids ({', '.join(shape.columns)})")
    names = {}
    for i, (column, number) in enumerate(zip(shape.columns, row, strict=True)):
        is_role = i in shape.role_columns
        if not 0 <= number < (vocabulary.n_roles if is_role else vocabulary.n_classes):
            raise SettingError(f"there is no {'role' if is_role else 'class'} with the id {number}")
        names[column] = role_text(vocabulary, number) if is_role else class_text(vocabulary, number)
    return shape.functional.format(**names)


def class_text(vocabulary: Vocabulary, class_id: int) -> str:
    """A class in functional syntax: its IRI, its nominal, or the expression a fresh one stands for."""
    name, kind = vocabulary.classes[class_id], vocabulary.class_kinds[class_id]
    if kind == Kind.FRESH:
        return name
    own = name if name.startswith("_:") else f"<{name}>"
    return f"ObjectOneOf({own})" if kind == Kind.INDIVIDUAL else own


def role_text(vocabulary: Vocabulary, role_id: int) -> str:
    """A role in functional syntax: its IRI, or the expression a fresh one stands for."""
    name = vocabulary.roles[role_id]
    return name if vocabulary.role_kinds[role_id] == Kind.FRESH else f"<{name}>"

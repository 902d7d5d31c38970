"""What people call a class: its label with the id they write for it."""

from __future__ import annotations

from elgeo.ontology.short_names import short_form
from elgeo.ontology.vocabulary import Vocabulary


def called(names: Vocabulary, c: int) -> str:
    """The label of a class and its id (`nucleus (GO:0005634)`), or the one where they are the same."""
    label, short = names.class_label(c), short_form(names.classes[c])
    return label if label == short else f"{label} ({short})"

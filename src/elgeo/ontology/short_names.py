"""The short names people use for IRIs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from elgeo.ontology.vocabulary import Vocabulary


def fragment(iri: str) -> str:
    """What follows the last `#` or `/` of an IRI."""
    return iri[max(iri.rfind("#"), iri.rfind("/")) + 1 :] or iri


def short_form(iri: str) -> str:
    """The CURIE people write for an OBO IRI (`GO:0008150`), else the fragment; fresh expressions stay whole."""
    if "<" in iri:
        return iri
    local = fragment(iri)
    prefix, underscore, number = local.rpartition("_")
    return f"{prefix}:{number}" if underscore and prefix.isalpha() and number.isdigit() else local


def called(names: Vocabulary, c: int) -> str:
    """The label of a class and its id (`nucleus (GO:0005634)`), or the one where they are the same.

    An expression that a user wrote has their words for its label, which say all that its name does.
    """
    label, short = names.class_label(c), short_form(names.classes[c])
    return label if label == short or "<" in short else f"{label} ({short})"


def role_called(names: Vocabulary, role: int) -> str:
    """The label of a role and its id, or the one where they are the same."""
    label, short = names.role_label(role), short_form(names.roles[role])
    return label if label.replace(" ", "_") == short.replace(" ", "_") else f"{label} ({short})"


def listed(names: Vocabulary, classes: Iterable[int], most: int = 5) -> str:
    """Some classes as people call them, in the order of their names; how many more there are, if they are many."""
    every = sorted(called(names, c) for c in classes)
    return ", ".join(every[:most]) + (f" and {len(every) - most:,} more" if len(every) > most else "")

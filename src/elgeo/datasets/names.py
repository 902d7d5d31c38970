"""From the short names of data files to the IRIs of an ontology."""

from __future__ import annotations

from urllib.parse import quote

import numpy as np

from elgeo.ontology.expressions import Op
from elgeo.ontology.model import Ontology
from elgeo.ontology.vocabulary import short_form

PREFIX = "http://"
"""Proteins and the target roles are called as in mOWL's datasets (`http://4932.YAL001C`, `http://interacts_with`)."""
OBO = "http://purl.obolibrary.org/obo/"


def iri_of(name: str, prefix: str = PREFIX) -> str:
    """The IRI of a protein or role; a name that is an IRI already stays as it is."""
    if name.startswith(("http://", "https://", "urn:")):
        return name
    return prefix + quote(name, safe=".-_~:@!$&'()*+,;=")


class TermNames:
    """Finds the classes of an ontology that annotations speak of."""

    def __init__(self, ontology: Ontology) -> None:
        nodes = np.flatnonzero(ontology.op == Op.Class)
        self.classes = {ontology.strings[i] for i in ontology.args[ontology.start[nodes]].tolist()}
        self._ontology = ontology

    def find(self, term: str) -> str | None:
        """The IRI behind an IRI or CURIE, by an alternative id too; None if the ontology has no such class."""
        prefix, colon, local = term.partition(":")
        candidates = [term]
        if colon:
            candidates.append(f"{OBO}{prefix}_{local}")
            if prefix in self._ontology.prefixes:
                candidates.append(self._ontology.prefixes[prefix] + local)
        for candidate in candidates:
            iri = self._ontology.alternatives.get(candidate, candidate)
            if iri in self.classes:
                return iri
        return None


def space_of(iri: str) -> str:
    """The space of names a class belongs to: `GO` of `…/obo/GO_0008150`, else all of the IRI before its last name."""
    short = short_form(iri)
    prefix, colon, _ = short.partition(":")
    return prefix if colon else iri[: len(iri) - len(short)]

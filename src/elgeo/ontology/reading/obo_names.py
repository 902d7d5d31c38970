"""The IRIs of OBO identifiers and of its scopes of synonyms, as the OBO Foundry maps them."""

from __future__ import annotations

import re
from urllib.parse import quote

from elgeo.ontology.grammar import SYNONYMS

SCOPES = dict(zip(("EXACT", "RELATED", "BROAD", "NARROW"), SYNONYMS, strict=False))
"""What OBO calls the annotation properties of synonyms."""
OBO = "http://purl.obolibrary.org/obo/"

_URL = re.compile(r"(?:https?|ftp|file|urn):")
_CANONICAL = re.compile(r"[A-Za-z][\w-]*:\d+")
_ESCAPE = re.compile(r"\\(.)")
_ESCAPED = {"n": "\n", "t": "\t", "W": " "}
_UNSAFE = re.compile(r'[\x00-\x20<>"{}|\\^`]')


def unescaped(text: str) -> str:
    """Text without OBO's backslash escapes."""
    return _ESCAPE.sub(lambda m: _ESCAPED.get(m[1], m[1]), text) if "\\" in text else text


class OboNames:
    """Maps identifiers to IRIs; a relation with an xref into the Relation Ontology is that relation."""

    def __init__(self, ontology: str, idspaces: dict[str, str], relation_xrefs: dict[str, list[str]]) -> None:
        self.ontology = ontology
        self.idspaces = idspaces
        self._relations = {
            name: found
            for name, xrefs in relation_xrefs.items()
            if ":" not in name and (found := _standard_relation(xrefs))
        }
        self._known: dict[str, str] = {}
        self._known_relations: dict[str, str] = {}

    def iri(self, identifier: str) -> str:
        """The IRI of a term, an instance or anything else that is no relation."""
        known = self._known.get(identifier)
        if known is None:
            known = self._known[identifier] = self._expanded(unescaped(identifier))
        return known

    def relation(self, identifier: str) -> str:
        """The IRI of a relation."""
        return self.iri(self._relations.get(identifier, identifier))

    def _expanded(self, identifier: str) -> str:
        if _URL.match(identifier):
            iri = identifier
        else:
            space, colon, local = identifier.partition(":")
            if not colon:
                iri = f"{OBO}{self.ontology or 'TEMP'}#{identifier}"
            elif space in self.idspaces:
                iri = self.idspaces[space] + local
            else:
                iri = f"{OBO}{space}{'#_' if '_' in local else '_'}{local}"
        return _UNSAFE.sub(lambda m: quote(m[0]), iri)


def ontology_iri(name: str) -> str | None:
    """The IRI of the ontology called `name` in a header."""
    if not name:
        return None
    return name if _URL.match(name) else f"{OBO}{name}.owl"


def _standard_relation(xrefs: list[str]) -> str | None:
    standard = [x for x in xrefs if x.startswith(("RO:", "BFO:")) and _CANONICAL.fullmatch(x)]
    if standard:
        return standard[0]
    canonical = [x for x in xrefs if _CANONICAL.fullmatch(x)]
    return canonical[0] if len(xrefs) == 1 and canonical else None

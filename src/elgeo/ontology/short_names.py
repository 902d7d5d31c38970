"""The short names people use for IRIs."""

from __future__ import annotations


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

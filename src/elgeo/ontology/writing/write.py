"""`write`: an ontology into a file, in the syntax its ending asks for."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import IO

from elgeo.errors import ElgeoError, SettingError, clipped
from elgeo.files import written_atomically
from elgeo.ontology.model import Ontology
from elgeo.ontology.writing.compression import opened
from elgeo.ontology.writing.functional import functional_lines
from elgeo.ontology.writing.notes import Notes

Writer = Callable[[Ontology, IO[bytes], Notes | None], list[int]]
ENDINGS = {
    ".ofn": "functional",
    ".fss": "functional",
    ".owl": "rdfxml",
    ".rdf": "rdfxml",
    ".xml": "rdfxml",
    ".owx": "owlxml",
    ".ttl": "turtle",
    ".obo": "obo",
    ".omn": "manchester",
    ".json": "obograph",
}
"""The syntax that each ending means."""


def syntax_of(path: str | os.PathLike[str]) -> str:
    """The syntax that a path asks for by its ending, `.gz` left aside."""
    name = os.fspath(path).lower().removesuffix(".gz")
    for ending, syntax in ENDINGS.items():
        if name.endswith(ending):
            return syntax
    raise SettingError(
        f"{os.fspath(path)}: the ending says no syntax; it may be one of {', '.join(ENDINGS)}, or with .gz"
    )


def write(
    ontology: Ontology,
    path: str | os.PathLike[str],
    syntax: str | None = None,
    strict: bool = False,
    notes: Notes | None = None,
) -> list[str]:
    """Write an ontology with all its texts, whole or not at all; gives the axioms the syntax has no words for.

    The syntax follows from the ending of the path unless it is given; `.gz` compresses. `strict` makes an error of
    axioms that would be left out. `notes` are annotations of axioms; OBO gets them as qualifiers.
    """
    writer = _WRITERS[syntax or syntax_of(path)]
    with written_atomically(path) as temporary:
        with opened(temporary, os.fspath(path)) as file:
            left_out = [ontology.text(node) for node in writer(ontology, file, notes)]
        if strict and left_out:
            raise ElgeoError(f"{os.fspath(path)}: the syntax has no words for {clipped(left_out[0], 120)}")
    return left_out


def _functional(ontology: Ontology, file: IO[bytes], notes: Notes | None) -> list[int]:
    for line in functional_lines(ontology, notes):
        file.write(f"{line}\n".encode())
    return []


def _rdf(syntax: str) -> Writer:
    def writer(ontology: Ontology, file: IO[bytes], notes: Notes | None) -> list[int]:
        from elgeo.ontology.writing.rdf import write_rdf  # here, because other syntaxes do without its library

        return write_rdf(ontology, file, syntax, notes)

    return writer


def _owlxml(ontology: Ontology, file: IO[bytes], notes: Notes | None) -> list[int]:
    from elgeo.ontology.writing.owlxml import write_owlxml

    return write_owlxml(ontology, file, notes)


def _obo(ontology: Ontology, file: IO[bytes], notes: Notes | None) -> list[int]:
    from elgeo.ontology.writing.obo import write_obo

    write_obo(ontology, file, notes)
    return []  # what has no stanza is in the header


def _manchester(ontology: Ontology, file: IO[bytes], notes: Notes | None) -> list[int]:
    from elgeo.ontology.writing.manchester import write_manchester

    return write_manchester(ontology, file, notes)


def _obograph(ontology: Ontology, file: IO[bytes], notes: Notes | None) -> list[int]:
    from elgeo.ontology.writing.obograph import write_obograph

    return write_obograph(ontology, file, notes)


_WRITERS: dict[str, Writer] = {
    "obograph": _obograph,
    "manchester": _manchester,
    "functional": _functional,
    "rdfxml": _rdf("rdfxml"),
    "turtle": _rdf("turtle"),
    "owlxml": _owlxml,
    "obo": _obo,
}

"""`read`: a file in any of the five syntaxes becomes an `Ontology`."""

from __future__ import annotations

import os
from collections.abc import Iterable

from elgeo.errors import ReadError
from elgeo.ontology.formats import load
from elgeo.ontology.functional import read_functional
from elgeo.ontology.model import Ontology
from elgeo.ontology.obo import read_obo

_READERS = {"functional": read_functional, "obo": read_obo}


def read(
    path: str | os.PathLike[str], imports: Iterable[str | os.PathLike[str]] = (), max_bytes: int | None = None
) -> Ontology:
    """Read an ontology: OWL functional syntax, RDF/XML, OWL/XML, Turtle or OBO, gzipped or not.

    `imports` are files or folders in which imported ontologies are found, besides the folder of the file itself.
    """
    name = os.fspath(path)
    data, format_name = load(name, max_bytes)
    if format_name not in _READERS:
        raise ReadError(f"{format_name} is not read yet", name)
    return _READERS[format_name](data, name)

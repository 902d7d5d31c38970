"""`read`: a file in any of the five syntaxes, with what it imports, becomes an `Ontology`."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterable
from dataclasses import replace

from elgeo.ontology.expressions import Op
from elgeo.ontology.model import Ontology
from elgeo.ontology.reading.imports import closure
from elgeo.ontology.reading.merging import merged


def read(
    path: str | os.PathLike[str], imports: Iterable[str | os.PathLike[str]] = (), max_bytes: int | None = None
) -> Ontology:
    """Read an ontology: OWL functional syntax, RDF/XML, OWL/XML, Turtle or OBO, gzipped or not.

    Imported ontologies are looked for in the files and folders of `imports` and in the folder of the file, by the
    catalog there, file name or ontology IRI; never on the network. Those not found are in `missing_imports`.
    `max_bytes` bounds the size of each file once decompressed.
    """
    collecting = gc.isenabled()
    # nothing made here is garbage before the end; looking for it takes a third of the time
    gc.disable()
    try:
        return _read(path, imports, max_bytes)
    finally:
        if collecting:
            gc.enable()


def _read(path: str | os.PathLike[str], places: Iterable[str | os.PathLike[str]], max_bytes: int | None) -> Ontology:
    documents, imported, missing = closure(path, places, max_bytes)
    known: dict[str, set[Op]] = {}
    if len(documents) > 1:
        for document in documents:
            for iri, ops in document.declared().items():
                known.setdefault(iri, set()).update(ops)
    whole = merged([document.ontology(known) for document in documents])
    warnings = [
        f"{os.fspath(path)}: the import <{iri}> was not found: put it beside the file, or name it" for iri in missing
    ]
    return replace(
        whole,
        imports=tuple(imported),
        missing_imports=tuple(missing),
        warnings=(*whole.warnings, *warnings),
    )

"""`read`: a file in any of the seven syntaxes, with what it imports, becomes an `Ontology`."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterable
from dataclasses import replace

from elgeo.ontology.expressions import Op
from elgeo.ontology.model import Ontology
from elgeo.ontology.reading.imports import closure
from elgeo.ontology.reading.labels import ENGLISH
from elgeo.ontology.reading.merging import merged

UNUSED = "named as a place of imports, but nothing is imported from it"


def read(
    path: str | os.PathLike[str],
    imports: Iterable[str | os.PathLike[str]] = (),
    max_bytes: int | None = None,
    language: str = ENGLISH,
) -> Ontology:
    """Read an ontology in functional syntax, RDF/XML, OWL/XML, Turtle, OBO, Manchester or OBO Graphs; `-` is stdin.

    Imported ontologies are looked for in the files and folders of `imports` and in the folder of the file, by the
    catalog there, file name or ontology IRI; never on the network. Those not found are in `missing_imports`.
    `max_bytes` bounds the size of each file once decompressed. Labels are taken in `language` (`de`, `pt-BR`), else in
    English or untagged; what has none is shown by the fragment of its IRI.
    """
    collecting = gc.isenabled()
    # nothing made here is garbage before the end; looking for it takes a third of the time
    gc.disable()
    try:
        return _read(path, imports, max_bytes, language)
    finally:
        if collecting:
            gc.enable()


def _read(
    path: str | os.PathLike[str], places: Iterable[str | os.PathLike[str]], max_bytes: int | None, language: str
) -> Ontology:
    documents, imported, missing, unused = closure(path, places, max_bytes, language)
    known: dict[str, set[Op]] = {}
    if len(documents) > 1:
        for document in documents:
            for iri, ops in document.declared().items():
                known.setdefault(iri, set()).update(ops)
    whole = merged([document.ontology(known) for document in documents])
    warnings = [f"{place}: {UNUSED}" for place in unused]
    if missing:
        what, it = ("the import", "it") if len(missing) == 1 else (f"{len(missing)} imports,", "them")
        named = " ".join(f"<{iri}>" for iri in missing[:3]) + (" …" if len(missing) > 3 else "")
        were = "was" if len(missing) == 1 else "were"
        warnings.append(f"{os.fspath(path)}: {what} {named} {were} not found: put {it} beside the file, or name {it}")
    return replace(
        whole,
        imports=tuple(imported),
        missing_imports=tuple(missing),
        warnings=(*whole.warnings, *warnings),
    )

"""One document of an ontology, parsed as far as it can be without the documents it imports."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from elgeo.ontology.expressions import Op
from elgeo.ontology.model import Ontology
from elgeo.ontology.reading.formats import load
from elgeo.ontology.reading.functional.reader import read_functional

if TYPE_CHECKING:
    from elgeo.ontology.reading.rdf.triples import Triples


@dataclass(frozen=True)
class Document:
    """A parsed file; `content` is the ontology, or triples whose meaning depends on declarations elsewhere."""

    file: str
    format: str
    imports: tuple[str, ...]
    content: Ontology | Triples
    language: str

    def declared(self) -> dict[str, set[Op]]:
        """The entities the document declares, and as what."""
        found: dict[str, set[Op]] = {}
        if isinstance(self.content, Ontology):
            for node in self.content.declared.tolist():
                found.setdefault(self.content.string(node), set()).add(Op(int(self.content.op[node])))
            return found
        from elgeo.ontology.reading.rdf.reader import declarations_in

        return declarations_in(self.content)

    def ontology(self, known: Mapping[str, set[Op]]) -> Ontology:
        """The ontology, given what all documents declare."""
        if isinstance(self.content, Ontology):
            return self.content
        from elgeo.ontology.reading.rdf.reader import ontology_of

        return ontology_of(self.content, self.format, self.file, dict(known), self.language)


def open_document(path: str | os.PathLike[str], max_bytes: int | None, language: str) -> Document:
    """Read and parse one file; labels are wanted in `language`."""
    file = os.fspath(path)
    data, format_name = load(file, max_bytes)
    # a syntax that is not asked for is not imported: starting up is part of a command's time
    if format_name in ("rdfxml", "turtle"):
        from elgeo.ontology.reading.rdf.reader import imports_of, triples_of

        triples = triples_of(data, format_name, file)
        return Document(file, format_name, imports_of(triples), triples, language)
    if format_name == "functional":
        ontology = read_functional(data, file, language)
    elif format_name == "owlxml":
        from elgeo.ontology.reading.owlxml import read_owlxml

        ontology = read_owlxml(data, file, language)
    elif format_name == "manchester":
        from elgeo.ontology.reading.manchester.reader import read_manchester

        ontology = read_manchester(data, file, language)
    elif format_name == "obograph":
        from elgeo.ontology.reading.obograph import read_obograph

        ontology = read_obograph(data, file, language)
    else:
        from elgeo.ontology.reading.obo import read_obo

        ontology = read_obo(data, file, language)
    return Document(file, format_name, ontology.imports, ontology, language)

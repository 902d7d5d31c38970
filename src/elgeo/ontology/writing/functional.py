"""An ontology in OWL functional syntax, line by line."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from elgeo.files import written_atomically
from elgeo.ontology.expressions import ENTITIES, Op
from elgeo.ontology.grammar import PREFIXES
from elgeo.ontology.model import Ontology
from elgeo.ontology.writing.compression import opened
from elgeo.ontology.writing.notes import Note, Notes
from elgeo.ontology.writing.words import words


def write_functional(ontology: Ontology, path: str | os.PathLike[str]) -> None:
    """Write axioms, declarations and all texts; gzipped if the path ends in `.gz`. Whole or not at all."""
    with written_atomically(path) as temporary, opened(temporary, os.fspath(path)) as file:
        for line in functional_lines(ontology):
            file.write(f"{line}\n".encode())


def functional_lines(ontology: Ontology, notes: Notes | None = None) -> Iterator[str]:
    """The document, line by line; `notes` are annotations of its axioms."""
    for prefix, iri in {**PREFIXES, **ontology.prefixes}.items():
        yield f"Prefix({prefix}:=<{iri}>)"
    yield f"Ontology({f'<{ontology.iri}>' if ontology.iri else ''}"
    for iri in ontology.imports:
        yield f"Import(<{iri}>)"
    texts = _texts(ontology)
    for node in ontology.declared.tolist():
        yield f"Declaration({Op(int(ontology.op[node])).name}({texts[node]}))"
    for node in ontology.axiom_nodes.tolist():
        yield annotated(texts[node], notes.get(node, ()) if notes else ())
    for property_, subject, value in words(ontology):
        yield f"AnnotationAssertion(<{property_}> {_subject(subject)} {value})"
    yield ")"


def annotated(axiom: str, notes: Sequence[Note]) -> str:
    """An axiom with its annotations."""
    said = "".join(f"Annotation(<{note.property}> {note.value}) " for note in notes)
    return axiom.replace("(", f"({said}", 1)


def _subject(iri: str) -> str:
    return iri if iri.startswith("_:") else f"<{iri}>"


def _texts(ontology: Ontology) -> list[str]:
    """The text of every node; arguments come before the nodes that use them, so one pass will do."""
    texts: list[str] = []
    strings, args, start = ontology.strings, ontology.args.tolist(), ontology.start.tolist()
    names = {int(op): op.name for op in Op}
    for node, op in enumerate(ontology.op.tolist()):
        first, last = start[node], start[node + 1]
        if op in ENTITIES:
            string = strings[args[first]]
            texts.append(string if op == Op.Literal else _subject(string))
        elif op == Op.HasKey:
            texts.append(ontology.text(node))
        else:
            texts.append(f"{names[op]}({' '.join([texts[a] for a in args[first:last]])})")
    return texts

"""Labels, synonyms and definitions: the same from every syntax, the best of several, and back from the tables."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pyhornedowl
import pyoxigraph
import pytest

from elgeo.ontology import normalise, read
from elgeo.ontology.model import Ontology
from elgeo.ontology.reading.merging import merged
from elgeo.ontology.writing.functional import write_functional
from elgeo.ontology.writing.tables import load_tables, save_tables

FUNCTIONAL = """Prefix(skos:=<http://www.w3.org/2004/02/skos/core#>)
Prefix(rdfs:=<http://www.w3.org/2000/01/rdf-schema#>)
Prefix(obo:=<http://purl.obolibrary.org/obo/>)
Prefix(oio:=<http://www.geneontology.org/formats/oboInOwl#>)
Ontology(<http://ex.org/o>
Declaration(Class(<http://ex.org/A>))
Declaration(Class(<http://ex.org/B>))
Declaration(Class(<http://ex.org/C>))
Declaration(Class(<http://ex.org/D>))
Declaration(AnnotationProperty(obo:IAO_0000115))
Declaration(AnnotationProperty(skos:definition))
Declaration(AnnotationProperty(oio:hasExactSynonym))
Declaration(AnnotationProperty(rdfs:comment))
Declaration(AnnotationProperty(rdfs:label))
Declaration(AnnotationProperty(<http://ex.org/note>))
AnnotationAssertion(rdfs:comment <http://ex.org/A> "not needed")
AnnotationAssertion(rdfs:label <http://ex.org/A> "das A"@de)
AnnotationAssertion(rdfs:label <http://ex.org/A> "the A"@en)
AnnotationAssertion(oio:hasExactSynonym <http://ex.org/A> "an A")
AnnotationAssertion(oio:hasExactSynonym <http://ex.org/A> "an A")
AnnotationAssertion(obo:IAO_0000115 <http://ex.org/A> "A \\"first\\" letter\\\\")
AnnotationAssertion(rdfs:comment <http://ex.org/A> "not needed either")
AnnotationAssertion(skos:definition <http://ex.org/B> "ein B"@de)
AnnotationAssertion(skos:definition <http://ex.org/B> "a B"@en-GB)
AnnotationAssertion(rdfs:comment <http://ex.org/B> "B, in short")
AnnotationAssertion(rdfs:comment <http://ex.org/C> "un C"@fr)
AnnotationAssertion(rdfs:comment <http://ex.org/C> "a C")
AnnotationAssertion(rdfs:comment <http://ex.org/D> "un D"@fr)
AnnotationAssertion(skos:definition <http://ex.org/D> "ein D"@de)
AnnotationAssertion(<http://ex.org/note> <http://ex.org/D> "no definition")
AnnotationAssertion(skos:definition <http://ex.org/D> <http://ex.org/A>)
SubClassOf(Annotation(rdfs:comment "why A is a B") <http://ex.org/A> <http://ex.org/B>)
)
"""
EXPECTED = {"A": 'A "first" letter\\', "B": "a B", "C": "a C", "D": "ein D"}


def _words(ontology: Ontology) -> tuple[dict[str, str], dict[str, tuple[str, ...]], dict[str, str]]:
    def short(iri: str) -> str:
        return iri.rpartition("/")[2]

    return (
        {short(iri): label for iri, label in ontology.labels.items()},
        {short(iri): names for iri, names in ontology.synonyms.items()},
        {short(iri): text for iri, text in ontology.definitions.items()},
    )


def test_every_owl_syntax_has_the_same_words(tmp_path: Path) -> None:
    (tmp_path / "o.ofn").write_text(FUNCTIONAL)
    peer = pyhornedowl.open_ontology_from_file(str(tmp_path / "o.ofn"))
    peer.save_to_file(str(tmp_path / "rdf.owl"), serialization="owl")
    peer.save_to_file(str(tmp_path / "o.owx"), serialization="owx")
    triples = pyoxigraph.parse((tmp_path / "rdf.owl").read_bytes(), pyoxigraph.RdfFormat.RDF_XML)
    turtle: Any = pyoxigraph.serialize(
        (pyoxigraph.Triple(t.subject, t.predicate, t.object) for t in triples), format=pyoxigraph.RdfFormat.TURTLE
    )
    (tmp_path / "o.ttl.gz").write_bytes(gzip.compress(turtle, mtime=0))
    for name in ("o.ofn", "rdf.owl", "o.owx", "o.ttl.gz"):
        assert _words(read(tmp_path / name)) == ({"A": "the A"}, {"A": ("an A",)}, EXPECTED), name


def test_obo(tmp_path: Path) -> None:
    (tmp_path / "o.obo").write_text(
        "ontology: t\n[Term]\nid: T:1\ncomment: Note this.\nname: one\n"
        'def: "The \\"first\\"\\nof all." [X:1]\nsynonym: "uno" EXACT []\nsynonym: "uno" RELATED []\n'
        "[Term]\nid: T:2\nname: two\ncomment: Comes\\, second! Really.\n"
        "[Term]\nid: T:3\ndef: broken [X:1]\n"
    )
    labels, synonyms, definitions = _words(read(tmp_path / "o.obo"))
    assert labels == {"T_1": "one", "T_2": "two"}
    assert synonyms == {"T_1": ("uno",)}
    assert definitions == {"T_1": 'The "first"\nof all.', "T_2": "Comes, second! Really."}


@pytest.mark.parametrize("format", ["tsv", "parquet"])
def test_words_come_back_from_files(tmp_path: Path, format: str) -> None:
    (tmp_path / "o.ofn").write_text(FUNCTIONAL)
    ontology = read(tmp_path / "o.ofn")
    write_functional(ontology, tmp_path / "again.ofn")
    assert _words(read(tmp_path / "again.ofn")) == _words(ontology)
    save_tables(normalise(ontology), tmp_path / "tables", format)
    loaded = load_tables(tmp_path / "tables").vocabulary
    assert (loaded.labels, loaded.synonyms, loaded.definitions) == (
        ontology.labels,
        ontology.synonyms,
        ontology.definitions,
    )
    # tables that an earlier version wrote have no definitions
    (tmp_path / "tables" / f"definitions.{format}").unlink()
    assert load_tables(tmp_path / "tables").vocabulary.definitions == {}


def test_of_merged_ontologies_the_first_defines(tmp_path: Path) -> None:
    (tmp_path / "o.ofn").write_text(FUNCTIONAL)
    first = read(tmp_path / "o.ofn")
    (tmp_path / "p.ofn").write_text(FUNCTIONAL.replace("/D>", "/E>").replace("a B", "other"))
    union = merged([first, read(tmp_path / "p.ofn")])
    assert _words(union)[2] == {**EXPECTED, "E": "ein D"}

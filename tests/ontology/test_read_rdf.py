"""RDF graphs as people and tools write them: old habits, annotations, rules, broken structure."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from elgeo.errors import ReadError
from elgeo.ontology import read
from elgeo.ontology.model import Ontology
from elgeo.ontology.reading.rdf import expressions

PREFIXES = """@prefix : <http://ex.org/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> . @prefix swrl: <http://www.w3.org/2003/11/swrl#> .
@prefix oio: <http://www.geneontology.org/formats/oboInOwl#> .
:r a owl:ObjectProperty . :d a owl:DatatypeProperty . :note a owl:AnnotationProperty .
"""


def _read(tmp_path: Path, text: str) -> Ontology:
    file = tmp_path / "o.ttl"
    file.write_text(PREFIXES + text, encoding="utf-8")
    return read(file)


def _axioms(ontology: Ontology) -> list[str]:
    return [
        str(a).replace("http://ex.org/", ":").replace("http://www.w3.org/2001/XMLSchema#", "xsd:")
        for a in ontology.axioms
    ]


@pytest.mark.parametrize(
    ("turtle", "axioms"),
    [
        # a named class with a definition hanging on it, as OWL 1 had it
        (":A a owl:Class ; owl:intersectionOf (:B :C) .", ["EquivalentClasses(<:A> ObjectIntersectionOf(<:B> <:C>))"]),
        (":A owl:oneOf (:i :j) .", ["EquivalentClasses(<:A> ObjectOneOf(<:i> <:j>))"]),
        (":A rdfs:subClassOf [owl:unionOf (:B)] .", ["SubClassOf(<:A> <:B>)"]),
        (":A rdfs:subClassOf [owl:intersectionOf ()] .", ["SubClassOf(<:A> <http://www.w3.org/2002/07/owl#Thing>)"]),
        (":A rdfs:subClassOf [owl:unionOf ()] .", ["SubClassOf(<:A> <http://www.w3.org/2002/07/owl#Nothing>)"]),
        (":A rdfs:subClassOf [owl:oneOf ()] .", ["SubClassOf(<:A> <http://www.w3.org/2002/07/owl#Nothing>)"]),
        ("[a owl:AllDisjointClasses ; owl:members (:A :B :C)] .", ["DisjointClasses(<:A> <:B> <:C>)"]),
        ("[a owl:AllDifferent ; owl:distinctMembers (:i :j)] .", ["DifferentIndividuals(<:i> <:j>)"]),
        ("[a owl:AllDisjointProperties ; owl:members (:r :s)] .", ["DisjointObjectProperties(<:r> <:s>)"]),
        (
            ":i :r :j . :i :d 5 .",
            ["ObjectPropertyAssertion(<:r> <:i> <:j>)", 'DataPropertyAssertion(<:d> <:i> "5"^^<xsd:integer>)'],
        ),
        # the annotation of an axiom does not make it twice
        (
            ":A rdfs:subClassOf :B . [a owl:Axiom ; owl:annotatedSource :A ; owl:annotatedProperty rdfs:subClassOf ;"
            ' owl:annotatedTarget :B ; :note "why"] .',
            ["SubClassOf(<:A> <:B>)"],
        ),
        (
            ":r owl:propertyChainAxiom (:r [owl:inverseOf :r]) .",
            ["SubObjectPropertyOf(ObjectPropertyChain(<:r> ObjectInverseOf(<:r>)) <:r>)"],
        ),
        # undeclared properties: what they are used for decides
        (
            ":A rdfs:subClassOf [a owl:Restriction ; owl:onProperty :p ; owl:someValuesFrom :B] .",
            ["SubClassOf(<:A> ObjectSomeValuesFrom(<:p> <:B>))"],
        ),
        (
            ":A rdfs:subClassOf [owl:onProperty :p ; owl:someValuesFrom xsd:string] .",
            ["SubClassOf(<:A> DataSomeValuesFrom(<:p> <xsd:string>))"],
        ),
        (
            ":A rdfs:subClassOf [owl:onProperty :p ; owl:someValuesFrom [owl:datatypeComplementOf xsd:int]] .",
            ["SubClassOf(<:A> DataSomeValuesFrom(<:p> DataComplementOf(<xsd:int>)))"],
        ),
        (
            ":A rdfs:subClassOf [owl:onProperty :p ; owl:someValuesFrom"
            " [owl:onDatatype xsd:int ; owl:withRestrictions ([xsd:minInclusive 3])]] .",
            [
                "SubClassOf(<:A> DataSomeValuesFrom(<:p>"
                ' DatatypeRestriction(<xsd:int> <xsd:minInclusive> "3"^^<xsd:integer>)))'
            ],
        ),
        (
            ":A rdfs:subClassOf [owl:onProperty :p ; owl:hasValue 1] .",
            ['SubClassOf(<:A> DataHasValue(<:p> "1"^^<xsd:integer>))'],
        ),
        (
            ":A rdfs:subClassOf [owl:onProperties (:p :q) ; owl:someValuesFrom xsd:string] .",
            ["SubClassOf(<:A> DataSomeValuesFrom(<:p> <:q> <xsd:string>))"],
        ),
        (
            ":A rdfs:subClassOf [owl:onProperties (:p :q) ; owl:allValuesFrom xsd:string] .",
            ["SubClassOf(<:A> DataAllValuesFrom(<:p> <:q> <xsd:string>))"],
        ),
        (
            ":p a owl:FunctionalProperty . :i :p :j .",
            ["FunctionalObjectProperty(<:p>)", "ObjectPropertyAssertion(<:p> <:i> <:j>)"],
        ),
        (
            ":A rdfs:subClassOf [owl:onProperty :d ; owl:maxCardinality 2] .",
            ["SubClassOf(<:A> DataMaxCardinality(2 <:d>))"],
        ),
        (
            ":A rdfs:subClassOf [owl:onProperty :p ; owl:qualifiedCardinality 010 ; owl:onDataRange xsd:int] .",
            ["SubClassOf(<:A> DataExactCardinality(10 <:p> <xsd:int>))"],
        ),
        (
            ":A rdfs:subClassOf [owl:onProperty :d ; owl:minQualifiedCardinality 1 ; owl:onDataRange xsd:int] .",
            ["SubClassOf(<:A> DataMinCardinality(1 <:d> <xsd:int>))"],
        ),
        (
            ":A rdfs:subClassOf [owl:onProperty :p ; owl:minCardinality 00] .",
            ["SubClassOf(<:A> ObjectMinCardinality(0 <:p>))"],
        ),
        (
            ":A rdfs:subClassOf [owl:onProperty :r ; owl:maxQualifiedCardinality 3 ; owl:onClass :B] .",
            ["SubClassOf(<:A> ObjectMaxCardinality(3 <:r> <:B>))"],
        ),
        (":q rdfs:range xsd:int .", ["DataPropertyRange(<:q> <xsd:int>)"]),
        (":A owl:hasKey (:r :d) .", ["HasKey(<:A> (<:r>) (<:d>))"]),
        (
            ":dt a rdfs:Datatype ; owl:equivalentClass [a rdfs:Datatype ; owl:oneOf (1)] .",
            ['DatatypeDefinition(<:dt> DataOneOf("1"^^<xsd:integer>))'],
        ),
        # one name as class, individual and property
        (
            ":A a owl:Class . :A a :A . :A :r :A .",
            ["ClassAssertion(<:A> <:A>)", "ObjectPropertyAssertion(<:r> <:A> <:A>)"],
        ),
        (":r rdfs:subPropertyOf :s . :note rdfs:subPropertyOf rdfs:comment .", ["SubObjectPropertyOf(<:r> <:s>)"]),
    ],
)
def test_what_triples_mean(tmp_path: Path, turtle: str, axioms: list[str]) -> None:
    assert _axioms(_read(tmp_path, turtle)) == axioms


@pytest.mark.parametrize(
    ("name", "base"),
    [
        ("my ontology.ttl", "my%20ontology.ttl"),
        ("go (1), new.ttl", "go%20(1),%20new.ttl"),
        ("100% <état> #2?.ttl", "100%25%20%3C%C3%A9tat%3E%20%232%3F.ttl"),
        (os.fsdecode(b"\xff{}.ttl"), "%FF%7B%7D.ttl"),
    ],
)
def test_files_are_called_anything(tmp_path: Path, name: str, base: str) -> None:
    """Names that stand for no IRI are relative to the file's."""
    (tmp_path / name).write_text("<#A> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <> .")
    (axiom,) = (str(axiom) for axiom in read(tmp_path / name).axioms)
    assert axiom == f"SubClassOf(<file:///{base}#A> <file:///{base}>)"


def test_anonymous_individuals(tmp_path: Path) -> None:
    axioms = _axioms(_read(tmp_path, ":i :r _:x . _:x a :A . _:x :r _:y ."))
    assert [a.partition("(")[0] for a in axioms] == [
        "ObjectPropertyAssertion",
        "ClassAssertion",
        "ObjectPropertyAssertion",
    ]
    assert axioms[1] == f"ClassAssertion(<:A> {axioms[0][-4:-1].strip('> ')})"


def test_names_and_counts(tmp_path: Path) -> None:
    ontology = _read(
        tmp_path,
        '<http://ex.org/o> a owl:Ontology ; rdfs:comment "c" . :A a owl:Class ; rdfs:label "das A"@de ;'
        ' rdfs:label "the \\"A\\""@en ; oio:hasExactSynonym "a" ; :note :B ; :odd "x" .',
    )
    assert ontology.iri == "http://ex.org/o"
    assert ontology.labels == {"http://ex.org/A": 'the "A"'}
    assert ontology.synonyms == {"http://ex.org/A": ("a",)}
    assert ontology.ignored == {"annotations": 6, "declarations": 4}
    assert "odd" in ontology.warnings[0]
    assert ontology.prefixes["oio"].endswith("oboInOwl#")


def test_only_individuals_have_names_without_an_iri(tmp_path: Path) -> None:
    (tmp_path / "o.ttl").write_text(
        PREFIXES + ':A a owl:Class ; rdfs:subClassOf :B . [] a :A ; rdfs:label "someone" .\n'
        "[] a owl:Axiom ; owl:annotatedSource :A ; owl:annotatedProperty rdfs:subClassOf ; owl:annotatedTarget :B ;"
        ' rdfs:label "why" ; rdfs:comment "because" .'
    )
    ontology = read(tmp_path / "o.ttl")
    assert list(ontology.labels.values()) == ["someone"]
    assert ontology.definitions == {}
    assert ontology.ignored["annotations"] == 3


def test_rules_are_kept_whole(tmp_path: Path) -> None:
    rule = (
        ":x a swrl:Variable . [a swrl:Imp ; swrl:body ([a swrl:ClassAtom ; swrl:classPredicate :A ; swrl:argument1 :x])"
        " ; swrl:head ([a swrl:IndividualPropertyAtom ; swrl:propertyPredicate :r ;"
        " swrl:argument1 :x ; swrl:argument2 :i])] ."
    )
    (tmp_path / "o.ofn").write_text(
        "Prefix(:=<http://ex.org/>) Ontology(DLSafeRule(Body(ClassAtom(:A Variable(:x)))"
        "Head(ObjectPropertyAtom(:r Variable(:x) :i))))"
    )
    (tmp_path / "o.owx").write_text(
        '<Ontology xmlns="http://www.w3.org/2002/07/owl#" xml:base="http://ex.org/"><DLSafeRule><Body><ClassAtom>'
        '<Class IRI="A"/><Variable IRI="x"/></ClassAtom></Body><Head><ObjectPropertyAtom><ObjectProperty IRI="r"/>'
        '<Variable IRI="x"/><NamedIndividual IRI="i"/></ObjectPropertyAtom></Head></DLSafeRule></Ontology>'
    )
    expected = ["DLSafeRule(Body(ClassAtom(<:A> Variable(<:x>))) Head(ObjectPropertyAtom(<:r> Variable(<:x>) <:i>)))"]
    assert _axioms(_read(tmp_path, rule)) == expected
    assert _axioms(read(tmp_path / "o.ofn")) == expected
    assert _axioms(read(tmp_path / "o.owx")) == expected


@pytest.mark.parametrize(
    ("turtle", "problem"),
    [
        (":A rdfs:subClassOf [a owl:Restriction ; owl:onProperty :r] .", "says nothing about its property"),
        (":A rdfs:subClassOf [a owl:Class] .", "no class expression"),
        (":A rdfs:subClassOf [owl:intersectionOf _:l] . _:l rdf:first :B .", "list that is broken"),
        (":A rdfs:subClassOf [owl:unionOf _:l] . _:l rdf:first :B ; rdf:rest _:l .", "no end"),
        (":A rdfs:subClassOf _:x . _:x owl:complementOf _:x .", "contains itself"),
        (':A rdfs:subClassOf "text" .', "literal where an IRI"),
        (':A rdfs:subClassOf [owl:onProperty :r ; owl:minCardinality "two"] .', "no number"),
        ("[a owl:NegativePropertyAssertion ; owl:assertionProperty :r] .", "without source"),
        ("[a owl:AllDisjointClasses] .", "has none"),
        (":r owl:propertyChainAxiom () .", "empty property chain"),
    ],
)
def test_broken_structure(tmp_path: Path, turtle: str, problem: str) -> None:
    with pytest.raises(ReadError, match=problem) as caught:
        _read(tmp_path, turtle)
    assert caught.value.file == str(tmp_path / "o.ttl")


def test_an_iri_has_no_blanks(tmp_path: Path) -> None:
    (tmp_path / "o.owl").write_text(
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:owl="http://www.w3.org/2002/07/owl#"'
        ' xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#"><owl:Class rdf:about="http://ex.org/A">'
        '<rdfs:subClassOf rdf:resource="http://ex.org/a b"/></owl:Class></rdf:RDF>'
    )
    with pytest.raises(ReadError, match=r"<http://ex.org/a b> is no IRI \(near <http://ex.org/A>\)"):
        read(tmp_path / "o.owl")


def test_what_is_near_a_blank_node_is_where_it_is_reached_from(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="no class expression") as caught:
        _read(tmp_path, ":B rdfs:subClassOf :A . :X :r _:x . _:x :r _:y . _:y rdfs:subClassOf [a owl:Class] .")
    assert "(near <http://ex.org/X>)" in str(caught.value)
    with pytest.raises(ReadError, match=r"no class expression \(near _:"):
        _read(tmp_path, "_:x :r _:y . _:y :r _:x ; rdfs:subClassOf [a owl:Class] .")


def test_what_is_no_turtle_is_said_of_turtle(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="not Turtle: ") as caught:
        _read(tmp_path, ":A rdfs:subClassOf ; .")
    assert "XML" not in str(caught.value)
    assert str(caught.value).partition("not Turtle: ")[2].count("line") == 1, "where it is, once"


@pytest.mark.slow
def test_deep_expressions(tmp_path: Path) -> None:
    def nested(levels: int) -> str:
        return ":A rdfs:subClassOf " + "[owl:complementOf " * levels + ":B" + "]" * levels + " ."

    assert str(_read(tmp_path, nested(900)).axioms[0]).count("ObjectComplementOf") == 900
    with pytest.raises(ReadError, match="nest more than"):
        _read(tmp_path, nested(100_000))


def test_expressions_nest_as_deeply_as_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expressions, "MAX_DEPTH", 3)
    text = ":A rdfs:subClassOf [owl:complementOf [owl:complementOf [owl:complementOf {}]]] ."
    assert str(_read(tmp_path, text.format(":B")).axioms[0]).count("ObjectComplementOf") == 3
    with pytest.raises(ReadError, match="nest more than 3 deep"):
        _read(tmp_path, text.format("[owl:complementOf :B]"))


def test_properties_that_are_not_declared_are_the_same_wherever_they_stand(tmp_path: Path) -> None:
    ontology = _read(
        tmp_path,
        ":B a owl:Class . :i a :B ; :s 5 ; :t :j . :j a :B . :s rdfs:subPropertyOf :p ; rdfs:domain :B ."
        ":t rdfs:subPropertyOf :q ; rdfs:domain :B .",
    )
    kinds = sorted(axiom.kind for axiom in ontology.axioms if axiom.kind != "ClassAssertion")
    assert kinds == sorted(
        f"{kind}Property{what}" if what != "Of" else f"Sub{kind}PropertyOf"
        for kind in ("Data", "Object")
        for what in ("Assertion", "Domain", "Of")
    )


def test_properties_of_a_key_that_are_not_declared_are_judged_by_use(tmp_path: Path) -> None:
    path = tmp_path / "o.ttl"
    path.write_text(
        "@prefix : <http://e/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .\n"
        ":B a owl:Class ; owl:hasKey ( :k :l :m ) . :i a :B ; :k :j ; :l 5 , 6 . :j :k :i ."
    )
    keys = [str(axiom) for axiom in read(path).axioms if axiom.kind == "HasKey"]
    assert keys == ["HasKey(<http://e/B> (<http://e/k> <http://e/m>) (<http://e/l>))"]

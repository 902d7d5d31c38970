"""The quick reader of functional syntax on a small document with all that is odd in it, beside the plain reader."""

from __future__ import annotations

import pytest

from elgeo.errors import ReadError
from elgeo.ontology.expressions import Op
from elgeo.ontology.grammar import PLAIN_LITERAL, SIGNATURES, XSD_STRING, Sort, literal
from elgeo.ontology.model import Builder
from elgeo.ontology.normal_forms import FORMS, empty_tables
from elgeo.ontology.reading.functional.reader import read_functional
from tests.ontology import plain_functional

DOCUMENT = r"""Prefix(:=<http://x/>) Prefix(e:=<http://e/#>)
Ontology(<http://x/o> # a comment (with ( brackets "and" <marks>
Annotation(rdfs:comment "not \" closed ) here (")
Declaration(Class(:A)) Declaration(NamedIndividual(:i))
SubClassOf(Annotation(rdfs:label "why (\\") :A e:B)
SubClassOf(:A ObjectMinCardinality(007 :r e:B))
SubClassOf(:A ObjectMaxCardinality(0 :r))
SubClassOf(:A ObjectExactCardinality(00 :r ObjectIntersectionOf(:A <http://e/#B>)))
SubObjectPropertyOf(ObjectPropertyChain(:r ObjectInverseOf(:s) :r) :t)
SubClassOf(:A DataSomeValuesFrom(:d xsd:integer))
SubClassOf(:A DataSomeValuesFrom(:d :e xsd:integer ))
SubClassOf(:A DataSomeValuesFrom(:d :e DataOneOf("a" "b"@EN-gb)))
SubClassOf(:A DataAllValuesFrom(:d DatatypeRestriction(xsd:integer xsd:minInclusive "5"^^xsd:integer xsd:maxInclusive "9"^^<http://www.w3.org/2001/XMLSchema#integer>)))
DisjointClasses(:A e:B :C :D ObjectIntersectionOf(:A ObjectSomeValuesFrom(:r :D)))
HasKey(:A (:r :s) (:d))
HasKey(:B ( :r ) ( ))
HasKey(ObjectSomeValuesFrom(:r :A) () (:d :e))
DisjointUnion(:C :A e:B :D)
ClassAssertion(:A _:blank)
ObjectPropertyAssertion(:r :i _:blank)
DataPropertyAssertion(:d :i "back\\slash \"quoted\" \n")
DataPropertyAssertion(:d :i "text"^^xsd:string)
DataPropertyAssertion(:d :i "text@EN"^^rdf:PlainLiteral)
DataPropertyAssertion(:d :i "text@"^^rdf:PlainLiteral)
DataPropertyAssertion(:d :i "a@b@DE"^^rdf:PlainLiteral)
DataPropertyAssertion(:d :i "text"^^rdf:PlainLiteral)
DataPropertyAssertion(:d :i "@fr"^^rdf:PlainLiteral)
DataPropertyAssertion(:d :i ""^^rdf:PlainLiteral)
DataPropertyAssertion(:d :i ""@x)
AnnotationAssertion(rdfs:label :A "the a"@en)
AnnotationAssertion(:other :A "nothing (to see"@en)
AnnotationAssertion(rdfs:seeAlso :A <http://see/(x)>)
EquivalentClasses(:A :A2 :A23 :A234)
)
"""


def test_what_the_quick_reader_reads_is_what_the_plain_one_does() -> None:
    data = DOCUMENT.encode()
    quick, plain = read_functional(data, "small"), plain_functional.read_functional(data, "small")
    assert [str(axiom) for axiom in quick.axioms] == [str(axiom) for axiom in plain.axioms]
    assert quick.ignored == plain.ignored
    assert {quick.text(d) for d in quick.declared} == {plain.text(d) for d in plain.declared}
    assert quick.labels == {"http://x/A": "the a"}
    assert len(set(quick.strings)) == len(quick.strings)
    texts = [str(axiom) for axiom in quick.axioms]
    values = [text.split(" ", 2)[2][:-1] for text in texts if text.startswith("DataPropertyAssertion")]
    assert values == [
        r'"back\\slash \"quoted\" \\n"', '"text"', '"text"@en', '"text"', '"a@b"@de', '"text"', '""@fr', '""', '""@x',
    ]  # fmt: skip
    assert "ObjectMinCardinality(7 <http://x/r> <http://e/#B>)" in texts[1]
    assert "ObjectMaxCardinality(0 <http://x/r>)" in texts[2]
    assert "ObjectExactCardinality(0 " in texts[3]


@pytest.mark.slow
def test_a_document_that_ends_anywhere_is_refused() -> None:
    """Every beginning of it but the whole: one message, whatever the last byte was."""
    data = DOCUMENT.encode().rstrip()
    for end in [*range(60, len(data) - 900, 11), *range(len(data) - 900, len(data) - 1, 2)]:
        with pytest.raises(ReadError):
            read_functional(data[:end], "cut")


@pytest.mark.parametrize(
    "axiom",
    [
        "SubClassOf(:A)", "SubClassOf(:A :B :C)", "SubClassOf(:A ObjectUnionOf())", "DisjointUnion(:A)",
        "SubClassOf(:A DataSomeValuesFrom(:d))", "SubClassOf(:A ObjectMinCardinality(x :r))",
        "SubClassOf(:A ObjectMinCardinality(1x :r))", "SubClassOf(:A \"B\")", "SubClassOf(:A _:b)",
        "DataPropertyAssertion(:d :i :j)", "DataPropertyAssertion(:d :i \"x\"@)", "SubClassOf(:A <http://x/a b>)",
        "SubClassOf(:A no:B)", "SubClassOf(:A B)", "HasKey((:r) (:d))", "HasKey(:A (:r) (:d) (:e))",
        "SubClassOf(:A (:B))", "Nothing(:A)", "SubClassOf(:A SubClassOf(:A :B))", "SubClassOf(:A ObjectInverseOf(:r))",
        "SubObjectPropertyOf(:r ObjectPropertyChain(:r :s))", "SubClassOf(:A DataIntersectionOf(xsd:integer))",
        "SubClassOf(:A DataSomeValuesFrom(DataOneOf(\"a\") xsd:integer))",
        "Declaration(Class(:A) Class(:B))", "Declaration(Class(:A :B))", "Declaration()", "Declaration(Class())",
        "<http://x/o/1> <http://x/o/1/again>", "SubClassOf(:A :B)) SubClassOf(:A :B",
    ],
)  # fmt: skip
def test_what_is_no_axiom_is_refused_by_both(axiom: str) -> None:
    document = f"Prefix(:=<http://x/>) Ontology(<http://x/o>\n{axiom}\n)".encode()
    for reader in (read_functional, plain_functional.read_functional):
        with pytest.raises(ReadError):
            reader(document, "bad")


@pytest.mark.parametrize(
    ("text", "datatype", "language", "expected"),
    [
        ("x", "", "", '"x"'), ("x", XSD_STRING, "", '"x"'), ("x", "", "EN", '"x"@en'),
        ("x", "http://d", "", '"x"^^<http://d>'),
        ("x@DE", PLAIN_LITERAL, "", '"x"@de'), ("x", PLAIN_LITERAL, "fr", '"x"@fr'),
        ("a@b@", PLAIN_LITERAL, "", '"a@b"'),
        ('a"b\\', "", "", '"a\\"b\\\\"'), ("x@de", "", "", '"x@de"'), ("x", PLAIN_LITERAL, "", '"x"'),
    ],
)  # fmt: skip
def test_literals_are_written_in_one_way(text: str, datatype: str, language: str, expected: str) -> None:
    assert literal(text, datatype, language) == expected


def test_the_places_of_a_constructor_and_how_many_it_takes() -> None:
    restriction = SIGNATURES[Op.DatatypeRestriction]
    assert [restriction.place(i) for i in (1, 3, 5)] == [restriction.place(1)] * 3
    assert [restriction.place(i) for i in (2, 4, 6)] == [Sort.LITERAL] * 3
    assert restriction.place(1) != Sort.LITERAL
    union = SIGNATURES[Op.DisjointUnion]
    assert (union.fewest, union.place(0), union.place(9)) == (2, Sort.CLASS, Sort.CLASS)
    assert SIGNATURES[Op.ObjectUnionOf].fewest == 1
    assert SIGNATURES[Op.SubClassOf].place(2) is None
    assert (SIGNATURES[Op.SubClassOf].fewest, SIGNATURES[Op.SubClassOf].most) == (2, 2)


def test_nothing_is_counted_before_it_is_there() -> None:
    builder = Builder()
    assert builder.ignored == {"annotations": 0, "declarations": 0}
    first = builder.entity(Op.Class, "http://x/A")
    builder.declare(first)
    builder.declare(first)
    assert builder.finish().ignored["declarations"] == 2
    tables = empty_tables()
    assert set(tables) == set(FORMS)
    assert {name: table.shape for name, table in tables.items()} == {f: (0, form.width) for f, form in FORMS.items()}


def test_names_that_go_on_like_what_their_prefix_stands_for() -> None:
    """`e:http` and the like: where a name of a prefix ends is told by its colon, not by what follows."""
    names = ["http", "h", "ht", "e:", "x", "e:http://e/#h"]
    text = " ".join(f"Declaration(Class(e:{n}))" for n in names)
    prefixes = "Prefix(e:=<http://e/#>) Prefix(ee:=<http://ee/>)"
    quick = read_functional(f"{prefixes} Ontology({text} Declaration(Class(ee:http)))".encode(), "names")
    assert [quick.string(node) for node in quick.declared.tolist()] == [
        *(f"http://e/#{n}" for n in names),
        "http://ee/http",
    ]


@pytest.mark.parametrize("length", [10, 3_000, 40_000])
def test_a_prefix_may_stand_for_very_much(length: int) -> None:
    long = "http://x/" + "y" * length
    text = (
        f'Prefix(:=<{long}>) Ontology(SubClassOf(:A :B) SubClassOf(:B <{long}C>) DataPropertyAssertion(:d :i "1"^^:n))'
    )
    axioms = [str(axiom).replace(long, ":") for axiom in read_functional(text.encode(), "long").axioms]
    assert axioms == ["SubClassOf(<:A> <:B>)", "SubClassOf(<:B> <:C>)", 'DataPropertyAssertion(<:d> <:i> "1"^^<:n>)']


def test_a_key_is_written_with_its_roles_first() -> None:
    text = "Prefix(:=<http://x/>) Prefix(e:=<http://x/e:>) Prefix(ee:=<http://x/ee:>) "
    text += "Ontology(HasKey(:A (:r :s) (:d)) HasKey(:B () (:e)) HasKey(:C (:r) ()) "
    text += "HasKey(e:A (e:r) ()) HasKey(ee:A () (:d)) HasKey(ObjectUnionOf(e:A :B) () (:d)))"
    assert [str(axiom).replace("http://x/", ":") for axiom in read_functional(text.encode(), "keys").axioms] == [
        "HasKey(<:A> (<:r> <:s>) (<:d>))",
        "HasKey(<:B> () (<:e>))",
        "HasKey(<:C> (<:r>) ())",
        "HasKey(<:e:A> (<:e:r>) ())",
        "HasKey(<:ee:A> () (<:d>))",
        "HasKey(ObjectUnionOf(<:e:A> <:B>) () (<:d>))",
    ]

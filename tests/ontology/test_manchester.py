"""Manchester syntax: what is written is read again, axiom by axiom; what people write is read as it is meant."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from elgeo.errors import ReadError
from elgeo.ontology import normalise, read
from elgeo.ontology.expressions import ENTITIES, Op
from elgeo.ontology.grammar import SIGNATURES
from elgeo.ontology.model import Builder, Ontology
from elgeo.ontology.reading.manchester import expressions
from elgeo.ontology.reading.manchester.tokens import Tokens
from elgeo.ontology.writing.notes import Note
from elgeo.ontology.writing.write import write
from elgeo.reasoning import Reasoner
from tests.ontology.random_owl import RandomOwl, comparable
from tests.ontology.words import worded, words


@pytest.mark.parametrize("seed", range(8))
def test_all_that_can_be_said_comes_back(seed: int, tmp_path: Path) -> None:
    random = RandomOwl(seed)
    made = random.ontology(140)
    worded(random.builder)
    made = random.builder.finish(iri=made.iri, imports=("http://ex.org/other",))
    left = set(write(made, tmp_path / "o.omn"))
    found = read(tmp_path / "o.omn")
    said = [node for node in made.axiom_nodes.tolist() if made.text(node) not in left]
    assert comparable(found) == comparable(replace(made, axiom_nodes=np.array(said, np.int32)))
    assert words(found) == words(made)
    assert (found.iri, found.imports, found.format) == (made.iri, made.imports, "manchester")
    for node in made.axiom_nodes.tolist():
        # frames are about names, so nothing is said of the inverse of a property; nor is one thing joined with nothing
        wordless = "ObjectInverseOf(" in made.text(node) or joins_one(made, node) or Op(int(made.op[node])) in ONCE
        assert wordless or made.text(node) not in left
    assert len(said) > len(made.axiom_nodes) / 2


ONCE = (Op.HasKey, Op.DisjointUnion)
"""A frame has room for one key and for one disjoint union."""


def joins_one(ontology: Ontology, node: int) -> bool:
    """Whether something in an axiom that joins several joins one."""
    op, arguments = Op(int(ontology.op[node])), ontology.arguments(node)
    if op in ENTITIES:
        return False
    many = SIGNATURES[op].rest and op not in (Op.ObjectOneOf, Op.DataOneOf, Op.DatatypeRestriction)
    return bool(many and len(arguments) < 2) or any(joins_one(ontology, each) for each in arguments)


def test_an_equivalence_with_a_name_stays_one(tmp_path: Path) -> None:
    path = tmp_path / "o.omn"
    path.write_text(
        "Prefix: : <http://x/>\nOntology: <http://x>\nClass: :A\nClass: :B\nEquivalentClasses: :A, :A and :B\n"
    )
    a, b = "<http://x/A>", "<http://x/B>"
    assert [str(axiom) for axiom in read(path).axioms] == [f"EquivalentClasses({a} ObjectIntersectionOf({a} {b}))"]


def test_left_sides_without_a_name(tmp_path: Path) -> None:
    """A ⊓ B ⊑ C has no frame: it is said as an equivalence, which means the same to every reader."""
    b = Builder()
    a, c, d = (b.entity(Op.Class, f"http://ex.org/{x}") for x in "acd")
    r = b.entity(Op.ObjectProperty, "http://ex.org/r")
    some, both = b.node(Op.ObjectSomeValuesFrom, r, c), b.node(Op.ObjectIntersectionOf, a, c)
    b.axiom(Op.SubClassOf, both, d)
    b.axiom(Op.SubClassOf, some, both)
    b.axiom(Op.EquivalentClasses, a, both)
    made = b.finish()
    assert write(made, tmp_path / "o.omn") == []
    assert comparable(read(tmp_path / "o.omn")) == comparable(made)
    text = (tmp_path / "o.omn").read_text()
    assert text.count("EquivalentClasses:") == 2
    # to another reader it is an equivalence: with the same consequences
    plain = Reasoner(normalise(made)).entails("http://ex.org/a SubClassOf http://ex.org/d")
    assert plain == Reasoner(normalise(read(tmp_path / "o.omn"))).entails("http://ex.org/a SubClassOf http://ex.org/d")


XSD = "http://www.w3.org/2001/XMLSchema#"
PIZZA = """
Prefix: : <http://ex.org/>
Prefix: dc: <http://purl.org/dc/terms/>
# what Protégé writes, more or less
Ontology: <http://ex.org/pizza> <http://ex.org/pizza/1>
Import: <http://ex.org/base>
Annotations: dc:title "Pizza", rdfs:comment "100 %"@en

ObjectProperty: hasTopping
    Annotations: rdfs:label "has topping"@en
    Domain: Pizza
    Range: Topping or Sauce
    Characteristics: Transitive, Annotations: rdfs:comment "once" InverseFunctional
    SubPropertyChain: hasPart o inverse isPartOf
    InverseOf: isToppingOf

DataProperty: calories
    Range: xsd:integer[>= 0 , < 5000]
    Characteristics: Functional

Class: :Pizza
    SubClassOf: Annotations: dc:creator "ann", dc:source :book  hasTopping some Topping, calories some integer
    EquivalentTo: Food that hasTopping some (Cheese and not Hot)
    DisjointWith: <http://ex.org/Ice>
    HasKey: calories

Class: Rich
    SubClassOf: Pizza and (hasTopping min 3 Topping) and calories value 900 and hasTopping max 7,
        hasTopping only ({mozzarella, gouda} or Sauce),
        likes Self, calories exactly 1

Individual: mozzarella
    Types: Cheese, not Hot
    Facts: hasTopping gouda, not calories 12, calories "5"^^xsd:int, weight "some"@en, not weight "no"
    DifferentFrom: gouda

Datatype: small
    EquivalentTo: integer[< 3] or {"x"@en, 1.5, 2.0f, true}

AnnotationProperty: dc:title
    SubPropertyOf: rdfs:label

DisjointClasses: Cheese, Sauce, Ice
EquivalentProperties: hasTopping, topping
"""


def test_what_people_write(tmp_path: Path) -> None:
    (tmp_path / "pizza.omn").write_text(PIZZA)
    found = read(tmp_path / "pizza.omn")
    short = {re.sub("[<>]|http://ex.org/", "", str(axiom).replace(XSD, "xsd:")) for axiom in found.axioms}
    assert short == {
        "ObjectPropertyDomain(hasTopping Pizza)",
        "ObjectPropertyRange(hasTopping ObjectUnionOf(Topping Sauce))",
        "TransitiveObjectProperty(hasTopping)",
        "InverseFunctionalObjectProperty(hasTopping)",
        "SubObjectPropertyOf(ObjectPropertyChain(hasPart ObjectInverseOf(isPartOf)) hasTopping)",
        "InverseObjectProperties(hasTopping isToppingOf)",
        'DataPropertyRange(calories DatatypeRestriction(xsd:integer xsd:minInclusive "0"^^xsd:integer '
        'xsd:maxExclusive "5000"^^xsd:integer))',
        "FunctionalDataProperty(calories)",
        "SubClassOf(Pizza ObjectSomeValuesFrom(hasTopping Topping))",
        "SubClassOf(Pizza DataSomeValuesFrom(calories xsd:integer))",
        "EquivalentClasses(Pizza ObjectIntersectionOf(Food ObjectSomeValuesFrom(hasTopping "
        "ObjectIntersectionOf(Cheese ObjectComplementOf(Hot)))))",
        "DisjointClasses(Pizza Ice)",
        "HasKey(Pizza () (calories))",
        "SubClassOf(Rich ObjectIntersectionOf(Pizza ObjectMinCardinality(3 hasTopping Topping) "
        'DataHasValue(calories "900"^^xsd:integer) ObjectMaxCardinality(7 hasTopping)))',
        "SubClassOf(Rich ObjectAllValuesFrom(hasTopping ObjectUnionOf(ObjectOneOf(mozzarella gouda) Sauce)))",
        "SubClassOf(Rich ObjectHasSelf(likes))",
        "SubClassOf(Rich DataExactCardinality(1 calories))",
        "ClassAssertion(Cheese mozzarella)",
        "ClassAssertion(ObjectComplementOf(Hot) mozzarella)",
        "ObjectPropertyAssertion(hasTopping mozzarella gouda)",
        'NegativeDataPropertyAssertion(calories mozzarella "12"^^xsd:integer)',
        'DataPropertyAssertion(calories mozzarella "5"^^xsd:int)',
        'DataPropertyAssertion(weight mozzarella "some"@en)',
        'NegativeDataPropertyAssertion(weight mozzarella "no")',
        "DifferentIndividuals(mozzarella gouda)",
        'DatatypeDefinition(small DataUnionOf(DatatypeRestriction(xsd:integer xsd:maxExclusive "3"^^xsd:integer) '
        'DataOneOf("x"@en "1.5"^^xsd:decimal "2.0"^^xsd:float "true"^^xsd:boolean)))',
        "DisjointClasses(Cheese Sauce Ice)",
        "EquivalentObjectProperties(hasTopping topping)",
    }
    assert found.labels == {"http://ex.org/hasTopping": "has topping"}
    assert (found.iri, found.imports) == ("http://ex.org/pizza", ("http://ex.org/base",))


X = "Prefix: : <http://x/>\nOntology:\n"


@pytest.mark.parametrize("said", ["x:d x:e some", "<http://x/d> <http://x/e> some", "x:d <http://x/e> some"])
def test_several_data_properties_share_a_restriction(said: str, tmp_path: Path) -> None:
    declared = "Prefix: x: <http://x/>\nOntology:\nDataProperty: x:d\nDataProperty: x:e\n"
    (tmp_path / "o.omn").write_text(f"{declared}Class: x:A\n  SubClassOf: x:B and {said} {{3}}, x:C")
    (both, single) = (str(axiom).replace(XSD, "") for axiom in read(tmp_path / "o.omn").axioms)
    assert both == (
        "SubClassOf(<http://x/A> ObjectIntersectionOf(<http://x/B> "
        'DataSomeValuesFrom(<http://x/d> <http://x/e> DataOneOf("3"^^<integer>))))'
    )
    assert single == "SubClassOf(<http://x/A> <http://x/C>)"


def test_words_are_those_of_a_frame_and_all_annotations_are_counted(tmp_path: Path) -> None:
    """What is said of the whole, of an axiom or of an annotation is no word for a name."""
    label, instead = "rdfs:label", "<http://purl.obolibrary.org/obo/IAO_0100001>"
    (tmp_path / "o.omn").write_text(
        f'Prefix: x: <http://x/>\nOntology: <http://x>\nAnnotations: {label} "all", {instead} x:other\n'
        f'Class: x:A\n  Annotations: {label} "an A"@en-GB, x:note "noted", {instead} x:B, x:see x:B,\n'
        f'    Annotations: {label} "inner", {instead} x:C x:note "again"\n'
        f'  SubClassOf: Annotations: {label} "why", {instead} x:D x:B'
    )
    found = read(tmp_path / "o.omn")
    assert [str(axiom) for axiom in found.axioms] == ["SubClassOf(<http://x/A> <http://x/B>)"]
    assert found.labels == {"http://x/A": "an A"}
    assert found.replaced == {"http://x/A": "http://x/B"}
    assert (found.synonyms, found.definitions, found.other_labels) == ({}, {}, {})
    assert found.ignored["annotations"] == 2 + 4 + 2 + 1 + 2


@pytest.mark.parametrize("value", ["7", "2.5", "-5", "+1.5", ".5f", "12.25E3f", "-.5e-2F", "true", "false", '"9"^^x:t'])
def test_values_of_annotations_are_no_names(value: str, tmp_path: Path) -> None:
    """Where names without a prefix have no meaning, a number still has one."""
    axiom = "Prefix: x: <http://x/>\nOntology:\nClass: x:A\n  Annotations: x:rank {}, x:see x:B\n  SubClassOf: x:B"
    (tmp_path / "o.omn").write_text(axiom.format(value))
    assert [str(axiom) for axiom in read(tmp_path / "o.omn").axioms] == ["SubClassOf(<http://x/A> <http://x/B>)"]
    (tmp_path / "o.omn").write_text(axiom.format("rank"))
    with pytest.raises(ReadError, match="the prefix of 'rank' is not declared"):
        read(tmp_path / "o.omn")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Ontology:\nClass: A", "line 2: the prefix of 'A' is not declared|:2: the prefix of 'A'"),
        ("\nOntology:\n\nClass: A", r"bad\.omn:4: the prefix of 'A'"),
        (X + "Class: A\n  SubClassOf: p some", "the document ends in the middle"),
        (X + "Class: A\n  SubClassOf: (B and C", "the document ends|expected"),
        (X + "Class: A\n  Domain: B", "Domain: cannot stand in a frame of a Class"),
        (X + "Nonsense: A", "expected a frame"),
        (X + "Class: A\n SubClassOf: p min many B", "expected a number"),
        (
            X + "ObjectProperty: p\n Characteristics: Pretty",
            "no characteristic is called",
        ),
        (X + "Class: A\n SubClassOf: and B", "expected a name, found 'and'"),
        ("Prefix: x <http://x/>\nOntology:", "a prefix ends in a colon"),
        (X + 'Class: A\n Annotations: rdfs:label "open', "no word, name or text begins"),
        (X + "DataProperty: d\n Range: integer[nice 3]", "no facet is called 'nice'"),
        (
            X + "Class: A\n SubClassOf: " + "p some (" * 300 + "B" + ")" * 300,
            "nest more than",
        ),
        (X + "Class: A\n SubClassOf: " + "not " * 900 + "B", "nest more than"),
        (X + "Class: A\n SubClassOf: " + "not B, " * 900 + "not " * 900 + "B", "nest more than"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "bad.omn").write_text(text)
    with pytest.raises(ReadError, match=said):
        read(tmp_path / "bad.omn")


def test_a_prefix_alone_is_a_name_where_it_is_no_word(tmp_path: Path) -> None:
    """`b1:` is what the prefix stands for: words that open a part are made of letters."""
    (tmp_path / "o.omn").write_text(
        "Prefix: x: <http://x/>\nPrefix: b1: <http://b>\nOntology: b1:\n"
        "Class: x:A\n  SubClassOf: x:p min 2 b1:, x:B\nClass: b1:\n  SubClassOf: x:p max 3\n  DisjointWith: x:B"
    )
    found = read(tmp_path / "o.omn")
    assert found.iri == "http://b"
    assert [str(axiom) for axiom in found.axioms] == [
        "SubClassOf(<http://x/A> ObjectMinCardinality(2 <http://x/p> <http://b>))",
        "SubClassOf(<http://x/A> <http://x/B>)",
        "SubClassOf(<http://b> ObjectMaxCardinality(3 <http://x/p>))",
        "DisjointClasses(<http://b> <http://x/B>)",
    ]


def test_expressions_nest_as_deeply_as_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A union of intersections is two of them, and so is what it is of: parentheses cost as much."""
    monkeypatch.setattr(expressions, "DEEPEST", 4)
    for said in ("not not x:B", "(x:B)", "x:p some (x:B)"):
        (tmp_path / "o.omn").write_text(f"Prefix: x: <http://x/>\nOntology:\nClass: x:A\n SubClassOf: {said}, {said}")
        if said.startswith("x:p"):
            with pytest.raises(ReadError, match=r"o\.omn:4: expressions nest more than 4 deep"):
                read(tmp_path / "o.omn")
        else:
            assert len(read(tmp_path / "o.omn").axioms) == 2
            (tmp_path / "o.omn").write_text(f"Prefix: x: <http://x/>\nOntology:\nClass: x:A\n SubClassOf: not {said}")
            with pytest.raises(ReadError, match=r"o\.omn:4: expressions nest more than 4 deep"):
                read(tmp_path / "o.omn")


def test_what_is_used_has_a_frame_and_what_has_no_name_has_none(tmp_path: Path) -> None:
    (tmp_path / "o.ofn").write_text(
        "Prefix(:=<http://ex.org/>) Ontology(SubClassOf(:A ObjectSomeValuesFrom(:r :B))"
        " ClassAssertion(:A _:x) SubClassOf(:A owl:Thing))"
    )
    write(read(tmp_path / "o.ofn"), tmp_path / "o.omn")
    frames = re.findall(r"^(\w+): (\S+)", (tmp_path / "o.omn").read_text(), flags=re.MULTILINE)
    assert {(kind, name) for kind, name in frames if kind in ("Class", "ObjectProperty")} == {
        ("Class", "<http://ex.org/A>"),
        ("Class", "<http://ex.org/B>"),
        ("ObjectProperty", "<http://ex.org/r>"),
    }


def test_the_words_after_the_last_are_none() -> None:
    tokens = Tokens("A some", "o.omn")
    assert [tokens.after(more).text for more in (0, 1, 2, 3)] == ["A", "some", "", ""]
    assert tokens.after(2).kind == tokens.after(9).kind == "end"


def test_a_union_of_one_has_no_frame(tmp_path: Path) -> None:
    """Of a disjoint union there are two parts or more; and a frame has one."""
    b = Builder()
    a, c, d, e = (b.entity(Op.Class, f"http://ex.org/{x}") for x in "acde")
    b.axiom(Op.DisjointUnion, a, c)
    b.axiom(Op.DisjointUnion, d, c, e)
    b.axiom(Op.DisjointUnion, d, a, e)
    made = b.finish()
    one, first, second = (str(axiom) for axiom in made.axioms)
    assert sorted(write(made, tmp_path / "o.omn")) == sorted([one, second])
    assert [str(axiom) for axiom in read(tmp_path / "o.omn").axioms] == [first]


def test_what_there_are_no_words_for_is_told(tmp_path: Path) -> None:
    b = Builder()
    a, c = (b.entity(Op.Class, f"http://ex.org/{x}") for x in "ac")
    r, d = b.entity(Op.ObjectProperty, "http://ex.org/r"), b.entity(Op.DataProperty, "http://ex.org/d")
    wordless = [
        b.axiom(Op.EquivalentClasses, a),
        b.axiom(Op.DisjointObjectProperties, r),
        b.axiom(Op.SubClassOf, a, b.node(Op.ObjectIntersectionOf, c)),
        b.axiom(Op.SubClassOf, a, b.node(Op.ObjectSomeValuesFrom, r, b.node(Op.ObjectUnionOf, c))),
        b.axiom(Op.HasKey, a),
    ]
    said = [
        b.axiom(Op.HasKey, c, r),
        b.axiom(Op.HasKey, a, r, d),
        b.axiom(Op.SubClassOf, a, b.node(Op.ObjectIntersectionOf, c, a)),
        b.axiom(Op.EquivalentClasses, a, c),
        b.axiom(Op.DisjointClasses, b.node(Op.ObjectComplementOf, a), c),
    ]
    wordless.append(b.axiom(Op.HasKey, c, d))  # a frame has one
    made = b.finish()
    assert sorted(write(made, tmp_path / "o.omn")) == sorted(map(made.text, wordless))
    assert sorted(str(axiom) for axiom in read(tmp_path / "o.omn").axioms) == sorted(map(made.text, said))


def test_annotations_of_axioms_are_written(tmp_path: Path) -> None:
    b = Builder()
    a, c = (b.entity(Op.Class, f"http://ex.org/{x}") for x in "ac")
    both = b.node(Op.ObjectIntersectionOf, a, c)
    nodes = [b.axiom(Op.SubClassOf, a, c), b.axiom(Op.SubClassOf, both, a)]
    notes = {node: [Note("http://ex.org/by", '"ann"'), Note("http://ex.org/on", '"to, day"')] for node in nodes}
    made = b.finish()
    write(made, tmp_path / "o.omn", notes=notes)
    text = (tmp_path / "o.omn").read_text()
    assert text.count('Annotations: <http://ex.org/by> "ann", <http://ex.org/on> "to, day"') == 2
    assert comparable(read(tmp_path / "o.omn")) == comparable(made)

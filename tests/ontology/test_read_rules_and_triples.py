"""Rules among other axioms, triples that repeat, properties nobody declared, what is deprecated, entities of XML."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from elgeo.errors import ReadError
from elgeo.ontology import read
from elgeo.ontology.reading.functional.reader import read_functional
from elgeo.ontology.reading.rdf.triples import _without_repeats
from elgeo.ontology.reading.xml_safety import _expanded
from elgeo.ontology.writing.table_formats import _read_tsv
from tests.ontology import plain_functional

PREFIXES = """@prefix : <http://x/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix swrl: <http://www.w3.org/2003/11/swrl#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
<http://x/o> a owl:Ontology . :A a owl:Class . :B a owl:Class . :r a owl:ObjectProperty . :d a owl:DatatypeProperty .
"""


def axioms(tmp_path: Path, text: str) -> list[str]:
    (tmp_path / "o.ttl").write_text(PREFIXES + text, encoding="utf-8")
    return [str(axiom).replace("http://x/", ":") for axiom in read(tmp_path / "o.ttl").axioms]


def test_rules_stand_where_they_stood_and_equal_ones_are_one() -> None:
    first, second = (
        "Body(ClassAtom(:A Variable(:x)))Head(ClassAtom(:B Variable(:x)))",
        'Body() Head(DataAtom("a b" :y))',
    )
    data = f"""Prefix(:=<http://x/>) Ontology(<http://x/o>
SubClassOf(:A :B)
DLSafeRule({first})
DLSafeRule(Annotation(rdfs:label "not (a) rule")Annotation(rdfs:comment Annotation(:p :q) "nor this") {second})
SubClassOf(:B :C)
DLSafeRule( {first} )
SubClassOf(:C :D)
)""".encode()
    ontology = read_functional(data, "rules")
    texts = [str(axiom).replace("http://x/", ":") for axiom in ontology.axioms]
    rules = [
        "DLSafeRule(Body(ClassAtom(<:A> Variable(<:x>))) Head(ClassAtom(<:B> Variable(<:x>))))",
        'DLSafeRule(Body() Head(DataAtom("a b" <:y>)))',
    ]
    assert texts == [
        "SubClassOf(<:A> <:B>)", rules[0], rules[1], "SubClassOf(<:B> <:C>)", rules[0], "SubClassOf(<:C> <:D>)",
    ]  # fmt: skip
    nodes = ontology.axiom_nodes.tolist()
    assert nodes[1] == nodes[4]
    assert len(set(nodes)) == 5
    assert len(ontology.start) == len(ontology.op) + 1
    assert ontology.start[-1] == len(ontology.args)
    kinds = [axiom.kind for axiom in plain_functional.read_functional(data, "rules").axioms]
    assert [axiom.kind for axiom in ontology.axioms] == kinds


def test_atoms_of_rules_may_have_expressions_and_ranges(tmp_path: Path) -> None:
    found = axioms(
        tmp_path,
        """:x a swrl:Variable . :y a swrl:Variable .
[] a swrl:Imp ; swrl:body ( [ a swrl:ClassAtom ; swrl:argument1 :x ;
  swrl:classPredicate [ a owl:Restriction ; owl:onProperty :r ; owl:someValuesFrom :B ] ]
  [ a swrl:DataRangeAtom ; swrl:argument1 :y ; swrl:dataRange [ a rdfs:Datatype ; owl:oneOf ( "1" ) ] ]
  [ a swrl:DataRangeAtom ; swrl:argument1 :y ; swrl:dataRange xsd:integer ] ) ;
  swrl:head ( [ a swrl:IndividualPropertyAtom ; swrl:propertyPredicate :r ; swrl:argument1 :x ; swrl:argument2 _:i ] ) .
""",
    )
    (rule,) = found
    assert "ClassAtom(ObjectSomeValuesFrom(<:r> <:B>) Variable(<:x>))" in rule
    assert 'DataRangeAtom(DataOneOf("1") Variable(<:y>))' in rule
    assert "DataRangeAtom(<http://www.w3.org/2001/XMLSchema#integer> Variable(<:y>))" in rule
    assert "ObjectPropertyAtom(<:r> Variable(<:x>) _:" in rule


def test_a_triple_said_twice_is_said_once() -> None:
    rows = np.array([[5, 1, 2], [0, 1, 2], [5, 1, 2], [2, 1, 5], [5, 3, 2], [0, 1, 2], [6, 3, 6]], np.int32)
    assert _without_repeats(rows, 7).tolist() == [[5, 1, 2], [0, 1, 2], [2, 1, 5], [5, 3, 2], [6, 3, 6]]
    every = np.stack(np.meshgrid(range(4), range(3), range(4), indexing="ij"), axis=-1).reshape(-1, 3).astype(np.int32)
    assert _without_repeats(every, 4).tolist() == every.tolist()


@pytest.mark.parametrize("count", [1, 2, 5])
def test_properties_nobody_declared_are_counted_and_three_are_named(count: int, tmp_path: Path) -> None:
    used = " ".join(f':A :p{i} "x" .' for i in range(count))
    (tmp_path / "o.ttl").write_text(PREFIXES + used, encoding="utf-8")
    (warning,) = read(tmp_path / "o.ttl").warnings
    start = "1 property is not" if count == 1 else f"{count} properties are not"
    assert start in warning
    assert warning.count("<http://x/p") == min(count, 3)


def test_negative_assertions_and_what_is_deprecated(tmp_path: Path) -> None:
    found = axioms(
        tmp_path,
        """:i a owl:NamedIndividual . :j a owl:NamedIndividual . :Old a owl:Class, owl:DeprecatedClass .
:old a owl:ObjectProperty, owl:DeprecatedProperty .
[] a owl:NegativePropertyAssertion ; owl:sourceIndividual :i ; owl:assertionProperty :r ; owl:targetIndividual :j .
[] a owl:NegativePropertyAssertion ; owl:sourceIndividual :i ; owl:assertionProperty :d ; owl:targetValue "7" .
""",
    )
    assert sorted(found) == [
        'NegativeDataPropertyAssertion(<:d> <:i> "7")',
        "NegativeObjectPropertyAssertion(<:r> <:i> <:j>)",
    ]
    deprecated = set(read(tmp_path / "o.ttl").deprecated)
    assert {"http://x/Old", "http://x/old"} <= deprecated
    assert not deprecated & {"http://x/A", "http://x/B", "http://x/i", "http://x/r"}


def test_pairs_of_properties_are_of_roles_or_of_data(tmp_path: Path) -> None:
    found = axioms(tmp_path, ":r rdfs:subPropertyOf :r2 . :d rdfs:subPropertyOf :d2 . :d3 rdfs:subPropertyOf :d .")
    assert sorted(found) == [
        "SubDataPropertyOf(<:d3> <:d>)", "SubDataPropertyOf(<:d> <:d2>)", "SubObjectPropertyOf(<:r> <:r2>)",
    ]  # fmt: skip


def test_an_empty_or_broken_iri_is_refused(tmp_path: Path) -> None:
    (tmp_path / "o.nt").write_text(
        "<http://x/o> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://www.w3.org/2002/07/owl#Ontology> .\n"
        "<http://x/A> <http://www.w3.org/2000/01/rdf-schema#subClassOf> _:b .\n"
        '_:b <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> "text" .\n'
    )
    with pytest.raises(ReadError):
        read(tmp_path / "o.nt")


def test_entities_are_expanded_inside_each_other() -> None:
    declared = {"a": "1&b;&b;2", "b": "x&amp;&unknown;", "amp": "&#38;", "loop": "&loop;", "long": "&long1;" * 3}
    assert _expanded("a", declared, (), "f") == "1x&amp;&unknown;x&amp;&unknown;2"
    with pytest.raises(ReadError, match="contains itself"):
        _expanded("loop", declared, (), "f")
    chain = {f"e{i}": f"&e{i + 1};" for i in range(60)} | {"e60": "end"}
    assert _expanded("e20", chain, (), "f") == "end"
    with pytest.raises(ReadError, match="too deeply"):
        _expanded("e0", chain, (), "f")


def test_a_row_of_a_table_with_too_few_cells_is_named_by_its_line(tmp_path: Path) -> None:
    path = tmp_path / "t.tsv"
    path.write_text("id\tname\n0\tx\n1\n2\tz\n")
    with pytest.raises(ReadError, match="1 cells where 2 are expected") as caught:
        _read_tsv(path, {"id": int, "name": str})
    assert caught.value.line == 3
    path.write_text("id\tname\n0\tx\n1\ty\n")
    found = _read_tsv(path, {"name": str, "id": int})
    assert list(found["name"]) == ["x", "y"]
    assert list(found["id"]) == [0, 1]

"""OBO Graphs: what is written is read again, what cannot be said is named, a graph of others is read as it is meant."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from elgeo.errors import ReadError
from elgeo.ontology import read
from elgeo.ontology.expressions import Op
from elgeo.ontology.model import Builder, Ontology
from elgeo.ontology.writing.notes import Note
from elgeo.ontology.writing.write import write
from tests.ontology.random_owl import RandomOwl, comparable
from tests.ontology.words import worded, words

X = "http://ex.org/"


def shuffled(ontology: Ontology) -> set[str]:
    """Axioms in which the order of an intersection does not count."""
    found = set()
    for axiom in ontology.axioms:
        op, arguments = Op(int(ontology.op[axiom.node])), ontology.arguments(axiom.node)
        if op == Op.EquivalentClasses and ontology.op[arguments[-1]] == Op.ObjectIntersectionOf:
            members = sorted(ontology.text(each) for each in ontology.arguments(arguments[-1]))
            found.add(f"EquivalentClasses({ontology.text(arguments[0])} {members})")
        else:
            found.add(str(axiom))
    return found


def simple(seed: int) -> Builder:
    """Axioms of the shapes that graphs have, between random names."""
    chance, b = np.random.default_rng(seed), Builder()
    classes = [b.entity(Op.Class, f"{X}C_{i}") for i in range(9)]
    roles = [b.entity(Op.ObjectProperty, f"{X}r{i}") for i in range(3)]
    people = [b.entity(Op.NamedIndividual, f"{X}i{i}") for i in range(3)]
    for node in (*classes, *roles, *people):
        b.declare(node)

    def some(op: Op = Op.ObjectSomeValuesFrom) -> int:
        return b.node(op, int(chance.choice(roles)), int(chance.choice(classes)))

    def c(n: int = 1) -> list[int]:
        return [int(x) for x in chance.choice(classes, n, replace=False)]

    for _ in range(12):
        b.axiom(Op.SubClassOf, *c(2))
        b.axiom(Op.SubClassOf, *c(), some())
        b.axiom(Op.SubClassOf, *c(), some(Op.ObjectAllValuesFrom))
        b.axiom(Op.EquivalentClasses, *c(), b.node(Op.ObjectIntersectionOf, some(), *c(), some()))
        b.axiom(Op.EquivalentClasses, *c(), some())
        b.axiom(Op.EquivalentClasses, *c(int(chance.integers(2, 4))))
        b.axiom(Op.ClassAssertion, *c(), int(chance.choice(people)))
        b.axiom(Op.ObjectPropertyAssertion, int(chance.choice(roles)), *map(int, chance.choice(people, 2)))
        b.axiom(Op.ObjectPropertyDomain, int(chance.choice(roles)), *c())
        b.axiom(Op.ObjectPropertyRange, int(chance.choice(roles)), *c())
        b.axiom(Op.SubObjectPropertyOf, *map(int, chance.choice(roles, 2)))
        b.axiom(Op.InverseObjectProperties, *map(int, chance.choice(roles, 2)))
        chain = b.node(Op.ObjectPropertyChain, *map(int, chance.choice(roles, int(chance.integers(2, 4)))))
        b.axiom(Op.SubObjectPropertyOf, chain, int(chance.choice(roles)))
    return b


@pytest.mark.parametrize("seed", range(5))
def test_what_graphs_can_say_comes_back(seed: int, tmp_path: Path) -> None:
    b = simple(seed)
    worded(b)
    b.declare(b.entity(Op.Class, "http://ex.org/A"))
    made = b.finish(iri=f"{X}o")
    assert write(made, tmp_path / "o.json") == []
    found = read(tmp_path / "o.json")
    assert shuffled(found) == shuffled(made)
    assert words(found) == words(made)
    assert (found.iri, found.format) == (made.iri, "obograph")
    names = {(int(o.op[n]), o.string(n)) for o in (made,) for n in o.declared.tolist()}
    assert names <= {(int(found.op[n]), found.string(n)) for n in found.declared.tolist()}


@pytest.mark.parametrize("seed", range(4))
def test_what_they_cannot_say_is_named(seed: int, tmp_path: Path) -> None:
    made = RandomOwl(seed).ontology(120)
    left = set(write(made, tmp_path / "o.json"))
    said = [node for node in made.axiom_nodes.tolist() if made.text(node) not in left]
    assert said
    assert left
    assert shuffled(read(tmp_path / "o.json")) == shuffled(replace(made, axiom_nodes=np.array(said, np.int32)))
    assert all(made.text(node) in left for node in made.axiom_nodes.tolist() if made.op[node] == Op.HasKey)
    assert comparable(made) >= comparable(replace(made, axiom_nodes=np.array(said, np.int32)))


def test_links_of_individuals_to_classes_and_links_by_other_properties_are_no_edges(tmp_path: Path) -> None:
    b = Builder()
    a, c, i = (b.entity(op, X + n) for op, n in ((Op.Class, "A"), (Op.Class, "C"), (Op.NamedIndividual, "i")))
    r, d = b.entity(Op.ObjectProperty, f"{X}r"), b.entity(Op.AnnotationProperty, f"{X}d")
    for node in (a, c, i, r, d):
        b.declare(node)
    said = b.axiom(Op.SubClassOf, a, b.node(Op.ObjectSomeValuesFrom, r, c))
    left = [
        b.axiom(Op.ClassAssertion, b.node(Op.ObjectSomeValuesFrom, r, c), i),
        b.axiom(Op.SubClassOf, a, b.node(Op.ObjectSomeValuesFrom, b.entity(Op.ObjectProperty, f"{X}d"), c)),
    ]
    made = b.finish(iri=f"{X}o")
    texts = [made.text(node) for node in made.axiom_nodes.tolist()]
    assert len({said, *left}) == len(texts) == 3
    assert write(made, tmp_path / "o.json") == texts[1:]
    assert [str(axiom) for axiom in read(tmp_path / "o.json").axioms] == texts[:1]


def test_relations_without_a_name_and_to_more_than_a_name_are_no_edges(tmp_path: Path) -> None:
    some = ["(ObjectInverseOf(:r) :B)", "(:r ObjectIntersectionOf(:B :C))", "(owl:topObjectProperty :B)", "(:r :B)"]
    axioms = [f"SubClassOf(:A ObjectSomeValuesFrom{each})" for each in some]
    axioms += [
        f"EquivalentClasses(:D{i} ObjectIntersectionOf(:C ObjectSomeValuesFrom{each}))" for i, each in enumerate(some)
    ]
    (tmp_path / "o.ofn").write_text(f"Prefix(:=<{X}>) Ontology({' '.join(axioms)})")
    left = write(read(tmp_path / "o.ofn"), tmp_path / "o.json")
    assert [any(text in each for each in left) for text in ("ObjectInverseOf", f"ObjectIntersectionOf(<{X}B>")] == [
        True
    ] * 2
    (graph,) = json.loads((tmp_path / "o.json").read_text())["graphs"]
    for edge in graph["edges"]:
        assert all(isinstance(edge[part], str) for part in ("sub", "pred", "obj"))
    assert {edge["pred"] for edge in graph["edges"]} >= {f"{X}r"}
    assert "null" not in (tmp_path / "o.json").read_text()


def test_chains_with_an_inverse_or_of_one_role_are_not_written(tmp_path: Path) -> None:
    b = Builder()
    r, s, t = (b.entity(Op.ObjectProperty, X + name) for name in "rst")
    for node in (r, s, t):
        b.declare(node)
    inverse = b.node(Op.ObjectInverseOf, s)
    for roles in ((r, s), (r, inverse), (t,), (inverse, r, t), (s, r, s)):
        b.axiom(Op.SubObjectPropertyOf, b.node(Op.ObjectPropertyChain, *roles), t)
    made = b.finish(iri=f"{X}o")
    texts = [str(axiom) for axiom in made.axioms]
    assert write(made, tmp_path / "o.json") == texts[1:4]
    assert [str(axiom) for axiom in read(tmp_path / "o.json").axioms] == [texts[0], texts[4]]


GRAPH = {
    "graphs": [
        {
            "id": "http://purl.obolibrary.org/obo/x.owl",
            "nodes": [
                {
                    "id": "http://purl.obolibrary.org/obo/X_1",
                    "lbl": "heart",
                    "type": "CLASS",
                    "meta": {
                        "definition": {"val": "It beats.", "xrefs": ["a:b"]},
                        "synonyms": [{"pred": "hasRelatedSynonym", "val": "cor", "xrefs": []}],
                    },
                },
                {"id": "X:2", "lbl": "body", "type": "CLASS"},
                {"id": "http://purl.obolibrary.org/obo/BFO_0000050", "lbl": "part of", "type": "PROPERTY"},
                {"id": "http://x/says", "type": "PROPERTY", "propertyType": "ANNOTATION"},
                {"id": "http://purl.obolibrary.org/obo/X_9", "meta": {"deprecated": True}, "lbl": "obsolete thing"},
            ],
            "edges": [
                {"sub": "http://purl.obolibrary.org/obo/X_1", "pred": "BFO:0000050", "obj": "X:2", "meta": {}},
                {"sub": "X:1", "pred": "is_a", "obj": "http://purl.obolibrary.org/obo/X_3"},
                {"sub": "X:1", "pred": "http://x/says", "obj": "X:2"},
            ],
        }
    ]
}  # fmt: skip


def test_a_graph_of_others(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text(json.dumps(GRAPH))
    found = read(tmp_path / "x.json")
    obo = "http://purl.obolibrary.org/obo/"
    assert [str(axiom).replace(obo, "") for axiom in found.axioms] == [
        "SubClassOf(<X_1> ObjectSomeValuesFrom(<BFO_0000050> <X_2>))",
        "SubClassOf(<X_1> <X_3>)",
    ]
    assert found.labels[f"{obo}X_1"] == "heart"
    assert found.synonyms == {f"{obo}X_1": ("cor",)}
    assert found.definitions == {f"{obo}X_1": "It beats."}
    assert list(found.deprecated) == [f"{obo}X_9"]
    assert found.ignored["annotations"] == 1 + 1 + 4 + 1  # a definition, a synonym, labels, what `says`


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ({"graphs": 3}, "graphs: has to be a list"),
        ({"graphs": [{"nodes": [{"lbl": "a"}]}]}, r"graphs\.0\.nodes\.0\.id: has to be text"),
        ({"graphs": [{"nodes": [{"id": "http://x/a", "type": "THING"}]}]}, "type: has to be one of CLASS"),
        ({"graphs": [{"edges": [{"sub": "http://x/a b", "pred": "is_a", "obj": "X:1"}]}]}, "sub: is no name"),
        ({"graphs": [{"edges": ["a"]}]}, "edges.0: has to be a table"),
        ({"graphs": [{"equivalentNodesSets": [{"nodeIds": [1]}]}]}, "nodeIds: has to be a list of names"),
        ({"graphs": [{"logicalDefinitionAxioms": [{"definedClassId": "X:1"}]}]}, "a definition of nothing"),
        ({"graphs": [{"propertyChainAxioms": [{"predicateId": "X:1"}]}]}, "a chain of fewer than two"),
        ({"tables": []}, "it looks like JSON"),
    ],
)
def test_what_is_no_graph_is_refused(document: object, said: str, tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text(json.dumps(document))
    with pytest.raises(ReadError, match=said):
        read(tmp_path / "bad.json")


def test_annotations_of_edges_are_written(tmp_path: Path) -> None:
    b = Builder()
    node = b.axiom(Op.SubClassOf, b.entity(Op.Class, f"{X}a"), b.entity(Op.Class, f"{X}b"))
    write(b.finish(), tmp_path / "o.json", notes={node: [Note(f"{X}by", '"ann"')]})
    edge = json.loads((tmp_path / "o.json").read_text())["graphs"][0]["edges"][0]
    assert edge["meta"] == {"basicPropertyValues": [{"pred": f"{X}by", "val": "ann"}]}


@pytest.mark.parametrize(
    ("about", "declared"), [({}, True), ({"type": "CLASS"}, True), ({"meta": {"deprecated": True}}, False)]
)
def test_what_a_node_must_say_to_be_a_class(about: dict[str, object], declared: bool, tmp_path: Path) -> None:
    obsolete = {"id": f"{X}C_2", "lbl": "gone", "type": "CLASS", "meta": {"deprecated": True}}
    document = {"graphs": [{"id": X, "nodes": [{"id": f"{X}C_1", "lbl": "one", **about}, obsolete], "edges": []}]}
    file = tmp_path / "graph.json"
    file.write_text(json.dumps(document))
    ontology = read(file)
    classes = {ontology.text(int(node)) for node in np.flatnonzero(ontology.op == Op.Class)}
    assert (f"{X}C_1" in str(classes), f"{X}C_2" in str(classes)) == (declared, True)


def test_one_alone_is_equivalent_to_nothing_else(tmp_path: Path) -> None:
    names = [f"http://x/{c}" for c in "ABC"]
    sets = [{"nodeIds": names[:n]} for n in (1, 3)]
    (tmp_path / "o.json").write_text(json.dumps({"graphs": [{"id": "http://x/o", "equivalentNodesSets": sets}]}))
    assert [str(axiom) for axiom in read(tmp_path / "o.json").axioms] == [
        "EquivalentClasses(<http://x/A> <http://x/B> <http://x/C>)"
    ]

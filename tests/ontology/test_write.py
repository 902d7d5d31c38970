"""What is written is what is read again, in every syntax; other programs read it too."""

from __future__ import annotations

import gzip
from pathlib import Path

import pyhornedowl
import pytest

from elgeo.errors import SettingError
from elgeo.ontology import read
from elgeo.ontology.expressions import Op
from elgeo.ontology.model import Builder, Ontology
from elgeo.ontology.writing.notes import Note
from elgeo.ontology.writing.write import ENDINGS, write
from tests.ontology.random_owl import RandomOwl, comparable
from tests.ontology.words import worded, words

RDF = (".owl", ".rdf", ".xml", ".ttl")
OBO = "http://purl.obolibrary.org/obo/"


def declared(ontology: Ontology) -> set[str]:
    return {f"{Op(int(ontology.op[n])).name} {ontology.string(n)}" for n in ontology.declared.tolist()}


@pytest.mark.parametrize("ending", [e for e in ENDINGS if e not in (".obo", ".omn", ".json")])
@pytest.mark.parametrize("seed", range(4))
def test_all_of_owl_comes_back(ending: str, seed: int, tmp_path: Path) -> None:
    random = RandomOwl(seed, for_rdf=ending in RDF)
    made = random.ontology(90)
    worded(random.builder)
    made = random.builder.finish(iri=made.iri, imports=("http://ex.org/other",))
    path = tmp_path / f"o{ending}"
    assert write(made, path) == []
    found = read(path)
    assert comparable(found) == comparable(made)
    assert words(found) == words(made)
    assert declared(made) <= declared(found)
    assert (found.iri, found.imports) == (made.iri, made.imports)
    assert found.format == ENDINGS[ending]


@pytest.mark.parametrize("ending", [e for e in ENDINGS if e not in (".obo", ".omn", ".json")])
def test_a_definition_is_said_as_ontologies_of_biology_do(ending: str, tmp_path: Path) -> None:
    """Other properties are read as definitions too, and what is read again does not tell which was written."""
    b = Builder()
    b.declare(b.entity(Op.Class, "http://ex.org/A"))
    b.definitions["http://ex.org/A"] = "What it is."
    write(b.finish(iri="http://ex.org/o"), tmp_path / f"o{ending}")
    assert "IAO_0000115" in (tmp_path / f"o{ending}").read_text(encoding="utf-8")


@pytest.mark.parametrize("ending", [".owl", ".ttl", ".owx", ".ofn"])
def test_restrictions_of_several_data_properties_come_back(ending: str, tmp_path: Path) -> None:
    b = Builder()
    d, e, f = (b.entity(Op.DataProperty, f"http://ex.org/{x}") for x in "def")
    whole = b.entity(Op.Datatype, "http://www.w3.org/2001/XMLSchema#integer")
    few = b.node(Op.DataOneOf, b.entity(Op.Literal, '"x"'))
    for op, *arguments in ((Op.DataSomeValuesFrom, f, d, e, few), (Op.DataAllValuesFrom, d, f, whole)):
        b.axiom(Op.SubClassOf, b.entity(Op.Class, "http://ex.org/A"), b.node(op, *arguments))
    made = b.finish()
    write(made, tmp_path / f"o{ending}")
    assert [str(axiom) for axiom in read(tmp_path / f"o{ending}").axioms] == [str(axiom) for axiom in made.axioms]


@pytest.mark.parametrize("ending", [".owl", ".ttl", ".owx", ".ofn", ".omn"])
def test_ranges_of_several_facets_come_back(ending: str, tmp_path: Path) -> None:
    b = Builder()
    xsd = "http://www.w3.org/2001/XMLSchema#"
    d, a = b.entity(Op.DataProperty, "http://ex.org/d"), b.entity(Op.Class, "http://ex.org/A")
    b.declare(d)
    facets = [("minInclusive", 3), ("maxExclusive", 50), ("totalDigits", 2), ("pattern", 7)]
    for n in range(1, 5):
        parts = [(b.entity(Op.AnnotationProperty, xsd + name), f'"{m}"^^<{xsd}integer>') for name, m in facets[:n]]
        pairs = [each for facet, value in parts for each in (facet, b.entity(Op.Literal, value))]
        whole = b.node(Op.DatatypeRestriction, b.entity(Op.Datatype, f"{xsd}integer"), *pairs)
        b.axiom(Op.SubClassOf, a, b.node(Op.DataSomeValuesFrom, d, whole))
    made = b.finish()
    assert write(made, tmp_path / f"o{ending}") == []
    assert [str(axiom) for axiom in read(tmp_path / f"o{ending}").axioms] == [str(axiom) for axiom in made.axioms]


@pytest.mark.parametrize("ending", [".owl", ".ttl", ".owx"])
def test_axioms_about_many_keep_their_meaning(ending: str, tmp_path: Path) -> None:
    """RDF says what is equal in pairs, and turns round what is said of an inverse."""
    b = Builder()
    a, c, d = (b.entity(Op.Class, f"http://ex.org/{x}") for x in "acd")
    r, s = (b.entity(Op.ObjectProperty, f"http://ex.org/{x}") for x in "rs")
    i, j, k = (b.entity(Op.NamedIndividual, f"http://ex.org/{x}") for x in ("i", "j", "k"))
    for node in (a, c, d, r, s, i, j, k):
        b.declare(node)
    b.axiom(Op.EquivalentClasses, a, c, d)
    b.axiom(Op.SameIndividual, i, j, k)
    b.axiom(Op.DisjointClasses, a, c, d)
    b.axiom(Op.DifferentIndividuals, i, j, k)
    b.axiom(Op.ObjectPropertyAssertion, b.node(Op.ObjectInverseOf, r), i, j)
    b.axiom(Op.DisjointObjectProperties, r, s)
    write(b.finish(), tmp_path / f"o{ending}")
    found = {str(axiom).replace("http://ex.org/", "") for axiom in read(tmp_path / f"o{ending}").axioms}
    both = {"DisjointClasses(<a> <c> <d>)", "DifferentIndividuals(<i> <j> <k>)", "DisjointObjectProperties(<r> <s>)"}
    if ending == ".owx":
        said = {"EquivalentClasses(<a> <c> <d>)", "SameIndividual(<i> <j> <k>)"}
        assert found == both | said | {"ObjectPropertyAssertion(ObjectInverseOf(<r>) <i> <j>)"}
    else:
        said = {"EquivalentClasses(<a> <c>)", "EquivalentClasses(<c> <d>)"}
        said |= {"SameIndividual(<i> <j>)", "SameIndividual(<j> <k>)", "ObjectPropertyAssertion(<r> <j> <i>)"}
        assert found == both | said


def test_compressed_files_are_the_same_twice(tmp_path: Path) -> None:
    made = RandomOwl(3).ontology(40)
    for ending in (".ofn", ".owx"):
        for name in ("one", "two"):
            write(made, tmp_path / f"{name}{ending}.gz")
        one, two = ((tmp_path / f"{name}{ending}.gz").read_bytes() for name in ("one", "two"))
        assert one == two
        assert one[:8] == b"\x1f\x8b\x08" + bytes(5), "neither a name nor a time (RFC 1952)"
        write(made, tmp_path / f"plain{ending}")
        assert gzip.decompress(one) == (tmp_path / f"plain{ending}").read_bytes()


def test_an_ending_that_says_nothing_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match=r"the ending says no syntax; it may be one of \.ofn"):
        write(RandomOwl(0).ontology(3), tmp_path / "o.docx")
    assert list(tmp_path.iterdir()) == []
    write(RandomOwl(0).ontology(3), tmp_path / "o.docx", "functional")
    assert read(tmp_path / "o.docx").format == "functional"


@pytest.mark.parametrize("ending", [".owl", ".owx"])
def test_a_rule_is_named_where_it_cannot_be_said(ending: str, tmp_path: Path) -> None:
    b = Builder()
    b.axiom(Op.SubClassOf, b.entity(Op.Class, "http://ex.org/A"), b.entity(Op.Class, "http://ex.org/B"))
    b.axiom(Op.DLSafeRule, b.entity(Op.Literal, '"p(x) -> q(x)"'))
    left_out = write(b.finish(), tmp_path / f"o{ending}")
    assert left_out == ['DLSafeRule("p(x) -> q(x)")']
    assert len(read(tmp_path / f"o{ending}").axioms) == 1


@pytest.mark.parametrize("ending", [".owl", ".owx"])
def test_a_peer_reads_what_we_write(ending: str, tmp_path: Path) -> None:
    made = RandomOwl(7, for_rdf=True).ontology(80)
    write(made, tmp_path / f"o{ending}")
    peer = pyhornedowl.open_ontology_from_file(str(tmp_path / f"o{ending}"), "rdf" if ending == ".owl" else "owx")
    peer.save_to_file(str(tmp_path / "theirs.ofn"), serialization="ofn")
    theirs = comparable(read(tmp_path / "theirs.ofn"))
    assert theirs <= comparable(made)
    # of RDF the peer loses keys and disjointness of some expressions
    assert len(theirs) > (0.85 if ending == ".owl" else 0.99) * len(comparable(made))


def obo_ontology() -> Ontology:
    """What OBO has words for."""
    b = Builder()
    cell, part, organ, other = (b.entity(Op.Class, f"{OBO}X_{i:07d}") for i in range(1, 5))
    far = b.entity(Op.Class, "http://elsewhere.org/thing#far")
    part_of, has_part = b.entity(Op.ObjectProperty, f"{OBO}BFO_0000050"), b.entity(Op.ObjectProperty, f"{OBO}x#has")
    one, two = (b.entity(Op.NamedIndividual, f"{OBO}X_{i}") for i in ("91", "92"))
    for node in (cell, part, organ, other, far, part_of, has_part, one, two):
        b.declare(node)

    def some(role: int, filler: int) -> int:
        return b.node(Op.ObjectSomeValuesFrom, role, filler)

    b.axiom(Op.SubClassOf, part, cell)
    b.axiom(Op.SubClassOf, part, some(part_of, organ))
    b.axiom(Op.SubClassOf, b.node(Op.ObjectIntersectionOf, part, some(part_of, cell)), some(has_part, far))
    b.axiom(Op.SubClassOf, b.node(Op.ObjectIntersectionOf, part, some(part_of, cell)), organ)
    b.axiom(Op.EquivalentClasses, organ, b.node(Op.ObjectIntersectionOf, cell, some(has_part, part)))
    b.axiom(Op.EquivalentClasses, other, b.node(Op.ObjectUnionOf, cell, part))
    b.axiom(Op.EquivalentClasses, other, far)
    b.axiom(Op.DisjointClasses, cell, far)
    b.axiom(Op.SubObjectPropertyOf, part_of, has_part)
    b.axiom(Op.SubObjectPropertyOf, b.node(Op.ObjectPropertyChain, part_of, has_part), part_of)
    b.axiom(Op.SubObjectPropertyOf, b.node(Op.ObjectPropertyChain, has_part, part_of), part_of)
    b.axiom(Op.TransitiveObjectProperty, part_of)
    b.axiom(Op.SymmetricObjectProperty, has_part)
    b.axiom(Op.ObjectPropertyDomain, part_of, cell)
    b.axiom(Op.ObjectPropertyRange, part_of, organ)
    b.axiom(Op.InverseObjectProperties, part_of, has_part)
    b.axiom(Op.ClassAssertion, cell, one)
    b.axiom(Op.ObjectPropertyAssertion, part_of, one, two)
    b.labels[f"{OBO}X_0000001"] = 'a "cell" {of \\ some} kind! really'
    b.labels[f"{OBO}BFO_0000050"] = "part of"
    b.synonyms[f"{OBO}X_0000002"] = ['the "part"', "bit\nby bit"]
    b.definitions[f"{OBO}X_0000003"] = 'It is "said" to be {an} organ.\\ Yes!'
    b.deprecated[f"{OBO}X_0000077"] = None
    b.replaced[f"{OBO}X_0000077"] = f"{OBO}X_0000001"
    b.alternatives[f"{OBO}X_0000078"] = f"{OBO}X_0000001"
    return b.finish(iri=f"{OBO}x.owl")


def test_obo_comes_back(tmp_path: Path) -> None:
    made = obo_ontology()
    write(made, tmp_path / "o.obo")
    text = (tmp_path / "o.obo").read_text()
    assert "owl-axioms" not in text
    assert "id: X:0000001" in text
    assert "id: has\n" in text
    found = read(tmp_path / "o.obo")
    assert comparable(found) == comparable(made)
    assert words(found) == words(made)
    assert dict(found.alternatives) == dict(made.alternatives)
    assert (found.iri, found.format, found.warnings) == (made.iri, "obo", ())
    write(found, tmp_path / "again.obo")
    assert (tmp_path / "again.obo").read_text() == text


def test_what_obo_cannot_say_is_in_its_header(tmp_path: Path) -> None:
    b = Builder()
    a, c = (b.entity(Op.Class, f"{OBO}X_{i}") for i in (1, 2))
    r = b.entity(Op.ObjectProperty, f"{OBO}X_3")
    deep = b.node(Op.ObjectSomeValuesFrom, r, b.node(Op.ObjectSomeValuesFrom, r, c))
    b.axiom(Op.SubClassOf, a, c)
    b.axiom(Op.SubClassOf, a, deep)
    b.axiom(Op.EquivalentClasses, a, b.node(Op.ObjectIntersectionOf, c, b.node(Op.ObjectSomeValuesFrom, r, a)))
    b.axiom(Op.EquivalentClasses, a, b.node(Op.ObjectIntersectionOf, c, b.node(Op.ObjectSomeValuesFrom, r, c)))
    write(b.finish(), tmp_path / "o.obo")
    header, *stanzas = (tmp_path / "o.obo").read_text().split("\n\n")
    (line,) = [line for line in header.split("\n") if line.startswith("owl-axioms: ")]
    said = line.removeprefix("owl-axioms: ").replace("\\n", "\n").split("\n")
    assert said == [
        "Ontology(",
        f"SubClassOf(<{OBO}X_1> ObjectSomeValuesFrom(<{OBO}X_3> ObjectSomeValuesFrom(<{OBO}X_3> <{OBO}X_2>)))",
        f"EquivalentClasses(<{OBO}X_1> ObjectIntersectionOf(<{OBO}X_2> ObjectSomeValuesFrom(<{OBO}X_3> <{OBO}X_2>)))",
        ")",
    ]
    assert "is_a: X:2" in stanzas[0]
    assert stanzas[0].count("intersection_of") == 2


@pytest.mark.parametrize("ending", [".ofn", ".owx", ".ttl", ".owl"])
def test_notes_of_axioms_are_written_and_change_nothing(ending: str, tmp_path: Path) -> None:
    b = Builder()
    a, c, d = (b.entity(Op.Class, f"http://ex.org/{x}") for x in "acd")
    noted = b.axiom(Op.SubClassOf, a, c)
    b.axiom(Op.SubClassOf, c, d)
    several = b.axiom(Op.DisjointClasses, a, c, d)
    path = tmp_path / f"o{ending}"
    write(b.finish(), path, notes={noted: [Note("http://ex.org/by", '"someone"')], several: []})
    text = path.read_text()
    assert text.count("someone") == 1
    if ending == ".ttl":
        lines = [line for line in text.split("\n") if "annotated" in line or "someone" in line]
        assert any("annotatedSource <http://ex.org/a>" in line for line in lines), text
        assert any("annotatedTarget <http://ex.org/c>" in line for line in lines)
        assert "@prefix owl: <http://www.w3.org/2002/07/owl#>" in text
        assert "@prefix xml:" not in text
    if ending == ".ofn":
        assert 'SubClassOf(Annotation(<http://ex.org/by> "someone") <http://ex.org/a> <http://ex.org/c>)' in text
    found = read(path)
    assert sorted(str(axiom) for axiom in found.axioms) == sorted(str(axiom) for axiom in b.finish().axioms)

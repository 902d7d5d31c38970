"""An ontology with its inferred axioms: what was there stays, what is added follows and was not said."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import elgeo
from elgeo.cli import main
from elgeo.errors import ElgeoError
from elgeo.ontology.normal_forms import NormalForms
from elgeo.reasoning.saturation.saturate import saturate
from elgeo.reasoning.taxonomy.inferred import with_inferred
from elgeo.reasoning.taxonomy.taxonomy import taxonomy

TEXT = """Prefix(:=<http://x/>)
Prefix(rdfs:=<http://www.w3.org/2000/01/rdf-schema#>)
Ontology(<http://x/>
SubClassOf(:A :B)
SubClassOf(:B ObjectSomeValuesFrom(:r :C))
SubClassOf(ObjectSomeValuesFrom(:r :C) :D)
SubClassOf(:D :Top)
EquivalentClasses(:F :E :E2)
SubClassOf(:G :H)
SubClassOf(:H :G)
SubClassOf(:N :A)
SubClassOf(:N :Apart)
DisjointClasses(:A :Apart)
ClassAssertion(:A :i)
AnnotationAssertion(rdfs:label :A "the first")
)
"""


def written(path: Path) -> set[str]:
    return {str(axiom).replace("http://x/", "") for axiom in elgeo.read(path).axioms}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "o.ofn"
    path.write_text(TEXT)
    return path


def test_direct_axioms_are_added(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out.ofn.gz"
    assert main(["reason", str(file), "-o", str(out), "--json"]) == 0
    said = capsys.readouterr()
    new = written(out) - written(file)
    assert written(file) <= written(out)
    assert new == {
        "SubClassOf(<B> <D>)",
        "EquivalentClasses(<G> <H>)",
        "SubClassOf(<N> <http://www.w3.org/2002/07/owl#Nothing>)",
    }
    document = json.loads(said.out)
    assert document == {
        "output": str(out),
        "consistent": True,
        "added": {"EquivalentClasses": 1, "SubClassOf": 2},
    }
    assert "elgeo: unsatisfiable: N\n" in said.err
    assert elgeo.read(out).labels == {"http://x/A": "the first"}
    assert elgeo.read(out).iri == "http://x/"


def test_all_axioms_are_added(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out.ofn"
    assert main(["reason", str(file), "-o", str(out), "--all"]) == 0
    said = capsys.readouterr()
    assert said.out == f"{out}\n"
    assert said.err.endswith("elgeo: 9 inferred axioms added\n")
    assert written(out) - written(file) == {
        "SubClassOf(<A> <D>)",
        "SubClassOf(<B> <D>)",
        "SubClassOf(<A> <Top>)",
        "SubClassOf(<B> <Top>)",
        *(f"ClassAssertion(<{above}> <i>)" for above in ("B", "D", "Top")),
        "EquivalentClasses(<G> <H>)",
        "SubClassOf(<N> <http://www.w3.org/2002/07/owl#Nothing>)",
    }


def test_what_is_added_follows_and_classifies_the_same(file: Path, tmp_path: Path) -> None:
    for every in (False, True):
        out = tmp_path / f"{every}.ofn"
        elgeo.write(elgeo.reason(file, every=every), out)
        before, after = (taxonomy(saturate(elgeo.normalise(elgeo.read(path)))) for path in (file, out))
        for one, other in ((before, after), (after, before)):
            names = one.saturation.forms.vocabulary.classes
            for c, iri in enumerate(names):
                if iri.startswith("http://x/"):
                    same = other.saturation.forms.vocabulary.class_id(f"<{iri}>")
                    above = {names[int(i)] for i in one.direct_superclasses(c)}
                    others = other.saturation.forms.vocabulary.classes
                    assert above == {others[int(i)] for i in other.direct_superclasses(same)}
        again = elgeo.reason(elgeo.read(out), every=every)
        assert len(again.axiom_nodes) == len(elgeo.read(out).axiom_nodes)


def test_an_inconsistent_ontology_is_told_of(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "o.ofn"
    path.write_text(TEXT.replace("ClassAssertion(:A :i)", "ClassAssertion(:N :i)"))
    assert main(["reason", str(path), "-o", str(tmp_path / "out.ofn")]) == 0
    assert "elgeo: the ontology is inconsistent: every class is unsatisfiable\n" in capsys.readouterr().err
    assert "SubClassOf(<A> <http://www.w3.org/2002/07/owl#Nothing>)" in written(tmp_path / "out.ofn")


def test_what_cannot_be_written_is_said_before_the_work(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("out.txt", "out", "out.gz"):
        assert main(["reason", str(file), "-o", name]) == 2
        assert capsys.readouterr().err.startswith(f"elgeo: {name}: the ending says no syntax; it may be one of .ofn, ")
    forms = elgeo.normalise(elgeo.read(file))
    bare = taxonomy(saturate(NormalForms(forms.vocabulary, forms.tables)))
    with pytest.raises(ElgeoError, match="without their axioms"):
        with_inferred(bare)

"""What is used in place of a name that is no longer used, from every syntax."""

from __future__ import annotations

from pathlib import Path

import pyhornedowl

from elgeo.ontology import read
from elgeo.ontology.model import Builder
from elgeo.ontology.reading.merging import merged
from elgeo.ontology.writing.functional import write_functional

OBO = "http://purl.obolibrary.org/obo/"
FUNCTIONAL = f"""Prefix(obo:=<{OBO}>) Prefix(:=<http://ex.org/>)
Ontology(<http://ex.org/o>
Declaration(Class(:A)) Declaration(Class(:B)) Declaration(Class(:C)) Declaration(Class(:D))
Declaration(AnnotationProperty(obo:IAO_0100001))
SubClassOf(:A :B)
AnnotationAssertion(obo:IAO_0100001 :B <http://ex.org/A>)
AnnotationAssertion(obo:IAO_0100001 :C obo:X_7)
AnnotationAssertion(obo:IAO_0100001 :D "X:8")
)"""
WANTED = {"http://ex.org/B": "http://ex.org/A", "http://ex.org/C": f"{OBO}X_7", "http://ex.org/D": f"{OBO}X_8"}


def test_what_replaces_a_name_is_known_from_every_syntax(tmp_path: Path) -> None:
    (tmp_path / "o.ofn").write_text(FUNCTIONAL)
    peer = pyhornedowl.open_ontology_from_file(str(tmp_path / "o.ofn"))
    peer.save_to_file(str(tmp_path / "o.owl"), serialization="owl")
    peer.save_to_file(str(tmp_path / "o.owx"), serialization="owx")
    for name in ("o.ofn", "o.owl", "o.owx"):
        ontology = read(tmp_path / name)
        assert dict(ontology.replaced) == WANTED, name
        assert ontology.ignored["annotations"] >= 3
    write_functional(ontology, tmp_path / "again.ofn")
    assert dict(read(tmp_path / "again.ofn").replaced) == WANTED
    assert dict(merged([ontology, read(tmp_path / "o.ofn")]).replaced) == WANTED
    assert dict(Builder.resume(ontology).finish().replaced) == WANTED


def test_in_obo_only_what_is_obsolete_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "o.obo").write_text(
        "ontology: x\n\n[Term]\nid: X:1\nis_obsolete: true\nreplaced_by: X:2 ! two\nreplaced_by: X:3\n\n"
        "[Term]\nid: X:2\n\n[Term]\nid: X:3\n\n[Term]\nid: X:4\nis_obsolete: true\nconsider: X:2\n"
    )
    assert dict(read(tmp_path / "o.obo").replaced) == {f"{OBO}X_1": f"{OBO}X_2"}


def test_relations_that_are_obsolete_are_known_by_their_standard_names(tmp_path: Path) -> None:
    (tmp_path / "o.obo").write_text(
        "ontology: x\n\n[Typedef]\nid: within\nxref: BFO:0000050\n\n"
        "[Typedef]\nid: inside\nxref: RO:0001025\nis_obsolete: true\nreplaced_by: within\n"
    )
    ontology = read(tmp_path / "o.obo")
    assert dict(ontology.replaced) == {f"{OBO}RO_0001025": f"{OBO}BFO_0000050"}
    assert list(ontology.deprecated) == [f"{OBO}RO_0001025"]

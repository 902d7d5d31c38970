"""Every axiom that was read is behind a row, true anyway, or named as unsupported; and the commands say so."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from elgeo.cli import main
from elgeo.errors import SettingError
from elgeo.ontology import normalise, read
from elgeo.ontology.generation.generate import generate
from elgeo.ontology.model import Ontology
from elgeo.ontology.normal_forms import NormalForms
from elgeo.ontology.normalisation.accounting import account, axioms_in_rows
from elgeo.ontology.writing.tables import load_tables
from tests.ontology.reference import subsumptions
from tests.ontology.small import small

GO = "go/go_2019-01-27_el.ofn.gz"


def assert_accounted(forms: NormalForms) -> None:
    accounts = account(forms)
    assert forms.source is not None
    assert sum(a.read for a in accounts.values()) == len(forms.source.axioms)
    for kind, a in accounts.items():
        assert a.read == a.in_rows + a.always_true + a.unsupported, kind
        assert min(a) >= 0, kind
    assert sum(a.unsupported for a in accounts.values()) == len(forms.unsupported)


@pytest.mark.slow
@given(st.integers(0, 2**32 - 1), st.integers(3, 10))
@settings(max_examples=60)
def test_random_ontologies(seed: int, classes: int) -> None:
    """An axiom said to be true anyway is one that an empty ontology entails."""
    ontology = generate("owl", classes, seed)
    forms = normalise(ontology)
    assert_accounted(forms)
    said = axioms_in_rows(forms)
    said[[axiom for _, axiom in forms.unsupported]] = True
    nothing = subsumptions(_with(ontology, []))
    silent = [int(n) for n, s in zip(ontology.axiom_nodes, said, strict=True) if not s]
    assert subsumptions(_with(ontology, silent)) == nothing


def _with(ontology: Ontology, nodes: list[int]) -> Ontology:
    return dataclasses.replace(ontology, axiom_nodes=np.array(nodes, np.int32))


def test_each_kind_by_itself() -> None:
    forms = normalise(
        small("SubClassOf(A B) SubClassOf(A Thing) SubClassOf(A ObjectUnionOf(B C)) FunctionalObjectProperty(r)")
    )
    assert account(forms) == {"SubClassOf": (3, 1, 1, 1), "FunctionalObjectProperty": (1, 0, 0, 1)}


@pytest.mark.slow
def test_real_ontologies(data: Path) -> None:
    galen, go = (normalise(read(data / name)) for name in ("galen/galen-el.ofn.gz", GO))
    for forms in (galen, go):
        assert_accounted(forms)
        assert forms.unsupported == ()
    assert account(go)["EquivalentClasses"] == (12077, 12077, 0, 0)
    counts = go.counts()
    # a definition costs one row of each kind, less what is shared, and a step more for each further difference
    assert 12077 <= counts["GCI1"] <= 12200
    assert counts["GCI3"] <= 12077
    assert counts["GCI1-BOT"] == 30
    assert (counts["RI0"], counts["RI1"]) == (3, 10)


@pytest.mark.slow
def test_obo_and_owl_of_one_release(data: Path) -> None:
    obo, owl = (normalise(read(data / name)) for name in ("go/go_2019-01-27.obo.gz", GO))
    assert_accounted(obo)
    assert [kind for kind, _ in obo.unsupported] == ["InverseObjectProperties"]
    assert obo.counts() == owl.counts()


def test_small_ontologies(data: Path) -> None:
    for case in sorted((data / "elk-suite" / "classification").glob("*.owl")):
        assert_accounted(normalise(read(case)))


def test_tables_alone_cannot_be_accounted_for(tmp_path: Path) -> None:
    assert main(["normalise", str(_write(tmp_path)), "-o", str(tmp_path / "t")]) == 0
    with pytest.raises(SettingError, match="normalise it again"):
        account(load_tables(tmp_path / "t"))


def _write(folder: Path) -> Path:
    path = folder / "small.ofn"
    path.write_text(
        "Prefix(:=<http://example.org/>)\nOntology(<http://example.org/o>\nDeclaration(Class(:A))\n"
        "SubClassOf(:A ObjectIntersectionOf(:B ObjectSomeValuesFrom(:r :C)))\n"
        "SubClassOf(ObjectSomeValuesFrom(:r ObjectIntersectionOf(:B :C)) :A)\n"
        "SubClassOf(:A ObjectUnionOf(:B :C))\nClassAssertion(:A :i)\n)\n"
    )
    return path


def test_info_keeps_its_promise(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(_write(tmp_path))
    assert main(["info", path, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "format": "functional",
        "classes": 3,
        "roles": 1,
        "individuals": 1,
        "axioms": 4,
        "normal_forms": {
            "GCI0": 2, "GCI1": 1, "GCI2": 1, "GCI3": 1, "GCI0-BOT": 0, "GCI1-BOT": 0, "GCI3-BOT": 0, "RI0": 0, "RI1": 0,
        },
        "fresh_classes": 1,
        "unsupported": {"ObjectUnionOf": 1},
        "ignored": {"annotations": 0, "declarations": 1},
        "consistent": True,
        "unsatisfiable": [],
    }  # fmt: skip
    assert main(["info", path, "--list-unsupported"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1].startswith("ObjectUnionOf\tSubClassOf(<http://example.org/A> ObjectUnionOf(")
    assert any(line.split()[:1] == ["GCI2"] and line.endswith(" 1") for line in lines)


def test_normalise_writes_tables_or_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, out = str(_write(tmp_path)), tmp_path / "out"
    assert main(["normalise", path, "-o", str(out), "--strict"]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert "ObjectUnionOf" in told.err
    assert not out.exists()
    assert main(["normalise", path, "-o", str(out), "--format", "parquet", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["normal_forms"]["GCI2"] == 1
    assert load_tables(out).counts()["GCI2"] == 1
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    assert main(["normalise", path, "-o", str(blocked / "x")]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
    assert main(["info", str(tmp_path / "missing.owl")]) == 2

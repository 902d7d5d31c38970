"""`elgeo dataset build | info | split` as a user calls it: results, JSON, one message and exit 2 on bad input."""

from __future__ import annotations

import argparse
import json
from contextlib import nullcontext
from pathlib import Path

import pytest

from elgeo.cli import main
from elgeo.cli.dataset.saving import check_output
from elgeo.datasets import load
from elgeo.datasets.splits.holdout import HoldOut, hold_out
from elgeo.datasets.statistics import PAPER
from elgeo.errors import SettingError
from elgeo.ontology import normalise, read
from tests.datasets.small_sources import write_sources


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    return write_sources(tmp_path / "sources")


def build_command(files: dict[str, Path], output: Path, *more: str) -> list[str]:
    command = ["dataset", "build", "--ontology", str(files["go.obo"]), "--interactions", str(files["links.txt.gz"])]
    command += ["--annotations", str(files["annotations.gaf"]), "--aliases", str(files["aliases.txt"])]
    return [*command, "-o", str(output), "--split", "60:20:20", *more]


def test_build_and_info(files: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(build_command(files, tmp_path / "small", "--json")) == 0
    built = json.loads(capsys.readouterr().out)
    assert main(["dataset", "info", str(tmp_path / "small"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == built
    assert built["name"] == "small"
    assert built["paper"] == PAPER
    assert built["drops"]["annotations with NOT"] == 1
    assert built["leakage"]["test"]["inverse_in_train"] == 0
    assert sum(built["kinds"].values()) == built["classes"]
    assert main(["dataset", "info", str(tmp_path / "small")]) == 0
    text = capsys.readouterr().out
    for expected in ("293,645", "958,674", "interacts_with, symmetric", "annotations with NOT", "links.txt.gz"):
        assert expected in text
    readme = (tmp_path / "small" / "README.md").read_text()
    for source in built["sources"]:
        assert source["file"] in readme
        assert source["sha256"] in readme
    assert "GO:9999999" in (tmp_path / "small" / "dropped.tsv").read_text()


def test_an_embedded_dataset_has_info_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dataset", "info", "family"]) == 0
    assert "GCI3-BOT" in capsys.readouterr().out


def test_other_ways_to_build(files: dict[str, Path], tmp_path: Path) -> None:
    assert main(build_command(files, tmp_path / "hf", "--target", "has_function", "--evidence", "experimental")) == 0
    assert load(tmp_path / "hf").tail_kind == "go"
    assert main(build_command(files, tmp_path / "as-is", "--as-is", "--min-score", "0", "--seed", "3")) == 0
    assert load(tmp_path / "as-is").record["settings"] == {
        "symmetric": False,
        "twins_together": True,
        "shares": [0.6, 0.2, 0.2],
        "seed": 3,
        "min_score": 0.0,
    }


def refused(command: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    assert main(command) == 2
    said = capsys.readouterr()
    assert said.out == ""
    last = said.err.strip().splitlines()[-1]
    assert last.startswith("elgeo: ")
    assert "Traceback" not in said.err
    return last


def test_bad_input_is_named_with_file_and_line(
    files: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "d"
    links, gaf = files["links.txt.gz"], files["annotations.gaf"]
    links.write_text("protein1 protein2 combined_score\n9.P00 9.P01 900\n9.P00 9.P02 often\n")
    assert f"{links}:3: the score 'often' is not a number" in refused(build_command(files, output), capsys)
    write_sources(files["go.obo"].parent)
    gaf.write_text(gaf.read_text() + "SGD\tS01\n")
    assert f"{gaf}:35: a GAF line has 15 to 17 columns" in refused(build_command(files, output), capsys)
    write_sources(files["go.obo"].parent)
    assert "--split" in refused(build_command(files, output, "--split", "90:10"), capsys)
    assert "--evidence" in refused(build_command(files, output, "--evidence", "!!"), capsys)
    assert "target" in refused(build_command(files, output, "--target", "eats"), capsys)
    assert "--ontology" in refused(["dataset", "build", "-o", str(output)], capsys)
    assert "not a dataset" in refused(["dataset", "info", str(files["go.obo"].parent)], capsys)
    assert "embedded" in refused(["dataset", "info", "nothing"], capsys)
    assert not output.exists()
    output.mkdir()
    assert "exists already" in refused(build_command(files, output), capsys)
    (output / "thesis.tex").write_text("precious")
    assert "exists already" in refused(build_command(files, output, "--force"), capsys)
    assert "seed" in refused(build_command(files, tmp_path / "e", "--seed", "-1"), capsys)


def test_what_el_cannot_say_is_listed(files: dict[str, Path], tmp_path: Path) -> None:
    files["go.obo"].write_text(files["go.obo"].read_text() + "inverse_of: has_part\n\n[Typedef]\nid: has_part\n")
    assert main(build_command(files, tmp_path / "d")) == 0
    drops = load(tmp_path / "d").record["drops"]
    assert drops["axioms that EL++ cannot say in full (InverseObjectProperties)"] == 1
    assert "InverseObjectProperties(" in (tmp_path / "d" / "dropped.tsv").read_text()


def test_imports_are_read(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    (tmp_path / "far" / "far.ofn").write_text(
        "Prefix(:=<http://x/>)\nOntology(<http://far>\n" + "\n".join(f"SubClassOf(:A{i} :B)" for i in range(30)) + ")"
    )
    (tmp_path / "here.ofn").write_text("Ontology(<http://here>\nImport(<http://far>)\n)")
    command = [
        "dataset",
        "split",
        str(tmp_path / "here.ofn"),
        "--axioms",
        "?C SubClassOf ?D",
        "-o",
        str(tmp_path / "d"),
    ]
    assert main(command) == 2
    assert main([*command, "--import", str(tmp_path / "far"), "--as-drawn"]) == 0
    assert len(load(tmp_path / "d").train) == 26


TRAITS = """Prefix(:=<http://x/>)
Prefix(rdfs:=<http://www.w3.org/2000/01/rdf-schema#>)
Ontology(<http://x/>
DisjointClasses(:X :Y)
SubClassOf(:Odd ObjectIntersectionOf(:X :Y))
ObjectPropertyRange(:r :A2)
AnnotationAssertion(rdfs:label :A0 "zero"@en)
AnnotationAssertion(rdfs:label :A0 "null"@de)
{axioms})
"""


def test_traits_of_an_ontology_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Classes that can have no instance are named; labels are in the language asked for; kinds have to match."""
    path, axioms = tmp_path / "o.ofn", [f"SubClassOf(:A{i} :A{i // 2})\n" for i in range(1, 40)]
    path.write_text(TRAITS.format(axioms="".join(axioms)))
    command = ["dataset", "split", str(path), "--axioms", "?C SubClassOf ?D", "--split", "80:10:20"]
    assert main([*command, "-o", str(tmp_path / "d"), "--language", "de"]) == 0
    said = capsys.readouterr()
    assert "\nunsatisfiable: Odd (" in said.out
    assert "--split 80:10:20 adds up to 110" in said.err
    dataset = load(tmp_path / "d")
    assert dataset.record["unsatisfiable"] == ["http://x/Odd"]
    assert dataset.vocabulary.labels["http://x/A0"] == "null"
    assert "no class has an IRI that starts so; one is <http://x/A" in refused(
        [*command[:-2], "-o", str(tmp_path / "e"), "--kind", "protein=http://y/"], capsys
    )
    path.write_text(TRAITS.format(axioms="".join(axioms) + "ClassAssertion(:Odd :i)\n"))
    assert main([*command, "-o", str(tmp_path / "e")]) == 0
    assert "\nthe training axioms are inconsistent: " in capsys.readouterr().out


def test_a_split_may_have_more_rows_than_its_ontology(tmp_path: Path) -> None:
    """A tail that is no longer told to be in its role's range gets a stand-in D ⊓ range(R), with two rows."""
    path = tmp_path / "o.ofn"
    tails = "".join(f"SubClassOf(:B{i} :A2)\nSubClassOf(:H{i} ObjectSomeValuesFrom(:r :B{i}))\n" for i in range(40))
    path.write_text(TRAITS.format(axioms=tails))
    whole = normalise(read(path))
    dataset = hold_out(HoldOut(path, "?C SubClassOf ?D", (0.8, 0.1, 0.1)))[0]
    held_out = len(dataset.valid) + len(dataset.test)
    assert held_out > 4
    assert dataset.vocabulary.n_classes == whole.vocabulary.n_classes + held_out
    assert len(dataset.forms.subclass) == len(whole.subclass) - held_out + 2 * held_out


def test_help_has_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ([], ["build"], ["fetch"], ["info"], ["split"]):
        with pytest.raises(SystemExit) as ended:
            main(["dataset", *command, "--help"])
        assert ended.value.code == 0
        assert "elgeo dataset" in capsys.readouterr().out.split("example")[-1]


def test_what_may_be_replaced_is_known_before_the_work(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "thesis.tex").write_text("precious")
    for name, force, refuses in (
        ("empty", False, True),
        ("empty", True, False),
        ("thesis", False, True),
        ("thesis", True, True),
        ("new", False, False),
    ):
        options = argparse.Namespace(output=tmp_path / name, force=force)
        with pytest.raises(SettingError, match="exists already") if refuses else nullcontext():
            check_output(options)

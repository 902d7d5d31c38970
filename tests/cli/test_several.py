"""Commands over several targets of one training: each in turn, and a table by target and overall."""

from __future__ import annotations

import json
from argparse import Namespace
from pathlib import Path

import pytest

from elgeo import datasets
from elgeo.cli import main
from elgeo.cli.runs.several import first_run
from elgeo.errors import SettingError
from elgeo.ontology import read
from tests.models.placement import small_names


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("several")
    old = small_names.write(place / "old.obo")
    text = old.read_text()
    for organ, line in (
        ("lung lobe", "is_a: X:0026"),
        ("brain", "relationship: regulates X:0011"),
        ("liver", "is_a: X:0016"),
    ):
        text = text.replace(f"name: {organ}\n", f"name: {organ}\n{line}\n")
    (place / "new.obo").write_text(text)
    shapes = ["--axioms", "?C SubClassOf ?D", "--axioms", "?C SubClassOf regulates some ?D"]
    assert main(["dataset", "releases", str(old), str(place / "new.obo"), *shapes, "-o", str(place / "data")]) == 0
    assert main(["train", str(place / "data"), "-o", str(place / "run"), "--model", "naive", "--quiet"]) == 0
    return place


def told(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    capsys.readouterr()
    assert main([str(argument) for argument in arguments]) == 0
    return capsys.readouterr().out


@pytest.mark.slow
def test_train_and_info(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert {path.name for path in (folder / "run").iterdir()} == {"subclass", "regulates", "targets.toml"}
    counts = json.loads(told(capsys, "dataset", "info", folder / "data", "--json"))
    assert {name: each["splits"]["test"] for name, each in counts["targets"].items()} == {"subclass": 2, "regulates": 1}
    assert "regulates" in told(capsys, "dataset", "info", folder / "data")
    made = json.loads(told(capsys, "train", folder / "data", "-o", folder / "again", "--model", "naive", "--json"))
    assert set(made["targets"]) == {"subclass", "regulates"}
    with pytest.raises(SettingError, match="several targets"):
        datasets.load(folder / "data")


@pytest.mark.slow
def test_evaluate(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(told(capsys, "evaluate", folder / "run", "--json"))
    figures = found["figures"]
    assert list(figures) == ["subclass", "regulates", "all"]
    for name in ("subclass", "regulates"):
        alone = json.loads(told(capsys, "evaluate", folder / "run" / name, "--json"))
        assert figures[name]["axioms"] == alone["axioms"]
        assert figures[name]["methods"]["naive"]["mrr"] == alone["filtered"]["per_axiom"]["mrr"]
    assert figures["all"]["axioms"] == 3
    for method, overall in figures["all"]["methods"].items():
        of = {name: figures[name]["methods"][method]["mrr"] for name in ("subclass", "regulates")}
        assert overall["mrr"] == pytest.approx((2 * of["subclass"] + of["regulates"]) / 3)
    printed = told(capsys, "evaluate", folder / "run")
    assert "== subclass" in printed
    assert "\nall " in printed
    assert main(["evaluate", str(folder / "run"), "--against", str(folder / "run")]) == 2


@pytest.mark.slow
def test_predict_report_and_place(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(told(capsys, "predict", folder / "run", "--all", "--top", "3", "--json"))
    assert {name: len(each["predictions"]) for name, each in found["targets"].items()} == {
        "subclass": 3,
        "regulates": 3,
    }
    assert "== regulates" in told(capsys, "predict", folder / "run", "--all", "--top", "2")
    axioms = folder / "missing.ofn"
    axioms.write_text(told(capsys, "predict", folder / "run", "--all", "--top", "3", "--format", "ofn"))
    assert len(read(axioms).axioms) == 6
    told(capsys, "report", folder / "run", "-o", folder / "page.html")
    page = (folder / "page.html").read_text()
    assert "subclass" in page
    assert "regulates" in page
    assert "heart chamber" in told(capsys, "place", folder / "run", "--label", "right heart chamber")
    found = json.loads(told(capsys, "place", folder / "run", "--dataset", folder / "data", "--label", "x", "--json"))
    assert found["terms"][0]["label"] == "x"


@pytest.mark.slow
def test_what_is_the_same_for_all_is_asked_of_the_first(folder: Path) -> None:
    for asked, found in (("", "subclass"), ("subclass", "subclass"), ("regulates", "regulates")):
        assert first_run(Namespace(run_folder=folder / "run" / asked, dataset=None)).folder == folder / "run" / found


@pytest.mark.slow
def test_suggestions_that_came_true(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = folder / "run" / "subclass"
    found = json.loads(told(capsys, "evaluate", run, "--suggestions", 50, "--json"))
    assert set(found["came_true"]) == {"naive", "common-neighbours", "nearest-names"}
    assert found["held_out"] == 2
    assert found["first"] == [5, 50]
    predicted = json.loads(told(capsys, "predict", run, "--all", "--top", "50", "--json"))["predictions"]
    status = [each["status"] for each in predicted]
    assert found["came_true"]["naive"] == [status[:5].count("held out"), status.count("held out")]
    assert "of the first 50 suggestions of naive" in told(capsys, "evaluate", run, "--suggestions", 50)
    told(capsys, "report", run, "-o", folder / "one.html")
    assert "of the first 50 suggestions of naive" in (folder / "one.html").read_text()
    (run / "suggestions.json").write_text('{"dataset": "x", "held_out": 2, "first": [5], "came_true": {"naive": []}}')
    assert main(["report", str(run), "-o", str(folder / "one.html")]) == 2
    for first, shown in ((1, [1]), (2, [1, 2]), (21, [2, 21])):
        assert json.loads(told(capsys, "evaluate", run, "--suggestions", first, "--json"))["first"] == shown
    assert main(["evaluate", str(run), "--suggestions", "0"]) == 2


@pytest.mark.slow
def test_suggestions_and_what_was_removed_of_every_target(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(told(capsys, "evaluate", folder / "run", "--suggestions", 20, "--json"))["targets"]
    assert {name: each["held_out"] for name, each in found.items()} == {"subclass": 2, "regulates": 1}
    printed = told(capsys, "evaluate", folder / "run", "--suggestions", 20)
    assert printed.count("of the first 20 suggestions of naive") == 2
    assert main(["evaluate", str(folder / "run"), "--removed"]) == 2
    assert "were taken back" in capsys.readouterr().err


def test_a_split_tells_of_every_shape(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = small_names.write(tmp_path / "names.obo")
    shapes = ["?C SubClassOf ?D", "?C SubClassOf regulates some ?D"]
    asked = [word for shape in shapes for word in ("--axioms", shape)]
    for more in ([], ["--force", "--json"]):
        printed = told(capsys, "dataset", "split", file, *asked, "--split", "80:10:10", "-o", tmp_path / "data", *more)
    found = json.loads(printed)
    assert set(found) == {"name", "targets"}
    assert [shape.replace("'", "") for shape in found["targets"]] == shapes
    for part in ("train", "valid", "test"):
        assert all(target["splits"][part] > 0 for target in found["targets"].values())

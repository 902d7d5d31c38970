"""`elgeo evaluate`, `predict` and `export` on trained and counted runs, as a user calls them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

import elgeo
from elgeo.api import train
from elgeo.cli import main
from elgeo.datasets import load
from elgeo.evaluation.entailments import Entailments
from elgeo.serve.effects import effect


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs")
    train("family", model="elem", negatives="random", folder=folder / "trained", epochs=3, dimension=4)
    train("family", model="naive", folder=folder / "counted")
    return folder


def called(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    assert main([str(a) for a in arguments]) == 0
    return capsys.readouterr().out


def test_evaluate_prints_one_document_and_keeps_it(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = json.loads(called(capsys, "evaluate", runs / "trained", "--positives", "both", "--json"))
    assert document["split"] == "test"
    assert document["filter"] == "train"
    assert document == json.loads((runs / "trained" / "evaluation.json").read_text())
    assert document["entailed"]["axioms"] > 0
    options = ["--split", "valid", "--filter", "closure", "--candidates", "target", "--side", "head", "--without-head"]
    leave_out = ["--no-semantic", "--no-faithfulness", "--resamples", "0"]
    other = json.loads(called(capsys, "evaluate", runs / "trained", *options, *leave_out, "--json"))
    assert (other["split"], other["filter"], other["semantic"]) == ("valid", "closure", {})


def test_runs_of_different_datasets_do_not_stand_beside_each_other(
    runs: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    train("cell-tiny", model="naive", folder=tmp_path / "elsewhere")
    before = (runs / "counted" / "evaluation.json").exists()
    assert main(["evaluate", str(runs / "counted"), "--against", str(tmp_path / "elsewhere")]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "elsewhere was trained on another dataset (cell-tiny) than the run it stands beside (family)" in captured.err
    assert (runs / "counted" / "evaluation.json").exists() == before


def test_a_run_that_cannot_be_written_to_is_evaluated_all_the_same(
    runs: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    copy = tmp_path / "counted"
    shutil.copytree(runs / "counted", copy)
    (copy / "evaluation.json").unlink(missing_ok=True)
    (copy / "evaluation.json").mkdir()  # nothing can be written there, whoever asks
    assert main(["evaluate", str(copy)]) == 0
    captured = capsys.readouterr()
    assert "per axiom [paper: macro]" in captured.out
    assert f"not kept: {copy / 'evaluation.json'}" in captured.err
    assert "written to" not in captured.err


def test_evaluate_prints_what_is_looked_at_first_and_all_of_it_when_asked(
    runs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    short, whole = (called(capsys, "evaluate", runs / "trained", *more).splitlines() for more in ([], ["--all"]))
    assert short[-1] == "more measures: --all"
    said = {" ".join(line.split()) for line in whole}  # columns may have other widths
    assert [line for line in short[:-1] if " ".join(line.split()) not in said] == []
    words = [line.split("  ")[0] for line in short]
    assert words[3:10] == ["per axiom [paper: macro]", "hits@1", "hits@10", "hits@100", "mean_rank", "mrr", "auc"]
    assert any(line.startswith("true in the model") for line in short)
    assert "common-neighbours" in short[-3]  # the verdicts
    for title in ("per class [paper: micro]", "semantic (filtered)", "signs of collapse", "hits@3"):
        assert any(line.startswith(title) for line in whole)
        assert not any(line.startswith(title) for line in short)
    assert len(short) < len(whole) / 2


def test_evaluate_prints_a_table_with_another_run_beside(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = called(capsys, "evaluate", runs / "trained", "--against", runs / "counted")
    assert "per axiom [paper: macro]" in text
    assert "counted" in text
    assert "common-neighbours" in called(capsys, "evaluate", runs / "counted")


def test_python_evaluates_too(runs: Path) -> None:
    report = elgeo.evaluate(runs / "counted", filter="none")
    assert report.to_dict()["filter"] == "none"
    with pytest.raises(elgeo.errors.SettingError, match="no setting"):
        elgeo.evaluate(runs / "counted", filters="none")


@pytest.mark.slow
def test_predict_in_every_format(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dataset = elgeo.datasets.load("family")
    head = dataset.vocabulary.classes[int(dataset.test[0, 0])]
    for form in ("table", "tsv", "json", "ofn"):
        assert main(["predict", str(runs / "trained"), "--head", head, "--top", "3", "--format", form]) == 0
        said = capsys.readouterr()
        assert said.out.strip()
        assert ("ordered by margin" in said.err) == (form == "table")  # others say nothing that could be read as data
    assert (
        len(json.loads(called(capsys, "predict", runs / "trained", "--all", "--top", "5", "--json"))["predictions"])
        == 5
    )
    frame = elgeo.training.run.Run.load(runs / "trained").predict(head=head, top=3, exclude=[])
    assert list(frame["rank"]) == sorted(frame["rank"])


@pytest.mark.slow
def test_words_are_excluded_in_a_text_as_in_a_list(runs: Path) -> None:
    run = elgeo.training.run.Run.load(runs / "trained")
    for text, words in (("train", ["train"]), ("entailed, train", ["entailed", "train"]), ("nothing", [])):
        given, listed = (run.predict(top=60, exclude=each) for each in (text, words))
        assert given.equals(listed)
    assert not run.predict(top=10_000, exclude="nothing").equals(run.predict(top=10_000, exclude="train"))
    with pytest.raises(elgeo.errors.SettingError, match="'trained' cannot be excluded"):
        run.predict(exclude="trained")


def test_export_in_every_format(runs: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for form, ending in (("npz", ".npz"), ("parquet", ".parquet"), ("word2vec", ".txt"), ("tsv", ".tsv")):
        path = called(capsys, "export", runs / "trained", "--format", form).strip()
        assert path == str(runs / "trained" / f"embeddings{ending}")
    with np.load(runs / "trained" / "embeddings.npz", allow_pickle=False) as file:
        assert file["class_centres"].shape == (len(file["classes"]), 4)
    written = json.loads(called(capsys, "export", runs / "trained", "-o", tmp_path / "x.npz", "--json"))
    assert written == {"file": str(tmp_path / "x.npz"), "format": "npz"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["evaluate", "nowhere"], "there is no such folder"),
        (["evaluate", "RUN", "--filter", "test"], "filter has to be one of"),
        (["evaluate", "RUN", "--resamples", "-1"], "at least 0"),
        (["predict", "RUN", "--head", "nobody-at-all"], "no class is called"),
        (["predict", "RUN", "--all", "--exclude", "novel"], "cannot be excluded"),
        (["predict", "RUN", "--all", "--top", "0"], "at least 1"),
        (["export", "COUNTED"], "naive has no geometry"),
    ],
)
def test_bad_input_is_one_line_and_2(
    runs: Path, capsys: pytest.CaptureFixture[str], arguments: Sequence[str], message: str
) -> None:
    places = {"RUN": str(runs / "trained"), "COUNTED": str(runs / "counted")}
    assert main([places.get(a, a) for a in arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert message in captured.err
    assert len(captured.err.strip().splitlines()) == 1


def test_what_el_cannot_see_is_said_with_predictions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In a folder's dataset too it is known how many axioms EL++ cannot say in full."""
    drawn = np.random.default_rng(11).integers(0, 7, (40, 2)).tolist()
    told = sorted({f"SubClassOf(:D{dish} ObjectSomeValuesFrom(:has :P{part}))" for dish, part in drawn})
    closed = [f"SubClassOf(:D{i} ObjectAllValuesFrom(:has ObjectUnionOf(:P{i} :P{i + 1})))" for i in range(3)]
    said = []
    for name, axioms in (("plain", told), ("closed", [*told, *closed])):
        text = "\n".join(["Prefix(:=<http://x/>)", "Ontology(<http://x/>", *axioms, ")", ""])
        (tmp_path / f"{name}.ofn").write_text(text)
        data, run = str(tmp_path / name), str(tmp_path / f"{name}-run")
        shape = ["--axioms", "?C SubClassOf has some ?D", "-o", data]
        assert main(["dataset", "split", str(tmp_path / f"{name}.ofn"), *shape]) == 0
        assert main(["train", data, "-o", run, "--model", "naive", "--quiet"]) == 0
        capsys.readouterr()
        assert main(["predict", run, "--all"]) == 0
        said.append(capsys.readouterr().err)
    assert "beyond EL++" not in said[0]
    assert (
        said[1].count("3 axioms beyond EL++ used in part (3 of them to rule suggestions out): what only the rest") == 1
    )


def test_what_closes_a_class_rules_suggestions_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Through a dataset's folder: dishes have parts, those with an even number are closed to what they have."""
    drawn = np.random.default_rng(5).integers(0, 9, (45, 2)).tolist()
    parts = {dish: sorted({part for other, part in drawn if other == dish}) for dish, _ in drawn}
    told = [f"SubClassOf(:D{dish} ObjectSomeValuesFrom(:has :P{part}))" for dish in parts for part in parts[dish]]
    unions = {dish: " ".join(f":P{part}" for part in (*parts[dish], 9)) for dish in parts if dish % 2 == 0}
    told += [f"SubClassOf(:D{dish} ObjectAllValuesFrom(:has ObjectUnionOf({of})))" for dish, of in unions.items()]
    told.append(f"DisjointClasses({' '.join(f':P{i}' for i in range(10))})")
    (tmp_path / "o.ofn").write_text("\n".join(["Prefix(:=<http://x/>)", "Ontology(<http://x/>", *told, ")", ""]))
    data, run = str(tmp_path / "data"), str(tmp_path / "run")
    assert main(["dataset", "split", str(tmp_path / "o.ofn"), "--axioms", "?C SubClassOf has some ?D", "-o", data]) == 0
    assert main(["train", data, "-o", run, "--model", "naive", "--quiet"]) == 0
    capsys.readouterr()
    ask = ["predict", run, "--all", "--top", "200", "--format", "json", "--explain", "--exclude"]
    assert main([*ask, "entailed,train,contradicted"]) == 0
    shown, said = capsys.readouterr()
    assert main([*ask, "entailed,train"]) == 0
    every = json.loads(capsys.readouterr().out)["predictions"]
    contradicted = {(row["head_id"], row["tail_id"]) for row in every if row["status"] == "contradicted"}
    wrong = {(f"D{d}", f"P{p}") for d in unions for p in range(9) if p not in parts[d]}
    assert contradicted == wrong
    assert {(row["head_id"], row["tail_id"]) for row in json.loads(shown)["predictions"]} & wrong == set()
    assert f"{len(wrong)} pairs ruled out by axioms beyond EL++" in said
    assert all("contradicts D" in str(row["reasons"][0]) for row in every if row["status"] == "contradicted")
    loaded = load(data)
    head, tail = min(wrong)
    row = loaded.vocabulary.class_id(head), loaded.target_role or 0, loaded.vocabulary.class_id(tail)
    assert effect(Entailments(loaded), {"existential": [row]}).unsatisfiable.tolist() == [row[0]]

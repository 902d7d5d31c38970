"""`elgeo reproduce` on a small dataset: all cells, a killed worker, and figures that are what the cells found."""

from __future__ import annotations

import json
import os
import signal
import statistics
import subprocess
import sys
import time
from pathlib import Path

import pytest

from elgeo import datasets
from elgeo.cli import main
from elgeo.datasets.folder import save
from elgeo.experiments.cells import Cell, result
from elgeo.experiments.paper import paper_figures
from elgeo.experiments.paper_tables import claims, figure_of, table_of
from elgeo.experiments.reproduce import Column, cells, columns


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder that holds a small dataset under the name of one of the paper's."""
    folder = tmp_path / "data"
    folder.mkdir()
    save(datasets.load("cell-tiny"), folder / "yeast-iw", [])
    return folder


def runs(folder: Path) -> list[int]:
    """Process ids of trainings that write below a folder."""
    found = subprocess.run(["pgrep", "-f", f"elgeo train .* {folder}"], capture_output=True, text=True, check=False)
    return [int(each) for each in found.stdout.split()]


@pytest.mark.slow
def test_a_killed_worker_costs_its_cell_only_and_the_next_call_takes_it_up(tmp_path: Path, data: Path) -> None:
    out = tmp_path / "out"
    command = [sys.executable, "-m", "elgeo", "reproduce", "naive", "--data", str(data), "-o", str(out)]
    command += ["--quick", "--seeds", "2", "--datasets", "yeast-iw", "--json"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while not (alive := runs(out / "runs" / "yeast-iw" / "filter-quick")):
        time.sleep(0.02)
        assert process.poll() is None
    os.kill(alive[0], signal.SIGKILL)
    _, errors = process.communicate(timeout=300)
    assert process.returncode == 1
    assert "seed-0 has no result" in errors
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    assert "3 of 4 cells are done already" in done.stderr

    document = json.loads(done.stdout)
    every = cells("naive", ["yeast-iw"], 2, True)
    assert len(every) == 1 + 1 + 2
    values = [
        found["filtered"]["per_axiom"]["mean_rank"]
        for cell in every
        if cell.column == "filter-quick" and (found := result(out, cell))
    ]
    figure = document["yeast-iw"]["rows"]["filtered mean_rank per axiom"]["filter"]
    assert figure["mean"] == pytest.approx(statistics.fmean(values))
    assert figure["deviation"] == pytest.approx(statistics.stdev(values))
    assert figure["paper"] == 172.8
    assert "172.8" in (out / "naive-quick.md").read_text(encoding="utf-8")
    assert "172.8" in (out / "naive-quick.html").read_text(encoding="utf-8")


def test_statistics_need_no_training(tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reproduce", "statistics", "--data", str(data), "-o", str(tmp_path / "out"), "--json"]) == 0
    counts = json.loads(capsys.readouterr().out)["yeast-iw"]
    forms = datasets.load("cell-tiny").forms
    assert counts["normal_forms"]["GCI2"] == len(forms.existential)
    assert counts["paper"]["yeast"]["GCI2"] == 293_645


def test_every_table_has_presets_for_every_dataset() -> None:
    from elgeo.experiments.presets import preset

    for dataset in ("yeast-iw", "yeast-hf", "human-iw", "human-hf"):
        for table in ("results", "naive", "ablation", "biased-negatives", "entailed-novel"):
            for column in columns(table, dataset):
                if "--preset" in column.train:
                    preset(column.train[column.train.index("--preset") + 1])


def test_every_printed_column_of_the_paper_is_one_of_ours() -> None:
    for table in ("results", "naive", "ablation"):
        for dataset in ("yeast-iw", "yeast-hf", "human-iw", "human-hf"):
            ours = {column.paper for column in columns(table, dataset)}
            assert set(paper_figures()[table][dataset]) <= ours


def evaluation(hits: float, rank: float) -> dict[str, dict[str, dict[str, float]]]:
    metrics = {"hits@10": hits, "hits@100": hits, "mean_rank": rank, "auc": 0.5, "mrr": 0.1, "tie_width": 0.0}
    return {
        "raw": {"per_axiom": metrics, "per_class": metrics},
        "filtered": {"per_axiom": metrics, "per_class": metrics},
    }


def test_claims_weigh_changes_against_the_noise_of_seeds() -> None:
    found = {
        "a": [evaluation(0.10, 300.0), evaluation(0.12, 340.0)],
        "b": [evaluation(0.30, 310.0), evaluation(0.32, 330.0)],
    }
    named = [Column("a", "relu", ()), Column("b", "leaky-reg", ())]
    rows = table_of("results", "yeast-iw", named, found)
    sentences = claims(rows, named)
    assert sentences[0] == ("a → b, filtered hits@10: +0.200 ± 0.028 (better); in the paper +0.26 (better)")
    assert "no clear change" in sentences[2]
    assert figure_of([], None).text() == "–"


def test_changes_are_told_against_what_they_change_and_counting_has_no_noise() -> None:
    found = [evaluation(0.10, 300.0), evaluation(0.12, 340.0)]
    named = columns("ablation", "yeast-iw")
    sentences = claims(table_of("ablation", "yeast-iw", named, dict.fromkeys([c.name for c in named], found)), named)
    assert len(sentences) == 12
    assert all(sentence.startswith("relu → ablation-") for sentence in sentences)
    named = columns("naive", "yeast-iw")
    evaluations = {"naive": found[:1], "common-neighbours": found[:1], "filter": found}
    sentences = claims(table_of("naive", "yeast-iw", named, evaluations), named)
    assert sentences[0] == "naive → common-neighbours, filtered hits@10: +0.000 ± 0.000 (the same)"
    assert sentences[3].startswith("naive → filter, filtered hits@10: +0.010 ± 0.020 (no clear change); in the paper")
    assert sentences[6].startswith("common-neighbours → filter, filtered hits@10: +0.010 ± 0.020")


def test_a_cell_counts_only_with_the_options_it_was_made_with(tmp_path: Path) -> None:
    cell = Cell("cell-tiny", "naive", 0, ("--model", "naive"))
    folder = tmp_path / "runs" / cell.name
    folder.mkdir(parents=True)
    found = evaluation(0.1, 300.0)
    (folder / "evaluation.json").write_text(json.dumps(found))
    assert result(tmp_path, cell) is None
    (folder / "cell.json").write_text(json.dumps({"train": ["--model", "naive"], "evaluate": [], "seed": 0}))
    assert result(tmp_path, cell) == found
    assert result(tmp_path, Cell("cell-tiny", "naive", 0, ("--model", "naive"), ("--positives", "both"))) is None
    for damaged in (b"", b"\xff\xfe", b"[]", b"{}", b'{"raw": 1}'):
        (folder / "evaluation.json").write_bytes(damaged)
        assert result(tmp_path, cell) is None


def test_a_dataset_may_move_but_not_become_another(
    tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = ["-o", str(tmp_path / "out")]
    assert main(["reproduce", "statistics", "--data", str(data), *out]) == 0
    moved = data.rename(tmp_path / "moved")
    assert main(["reproduce", "statistics", "--data", str(moved), *out]) == 0
    save(datasets.load("cell-small"), data / "yeast-iw", [])
    capsys.readouterr()
    assert main(["reproduce", "statistics", "--data", str(data), *out]) == 2
    assert "choose another folder" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--datasets", "mouse-iw"], "no dataset is called 'mouse-iw'"),
        (["--seeds", "0"], "at least 1"),
        (["--datasets", "human-hf"], "none of human-hf is in"),
    ],
)
def test_wrong_requests_are_said_plainly(
    tmp_path: Path, data: Path, options: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["reproduce", "results", "--data", str(data), "-o", str(tmp_path / "out"), *options]) == 2
    assert complaint in capsys.readouterr().err

"""The page of a run: what it shows is what evaluation.json says, in a real browser, with nothing to complain about."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from elgeo.cli import main
from elgeo.evaluation.document import Averages, Evaluation, Measured
from elgeo.evaluation.settings import EvaluationSettings
from elgeo.models.pictures import Shape
from elgeo.report.pages.drawing import Drawn
from elgeo.report.pages.figures import shape_plot
from elgeo.report.pages.markup import Section, number, page, table
from elgeo.report.pages.page import run_page
from elgeo.report.pages.shown_run import ShownRun, gather
from tests.report.html_tables import Tables
from tests.system import program

BROWSER = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--enable-logging=stderr",
)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small run, trained and evaluated by the commands."""
    folder = tmp_path_factory.mktemp("page") / "a <b>run</b>"
    options = ["--set", "dimension=6", "--set", "batch=256", "--set", "show_rank=true", "--epochs", "4", "--quiet"]
    assert main(["train", "cell-tiny", "-o", str(folder), *options]) == 0
    assert main(["evaluate", str(folder), "--positives", "both"]) == 0
    return folder


def in_browser(path: Path) -> tuple[str, str]:
    """The page as the browser has it after loading, and what the browser said meanwhile."""
    chromium = program("chromium", "chromium")
    with tempfile.TemporaryDirectory() as profile:
        command = [chromium, *BROWSER, f"--user-data-dir={profile}", "--dump-dom", path.resolve().as_uri()]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    return done.stdout, done.stderr


def test_one_prediction_is_enough(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for top, about in (("0", True), ("1", False)):
        assert main(["report", str(tmp_path / "no-run"), "-o", str(tmp_path / "x.html"), "--top", top]) == 2
        assert ("--top has to be at least 1" in capsys.readouterr().err) == about


@pytest.mark.slow
def test_the_browser_shows_what_the_evaluation_says(run: Path, tmp_path: Path) -> None:
    target = tmp_path / "page.html"
    assert main(["report", str(run), "-o", str(target), "--top", "3"]) == 0
    dom, said = in_browser(target)
    assert "CONSOLE" not in said, said
    tables = Tables()
    tables.feed(dom)
    evaluation = json.loads((run / "evaluation.json").read_text(encoding="utf-8"))
    for setting in ("filtered", "raw"):
        for average in ("per_axiom", "per_class"):
            caption = next(
                c for c in tables.found if c.startswith(f"{setting.capitalize()}, {average.replace('_', ' ')}")
            )
            rows = {row[0]: row[1:] for row in tables.found[caption]}
            assert rows[f"{run.name} (elem)"] == [number(v).text for v in evaluation[setting][average].values()]
            for name, beside in evaluation["beside"].items():
                assert rows[name] == [number(v).text for v in beside[setting][average].values()]
    truth = tables.found[f"{run.name}: share of axioms that are true in the geometric model"]
    shares = dict(zip(truth[0][1:], truth[1][1:], strict=True))
    assert shares == {form: number(evaluation["faithfulness"][form]).text for form in shares}
    assert len(tables.found[f"{run.name}: the best axioms that are missing"]) == 1 + 3
    for verdict in evaluation["verdicts"]:
        assert verdict in dom
    assert dom.count("<svg") >= 6


@pytest.mark.slow
def test_the_page_stands_alone(run: Path, tmp_path: Path) -> None:
    target = tmp_path / "page.html"
    assert main(["report", str(run), str(run), "-o", str(target)]) == 0
    text = target.read_text(encoding="utf-8")
    assert "<script" not in text
    assert not re.findall(r'(?:src|href)="(?!#|data:)[^"]*"', text), "the page asks for another file"
    assert not re.findall(r"url\((?!#)", text)
    assert "<b>run</b>" not in text, "a name from data is not escaped"


def test_numbers_read_well() -> None:
    assert [number(v).text for v in (None, float("nan"), 3, 3.0, 0.12345, 12.345, 1234.56)] == [
        "–", "–", "3", "3", "0.1235", "12.35", "1,234.6",
    ]  # fmt: skip


def test_markup_escapes_everything() -> None:
    text = page("<i>", "a & b", [Section("<u>", table("<c>", ["<h>"], [["<x>"]]))])
    for tag in ("<i>", "<u>", "<c>", "<h>", "<x>"):
        assert tag not in text


def test_a_folder_that_is_no_run_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(tmp_path), "-o", str(tmp_path / "page.html")]) == 2
    assert "run.toml" in capsys.readouterr().err
    assert not (tmp_path / "page.html").exists()


@pytest.mark.slow
def test_a_line_of_an_epoch_that_was_cut_off_is_left_out(run: Path, tmp_path: Path) -> None:
    copy = tmp_path / "cut"
    shutil.copytree(run, copy)
    lines = (copy / "metrics.jsonl").read_bytes()
    (copy / "metrics.jsonl").write_bytes(lines[:-40])
    assert main(["report", str(copy), "-o", str(tmp_path / "page.html")]) == 0
    assert len(gather(copy, "cut", top=0).history) == 3


@pytest.mark.slow
def test_runs_are_told_apart_by_their_folders(run: Path, tmp_path: Path) -> None:
    folders = [tmp_path / "relu" / "seed-0", tmp_path / "leaky" / "seed-0"]
    for dimension, folder in zip((4, 6), folders, strict=True):
        assert main(["train", "family", "-o", str(folder), "--set", f"dimension={dimension}", "--epochs", "1"]) == 0
    both = [str(folder) for folder in folders]
    assert main(["report", *both, str(run), both[0], "-o", str(tmp_path / "page.html")]) == 0
    tables = Tables()
    tables.feed((tmp_path / "page.html").read_text())
    settings = tables.found["Every setting; those that differ are in bold"]
    names = ["relu/seed-0 (1)", "leaky/seed-0", run.name, "relu/seed-0 (2)"]
    assert settings[0][1:] == names
    assert next(row for row in settings if row[0] == "settings.elem.dimension")[1:] == ["4", "6", "6", "4"]


def shown(name: str, mrr: float) -> ShownRun:
    averages = Averages({"mrr": mrr}, {"mrr": mrr})
    measured = Measured(1, averages, averages)
    evaluation = Evaluation("elem", "small", EvaluationSettings(), 9, measured, beside={"naive": measured})
    return ShownRun(name, {}, evaluation=evaluation)


def test_baselines_of_another_dataset_stand_apart() -> None:
    tables = Tables()
    tables.feed(run_page([shown("a", 0.5), shown("b", 0.5), shown("c", 0.25)]))
    rows = [[cell.strip() for cell in row] for row in tables.found["Raw, per axiom [the paper's macro]"]]
    assert rows[4:] == [
        ["naive, beside a", "0.5000"],
        ["naive, beside b", "0.5000"],
        ["naive, beside c", "0.2500"],
    ]
    tables = Tables()
    tables.feed(run_page([shown("a", 0.5), shown("b", 0.5)]))
    rows = [[cell.strip() for cell in row] for row in tables.found["Raw, per axiom [the paper's macro]"]]
    assert rows[3:] == [["naive", "0.5000"]]


@pytest.mark.slow
def test_only_settings_that_the_model_has_are_listed(run: Path, tmp_path: Path) -> None:
    assert main(["train", "family", "-o", str(tmp_path / "atlas"), "--quiet"]) == 0
    fitted = gather(tmp_path / "atlas", "atlas", top=1)
    assert set(fitted.settings["settings"]) == {"seed", "threads", "atlas"}
    assert set(fitted.settings["result"]) == {"seconds"}
    trained = gather(run, "elem", top=1).settings
    assert {"epochs", "learning_rate", "negatives", "elem"} <= set(trained["settings"])
    assert {"best_epoch", "epochs", "seconds"} <= set(trained["result"])


def test_names_in_plots_are_shown_as_they_are_and_ids_are_unique() -> None:
    picture = [
        Drawn(r"costs $\nothing$", "a", Shape(0, 0, 1, 1, True), 0),
        Drawn("_x", "b", Shape(0, 0, 2, 2, False), 1),
    ]
    plots = [shape_plot(picture, title) for title in ("one", "two")]
    assert r"costs $\nothing$" in plots[0]
    ids = re.findall(r'\bid="([^"]+)"', "".join(plots))
    assert len(ids) == len(set(ids))

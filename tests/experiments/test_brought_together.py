"""Results that are there brought together in tables, pages and presets; which of many experiments are run."""

from __future__ import annotations

import csv
import json
import statistics
import tomllib
from pathlib import Path

import optuna
import pytest

from elgeo import datasets
from elgeo.cli import main
from elgeo.datasets.folder import save
from elgeo.errors import SettingError
from elgeo.evaluation.document import Averages, Evaluation, Measured, Roc
from elgeo.evaluation.settings import EvaluationSettings
from elgeo.experiments.experiment import IDENTITY, Experiment, result, run_experiments
from elgeo.experiments.paper_tables import ROWS, Figure, claims, figure_of, markdown
from elgeo.experiments.reproduce import FRACTIONS, Column, columns, experiments
from elgeo.experiments.space import Choice, Range, Space
from elgeo.experiments.sweep import base_settings, best_trial, write_results
from tests.report.html_tables import Tables


def evaluation(number: float) -> Evaluation:
    """Every metric another number, so that none can stand in another's place."""
    names = ("hits@10", "hits@100", "mean_rank", "auc", "mrr", "tie_width")
    sides = [
        Averages(
            {name: number + i + 10 * side for i, name in enumerate(names)},
            {name: number + i + 10 * side + 5 for i, name in enumerate(names)},
        )
        for side in range(2)
    ]
    curves = {
        f"elem, {kind}": Roc([0.0, 0.5, 1.0], [0.0, number / 100, 1.0])
        for kind in ("raw", "filtered", "entailed", "novel")
    }
    return Evaluation("elem", "small", EvaluationSettings(), 9, Measured(1, *sides), curves=curves)


def keep(folder: Path, experiment: Experiment, found: Evaluation) -> None:
    place = folder / "runs" / experiment.name
    place.mkdir(parents=True)
    (place / IDENTITY).write_text(json.dumps(experiment.identity))
    (place / "evaluation.json").write_text(json.dumps(found.to_dict()))


@pytest.mark.slow
@pytest.mark.parametrize("table", ["naive", "biased-negatives", "entailed-novel"])
def test_a_table_of_results_that_are_there(table: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All experiments are done: the command reads them, and trains nothing."""
    out = tmp_path / "out"
    save(datasets.load("cell-tiny"), tmp_path / "data" / "yeast-iw", [])
    every = experiments(table, ["yeast-iw"], 2, True)
    numbers = {each.name: 20.0 + 3 * i + i * i for i, each in enumerate(every)}
    for each in every:
        keep(out, each, evaluation(numbers[each.name]))
    options = ["--quick", "--seeds", "2", "--datasets", "yeast-iw", "--json"]
    assert main(["reproduce", table, "--data", str(tmp_path / "data"), "-o", str(out), *options]) == 0
    captured = capsys.readouterr()
    assert f"{len(every)} of {len(every)} experiments are done already" in captured.err
    document = json.loads(captured.out)["yeast-iw"]
    page = Tables()
    page.feed((out / f"{table}-quick.html").read_text(encoding="utf-8"))
    (shown,) = (rows for caption, rows in page.found.items() if "mean over seeds" in caption)
    text = (out / f"{table}-quick.md").read_text(encoding="utf-8")
    named = columns(table, "yeast-iw")
    assert shown[0] == ["", *(column.name for column in named)]
    for place, (setting, average, metric) in enumerate(ROWS):
        name = f"{setting} {metric} {average.replace('_', ' ')}"
        assert shown[1 + place][0] == name
        for j, column in enumerate(named):
            mine = [e for e in every if e.column.removesuffix("-quick").removesuffix("-both") == column.name]
            assert len(mine) == (1 if column.is_counted else 2)
            values = [getattr(getattr(evaluation(numbers[e.name]).test, setting), average)[metric] for e in mine]
            figure = document["rows"][name][column.name]
            assert figure["mean"] == pytest.approx(statistics.fmean(values))
            assert figure["seeds"] == len(values)
            assert figure["deviation"] == (pytest.approx(statistics.stdev(values)) if len(values) > 1 else None)
            written = Figure(figure["mean"], figure["deviation"], figure["seeds"], figure["paper"]).text()
            assert shown[1 + place][1 + j] == written
            assert f"| {written} |" in text
    html = (out / f"{table}-quick.html").read_text(encoding="utf-8")
    pictures = html.count("<svg")
    assert pictures == (3 if table == "biased-negatives" else 1)
    for column in named:
        wanted = ("entailed", "novel") if table == "entailed-novel" else ("filtered",)
        assert all(f"{column.name}, {kind}" in html for kind in wanted)
        assert f"{column.name}, raw" not in html
    for sentence in document["claims"]:
        assert f"- {sentence}" in text


def test_figures_in_words() -> None:
    assert Figure(0.28712, 0.0041, 3, 0.29).text() == "0.287 ± 0.004 (paper 0.290, -0.003)"
    assert Figure(10.04, 2.25, 2, 172.8).text() == "10.0 ± 2.2 (paper 172.8, -162.8)"
    assert Figure(9.9996, None, 1, None).text() == "10.000"
    assert Figure(10.0, None, 1, 9.25).text() == "10.0 (paper 9.2, +0.8)"
    assert Figure(-10.0, 0.25, 3, None).text() == "-10.0 ± 0.2"
    assert Figure(-12.0, None, 1, -10.0).text() == "-12.0 (paper -10.0, -2.0)"
    assert Figure(None, None, 0, 0.5).text() == "–"
    assert Figure(None, None, 0, 0.5).difference is None
    assert Figure(0.5, None, 1, None).difference is None
    assert figure_of([1.0, 2.0, 6.0], 4.0) == Figure(3.0, statistics.stdev([1, 2, 6]), 3, 4.0)
    assert figure_of([2.5], None) == Figure(2.5, None, 1, None)
    assert figure_of([], 4.0) == Figure(None, None, 0, 4.0)
    named = [Column("a", None, {}), Column("b", None, {})]
    rows = {"x": {"a": Figure(1.0, None, 1, None), "b": Figure(None, None, 0, None)}}
    assert markdown("t", rows, named) == "## t\n\n| | a | b |\n|---|---|---|\n| x | 1.000 | – |\n"


def test_changes_beyond_twice_their_noise_are_clear() -> None:
    """Standard errors of two means over seeds: √(0.04²/4 + 0.03²/9) = 0.0224, twice that is 0.045."""
    named = [Column("a", None, {}), Column("b", None, {})]

    def sentences(change: float, seeds: int = 4) -> list[str]:
        old, new = Figure(0.5, 0.04 if seeds > 1 else None, seeds, 0.2), Figure(0.5 + change, 0.03, 9, 0.2)
        empty = Figure(None, None, 0, None)
        rows = {f"filtered {metric} per axiom": {"a": old, "b": new} for metric in ("hits@10", "mean_rank")}
        return claims({**rows, "filtered hits@100 per axiom": {"a": old, "b": empty}}, named)

    assert sentences(0.046) == [
        "a → b, filtered hits@10: +0.046 ± 0.045 (better); in the paper +0.00 (the same)",
        "a → b, filtered mean_rank: +0.046 ± 0.045 (worse); in the paper +0.00 (the same)",
    ]
    assert "(no clear change)" in sentences(-0.044)[0]
    assert "(worse)" in sentences(-0.046)[0]
    assert "-0.500 (worse; one seed, so nothing is known of the noise)" in sentences(-0.5, 1)[0]


def test_each_column_is_compared_with_the_one_before_it_unless_it_names_others() -> None:
    """Two means over eight seeds, each with 0.5²/8 = 1/32: twice their standard error is 2 · √(1/16) = 0.5."""
    named = [Column(name, None, {}) for name in "abc"]
    named += [Column("d", None, {}, ("a", "c")), Column("e", None, {}, ()), Column("f", None, {})]
    means = {"a": 0.25, "b": 0.75, "c": 1.375, "d": 0.5, "e": 3.0, "f": -4.0}
    figures = {name: Figure(mean, 0.5, 8, None) for name, mean in means.items()}
    rows = {f"filtered {metric} per axiom": figures for metric in ("hits@10", "hits@100", "mean_rank")}
    found = claims(rows, named)
    pairs = [("a", "b"), ("b", "c"), ("a", "d"), ("c", "d"), ("e", "f")]
    words = ["no clear change", "better", "no clear change", "worse", "worse"]
    assert found[::3] == [
        f"{before} → {after}, filtered hits@10: {means[after] - means[before]:+.3f} ± 0.500 ({word})"
        for (before, after), word in zip(pairs, words, strict=True)
    ]
    assert len(found) == 3 * len(pairs)


def test_only_experiments_without_a_result_are_run_and_a_failure_costs_itself_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    every = [Experiment("cell-tiny", f"c{i}", 0, {"model": "naive"}) for i in range(4)]
    keep(tmp_path, every[0], evaluation(1))
    asked, said = list[list[str]](), list[str]()

    def process(command: list[str], workers: int, handle: int | None) -> str | None:
        asked.append(command)
        run = Path(command[3])
        run.mkdir(parents=True, exist_ok=True)
        if "c2" in str(run):
            return "it broke"
        (run / "evaluation.json").write_text(json.dumps(evaluation(5).to_dict()))
        return None

    monkeypatch.setattr("elgeo.experiments.experiment._process", process)
    errors = run_experiments(every, tmp_path / "data", tmp_path, 1, said.append)
    assert errors == {"cell-tiny/c2/seed-0": "it broke"}
    assert said == [
        "1 of 4 experiments are done already", "2 of 4: cell-tiny/c1/seed-0",
        "3 of 4: cell-tiny/c2/seed-0 failed: it broke", "4 of 4: cell-tiny/c3/seed-0",
    ]  # fmt: skip
    for command in asked:  # evaluated if training has succeeded: cli/test_main.py
        evaluate = command.index("&&") + 1
        assert (command[0], command[evaluate], command[evaluate + 1]) == ("train", "evaluate", command[3])
    assert [Path(command[3]).parent.name for command in asked] == ["c1", "c2", "c3"]
    assert [result(tmp_path, each) is not None for each in every] == [True, True, False, True]
    said.clear()
    assert set(run_experiments(every, tmp_path / "data", tmp_path, 1, said.append)) == {"cell-tiny/c2/seed-0"}
    assert said[0] == "3 of 4 experiments are done already"
    for each in every:
        if result(tmp_path, each) is None:
            keep(tmp_path / "other", each, evaluation(2))
    assert run_experiments(every[:2], tmp_path / "data", tmp_path, 1, said.append) == {}
    said.clear()
    assert run_experiments(every[:1], tmp_path / "data", tmp_path / "new", 1, said.append) == {}
    assert said == ["1 of 1: cell-tiny/c0/seed-0"]


def test_the_best_trial_becomes_a_preset_and_all_a_table(tmp_path: Path) -> None:
    study = optuna.create_study(study_name="s", direction="maximize")
    kinds: dict[str, optuna.distributions.BaseDistribution] = {"dimension": optuna.distributions.IntDistribution(1, 99)}
    complete, pruned = optuna.trial.TrialState.COMPLETE, optuna.trial.TrialState.PRUNED
    trials: list[tuple[int, float | None]] = [(3, 0.25), (8, 0.5), (9, 0.5), (7, None), (2, 0.75)]
    for dimension, value in trials:
        state = complete if value is not None and dimension > 2 else pruned  # the last was good when it was stopped
        study.add_trial(
            optuna.create_trial(params={"dimension": dimension}, distributions=kinds, value=value, state=state)
        )
    best = best_trial(study)
    assert best is not None
    assert best.number == 1, "the earliest of equals"
    space = Space({"dimension": Choice((3, 8, 9, 7, 2))}, {"epochs": 6})
    summary = write_results(study, space, tmp_path)
    assert summary == {
        "study": "s", "trials": 5, "of": 5,
        "best": {"trial": 1, "valid_mrr": 0.5, "settings": {"epochs": 6, "dimension": 8}},
    }  # fmt: skip
    assert tomllib.loads((tmp_path / "best.toml").read_text()) == {"epochs": 6, "dimension": 8}
    assert json.loads((tmp_path / "summary.json").read_text()) == summary
    with (tmp_path / "trials.tsv").open() as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    assert [(row["trial"], row["dimension"], row["valid_mrr"]) for row in rows] == [
        ("1", "8", "0.5"), ("2", "9", "0.5"), ("0", "3", "0.25"), ("3", "7", ""), ("4", "2", ""),
    ]  # fmt: skip
    nothing = optuna.create_study(direction="maximize")
    assert best_trial(nothing) is None
    assert write_results(nothing, space, tmp_path / "sweep")["best"] is None


@pytest.mark.parametrize(
    ("domain", "message"),
    [
        (Range(2.5, 8.0), "dimension has to be a whole number"),
        (Choice((4, 0)), "dimension"),
        (Range(0, 8, whole=True), "dimension"),
    ],
)
def test_a_space_that_settings_cannot_have_is_refused(domain: Choice | Range, message: str) -> None:
    fine = Space({"dimension": Range(2, 8, whole=True)}, {"epochs": 6}, "random", 3)
    assert base_settings(fine).training.epochs == 6
    with pytest.raises(SettingError, match=message):
        base_settings(Space({"dimension": domain}, {"epochs": 6}, "random", 3))


def test_fractions_of_the_biased_table_are_its_columns() -> None:
    assert [column.name for column in columns("biased-negatives", "yeast-iw")] == [f"biased-{p:g}" for p in FRACTIONS]

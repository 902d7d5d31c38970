"""`elgeo reproduce` on a small dataset: all cells, a killed worker, and figures that are what the cells found."""

from __future__ import annotations

import json
import os
import signal
import statistics
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from threading import Event, Thread

import pytest

from elgeo import datasets
from elgeo.cli import main
from elgeo.datasets.folder import save
from elgeo.errors import ElgeoError, SettingError
from elgeo.evaluation.document import Averages, Evaluation, Measured
from elgeo.evaluation.settings import EvaluationSettings
from elgeo.experiments.experiment import IDENTITY, Experiment, commands, result, run_experiments
from elgeo.experiments.models_table import line_of, models_text
from elgeo.experiments.others import PUBLISHED
from elgeo.experiments.paper import paper_figures
from elgeo.experiments.paper_tables import claims, figure_of, table_of
from elgeo.experiments.presets import settings_from
from elgeo.experiments.published import published, published_text
from elgeo.experiments.reproduce import BUDGET, QUICK, Budget, Column, columns, experiments, of_column
from elgeo.files import held
from elgeo.models import Baseline, Model, find, names
from elgeo.training.folder.record import Record, TrainedOn, write_record
from tests.forked import executable


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder that holds a small dataset under the name of one of the paper's."""
    folder = tmp_path / "data"
    folder.mkdir()
    save(datasets.load("cell-tiny"), folder / "yeast-iw", [])
    return folder


def runs(folder: Path) -> list[int]:
    """Process ids of trainings that write below a folder."""
    found = subprocess.run(["pgrep", "-f", f"elgeo.* train .* {folder}"], capture_output=True, text=True, check=False)
    return [int(each) for each in found.stdout.split()]


def kill_first(folder: Path, given_up: Event) -> None:
    """Kill the first training that writes below a folder, as soon as there is one."""
    while not given_up.wait(0.05):
        if alive := runs(folder):
            os.kill(alive[0], signal.SIGKILL)
            return


@pytest.mark.slow
def test_a_killed_worker_costs_its_cell_only_and_the_next_call_takes_it_up(
    tmp_path: Path, data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "executable", executable())
    out = tmp_path / "out"
    command = ["reproduce", "naive", "--data", str(data), "-o", str(out)]
    command += ["--quick", "--seeds", "2", "--datasets", "yeast-iw", "--json"]
    given_up = Event()
    killer = Thread(target=kill_first, args=(out / "runs" / "yeast-iw" / "filter-quick", given_up))
    killer.start()
    code = main(command)
    given_up.set()
    killer.join()
    assert code == 1
    assert "seed-0 has no result" in capsys.readouterr().err
    assert main(command) == 0
    done = capsys.readouterr()
    assert "3 of 4 experiments are done already" in done.err

    document = json.loads(done.out)
    every = experiments("naive", ["yeast-iw"], 2, True)
    assert len(every) == 1 + 1 + 2
    values = [
        found.test.filtered.per_axiom["mean_rank"]
        for each in every
        if each.column == "filter-quick" and (found := result(out, each))
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
                if "preset" in column.train:
                    preset(str(column.train["preset"]))


def test_every_printed_column_of_the_paper_is_one_of_ours() -> None:
    for table in ("results", "naive", "ablation"):
        for dataset in ("yeast-iw", "yeast-hf", "human-iw", "human-hf"):
            ours = {column.paper for column in columns(table, dataset)}
            assert set(paper_figures()[table][dataset]) <= ours


def evaluation(hits: float, rank: float) -> Evaluation:
    metrics = {"hits@10": hits, "hits@100": hits, "mean_rank": rank, "auc": 0.5, "mrr": 0.1, "tie_width": 0.0}
    averages = Averages(metrics, metrics)
    return Evaluation("elem", "small", EvaluationSettings(), 9, Measured(1, averages, averages))


def test_claims_weigh_changes_against_the_noise_of_seeds() -> None:
    found = {
        "a": [evaluation(0.10, 300.0), evaluation(0.12, 340.0)],
        "b": [evaluation(0.30, 310.0), evaluation(0.32, 330.0)],
    }
    named = [Column("a", "relu", {}), Column("b", "leaky-reg", {})]
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


@pytest.mark.slow
def test_all_models_have_one_budget_with_and_without_the_filter() -> None:
    named = columns("models", "yeast-iw")
    by_name = {column.name: column for column in named}
    assert [column.name for column in named][:3] == ["naive", "common-neighbours", "elem"]
    ours = [name for name in names() if find(name).__module__.startswith("elgeo.")]  # other tests register more
    for name in ours:
        assert by_name[name].train["model"] == name
        assert (f"{name}-random" in by_name) == issubclass(find(name), Model)
        assert by_name[name].is_counted == issubclass(find(name), Baseline)
        given = {key: value for key, value in by_name[name].train.items() if key in BUDGET}
        assert given == (BUDGET if by_name[name].is_trained else {k: v for k, v in BUDGET.items() if k in given})
        assert ("dimension" in given) == (name != "atlas" and not by_name[name].is_counted)
    assert by_name["box2el"].against == ("elbe",)
    assert by_name["box2el-random"].train["negatives"] == "random"
    for experiment in experiments("models", ["yeast-iw"], 2, quick=True):
        settings_from(experiment.train)  # every model takes its settings
        assert experiment.evaluate == {"positives": "both"}


def test_a_budget_names_models_and_settings_that_there_are() -> None:
    budget = Budget(("elbe", "dl2vec", "naive"), {"dimension": 4, "epochs": 2})
    assert {column.name: dict(column.train) for column in columns("models", "x", budget)} == {
        "elbe": {"model": "elbe", "dimension": 4, "epochs": 2},
        "elbe-random": {"model": "elbe", "dimension": 4, "epochs": 2, "negatives": "random"},
        "dl2vec": {"model": "dl2vec", "dimension": 4},
        "naive": {"model": "naive"},
    }
    assert {column.name: column.against for column in columns("models", "x", budget)} == {
        "elbe": ("naive",),
        "elbe-random": ("elbe",),
        "dl2vec": ("naive",),
        "naive": (),
    }
    with pytest.raises(SettingError, match="epoch"):
        Budget(("elbe",), {"epohcs": 2})
    with pytest.raises(SettingError, match="margin"):
        Budget(("dl2vec",), {"margin": 2})
    assert [dict(column.train) for column in Budget(("dl2vec",)).columns()] == [{"model": "dl2vec", "dimension": 100}]
    with pytest.raises(SettingError, match="elbee"):
        Budget(("elbee",))
    with pytest.raises(SettingError, match="seed is not part of the budget: --seeds says how many"):
        Budget(("elbe",), {"seed": 2})


@pytest.mark.parametrize(
    ("models", "pairs"),
    [
        ("elbe,box2el", "elbe-elbe-random elbe-box2el box2el-box2el-random"),
        ("box2el,transe", "box2el-box2el-random transe-transe-random"),
        ("box2el,naive", "naive-box2el box2el-box2el-random"),
        ("dl2vec,common-neighbours,naive", "naive-dl2vec naive-common-neighbours"),
        ("nearest-names,common-neighbours,dl2vec", "common-neighbours-nearest-names common-neighbours-dl2vec"),
        ("naive,elem,elbe", "naive-elem elem-elem-random elem-elbe elbe-elbe-random"),
        ("dl2vec", ""),
    ],
)
def test_no_model_is_compared_with_itself_whichever_are_asked_for(models: str, pairs: str) -> None:
    named = columns("models", "x", Budget(tuple(models.split(","))))
    hits = {column.name: 0.1 * place for place, column in enumerate(named)}
    found = {name: [evaluation(value, 300.0)] for name, value in hits.items()}
    sentences = [text for text in claims(table_of("models", "x", named, found), named) if "hits@10:" in text]
    compared = [text.split(",")[0].split(" → ") for text in sentences]
    assert ["-".join(pair) for pair in compared] == pairs.split()
    for (before, after), text in zip(compared, sentences, strict=True):
        assert f"hits@10: {hits[after] - hits[before]:+.3f}" in text


@pytest.mark.slow
def test_what_is_named_twice_is_trained_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["reproduce", "models", "--data", str(tmp_path), "-o", str(tmp_path / "out"), "--seeds", "1"]
    assert main([*command, "--datasets", "family,family", "--models", "naive,naive", "--workers", "2"]) == 0
    said = capsys.readouterr()
    assert "1 of 1: family/naive-both/seed-0" in said.err
    assert said.out.count("## models, family") == said.out.count("| naive |") == 1


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (
            ["--datasets", "famly"],
            "no dataset is called 'famly'; there are yeast-iw, yeast-hf, human-iw, human-hf, cell,",
        ),
        (["--datasets", "family", "--models", " ,"], "--models names none"),
        (["--datasets", " ,"], "--datasets names none"),
        (["--datasets", "family", "--set", "dimension=-1"], "dimension has to be at least 2, not -1"),
        (["--datasets", "family", "--models", "naive,elem", "--set", "epochs=-1"], "epochs"),
    ],
)
def test_wrong_requests_for_the_table_of_models_are_said_plainly(
    tmp_path: Path, options: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["reproduce", "models", "--data", str(tmp_path), "-o", str(tmp_path / "out"), *options]) == 2
    assert complaint in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_the_table_of_models_is_made_and_taken_up_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["reproduce", "models", "--data", str(tmp_path), "-o", str(tmp_path / "out"), "--datasets", "family"]
    command += ["--models", "naive,dl2vec", "--seeds", "1", "--set", "passes=2", "--set", "dimension=4"]
    assert main(command) == 0
    first = capsys.readouterr()
    rows = [line.split(" | ")[0].strip("| ") for line in first.out.splitlines() if line.startswith("| ")]
    assert rows[1:] == ["naive", "dl2vec"]
    assert "2 of 2" in first.err
    assert main(command) == 0
    again = capsys.readouterr()
    assert "2 of 2 experiments are done already" in again.err
    assert again.out == first.out
    assert main([*command, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)["family"]
    assert set(document) == {"rows", "claims", "published"}
    assert main(["reproduce", "results", "--data", str(tmp_path), "-o", str(tmp_path / "x"), "--models", "elbe"]) == 2


@pytest.mark.parametrize("more", [["--models", "elbe"], ["--set", "dimension=3"]], ids=str)
def test_what_is_about_the_table_of_models_is_refused_elsewhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], more: list[str]
) -> None:
    assert main(["reproduce", "results", "--data", str(tmp_path), "-o", str(tmp_path / "x"), *more]) == 2
    assert "--models and --set are about the table `models`: leave them out of results" in capsys.readouterr().err


def test_a_line_of_the_table_of_models_has_means_over_seeds_and_published_figures_stand_beside() -> None:
    measured = evaluation(0.3, 20.0).test
    found = [
        replace(
            evaluation(0.1 * seed, 300.0),
            apart={"novel": measured},
            faithfulness={"asserted": {"GCI0": 1.0, "GCI2": 0.5, "GCI1": float("nan")}},
        )
        for seed in (1, 2)
    ]
    line = line_of(found)
    assert line["hits@10"].mean == pytest.approx(0.15)
    assert line["asserted true"].mean == 0.75
    assert line["entailed mrr"].mean is None
    text = models_text(
        "models, x", [Column("elem", None, {"model": "elem"}), Column("naive", None, {})], {"elem": found}
    )
    assert text.splitlines()[4].startswith("| elem | 0.150 ± 0.071 |")
    assert text.splitlines()[5].startswith("| naive | – |")
    tables = published("yeast-iw")
    assert {table["figures"]["box2el"][0] for table in tables} == {0.435, 0.33}
    assert "| box2el | 0.33 | 0.87 | – | 118 | 0.98 |" in published_text("yeast-iw")
    assert "ranks the head" in published_text("GALEN")
    assert published_text("my-own") == ""


def test_a_result_counts_only_with_the_settings_it_was_made_with(tmp_path: Path) -> None:
    experiment = Experiment("cell-tiny", "naive", 0, {"model": "naive"})
    folder = tmp_path / "runs" / experiment.name
    folder.mkdir(parents=True)
    document = json.dumps(evaluation(0.1, 300.0).to_dict())
    (folder / "evaluation.json").write_text(document)
    assert result(tmp_path, experiment) is None
    (folder / IDENTITY).write_text(json.dumps({"train": {"model": "naive"}, "evaluate": {}, "seed": 0}))
    found = result(tmp_path, experiment)
    assert found is not None
    assert found.test.raw.per_axiom["hits@10"] == 0.1
    for other in (
        Experiment("cell-tiny", "naive", 0, {"model": "naive"}, {"positives": "both"}),
        Experiment("cell-tiny", "naive", 0, {"model": "elem"}),
    ):
        assert result(tmp_path, other) is None
    for damaged in (b"", b"\xff\xfe", b"[]", b"{}", b'{"raw": 1}', document[:-9].encode()):
        (folder / "evaluation.json").write_bytes(damaged)
        assert result(tmp_path, experiment) is None


@pytest.mark.slow
def test_a_run_that_was_begun_with_other_settings_is_not_gone_on_with(tmp_path: Path) -> None:
    begun = Experiment("cell-tiny", "elem", 3, {"model": "elem", "epochs": 7, "margin": 0.25})
    run = tmp_path / "runs" / begun.name
    run.mkdir(parents=True)
    settings = settings_from({**begun.train, "seed": 3}).changed({"batch": 19})
    write_record(run, Record(settings, TrainedOn("cell-tiny", "0")))
    for changed, complaint in (({"epochs": 8}, "epochs=7, not 8"), ({"margin": 0.5}, "margin=0.25, not 0.5")):
        other = replace(begun, train={**begun.train, **changed})
        with pytest.raises(ElgeoError, match=f"trained with {complaint}: choose another folder"):
            run_experiments([other], tmp_path, tmp_path, 1, print)
    errors = run_experiments([begun], tmp_path, tmp_path, 1, print)
    assert "has changed since" in errors[begun.name] or "another dataset" in errors[begun.name]


def test_settings_become_commands_only_to_be_run(tmp_path: Path) -> None:
    experiment = Experiment("d", "c", 3, {"preset": "yeast-iw/filter", "epochs": 60}, {"positives": "both"})
    train, evaluate = commands(experiment, "data", tmp_path / "run")
    assert train == [
        "train", "data", "-o", str(tmp_path / "run"), "--quiet",
        "--preset", "yeast-iw/filter", "--set", "epochs=60", "--set", "seed=3",
    ]  # fmt: skip
    assert evaluate == ["evaluate", str(tmp_path / "run"), "--dataset", "data", "--positives", "both"]
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "run.toml").write_text("")
    assert commands(experiment, "data", tmp_path / "run")[0][-2:] == ["--quiet", "--resume"]


def test_experiments_of_a_column() -> None:
    column = columns("entailed-novel", "yeast-hf")[2]
    found = of_column("entailed-novel", "yeast-hf", column, 2, True)
    assert [each.name for each in found] == ["yeast-hf/filter-both-quick/seed-0", "yeast-hf/filter-both-quick/seed-1"]
    assert found[0].evaluate == {"positives": "both"}
    assert found[0].train == {"preset": "yeast-hf/filter", **QUICK}
    counted = of_column("naive", "yeast-hf", columns("naive", "yeast-hf")[0], 3, True)
    assert [(each.name, dict(each.train)) for each in counted] == [("yeast-hf/naive/seed-0", {"model": "naive"})]
    biased = experiments("biased-negatives", ["yeast-iw"], 1, False)
    assert biased[1].train == {"preset": "yeast-iw/losses", "negatives": "biased(0.25)"}


def test_a_folder_that_cannot_be_is_not_called_at_work(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ElgeoError, match="is a file: choose another name for the folder"):
        run_experiments([Experiment("d", "c", 0, {})], tmp_path, tmp_path / "file", 1, print)
    with held(tmp_path / "out", "a test"), pytest.raises(ElgeoError, match="something is at work in"):
        run_experiments([Experiment("d", "c", 0, {})], tmp_path, tmp_path / "out", 1, print)


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


def test_published_settings_are_those_of_their_papers() -> None:
    """Box models: 5,000 steps in looks of 100, dimension 200, batches of 512 (TransBox 1,024)."""
    for name, changes in PUBLISHED.items():
        model = name.split("/")[0]
        assert changes["model"] == model
        if model in ("elbe", "box2el", "transbox"):
            assert (changes["dimension"], changes["steps"]) == (200, 100)
            assert changes["batch"] == (1024 if model == "transbox" else 512)
            looks = 70 if name in ("box2el/anatomy-prediction", "box2el/anatomy-deduction") else 50
            assert changes["epochs"] == looks
            assert changes["stop_patience"] == 0
        elif model == "emelpp":
            assert (changes["batch"], changes["epochs"]) == (256, 1000)
    walked = {name: settings_from(changes).own for name, changes in PUBLISHED.items() if "2vec" in name}
    sizes = {name: (own.dimension, own.window, own.negatives, own.passes) for name, own in walked.items()}
    # OWL2Vec*: 100 numbers, window 5, 25 words of noise, 10 passes; the survey 50 numbers. DL2Vec: window 10, 30 passes
    assert sizes["owl2vec/published"] == (100, 5, 25, 10)
    assert sizes["owl2vec/survey"] == (50, 5, 5, 10)
    assert sizes["dl2vec/published"] == (100, 10, 5, 30)

"""`elgeo train` as a process: killed, interrupted, resumed; bad requests."""

from __future__ import annotations

import json
import random
import signal
import time
import warnings
from pathlib import Path

import pytest

from elgeo.cli import main
from elgeo.training.run import Run
from tests.forked import Forked, start

KILLS = 2
"""`benchmarks/killed.py` does the same twenty times."""
TRAIN = ["train", "cell-tiny", "--set", "negatives=random", "--set", "batch=64", "--set", "dimension=16",
         "--set", "checkpoint_every=3", "--set", "stop_patience=0", "--set", "threads=1", "--epochs", "60"]  # fmt: skip
END = "knows of roles is left as it begins"


def wait_for_epochs(folder: Path, count: int, process: Forked) -> None:
    """Until the run has so many epochs in its diary, or has ended; the first one waits for the kernels to compile."""
    metrics = folder / "metrics.jsonl"
    deadline = time.monotonic() + 300
    while time.monotonic() < deadline:
        if process.poll() is not None or (metrics.is_file() and metrics.read_text().count("\n") >= count):
            return
        time.sleep(0.02)


def epochs_of(folder: Path) -> list[dict[str, object]]:
    lines = [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]
    return [{key: value for key, value in line.items() if key != "seconds"} for line in lines]


@pytest.mark.slow
def test_killed_at_random_moments_and_resumed_it_ends_in_the_same_bits(tmp_path: Path) -> None:
    whole, broken, said = tmp_path / "whole", tmp_path / "broken", tmp_path / "said"
    assert main([*TRAIN, "-o", str(whole)]) == 0
    chance = random.Random(4)
    for kill in range(KILLS):
        process = start(said, "elgeo", *TRAIN, "-o", str(broken), *(["--resume"] if kill else []))
        wait_for_epochs(broken, chance.randrange(1, 15) + 12 * kill, process)
        time.sleep(chance.random() * 0.05)
        process.kill()
        process.communicate()
    resumed = start(said, "elgeo", *TRAIN, "-o", str(broken), "--resume")
    out, err = resumed.communicate()
    assert resumed.returncode == 0, err
    assert out == f"{broken}\n"
    assert "going on after epoch" in err
    assert (whole / "weights.safetensors").read_bytes() == (broken / "weights.safetensors").read_bytes()
    assert epochs_of(whole) == epochs_of(broken)
    assert main([*TRAIN, "-o", str(broken), "--resume"]) == 0, "a finished run stays as it is"


@pytest.mark.slow
def test_ctrl_c_saves_and_says_how_to_go_on(tmp_path: Path) -> None:
    process = start(tmp_path / "said", "elgeo", *TRAIN, "-o", str(tmp_path / "run"))
    wait_for_epochs(tmp_path / "run", 2, process)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    assert process.returncode == 130
    assert out == ""
    assert err.splitlines()[-1].startswith("elgeo: stopped after epoch ")
    assert f"elgeo train -o {tmp_path / 'run'} --resume" in err
    assert list((tmp_path / "run" / "checkpoints").iterdir())


def test_train_prints_the_folder_and_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["train", "family", "--epochs", "2", "--set", "negatives=random", "--set", "dimension=3"]
    assert main([*arguments, "-o", str(tmp_path / "one")]) == 0
    output = capsys.readouterr()
    assert output.out == f"{tmp_path / 'one'}\n"
    assert "epoch 2/2" in output.err
    assert main([*arguments, "-o", str(tmp_path / "two"), "--json", "--quiet"]) == 0
    output = capsys.readouterr()
    assert json.loads(output.out)["epochs"] == 2
    assert output.err == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["train", "nowhere", "-o", "RUN"], "no dataset is called 'nowhere'"),
        (["train", "-o", "RUN"], "which dataset"),
        (["train", "-o", "RUN", "--resume"], "no run to resume"),
        (["train", "family", "-o", "RUN", "--model", "elemm"], "no model is called"),
        (["train", "family", "-o", "RUN", "--preset", "recomended"], "did you mean recommended"),
        (["train", "family", "-o", "RUN", "--preset", "yeast-hf/filtre"], "did you mean yeast-hf/filter or "),
        (
            ["train", "family", "-o", "RUN", "--preset", "leaky-reg"],
            "did you mean yeast-iw/leaky-reg or yeast-hf/leaky-reg",
        ),
        (
            ["train", "family", "-o", "RUN", "--preset", "mine"],
            "recommended, geometry, family, … (all ",
        ),
        (
            ["train", "family", "-o", "RUN", "--set", "xx=3"],
            "there are seed, threads, contexts, dense",
        ),
        (["train", "family", "-o", "RUN", "--set", "dimenson=3"], "did you mean dimension"),
        (["train", "family", "-o", "RUN", "--set", "dimension=many"], "dimension has to be a whole number"),
        (
            ["train", "family", "-o", "RUN", "--set", "dimension=3", "--set", "learning_rate=1e300"],
            "no longer a number",
        ),
        (["train", "family", "-o", "RUN", "--set", "dimension=3", "--set", "margin=1e39"], "no longer a number"),
        (["train", "family", "-o", "RUN", "--epochs", "0"], "epochs has to be at least 1"),
        (["train", "family", "-o", __file__], f"{__file__} is a file: choose another name"),
        (["train", "family", "-o", "/proc/run"], "cannot write to /proc/run"),
        (["train", "family", "-o", "RUN", "--model", "elem", "--preset", "recommended"], "not both"),
    ],
)
def test_bad_requests_are_one_line_and_exit_2(
    arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert main([str(tmp_path / "run") if word == "RUN" else word for word in arguments]) == 2
    output = capsys.readouterr()
    assert message in output.err
    assert output.err.count("\n") == 1
    assert output.out == ""


@pytest.mark.parametrize("more", [[], ["--seeds", "2"]])
def test_a_run_of_which_nothing_was_kept_is_begun_anew(
    more: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["train", "family", "-o", str(tmp_path), "--quiet", "--set", "dimension=3", *more]
    for _ in range(2):
        assert main([*arguments, "--set", "learning_rate=1e300"]) == 2
        assert "no longer a number" in capsys.readouterr().err
    assert main([*arguments, "--set", "marjin=1"]) == 2
    assert "did you mean margin" in capsys.readouterr().err, "no word of a run hides the mistake"
    assert main(["train", "-o", str(tmp_path), "--resume"]) == 2
    said = capsys.readouterr().err
    assert "has no checkpoint to go on with: the run begins anew" in said
    assert main([*arguments, "--epochs", "2", "--set", "margin=0.25"]) == 0
    run = Run.load(tmp_path)
    assert all(each.settings.get("margin") == 0.25 for each in (run, *run.members))
    assert len(run.members) == (2 if more else 0)
    assert main([*arguments, "--epochs", "2"]) == 2
    assert "already holds a run" in capsys.readouterr().err


def test_what_is_counted_may_follow_a_training_of_which_nothing_was_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["train", "family", "-o", str(tmp_path), "--quiet"]
    assert main([*arguments, "--set", "dimension=3", "--set", "learning_rate=1e300"]) == 2
    assert main([*arguments, "--model", "naive"]) == 0
    assert main([*arguments, "--model", "naive"]) == 2
    assert "already holds a run" in capsys.readouterr().err


@pytest.mark.parametrize("record", ["", "format = [", 'model = "elem"\n[result]\n'])
def test_what_is_damaged_or_finished_is_not_begun_anew(
    record: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "run.toml").write_text(record)
    assert main(["train", "family", "-o", str(tmp_path), "--quiet"]) == 2
    assert "already holds a run" in capsys.readouterr().err
    assert (tmp_path / "run.toml").read_text() == record


@pytest.mark.slow
@pytest.mark.parametrize("model", ["transbox", "emelpp", "elbe", "transe"])
def test_that_nothing_is_learned_of_roles_is_said(
    model: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = [f"SubClassOf(:C{i} :C{i // 2})" for i in range(1, 40)]
    about_roles = ["Declaration(ObjectProperty(:r))", "SubObjectPropertyOf(:r :s)"]
    for name, more in (("none", []), ("unused", about_roles[:1]), ("related", about_roles)):
        path, data = tmp_path / f"{name}.ofn", tmp_path / name
        path.write_text("\n".join(["Prefix(:=<http://e.org/>)", "Ontology(", *told, *more, ")"]), encoding="utf-8")
        assert main(["dataset", "split", str(path), "--axioms", "?C SubClassOf ?D", "-o", str(data)]) == 0
        capsys.readouterr()
        out = str(tmp_path / f"{name}-run")
        assert main(["train", str(data), "-o", out, "--model", model, "--epochs", "1", "--set", "dimension=2"]) == 0
        said = [line for line in capsys.readouterr().err.splitlines() if END in line]
        learned = name == "related" and model in ("transbox", "emelpp")
        assert said == ([] if learned else [f"{name} has no axiom with a role for {model}: what it {END}"])


def test_a_run_is_not_overwritten_and_keeps_its_settings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["train", "family", "-o", str(tmp_path), "--quiet", "--set", "negatives=random"]
    assert main([*arguments, "--epochs", "3"]) == 0
    assert main([*arguments, "--epochs", "3"]) == 2
    assert "already holds a run" in capsys.readouterr().err
    assert main(["train", "-o", str(tmp_path), "--resume", "--quiet", "--set", "margin=0.3"]) == 2
    assert "keeps its margin" in capsys.readouterr().err
    assert main(["train", "-o", str(tmp_path), "--resume", "--quiet", "--epochs", "5"]) == 0
    assert len(epochs_of(tmp_path)) == 5


def test_ctrl_c_while_a_command_is_still_being_loaded_is_no_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(name: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("elgeo.cli.importlib.import_module", interrupted)
    assert main(["train", "family", "-o", "x"]) == 130
    assert capsys.readouterr().err == "elgeo: interrupted\n"

"""Names of models and presets that there are not: refused before anything that trains is loaded."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from elgeo.cli import main
from elgeo.errors import SettingError
from elgeo.models.contract import REGISTRY
from elgeo.shipped import MODELS, check_model


def test_the_shipped_models_are_those_that_are_registered() -> None:
    ours = {name for name, model in REGISTRY.items() if model.__module__.startswith("elgeo.")}
    assert ours == set(MODELS)
    assert len(MODELS) == len(set(MODELS))


@pytest.mark.parametrize(
    ("command", "complaint"),
    [
        (["train", "family", "-o", "new", "--model", "atlsa"], "no model is called 'atlsa': did you mean atlas?"),
        (["run", "family", "-o", "new", "--model", "box2le"], "did you mean box2el"),
        (["train", "family", "-o", "new", "--preset", "faithfull"], "did you mean faithful?"),
        (["models", "naiv"], "did you mean naive?"),
    ],
)
def test_a_misspelt_name_loads_nothing(command: list[str], complaint: str, tmp_path: Path) -> None:
    program = "import sys; from elgeo.cli import main; code = main(sys.argv[1:]); print(code, 'torch' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program, *command], capture_output=True, text=True, cwd=tmp_path, check=True
    )
    assert done.stdout == "2 False\n"
    assert complaint in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not list(tmp_path.iterdir())


def test_names_are_looked_up_here_until_models_are_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("my-own", *MODELS, None):
        check_model(name)
    monkeypatch.delitem(sys.modules, "elgeo.models")
    for name in (*MODELS, None):
        check_model(name)
    with pytest.raises(SettingError, match="no model is called 'my-own'"):
        check_model("my-own")


@pytest.mark.slow
def test_what_is_not_trained_in_steps_does_not_load_torch(tmp_path: Path) -> None:
    for model in ("elem", "box2el", "transe"):
        train = ["train", "family", "-o", str(tmp_path / model), "--model", model, "--epochs", "1", "--quiet"]
        assert main([*train, "--set", "dimension=3"]) == 0
    program = """
import sys
from elgeo.cli import main
for command in ("train family -o run", "evaluate run", "predict run --all --top 2 --explain"):
    assert main(command.split()) == 0
for command in ("evaluate elem", "predict box2el --all --top 2", "export transe -o vectors.npz"):
    assert main(command.split()) == 0
assert "torch" not in sys.modules
from elgeo.deferred import functional, torch
assert functional.relu(torch.tensor([-1.5, 2.5])).tolist() == [0, 2.5]
assert torch.Tensor is sys.modules["torch"].Tensor
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_a_model_of_a_plugin_is_looked_for_among_those_that_are_loaded(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "from elgeo.models import Naive\n\n\nclass Mine(Naive):\n    name = 'my-own'\n", encoding="utf-8"
    )
    command = [sys.executable, "-m", "elgeo", "--plugin", "mine.py", "models", "my-own"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=True)
    assert done.stdout.startswith("my-own: ")

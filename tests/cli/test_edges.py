"""Edges of what options may be, and small parts of commands by themselves."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from elgeo.cli import demo, main, plugins, torchrun
from elgeo.cli.models import written
from elgeo.errors import SettingError
from elgeo.training.distributed.processes import PeerError

ONTOLOGY = """Prefix(:=<http://x/>) Ontology(<http://x>
SubClassOf(:A :B) SubClassOf(:B :D) SubClassOf(:A :C) SubClassOf(:C :D) SubClassOf(:A :D)
)"""


@pytest.fixture
def file(tmp_path: Path) -> str:
    (tmp_path / "o.ofn").write_text(ONTOLOGY)
    return str(tmp_path / "o.ofn")


@pytest.mark.parametrize(
    ("options", "refused"),
    [
        (["--timeout", "0"], True),
        (["--tries", "0"], True),
        (["--max-megabytes", "0"], True),
        (["--max-megabytes", "-1"], True),
        (["--timeout", "0.5", "--tries", "1", "--max-megabytes", "0.5"], False),
    ],
)
def test_limits_of_a_download(
    options: list[str], refused: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["dataset", "fetch", "yeast-iw", "-o", str(tmp_path / "d"), "--sources", str(tmp_path / "nowhere.toml")]
    assert main([*command, *options]) == 2
    said = capsys.readouterr().err
    assert ("must be above 0, and --tries at least 1" in said) == refused
    assert ("nowhere.toml" in said) == (not refused)


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_as_many_justifications_as_asked_for(file: str, limit: int, capsys: pytest.CaptureFixture[str]) -> None:
    """A ⊑ D is said, and follows by B and by C: three justifications."""
    for command in (["entails", "--all-justifications"], ["explain"]):
        assert main([command[0], file, "A SubClassOf D", *command[1:], "--limit", str(limit)]) == 0
        said = capsys.readouterr().out
        assert [f"justification {number}" in said for number in (1, 2, 3, 4)] == [
            number <= limit for number in (1, 2, 3, 4)
        ]
        assert main([command[0], file, "A SubClassOf D", *command[1:], "--limit", str(limit), "--json"]) == 0
        document = json.loads(capsys.readouterr().out)
        (answer,) = document["answers" if command[0] == "entails" else "explained"]
        assert len(answer["justifications"]) == limit
        assert "text" not in answer
        assert main([command[0], file, "A SubClassOf D", "--limit", "0"]) == 2
        assert "--limit must be at least 1" in capsys.readouterr().err


def test_that_all_is_well_is_said_where_it_was_asked(
    file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "empty.ofn").write_text(ONTOLOGY.replace(")\n)", ") SubClassOf(:N owl:Nothing)\n)"))
    well = "every class can have instances"
    for path, asked, said in (
        (file, ["--unsatisfiable"], True),
        (file, ["A SubClassOf D"], False),
        (file, ["A SubClassOf D", "--unsatisfiable"], False),
        (str(tmp_path / "empty.ofn"), ["--unsatisfiable"], False),
    ):
        assert main(["explain", path, *asked]) == 0
        assert (well in capsys.readouterr().err) == said, asked


@pytest.mark.slow
def test_each_consequence_of_a_difference_follows_from_the_side_that_has_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, more in (("old", "SubClassOf(:B :C)"), ("new", "SubClassOf(:B :D)")):
        both = "SubClassOf(:A :B) Declaration(Class(:C)) Declaration(Class(:D))"
        (tmp_path / name).write_text(f"Prefix(:=<http://x/>) Ontology({both} {more})")
    files = [str(tmp_path / "old"), str(tmp_path / "new")]
    assert main(["diff", *files, "--all", "--explain", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["consequences"]
    for side, top in (("went", "C"), ("came", "D")):
        reasons = {each["axiom"]: each["follows_from"] for each in found[side]}
        (of_a,) = [why for axiom, why in reasons.items() if "/A>" in axiom]
        assert len(of_a) == 2
        assert any(f"/{top}>" in axiom for axiom in of_a)
    assert main(["diff", *files, "--all", "--json"]) == 0
    assert all(isinstance(each, str) for each in json.loads(capsys.readouterr().out)["consequences"]["came"])


def test_of_several_processes_one_tells_of_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a lost peer the first process tells, of anything else whoever counts it first: here nobody can be asked."""
    for name in ("RANK", "WORLD_SIZE", "MASTER_ADDR"):
        monkeypatch.delenv(name, raising=False)
    lost, wrong = PeerError("gone"), SettingError("wrong")
    assert torchrun.is_mine_to_say(lost)
    monkeypatch.setenv("WORLD_SIZE", "2")
    for rank in (0, 1):
        monkeypatch.setenv("RANK", str(rank))
        assert torchrun.is_mine_to_say(lost) == (rank == 0)
        assert torchrun.is_mine_to_say(wrong)
        with torchrun.one_voice(["--plugin", "x", "train"]) as goes_on:
            assert goes_on
        with torchrun.one_voice(["info"]) as goes_on:
            assert goes_on == (rank == 0)
        assert main(["info", "no-such-file"]) == (2 if rank == 0 else 0), "who is silent has made no mistake"
    monkeypatch.setenv("WORLD_SIZE", "1")
    with torchrun.one_voice(["info"]) as goes_on:
        assert goes_on


def test_axioms_of_a_file_are_numbered_by_its_lines(
    file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "axioms").write_text("# a comment\n\n  # another\nA SubClassOf B\n  \nB SubClassOf A\n")
    assert main(["entails", file, "--axioms", str(tmp_path / "axioms")]) == 0
    assert capsys.readouterr().out.splitlines() == ["entailed\tA SubClassOf B", "not entailed\tB SubClassOf A"]
    (tmp_path / "axioms").write_text("# a comment\n\nA SubClassOf Nobody\n")
    assert main(["entails", file, "--axioms", str(tmp_path / "axioms")]) == 2
    assert f"{tmp_path / 'axioms'}:3: " in capsys.readouterr().err


def test_a_demo_takes_a_new_or_an_empty_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The folder alone: what the commands do there has its own test."""
    monkeypatch.setattr(demo, "_commands", lambda folder, ontology, seed: [("Presets", ["models", "--presets"])])
    (tmp_path / "empty").mkdir()
    for name in ("new", "empty"):
        assert main(["demo", "-o", str(tmp_path / name), "--json"]) == 0
        document = json.loads(capsys.readouterr().out)
        (done,) = document["commands"]
        assert done["command"] == ["elgeo", "models", "--presets"]
        assert "recommended" in done["output"]
        assert 0 <= done["seconds"] < 600
        assert done["seconds"] == round(done["seconds"], 2)
        assert (tmp_path / name / "family.ofn").is_file()
        assert main(["demo", "-o", str(tmp_path / name)]) == 2
        assert "is not empty: choose another folder with -o" in capsys.readouterr().err


def test_plugins_come_before_the_command() -> None:
    for given, modules, rest in (
        ([], [], []),
        (["info", "f"], [], ["info", "f"]),
        (["--plugin", "a", "--plugin=b", "info", "--plugin", "c"], ["a", "b"], ["info", "--plugin", "c"]),
        (["--plugin=a=b"], ["a=b"], []),
        (["--pluginx", "a"], [], ["--pluginx", "a"]),
    ):
        assert plugins.split(given) == (modules, rest)


@pytest.mark.parametrize("before", [None, "json"])
def test_children_have_the_plugins_and_afterwards_all_is_as_before(
    before: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.chdir(tmp_path)
    (tmp_path / "counted.py").write_text("import builtins\nbuiltins.counted = getattr(builtins, 'counted', 0) + 1\n")
    if before is None:
        monkeypatch.delenv(plugins.VARIABLE, raising=False)
    else:
        monkeypatch.setenv(plugins.VARIABLE, before)
    import builtins

    monkeypatch.setattr(builtins, "counted", 0, raising=False)
    try:
        for _ in range(2):
            with plugins.plugged_in([str(tmp_path / "counted.py"), "json"]):
                expected = ["json"] if before else []
                found = os.environ[plugins.VARIABLE].split(os.pathsep)
                assert found == [*expected, str(tmp_path / "counted.py"), *([] if before else ["json"])]
            assert os.environ.get(plugins.VARIABLE) == before
        assert builtins.counted == 1, "a file is run once"  # type: ignore[attr-defined]
        assert sys.path.count(str(tmp_path)) == 1
        with plugins.plugged_in([]):
            assert os.environ.get(plugins.VARIABLE) == before
    finally:
        sys.modules.pop("counted", None)


def test_values_are_written_as_they_are_set() -> None:
    values = (True, False, None, 3, 0.5, "x", ("a", "b"), ["c"])
    assert [written(value) for value in values] == ["true", "false", "none", "3", "0.5", "x", "a,b", "c"]


def test_a_preset_is_a_name_and_its_settings(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["models", "--presets"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "elbe/galen" in lines
    settings = lines[lines.index("elbe/galen") + 1]
    assert settings.startswith("    model=elbe ")
    assert " dimension=200 " in settings
    assert " negative_forms=existential " in settings

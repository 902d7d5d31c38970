"""What `--help` says: every default in one style."""

from __future__ import annotations

import argparse
import importlib
import re
from collections.abc import Iterator

import pytest

from elgeo.cli import COMMANDS, MODULES
from elgeo.cli.parsing import Parser
from elgeo.cli.runs.train import settings_listed
from elgeo.training.settings import settings_of


def options_of(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for sub in action.choices.values():
                yield from options_of(sub)
        else:
            yield action


@pytest.mark.parametrize("command", COMMANDS)
def test_a_default_is_said_and_called_so(command: str) -> None:
    parser = Parser()
    importlib.import_module(MODULES[command]).configure(parser)
    by_setting: dict[str, str] = {}
    for option in options_of(parser):
        by_setting[option.dest] = f"{by_setting.get(option.dest, '')} {option.help}"
        assert not re.search(r"[\[(][\d.:]+[\])]", option.help or ""), option
    for option in options_of(parser):
        if isinstance(option.default, (int, float, str)) and option.default not in (False, True, "", argparse.SUPPRESS):
            assert "default" in by_setting[option.dest], option
        if isinstance(option.default, (int, float)) and not isinstance(option.default, bool):
            said = re.search(r"\(default ([\d.,]+\d|\d)[;)]", option.help or "")
            assert said, option
            assert float(said[1].replace(",", "")) == option.default, option


def test_settings_are_listed_once_those_of_atlas_first() -> None:
    names = [line.split()[0] for line in settings_listed().splitlines()[1:]]
    own = [each.name for each in settings_of("atlas")["atlas"]]
    trained = [each.name for group in settings_of("elem").values() for each in group]
    assert names == own + trained
    assert len(set(names)) == len(names)
    for name in ("epochs", "dimension", "seed"):
        assert name in trained


def test_options_of_an_evaluation_name_what_can_be_chosen() -> None:
    parser = Parser()
    importlib.import_module(MODULES["evaluate"]).configure(parser)
    called = {option.option_strings[0]: option.metavar for option in parser._actions if option.option_strings}
    assert called["--filter"] == "none|train|train+valid|closure"
    assert called["--side"] == "tail|head"
    assert called["--resamples"] == "RESAMPLES"

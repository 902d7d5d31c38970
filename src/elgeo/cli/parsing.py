"""`Parser`: what is wrong with a command line is one line, like every other error, with what may have been meant."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from typing import Any, NoReturn

from elgeo.documents import shown
from elgeo.errors import SettingError, clipped
from elgeo.messages import near

_CHOICE = re.compile(r"argument (?P<what>.+?): invalid choice: (?P<given>.*) \(choose from (?P<known>.*)\)", re.S)
_TYPE = re.compile(r"argument (?P<what>.+?): invalid (?P<type>int|float) value: (?P<given>.*)", re.S)
_NUMBERS = {"int": "a whole number", "float": "a number"}
_MISSING = "the following arguments are required: "


class Parser(argparse.ArgumentParser):
    """Parses like its parent, and raises where that one would print its usage and leave."""

    written_late: Callable[[], str] | None = None
    """Makes the end of the help when somebody wants to read it, where that takes long."""

    def format_help(self) -> str:
        if self.written_late is not None:
            self.epilog = self.written_late()
        return super().format_help()

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        """What cannot be placed is an error here already: this parser knows which options there are, its parent not."""
        found, unknown = super().parse_known_args(args, namespace)
        for each in unknown[:1]:
            if each.startswith("-"):
                raise SettingError(self._unknown_option(each.split("=")[0]))
            raise SettingError(
                f"{shown(each)} is one argument too many: put what has spaces in it in quotes ({self._help()})"
            )
        return found, unknown

    def error(self, message: str) -> NoReturn:
        """Say argparse's message in our words."""
        if match := _CHOICE.fullmatch(message):
            given, known = match["given"].strip("'\""), [each.strip("'\"") for each in match["known"].split(", ")]
            what = "command" if match["what"] == "COMMAND" else f"value of {match['what']}"
            advice = near(given, known) or f"there are {', '.join(known)}"
            raise SettingError(f"no {what} is called {shown(given)}: {advice}")
        if match := _TYPE.fullmatch(message):
            raise SettingError(
                f"{match['what']} has to be {_NUMBERS[match['type']]}, not {clipped(match['given'], 60)}"
            )
        if message.startswith(_MISSING):
            message = f"give {message.removeprefix(_MISSING)}"
        message = clipped(" ".join(message.removeprefix("argument ").split()), 300)
        raise SettingError(f"{message} ({self._help()})")

    def _unknown_option(self, given: str) -> str:
        if self._subparsers is not None:
            return f"no option {clipped(given, 60)} comes before the command: put it after ({self._help()})"
        return f"no option is called {clipped(given, 60)}: {near(given, self._option_string_actions) or self._help()}"

    def _help(self) -> str:
        return f"`{self.prog} --help` says how it is used"

"""Damage of any kind: to bytes, to the values of a document, to a file as a whole."""

from __future__ import annotations

import os
import pickle
import random
import signal
import tomllib
import traceback
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
import tomli_w

from elgeo.cli import main
from elgeo.report.pages import model_sections, ranking_sections, reliability_section

LONGEST = 1500
"""Characters of a message, at most."""
PATIENCE = 120
"""Seconds for a command before it counts as hanging."""
ODD: list[Any] = [
    None, True, False, 0, 1, -1, 3, 2**31, 2**63, 10**30, 10**400, 0.5, -0.0, 1e308, -1e308, float("nan"), float("inf"),
    "", "x", "elem", "none", "1", "../..", "/", "\0", "\n", "é⊑\ud800", "x" * 70_000, [], [1, "a"], {}, {"a": {"b": 1}},
    {"": 0}, [[[[[[]]]]]],
]  # fmt: skip


def damaged_bytes(content: bytes, chance: random.Random) -> bytes:
    """A file after a flipped bit, a cut, a hole, a repetition or some noise."""
    data, size = bytearray(content), len(content)
    if not size:
        return bytes(chance.randrange(256) for _ in range(20))
    for _ in range(chance.choice([1, 1, 3, 10])):
        place, length = chance.randrange(size), chance.choice([1, 2, 8, 64, 1000])
        match chance.randrange(6):
            case 0:
                data[place % max(len(data), 1) : place % max(len(data), 1) + 1] = bytes([chance.randrange(256)])
            case 1:
                del data[place:]
            case 2:
                del data[place : place + length]
            case 3:
                data[place:place] = data[place : place + length]
            case 4:
                data[place:place] = bytes(chance.randrange(256) for _ in range(length))
            case 5:
                data[place:place] = chance.choice(
                    [b"[" * 5000, b'{"a":' * 5000, b"9" * 6000, b"\xff\xfe", b"\n\n", b"\0"]
                )
    return bytes(data)


def damaged_value(document: Any, chance: random.Random) -> Any:
    """A document with something odd in place of one of its values, or without it, or with one more."""
    if isinstance(document, dict) and document and chance.random() < 0.9:
        name = chance.choice(list(document))
        changed = dict(document)
        match chance.randrange(8):
            case 0:
                del changed[name]
            case 1:
                changed[f"{name}x"] = changed.pop(name)
            case 2:
                changed[chance.choice(["", "model", "extra", "result"])] = chance.choice(ODD)
            case _:
                changed[name] = damaged_value(document[name], chance)
        return changed
    if isinstance(document, list) and document and chance.random() < 0.8:
        place = chance.randrange(len(document))
        return [*document[:place], damaged_value(document[place], chance), *document[place + 1 :]]
    return chance.choice(ODD)


def toml_of(path: Path, chance: random.Random) -> None:
    try:
        path.write_text(tomli_w.dumps(damaged_value(tomllib.loads(path.read_text()), chance)), errors="surrogatepass")
    except (TypeError, AttributeError, ValueError):  # nothing that TOML could say
        bytes_of(path, chance)


def replaced(path: Path, chance: random.Random) -> None:
    """Gone, empty, a folder, a pipe or a link to nowhere instead of the file."""
    path.unlink()
    match chance.randrange(5):
        case 0:
            path.write_bytes(b"")
        case 1:
            path.mkdir()
        case 2:
            os.mkfifo(path)
        case 3:
            path.symlink_to(chance.choice(["nowhere", path.name]))


def bytes_of(path: Path, chance: random.Random) -> None:
    path.write_bytes(damaged_bytes(path.read_bytes() if path.is_file() else b"", chance))


def draw_once(patch: pytest.MonkeyPatch) -> None:
    """Let a page take a figure that was drawn before of the same values: drawing is most of the time of a page."""
    drawn: dict[bytes, str] = {}

    def once(plot: Callable[..., str]) -> Callable[..., str]:
        def kept(*values: object) -> str:
            key = pickle.dumps((plot.__name__, values))
            if key not in drawn:
                drawn[key] = plot(*values)
            return drawn[key]

        return kept

    for module in (model_sections, ranking_sections, reliability_section):
        for name in [name for name in vars(module) if name.endswith("_plot")]:
            patch.setattr(module, name, once(getattr(module, name)))


class Hung(BaseException):
    """Nothing that a command would catch."""


def _ring(number: int, frame: object) -> None:
    raise Hung


def outcomes(commands: Iterable[list[str]], about: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, list[str]]:
    """The exit codes of commands on what is damaged, added up; and each that did not end well or in one message."""
    refused, wrong = 0, []
    before = signal.signal(signal.SIGALRM, _ring)
    for command in commands:
        where = f"{about}: {' '.join(command[:2])}"
        signal.alarm(PATIENCE)
        try:
            with warnings.catch_warnings():  # here alone: what others left behind may be collected while it runs
                warnings.simplefilter("error")
                code = main(command)
        except BaseException as error:
            last = traceback.extract_tb(error.__traceback__)[-1]
            wrong.append(f"{where}: {error!r:.300} in {last.filename}:{last.lineno}")
            continue
        finally:
            signal.alarm(0)
        lines = capsys.readouterr().err.splitlines()
        refused += code
        if code not in (0, 2) or len(lines) > 10 or max(map(len, lines), default=0) > LONGEST:
            wrong.append(f"{where}: {code}, {len(lines)} lines, {str(lines)[:300]}")
        elif code == 2 and not lines[-1].startswith("elgeo: "):
            wrong.append(f"{where}: {lines[-1][:300]}")
    signal.signal(signal.SIGALRM, before)
    return refused, wrong

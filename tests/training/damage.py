"""Runs damaged at random: bytes, fields and whole files; and the commands that have to say so in a line."""

from __future__ import annotations

import json
import os
import random
import shutil
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import tomli_w

from elgeo.training.checkpoint import load_arrays, save_arrays

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


def _toml(path: Path, chance: random.Random) -> None:
    try:
        path.write_text(tomli_w.dumps(damaged_value(tomllib.loads(path.read_text()), chance)), errors="surrogatepass")
    except (TypeError, AttributeError, ValueError):  # nothing that TOML could say
        path.write_bytes(damaged_bytes(path.read_bytes(), chance))


def _lines(path: Path, chance: random.Random) -> None:
    lines = path.read_text().splitlines()
    place = chance.randrange(len(lines))
    match chance.randrange(4):
        case 0:
            lines[place:place] = [lines[chance.randrange(len(lines))]]
        case 1:
            del lines[place]
        case _:
            lines[place] = json.dumps(damaged_value(json.loads(lines[place]), chance))
    path.write_text("\n".join(lines) + "\n", errors="surrogatepass")


def _signed(path: Path, chance: random.Random) -> None:
    """Arrays or values that were never there, with a checksum that fits."""
    arrays, fields = load_arrays(path)
    values: Any = dict(fields.values)
    if arrays and chance.random() < 0.5:
        name = chance.choice(list(arrays))
        array = arrays.pop(name)
        match chance.randrange(6):
            case 0:
                pass
            case 1:
                arrays[name] = array[..., None]
            case 2:
                arrays[name] = np.asarray(array[:-1] if array.ndim else array)
            case 3:
                arrays[name] = array.astype(chance.choice([np.int8, np.float64, np.uint16, np.bool_]))
            case 4:
                arrays[name] = np.full_like(array, -5)
            case 5:
                arrays[name] = np.full_like(array, np.nan) if array.dtype.kind == "f" else array
                arrays[chance.choice(["x", "model/y", "best/z", "/"])] = array
    else:
        values = damaged_value(values, chance)
    save_arrays(path, arrays, values)


def _replaced(path: Path, chance: random.Random) -> None:
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


def damage(run: Path, chance: random.Random) -> str:
    """Damage one to three things in a run; says what."""
    told = []
    for _ in range(chance.choice([1, 1, 1, 2, 3])):
        files = sorted(path for path in run.rglob("*") if path.is_file() and path.name != "evaluation.json")
        if not files:
            break
        path = chance.choice(
            [*files, *(run / name for name in ("run.toml", "metrics.jsonl") if (run / name).is_file())]
        )
        ways: list[Callable[[Path, random.Random], None]] = [_bytes_of, _replaced]
        ways += {".toml": [_toml] * 6, ".jsonl": [_lines] * 6, ".safetensors": [_signed] * 4}.get(path.suffix, [])
        way = chance.choice(ways)
        try:
            way(path, chance)
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError, IndexError):
            _bytes_of(path, chance)  # it was damaged already
        except Exception as error:
            if "damaged" not in str(error):
                raise
            _bytes_of(path, chance)
        told.append(f"{way.__name__} of {path.relative_to(run)}")
    return ", ".join(told)


def _bytes_of(path: Path, chance: random.Random) -> None:
    path.write_bytes(damaged_bytes(path.read_bytes() if path.is_file() else b"", chance))


def commands(run: Path, dataset: Path, output: Path) -> list[list[str]]:
    """All that is done with a run."""
    place = ["--dataset", str(dataset)]
    return [
        ["evaluate", str(run), *place, "--resamples", "0"],
        ["predict", str(run), *place, "--all", "--top", "3"],
        ["export", str(run), *place, "-o", str(output / "x.npz")],
        ["report", str(run), *place, "--top", "0", "-o", str(output / "page.html")],
        ["train", str(dataset), "-o", str(run), "--resume", "--quiet", "--epochs", "5"],
    ]


def copied(run: Path, target: Path) -> Path:
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(run, target)
    return target

"""Runs damaged at random: bytes, fields and whole files; and the commands that have to say so in a line."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from elgeo.training.folder.tensors import load_arrays, save_arrays
from tests.damaging import bytes_of, damaged_value, replaced, toml_of


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
                arrays[name] = np.full_like(array, 5 if array.dtype.kind in "ub" else -5)
            case 5:
                arrays[name] = np.full_like(array, np.nan) if array.dtype.kind == "f" else array
                arrays[chance.choice(["x", "model/y", "best/z", "/"])] = array
    else:
        values = damaged_value(values, chance)
    save_arrays(path, arrays, values)


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
        ways: list[Callable[[Path, random.Random], None]] = [bytes_of, replaced]
        ways += {".toml": [toml_of] * 6, ".jsonl": [_lines] * 6, ".safetensors": [_signed] * 4}.get(path.suffix, [])
        way = chance.choice(ways)
        try:
            way(path, chance)
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError, IndexError):
            bytes_of(path, chance)  # it was damaged already
        except Exception as error:
            if "damaged" not in str(error):
                raise
            bytes_of(path, chance)
        told.append(f"{way.__name__} of {path.relative_to(run)}")
    return ", ".join(told)


def commands(run: Path, dataset: Path, output: Path) -> list[list[str]]:
    """All that is done with a run."""
    place = ["--dataset", str(dataset)]
    return [
        ["evaluate", str(run), *place, "--resamples", "0"],
        ["predict", str(run), *place, "--all", "--top", "3"],
        ["export", str(run), *place, "-o", str(output / "x.npz")],
        ["score", str(run), *place, "person1 SubClassOf knows some person2"],
        ["place", str(run), *place, "--label", "person like no other"],
        opened(run, output / "decisions.sqlite"),
        ["report", str(run), *place, "--top", "1", "-o", str(output / "page.html")],
        ["train", str(dataset), "-o", str(run), "--resume", "--quiet", "--epochs", "5"],
    ]


def opened(run: Path, decisions: Path) -> list[str]:
    """The page about a run, which is opened, but at an address that no machine has."""
    return ["serve", str(run), "--decisions", str(decisions), "--host", "256.256.256.256"]


def copied(run: Path, target: Path) -> Path:
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(run, target)
    return target

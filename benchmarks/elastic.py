"""Kills processes of a training under torchrun at random, goes on with other numbers of them, and compares documents.

    python benchmarks/elastic.py [--dataset FOLDER] [--kills 5] [--seed 0] [--limit 600]

Without a dataset it is cell-small. Three things have to hold: a training whose processes are killed at random ends by
itself in the bits of one left alone; a run of two processes goes on in four and then in one with the losses of one
process; and `evaluate` in two processes writes the bytes that one writes.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from killed import epochs
from scale import environment, launched

EPOCHS = 18


def training(dataset: str, folder: Path, count: int) -> list[str]:
    settings = ["--set", "batch=512", "--set", "dimension=16", "--set", "stop_patience=0"]
    return ["-m", "elgeo", "train", dataset, "--model", "elem", "--quiet", "-o", str(folder), *settings,
            "--epochs", str(count)]  # fmt: skip


def begun(processes: int, *command: str, restarts: int = 0) -> subprocess.Popen[bytes]:
    again = ["--max-restarts", str(restarts), "--monitor-interval", "0.1"]
    first, *rest = launched(processes, *command)
    place = rest.index("--standalone")
    whole = [first, *rest[:place], *again, *rest[place:]]
    return subprocess.Popen(whole, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)


def ended(processes: int, *command: str) -> bytes:
    started = begun(processes, *command)
    said = started.communicate()[0]
    if started.returncode:
        raise SystemExit(f"{' '.join(command)} failed in {processes} processes")
    return said


def workers(parent: int) -> list[int]:
    """The processes that a process has started."""
    found = []
    for place in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = place.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == parent:
            found.append(int(place.parent.name))
    return sorted(found)


def killed_at_random(dataset: str, place: Path, kills: int, chance: random.Random, limit: float) -> bool:
    """One of two processes is killed again and again; only torchrun starts them anew."""
    whole, broken = place / "whole", place / "broken"
    ended(2, *training(dataset, whole, EPOCHS))
    started = begun(2, *training(dataset, broken, EPOCHS), restarts=kills)
    moments: list[tuple[int, int]] = []
    deadline = time.monotonic() + limit
    for kill in range(kills):
        # before the first epoch or after any other, and never a restart that has not begun to train
        least = moments[-1][0] + 1 if moments else 0
        goal = max(least, chance.randint(EPOCHS * kill // kills, max(EPOCHS * (kill + 1) // kills - 2, 0)))
        while len(epochs(broken)) < goal or len(workers(started.pid)) < 2:
            if started.poll() is not None or time.monotonic() > deadline:
                raise SystemExit(f"after {len(moments)} kills it came to epoch {len(epochs(broken))} and no further")
            time.sleep(0.005)
        time.sleep(chance.random() * 0.3)
        victim = chance.choice(workers(started.pid))
        moments.append((len(epochs(broken)), workers(started.pid).index(victim)))
        os.kill(victim, signal.SIGKILL)
    started.wait(limit)
    same = (whole / "weights.safetensors").read_bytes() == (broken / "weights.safetensors").read_bytes()
    print(f"killed {kills} times, (epochs done, which process): {moments}; torchrun ended with {started.returncode}")
    print(f"  weights as if nothing had happened: {same}; metrics: {epochs(whole) == epochs(broken)}", flush=True)
    return started.returncode == 0 and same and epochs(whole) == epochs(broken)


def other_numbers(dataset: str, place: Path) -> bool:
    """2 → 4 → 1 processes, two epochs each, beside one process for all of them."""
    run, alone = place / "changing", place / "alone"
    ended(2, *training(dataset, run, 2))
    for processes, count in ((4, 4), (1, 6)):
        ended(processes, "-m", "elgeo", "train", "-o", str(run), "--resume", "--quiet", "--epochs", str(count))
    ended(1, *training(dataset, alone, 6))
    losses, expected = ([each["loss"]["total"] for each in epochs(folder)] for folder in (run, alone))  # type: ignore[index]
    apart = max(abs(one - other) / abs(other) for one, other in zip(losses, expected, strict=True))
    print(f"2 → 4 → 1 processes: {len(losses)} epochs, losses within {apart:.1e} of one process", flush=True)
    return apart < 1e-5


def documents(run: Path) -> bool:
    """What `evaluate` writes and prints in one process and in two."""
    found = []
    for processes in (1, 2):
        said = ended(processes, "-m", "elgeo", "evaluate", str(run), "--json", "--positives", "both")
        found.append((said, (run / "evaluation.json").read_bytes()))
        (run / "evaluation.json").unlink()
    same = found[0] == found[1]
    print(f"evaluate in two processes: {len(found[0][1]):,} bytes of evaluation.json, the same as in one: {same}")
    return same


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dataset", default="cell-small")
    parser.add_argument("--kills", type=int, default=5)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--limit", type=float, default=1200, help="seconds after which a training that hangs is a failure"
    )
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        chance = random.Random(options.seed)
        held = [
            killed_at_random(options.dataset, place, options.kills, chance, options.limit),
            other_numbers(options.dataset, place),
            documents(place / "whole"),
        ]
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())

"""Kills `elgeo train` at random moments, resumes it each time, and compares with a run that was left alone."""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from common import ROOT

TRAIN = ["train", "cell-tiny", "--quiet", "--epochs", "150", "--set", "batch=32", "--set", "dimension=32",
         "--set", "checkpoint_every=2", "--set", "stop_patience=0", "--set", "negatives=filtered"]  # fmt: skip


def start(folder: Path, *more: str) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    return subprocess.Popen(
        [sys.executable, "-m", "elgeo", *TRAIN, "-o", str(folder), *more],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def epochs(folder: Path) -> list[dict[str, object]]:
    """What `metrics.jsonl` says, without the times."""
    try:
        lines = [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]
    except (FileNotFoundError, json.JSONDecodeError):
        return []
    return [{key: value for key, value in line.items() if key != "seconds"} for line in lines]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as place:
        whole, broken = Path(place) / "whole", Path(place) / "broken"
        if start(whole).wait():
            print("the run that is left alone failed")
            return 1
        last = len(epochs(whole))
        kills, moments = 0, []
        while kills < options.kills:
            process = start(broken, "--resume")
            # somewhere between its first breath and its end: most kills fall into training, some before it
            goal = chance.randrange(last * kills // options.kills, last * (kills + 1) // options.kills + 1)
            while process.poll() is None and len(epochs(broken)) < goal:
                time.sleep(0.005)
            time.sleep(chance.random() * 0.03)
            if process.poll() is not None:
                break
            process.kill()
            process.wait()
            kills += 1
            moments.append(len(epochs(broken)))
        if start(broken, "--resume").wait():
            print("the resumed run failed")
            return 1
        same = (whole / "weights.safetensors").read_bytes() == (broken / "weights.safetensors").read_bytes()
        print(f"killed {kills} times, after epochs {moments}")
        print(f"weights the same to the last bit: {same}; metrics the same: {epochs(whole) == epochs(broken)}")
        return 0 if same and kills == options.kills and epochs(whole) == epochs(broken) else 1


if __name__ == "__main__":
    sys.exit(main())

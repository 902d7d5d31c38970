"""Seconds and memory of `elgeo reduce`, `diff`, `merge` and `convert` on GO; ROBOT beside them where it can be had.

ELGEO_ROBOT is the path of robot.jar. What was taken out by `reduce` is asked for again of what was left.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

from common import ROOT, data_folder, measured
from elgeo.ontology import read
from elgeo.reasoning import Reasoner

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
ELGEO = [sys.executable, "-m", "elgeo"]


def robot() -> list[str] | None:
    """How ROBOT is started, or nothing, with a line that says why."""
    jar = os.environ.get("ELGEO_ROBOT")
    if jar is None or shutil.which("java") is None:
        print("skipped: ROBOT (set ELGEO_ROBOT to robot.jar; it needs java)")
        return None
    return [shutil.which("java") or "java", "-Xmx6g", "-jar", jar]


def main() -> None:
    go = data_folder() / "go"
    old, new = go / "go_2019-01-27.obo.gz", go / "go_2026-06-15.obo.gz"
    java = robot()
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch)
        jobs = {
            "convert": ["convert", old, "-o", out / "go.owl"],
            "merge": ["merge", old, new, "-o", out / "both.ofn"],
            "diff": ["diff", old, new],
            "reduce": ["reduce", old, "-o", out / "reduced.ofn"],
        }
        theirs = {
            "merge": ["merge", "-i", old, "-i", new, "-o", out / "robot-both.owl"],
            "diff": ["diff", "--left", old, "--right", new, "-o", out / "robot-diff.txt"],
            "reduce": ["reduce", "-r", "ELK", "-i", old, "-o", out / "robot-reduced.owl"],
        }
        for name, job in jobs.items():
            found = measured([*ELGEO, *map(str, job)], env=ENVIRONMENT, stderr=-3)
            line = f"{name:<8} {found.seconds:7.1f} s, {found.peak_bytes / 2**30:.2f} GiB"
            if java is not None and name in theirs:
                other = measured([*java, *map(str, theirs[name])], stderr=-3)
                line += f"; ROBOT {other.seconds:7.1f} s, {other.peak_bytes / 2**30:.2f} GiB"
            print(line, flush=True)
        started = time.perf_counter()
        left, whole = read(out / "reduced.ofn"), read(old)
        kept = {str(axiom) for axiom in left.axioms}
        gone = sorted({str(axiom) for axiom in whole.axioms} - kept)
        reasoner = Reasoner(left)
        missed = [axiom for axiom in gone if not reasoner.entails(axiom)]
        print(f"reduce took out {len(gone):,} of {len(whole.axioms):,} axioms; {len(missed)} no longer follow")
        print(f"  (asked in {time.perf_counter() - started:.0f} s)")


if __name__ == "__main__":
    main()

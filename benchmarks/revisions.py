"""Seconds and memory of `elgeo reduce`, `diff`, `merge` and `convert` on GO; ROBOT beside them where it can be had.

ELGEO_ROBOT is the path of robot.jar. What was taken out by `reduce` is asked for again of what was left.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

from common import ROOT, Measured, data_folder, measured
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
            line = f"{name:<8} {_cost(measured([*ELGEO, *map(str, job)], env=ENVIRONMENT, stderr=-3))}"
            if java is not None and name in theirs:
                line += f"; ROBOT {_cost(measured([*java, *map(str, theirs[name])], stderr=-3))}"
            print(line, flush=True)
        left, whole = read(out / "reduced.ofn"), read(old)
        gone = sorted({str(axiom) for axiom in whole.axioms} - {str(axiom) for axiom in left.axioms})
        lost = len(gone) - _entailed(Reasoner(left), gone)
        print(f"reduce took out {len(gone):,} of {len(whole.axioms):,} axioms; {lost} no longer follow from the rest")


def _cost(found: Measured) -> str:
    return f"{found.seconds:6.1f} s ({found.processor:.1f} of processor), {found.peak_bytes / 2**30:.2f} GiB"


def _entailed(reasoner: Reasoner, axioms: list[str]) -> int:
    """How many axioms A ⊑ D and A ⊑ ∃R.D in functional syntax follow."""
    words = reasoner.forms.vocabulary
    found = 0
    for form, columns in (("subclass", 2), ("existential", 3)):
        rows = []
        for names in (re.findall("<(.*?)>", axiom) for axiom in axioms):
            if len(names) == columns:
                rows.append([words.class_id(names[0]), *map(words.role_id, names[1:-1]), words.class_id(names[-1])])
        found += int(reasoner.closure().contains(form, rows).sum())
    return found


if __name__ == "__main__":
    main()

"""The first hour with an ontology, on many: info, classify, split, train, evaluate, predict, report, one after another.

    python benchmarks/first_hour.py                    # the real ontologies beside the repository
    python benchmarks/first_hour.py my.owl other.obo --limit 600

Prints a line for each: how many classes it has, what was split, what was refused and why, how long all of it took. Each
command is the user's own (`elgeo.cli.main`). A refusal is one line and exit code 2; anything else is a failure of ours,
and the benchmark ends with 1. Each ontology has a process of its own, which is stopped after `--limit` seconds; then
the line says in which command. The shape that is held out is C ⊑ ∃R.D for the role with most such axioms if it has a
hundred, else C ⊑ D.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import multiprocessing
import re
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

import elgeo
from common import data_folder
from elgeo.cli import main as command
from elgeo.datasets.splits.patterns import Pattern, matches
from elgeo.errors import ElgeoError
from elgeo.ontology.expressions import BUILT_IN, Op

FEWEST = 100
"""Axioms of a role that make it worth completing."""


STOPPED = "stopped after"


class Ended(NamedTuple):
    """How a command ended: its exit code, or None after a traceback, and the last line it said."""

    code: int | None
    line: str


class Done(NamedTuple):
    """The hour of one ontology."""

    file: str
    classes: int
    split: str
    outcome: str
    seconds: float
    failed: bool


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--limit", type=float, default=1800, help="seconds for one ontology (default 1800)")
    options = parser.parse_args()
    files = options.files or default_files()
    print("| file | classes | held out of | train, valid, test | outcome | seconds |\n|---|---:|---|---|---|---:|")
    failures = stopped = 0
    for file in files:
        done = within(options.limit, file)
        failures += done.failed
        stopped += done.outcome.startswith(STOPPED)
        cells = (done.file, f"{done.classes:,}", done.split, done.outcome, f"{done.seconds:.0f}")
        print(f"| {' | '.join(cells)} |", flush=True)
    print(f"\n{len(files)} ontologies, {failures} with a failure that is ours, {stopped} stopped for taking too long")
    return 1 if failures else 0


def default_files() -> list[Path]:
    """All real ontologies there are, and both releases of GO."""
    folder = data_folder()
    return sorted(path for path in (folder / "real").iterdir() if path.suffix != ".md") + sorted(
        (folder / "go").glob("*.obo.gz")
    )


def within(limit: float, file: Path) -> Done:
    """The hour of an ontology in a process of its own, which is stopped when its time is over."""
    context = multiprocessing.get_context("spawn")
    told, ours = context.Pipe(duplex=False)
    process = context.Process(target=_hour_told, args=(file, ours))
    process.start()
    ours.close()
    until, last, done = time.monotonic() + limit, "starting", None
    with contextlib.suppress(EOFError):
        while done is None and told.poll(max(0.0, until - time.monotonic())):
            heard = told.recv()
            last, done = (last, heard) if isinstance(heard, Done) else (heard, None)
    if done is None:
        over = process.is_alive()
        process.kill()
        process.join()
        outcome = f"{STOPPED} {limit:.0f} s in {last}" if over else f"died in {last}"
        return Done(file.name, 0, "- | -", outcome, limit, not over)
    process.join()
    return done


def _hour_told(file: Path, ours: Connection) -> None:
    ours.send(hour(file, ours.send))


def hour(file: Path, say: Callable[[str], None] = lambda step: None) -> Done:
    """All commands on one ontology, as far as they go."""
    started = time.perf_counter()
    classes, shape, parts, said = 0, "-", "-", list[str]()
    failed = False
    with tempfile.TemporaryDirectory() as name:
        data, run, page = f"{name}/data", f"{name}/run", f"{name}/page.html"
        try:
            classes, shape = looked_at(file)
        except ElgeoError as error:
            shape = "-"
            said.append(f"read: {error}")
        steps = [
            ["info", str(file)],
            ["classify", str(file), "-o", f"{name}/hierarchy.tsv"],
            ["dataset", "split", str(file), "--axioms", shape, "-o", data],
            ["train", data, "-o", run, "--quiet"],
            ["evaluate", run],
            ["predict", run, "--all", "--top", "20"],
            ["report", run, "-o", page],
        ]
        for step in steps:
            say(" ".join(step[:2]) if step[0] == "dataset" else step[0])
            ended = run_command(step)
            if ended.code == 0:
                continue
            failed |= ended.code != 2
            said.append(f"{' '.join(step[:2]) if step[0] == 'dataset' else step[0]}: {ended.line}")
            break
        with contextlib.suppress(ElgeoError):
            dataset = elgeo.datasets.load(data)
            parts = f"{len(dataset.train):,}, {len(dataset.valid):,}, {len(dataset.test):,}"
    outcome = "; ".join(said).replace("|", "\\|") or "all seven"
    short = re.sub(r"<[^<>]*[/#]([^<>]+)>", r"\1", shape)
    return Done(file.name, classes, f"{short} | {parts}", outcome, time.perf_counter() - started, failed)


def looked_at(file: Path) -> tuple[int, str]:
    """The number of classes, and the shape of axiom that is held out."""
    ontology = elgeo.read(file)
    roles = {ontology.string(node) for node in (ontology.op == Op.ObjectProperty).nonzero()[0].tolist()}
    counts = Counter({role: len(matches(ontology, Pattern(Op.SubClassOf, role))[0]) for role in sorted(roles)})
    role, most = max(counts.items(), key=lambda item: item[1], default=("", 0))
    shape = f"?C SubClassOf <{role}> some ?D" if most >= FEWEST else "?C SubClassOf ?D"
    classes = [ontology.string(node) for node in (ontology.op == Op.Class).nonzero()[0].tolist()]
    return sum(iri not in BUILT_IN for iri in classes), shape


def run_command(arguments: list[str]) -> Ended:
    """One command, with what it says kept back."""
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True), io.StringIO()
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = command(arguments)
    except BaseException as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        return Ended(None, f"{error!r} in {Path(last.filename).name}:{last.lineno}")
    lines = err.getvalue().strip().splitlines()
    return Ended(code, lines[-1].removeprefix("elgeo: ") if lines else "")


if __name__ == "__main__":
    sys.exit(main())

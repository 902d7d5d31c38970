"""Would the tests notice a wrong line? Changes one operator or number of a module at a time and runs the tests of it.

    python benchmarks/wrong_lines.py [MODULE …] -o FOLDER [--count 10] [--seed 1] [--seconds 8] [--jobs 1]

First all tests run once, to see which lines each of them runs (kept in FOLDER; needs the package `coverage`). Then each
change is tried with the tests that run its line, the quickest of each test module first, until one fails or they have
taken SECONDS: a change that survives is a line to look at, and may mean nothing. What was tried is kept in FOLDER, and
broken off it goes on where it was; what two seeds draw is tried once; asked again with more SECONDS, it tries what
survived with more tests. MODULE is a file of the package; without any all of them have COUNT changes each.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import shutil
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import takewhile
from pathlib import Path
from typing import Any, NamedTuple

from common import ROOT

PACKAGE = Path("src", "elgeo")
BODIES = (ast.FunctionDef, ast.If, ast.For, ast.While, ast.With, ast.Try, ast.ClassDef)


class Covered(NamedTuple):
    """Which tests run a line, and how long each takes."""

    tests: dict[tuple[str, int], set[str]]
    seconds: dict[str, float]


def copied(folder: Path) -> Path:
    """The files of this tree that git knows, in a folder of their own; what was changed there before is as it was."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for name in listed.splitlines():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, folder / name)
    return folder


def pytest(tree: Path, words: Sequence[str], **environment: str) -> None:
    """Run the tests of a tree with the plug-in."""
    paths = os.pathsep.join(map(str, (tree / "src", ROOT / "benchmarks")))
    data = os.environ.get("ELGEO_DATA", str(ROOT.parent / "shared" / "data"))
    made = {**os.environ, "PYTHONPATH": paths, "ELGEO_DATA": data, "OMP_NUM_THREADS": "1", **environment}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "_wrong_lines", "-p", "no:cacheprovider", *words]
    subprocess.run(command, cwd=tree, env=made, check=False, stdout=subprocess.DEVNULL)


def covered(folder: Path, jobs: int) -> Covered:
    """By what was found before, or by running all tests."""
    place = (folder / "lines").absolute()
    if not list(place.glob("*.json")):
        place.mkdir(parents=True, exist_ok=True)
        pytest(copied(folder / "tree"), ["-n", str(jobs), "--dist", "worksteal"], WRONG_LINES=str(place))
    tests: defaultdict[tuple[str, int], set[str]] = defaultdict(set)
    seconds: dict[str, float] = {}
    users: defaultdict[str, list[str]] = defaultdict(list)
    documents = [json.loads(file.read_text()) for file in place.glob("*.json")]
    for document in documents:
        seconds |= document["seconds"]
        for test, fixtures in document["shared"].items():
            for fixture in fixtures:
                users[fixture].append(test)
    for document in documents:
        for context, lines in document["lines"].items():
            for file, line in lines:
                tests[file, line].update(users[context] if context not in seconds else [context])
    return Covered(tests, seconds)


def changes(modules: Sequence[Path], covered: Covered, options: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Drawn from each module, with the tests to run."""
    from _wrong_lines import places

    for module in modules:
        text = (ROOT / module).read_text()
        tree = ast.parse(text)
        lines = statement_lines(tree)
        start = 24 if "kernel" in text else 7  # seconds of processor, for what has to be compiled
        found = places(tree)
        generator = random.Random(f"{options.seed} {module}")
        for place in sorted(generator.sample(range(len(found)), min(options.count, len(found)))):
            node, file = found[place], str(module.relative_to(PACKAGE))
            running = set().union(*(covered.tests[file, line] for line in lines[id(node)]))
            tests = quickest(running, covered.seconds, options.seconds, file)
            limit = round(start + 5 * sum(covered.seconds[test] for test in tests))
            about = {"file": file, "line": node.lineno, "was": ast.unparse(node)[:80], "of": len(running)}
            yield {**about, "place": place, "tests": tests, "seconds": options.seconds, "limit": limit}


def statement_lines(tree: ast.Module) -> dict[int, range]:
    """The lines of the innermost statement of each node; of one with a body the node's own."""
    found: dict[int, range] = {}

    def walk(node: ast.AST, lines: range) -> None:
        if isinstance(node, ast.stmt):
            lines = range(node.lineno, (node.end_lineno or node.lineno) + 1)
        for child in ast.iter_child_nodes(node):
            own = isinstance(node, BODIES) and isinstance(child, ast.expr)
            walk(child, range(child.lineno, (child.end_lineno or child.lineno) + 1) if own else lines)
        found[id(node)] = lines

    walk(tree, range(0))
    return found


def quickest(tests: set[str], seconds: dict[str, float], most: float, file: str) -> list[str]:
    """Tests for so many seconds: of the test modules that are about a file first, of all in turn."""
    of_module: defaultdict[str, list[str]] = defaultdict(list)
    for test in sorted(tests, key=lambda test: (seconds[test], test)):
        of_module[test.partition("::")[0]].append(test)
    groups: defaultdict[int, list[list[str]]] = defaultdict(list)
    for module, several in of_module.items():
        groups[-nearness(module, file)].append(several)
    found: list[str] = []
    total = 0.0
    for _, group in sorted(groups.items()):
        for turn in range(max(map(len, group))):
            for several in sorted(group, key=lambda several: seconds[several[0]]):
                if turn < len(several) and (not found or total + seconds[several[turn]] <= most):
                    found.append(several[turn])
                    total += seconds[several[turn]]
    return found


def nearness(tests: str, file: str) -> int:
    """How many rooms a test module and a file have in common, and one more if it has the name of the file."""
    ours, theirs = Path(file).with_suffix("").parts, Path(tests).with_suffix("").parts[1:]
    rooms = len(list(takewhile(lambda pair: pair[0] == pair[1], zip(ours[:-1], theirs[:-1], strict=False))))
    return rooms + (ours[-1].removesuffix("s") in theirs[-1])


def summary(found: Sequence[dict[str, Any]]) -> None:
    survivors = [each for each in found if each["caught"] in ("", "no test runs it")]
    for each in sorted(survivors, key=lambda each: (each["file"], each["line"])):
        ran = each["caught"] or f"{each['tests']} of {each['of']} tests"
        print(f"survived  {each['file']}:{each['line']}  {each['was']}  ({ran})")
    for title, by in (("room", lambda each: each["file"].partition("/")[0]), ("module", lambda each: each["file"])):
        tried, lost = Counter(map(by, found)), Counter(map(by, survivors))
        for name in sorted(tried):
            if title == "room" or tried[name] - lost[name] < 0.6 * tried[name]:
                print(f"{title}  {name}  {tried[name] - lost[name]} of {tried[name]}")
    print(f"{len(found) - len(survivors)} of {len(found)} changes caught")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("modules", nargs="*", type=Path, metavar="MODULE", help="files below src/elgeo [all]")
    parser.add_argument("-o", "--output", type=Path, help="what is found is kept here")
    parser.add_argument("--count", type=int, default=10, help="changes of each module [10]")
    parser.add_argument("--seed", type=int, default=1, help="of the changes that are drawn [1]")
    parser.add_argument("--seconds", type=float, default=8, help="of tests for a change [8]")
    parser.add_argument("--jobs", type=int, default=1, help="changes tried at a time [1]")
    options = parser.parse_args()
    if options.output is None:
        print("skipped: without a folder (-o FOLDER) nothing is tried, for it takes hours")
        return 0
    folder: Path = options.output.absolute()
    known = covered(folder, options.jobs)
    every = sorted(path.relative_to(ROOT) for path in (ROOT / PACKAGE).rglob("*.py"))
    modules = [path.resolve().relative_to(ROOT) for path in options.modules] or every
    wanted = list(changes(modules, known, options))
    random.Random(options.seed).shuffle(wanted)
    lists = [folder / f"changes-{options.seed}-{options.count}-{job}" for job in range(options.jobs)]

    def tried() -> dict[tuple[str, int], dict[str, Any]]:
        """By place, whichever seed drew it; of a change that was tried twice, what more tests said."""
        files = folder.glob("changes-*.found")
        found = [json.loads(line) for file in files for line in file.read_text().splitlines()]
        return {(each["file"], each["place"]): each for each in sorted(found, key=lambda each: float(each["seconds"]))}

    before = tried()

    def done(each: dict[str, Any]) -> bool:
        known = before.get((each["file"], each["place"]))
        return known is not None and (
            bool(known["caught"]) or known["seconds"] >= options.seconds or known["tests"] == known["of"]
        )

    left = [each for each in wanted if not done(each)]
    print(f"{len(left)} changes of {len(wanted)} are to be tried", file=sys.stderr)

    def run(job: int) -> None:
        lists[job].write_text("".join(json.dumps(each) + "\n" for each in left[job :: options.jobs]))
        pytest(copied(folder / f"tree-{job}"), ["-n", "0"], WRONG_CHANGES=str(lists[job]))

    if left:
        with ThreadPoolExecutor(options.jobs) as pool:
            list(pool.map(run, range(options.jobs)))
    asked, after = {(each["file"], each["place"]) for each in wanted}, tried()
    summary([after[place] for place in sorted(asked & set(after))])
    return 0


if __name__ == "__main__":
    sys.exit(main())

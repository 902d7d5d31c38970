"""Classification beside ELK, in the same run: whole commands, reasoning alone, peak memory, growth.

    python benchmarks/reasoning.py [--only go+yeast stripped galen snomed tangled] [--rounds 3] [--growth]
    python benchmarks/reasoning.py --threads 1 2 [--rounds 4]

`elgeo classify` writes every subsumption; ELK's command line writes the reduced taxonomy. Reasoning alone is our
saturation in a process of its own, kernels loaded, beside the stages that ELK logs between loading and writing. The
quickest of several rounds counts, for the peer as for us. `snomed` is generated with the size and shape of a clinical
terminology, `tangled` with 50,000 classes that nearly all hang together in cycles. With `--threads` only the
reasoning of `snomed` is timed, by so many threads in turn. The peer needs java and peers/elk.sh (ELGEO_PEERS).
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from _load_input import write_functional as write_yeast
from common import data_folder, measured, peers_folder
from elgeo.ontology.generation.generate import generate
from elgeo.ontology.writing.functional import write_functional

CASES = ("go+yeast", "stripped", "galen", "snomed", "tangled")
ALONE = """
import json, sys, time
import elgeo
from elgeo.ontology import normalise, read
from elgeo.reasoning import saturate
forms = normalise(read(sys.argv[1]))
seconds = []
for _ in range(int(sys.argv[2])):
    started = time.perf_counter()
    saturation = saturate(forms)
    seconds.append(time.perf_counter() - started)
print(json.dumps(min(seconds)))
"""
THREADS = """
import hashlib, json, os, sys, time
from elgeo.ontology import normalise
from elgeo.ontology.generation.generate import generate
from elgeo.reasoning import saturate
classes, rounds, *several = sys.argv[1:]
forms = normalise(generate("snomed", classes=int(classes), seed=0))
seconds, answers = {}, set()
for number in several * (int(rounds) + 1):  # the first round gets the memory, and compiles if need be
    os.environ["ELGEO_THREADS"] = number
    started = time.perf_counter()
    saturation = saturate(forms)
    seconds.setdefault(number, []).append(time.perf_counter() - started)
    answers.add(hashlib.sha256(saturation.subsumer_start.tobytes() + saturation.subsumers.tobytes()).hexdigest())
assert len(answers) == 1, "threads change the answer"
print(json.dumps({number: min(found[1:]) for number, found in seconds.items()}))
"""
STAGES = (
    "Property Saturation Initialization",
    "Reflexive Property Computation",
    "Object Property Hierarchy and Composition Computation",
    "Context Initialization",
    "Consistency Checking",
    "Class Taxonomy Computation",
)
"""What ELK logs between loading and writing."""


def write_case(name: str, data: Path, folder: Path, classes: int) -> Path:
    """The ontology of a case in functional syntax."""
    path = folder / f"{name}.ofn"
    if name == "go+yeast":
        write_yeast(data, path)
    elif name == "snomed":
        write_functional(generate("snomed", classes=classes, seed=0), path)
    elif name == "tangled":
        write_functional(generate("tangled", classes=50_000, seed=0), path)
    else:
        source = {"stripped": "go/go_2019-01-27_el_stripped.ofn.gz", "galen": "galen/galen-el.ofn.gz"}[name]
        with gzip.open(data / source) as packed, path.open("wb") as file:
            shutil.copyfileobj(packed, file)
    return path


def ours(path: Path, out: Path, rounds: int) -> tuple[float, float, float, int]:
    """Seconds end to end, seconds of saturation, peak MB, subsumptions written."""
    command = [sys.executable, "-m", "elgeo", "classify", str(path), "-o", str(out)]
    # the first call compiles modules, and kernels if need be: later ones find them, as those of an installed package do
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(out.parent / "bytecode")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    runs = [measured(command, env=environment) for _ in range(rounds + 1)][1:]
    best = min(runs, key=lambda run: run.seconds)
    alone = json.loads(measured([sys.executable, "-c", ALONE, str(path), str(rounds)]).output)
    with out.open("rb") as file:
        lines = sum(chunk.count(b"\n") for chunk in iter(lambda: file.read(1 << 20), b""))
    return best.seconds, alone, best.peak_bytes / 2**20, lines


def elks(script: Path, path: Path, out: Path, rounds: int) -> tuple[float, float, float]:
    """Seconds end to end, seconds of the logged reasoning stages, peak MB."""
    found = []
    for _ in range(rounds):
        run = measured(["bash", str(script), str(path), str(out)], stderr=subprocess.STDOUT)
        stages = sum(int(ms) for ms in re.findall(rf"(?:{'|'.join(STAGES)}) took (\d+) ms", run.output)) / 1000
        found.append((run.seconds, stages, run.peak_bytes / 2**20))
    return min(found)


def by_threads(classes: int, rounds: int, several: list[int]) -> None:
    words = [sys.executable, "-c", THREADS, str(classes), str(rounds), *map(str, several)]
    seconds = json.loads(measured(words).output)
    first = seconds[str(several[0])]
    print(f"{classes:,} generated classes, the quickest of {rounds} rounds; the same answer each time")
    for number, found in seconds.items():
        print(f"{number:>3} threads {found:>8.2f} s {first / found:>8.2f} times as fast")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=CASES, default=CASES)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--classes", type=int, default=350_000, help="size of the generated ontology")
    parser.add_argument("--growth", action="store_true", help="also 1 to 8 times 50,000 generated classes")
    parser.add_argument("--threads", nargs="+", type=int, help="only the generated ontology, by so many threads")
    options = parser.parse_args()
    if options.threads:
        by_threads(options.classes, options.rounds, options.threads)
        return
    data, peers = data_folder(), peers_folder()
    script = peers / "elk.sh" if peers and shutil.which("java") else None
    if script is None:
        print("ELK is not measured: it needs java and the folder of peers (ELGEO_PEERS)")
    print(f"{'':<12}{'end to end s':>28}{'reasoning s':>28}{'peak MB':>18}{'subsumptions':>14}")
    print(f"{'':<12}{'elgeo':>10}{'ELK':>9}{'ratio':>9}{'elgeo':>10}{'ELK':>9}{'ratio':>9}{'elgeo':>9}{'ELK':>9}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for case in options.only:
            path = write_case(case, data, folder, options.classes)
            rounds = min(options.rounds, 2) if case == "snomed" else options.rounds
            whole, alone, peak, pairs = ours(path, folder / "ours.tsv", rounds)
            line = f"{case:<12}{whole:>10.2f}"
            if script:
                elk_whole, elk_alone, elk_peak = elks(script, path, folder / "elk.ofn", rounds)
                line += f"{elk_whole:>9.2f}{elk_whole / whole:>8.1f}×{alone:>10.2f}{elk_alone:>9.2f}"
                line += f"{elk_alone / alone:>8.1f}×{peak:>9.0f}{elk_peak:>9.0f}{pairs:>14,}"
            else:
                line += f"{alone:>28.2f}{peak:>27.0f}{pairs:>23,}"
            print(line, flush=True)
        if options.growth:
            print(f"\ngrowth{'end to end s':>18}{'reasoning s':>14}{'peak MB':>10}{'subsumptions':>14}")
            for times in (1, 2, 4, 8):
                path = write_case("snomed", data, folder, times * 50_000)
                whole, alone, peak, pairs = ours(path, folder / "ours.tsv", 1)
                print(f"{times:>5}×{whole:>18.2f}{alone:>14.2f}{peak:>10.0f}{pairs:>14,}", flush=True)


if __name__ == "__main__":
    main()

"""Reading and normalising beside OWLAPI + jcel through mOWL: seconds, peak memory, growth.

    python benchmarks/load.py [--copies 1 2 4 8] [--rounds 3]

The input is the Gene Ontology with yeast proteins, their functions and interactions (363,000 axioms, 385,000 in normal
form), written to a temporary folder in functional syntax and RDF/XML. Every measurement is a fresh process; of several
rounds the quickest counts, for the peer as for us. mOWL is the Python in ELGEO_MOWL, or made by peers/mowl-env.sh in a
cache folder.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from _load_input import write_functional, write_rdf
from common import data_folder, measured, mowl_python

HERE = Path(__file__).parent
TARGETS = {"functional syntax": 8, "RDF/XML": 4}
"""How many times quicker than the peer we want to be."""
MEMORY_TARGET = 1 / 3


def cost(python: str, script: str, path: Path, rounds: int) -> dict[str, Any]:
    """The quickest of several runs: what the script printed, the whole process, its peak memory."""
    runs = []
    for _ in range(rounds):
        run = measured([python, str(HERE / script), str(path)])
        runs.append(json.loads(run.output.splitlines()[-1]) | {"process": run.seconds, "peak": run.peak_bytes})
    return min(runs, key=lambda found: found["read"] + found["normalise"])


def line(who: str, found: dict[str, Any]) -> str:
    total = found["read"] + found["normalise"]
    return (
        f"  {who:<24}{found['read']:>8.2f}{found['normalise']:>11.2f}{total:>8.2f}{found['process']:>10.2f}"
        f"{found['peak'] / 2**20:>10.0f}{found['axioms']:>11,}{sum(found['rows'].values()):>10,}"
    )


def beside(name: str, path: Path, mowl: str | None, rounds: int) -> None:
    print(f"{name} ({path.stat().st_size / 2**20:.0f} MB)")
    print("                          read s  normalise s  total s  process s   peak MB     axioms      rows")
    ours = cost(sys.executable, "_load_ours.py", path, rounds)
    print(line("elgeo", ours))
    if mowl is None:
        return
    peer = cost(mowl, "_load_mowl.py", path, rounds)
    print(line("OWLAPI + jcel (mOWL)", peer))
    quicker = (peer["read"] + peer["normalise"]) / (ours["read"] + ours["normalise"])
    share = ours["peak"] / peer["peak"]
    print(f"  {quicker:.1f} times quicker (wanted: {TARGETS[name]}),", end=" ")
    print(f"{share:.2f} of the memory (wanted: {MEMORY_TARGET:.2f} or less)")


def growth(data: Path, folder: Path, copies: list[int], rounds: int) -> None:
    print("growth, functional syntax, each copy with names of its own")
    print("    copies     axioms    read s  normalise s   peak MB   s/million axioms   bytes/axiom")
    for number in copies:
        path = folder / f"x{number}.ofn"
        write_functional(data, path, number)
        found = cost(sys.executable, "_load_ours.py", path, rounds)
        path.unlink()
        axioms, total = found["axioms"], found["read"] + found["normalise"]
        print(
            f"  {number:>8}{axioms:>11,}{found['read']:>10.2f}{found['normalise']:>13.2f}{found['peak'] / 2**20:>10.0f}"
            f"{total / axioms * 1e6:>19.2f}{found['peak'] / axioms:>14.0f}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--copies", type=int, nargs="*", default=[1, 2, 4, 8], help="sizes of the growth table")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    data, mowl = data_folder(), mowl_python()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        inputs = {"functional syntax": folder / "yeast.ofn", "RDF/XML": folder / "yeast.owl"}
        write_functional(data, inputs["functional syntax"])
        write_rdf(data, inputs["RDF/XML"])
        # kernels are compiled once for an installation, before anything is measured
        measured([sys.executable, str(HERE / "_load_ours.py"), str(inputs["functional syntax"])])
        for syntax, path in inputs.items():
            beside(syntax, path, mowl, options.rounds)
        growth(data, folder, options.copies, options.rounds)


if __name__ == "__main__":
    main()

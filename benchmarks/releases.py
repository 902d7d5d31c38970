"""Counts of a back-test, made again by a plain reading of two OBO files; what this and placing new terms takes.

    python benchmarks/releases.py [OLD.obo.gz NEW.obo.gz]

Nothing of elgeo is used for the second count: lines are cut at their colons, what follows is found by walking up.
Without files those of GO are taken from the data folder. What models make of a back-test: `back_test.py`.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

from common import go_releases

ISA = "is_a"


def plainly_read(path: Path) -> tuple[dict[str, set[tuple[str, str]]], dict[str, set[tuple[str, str]]]]:
    """Living terms with what their lines say, (relation, term); and the same with what definitions say too."""
    told: dict[str, set[tuple[str, str]]] = {}
    defined: dict[str, set[tuple[str, str]]] = {}
    stanza, term = "", ""
    obsolete = set()
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            tag, _, value = line.strip().partition(": ")
            names = value.partition(" !")[0].partition(" {")[0].split()
            if line.startswith("["):
                stanza = line.strip()
            elif stanza != "[Term]":
                continue
            elif tag == "id":
                term = names[0]
                told[term], defined[term] = set(), set()
            elif tag == "is_obsolete" and names == ["true"]:
                obsolete.add(term)
            elif tag == ISA:
                told[term].add((ISA, names[0]))
            elif tag == "relationship":
                told[term].add((names[0], names[1]))
            elif tag == "intersection_of":
                defined[term].add((ISA, names[0]) if len(names) == 1 else (names[0], names[1]))
    for term in obsolete:
        del told[term], defined[term]
    return told, {term: told[term] | defined[term] for term in told}


def above(said: dict[str, set[tuple[str, str]]], term: str) -> set[str]:
    found, todo = {term}, [term]
    while todo:
        for relation, other in said[todo.pop()]:
            if relation == ISA and other not in found:
                found.add(other)
                todo.append(other)
    return found


def counted(old_file: Path, new_file: Path) -> dict[str, object]:
    """The counts of `elgeo dataset releases`, those that need no reasoner."""
    old, old_said = plainly_read(old_file)
    new, _ = plainly_read(new_file)
    both = old.keys() & new.keys()
    came: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for term in both:
        for relation, other in new[term] - old[term]:
            if other in both:
                came[relation].append((term, other))
    fresh = [(term, other) for term in new.keys() - old.keys() for r, other in new[term] if r == ISA and other in both]
    return {
        "old": len(old),
        "new": len(new),
        "kept": len(both),
        "gone": len(old) - len(both),
        "is_a that came": len(came[ISA]),
        "is_a held out": sum(other not in above(old_said, term) for term, other in came[ISA]),
        "relations that came": sum(len(pairs) for relation, pairs in came.items() if relation != ISA),
        "part_of that came": len(came["part_of"]),
        "new terms with an old parent": len({term for term, _ in fresh}),
        "is_a of new terms": len(fresh),
    }


def ours(old: Path, new: Path, folder: Path) -> tuple[dict[str, object], float]:
    started = time.perf_counter()
    command = [sys.executable, "-m", "elgeo", "dataset", "releases", str(old), str(new), "-o", str(folder), "--json"]
    made = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout)
    seconds = time.perf_counter() - started
    classes, axioms = made["classes"], made["axioms"]
    isa = axioms["?C SubClassOf ?D"]
    return {
        **{key: classes[key] for key in ("old", "new", "kept", "gone")},
        "is_a that came": isa["came"],
        "is_a held out": isa["held_out"],
        "relations that came": sum(found["came"] for found in axioms.values()) - isa["came"],
        "part_of that came": axioms["?C SubClassOf 'part of' some ?D"]["came"],
        "new terms with an old parent": isa["new_terms"],
        "is_a of new terms": isa["of_new_terms"],
    }, seconds


def placing(folder: Path, run: Path) -> list[dict[str, float]]:
    """Processor seconds and memory of `elgeo place` on the old release: a run that has to learn, then one that has."""
    train = [sys.executable, "-m", "elgeo", "train", str(folder / "subclass"), "--model", "naive", "-o", str(run)]
    subprocess.run(train, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    worker = [sys.executable, str(Path(__file__).with_name("_place_terms.py")), str(run), str(folder / "new_terms.tsv")]
    return [json.loads(subprocess.run(worker, check=True, stdout=subprocess.PIPE).stdout) for _ in range(2)]


def checksum(folder: Path) -> str:
    total = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        total.update(path.relative_to(folder).as_posix().encode() + path.read_bytes())
    return total.hexdigest()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("releases", nargs="*", type=Path, metavar="OLD NEW", help="two releases [GO's]")
    old, new = parser.parse_args().releases or go_releases()
    plain = counted(old, new)
    with tempfile.TemporaryDirectory() as place:
        first, seconds = ours(old, new, Path(place) / "a" / "back-test")
        ours(old, new, Path(place) / "b" / "back-test")
        same = checksum(Path(place) / "a") == checksum(Path(place) / "b")
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        asked = placing(Path(place) / "a" / "back-test", Path(place) / "run")
    for key, value in plain.items():
        print(f"{key:30} {value:>8,} {first[key]:>8,} {'' if value == first[key] else 'DIFFERENT'}")
    print(f"twice the same bytes: {'yes' if same else 'NO'}; {seconds:.1f} s, {peak:,.0f} MiB")
    for what, found in zip(("learns", "has learnt"), asked, strict=True):
        print(
            f"place, a run that {what}: {found['ready']:.0f} s of processor to the first answer, then"
            f" {1000 * found['alone']:.0f} ms a term one by one, {1000 * found['together']:.0f} ms in a batch;"
            f" {found['peak']:,.0f} MiB"
        )
    return 0 if same and plain == first else 1


if __name__ == "__main__":
    sys.exit(main())

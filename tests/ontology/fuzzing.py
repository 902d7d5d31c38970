"""Fuzzes the readers: mutated files in every syntax end in an ontology or in a `ReadError`, in time, without a crash.

    python -m tests.ontology.fuzzing --inputs 10000 --jobs 2

Each input is made from its number alone, so a failure is repeated with `--first NUMBER --inputs 1 --keep FOLDER`.
"""

from __future__ import annotations

import argparse
import bz2
import gzip
import io
import lzma
import random
import re
import selectors
import subprocess
import sys
import tempfile
import time
import traceback
import zipfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
SECONDS = 20.0
"""How long one input may take before it counts as hanging (the first compiles kernels and may take longer)."""
_TOKENS = re.compile(rb"[A-Za-z0-9_:.#/-]+|\s+|.", re.DOTALL)
_WORD = re.compile(rb"[A-Za-z]+(?::[A-Za-z]+)?")
_IRI = re.compile(rb"http://[^\s\"<>]+")
_ODD = [
    *rb"""\ @ ^^ _: : = # ( ) { } [ ] ]]> <!-- <![CDATA[ <?x /> < > <> " ' & ; . , -1 &a; &#0; &lt; \u0000""".split(),
    *b"owl:Thing rdf:nil Annotation( HasKey( Import(<u:x>) DLSafeRule( rdf:parseType='Collection'".split(),
    *(b"", b" ", b"\0", b"\n", b"\r", b"\xff\xfe", b"\xc3", b"is_a: ", b"[Term]\n", b"! ", b"<http://x y>"),
    *(b"9" * 400, b"A" * 70_000, "\u00e9\u2028\U0001f600".encode()),
]
_ENCODINGS = [
    *("idna", "undefined", "utf-7", "utf-16", "utf-32", "shift_jis", "big5", "cp037", "punycode", "klingon", "hex"),
    *("ascii", "latin-1", "utf8"),
]
OBO = b"""format-version: 1.2
ontology: toy
idspace: MY http://my.org/ "mine"

[Term]
id: T:1
name: one
alt_id: T:01
def: "A thing." [X:1, PMID:2 "paper"]
synonym: "uno" EXACT [] {x="y"}
is_a: T:2 {source="a"} ! two
relationship: part_of T:4 {gci_relation="has_x", gci_filler="T:5"}
intersection_of: T:2
intersection_of: part_of T:4
disjoint_from: T:5

[Typedef]
id: part_of
xref: BFO:0000050
is_transitive: true
is_a: overlaps
holds_over_chain: has_x overlaps

[Instance]
id: I:1
instance_of: T:1
"""


def seeds(folder: Path) -> list[tuple[str, bytes]]:
    """Good files to start from: a name and bytes for each."""
    import pyhornedowl
    import pyoxigraph

    from elgeo.ontology.writing.functional import write_functional
    from tests.ontology.random_owl import RandomOwl

    found: list[tuple[str, bytes]] = [("seed.obo", OBO)]
    for seed in range(3):
        ofn, owl, owx = (folder / f"seed.{ending}" for ending in ("ofn", "owl", "owx"))
        write_functional(RandomOwl(seed, for_rdf=True).ontology(12 + 20 * seed), ofn)
        text = ofn.read_text().replace("\n)", '\nAnnotationAssertion(rdfs:label <http://ex.org/A> "a \\"b\\""@en)\n)')
        peer = pyhornedowl.open_ontology_from_string(text, "ofn")
        peer.save_to_file(str(owl), serialization="owl")
        peer.save_to_file(str(owx), serialization="owx")
        triples = [
            pyoxigraph.Triple(t.subject, t.predicate, t.object)
            for t in pyoxigraph.parse(owl.read_bytes(), pyoxigraph.RdfFormat.RDF_XML)
        ]
        turtle: Any = pyoxigraph.serialize(triples, format=pyoxigraph.RdfFormat.TURTLE)
        found += [
            ("seed.ofn", text.encode()),
            ("seed.owl", owl.read_bytes()),
            ("seed.owx", owx.read_bytes()),
            ("seed.ttl", turtle),
        ]
    return found


def mutated(data: bytes, other: bytes, chance: random.Random) -> bytes:
    """The data after one random change; most of them leave the tokens whole and change what they say."""
    size = len(data)
    a, b = sorted((chance.randint(0, size), chance.randint(0, size)))
    if chance.random() < 0.7:
        b = min(size, a + chance.randint(0, 60))
    raw: list[Callable[[], bytes]] = [
        lambda: data[:a],
        lambda: data[:a] + data[b:],
        lambda: data[:b] + data[a:b] * chance.randint(1, 3) + data[b:],
        lambda: data[:a] + other[a : chance.randint(a, a + 500)] + data[b:],
        lambda: data[:a] + chance.choice(_ODD) + data[chance.choice([a, b]) :],
        lambda: data[:a] + data[a:b] * chance.choice([100, 1200]) + data[b:] if b - a < 100 else data,
        lambda: _flipped(data, chance),
        lambda: _shuffled(_TOKENS.findall(data), chance),
        lambda: _declared(data, chance),
    ]
    meant: list[Callable[[], bytes]] = [
        lambda: _shuffled(data.splitlines(keepends=True), chance),
        lambda: _without_lines(data, chance),
        lambda: _replaced(_IRI, data, data, chance),
        lambda: _replaced(_WORD, data, chance.choice([data, other]), chance),
        lambda: _replaced(_WORD, data, data, chance, everywhere=True),
    ]
    return chance.choice(raw if chance.random() < 0.4 else meant)()


def _declared(data: bytes, chance: random.Random) -> bytes:
    """The document with an XML declaration that says it is in some encoding, which it most often is not."""
    declaration = f'<?xml version="1.0"{" " * chance.choice([1, 1, 900, 2000])}encoding="{chance.choice(_ENCODINGS)}"?>'
    return declaration.encode() + re.sub(rb"^\s*<\?xml[^>]*>", b"", data)


def _packed(data: bytes, chance: random.Random) -> bytes:
    """The data compressed in one of the ways that are read."""
    way = chance.choice(["gzip", "bzip2", "xz", "zip"])
    if way == "zip":
        made = io.BytesIO()
        with zipfile.ZipFile(made, "w", chance.choice([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])) as archive:
            for i in range(chance.choice([1, 1, 1, 2])):
                archive.writestr(zipfile.ZipInfo(f"o{i}.owl"), data)
        return made.getvalue()
    return gzip.compress(data, mtime=0) if way == "gzip" else (bz2 if way == "bzip2" else lzma).compress(data)


def _flipped(data: bytes, chance: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(chance.randint(1, 8)):
        if changed:
            changed[chance.randrange(len(changed))] ^= 1 << chance.randint(0, chance.choice([5, 7]))
    return bytes(changed)


def _shuffled(parts: list[bytes], chance: random.Random) -> bytes:
    for _ in range(chance.randint(1, 4)):
        if parts:
            i, j = chance.randrange(len(parts)), chance.randrange(len(parts))
            parts[i], parts[j] = parts[j], parts[i] if chance.random() < 0.5 else parts[j]
    return b"".join(parts)


def _without_lines(data: bytes, chance: random.Random) -> bytes:
    lines = data.splitlines(keepends=True)
    at = chance.randint(0, len(lines))
    return b"".join(lines[:at] + lines[at + chance.randint(1, 4) :])


def _replaced(
    pattern: re.Pattern[bytes], data: bytes, pool: bytes, chance: random.Random, everywhere: bool = False
) -> bytes:
    places, values = list(pattern.finditer(data)), pattern.findall(pool)
    if not places or not values:
        return data
    place, value = chance.choice(places), chance.choice(values)
    if everywhere:
        return data.replace(place[0], value)
    return data[: place.start()] + value + data[place.end() :]


def made(number: int, good: list[tuple[str, bytes]]) -> tuple[str, bytes]:
    """The name and content of the input with this number."""
    chance = random.Random(number)
    name, data = chance.choice(good)
    if chance.random() < 0.1:
        data = _packed(data, chance)
    for _ in range(chance.choice([1, 1, 1, 2, 3, 6])):
        data = mutated(data, chance.choice(good)[1], chance)
    if chance.random() < 0.1:
        data = _packed(data, chance)
    return (name if chance.random() < 0.7 else "seed.owl"), data


def work(first: int, step: int, stop: int, keep: Path | None) -> None:
    """Read inputs and print a line for each: its number and `read`, `refused`, or what went wrong."""
    from elgeo.errors import LONGEST_MESSAGE, ReadError
    from elgeo.ontology import read

    with tempfile.TemporaryDirectory() as folder:
        good = seeds(Path(folder))
        for path in Path(folder).iterdir():
            path.unlink()
        print("ready", flush=True)
        for number in range(first, stop, step):
            name, data = made(number, good)
            file = Path(folder) / name
            file.write_bytes(data)
            if keep:
                (keep / f"{number}-{name}").write_bytes(data)
            print(number, "start", flush=True)
            try:
                ontology = read(file)
                said = [*ontology.warnings, repr(ontology)]
                wordy = [text for text in said if len(text) > LONGEST_MESSAGE or "\n" in text]
                outcome = f"too many words: {wordy[0]!r}" if wordy or len(said) > 20 else "read"
            except ReadError as error:
                clean = str(error).startswith(str(folder)) and "\n" not in str(error)
                clean &= len(str(error)) <= LONGEST_MESSAGE
                outcome = "refused" if clean else f"unclear message: {str(error)!r}"
            except BaseException:
                outcome = "failed: " + traceback.format_exc().replace("\n", " | ")
            print(number, outcome, flush=True)
            file.unlink()


def fuzz(inputs: int, jobs: int = 1, first: int = 0, keep: Path | None = None) -> tuple[Counter[str], list[str]]:
    """Run so many inputs in processes of their own; counts of outcomes, and every failure with its number."""
    outcomes: Counter[str] = Counter()
    failures: list[str] = []
    selector = selectors.DefaultSelector()

    def start(begin: int) -> None:
        command = [sys.executable, "-m", "tests.ontology.fuzzing"]
        command += ["--worker", str(begin), str(jobs), str(first + inputs), *(["--keep", str(keep)] if keep else [])]
        process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        assert process.stdout
        selector.register(process.stdout, selectors.EVENT_READ, [process, begin, time.monotonic() + 120])

    for job in range(min(jobs, inputs)):
        start(first + job)
    while selector.get_map():
        ready = {key.fd for key, _ in selector.select(1.0)}
        for key in list(selector.get_map().values()):
            process, number, deadline = key.data
            line = key.fileobj.readline() if key.fd in ready else ""  # type: ignore[union-attr]
            if line:
                word, _, outcome = line.strip().partition(" ")
                if outcome and outcome != "start":
                    outcomes[outcome if outcome in ("read", "refused") else "failed"] += 1
                    if outcome not in ("read", "refused"):
                        failures.append(f"{word}: {outcome}")
                    key.data[1] = int(word) + jobs
                elif outcome == "start":
                    key.data[1] = int(word)
                key.data[2] = time.monotonic() + (SECONDS if word != "ready" else 120)
            elif key.fd in ready or time.monotonic() > deadline:
                selector.unregister(key.fileobj)
                hung = process.poll() is None and key.fd not in ready
                process.kill()
                if process.wait() == 0 and not hung:
                    continue
                outcomes["failed"] += 1
                failures.append(f"{number}: {'hangs' if hung else f'the process died ({process.returncode})'}")
                if number + jobs < first + inputs:
                    start(number + jobs)
    return outcomes, failures


def main() -> int:
    """Fuzz, and say what happened."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inputs", type=int, default=10_000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--first", type=int, default=0, help="number of the first input")
    parser.add_argument("--keep", type=Path, help="folder to keep the inputs in")
    parser.add_argument("--worker", type=int, nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.keep:
        options.keep = options.keep.resolve()
        options.keep.mkdir(parents=True, exist_ok=True)
    if options.worker:
        first, step, stop = options.worker
        work(first, step, stop, options.keep)
        return 0
    started = time.monotonic()
    outcomes, failures = fuzz(options.inputs, options.jobs, options.first, options.keep)
    print(*failures, sep="\n")
    counts = ", ".join(f"{count} {outcome}" for outcome, count in outcomes.items())
    print(f"{sum(outcomes.values())} inputs in {time.monotonic() - started:.0f} s: {counts}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

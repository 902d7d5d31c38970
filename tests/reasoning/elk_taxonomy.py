"""ELK's taxonomy files read with a few regular expressions, and closed into pairs."""

from __future__ import annotations

import gzip
import re
from collections import defaultdict
from pathlib import Path

NOTHING = "http://www.w3.org/2002/07/owl#Nothing"
THING = "http://www.w3.org/2002/07/owl#Thing"


class ElkTaxonomy:
    """Named classes, strict subsumptions (as `elgeo classify` lists them) and classes equivalent to owl:Thing."""

    def __init__(self, path: Path) -> None:
        text = gzip.decompress(path.read_bytes()).decode() if path.suffix == ".gz" else path.read_text()
        prefixes = dict(re.findall(r"Prefix\(\s*(\w*):\s*=\s*<([^>]*)>\s*\)", text))
        above: dict[str, set[str]] = defaultdict(set)
        self.classes: set[str] = set()

        def names(arguments: str) -> list[str]:
            found = []
            for whole, prefix, local in re.findall(r"<([^>]*)>|([\w-]*):([\w.-]+)", arguments):
                found.append(whole or prefixes.get(prefix, "http://www.w3.org/2002/07/owl#") + local)
            return found

        for kind, arguments in re.findall(r"(Declaration\(Class|EquivalentClasses|SubClassOf)\(([^()]*)\)", text):
            found = names(arguments)
            self.classes |= set(found)
            if kind == "EquivalentClasses":
                for i, name in enumerate(found):
                    above[name].add(found[i - 1])
            elif kind == "SubClassOf":
                above[found[0]].add(found[1])
        self.classes -= {NOTHING, THING}
        self.consistent = NOTHING not in _reached(THING, above)
        self.like_thing = (_reached(THING, above) | {c for c in self.classes if not self.consistent}) - {THING, NOTHING}
        self.pairs: set[tuple[str, str]] = set()
        for name in self.classes:
            supers = _reached(name, above) | self.like_thing
            if NOTHING in supers or not self.consistent:
                self.pairs.add((name, NOTHING))
            else:
                self.pairs |= {(name, other) for other in supers - {name, THING}}


def _reached(start: str, above: dict[str, set[str]]) -> set[str]:
    found, todo = {start}, [start]
    while todo:
        new = above.get(todo.pop(), set()) - found
        found |= new
        todo += new
    return found

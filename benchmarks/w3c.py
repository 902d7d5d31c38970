"""Verdicts on the W3C's test cases of OWL 2: those of the EL profile, and what is unsound on all others.

    ELGEO_W3C=all.rdf python benchmarks/w3c.py

The file is the W3C's export of all test cases; it travels inside the source package of funowl (tests/data/all.rdf).
Without it nothing is compared. Only cases of OWL 2 DL and the direct semantics count. A conclusion follows if each of
its axioms does. Outside the profile nothing is promised but that what we say is right: there `missing` is counted, not
listed.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree
from xml.sax.saxutils import quoteattr

import elgeo
from elgeo.errors import ElgeoError
from elgeo.reasoning.questions.answers import ENTAILED
from elgeo.reasoning.questions.question import Question

TEST = "{http://www.w3.org/2007/OWL/testOntology#}"
RDF = "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}"
ENDINGS = {"rdfXml": ".rdf", "fs": ".ofn"}


@dataclass(frozen=True)
class Case:
    """One test case: texts by what they are and in which syntax."""

    name: str
    kinds: frozenset[str]
    in_profile: bool
    texts: dict[tuple[str, str], str]
    imports: tuple[tuple[str, str], ...]


def cases(path: Path) -> Iterator[Case]:
    """The cases of a file that are OWL 2 DL, about the direct semantics, and ask for more than a profile."""
    root = ElementTree.parse(path).getroot()
    documents = {each.get(RDF + "about"): each for each in root}
    for each in root.iter(TEST + "TestCase"):
        if "DIRECT" not in _values(each, "semantics") or "DL" not in _values(each, "species"):
            continue
        texts = {
            (part, syntax): found.text or ""
            for part in ("Premise", "Conclusion", "NonConclusion", "Input")
            for syntax in ENDINGS
            if (found := each.find(f"{TEST}{syntax}{part}Ontology")) is not None
        }
        imports = tuple(
            (document.find(TEST + "importedOntologyIRI").get(RDF + "resource"), text.text or "")  # type: ignore[union-attr, misc]
            for link in each.findall(TEST + "importedOntology")
            if (document := documents.get(link.get(RDF + "resource"))) is not None
            and (text := document.find(TEST + "rdfXmlInputOntology")) is not None
        )
        kinds = frozenset(link.get(RDF + "resource", "").split("#")[-1] for link in each.findall(RDF + "type"))
        kinds &= {"ConsistencyTest", "InconsistencyTest", "PositiveEntailmentTest", "NegativeEntailmentTest"}
        name = each.findtext(TEST + "identifier") or ""
        if kinds:
            yield Case(name, kinds, "EL" in _values(each, "profile"), texts, imports)


def _values(case: ElementTree.Element, name: str) -> list[str]:
    return [link.get(RDF + "resource", "").split("#")[-1] for link in case.findall(TEST + name)]


def judged(case: Case, folder: Path) -> Iterator[tuple[str, str]]:
    """(kind of test, `right`, `unsound`, `missing` or `unreadable: why`) in each syntax that a case comes in."""
    for syntax in ENDINGS:
        told = case.texts.get(("Premise", syntax), case.texts.get(("Input", syntax)))
        if told is None:
            continue
        try:
            reasoner = elgeo.Reasoner(elgeo.read(_file(folder, "premise", syntax, told, case.imports)))
            consistent = reasoner.consistent
        except ElgeoError as error:
            yield "reading", f"unreadable: {error}"
            continue
        if "ConsistencyTest" in case.kinds:
            yield "ConsistencyTest", "right" if consistent else "unsound"
        if "InconsistencyTest" in case.kinds:
            yield "InconsistencyTest", "missing" if consistent else "right"
        for part, kind, wrong in (
            ("Conclusion", "PositiveEntailmentTest", "missing"),
            ("NonConclusion", "NegativeEntailmentTest", "unsound"),
        ):
            asked = case.texts.get((part, syntax))
            if kind in case.kinds and asked is not None:
                try:
                    follows = _follows(reasoner, _file(folder, "asked", syntax, asked, case.imports))
                    yield kind, "right" if follows == (part == "Conclusion") else wrong
                except ElgeoError as error:
                    yield kind, f"unreadable: {error}"


def _file(folder: Path, name: str, syntax: str, text: str, imports: tuple[tuple[str, str], ...]) -> Path:
    entries = []
    for number, (iri, imported) in enumerate(imports):
        (folder / f"import{number}.rdf").write_text(imported, encoding="utf-8")
        entries.append(f"<uri name={quoteattr(iri)} uri={quoteattr(f'import{number}.rdf')}/>")
    catalog = "<catalog xmlns='urn:oasis:names:tc:entity:xmlns:xml:catalog'>" + "".join(entries) + "</catalog>"
    (folder / "catalog-v001.xml").write_text(catalog, encoding="utf-8")
    path = folder / (name + ENDINGS[syntax])
    path.write_text(text, encoding="utf-8")
    return path


def _follows(reasoner: elgeo.Reasoner, path: Path) -> bool:
    asked = elgeo.read(path)
    verdicts = [reasoner.answers.verdict(Question(asked, axiom.node)) for axiom in asked.axioms]
    return all(verdict == ENTAILED for verdict in verdicts)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("file", nargs="?", type=Path, default=os.environ.get("ELGEO_W3C"), help="all.rdf of the W3C")
    options = parser.parse_args()
    if options.file is None or not Path(options.file).exists():
        print("skipped: the W3C's cases (name their file all.rdf, or set ELGEO_W3C)")
        sys.exit(0)
    counts: Counter[tuple[str, str, str]] = Counter()
    with tempfile.TemporaryDirectory() as temporary:
        for case in cases(Path(options.file)):
            where = "EL" if case.in_profile else "outside EL"
            for kind, verdict in judged(case, Path(temporary)):
                counts[where, kind, verdict.split(":")[0]] += 1
                if verdict == "unsound" or (case.in_profile and verdict != "right") or kind == "reading":
                    print(where, case.name, kind, verdict, sep="\t")
            counts[where, "cases", ""] += 1
    for (where, kind, verdict), count in sorted(counts.items()):
        print(f"{where}: {kind} {verdict}: {count:,}" if verdict else f"{where}: {kind}: {count:,}")


if __name__ == "__main__":
    main()

"""Verdicts beside those of HermiT on random ontologies of OWL 2 EL: what is unsound, what is missing.

    python benchmarks/hermit.py --ontologies 2000 --keep disagreements

HermiT travels inside the package owlready2 (`pip install owlready2`, or name its folder in ELGEO_OWLREADY2); a JDK is
needed. Without them nothing is compared. Where we differ from HermiT, Pellet gives a second opinion. The profile's
global restrictions hold: roles are regular, only simple roles are asked for loops, and the last role of a chain has the
ranges of the chain's result.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import random
import re
import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import elgeo
from elgeo.errors import ElgeoError
from elgeo.reasoning.questions.answers import UNDECIDED

PREFIXES = """Prefix(:=<http://example.org/>)
Prefix(owl:=<http://www.w3.org/2002/07/owl#>)
Prefix(rdf:=<http://www.w3.org/1999/02/22-rdf-syntax-ns#>)
Prefix(rdfs:=<http://www.w3.org/2000/01/rdf-schema#>)
Prefix(xsd:=<http://www.w3.org/2001/XMLSchema#>)
"""
CLASSES, INDIVIDUALS = "ABCDEF", "abc"
ROLES, SIMPLE = "rst", "rpq"
"""Chains end in t or in s, which loops may not be asked of; p and q are in no chain."""
ALL_ROLES = sorted({*ROLES, *SIMPLE})
DATA = ("d", "e", "f")
VALUES = tuple(
    f'"{value}"^^xsd:{kind}'
    for kind, values in {
        "integer": ("1", "01", "2", "-3"),
        "decimal": ("1.0", "2.5"),
        "string": ("x", "y", "x y"),
        "hexBinary": ("0a", "0A"),
        "dateTime": ("2020-01-01T00:00:00Z", "2020-01-01T01:00:00+01:00"),
        "anyURI": ("http://example.org/x",),
    }.items()
    for value in values
)
TYPES = (
    *("xsd:integer", "xsd:decimal", "xsd:nonNegativeInteger", "owl:real", "xsd:string", "xsd:token"),
    *("xsd:NCName", "xsd:dateTime", "xsd:hexBinary", "xsd:anyURI", "rdfs:Literal"),
)
"""Without owl:rational: what it shares with xsd:decimal is nothing to HermiT and Pellet, and something as well."""
ENDINGS = (".plain.ofn", ".ofn", ".questions.ofn")
FEATURES = ("nominals", "self", "assertions", "universal", "ranges", "chains", "data", "keys", "bottom")


@dataclass
class Case:
    """One random ontology and the axioms to ask for."""

    random: random.Random
    features: set[str]
    without: set[str]

    def __post_init__(self) -> None:
        if not self.features:
            self.features = {name for name in FEATURES if self.random.random() < (0.25 if name == "keys" else 0.55)}
        self.features -= self.without
        self.classes = CLASSES[: self.random.randint(3, len(CLASSES))]
        self.individuals = INDIVIDUALS[: self.random.randint(1, len(INDIVIDUALS))]
        self.values = self.random.sample(VALUES, 5)
        self.types = self.random.sample(TYPES, 4)
        self.ranges: list[tuple[str, str]] = []
        self.subroles: list[tuple[tuple[str, ...], str]] = []
        self.axioms = [self._varied(self.axiom) for _ in range(self.random.randint(4, 14))]
        self.axioms += [f"ObjectPropertyRange(:{r} {c})" for r, c in self.closed_ranges()]
        self.questions = [self._varied(self.question) for _ in range(8)]

    @staticmethod
    def _varied(make: Callable[[], str]) -> str:
        """An axiom that names nothing twice where OWL 2 wants different things."""
        while True:
            axiom = make()
            keyword, rest = axiom.split("(", 1)
            same = keyword in ("DisjointClasses", "DifferentIndividuals", "SameIndividual")
            first, _, second = rest[:-1].partition(" ") if "(" not in rest else rest[:-1].partition(") ")
            if not same or sorted(first.strip(")")) != sorted(second.strip(")")):
                return axiom

    def has(self, feature: str, chance: float = 1.0) -> bool:
        return feature in self.features and self.random.random() < chance

    def role(self) -> str:
        if self.has("universal", 0.12):
            return "owl:topObjectProperty"
        return ":" + self.random.choice(ALL_ROLES)

    def class_name(self) -> str:
        return ":" + self.random.choice(self.classes)

    def individual(self) -> str:
        return ":" + self.random.choice(self.individuals)

    def data_property(self) -> str:
        return ":" + self.random.choice(DATA)

    def data_range(self) -> str:
        roll = self.random.random()
        if roll < 0.55:
            return self.random.choice(self.types)
        if roll < 0.75:
            return f"DataOneOf({self.random.choice(self.values)})"
        return f"DataIntersectionOf({self.random.choice(self.types)} {self.random.choice(self.types)})"

    def expression(self, depth: int = 2) -> str:
        roll = self.random.random()
        if depth == 0 or roll < 0.36:
            if self.has("nominals", 0.4):
                return f"ObjectOneOf({self.individual()})"
            if self.random.random() < 0.06:
                return "owl:Thing"
            if self.has("bottom", 0.04):
                return "owl:Nothing"
            return self.class_name()
        if roll < 0.5:
            return f"ObjectIntersectionOf({self.expression(depth - 1)} {self.expression(depth - 1)})"
        if self.has("data", 0.3):
            if self.random.random() < 0.5:
                return f"DataHasValue({self.data_property()} {self.random.choice(self.values)})"
            return f"DataSomeValuesFrom({self.data_property()} {self.data_range()})"
        if self.has("self", 0.2):
            return f"ObjectHasSelf(:{self.random.choice('pq')})"
        if self.has("nominals", 0.2):
            return f"ObjectHasValue({self.role()} {self.individual()})"
        return f"ObjectSomeValuesFrom({self.role()} {self.expression(depth - 1)})"

    def axiom(self) -> str:
        roll = self.random.random()
        if self.has("assertions", 0.3):
            return self.assertion()
        if self.has("data", 0.25):
            return self.data_axiom()
        if self.has("keys", 0.25):
            return self.key()
        if self.has("ranges", 0.12):
            self.ranges.append((self.random.choice(ALL_ROLES), self.expression(1)))
        if self.has("chains", 0.2):
            return self.chain()
        if roll < 0.6:
            return f"SubClassOf({self.expression()} {self.expression()})"
        if roll < 0.7:
            return f"EquivalentClasses({self.class_name()} {self.expression()})"
        if roll < 0.78:
            return self.subrole()
        if roll < 0.86 and "bottom" in self.features:
            return f"DisjointClasses({self.expression(1)} {self.expression(1)})"
        if roll < 0.92:
            return f"ObjectPropertyDomain(:{self.random.choice(ALL_ROLES)} {self.expression(1)})"
        if roll < 0.95:
            return f"ReflexiveObjectProperty(:{self.random.choice(ALL_ROLES)})"
        return f"SubClassOf({self.class_name()} {self.expression()})"

    def subrole(self) -> str:
        low, high = self.random.choice(["rs", "rt", "st", "pq", "pr", "qs", "qt"])
        self.subroles.append(((low,), high))
        return f"SubObjectPropertyOf(:{low} :{high})"

    def chain(self) -> str:
        chain, role = self.random.choice(
            ["rs s", "rr s", "sr s", "ss s", "rs t", "st t", "ts t", "tt t", "pq s", "pqr t"]
        ).split()
        self.subroles.append((tuple(chain), role))
        return f"SubObjectPropertyOf(ObjectPropertyChain({' '.join(':' + r for r in chain)}) :{role})"

    def closed_ranges(self) -> list[tuple[str, str]]:
        """With the ranges that the last role of a chain must have where the chain's result has them."""
        found = list(dict.fromkeys(self.ranges))
        above = {r: {r} for r in ALL_ROLES}
        for _ in ALL_ROLES:
            for chain, role in self.subroles:
                for r in ALL_ROLES:
                    if len(chain) == 1 and chain[0] in above[r]:
                        above[r].add(role)
        for _ in ALL_ROLES:
            for chain, role in self.subroles:
                found += [(chain[-1], c) for r, c in found if r in above[role] and len(chain) > 1]
            found = list(dict.fromkeys(found))
        return found

    def assertion(self) -> str:
        roll = self.random.random()
        a, b = self.individual(), self.individual()
        if self.has("data", 0.25):
            kind = "NegativeDataPropertyAssertion" if self.has("bottom", 0.1) else "DataPropertyAssertion"
            return f"{kind}({self.data_property()} {a} {self.random.choice(self.values)})"
        if roll < 0.4:
            return f"ClassAssertion({self.expression()} {a})"
        if roll < 0.8:
            return f"ObjectPropertyAssertion(:{self.random.choice(ALL_ROLES)} {a} {b})"
        if roll < 0.85 and "bottom" in self.features:
            return f"NegativeObjectPropertyAssertion(:{self.random.choice(ALL_ROLES)} {a} {b})"
        if roll < 0.9 and a != b:
            return f"SameIndividual({a} {b})"
        if roll < 0.95 and a != b:
            return f"DifferentIndividuals({a} {b})"
        return f"ClassAssertion({self.class_name()} {a})"

    def data_axiom(self) -> str:
        roll = self.random.random()
        if roll < 0.25:
            low, high = self.random.choice(["de", "df", "ef"])
            return f"SubDataPropertyOf(:{low} :{high})"
        if roll < 0.45:
            return f"DataPropertyDomain({self.data_property()} {self.expression(1)})"
        if roll < 0.65:
            return f"DataPropertyRange({self.data_property()} {self.data_range()})"
        if roll < 0.85:
            return f"FunctionalDataProperty({self.data_property()})"
        if roll < 0.9:
            return "EquivalentDataProperties(:d :e)"
        return f"SubClassOf({self.class_name()} DataHasValue({self.data_property()} {self.random.choice(self.values)}))"

    def key(self) -> str:
        objects = " ".join(":" + r for r in self.random.sample(ALL_ROLES, self.random.randint(0, 2)))
        data = " ".join(":" + d for d in self.random.sample(DATA, 1 if not objects else self.random.randint(0, 1)))
        keyed = self.class_name() if self.random.random() < 0.7 else "owl:Thing"
        return f"HasKey({keyed} ({objects}) ({data if 'data' in self.features or not objects else ''}))"

    def question(self) -> str:
        roll = self.random.random()
        if roll < 0.25:
            return f"SubClassOf({self.class_name()} {self.class_name()})"
        if roll < 0.5:
            return f"SubClassOf({self.expression()} {self.expression()})"
        if roll < 0.6:
            return f"SubClassOf({self.expression()} owl:Nothing)"
        if roll < 0.7:
            return f"SubClassOf({self.class_name()} {self.expression()})"
        if roll < 0.85 and self.features & {"assertions", "nominals"}:
            return self.random.choice([
                f"ClassAssertion({self.expression()} {self.individual()})",
                f"ClassAssertion({self.class_name()} {self.individual()})",
                f"ObjectPropertyAssertion(:{self.random.choice(ALL_ROLES)} {self.individual()} {self.individual()})",
                f"SameIndividual({self.individual()} {self.individual()})",
                f"DifferentIndividuals({self.individual()} {self.individual()})",
            ])  # fmt: skip
        if roll < 0.9:
            return self.random.choice([
                f"SubObjectPropertyOf(:{self.random.choice(ALL_ROLES)} :{self.random.choice(ALL_ROLES)})",
                f"ObjectPropertyDomain(:{self.random.choice(ALL_ROLES)} {self.expression(1)})",
                f"ObjectPropertyRange(:{self.random.choice(ALL_ROLES)} {self.expression(1)})",
                f"ReflexiveObjectProperty(:{self.random.choice(ALL_ROLES)})",
                f"IrreflexiveObjectProperty(:{self.random.choice('pq')})",
                f"TransitiveObjectProperty(:{self.random.choice(ALL_ROLES)})",
                self.property_question(),
                self.property_question(),
            ])  # fmt: skip
        return f"DisjointClasses({self.expression(1)} {self.expression(1)})"

    def property_question(self) -> str:
        """One about properties alone; HermiT errs where the empty ones are functional or disjoint with others."""
        kind = self.random.choice(["Functional", "InverseFunctional", "Symmetric", "Asymmetric"])
        r, s = self.random.sample([":p", ":q", ":r"], 2)
        found = [
            f"{kind}ObjectProperty({r})",
            f"DisjointObjectProperties({r} {s})",
            f"InverseObjectProperties({r} {s})",
        ]
        r, s = self.random.sample([":p", ":q", ":s", "owl:bottomObjectProperty"], 2)
        found += [f"SubObjectPropertyOf({r} {s})", f"EquivalentObjectProperties({r} {s})"]
        if "data" in self.features:
            d, e = self.random.sample([f":{name}" for name in DATA], 2)
            found += [f"DisjointDataProperties({d} {e})", f"FunctionalDataProperty({d})", f"SubDataPropertyOf({d} {e})"]
            found += [f"DataPropertyDomain({d} {self.expression(1)})", f"DataPropertyRange({d} {self.data_range()})"]
            found += [f"EquivalentDataProperties({d} owl:bottomDataProperty)"]
        if "keys" in self.features:
            found += [self.key()] * 2
        return self.random.choice(found)

    def texts(self) -> tuple[str, str, str]:
        """The ontology; the same with names for the expressions of the questions; the questions in these names.

        Peers are asked about names: HermiT errs on conjunctions of nominals, and on intersections of data ranges, that
        it meets in a question only.
        """
        declared = [f"Declaration(Class(:{c}))" for c in CLASSES]
        declared += [f"Declaration(ObjectProperty(:{r}))" for r in ALL_ROLES]
        declared += [f"Declaration(DataProperty(:{d}))" for d in DATA]
        declared += [f"Declaration(NamedIndividual(:{a}))" for a in INDIVIDUALS]
        names, asked = [], []
        for number, question in enumerate(self.questions):
            keyword, rest = question.split("(", 1)
            arguments = split_arguments(rest[:-1])
            for place, argument in enumerate(arguments):
                if "(" in argument[1:]:
                    arguments[place] = f":Q{number}{place}"
                    names += [
                        f"Declaration(Class({arguments[place]}))",
                        f"EquivalentClasses({arguments[place]} {argument})",
                    ]
            asked.append(f'{keyword}(Annotation(rdfs:label "{number}") {" ".join(arguments)})')
        plain, named, questions = (
            f"{PREFIXES}Ontology(<http://example.org/{name}>\n" + "\n".join(declared + body) + "\n)\n"
            for name, body in (
                ("case", self.axioms),
                ("case", self.axioms + names),
                ("questions", [name for name in names if name.startswith("Declaration")] + asked),
            )
        )
        return plain, named, questions


def split_arguments(text: str) -> list[str]:
    """What stands between blanks outside of brackets."""
    found, depth = [""], 0
    for mark in text:
        depth += (mark == "(") - (mark == ")")
        if mark == " " and depth == 0:
            found.append("")
        else:
            found[-1] += mark
    return found


class Peer(NamedTuple):
    """A reasoner of the OWL API."""

    name: str
    jars: str
    factory: str


def peers() -> list[Peer]:
    """HermiT and, for a second opinion, Pellet: those inside owlready2 (or in the folder ELGEO_OWLREADY2)."""
    package = importlib.util.find_spec("owlready2")
    folder = Path(os.environ.get("ELGEO_OWLREADY2", Path(package.origin or "").parent if package else ""))
    if shutil.which("javac") is None or not (folder / "hermit" / "HermiT.jar").exists():
        return []
    pellet = "com.clarkparsia.pellet.owlapiv3.PelletReasonerFactory"
    return [
        Peer("HermiT", str(folder / "hermit" / "HermiT.jar"), "org.semanticweb.HermiT.Reasoner$ReasonerFactory"),
        Peer("Pellet", str(folder / "pellet" / "*"), pellet),
    ]


def peer_verdicts(peer: Peer, folder: Path) -> dict[str, dict[str, str]]:
    """What a peer says of all cases of a folder, by number and question."""
    driver = Path(__file__).with_name("OwlQuestions.java")
    command = ["java", "-Xmx2g", "-cp", peer.jars, str(driver), str(folder), peer.factory]
    output = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True).stdout
    found: dict[str, dict[str, str]] = {}
    for line in output.splitlines():
        number, name, *rest = line.split("\t")
        found.setdefault(number, {})[name] = rest[0] if rest else ""
    return found


def our_verdicts(path: Path, questions: list[str]) -> dict[str, str]:
    """The same by our reasoner."""
    reasoner = elgeo.Reasoner(elgeo.read(path))
    found = {"consistent": str(reasoner.consistent).lower()}
    if reasoner.consistent:
        for number, question in enumerate(questions):
            try:
                asked = reasoner.answers.question(expanded(question))
                found[str(number)] = str(reasoner.answers.entails(asked)).lower()
            except ElgeoError:
                found[str(number)] = UNDECIDED
    return found


def expanded(question: str) -> str:
    """With whole IRIs."""
    known = dict(line[len("Prefix(") : -2].split(":=<") for line in PREFIXES.splitlines())
    parts = question.split('"')
    # what is in quotes stays as it is
    parts[::2] = [re.sub(r"(\w*):(\w+)", lambda found: f"<{known[found[1]]}{found[2]}>", part) for part in parts[::2]]
    return '"'.join(parts)


class Disagreement(NamedTuple):
    """A verdict of ours that is not HermiT's."""

    number: str
    name: str
    kind: str
    asked: str
    theirs: str
    ours: str


def compared(
    cases: dict[str, Case], folder: Path, theirs: dict[str, dict[str, str]], counts: Counter[str]
) -> list[Disagreement]:
    """Our verdicts beside HermiT's."""
    found = []
    for number, case in cases.items():
        known = theirs.get(number, {})
        if "consistent" not in known:
            counts["ontologies HermiT refused" if "refused" in known else "ontologies HermiT had no time for"] += 1
            continue
        ours = our_verdicts(folder / f"{number}{ENDINGS[0]}", case.questions)
        counts["ontologies"] += 1
        for name, verdict in known.items():
            if verdict not in ("true", "false"):
                counts["questions HermiT refused"] += name != "time"
                continue
            if name != "consistent" and ours["consistent"] == "false":
                continue
            counts["verdicts"] += 1
            counts["entailed"] += verdict == "true" and name != "consistent"
            if ours.get(name) != verdict:
                holds = "false" if name == "consistent" else "true"
                kind = UNDECIDED if ours.get(name) == UNDECIDED else "missing" if verdict == holds else "unsound"
                asked = name if name == "consistent" else case.questions[int(name)]
                found.append(Disagreement(number, name, kind, asked, verdict, ours.get(name, "nothing")))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--ontologies", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--features", default="", help=f"comma-separated, always all of these: {', '.join(FEATURES)}")
    parser.add_argument("--without", default="", help="comma-separated features to leave out")
    parser.add_argument("--keep", type=Path, help="a folder for the ontologies on which verdicts differ")
    options = parser.parse_args()
    known = peers()
    if not known:
        print("skipped: HermiT (pip install owlready2, or set ELGEO_OWLREADY2 to its folder; needs a JDK)")
        return
    features, without = ({name for name in text.split(",") if name} for text in (options.features, options.without))
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as temporary, tempfile.TemporaryDirectory() as again:
        folder, cases = Path(temporary), {}
        for i in range(options.ontologies):
            number = f"{i:06d}"
            cases[number] = Case(random.Random(options.seed * 1_000_003 + i), features, without)
            for ending, text in zip(ENDINGS, cases[number].texts(), strict=True):
                (folder / f"{number}{ending}").write_text(text)
        found = compared(cases, folder, peer_verdicts(known[0], folder), counts)
        for number in {each.number for each in found}:
            for ending in ENDINGS:
                shutil.copy(folder / f"{number}{ending}", again)
                if options.keep:
                    options.keep.mkdir(parents=True, exist_ok=True)
                    shutil.copy(folder / f"{number}{ending}", options.keep)
        opinions = peer_verdicts(known[1], Path(again)) if found else {}
    for each in found:
        opinion = opinions.get(each.number, {}).get(each.name, "nothing")
        agrees = opinion == each.ours
        counts[f"{each.kind} ({'Pellet agrees with elgeo' if agrees else 'Pellet does not'})"] += 1
        counts[each.kind] += 1
        print(
            each.number, each.kind, each.asked, f"HermiT {each.theirs}, elgeo {each.ours}, Pellet {opinion}", sep="\t"
        )
    for name in ("ontologies", "verdicts", "entailed", "unsound", "missing", UNDECIDED):
        print(f"{name}: {counts.pop(name, 0):,}")
    for name, count in sorted(counts.items()):
        print(f"{name}: {count:,}")


if __name__ == "__main__":
    main()

"""Groups, direct superclasses, types and the ontology written of them, against plain definitions."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

import elgeo
from elgeo.cli import main
from elgeo.ontology.expressions import NOTHING, THING
from elgeo.ontology.normal_forms import NormalForms
from elgeo.ontology.vocabulary import TOP, Kind
from elgeo.reasoning import Reasoner
from elgeo.reasoning.saturation.saturate import saturate
from elgeo.reasoning.taxonomy.listing import _fill, direct_lines
from elgeo.reasoning.taxonomy.taxonomy import taxonomy
from tests.reasoning.brute import Brute, make_forms, random_forms, vocabulary


@pytest.mark.slow
@given(random_forms())
@settings(max_examples=150)
def test_reduction(forms: NormalForms) -> None:
    brute, found = Brute.of(forms), taxonomy(saturate(forms))
    kinds = forms.vocabulary.class_kinds
    named = [c for c in brute.classes if (kinds[c] == Kind.NAMED or c == TOP) and not brute.unsatisfiable(c)]
    individuals = [a for a in brute.individuals if not brute.unsatisfiable(a)]

    def above(x: int, y: int) -> bool:
        return brute.subsumed(x, y) and not brute.subsumed(y, x)

    for x in named + individuals:
        alike = named if x in named else individuals
        group = [y for y in alike if brute.subsumed(x, y) and brute.subsumed(y, x)]
        assert found.representative[x] == min(group)
        assert found.members(min(group)).tolist() == sorted(group)
        # an individual is never equivalent to a type for this purpose: it is below all of them
        over = [y for y in named if (above(x, y) if x in named else brute.subsumed(x, y))]
        direct = [y for y in over if not any(above(z, y) for z in over)]
        assert found.direct_superclasses(x).tolist() == sorted(direct)
        for y in direct:
            below = found.direct_subclasses(y) if x in named else found.direct_instances(y)
            assert x in below.tolist()
    assert found.unsatisfiable.tolist() == [
        c for c in brute.classes if kinds[c] == Kind.NAMED and brute.unsatisfiable(c)
    ]

    lines = b"".join(bytes(block) for block in direct_lines(found)).decode().splitlines()
    names = forms.vocabulary.classes
    expected = {f"{names[int(c)]}\t{NOTHING}" for c in found.unsatisfiable}
    for x, y in product(named, named):
        if x != y and TOP not in (x, y):
            equal = brute.subsumed(x, y) and brute.subsumed(y, x)
            if equal or y in found.direct_superclasses(x).tolist():
                expected.add(f"{names[x]}\t{names[y]}")
    assert lines == sorted(expected)


def test_reasoner_answers_by_name() -> None:
    words = vocabulary(5, 2, 0, 2)
    c = {name.rsplit("/", 1)[1]: name for name in words.classes[2:]}
    forms = make_forms(words, subclass=[(2, 3), (3, 2), (3, 4), (7, 2), (8, 4)], existential=[(5, 1, 6)], empty=[(6,)])
    reasoner = Reasoner(forms)
    assert reasoner.consistent
    assert reasoner.superclasses("C2") == [c["C3"], c["C4"]]
    assert reasoner.superclasses("C2", direct=True) == [c["C4"]]
    assert reasoner.superclasses("C5") == [NOTHING]
    assert reasoner.subclasses("C4") == [c["C2"], c["C3"]]
    assert reasoner.subclasses("C4", direct=True) == [c["C2"], c["C3"]]
    assert reasoner.equivalents("C3") == [c["C2"]]
    assert reasoner.equivalents("C5") == [NOTHING, c["C6"]]
    assert reasoner.unsatisfiable() == [c["C5"], c["C6"]]
    assert reasoner.instances("C4") == [c["a7"], c["a8"]]
    assert reasoner.instances("C4", direct=True) == [c["a8"]]
    assert reasoner.types("a7") == [c["C2"], c["C3"], c["C4"]]
    assert reasoner.types("a7", direct=True) == [c["C2"], c["C3"]]


SMALL = """Prefix(:=<http://example.org/>)
Ontology(
SubClassOf(:Cat :Animal) SubClassOf(:Animal :Thing1) EquivalentClasses(:Cat :Feline) SubClassOf(:Thing1 :Top)
SubClassOf(:Ghost ObjectIntersectionOf(:Cat ObjectComplementOf(:Animal)))
ClassAssertion(:Cat :tom)
%s)
"""


@pytest.fixture
def small(tmp_path: Path) -> Path:
    path = tmp_path / "small.ofn"
    path.write_text(SMALL % "")
    return path


def test_classify(small: Path, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["classify", str(small)]) == 0
    lines = capfdbinary.readouterr().out.decode().splitlines()
    e = "http://example.org/"
    assert lines == [
        f"{e}{a}\t{b if b == NOTHING else e + b}"
        for a, b in [
            ("Animal", "Thing1"), ("Animal", "Top"), ("Cat", "Animal"), ("Cat", "Feline"), ("Cat", "Thing1"),
            ("Cat", "Top"), ("Feline", "Animal"), ("Feline", "Cat"), ("Feline", "Thing1"), ("Feline", "Top"),
            ("Ghost", NOTHING), ("Thing1", "Top"),
        ]
    ]  # fmt: skip
    out = tmp_path / "out.tsv"
    assert main(["classify", str(small), "-o", str(out), "--direct", "--json"]) == 0
    document = json.loads(capfdbinary.readouterr().out)
    assert document["consistent"]
    assert document["classes"] == 6
    assert document["count"] == len(lines)
    assert document["unsatisfiable"] == [e + "Ghost"]
    assert document["equivalent"] == [[e + "Cat", e + "Feline"]]
    assert f"{e}Cat\t{e}Thing1" not in out.read_text().splitlines()
    assert f"{e}Cat\t{e}Animal" in out.read_text().splitlines()
    assert main(["classify", str(small), "--json"]) == 0
    assert ["\t".join(p) for p in json.loads(capfdbinary.readouterr().out)["subsumptions"]] == lines
    assert main(["classify", str(small), "-o", str(tmp_path)]) == 2
    assert capfdbinary.readouterr().err.decode() == f"elgeo: {tmp_path}: this is a folder: name a file\n"


def test_written_ontology_says_the_same(small: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.ofn"
    assert main(["classify", str(small), "-o", str(out), "--format", "ofn"]) == 0
    before, after = Reasoner(elgeo.read(small)), Reasoner(elgeo.read(out))
    for name in before.forms.vocabulary.classes[2:8]:
        assert sorted(before.superclasses(name)) == sorted(after.superclasses(name)), name


def test_inconsistent_ontologies_are_classified(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "none.ofn"
    path.write_text(SMALL % "ClassAssertion(:Ghost :tom)")
    assert main(["classify", str(path)]) == 0
    out, err = capfd.readouterr()
    assert len(out.splitlines()) == 6
    assert {line.split("\t")[1] for line in out.splitlines()} == {NOTHING}
    assert "inconsistent" in err
    target = tmp_path / "none-out.ofn"
    assert main(["classify", str(path), "--format", "ofn", "-o", str(target)]) == 0
    assert f"<{THING}>" in target.read_text()
    assert not Reasoner(elgeo.read(target)).consistent


def test_types_of_nothing_named() -> None:
    reasoner = Reasoner(make_forms(vocabulary(1, 1, 0, 1)))
    assert reasoner.types("a3") == []
    assert np.array_equal(reasoner.taxonomy().direct_superclasses(3), [TOP])


@pytest.mark.parametrize("seed", range(4))
def test_lines_are_written_while_they_fit_and_nothing_beyond_a_block(seed: int) -> None:
    generator = np.random.default_rng(seed)
    texts = [bytes(generator.integers(65, 91, n).tolist()) for n in generator.integers(1, 6, 7)]
    rows = [sorted(generator.permutation(7)[:n].tolist()) for n in generator.integers(0, 4, 6)]
    lines = [b"%s\t%s\n" % (texts[i], texts[other]) for i, row in enumerate(rows) for other in row]
    text = np.frombuffer(b"".join(texts), np.uint8).copy()
    text_start = np.cumsum([0, *map(len, texts)])
    row_start, ranks = np.cumsum([0, *map(len, rows)]), np.array([each for row in rows for each in row], np.int32)
    for size in range(max(map(len, lines)), len(b"".join(lines)) + 2):
        room, position, waiting = np.full(size + 16, 7, np.uint8), np.zeros(2, np.int64), list(lines)
        while position[0] < len(rows):
            written = _fill(room[:size], position, row_start, ranks, text_start, text)
            expected = b""
            while waiting and len(expected) + len(waiting[0]) <= size:
                expected += waiting.pop(0)
            assert bytes(room[:written]) == expected
            assert (room[size:] == 7).all()
        assert not waiting

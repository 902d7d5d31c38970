"""Back-tests between releases: what is held out, what is kept apart, and that nothing new reaches training."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import pyhornedowl
import pytest

from elgeo import datasets
from elgeo.cli import main
from elgeo.datasets.releases.backtest import BackTest, Releases, back_test
from elgeo.datasets.releases.changes import Changes, Release
from elgeo.datasets.releases.reading import has_new_terms, read_new_terms, read_removed
from elgeo.datasets.releases.succession import Succession, living
from elgeo.datasets.releases.writing import CHANGES, TERM_AXIOMS, TERMS, save_back_test, summary
from elgeo.datasets.splits.patterns import Pattern, parse_pattern
from elgeo.datasets.targets import read_targets
from elgeo.errors import ElgeoError, ReadError, SettingError
from elgeo.ontology import read
from elgeo.ontology.expressions import Op
from elgeo.ontology.short_names import short_form
from elgeo.ontology.writing.functional import write_functional

ISA, PART = "?C SubClassOf ?D", "?C SubClassOf part_of some ?D"
HEADER = "ontology: t\n\n[Typedef]\nid: part_of\nname: part of\nis_transitive: true\n"


def obo(terms: dict[str, list[str]]) -> str:
    body = "".join(
        f"\n[Term]\nid: T:{i}\nname: term {i}\n" + "".join(f"{line}\n" for line in lines) for i, lines in terms.items()
    )
    return HEADER + body


OLD = {
    "1": [],
    "2": ["is_a: T:1"],
    "3": ["is_a: T:2", "relationship: part_of T:6"],
    "4": ["is_a: T:1"],
    "5": ["is_a: T:4"],
    "6": ["is_a: T:1", "relationship: part_of T:7"],
    "7": ["is_a: T:1"],
    "8": ["is_a: T:4"],
    "9": ["is_a: T:8"],
    "10": ["is_a: T:1"],
    "11": ["is_a: T:9"],
}
NEW = {
    "1": [],
    "2": ["is_a: T:1", "relationship: part_of T:4"],
    "3": ["is_a: T:1", "is_a: T:5", "relationship: part_of T:7"],  # entailed, new, entailed
    "4": ["is_a: T:1"],
    "5": ["is_a: T:4", "alt_id: T:8"],
    "6": ["is_a: T:1"],  # part_of 7 went
    "7": ["is_a: T:1"],
    "9": ["is_a: T:5"],  # said of 8 before: moved
    "10": ["is_obsolete: true", "replaced_by: T:7"],
    "12": ["is_a: T:2", "relationship: part_of T:7", 'def: "A twelfth." []', 'synonym: "no. 12" EXACT []'],
    "13": ["is_a: T:12"],
    "14": ["alt_id: T:11", "is_a: T:7"],  # 11 under another id
}


def names(pairs: list[tuple[str, str]]) -> list[tuple[str, str]]:
    return [(short_form(head).removeprefix("T:"), short_form(tail).removeprefix("T:")) for head, tail in pairs]


@pytest.fixture
def made(tmp_path: Path) -> BackTest:
    (tmp_path / "old.obo").write_text(obo(OLD))
    (tmp_path / "new.obo").write_text(obo(NEW))
    return back_test(Releases(tmp_path / "old.obo", tmp_path / "new.obo", (ISA, PART)))


def test_by_hand(made: BackTest) -> None:
    isa, part = (target.changes for target in made.targets)
    assert names(isa.held_out) == [("3", "5"), ("9", "5")]
    assert names(isa.moved) == [("9", "5")]
    assert names(isa.entailed) == [("3", "1")]
    assert names(isa.followed) == [("11", "7")]
    assert names(isa.removed) == [("3", "2")]
    assert isa.rephrased == 0
    assert names(isa.of_new) == [("12", "2"), ("14", "7")]
    assert names(part.held_out) == [("2", "4")]
    assert names(part.entailed) == [("3", "7")]
    assert names(part.removed) == [("3", "6"), ("6", "7")]
    assert names(part.of_new) == [("12", "7")]
    counts = made.counts()["classes"]
    assert counts == {
        "old": 11, "new": 11, "kept": 8, "gone": 3, "gone_and_followed": 3, "new_terms": 3, "renamed": 1
    }  # fmt: skip
    assert {(short_form(a), short_form(b)) for a, b in made.names.followed.items()} == {
        ("T:8", "T:5"), ("T:10", "T:7"), ("T:11", "T:14")
    }  # fmt: skip
    assert [(term.label, term.synonyms, term.definition) for term in made.terms] == [
        ("term 12", ("no. 12",), "A twelfth."),
        ("term 13", (), ""),
        ("term 14", (), ""),
    ]


def test_no_axiom_and_no_word_of_the_new_release_is_trained_on(tmp_path: Path) -> None:
    old = {**OLD, "3": [*OLD["3"], 'def: "Old words." []']}
    new = {
        **NEW,
        "3": [*NEW["3"], 'def: "New words." []', "is_a: T:7"],
        "4": ["is_a: T:1", "relationship: part_of T:9"],
    }
    (tmp_path / "old.obo").write_text(obo(old))
    (tmp_path / "new.obo").write_text(obo(new))
    found = back_test(Releases(tmp_path / "old.obo", tmp_path / "new.obo", (ISA, PART)))
    alone = datasets.split(tmp_path / "old.obo", ISA, shares="80:10:10", classes="as-drawn")
    for target in found.targets:
        dataset = target.dataset
        words = dataset.vocabulary
        assert set(words.definitions.values()) == {"Old words."}
        assert {short_form(c) for c in words.classes if "T_" in c} == {f"T:{i}" for i in OLD}
        rows = {(words.classes[a], words.classes[b]) for a, b in dataset.forms.subclass.tolist()}
        assert ("3", "7") not in names(sorted(rows))
        assert ("3", "7") in names(found.targets[0].changes.held_out)
        told = {(words.classes[a], words.classes[b]) for a, _, b in dataset.forms.existential.tolist()}
        assert names(sorted(told)) == [("3", "6"), ("6", "7")]
        assert dataset.forms.source is not None
        assert sorted(map(str, dataset.forms.source.axioms)) == sorted(map(str, read(tmp_path / "old.obo").axioms))
        assert len(dataset.valid) == 0
    assert len(found.targets[0].dataset.train) == len(alone.train) + len(alone.valid) + len(alone.test)


def closure(parents: dict[str, set[str]]) -> dict[str, set[str]]:
    def up(name: str, seen: set[str]) -> set[str]:
        for parent in parents[name]:
            if parent not in seen:
                seen.add(parent)
                up(parent, seen)
        return seen

    return {name: up(name, {name}) for name in parents}


@pytest.mark.parametrize("seed", range(4))
def test_random_releases_by_plain_sets(tmp_path: Path, seed: int) -> None:
    draw = random.Random(seed)
    n = 30
    old = {str(i): {str(draw.randrange(i)) for _ in range(draw.randint(1, 2))} if i else set() for i in range(n)}
    new = {
        i: {p if draw.random() < 0.7 else str(draw.randrange(int(i))) for p in ps} if int(i) else set()
        for i, ps in old.items()
    }
    for i in draw.sample(range(1, n), 4):
        del new[str(i)]
        for parents in new.values():
            parents.discard(str(i))
    for i in range(n, n + 6):
        new[str(i)] = {draw.choice(sorted(new)) for _ in range(2)}
    for file, terms in (("old.obo", old), ("new.obo", new)):
        (tmp_path / file).write_text(obo({i: [f"is_a: T:{p}" for p in sorted(ps)] for i, ps in terms.items()}))
    [target] = back_test(Releases(tmp_path / "old.obo", tmp_path / "new.obo", (ISA,))).targets
    above, later = closure(old), closure(new)
    kept = set(old) & set(new)
    came = {(c, d) for c in kept for d in new[c] & kept if d not in old[c]}
    assert set(names(target.changes.held_out)) == {(c, d) for c, d in came if d not in above[c]}
    assert set(names(target.changes.entailed)) == {(c, d) for c, d in came if d in above[c]}
    went = {(c, d) for c in kept for d in old[c] & kept if d not in new[c]}
    assert set(names(target.changes.removed)) == {(c, d) for c, d in went if d not in later[c]}
    assert target.changes.rephrased == sum(d in later[c] for c, d in went)
    assert set(names(target.changes.of_new)) == {(c, d) for c in set(new) - set(old) for d in new[c] & kept}
    assert len(target.dataset.test) == len(target.changes.held_out)
    assert len(target.dataset.train) == sum(map(len, old.values()))


def test_twice_the_same_bytes_whatever_the_syntax(made: BackTest, tmp_path: Path) -> None:
    save_back_test(made, tmp_path / "a")
    save_back_test(back_test(Releases(tmp_path / "old.obo", tmp_path / "new.obo", (ISA, PART))), tmp_path / "b")
    files = sorted(path.relative_to(tmp_path / "a") for path in (tmp_path / "a").rglob("*") if path.is_file())
    assert len(files) > 20
    for file in files:
        assert (tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes(), file
    # alternative ids are in OBO only: there the class that is gone is said to be obsolete and replaced
    (tmp_path / "new.obo").write_text(
        obo(
            {
                **{i: [line for line in lines if "alt_id" not in line] for i, lines in NEW.items()},
                "8": ["is_obsolete: true", "replaced_by: T:5"],
                "11": ["is_obsolete: true", "replaced_by: T:14"],
            }
        )
    )
    write_functional(read(tmp_path / "old.obo"), tmp_path / "old.ofn")
    write_functional(read(tmp_path / "new.obo"), tmp_path / "new.ofn")
    peer = pyhornedowl.open_ontology_from_file(str(tmp_path / "new.ofn"))
    peer.save_to_file(str(tmp_path / "new.owl"), serialization="owl")
    other = back_test(Releases(tmp_path / "old.ofn", tmp_path / "new.owl", (ISA, "?C SubClassOf 'part of' some ?D")))
    assert [target.changes for target in other.targets] == [target.changes for target in made.targets]
    assert other.terms == made.terms


def test_the_folder(made: BackTest, tmp_path: Path) -> None:
    save_back_test(made, tmp_path / "d")
    targets = read_targets(tmp_path / "d")
    assert [member.folder for member in targets.members] == ["subclass", "part_of"]
    for member, target in zip(targets.members, made.targets, strict=True):
        loaded = datasets.load(tmp_path / "d" / member.folder)
        assert (loaded.test == target.dataset.test).all()
        assert (loaded.train == target.dataset.train).all()
    lines = (tmp_path / "d" / "new_terms.tsv").read_text().splitlines()
    assert lines[0] == "id\tlabel\tsynonyms\tdefinition"
    assert lines[1].endswith("T_12\tterm 12\tno. 12\tA twelfth.")
    assert len(lines) == 4
    changes = [line.split("\t") for line in (tmp_path / "d" / "changes.tsv").read_text().splitlines()[1:]]
    assert sorted({line[0] for line in changes}) == ["entailed", "followed", "moved", "removed"]
    assert "T_10\thttp://purl.obolibrary.org/obo/T_7" in (tmp_path / "d" / "gone.tsv").read_text()
    told = (tmp_path / "d" / "targets.toml").read_text()
    for other in ("missing", "../d", "..", ""):
        (tmp_path / "d" / "targets.toml").write_text(told.replace('folder = "part_of"', f'folder = "{other}"'))
        with pytest.raises(ReadError, match="is no folder here"):
            read_targets(tmp_path / "d")
    (tmp_path / "d" / "targets.toml").write_text(told)
    with (tmp_path / "d" / "new_terms.tsv").open("a") as file:
        file.write("more\n")
    with pytest.raises(ReadError, match="checksum"):
        read_targets(tmp_path / "d")


def test_the_command(made: BackTest, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old, new, folder = (str(tmp_path / name) for name in ("old.obo", "new.obo", "d"))
    assert main(["dataset", "releases", old, new, "--axioms", ISA, "-o", folder, "--json"]) == 0
    counts = json.loads(capsys.readouterr().out)
    assert counts["classes"]["kept"] == 8
    assert counts["axioms"][ISA]["held_out"] == 2
    assert main(["dataset", "releases", old, new, "--axioms", ISA, "-o", folder]) == 2
    assert "exists already" in capsys.readouterr().err
    assert main(["dataset", "releases", old, new, "--axioms", PART, "-o", folder, "--force"]) == 0
    assert [member.folder for member in read_targets(Path(folder)).members] == ["part_of"]
    assert "8 in both" in capsys.readouterr().out


def test_all_takes_the_shapes_with_enough_axioms(tmp_path: Path) -> None:
    old = {str(i): ["is_a: T:0"] if i else [] for i in range(40)}
    new = {i: [*lines, f"is_a: T:{int(i) + 20}"] if 0 < int(i) < 11 else lines for i, lines in old.items()}
    (tmp_path / "old.obo").write_text(obo(old))
    (tmp_path / "new.obo").write_text(obo(new))
    found = back_test(Releases(tmp_path / "old.obo", tmp_path / "new.obo"))
    assert [target.folder for target in found.targets] == ["subclass"]
    assert [text for text, _ in found.others] == ["?C SubClassOf 'part of' some ?D"]
    assert len(found.targets[0].changes.held_out) == 10


def test_bad_input(made: BackTest, tmp_path: Path) -> None:
    old, new = tmp_path / "old.obo", tmp_path / "new.obo"
    said: list[str] = []
    back_test(Releases(new, old, (ISA,)), said.append)
    assert any("looks like the newer one" in message for message in said)
    said.clear()
    back_test(Releases(old, new, (ISA,)), said.append)
    assert not any("warning" in message for message in said)
    with pytest.raises(SettingError, match="same file"):
        back_test(Releases(old, old))
    with pytest.raises(SettingError, match="about classes"):
        back_test(Releases(old, new, ("?a part_of ?b",)))
    with pytest.raises(ElgeoError, match=r"no shape has 10 axioms or more .*: name it with --axioms"):
        back_test(Releases(old, new))  # too few of every shape
    (tmp_path / "other.obo").write_text(obo(NEW).replace("T:", "U:"))
    with pytest.raises(ElgeoError, match="no class in common"):
        back_test(Releases(old, tmp_path / "other.obo"))


def test_names_are_followed_to_the_end_and_not_in_circles(tmp_path: Path) -> None:
    """1 is replaced by 2, which is obsolete too and replaced by 3; 4 and 5 replace each other; 6 is another id of 3."""
    old = {str(i): [] if i == 3 else ["is_a: T:3"] for i in (1, 3, 4, 6, 7)}
    new = {
        "1": ["is_obsolete: true", "replaced_by: T:2"],
        "2": ["is_obsolete: true", "replaced_by: T:3"],
        "3": ["alt_id: T:6"],
        "4": ["is_obsolete: true", "replaced_by: T:5"],
        "5": ["is_obsolete: true", "replaced_by: T:4"],
        "7": ["is_a: T:3"],
    }
    (tmp_path / "old.obo").write_text(obo(old))
    (tmp_path / "new.obo").write_text(obo(new))
    found = Succession.of(read(tmp_path / "old.obo"), read(tmp_path / "new.obo"))
    followed = {short_form(a): short_form(b) for a, b in found.followed.items()}
    assert followed == {"T:1": "T:3", "T:6": "T:3"}
    assert {short_form(name) for name in found.kept} == {"T:3", "T:7"}


def test_axioms_with_unknown_names_do_not_follow(tmp_path: Path) -> None:
    (tmp_path / "old.obo").write_text(obo(OLD))
    ontology = read(tmp_path / "old.obo")
    release = Release(ontology)
    isa, part = (parse_pattern(text, ontology) for text in (ISA, PART))
    known = {short_form(node): node for node in living(ontology)}
    two, one, six, seven = (known[f"T:{i}"] for i in (2, 1, 6, 7))
    asked = [(two, one), ("http://x/none", one), (two, "http://x/none"), (one, two)]
    assert release.entails(isa, asked).tolist() == [True, False, False, False]
    assert release.entails(isa, [("http://x/none", one)]).tolist() == [False]
    assert release.entails(part, [(six, seven), (seven, six)]).tolist() == [True, False]
    assert release.entails(replace(part, role="http://x/none"), [(six, seven)]).tolist() == [False]


def test_what_is_said_of_obsolete_terms_is_of_no_new_term(tmp_path: Path) -> None:
    def ontology(more: str) -> str:
        axioms = "".join(f"SubClassOf(:C{i} :C0) " for i in range(1, 5))
        return f"Prefix(:=<http://x/>) Ontology(<http://x> {axioms}{more})"

    (tmp_path / "old.ofn").write_text(ontology(""))
    obsolete = 'SubClassOf(:N :C1) AnnotationAssertion(owl:deprecated :N "true"^^xsd:boolean) SubClassOf(:M :C2)'
    (tmp_path / "new.ofn").write_text(ontology(f"SubClassOf(:C1 :C2) {obsolete}"))
    [target] = back_test(Releases(tmp_path / "old.ofn", tmp_path / "new.ofn", (ISA,))).targets
    assert target.changes.of_new == [("http://x/M", "http://x/C2")]
    assert target.changes.held_out == [("http://x/C1", "http://x/C2")]


def test_a_shape_of_which_nothing_came_is_left_out_by_hand(tmp_path: Path) -> None:
    new = {i: [line for line in lines if "T:4" not in line or "part_of" not in line] for i, lines in NEW.items()}
    (tmp_path / "old.obo").write_text(obo(OLD))
    (tmp_path / "new.obo").write_text(obo(new))
    with pytest.raises(SettingError, match="2 axioms to train on and 0 held out: leave this shape out"):
        back_test(Releases(tmp_path / "old.obo", tmp_path / "new.obo", (ISA, PART)))


def test_new_terms_read_back(made: BackTest, tmp_path: Path) -> None:
    folder = tmp_path / "made"
    save_back_test(made, folder)
    assert has_new_terms(folder)
    terms, axioms = read_new_terms(folder)
    assert [tuple(term) for term in terms] == [tuple(term) for term in made.terms]
    isa = [(head, "", tail) for head, tail in made.targets[0].changes.of_new]
    assert [axiom for axiom in axioms if not axiom[1]] == isa
    for name in (TERMS, TERM_AXIOMS):
        text = (folder / name).read_text()
        (folder / name).write_text(text + "one column\n")
        lines = text.count("\n") + 1
        with pytest.raises(ReadError, match=rf"{name}:{lines}: 1 columns where there should be"):
            read_new_terms(folder)
        (folder / name).unlink()
        assert not has_new_terms(folder)
        (folder / name).write_text(text)


def test_the_table_is_aligned(made: BackTest) -> None:
    heading, *rows = summary(made.counts()).split("\n")[-3:]
    assert len({len(line) for line in (heading, *rows)}) == 1
    assert [row.split("  ")[0] for row in (heading, *rows)] == ["axioms", ISA, "?C SubClassOf 'part of' some ?D"]
    for column, values in (("trained", ("10", "2")), ("came", ("3", "2"))):
        end = heading.index(column) + len(column)
        assert [row[:end].split()[-1] for row in rows] == list(values)


def test_what_was_removed_is_read_of_one_role(tmp_path: Path) -> None:
    rows = ["change\thead\trole\ttail", "removed\ta\t\tb", "removed\ta\tr\tc", "added\ta\t\td", "added\te\tr\tb", ""]
    (tmp_path / CHANGES).write_text("\n".join(rows))
    assert read_removed(tmp_path, "") == [("a", "b")]
    assert read_removed(tmp_path, "r") == [("a", "c")]
    assert read_removed(tmp_path, "s") == []


def test_two_roles_of_one_label_are_counted_each(made: BackTest) -> None:
    shapes = [Changes(Pattern(Op.SubClassOf, f"http://t/r{n}"), [("a", "b")] * n, []) for n in (1, 2)]
    twice = replace(made, targets=[], others=[("?C SubClassOf 'has' some ?D", each) for each in shapes])
    axioms = twice.counts()["axioms"]
    assert list(axioms) == ["?C SubClassOf 'has' some ?D", "?C SubClassOf <http://t/r2> some ?D"]
    assert [each["trained"] for each in axioms.values()] == [1, 2]

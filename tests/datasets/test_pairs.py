"""Tables of pairs beside an ontology: how they are read, what their names become, and the dataset of it all."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from elgeo import datasets
from elgeo.cli import main
from elgeo.datasets import Dataset
from elgeo.datasets.drops import Drops
from elgeo.datasets.sources.grafting import Ends, parse_kinds
from elgeo.datasets.sources.pairs import read_pairs, same_role
from elgeo.errors import ElgeoError, ReadError, SettingError

HPOA = """#description: "HPO annotations"
#version: 2026-01-01
database_id\tdisease_name\tqualifier\thpo_id\treference\tevidence
OMIM:1\tFirst disease\t\tHP:0000001\tPMID:1\tPCS
OMIM:1\tFirst disease\tNOT\tHP:0000002\tPMID:1\tPCS
OMIM:2\t\t\tHP:0000002\tPMID:1\tPCS
"""
OLD_HPOA = "#DatabaseID\tDiseaseName\tQualifier\tHPO_ID\nOMIM:1\tFirst\t\tHP:0000001\nOMIM:1\tFirst\tnot\tHP:0000002\n"
KGX = """id\tsubject\tpredicate\tobject\tnegated
1\tX:1\tbiolink:has_phenotype\tHP:0000001\tfalse
2\tX:1\tbiolink:related_to\tHP:0000001\t
3\tX:1\tbiolink:has_phenotype\tHP:0000002\ttrue
4\tX:2\tbiolink:has_phenotype\tHP:0000002\tfalse
"""
SSSOM = """#curie_map:
#  HP: http://purl.obolibrary.org/obo/HP_
#mapping_set_id: https://x/set
subject_id\tsubject_label\tpredicate_modifier\tpredicate_id\tobject_id\tmapping_justification\tconfidence
X:1\tFirst\t\tx:has_phenotype\tHP:0000001\tsemapv:ManualMappingCuration\t0.9
X:1\tFirst\tNot\tx:has_phenotype\tHP:0000002\tsemapv:ManualMappingCuration\t
X:2\t\t\tskos:exactMatch\tHP:0000001\tsemapv:LexicalMatching\t0.4
X:3\tThird\t\tx:has_phenotype\tsssom:NoTermFound\tsemapv:ManualMappingCuration\t
"""
TRIPLES = "X:1 has_phenotype HP:0000001\nX:1 related_to HP:0000001\nX:2 has_phenotype HP:0000002\n"
N_TRIPLES = "<http://x/1> <http://x#has_phenotype> <http://x/HP_1> .\n<http://x/2> <http://x#no> <http://x/HP_2> .\n"
OTHER_ROLE = "triples with another role"
GENES = "ncbi_gene_id\tgene_symbol\thpo_id\thpo_name\n16\tAARS1\tHP:0000001\tname\n17\tABAT\tHP:0000002\tname\n"


@pytest.mark.parametrize(
    ("text", "pairs", "labels", "left_out"),
    [
        ("a b\nc d\n", [("a", "b"), ("c", "d")], {}, {}),
        ("# a comment\n\n! another\na\tb\tc\td\n", [("a", "b")], {}, {}),
        ("a b 0.5\nc d 7e2\n", [("a", "b"), ("c", "d")], {}, {}),
        ("Head\tTail\na\tb c\n", [("a", "b c")], {}, {}),
        ("tail\tscore\thead\nb\t1\ta\n", [("a", "b")], {}, {}),
        ("predicate\tsubject\tobject\nhas_phenotype\ta\tb\nno\ta\tc\n", [("a", "b")], {}, {OTHER_ROLE: 1}),
        ("gene_symbol\tgene_id\tterm\nA1\ta\tb\n", [("a", "b")], {"a": "A1"}, {}),
        ("<http://x/1>\t<http://x/2>\n<5\tb>\n", [("http://x/1", "http://x/2"), ("<5", "b>")], {}, {}),
        (TRIPLES, [("X:1", "HP:0000001"), ("X:2", "HP:0000002")], {}, {OTHER_ROLE: 1}),
        (N_TRIPLES, [("http://x/1", "http://x/HP_1")], {}, {OTHER_ROLE: 1}),
        (
            HPOA,
            [("OMIM:1", "HP:0000001"), ("OMIM:2", "HP:0000002")],
            {"OMIM:1": "First disease"},
            {"pairs with NOT": 1},
        ),
        (OLD_HPOA, [("OMIM:1", "HP:0000001")], {"OMIM:1": "First"}, {"pairs with NOT": 1}),
        (
            KGX,
            [("X:1", "HP:0000001"), ("X:2", "HP:0000002")],
            {},
            {"pairs with NOT": 1, OTHER_ROLE: 1},
        ),
        (
            SSSOM,
            [("X:1", "HP:0000001")],
            {"X:1": "First"},
            {"pairs with NOT": 1, OTHER_ROLE: 1, "mappings to nothing": 1},
        ),
        (GENES, [("16", "HP:0000001"), ("17", "HP:0000002")], {"16": "AARS1", "17": "ABAT"}, {}),
    ],
)
def test_tables(
    tmp_path: Path, text: str, pairs: list[tuple[str, str]], labels: dict[str, str], left_out: dict[str, int]
) -> None:
    (tmp_path / "t.tsv").write_text(text)
    (tmp_path / "t.tsv.gz").write_bytes(gzip.compress(text.encode()))
    for name in ("t.tsv", "t.tsv.gz"):
        drops = Drops()
        found = read_pairs(tmp_path / name, "has_phenotype", drops)
        assert found.pairs == pairs
        assert found.labels == labels
        assert drops.counts == left_out


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "no lines"),
        ("# nothing\n", "no lines"),
        ("alone\n", "t.tsv:1: two columns"),
        ("a\tb\nc\n", "t.tsv:2: 2 columns were expected"),
        ("a\tb\nc\t\n", "t.tsv:2: 2 columns were expected"),
        ("head\ttail\n\tb\n", "t.tsv:2: 2 columns were expected"),
    ],
)
def test_broken_tables(tmp_path: Path, text: str, problem: str) -> None:
    (tmp_path / "t.tsv").write_text(text)
    with pytest.raises(ReadError, match=problem):
        read_pairs(tmp_path / "t.tsv", "r", Drops())


def test_ways_to_write_a_role() -> None:
    for written in ("part_of", "part of", "ex:part_of", "http://x/part_of", "http://x/y#part_of"):
        assert same_role(written, "part_of")
        assert same_role("part_of", written)
    assert not same_role("has_part_of", "part_of")
    assert not same_role("http://x/y#has_part", "was_part")
    assert not same_role("http://x/part", "part_of")
    assert same_role("a:b", "a:b")


def test_kinds() -> None:
    assert parse_kinds(["gene=G:", "phenotype=HP:"]) == (Ends("gene", "G:"), Ends("phenotype", "HP:"))
    assert parse_kinds(["head=", "tail=a=b"]) == (Ends("head", ""), Ends("tail", "a=b"))
    assert parse_kinds(["tail=HP:", "head=G:"]) == (Ends("head", "G:"), Ends("tail", "HP:"))
    for wrong in (["gene"], ["gene=G:"], ["=x", "a=b"], ["a=b"] * 3, ["gene", "a=b"]):
        with pytest.raises(SettingError, match="--kinds"):
            parse_kinds(wrong)


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Phenotypes in a hierarchy with an alternative id, genes with phenotypes, and drugs that act on genes."""
    terms = "".join(
        f"[Term]\nid: HP:{i:07}\nname: sign {i}\n" + (f"is_a: HP:{i // 2:07}\n" if i > 1 else "") for i in range(1, 21)
    )
    (tmp_path / "hp.obo").write_text(
        "ontology: hp\n"
        + terms.replace("name: sign 3\n", "name: sign 3\nalt_id: HP:0000099\n")
        + "[Term]\nid: CL:0000001\nname: cell\n[Typedef]\nid: RO:1\nname: has phenotype\n"
    )
    genes = [(f"G:{i}", f"HP:{(i * 7 + k * 5) % 20 + 1:07}") for i in range(12) for k in range(3)]
    lines = [f"{gene}\t{term}\n" for gene, term in genes]
    lines += ["G:3\thttp://purl.obolibrary.org/obo/HP_0000020\n"]
    lines += ["G:1\tHP:0000099\n", "G:1\tHP:7777777\n", "Z:1\tHP:0000001\n", "G:2\tCL:0000001\n", "G:1\tHP:0000008\n"]
    (tmp_path / "genes.tsv").write_text("".join(lines))
    (tmp_path / "drugs.tsv").write_text("".join(f"D:{i}\ttargets\tG:{i % 12}\n" for i in range(20)))
    return tmp_path


def named(dataset: Dataset, part: str) -> set[tuple[str, str]]:
    names = dataset.vocabulary.classes
    return {(names[row[0]], names[row[-1]]) for row in getattr(dataset, part).tolist()}


def test_a_dataset_of_pairs(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["dataset", "build", "--ontology", str(files / "hp.obo"), "--split", "60:20:20", "--seed", "2"]
    command += ["--pairs", str(files / "genes.tsv"), "--role", "has_phenotype", "--kinds", "gene=G:", "phenotype=HP:"]
    command += ["--pairs", str(files / "drugs.tsv"), "--role", "targets", "--kinds", "drug=", "gene=G:"]
    assert main([*command, "-o", str(files / "d"), "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    dataset = datasets.load(files / "d")
    assert dataset.vocabulary.roles[dataset.target_role or 0] == "http://purl.obolibrary.org/obo/RO_1"
    assert (dataset.head_kind, dataset.tail_kind) == ("gene", "phenotype")
    hp = "http://purl.obolibrary.org/obo/HP_"
    expected = {(f"http://G:{i}", f"{hp}{(i * 7 + k * 5) % 20 + 1:07}") for i in range(12) for k in range(3)}
    expected |= {("http://G:1", f"{hp}0000003"), ("http://G:1", f"{hp}0000008"), ("http://G:3", f"{hp}0000020")}
    parts = [named(dataset, part) for part in ("train", "valid", "test")]
    assert parts[0] | parts[1] | parts[2] == expected
    assert [len(part) for part in parts] == [22, 8, 8]
    assert sum(map(len, parts)) == len(expected)
    assert shown["kinds"] == {"other": 0 + 2, "fresh": 0, "phenotype": 20, "class": 1, "gene": 12, "drug": 20}
    assert shown["drops"] == {
        "heads that do not begin with G:": 1,
        "tails that are not in the ontology": 1,
        "tails that do not begin with HP:": 1,
    }
    role = dataset.vocabulary.role_id("http://targets")
    assert np.sum(dataset.forms.existential[:, 1] == role) == 20
    assert shown["cold"]["test"]["heads_in_no_training_axiom"] == 0
    assert shown["settings"]["roles"] == ["has_phenotype", "targets"]
    # the other relation can be the target, too
    assert main([*command, "-o", str(files / "e"), "--target", "targets", "--cold"]) == 0
    other = datasets.load(files / "e")
    assert (other.head_kind, other.tail_kind, other.vocabulary.roles[other.target_role or 0]) == (
        "drug",
        "gene",
        "http://targets",
    )
    assert len(other.train) == 12
    assert "an ontology with tables of pairs" in (files / "e" / "README.md").read_text()


def test_names_become_labels_and_defaults_are_kinds(files: Path) -> None:
    rows = "".join(f"OMIM:{i}\tdisease {i}\t\tHP:{(i + k) % 20 + 1:07}\n" for i in range(20) for k in (0, 3))
    (files / "p.hpoa").write_text("database_id\tdisease_name\tqualifier\thpo_id\n" + rows)
    command = ["dataset", "build", "--ontology", str(files / "hp.obo"), "--pairs", str(files / "p.hpoa")]
    assert main([*command, "--role", "has phenotype", "-o", str(files / "d")]) == 0
    dataset = datasets.load(files / "d")
    assert (dataset.head_kind, dataset.tail_kind) == ("entity", "class")
    head = int(dataset.test[0, 0])
    assert dataset.texts.labels[head] == "disease " + dataset.vocabulary.classes[head].rpartition(":")[2]
    assert len(dataset.candidates) == 21


def test_what_cannot_be_built(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["dataset", "build", "--ontology", str(files / "hp.obo"), "-o", str(files / "d")]
    pairs = ["--pairs", str(files / "genes.tsv")]
    role = ["--role", "has_phenotype"]
    for wrong, problem in [
        (pairs, "every --pairs needs its --role"),
        ([*pairs, *role, "--interactions", "x"], "--pairs goes without"),
        ([*pairs, *role, "--target", "other"], "no pairs are left for the role 'other'"),
        ([*pairs, *role, "--kinds", "gene", "x=y"], "--kinds 'gene'"),
        ([*pairs, *role, *pairs, *role, *["--kinds", "a=", "b="] * 3], "--kinds is given once"),
        ([*pairs, *role, "--kinds", "a=", "b=", *pairs, *role, "--kinds", "c=", "b="], "is both a and c"),
        ([*role], "belong to --pairs"),
        (["--cold"], "belong to --pairs"),
        (["--pairs", str(files / "none.tsv"), *role], "none.tsv: cannot be read"),
    ]:
        code, shown = main([*command, *wrong]), capsys.readouterr().err
        assert code == 2, wrong
        assert problem in shown
    obo = (files / "hp.obo").read_text()
    (files / "two.obo").write_text(f"{obo}[Typedef]\nid: RO:2\nname: has phenotype\n")
    assert main(["dataset", "build", "--ontology", str(files / "two.obo"), *pairs, *role, "-o", str(files / "x")]) == 2
    assert "could be any of" in capsys.readouterr().err


def test_pairs_with_itself_are_left_out(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [f"G:{i}\tG:{(i * 3 + k) % 20}\n" for i in range(20) for k in (0, 1)]
    (files / "links.tsv").write_text("".join(lines))
    command = ["dataset", "build", "--ontology", str(files / "hp.obo"), "--pairs", str(files / "links.tsv")]
    assert main([*command, "--role", "binds", "--kinds", "gene=G:", "gene=G:", "-o", str(files / "d"), "--json"]) == 0
    itself = sum(line.split()[0] == line.split()[1] for line in lines)
    assert itself > 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["drops"]["pairs of a name with itself"] == itself
    assert sum(shown["splits"].values()) == len(set(lines)) - itself


def test_tails_can_be_names_of_the_table(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (files / "t.tsv").write_text("".join(f"D:{i} target {i % 5}\n".replace(" ", "\t", 1) for i in range(30)))
    command = ["dataset", "build", "--ontology", str(files / "hp.obo"), "--pairs", str(files / "t.tsv"), "--as-drawn"]
    assert main([*command, "--role", "acts_on", "--kinds", "drug=", "target=", "-o", str(files / "d")]) == 0
    dataset = datasets.load(files / "d")
    assert (dataset.head_kind, dataset.tail_kind, len(dataset.candidates)) == ("drug", "target", 5)
    # beginnings that no class of the ontology has are the table's own, too
    assert main([*command, "--role", "acts_on", "--kinds", "drug=D:", "target=tar", "-o", str(files / "e")]) == 0
    assert len(datasets.load(files / "e").candidates) == 5
    # without kinds a tail has to be a class
    assert main([*command, "--role", "acts_on", "-o", str(files / "f")]) == 2
    assert "30 tails that are not in the ontology" in capsys.readouterr().err


def test_an_error_names_what_was_left_out(files: Path) -> None:
    from elgeo.datasets.sources.grafting import PairsRecipe, Relation, build_from_pairs

    (files / "wrong.tsv").write_text("G:1\tXX:1\n")
    with pytest.raises(ElgeoError, match="1 tails that are not in the ontology"):
        build_from_pairs(PairsRecipe(files / "hp.obo", (Relation(files / "wrong.tsv", "r"),)))


@pytest.mark.parametrize("kinds", [(), ("--kinds", "gene=G:", "phenotype=HP:")])
def test_classes_may_be_called_as_people_call_them(
    files: Path, capsys: pytest.CaptureFixture[str], kinds: tuple[str, ...]
) -> None:
    # the fragment, the label, the CURIE, the whole IRI of terms 1 to 20 in turn; and three that are none
    ways = ("HP_{:07}", "sign {}", "HP:{:07}", "http://purl.obolibrary.org/obo/HP_{:07}")
    pairs = [(i, (i * 7 + k * 5) % 20 + 1) for i in range(12) for k in range(3)]
    lines = [f"G:{gene}\t{ways[(gene + term) % 4].format(term)}\n" for gene, term in pairs]
    lines += ["G:1\tsigm 4\n", "G:2\tnothing of the kind\n", "G:3\tshared\n"]
    (files / "called.tsv").write_text("".join(lines))
    synonyms = [f'id: HP:{i:07}\nsynonym: "shared" EXACT []\n' for i in (1, 2)]
    text = (files / "hp.obo").read_text()
    for i, with_synonym in zip((1, 2), synonyms, strict=True):
        text = text.replace(f"id: HP:{i:07}\nname", f"{with_synonym}name")
    (files / "hp.obo").write_text(text)
    command = ["dataset", "build", "--ontology", str(files / "hp.obo"), "--pairs", str(files / "called.tsv")]
    assert main([*command, "--role", "has_phenotype", *kinds, "-o", str(files / "d"), "--json"]) == 0
    printed = capsys.readouterr()
    hp = "http://purl.obolibrary.org/obo/HP_"
    dataset = datasets.load(files / "d")
    assert set().union(*(named(dataset, part) for part in ("train", "valid", "test"))) == {
        (f"http://G:{gene}", f"{hp}{term:07}") for gene, term in pairs
    }
    assert json.loads(printed.out)["drops"] == {
        "tails that are not in the ontology": 2,
        "tails that could be several classes": 1,
    }
    assert "no class is called 'sigm 4': did you mean 'sign 4' (HP:0000004)" in printed.err

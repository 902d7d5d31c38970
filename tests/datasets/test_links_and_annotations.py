"""Link and annotation files in every shape they come in; broken ones are refused with file and line."""

from __future__ import annotations

import gzip
import os
import tempfile
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elgeo.datasets.drops import Drops
from elgeo.datasets.sources.annotations import (
    AnnotationLine,
    Annotations,
    parse_evidence,
    read_aliases,
    read_annotations,
    resolve,
)
from elgeo.datasets.sources.lines import sha256
from elgeo.datasets.sources.links import read_links
from elgeo.errors import ElgeoError, ReadError, SettingError

STRING = """protein1 protein2 combined_score
4932.Q0045 4932.Q0105 997
4932.Q0045 4932.Q0110 699
4932.Q0110 4932.Q0045 700
"""
DETAILED = """protein1 protein2 neighborhood fusion combined_score
9606.A 9606.B 0 0 150
9606.A 9606.C 12 0 900
"""


def written(path: Path, text: str | bytes) -> Path:
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def test_string_files_are_cut_at_high_confidence_unless_told_otherwise(tmp_path: Path) -> None:
    path, drops = written(tmp_path / "links.txt", STRING), Drops()
    assert read_links(path, drops=drops) == [("4932.Q0045", "4932.Q0105"), ("4932.Q0110", "4932.Q0045")]
    assert drops.counts == {"links with a score below 700": 1}
    assert len(read_links(path, 0)) == 3
    assert read_links(path, 998) == []


def test_other_columns_may_stand_between(tmp_path: Path) -> None:
    assert read_links(written(tmp_path / "l", DETAILED), 200) == [("9606.A", "9606.C")]


def test_a_header_is_known_by_any_of_its_names_and_may_follow_a_hash(tmp_path: Path) -> None:
    assert read_links(written(tmp_path / "l", "# of proteins\n#protein2\tprotein1\na\tb\n")) == [("b", "a")]
    assert read_links(written(tmp_path / "l", "x y combined_score\na b 900\nc d 699\n")) == [("a", "b")]
    assert read_links(written(tmp_path / "l", "x tail\na b\n")) == [("a", "b")]
    assert read_links(written(tmp_path / "l", "x y score\na b 9\n")) == [("x", "y"), ("a", "b")]


def test_gzip_windows_ends_byte_order_mark_comments_and_blank_lines(tmp_path: Path) -> None:
    text = "\ufeff# two columns\r\n\r\na\tb\r\n! more\r\nc\td e\r\n"
    assert read_links(written(tmp_path / "l.gz", gzip.compress(text.encode(), mtime=0))) == [("a", "b"), ("c", "d e")]


def test_a_plain_table_without_header_has_its_score_third(tmp_path: Path) -> None:
    path = written(tmp_path / "l.tsv", "a\tb\t0.9\nb\tc\t0.1\n")
    assert read_links(path) == [("a", "b"), ("b", "c")]
    assert read_links(path, 0.5) == [("a", "b")]


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("protein1 protein2 combined_score\na b 900\na b\n", 3, "3 columns"),
        ("protein1 protein2 combined_score\na b high\n", 2, "'high' is not a number"),
        ("alone\n", 1, "two columns"),
        ("a\tb\n\tb\n", 2, "2 columns"),
        ("a\tb\nc\td\te\n", 2, "2 columns"),
        ("", None, "no lines"),
        ("# nothing\n", None, "no lines"),
        (b"a\tb\n\xff\xfe\tc\n", 2, "UTF-8"),
        (b"a\tb\n" + b"x" * 2_000_000, 2, "not a text table"),
        (gzip.compress(b"a\tb\n" * 1000, mtime=0)[:-9], None, "damaged"),
        (b"\x1f\x8bnot gzip at all", None, "damaged"),
    ],
)
def test_broken_links_are_refused_with_their_place(
    tmp_path: Path, text: str | bytes, line: int | None, problem: str
) -> None:
    path = written(tmp_path / "links.txt", text)
    with pytest.raises(ReadError, match=problem) as caught:
        read_links(path)
    assert str(path) in str(caught.value)
    if line:
        assert caught.value.line == line


def test_a_missing_file_and_a_missing_score(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match=r"nowhere.*No such file"):
        read_links(tmp_path / "nowhere")
    with pytest.raises(SettingError, match="no column"):
        read_links(written(tmp_path / "l", "a b\n"), 700)


GAF = """!gaf-version: 2.2
!generated-by: hand
SGD\tS000000001\tTFC3\tinvolved_in\tGO:0006384\tPMID:1\tIDA\t\tP\tname\tYAL001C|TSV115\tprotein\ttaxon:559292\t20200101\tSGD\t\t
SGD\tS000000001\tTFC3\tNOT|enables\tGO:0000001\tPMID:1\tIDA\t\tF\tname\tYAL001C\tprotein\ttaxon:559292\t20200101\tSGD\t\t
SGD\tS000000002\tVPS8\tenables\tGO:0003674\tPMID:1\tND\t\tF\tname\tYAL002W\tprotein\ttaxon:559292\t20200101\tSGD\t\t
SGD\tS000000002\tVPS8\tlocated_in\tGO:0005768\tPMID:1\tIEA\t\tC\tname\tYAL002W\tprotein\ttaxon:559292\t20200101\tSGD\t\t
"""


def test_gaf_leaves_out_not_nd_and_other_evidence(tmp_path: Path) -> None:
    path, drops = written(tmp_path / "a.gaf", GAF), Drops()
    found = read_annotations(path, drops=drops)
    assert [a.term for a in found] == ["GO:0006384", "GO:0005768"]
    assert found[0].names == ("S000000001", "SGD:S000000001", "TFC3", "YAL001C", "TSV115")
    assert drops.counts == {"annotations with NOT": 1, "annotations without data (ND)": 1}
    assert [a.term for a in read_annotations(path, parse_evidence("experimental"))] == ["GO:0006384"]
    # GAF 2.1 has no relations but the same columns; a file without its version line is known by them
    old = GAF.replace("involved_in", "").replace("NOT|enables", "NOT").replace("!gaf-version: 2.2\n", "")
    assert [a.term for a in read_annotations(written(tmp_path / "b", old))] == ["GO:0006384", "GO:0005768"]


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        (GAF.replace("\tSGD\t\t\n", "\n", 1), 3, "15 to 17 columns, this one 14"),
        (GAF.replace("GO:0005768", "endosome"), 6, "endosome"),
        (GAF.replace("\tIEA\t", "\t\t"), 6, "evidence"),
        (GAF.replace("S000000002\tVPS8\tlocated", "\tVPS8\tlocated"), 6, "an id"),
        ("p\tGO:1\nq\n", 2, "here are 1"),
        ("p\tGO:1\n\tGO:2\n", 2, "missing"),
        ("p\n", 1, "here are 1"),
        ("", None, "no annotations"),
    ],
)
def test_broken_annotations_are_refused_with_their_place(
    tmp_path: Path, text: str, line: int | None, problem: str
) -> None:
    path = written(tmp_path / "a.txt", text)
    with pytest.raises(ReadError, match=problem) as caught:
        read_annotations(path)
    assert str(path) in str(caught.value)
    assert caught.value.line == line


@pytest.mark.parametrize("header", ["", "protein\tgo\tevidence\taspect\n"])
def test_plain_tables_of_annotations(tmp_path: Path, header: str) -> None:
    text = header + "4932.A\tGO:1\tIEA\tC\n4932.A\tGO:2\tIDA\tC\n4932.B\tGO:3\tND\tP\n"
    path = written(tmp_path / "a.tsv", text)
    assert list(read_annotations(path)) == [AnnotationLine(("4932.A",), "GO:1"), AnnotationLine(("4932.A",), "GO:2")]
    assert [a.term for a in read_annotations(path, frozenset({"IDA"}))] == ["GO:2"]
    assert len(read_annotations(written(tmp_path / "b", "A GO:1\nB GO:2\n"))) == 2


@pytest.mark.parametrize(
    "header", ["#string_protein_id\talias\tsource\n", "## string_protein_id ## alias ## source ##\n"]
)
def test_aliases_name_the_protein(tmp_path: Path, header: str) -> None:
    path = written(
        tmp_path / "aliases", header + "4932.A\tTFC3\tX\n4932.B\tTFC3\tY\n4932.A\tS1\tZ\n4932.C\tunasked\tZ\n"
    )
    aliases = read_aliases(path, ["TFC3", "S1", "S2"])
    assert aliases == {"TFC3": {"4932.A", "4932.B"}, "S1": {"4932.A"}}
    drops = Drops()
    lines = [AnnotationLine(("S1", "TFC3"), "t"), AnnotationLine(("S2", "TFC3"), "t"), AnnotationLine(("S2",), "t")]
    annotations = Annotations([*lines, lines[2]])
    assert resolve(annotations, lambda name: aliases.get(name, set()), drops) == ["4932.A", None, None]
    assert annotations[1:] == [lines[1], lines[2], lines[2]]
    assert drops.counts == {
        "annotated ids that map to several proteins": 1,
        "annotated ids without a protein": 2,
    }
    assert [what for _, what in drops.listed] == ["S2", "S2"]
    with pytest.raises(ReadError, match=r"aliases:1: protein<TAB>alias"):
        read_aliases(written(path, "just one\n"), ["x"])


@pytest.mark.parametrize("columns", range(14, 19))
def test_gaf_lines_have_15_to_17_columns(tmp_path: Path, columns: int) -> None:
    """Also where no version says that it is GAF: such a line is known by its columns, a shorter one is no table."""
    line = "\t".join([*GAF.splitlines()[2].split("\t")[:17], "x"])
    cut = "\t".join(line.split("\t")[:columns])
    for start in ("!gaf-version: 2.2\n", ""):
        path = written(tmp_path / "a", start + cut + "\n")
        if 15 <= columns <= 17:
            assert [a.term for a in read_annotations(path)] == ["GO:0006384"]
        elif start or columns > 17:
            with pytest.raises(ReadError, match=f"15 to 17 columns, this one {columns}"):
                read_annotations(path)


def test_evidence_codes_have_two_or_three_letters() -> None:
    assert parse_evidence("nd, IDA") == {"ND", "IDA"}
    for wrong in ("I", "IDAX", "I1"):
        with pytest.raises(SettingError, match="no evidence code"):
            parse_evidence(wrong)


def test_a_file_of_nothing_but_what_is_left_out_is_no_error(tmp_path: Path) -> None:
    drops = Drops()
    assert read_annotations(written(tmp_path / "a", "p\tGO:1\tND\n"), drops=drops)[:] == []
    assert drops.counts == {"annotations without data (ND)": 1}
    drops = Drops()
    assert read_annotations(written(tmp_path / "b", "p\tGO:1\tIEA\n"), frozenset({"IDA"}), drops)[:] == []
    assert drops.counts == {"annotations with other evidence": 1}


@pytest.mark.parametrize("line", ["\tTFC3\tx", "4932.A\t\tx", "4932.A"])
def test_half_an_alias_is_refused(tmp_path: Path, line: str) -> None:
    path = written(tmp_path / "aliases", f"# a comment\n\n4932.A\tTFC3\n{line}\n")
    with pytest.raises(ReadError, match=r"aliases:4: protein<TAB>alias"):
        read_aliases(path, ["TFC3"])


def test_only_a_file_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    path = written(tmp_path / "l", "\ufeffa\tb\n\ufeffc\td\n")
    assert read_links(path) == [("a", "b"), ("\ufeffc", "d")]


def test_a_line_may_be_just_short_of_too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("elgeo.datasets.sources.lines.MAX_LINE", 8)
    assert read_links(written(tmp_path / "l", "a\tbbbb\nc\td\n")) == [("a", "bbbb"), ("c", "d")]
    with pytest.raises(ReadError, match="more than 8 bytes"):
        read_links(written(tmp_path / "l", "a\tbbbbb\nc\td\n"))


@pytest.mark.parametrize("text", ["", "IDA,", "I-A", "toolong"])
def test_evidence_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(SettingError, match="evidence"):
        parse_evidence(text)


@pytest.mark.slow
@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = written(Path(folder) / "x", data)
        for reader in (read_links, read_annotations, lambda p: read_aliases(p, ["a"])):
            with suppress(ElgeoError):
                reader(path)


def test_pipes_and_devices_are_refused_before_anything_is_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name, what in ((tmp_path / "pipe", "a pipe"), (Path("/dev/zero"), "a device")):
        for read in (read_links, read_annotations, sha256):
            with pytest.raises(ReadError, match=f"not a file but {what}: write what it gives into a file first"):
                read(name)

"""Where bytes come from: compressed files, standard input, pipes and devices, odd encodings; never a traceback."""

from __future__ import annotations

import bz2
import contextlib
import gzip
import io
import lzma
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from elgeo.errors import LONGEST_MESSAGE, ElgeoError, ReadError, clipped
from elgeo.ontology import read
from elgeo.ontology.reading import sources
from elgeo.ontology.reading.formats import as_utf8, is_ontology
from elgeo.ontology.reading.sources import beginning, content, without_compression

TEXT = b"Prefix(:=<http://ex.org/>)\nOntology(<http://ex.org/o>\nSubClassOf(:A :B)\n)\n"


RDF = (
    '<?xml version="1.0"?><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'
    ' xmlns:owl="http://www.w3.org/2002/07/owl#"><owl:Class rdf:about="http://ex.org/A"/></rdf:RDF>'
)


def zipped(**files: bytes) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name.replace("__", "/"), data)
    return made.getvalue()


PACKED = {
    ".gz": gzip.compress(TEXT),
    ".bz2": bz2.compress(TEXT),
    ".xz": lzma.compress(TEXT),
    ".zip": zipped(onto=TEXT),
}
TWICE = {
    ".gz": gzip.compress(TEXT[:30]) + gzip.compress(TEXT[30:]) + b"\0\0",
    ".bz2": bz2.compress(TEXT[:30]) + bz2.compress(TEXT[30:]),
    ".xz": lzma.compress(TEXT[:30]) + lzma.compress(TEXT[30:]),
}


@pytest.mark.parametrize("ending", PACKED)
def test_compressed_files_are_read_whatever_they_are_called(ending: str, tmp_path: Path) -> None:
    for name in (f"o.ofn{ending}", "o.owl", "o"):
        (tmp_path / name).write_bytes(PACKED[ending])
        assert [str(a) for a in read(tmp_path / name).axioms] == ["SubClassOf(<http://ex.org/A> <http://ex.org/B>)"]


@pytest.mark.parametrize("ending", TWICE)
def test_several_streams_follow_each_other(ending: str, tmp_path: Path) -> None:
    (tmp_path / "o").write_bytes(TWICE[ending])
    assert content(tmp_path / "o") == TEXT


@pytest.mark.parametrize("ending", PACKED)
def test_damaged_and_truncated(ending: str, tmp_path: Path) -> None:
    file = tmp_path / "o"
    whole = PACKED[ending]
    for cut in range(6, len(whole) - 1):
        file.write_bytes(whole[:cut])
        with pytest.raises(ReadError, match=r"truncated|damaged"):
            content(file)
    for place in range(len(whole)):
        file.write_bytes(whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :])
        # any other exception is a traceback
        with contextlib.suppress(ReadError):
            content(file)
    if ending != ".zip":
        file.write_bytes(whole + b"more")
        with pytest.raises(ReadError, match="follows the"):
            content(file)


@pytest.mark.parametrize("ending", PACKED)
def test_bombs_end_early(ending: str, tmp_path: Path) -> None:
    zeros = b"\0" * 10_000
    packed = {
        ".gz": gzip.compress(zeros),
        ".bz2": bz2.compress(zeros),
        ".xz": lzma.compress(zeros),
        ".zip": zipped(o=zeros),
    }
    (tmp_path / "o").write_bytes(packed[ending])
    assert content(tmp_path / "o", 10_000) == zeros
    with pytest.raises(ReadError, match=r"decompresses to more than 9,999 bytes: a .* bomb"):
        content(tmp_path / "o", 9_999)
    (tmp_path / "plain").write_bytes(zeros)
    assert content(tmp_path / "plain", 10_000) == zeros
    with pytest.raises(ReadError, match="larger than 9,999 bytes"):
        content(tmp_path / "plain", 9_999)


def test_growth_is_bounded_by_size_and_ratio(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    zeros = b"\0" * 100_000
    (tmp_path / "o").write_bytes(gzip.compress(zeros))
    packed = (tmp_path / "o").stat().st_size
    monkeypatch.setattr(sources, "_FREE_BYTES", 1000)
    monkeypatch.setattr(sources, "_MAX_RATIO", len(zeros) // packed)
    with pytest.raises(ReadError, match=f"more than {packed * (len(zeros) // packed):,} bytes"):
        content(tmp_path / "o")
    monkeypatch.setattr(sources, "_MAX_RATIO", len(zeros) // packed + 1)
    assert content(tmp_path / "o") == zeros
    monkeypatch.setattr(sources, "_MAX_RATIO", 1)
    monkeypatch.setattr(sources, "_FREE_BYTES", 100_000)
    assert content(tmp_path / "o") == zeros
    monkeypatch.setattr(sources, "MAX_BYTES", 99_999)
    with pytest.raises(ReadError, match="more than 99,999 bytes"):
        content(tmp_path / "o")


def test_archives(tmp_path: Path) -> None:
    file = tmp_path / "o.zip"
    file.write_bytes(zipped(readme=b"hello", o=TEXT))
    with pytest.raises(ReadError, match="a zip archive of 2 files: unpack it"):
        content(file)
    file.write_bytes(zipped())
    with pytest.raises(ReadError, match=r"not an ontology|a zip archive of 0 files"):
        read(file)
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.mkdir("folder")
        archive.writestr("folder/o.ofn", TEXT)
        archive.writestr("__MACOSX/._o.ofn", b"x")
    file.write_bytes(made.getvalue())
    assert content(file) == TEXT
    # the flag that says it is encrypted
    secret = bytearray(zipped(o=TEXT))
    secret[6] |= 1
    secret[secret.index(b"PK\x01\x02") + 8] |= 1
    file.write_bytes(bytes(secret))
    with pytest.raises(ReadError, match="cannot be unpacked"):
        content(file)


def test_pipes_devices_folders(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name, what in ((tmp_path / "pipe", "a pipe"), (Path("/dev/zero"), "a device")):
        with pytest.raises(ReadError, match=f"not a file but {what}: to read standard input, name it -"):
            read(name)
    with pytest.raises(ReadError, match="this is a folder"):
        read(tmp_path)
    with pytest.raises(ReadError, match="no such file"):
        read(tmp_path / "none")
    with pytest.raises(ReadError, match="cannot be read"):
        read("a\0b")
    assert beginning(tmp_path / "pipe", 10) == b""


@pytest.mark.slow
def test_standard_input(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "elgeo", "info", "-", "--json"]
    for data in (TEXT, PACKED[".xz"]):
        ended = subprocess.run(command, input=data, capture_output=True, check=False, cwd=tmp_path)
        assert ended.returncode == 0, ended.stderr
        assert b'"axioms": 1' in ended.stdout
    ended = subprocess.run(command, input=b"", capture_output=True, check=False, cwd=tmp_path)
    assert (ended.returncode, ended.stderr) == (2, b"elgeo: -: the file is empty\n")


def test_standard_input_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "MAX_PIPED", 9)
    for size in (9, 10):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"x" * size)))
        if size == 9:
            assert content("-") == b"x" * 9
        else:
            with pytest.raises(ReadError, match="-: larger than 9 bytes"):
                content("-")


def test_beginnings(tmp_path: Path) -> None:
    for ending in (".gz", ".bz2", ".xz"):
        (tmp_path / "o").write_bytes(PACKED[ending])
        assert beginning(tmp_path / "o", 1000) == TEXT
        (tmp_path / "o").write_bytes(PACKED[ending][:8] + b"\xff" * 40)
        assert not beginning(tmp_path / "o", 1000).startswith(TEXT)
    (tmp_path / "o").write_bytes(TEXT)
    assert beginning(tmp_path / "o", 10) == TEXT[:10]
    assert beginning(tmp_path / "none", 10) == b""
    assert [without_compression(n) for n in ("a.owl.gz", "a.xz", "b.owl", "c.zip.bz2")] == [
        "a.owl",
        "a",
        "b.owl",
        "c.zip",
    ]


@pytest.mark.parametrize(
    "encoding", ["idna", "undefined", "punycode", "hex", "rot13", "utf-7", "klingon", "shift_jis", "unicode_escape"]
)
@pytest.mark.parametrize("space", [" ", " " * 300, " " * 3000])
def test_odd_encodings(encoding: str, space: str, tmp_path: Path) -> None:
    file = tmp_path / "o.owl"
    document = f'<?xml version="1.0"{space}encoding="{encoding}"?><Ontology xmlns="http://www.w3.org/2002/07/owl#"/>'
    file.write_bytes(document.encode() + b"\n<!-- \x80\xff -->")
    with pytest.raises(ReadError) as caught:
        read(file)
    assert len(str(caught.value)) < 400
    rdf = RDF.replace('"?>', f'"{space}encoding="{encoding}"?>', 1)
    file.write_text(rdf.replace("</rdf:RDF>", "<broken></rdf:RDF>"))
    with pytest.raises(ReadError):
        read(file)
    file.write_text(rdf.replace("owl:Class", "owl:Class rdf:ID='no name'"))
    with pytest.raises(ReadError):
        read(file)
    (tmp_path / "catalog-v001.xml").write_bytes(f'<?xml version="1.0" encoding="{encoding}"?><a/>'.encode())
    (tmp_path / "o.ofn").write_text("Ontology(Import(<http://ex.org/x>))")
    if encoding != "shift_jis":
        with pytest.raises(ReadError, match=r"catalog-v001\.xml: cannot be read as"):
            read(tmp_path / "o.ofn")


def test_known_encodings_are_read(tmp_path: Path) -> None:
    file = tmp_path / "o.owl"
    for encoding in ("iso-8859-1", "windows-1252", "shift_jis", "utf-16"):
        name = "é" if encoding != "shift_jis" else "日本"
        text = (
            f'<?xml version="1.0" encoding="{encoding}"?><Ontology xmlns="http://www.w3.org/2002/07/owl#">'
            f'<Declaration><Class IRI="http://ex.org/{name}"/></Declaration></Ontology>'
        )
        file.write_bytes(text.encode(encoding))
        assert f"http://ex.org/{name}" in read(file).strings


def test_only_what_a_document_says_of_itself_is_changed() -> None:
    text = '<?xml version="1.0" encoding="latin-1"?><a><![CDATA[<?xml version="1.0" encoding="ascii"?> é]]></a>'
    assert as_utf8(text.encode("latin-1"), "o.owl").decode() == text.replace("latin-1", "UTF-8")


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("# a comment first\n\nPrefix(:=<http://ex.org/>)\nOntology()", True),
        ("# a comment\n@prefix : <http://ex.org/> .\n:A a :B .", True),
        ("<http://ex.org/a> a <http://www.w3.org/2002/07/owl#Class> .", True),
        ("! said in OBO\nformat-version: 1.2\n\n[Term]\nid: X:1\n", True),
        ("<http://ex.org/A> SubClassOf <http://ex.org/B>\n<http://ex.org/B> SubClassOf <http://ex.org/C>", False),
        ("# axioms\nGO:1 SubClassOf part_of some GO:2", False),
        ("SubClassOf(<http://ex.org/A> <http://ex.org/B>)", False),
        ("", False),
    ],
)  # fmt: skip
def test_ontologies_and_lines_of_axioms(text: str, is_one: bool, tmp_path: Path) -> None:
    for name in ("axioms.txt", "axioms"):
        (tmp_path / name).write_text(text)
        assert is_ontology(tmp_path / name) is is_one


def test_messages_are_clipped() -> None:
    assert clipped("short") == "short"
    assert clipped("x" * LONGEST_MESSAGE) == "x" * LONGEST_MESSAGE
    long = str(ReadError(f"{'y' * 60_000} is no IRI: mend it", "file.owl", 7))
    assert len(long) <= LONGEST_MESSAGE
    assert long.startswith("file.owl:7: yyy")
    assert long.endswith("yyy is no IRI: mend it")
    assert len(clipped("z" * 100, 30)) == 30
    assert len(str(ElgeoError("a" * 10_000))) <= LONGEST_MESSAGE

"""Files given as addresses make the same dataset as files on disk, and the record says where they came from."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from elgeo.cli import main
from elgeo.datasets import Dataset, load
from elgeo.datasets.releases.backtest import Releases, back_test
from elgeo.datasets.sources.given import Given, at_hand
from elgeo.errors import ReadError
from tests.datasets.faulty_server import Site, serving
from tests.datasets.small_sources import write_sources

LABELLED = """
Prefix(:=<http://x/>)
Prefix(rdfs:=<http://www.w3.org/2000/01/rdf-schema#>)
Ontology(<http://x/>
  SubClassOf(:B :A) SubClassOf(:C :A){}
  AnnotationAssertion(rdfs:label :C "see"@en) AnnotationAssertion(rdfs:label :C "Zeh"@de)
)"""


def same(one: Dataset, other: Dataset) -> bool:
    tables = all(np.array_equal(one.forms[form], other.forms[form]) for form in one.forms.tables)
    return tables and all(
        np.array_equal(getattr(one, part), getattr(other, part)) for part in ("train", "valid", "test")
    )


def test_every_file_of_a_build_may_be_an_address(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = write_sources(tmp_path)

    def command(start: str, folder: str) -> list[str]:
        options = ["--ontology", f"{start}/go.obo", "--interactions", f"{start}/links.txt"]
        options += ["--annotations", f"{start}/annotations.gaf", "--aliases", f"{start}/aliases.txt"]
        return ["dataset", "build", *options, "--split", "60:20:20", "-o", str(tmp_path / folder)]

    with serving(Site({f"/{name}": path.read_bytes() for name, path in files.items()})) as site:
        assert main(command(str(tmp_path), "disk")) == 0
        said = capsys.readouterr().err
        assert "fetching" not in said
        assert main(command(site.address, "web")) == 0
        said = capsys.readouterr().err
        assert said.splitlines()[0] == f"elgeo: fetching {site.address}/go.obo"
        asked = [path for path, _ in site.requests]
        assert asked == ["/go.obo", "/links.txt", "/annotations.gaf", "/aliases.txt"]
        disk, web = load(tmp_path / "disk"), load(tmp_path / "web")
        assert same(disk, web)
        for source, other in zip(disk.record["sources"], web.record["sources"], strict=True):
            assert other == {**source, "url": f"{site.address}/{source['file']}"}


def test_pairs_from_the_web(tmp_path: Path) -> None:
    write_sources(tmp_path)
    pairs = "".join(f"E{i}\tGO:000000{1 + i % 4}\n" for i in range(12))
    (tmp_path / "pairs.tsv").write_text(pairs)

    def command(start: str, folder: str) -> list[str]:
        options = ["--ontology", f"{start}/go.obo", "--pairs", f"{start}/pairs.tsv", "--role", "found_in"]
        return ["dataset", "build", *options, "--split", "60:20:20", "--as-drawn", "-o", str(tmp_path / folder)]

    with serving(Site({f"/{name}": (tmp_path / name).read_bytes() for name in ("go.obo", "pairs.tsv")})) as site:
        assert main(command(str(tmp_path), "disk")) == main(command(site.address, "web")) == 0
        assert [path for path, _ in site.requests] == ["/go.obo", "/pairs.tsv"]
    assert same(load(tmp_path / "disk"), load(tmp_path / "web"))
    assert [source["url"] for source in load(tmp_path / "web").record["sources"]] == [
        f"{site.address}/go.obo",
        f"{site.address}/pairs.tsv",
    ]


def test_releases_from_the_web_and_in_a_language(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old, new = (
        LABELLED.format(""),
        LABELLED.format(' SubClassOf(:C :B) SubClassOf(:D :C) AnnotationAssertion(rdfs:label :D "Deh"@de)'),
    )
    with serving(Site({"/1/x.ofn": old.encode(), "/2/x.ofn": new.encode()})) as site:
        places = [f"{site.address}/1/x.ofn", f"{site.address}/2/x.ofn"]
        command = ["dataset", "releases", *places, "--axioms", "?C SubClassOf ?D", "--json", "-o", str(tmp_path / "b")]
        assert main(command) == 0
        assert json.loads(capsys.readouterr().out)["classes"]["new_terms"] == 1
        for language, label in (("en", "see"), ("de", "Zeh")):
            [target] = back_test(Releases(places[0], places[1], ("?C SubClassOf ?D",), language=language)).targets
            assert label in target.dataset.vocabulary.labels.values()
        sources = target.dataset.record["sources"]
        assert [(each["what"], each["file"], each["url"]) for each in sources] == [
            ("old release", "x.ofn", places[0]),
            ("new release", "x.ofn", places[1]),
        ]


def test_a_copy_lasts_as_long_as_the_block_and_is_made_once(capsys: pytest.CaptureFixture[str]) -> None:
    with serving(Site({"/a": b"one", "/b": b"<html>"})) as site:
        address = f"{site.address}/a"
        with at_hand([("first", address), ("second", address)], lambda _: None) as (places, sources):
            path = places[address]
            assert path.read_bytes() == b"one"
            assert [source["what"] for source in sources] == ["first", "second"]
        assert not path.exists()
        assert len(site.requests) == 1
        with pytest.raises(ReadError, match=f"^{site.address}/none: the server answers 404"):
            at_hand([("x", f"{site.address}/none")], lambda _: None).__enter__()
        command = ["dataset", "releases", address, f"{site.address}/b", "-o", "nowhere"]
        assert main(command) == 2
        said = capsys.readouterr().err.splitlines()[-1]
        assert said.startswith(f"elgeo: {address}: ")
        assert "/tmp" not in said.replace(address, "")


def test_what_is_wrong_with_a_copy_is_said_of_its_address(tmp_path: Path) -> None:
    (tmp_path / "here").write_bytes(b"one")
    with serving(Site({"/a": b"two", "/b": b"three"})) as site:
        files: list[Given] = [f"{site.address}/a", f"{site.address}/b", tmp_path / "here"]
        for file in files:
            with (
                pytest.raises(ReadError) as caught,
                at_hand([("x", each) for each in files], lambda _: None) as (places, _),
            ):
                raise ReadError("is broken", str(places[file]), 7)
            assert str(caught.value) == f"{file}:7: is broken"

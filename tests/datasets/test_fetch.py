"""`dataset fetch` against a faulty mirror: downloads, resumes, records, builds."""

from __future__ import annotations

import gzip
import json
import tomllib
from pathlib import Path

import pytest

from elgeo.cli import main
from elgeo.datasets import load
from elgeo.datasets.sources.fetch import NAMES, WHAT, fetch, read_sources
from elgeo.errors import ElgeoError, ReadError
from tests.datasets.faulty_server import Site, serving
from tests.datasets.small_sources import write_sources


def mirror(folder: Path) -> Site:
    """The small files where the package looks for the paper's versions."""
    files = write_sources(folder)
    sources = read_sources()
    local = {
        "ontology": "go.obo",
        "interactions": "links.txt",
        "aliases": "aliases.txt",
        "annotations": "annotations.gaf",
    }
    served = {}
    for organism in ("yeast", "human"):
        for what in WHAT:
            url = sources[organism][what]["urls"][0]
            data = files[local[what]].read_bytes()
            served["/" + url.split("://", 1)[1]] = gzip.compress(data, mtime=0) if url.endswith(".gz") else data
    return Site(served)


def test_the_table_of_sources_is_whole() -> None:
    sources = read_sources()
    for organism, _ in NAMES.values():
        for what in WHAT:
            entry = sources[organism][what]
            assert all(url.startswith("https://") for url in entry["urls"])
            assert entry["max_megabytes"] > 0


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_fetch_makes_a_dataset_with_a_record_of_its_sources(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    site = mirror(tmp_path / "files")
    links = next(path for path in site.files if "links" in path and ("4932" in path) == name.startswith("yeast"))
    if name == "yeast-iw":
        site.faults[links] = ["cut:40"]
    with serving(site):
        command = ["dataset", "fetch", name, "-o", str(tmp_path / name), "--base-url", site.address, "--json"]
        assert main(command) == 0
        asked = len(site.requests)
        shown = json.loads(capsys.readouterr().out)
        assert shown["splits"]["test"] > 0
        assert main([*command, "--force", "--seed", "5"]) == 0
    assert len(site.requests) == asked, "what is there is not fetched again"
    dataset = load(tmp_path / name)
    assert dataset.symmetric == (name == "yeast-iw")
    assert {source["url"] for source in dataset.record["sources"]} == {
        read_sources()[NAMES[name][0]][what]["urls"][0] for what in WHAT
    }
    recorded = tomllib.loads((tmp_path / f"{name}-downloads" / NAMES[name][0] / "fetched.toml").read_text())
    assert {entry["sha256"] for entry in recorded.values()} == {s["sha256"] for s in dataset.record["sources"]}


@pytest.mark.slow
def test_a_changed_file_is_fetched_again_and_an_older_version_is_replaced_by_the_newest(tmp_path: Path) -> None:
    site = mirror(tmp_path / "files")
    urls = read_sources()["yeast"]["ontology"]["urls"]
    first, newest = ("/" + url.split("://", 1)[1] for url in (urls[0], urls[-1]))
    site.files[newest] = site.files.pop(first)
    command = ["dataset", "fetch", "yeast-iw", "-o", str(tmp_path / "d"), "--downloads", str(tmp_path / "downloads")]
    with serving(site):
        assert main([*command, "--base-url", site.address]) == 0
        assert [s["url"] for s in load(tmp_path / "d").record["sources"] if s["what"] == "ontology"] == [urls[-1]]
        asked = len(site.requests)
        (tmp_path / "downloads" / "yeast" / "go.obo").write_text("broken by hand")
        assert main([*command, "--base-url", site.address, "--force"]) == 0
        assert len(site.requests) == asked + len(urls)
        record = tmp_path / "downloads" / "yeast" / "fetched.toml"
        record.unlink()  # what nobody knows the origin of is fetched, too
        assert main([*command, "--base-url", site.address, "--force"]) == 0
        assert len(site.requests) == asked + 2 * len(urls) + len(WHAT) - 1
        (tmp_path / "downloads" / "yeast" / "go.obo").unlink()
        assert main([*command, "--base-url", site.address, "--force"]) == 0
        assert len(site.requests) == asked + 3 * len(urls) + len(WHAT) - 1
    assert load(tmp_path / "d").name == "yeast-iw"


def refused(command: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    assert main(command) == 2
    said = capsys.readouterr()
    assert said.out == ""
    return said.err.strip().splitlines()[-1]


@pytest.mark.slow
def test_faults_end_with_one_plain_message(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    site = mirror(tmp_path / "files")
    path = next(path for path in site.files if "go.obo" in path)
    command = ["dataset", "fetch", "yeast-iw", "-o", str(tmp_path / "d"), "--tries", "2", "--timeout", "0.3"]
    with serving(site):
        here = [*command, "--base-url", site.address]
        site.faults[path] = ["stall", "stall"]
        assert "online" in refused(here, capsys)
        assert "larger than" in refused([*here, "--max-megabytes", "0.0001"], capsys)
        own = tmp_path / "sources.toml"
        text = (Path(__file__).parents[2] / "src" / "elgeo" / "datasets" / "sources" / "sources.toml").read_text()
        own.write_text(text.replace('file = "go.obo"', 'file = "go.obo"\nsha256 = "00"', 1))
        assert "checksum" in refused([*here, "--sources", str(own)], capsys)
        small = {what: dict(entry) for what, entry in read_sources()["yeast"].items()}
        small["ontology"]["max_megabytes"] = len(site.files[path]) / 2e6
        with pytest.raises(ElgeoError, match="larger than"):
            fetch("yeast-iw", tmp_path / "downloads", base_url=site.address, sources={"yeast": small})
        site.files.clear()
        assert "no address has the file" in refused(here, capsys)
    assert "online" in refused([*command, "--base-url", site.address], capsys)
    assert not (tmp_path / "d").exists()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("x = ", "not TOML"),
        ("[yeast]\noptions = {}", "yeast.ontology"),
        ('[yeast]\nontology = "x"', "yeast.ontology"),
        *(
            (f'[yeast.ontology]\nfile = "a"\nurls = {urls}', "yeast.ontology")
            for urls in ("[]", '"x"', '["x", 3]', "3")
        ),
        ('[yeast.ontology]\nfile = 3\nurls = ["x"]', "yeast.ontology"),
        ('[yeast.ontology]\nfile = "a"\nurls = ["x", "y"]', "yeast.interactions"),
    ],
)
def test_a_broken_table_of_sources(tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "sources.toml"
    path.write_text(text)
    with pytest.raises(ReadError, match=problem):
        read_sources(path)
    with pytest.raises(ReadError, match="nowhere"):
        read_sources(tmp_path / "nowhere.toml")


def test_settings_that_cannot_be(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = ["-o", str(tmp_path / "d")]
    assert "there are yeast-iw" in refused(["dataset", "fetch", "mouse-iw", *output], capsys)
    assert "--tries" in refused(["dataset", "fetch", "yeast-iw", "--tries", "0", *output], capsys)

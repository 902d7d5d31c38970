"""Ontologies from the web: whole, or one error that names the address; bounded in size and time."""

from __future__ import annotations

import gzip
import socket
import threading
from pathlib import Path

import pytest

from elgeo.cli import main
from elgeo.datasets import load, split
from elgeo.errors import ReadError
from elgeo.ontology import read
from elgeo.ontology.reading.web import fetched, is_address, local_copy
from tests.datasets.faulty_server import Site, serving

TEXT = (
    "Prefix(:=<http://x/>)\nOntology(<http://x/>\n"
    + "".join(f"SubClassOf(:A{i} :A{i // 2})\n" for i in range(1, 40))
    + ")"
).encode()


def test_an_ontology_is_read_from_its_address(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "o.ofn").write_bytes(TEXT)
    with serving(Site({"/o.ofn": TEXT, "/o.ofn.gz": gzip.compress(TEXT)})) as site:
        for name in ("o.ofn", "o.ofn.gz"):
            found = read(f"{site.address}/{name}")
            assert [str(axiom) for axiom in found.axioms] == [str(axiom) for axiom in read(tmp_path / "o.ofn").axioms]
        assert main(["info", f"{site.address}/o.ofn"]) == 0
        assert "axioms          39\n" in capsys.readouterr().out
        command = ["dataset", "split", f"{site.address}/o.ofn.gz", "--axioms", "?C SubClassOf ?D", "-o"]
        assert main([*command, str(tmp_path / "data")]) == 0
        in_python = split(f"{site.address}/o.ofn", "?C SubClassOf ?D")
        assert [path for path, _ in site.requests] == ["/o.ofn", "/o.ofn.gz", "/o.ofn", "/o.ofn.gz", "/o.ofn"]
    source = load(tmp_path / "data").record["sources"][0]
    assert (source["file"], source["url"]) == ("o.ofn.gz", f"{site.address}/o.ofn.gz")
    assert source["bytes"] == len(gzip.compress(TEXT))
    assert in_python.name == "o"
    assert len(in_python.train) == len(load(tmp_path / "data").train)


def test_what_goes_wrong_names_the_address(capsys: pytest.CaptureFixture[str]) -> None:
    with serving(Site({"/o.ofn": TEXT, "/page": b"<html><body>moved</body></html>"})) as site:
        address = f"{site.address}/o.ofn"
        for place, problem in {
            f"{site.address}/none.owl": "the server answers 404",
            f"{site.address}/page": "an XML document with the root element <html>",
        }.items():
            assert main(["info", place]) == 2
            said = capsys.readouterr().err
            assert said.startswith(f"elgeo: {place}: ")
            assert problem in said
            assert said.count("\n") == 1
        site.faults["/o.ofn"] = ["cut:100"]
        with pytest.raises(ReadError, match=f"broke off after 100 of {len(TEXT)} bytes"):
            fetched(address, 10_000)
        with pytest.raises(ReadError, match="larger than 500 bytes"):
            fetched(address, 500)
        with pytest.raises(ReadError, match="larger than 500 bytes"):
            read(address, max_bytes=500)
        assert fetched(address, len(TEXT)) == TEXT
        site.faults["/o.ofn"] = ["stall"]
        with pytest.raises(ReadError, match=r"within 0.2 seconds|cannot be reached"):
            fetched(address, 10_000, silence=0.2)
        with pytest.raises(ReadError, match="takes longer than 0 seconds"):
            fetched(address, 10_000, patience=0)
    # nobody listens there any more: the system's words without its number
    with pytest.raises(ReadError, match=rf"^{address}: cannot be (reached|fetched) \([^\[\]()]*refused[^\[\]()]*\)"):
        fetched(address, 10_000)


def test_what_is_no_address() -> None:
    assert is_address("https://x/y.owl")
    assert is_address("http://x")
    assert not is_address(Path("http:/x"))
    assert not is_address("file:///etc/passwd")
    assert not is_address("o.ofn")
    with local_copy("some/file.owl", 10) as path:
        assert path == Path("some/file.owl")
    with pytest.raises(ReadError, match=r"cannot be fetched \(Invalid IPv6 URL\)"):
        fetched("http://[broken", 10)


def test_an_answer_that_is_no_answer() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def nonsense() -> None:
            connection, _ = server.accept()
            with connection:
                connection.recv(1000)
                connection.sendall(b"\x00\x01\x02\r\n\r\n")

        thread = threading.Thread(target=nonsense)
        thread.start()
        with pytest.raises(ReadError, match=r"cannot be fetched|cannot be reached"):
            fetched(f"http://127.0.0.1:{server.getsockname()[1]}/", 100)
        thread.join()

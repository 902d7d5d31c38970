"""`elgeo serve` as a person starts it: one line with its address, a page in a browser, an end by Ctrl-C."""

from __future__ import annotations

import json
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from email.message import Message
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import Request, urlopen

import pytest
from starlette.testclient import TestClient

from elgeo.cli import main
from elgeo.cli.runs import serve

EVIL = "<script>document.title = 'attacked'</script><img src=x onerror=\"document.title = 'attacked'\">"
BROWSER = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--virtual-time-budget=8000")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run on an ontology one of whose labels is an attack."""
    place = tmp_path_factory.mktemp("served")
    axioms = [f"SubClassOf(:C{i} :C{(i * 7) % i if i > 1 else 0})" for i in range(1, 40)]
    axioms += [f"SubClassOf(:C{i} ObjectSomeValuesFrom(:part_of :C{(i * 5 + 3) % 40}))" for i in range(40)]
    labels = [f'AnnotationAssertion(rdfs:label :C{i} "thing number {i}")' for i in range(40) if i != 5]
    evil = EVIL.replace('"', '\\"')
    labels.append(f'AnnotationAssertion(rdfs:label :C5 "{evil}")')
    text = "\n".join(["Prefix(:=<http://x/>)", "Ontology(<http://x/>", *axioms, *labels, ")"])
    (place / "o.ofn").write_text(text)
    pattern = "?C SubClassOf part_of some ?D"
    assert main(["dataset", "split", str(place / "o.ofn"), "--axioms", pattern, "-o", str(place / "data")]) == 0
    assert main(["train", str(place / "data"), "-o", str(place / "run"), "--model", "common-neighbours"]) == 0
    return place


@pytest.fixture
def address(folder: Path, tmp_path: Path) -> Iterator[str]:
    command = [sys.executable, "-m", "elgeo", "serve", str(folder / "run"), "--port", "0"]
    command += ["--decisions", str(tmp_path / "d.sqlite")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        line = server.stdout.readline().strip()
        assert line.startswith("http://127.0.0.1:")
        yield line
        server.send_signal(signal.SIGINT)
        assert server.wait(20) in (0, 130)


@pytest.mark.slow
def test_labels_are_text_whatever_they_contain(address: str) -> None:
    with urlopen(f"{address}api/runs") as answer:
        assert b"common-neighbours" in answer.read()
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("chromium is not installed")
    with tempfile.TemporaryDirectory() as profile:
        command = [
            chromium,
            *BROWSER,
            f"--user-data-dir={profile}",
            "--dump-dom",
            f"{address}#{quote('http://x/C5', '')}",
        ]
        shown = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout
    assert "<title>elgeo</title>" in shown
    assert "&lt;script&gt;document.title" in shown
    assert "<img src=" not in shown
    assert 'class="axiom"' in shown, "its missing axioms are there"
    assert "thing number" in shown


@pytest.mark.slow
def test_a_page_of_another_origin_neither_reads_nor_writes(address: str) -> None:
    """With requests as browsers send them, to the server itself."""
    ours = address.removeprefix("http://").rstrip("/")
    port = ours.rpartition(":")[2]
    axiom = {"head": "http://x/C1", "role": "http://x/part_of", "tail": "http://x/C2", "who": "eve"}

    def ask(path: str, sent: dict[str, str] | None, headers: dict[str, str]) -> tuple[int, Message, bytes]:
        body = None if sent is None else json.dumps(sent).encode()
        request = Request(f"{address}{path}", body, {"content-type": "application/json", **headers})
        try:
            with urlopen(request) as answer:
                return answer.status, answer.headers, answer.read()
        except HTTPError as error:
            with error:
                return error.code, error.headers, error.read()

    foreign = (
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": f"http://127.0.0.1:{int(port) % 65535 + 1}"},
        {"origin": f"https://evil.example:{port}"},
        {"host": "evil.example"},
        {"host": f"evil.example:{port}"},
        {"host": f"evil.example:{port}", "origin": f"http://evil.example:{port}"},  # a name made to lead here
        {"sec-fetch-site": "cross-site"},
    )
    secrets = (b"thing number", b"http://x/C", b"common-neighbours")
    for headers in foreign:
        for path, sent in (
            ("api/runs", None),
            ("api/search?q=thing", None),
            ("api/decisions", None),
            ("openapi.json", None),
            ("api/decisions", {**axiom, "verdict": "accept"}),
            ("api/undo", axiom),
        ):
            status, told, body = ask(path, sent, headers)
            assert status == (421 if "host" in headers else 403), (headers, path)
            assert not any(secret in body for secret in secrets)
            assert "access-control-allow-origin" not in told
    plain = {"content-type": "text/plain"}  # what a form of another page can send without asking first
    assert ask("api/decisions", {**axiom, "verdict": "accept"}, plain)[0] == 415
    assert json.loads(ask("api/decisions", None, {})[2]) == {"decisions": []}, "nothing was written"
    assert ask("api/decisions", {**axiom, "verdict": "accept"}, {"origin": f"http://{ours}"})[0] == 200
    assert len(json.loads(ask("api/decisions", None, {})[2])["decisions"]) == 1


def test_bad_requests_are_one_line(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = str(folder / "run")
    (tmp_path / "text").write_text("no database")
    for arguments, said in (
        ([run, run], "two runs are called 'run': rename a folder"),
        ([run, "--port", "70000"], "a port is a number up to 65535, not 70000"),
        ([str(folder / "data")], "data"),
        ([run, "--decisions", str(tmp_path / "text")], "the decisions cannot be used"),
        ([run, "--host", "no.such.host.invalid"], "cannot listen on no.such.host.invalid"),
    ):
        assert main(["serve", *arguments]) == 2
        assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("host", "options", "token"),
    [
        ("127.0.0.1", [], None),
        ("localhost", [], None),
        ("127.0.0.1", ["--token", "secret"], "secret"),
        ("0.0.0.0", [], "made up"),
        ("0.0.0.0", ["--token", "known"], "known"),
    ],
)
def test_who_is_let_in_is_what_the_printed_address_says(
    folder: Path,
    host: str,
    options: list[str],
    token: str | None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Everything but the endless loop of the server."""
    started: list[tuple[Any, Any]] = []
    monkeypatch.setattr("uvicorn.Server.run", lambda server, sockets: started.append((server, sockets)))
    command = ["serve", str(folder / "run"), "--host", host, "--port", "0", "--decisions", str(tmp_path / "d.sqlite")]
    assert main([*command, *options]) == 0
    ((server, (listening,)),) = started
    port = listening.getsockname()[1]
    with listening, socket.create_connection(("127.0.0.1", port), timeout=5):
        pass  # it listens before its address is printed
    address, _, shown = capsys.readouterr().out.strip().partition("?token=")
    assert address == f"http://{host}:{port}/"
    if token == "made up":
        assert len(shown) == 32, "24 bytes"
    else:
        assert shown == (token or "")
    asked = TestClient(server.config.app, base_url=address)
    assert asked.get("/api/runs").status_code == (200 if token is None else 401)
    assert asked.get("/api/runs", params={"token": shown}).status_code == 200
    elsewhere = TestClient(server.config.app, base_url="http://evil.example")
    assert elsewhere.get("/api/runs", params={"token": shown}).status_code == 421


@pytest.mark.parametrize("port", ["-1", "65536"])
def test_numbers_that_are_no_ports(folder: Path, port: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", str(folder / "run"), "--port", port]) == 2
    assert f"a port is a number up to 65535, not {port}" in capsys.readouterr().err


def test_an_address_of_the_new_kind_is_put_in_brackets(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        pytest.skip("this machine has no IPv6")
    ports: list[int] = []
    monkeypatch.setattr("uvicorn.Server.run", lambda server, sockets: ports.append(sockets[0].getsockname()[1]))
    command = ["serve", str(folder / "run"), "--host", "::1", "--port", "0", "--decisions", str(tmp_path / "d.sqlite")]
    assert main(command) == 0
    assert capsys.readouterr().out == f"http://[::1]:{ports[0]}/\n"


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_answers_in_pieces_do_not_wait_for_each_other(host: str) -> None:
    """Where asyncio does not know a socket for one of TCP, each answer is 40 ms late on a connection that is kept."""
    with serve._listen(host, 0) as listening:
        assert listening.proto == socket.IPPROTO_TCP

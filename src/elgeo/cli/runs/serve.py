"""`elgeo serve`: the curator's page about one or several runs."""

from __future__ import annotations

import argparse
import ipaddress
import re
import secrets
import socket
import sys
import threading
from pathlib import Path

from elgeo.errors import SettingError
from elgeo.messages import say
from elgeo.places import check_run

WAITING = 128
"""Browsers that may wait to be let in."""
TOKEN = re.compile(r"[A-Za-z0-9._~-]+")
LOOPBACK = ("localhost", "127.0.0.1", "[::1]")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("runs", metavar="RUN", nargs="+", help="folders of runs, made by elgeo train")
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen on (default 127.0.0.1)")
    parser.add_argument("--port", type=int, default=8017, help="the port (default 8017; 0 takes a free one)")
    parser.add_argument("--token", help="what a visitor has to know; made up where it listens beyond this machine")
    parser.add_argument(
        "--decisions", metavar="FILE", default="decisions.sqlite", help="where decisions are kept (default %(default)s)"
    )
    parser.epilog = """\
Search for classes, look at their missing axioms and the reasons, accept, reject or postpone them; several people may
do so at once. The same as JSON is described at /openapi.json. Ctrl-C ends it; decisions are kept as they are made.

example: elgeo serve run --decisions my-decisions.sqlite
         elgeo apply my-decisions.sqlite my.owl -o curated.owl"""


def run(options: argparse.Namespace) -> None:
    names = [Path(folder).resolve().name for folder in options.runs]
    if len(set(names)) < len(names):
        raise SettingError(f"two runs are called {max(names, key=names.count)!r}: rename a folder")
    if not 0 <= options.port <= 65535:
        raise SettingError(f"a port is a number up to 65535, not {options.port}")
    if options.token is not None and not TOKEN.fullmatch(options.token):
        raise SettingError("a token has letters, digits, dots and dashes, for it is part of an address")
    for folder in options.runs:
        check_run(folder)
    import uvicorn

    from elgeo.serve.application import application
    from elgeo.serve.decisions import Decisions
    from elgeo.serve.library import Shelf
    from elgeo.training.run import Run

    decisions = Decisions(options.decisions)
    shelves = []
    for name, folder in zip(names, options.runs, strict=True):
        say(f"opening {folder}")
        shelves.append(Shelf(name, Run.load(folder)))
    token = options.token
    if token is None and not _is_loopback(options.host):
        token = secrets.token_urlsafe(24)
    listening = _listen(options.host, options.port)
    port = listening.getsockname()[1]
    host = f"[{options.host}]" if ":" in options.host else options.host
    hosts = [*LOOPBACK, host, socket.gethostname()]
    site = application(shelves, decisions, hosts, token)
    server = uvicorn.Server(uvicorn.Config(site, log_level="warning", access_log=False, server_header=False))
    shown = f"http://{host}:{port}/" + (f"?token={token}" if token else "")
    print(shown, flush=True)
    ended = threading.Event()
    # who waits for an answer is let in soon, though others are at work on longer ones
    sys.setswitchinterval(0.001)
    at_work = [threading.Thread(target=shelf.prepare, args=(ended,)) for shelf in shelves]
    for thread in at_work:
        thread.start()
    try:
        server.run(sockets=[listening])
    finally:  # a thread that is left behind in compiled code aborts the process
        ended.set()
        for thread in at_work:
            thread.join()


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _listen(host: str, port: int) -> socket.socket:
    """A socket that listens already, so that the address printed is one that answers."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        # with its protocol said: asyncio lets only such connections send at once what it is given in pieces
        made = socket.socket(family, kind, protocol)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind(address)
        made.listen(WAITING)
    except OSError as error:
        raise SettingError(f"cannot listen on {host}, port {port}: {error.strerror or error}") from error
    return made

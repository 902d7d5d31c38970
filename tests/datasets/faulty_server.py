"""A web server on loopback that serves files from memory and fails in the ways it is told to."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Site:
    """What is served, which faults wait for which request, and what was asked."""

    files: dict[str, bytes]
    faults: dict[str, list[str]] = field(default_factory=dict)
    """For each path the faults of its next requests: `cut:N` (N bytes, then the end), `stall`, or a status (`503`)."""
    tag: str | None = '"1"'
    ranges: bool = True
    requests: list[tuple[str, str | None]] = field(default_factory=list)
    """(path, Range header) of every request."""
    address: str = ""


@contextmanager
def serving(site: Site) -> Iterator[Site]:
    """The site on a free port of this machine for as long as the block lasts."""

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *arguments: object) -> None: ...

        def do_GET(self) -> None:
            asked = self.headers.get("Range")
            site.requests.append((self.path, asked))
            waiting = site.faults.get(self.path, [])
            fault = waiting.pop(0) if waiting else ""
            body = site.files.get(self.path)
            if fault.isdigit() or body is None:
                self.send_error(int(fault) if fault.isdigit() else 404)
                return
            if fault == "stall":
                time.sleep(0.6)
                return
            start = 0
            if asked and site.ranges and self.headers.get("If-Range") == site.tag:
                start = int(asked.removeprefix("bytes=").rstrip("-"))
                if start >= len(body):
                    self.send_error(416)
                    return
                self.send_response(206)
                self.send_header("Content-Range", f"bytes {start}-{len(body) - 1}/{len(body)}")
            else:
                self.send_response(200)
            if site.tag:
                self.send_header("ETag", site.tag)
            rest = body[start:]
            if fault != "unknown-length":
                self.send_header("Content-Length", str(len(rest)))
            self.end_headers()
            self.wfile.write(rest[: int(fault[4:])] if fault.startswith("cut:") else rest)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    site.address = f"http://127.0.0.1:{server.server_port}"
    try:
        yield site
    finally:
        server.shutdown()
        server.server_close()
        thread.join()

"""One file from the web: resumed where it broke off, never larger than allowed, checked, whole or not at all."""

from __future__ import annotations

import http.client
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from elgeo import __version__
from elgeo.datasets.sources.lines import sha256
from elgeo.errors import ElgeoError, SettingError
from elgeo.files import NoRoomError, room_for

CHUNK = 1 << 18


class FetchError(ElgeoError):
    """A file cannot be had from where it should be."""


class _Gone(Exception):
    """The address has no such file: try the next."""


class _Broken(Exception):
    """The connection failed: worth another try."""


@dataclass(frozen=True)
class DownloadLimits:
    """How patient and how careful a download is."""

    timeout: float = 60.0
    """Seconds without a byte after which a connection counts as broken."""
    tries: int = 5
    """Attempts at one address; each goes on where the last broke off."""
    pause: float = 1.0
    """Seconds before the second attempt; doubled before each further one."""
    max_bytes: int = 1 << 30


@dataclass(frozen=True)
class Fetched:
    """What came from where."""

    path: Path
    url: str
    sha256: str
    size: int


def download(
    urls: Sequence[str],
    path: Path,
    limits: DownloadLimits | None = None,
    expected_sha256: str | None = None,
    say: Callable[[str], None] = lambda _: None,
) -> Fetched:
    """Fetch `path` from the first of the addresses that has it.

    What arrived before a failure stays beside it as `<name>.part`, and the next call goes on from there.
    """
    limits = limits or DownloadLimits()
    path.parent.mkdir(parents=True, exist_ok=True)
    missing = []
    for url in urls:
        if urlsplit(url).scheme not in ("http", "https"):
            raise SettingError(f"{url}: only http and https addresses can be fetched")
        try:
            part = _patiently(url, path, limits, say)
        except _Gone as gone:
            missing.append(f"{url} ({gone})")
            say(f"{url}: {gone}; trying the next address" if url != urls[-1] else f"{url}: {gone}")
            continue
        found = sha256(part)
        if expected_sha256 and found != expected_sha256.lower():
            _forget(part)
            raise FetchError(
                f"{url}: the checksum is {found}, but {expected_sha256} was expected; the file was thrown away. "
                "Fetch again, or correct the checksum if the source has changed"
            )
        size = part.stat().st_size
        part.replace(path)
        _forget(part)
        return Fetched(path, url, found, size)
    raise FetchError("no address has the file any more: " + "; ".join(missing))


def _patiently(url: str, path: Path, limits: DownloadLimits, say: Callable[[str], None]) -> Path:
    """Try one address until the file is whole; returns the finished `.part`."""
    part = path.with_name(path.name + ".part")
    pause = limits.pause
    for attempt in range(limits.tries):
        if attempt:
            time.sleep(pause)
            pause *= 2
        try:
            _continue(url, part, limits, say)
            return part
        except _Broken as broken:
            problem = str(broken)
            say(f"{url}: {problem}" + ("; trying again" if attempt + 1 < limits.tries else ""))
    raise FetchError(
        f"cannot fetch {url}: {problem}. Is this machine online? What has arrived is kept; the same command goes on "
        "from there"
    )


def _continue(url: str, part: Path, limits: DownloadLimits, say: Callable[[str], None]) -> None:
    """One attempt: ask for what is missing and append it."""
    note = _note(part)
    have = part.stat().st_size if part.exists() else 0
    said_url, _, tag = (note.read_text() if note.exists() else "").partition("\n")
    if said_url != url or not tag:
        # of another address, or of a server that cannot tell us whether its file has changed since: start again
        have = 0
    headers = {"User-Agent": f"elgeo/{__version__}", "Accept-Encoding": "identity"}
    if have:
        headers |= {"Range": f"bytes={have}-", "If-Range": tag}
    try:
        with urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=limits.timeout) as reply:
            if have and reply.status != 206:
                have = 0
            if have and not (reply.headers.get("Content-Range") or "").startswith(f"bytes {have}-"):
                _forget(part)
                raise _Broken("the server sent another part than was asked for")
            length = reply.headers.get("Content-Length")
            total = have + int(length) if length and length.isdigit() else None
            _refuse_if_too_large(url, total or 0, part, limits)
            note.write_text(f"{url}\n{reply.headers.get('ETag') or reply.headers.get('Last-Modified') or ''}")
            have = _receive(reply, url, part, have, total, limits, say)
    except urllib.error.HTTPError as error:
        with error:
            if error.code == 416:
                _forget(part)
                raise _Broken("what was kept does not fit the server's file; starting over") from None
            if error.code in (404, 410):
                raise _Gone(f"HTTP {error.code}") from None
            if error.code in (408, 425, 429) or error.code >= 500:
                raise _Broken(f"HTTP {error.code} {error.reason}") from None
            raise FetchError(f"cannot fetch {url}: HTTP {error.code} {error.reason}") from None
    except NoRoomError:
        raise
    except (OSError, http.client.HTTPException) as error:
        reason = getattr(error, "reason", None) or error
        raise _Broken(str(reason) or type(reason).__name__) from None
    if total is not None and have < total:
        raise _Broken(f"the connection ended after {have:,} of {total:,} bytes")


def _receive(
    reply: http.client.HTTPResponse,
    url: str,
    part: Path,
    have: int,
    total: int | None,
    limits: DownloadLimits,
    say: Callable[[str], None],
) -> int:
    started = spoke = time.monotonic()
    begun = have
    with room_for(part), part.open("ab" if have else "wb") as file:
        while chunk := reply.read1(CHUNK):
            have += len(chunk)
            _refuse_if_too_large(url, have, part, limits)
            file.write(chunk)
            now = time.monotonic()
            if now - spoke > 2:
                spoke = now
                rate = (have - begun) / (now - started)
                total_text = f" of {total / 1e6:.1f}" if total else ""
                left = f", {(total - have) / rate:.0f} s left" if total else ""
                say(f"{part.stem}: {have / 1e6:.1f}{total_text} MB, {rate / 1e6:.1f} MB/s{left}")
    return have


def _refuse_if_too_large(url: str, size: int, part: Path, limits: DownloadLimits) -> None:
    if size > limits.max_bytes:
        _forget(part)
        raise FetchError(
            f"{url} is larger than the {limits.max_bytes / 1e6:,.0f} MB allowed for it: "
            "raise --max-megabytes if that is right"
        )


def _note(part: Path) -> Path:
    return part.with_name(part.name + ".from")


def _forget(part: Path) -> None:
    part.unlink(missing_ok=True)
    _note(part).unlink(missing_ok=True)

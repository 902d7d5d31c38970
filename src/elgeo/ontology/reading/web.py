"""Ontologies from the web: fetched once, bounded in size and time, kept nowhere."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from elgeo.errors import ReadError

if TYPE_CHECKING:
    import urllib.request

SILENCE, PATIENCE = 60.0, 1800.0
"""Seconds without a byte that end a connection, and seconds that the whole may take."""
_CHUNK = 1 << 20
_ACCEPTED = "application/rdf+xml, text/turtle;q=0.9, application/owl+xml;q=0.9, text/owl-functional;q=0.9, */*;q=0.5"
"""Servers that have several syntaxes choose by this; all of them are read."""


def is_address(name: str | os.PathLike[str]) -> bool:
    """Whether a name is the address of something on the web rather than a file."""
    return os.fspath(name).startswith(("http://", "https://"))


def fetched(address: str, limit: int, silence: float = SILENCE, patience: float = PATIENCE) -> bytes:
    """What lies at an address; a `ReadError` if that is more than `limit` bytes, or does not come in time."""
    # slow to import, and files are read far more often
    import http.client
    import urllib.error
    import urllib.request

    until, parts, size = time.monotonic() + patience, list[bytes](), 0
    try:
        request = urllib.request.Request(address, headers={"User-Agent": "elgeo", "Accept": _ACCEPTED})
        with _opener().open(request, timeout=silence) as answer:
            promised = answer.headers.get("Content-Length")
            while chunk := answer.read1(_CHUNK):
                parts.append(chunk)
                size += len(chunk)
                if size > limit:
                    raise ReadError(f"larger than {limit:,} bytes: download it, and raise max_bytes", address)
                if time.monotonic() > until:
                    raise ReadError(f"takes longer than {patience:,.0f} seconds: download it first", address)
            if promised is not None and promised.isdigit() and int(promised) != size:
                raise ReadError(f"broke off after {size:,} of {int(promised):,} bytes: try again", address)
    except urllib.error.HTTPError as error:
        raise ReadError(f"the server answers {error.code} {error.reason}: is the address right?", address) from None
    except urllib.error.URLError as error:
        raise ReadError(f"cannot be reached ({_words(error.reason)}): is there a network?", address) from None
    except TimeoutError:
        raise ReadError(f"no answer within {silence:g} seconds: try again", address) from None
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise ReadError(f"cannot be fetched ({_words(error)})", address) from None
    return b"".join(parts)


@contextmanager
def local_copy(name: str | os.PathLike[str], limit: int) -> Iterator[Path]:
    """A file as it is; of an address a copy under its own name for as long as the block lasts."""
    if not is_address(name):
        yield Path(name)
        return
    address = os.fspath(name)
    with tempfile.TemporaryDirectory(prefix="elgeo-") as folder:
        path = Path(folder) / (Path(unquote(urlsplit(address).path)).name or "ontology")
        path.write_bytes(fetched(address, limit))
        yield path


def _opener() -> urllib.request.OpenerDirector:
    """Follows from address to address, but only to such: never to a file or elsewhere."""
    import urllib.request

    opener = urllib.request.OpenerDirector()
    for handler in (
        urllib.request.ProxyHandler,
        urllib.request.UnknownHandler,
        urllib.request.HTTPHandler,
        urllib.request.HTTPSHandler,
        urllib.request.HTTPDefaultErrorHandler,
        urllib.request.HTTPRedirectHandler,
        urllib.request.HTTPErrorProcessor,
    ):
        opener.add_handler(handler())
    return opener


def _words(error: object) -> str:
    return str(getattr(error, "strerror", None) or error) or type(error).__name__

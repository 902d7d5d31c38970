"""The files a dataset is made of, as given: paths, or addresses on the web that are fetched while it is made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from elgeo.datasets.sources.lines import sha256
from elgeo.errors import ReadError
from elgeo.ontology.reading.sources import MAX_PIPED
from elgeo.ontology.reading.web import is_address, local_copy

Given = Path | str
"""A file, or an address on the web."""


class AtHand(NamedTuple):
    """Where given files lie on this machine, and what the record of a dataset says of them."""

    places: dict[Given, Path]
    sources: list[dict[str, Any]]


def given(text: str) -> Given:
    """What somebody wrote: an address stays as it is."""
    return text if is_address(text) else Path(text)


@contextmanager
def at_hand(files: Iterable[tuple[str, Given]], say: Callable[[str], None]) -> Iterator[AtHand]:
    """(what it is for, the file) of each; those of the web are there for as long as the block lasts."""
    found = AtHand({}, [])
    with ExitStack() as copies:
        for what, file in files:
            if file not in found.places:
                if is_address(file):
                    say(f"fetching {file}")
                found.places[file] = copies.enter_context(local_copy(file, MAX_PIPED))
            path = found.places[file]
            source = {"what": what, "file": path.name, "sha256": sha256(path), "bytes": path.stat().st_size}
            found.sources.append(source | ({"url": str(file)} if is_address(file) else {}))
        try:
            yield found
        except ReadError as error:
            places = found.places.items()
            address = next((file for file, path in places if is_address(file) and error.file == str(path)), None)
            if address is None:
                raise
            raise ReadError(str(error).replace(str(error.file), str(address))) from None

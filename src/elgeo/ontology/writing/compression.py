"""Files that are compressed because their name says so."""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO


@contextmanager
def opened(temporary: str | os.PathLike[str], path: str) -> Iterator[IO[bytes]]:
    """A file to write to that will be called `path`; the same content makes the same bytes, compressed or not."""
    with open(temporary, "wb") as file:
        if not path.endswith(".gz"):
            yield file
            return
        with gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as compressed:
            yield compressed  # type: ignore[misc]

"""The paper's four datasets from their public sources: download what is missing, then build."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import tomli_w

from elgeo.datasets.drops import Drops
from elgeo.datasets.model import Dataset
from elgeo.datasets.sources.build import Recipe, build
from elgeo.datasets.sources.download import DownloadLimits, download
from elgeo.datasets.sources.lines import sha256
from elgeo.errors import ReadError
from elgeo.files import write_text
from elgeo.settings import unknown

NAMES = {
    "yeast-iw": ("yeast", "interacts_with"),
    "yeast-hf": ("yeast", "has_function"),
    "human-iw": ("human", "interacts_with"),
    "human-hf": ("human", "has_function"),
}
WHAT = ("ontology", "interactions", "aliases", "annotations")
RECORD = "fetched.toml"


def read_sources(path: Path | None = None) -> dict[str, Any]:
    """The table of addresses: the package's own, or a user's copy of it."""
    try:
        text = (path or files("elgeo.datasets.sources") / "sources.toml").read_text(encoding="utf-8")
        sources = tomllib.loads(text)
    except OSError as error:
        raise ReadError(f"cannot be read: {error.strerror}", os.fspath(path) if path else None) from None
    except ValueError as error:
        raise ReadError(f"not TOML: {error}", os.fspath(path) if path else None) from None
    for organism, entry in sources.items():
        for what in WHAT:
            one = entry.get(what) if isinstance(entry, dict) else None
            if not isinstance(one, dict) or not isinstance(one.get("file"), str) or not _is_texts(one.get("urls")):
                problem = f'[{organism}.{what}] needs file = "…" and urls = ["…"]'
                raise ReadError(problem, os.fspath(path) if path else None)
    return sources


def fetch(
    name: str,
    downloads: Path,
    sources: Mapping[str, Any] | None = None,
    base_url: str | None = None,
    limits: DownloadLimits | None = None,
    max_bytes: int | None = None,
    say: Callable[[str], None] = lambda _: None,
    seed: int = 0,
) -> tuple[Dataset, Drops]:
    """Download what is not in `downloads` yet, and build the dataset.

    `base_url` is a mirror: the file of https://host/path is looked for at base_url/host/path. `max_bytes` takes the
    place of the limits that the table of sources has for each file.
    """
    if name not in NAMES:
        raise unknown(name, NAMES, "dataset to fetch")
    organism, target = NAMES[name]
    entries = (sources or read_sources())[organism]
    folder = downloads / organism
    limits = limits or DownloadLimits()
    got = {}
    for what in WHAT:
        allowed = max_bytes or int(entries[what].get("max_megabytes", limits.max_bytes / 1e6) * 1e6)
        got[what] = _one(folder, entries[what], base_url, replace(limits, max_bytes=allowed), say)
    options = entries.get("options", {})
    recipe = Recipe(
        target=target,
        name=name,
        seed=seed,
        min_score=options.get("min_score"),
        symmetric=bool(options.get("symmetric", True)),
        ontology=got["ontology"],
        interactions=(got["interactions"],),
        aliases=got["aliases"],
        annotations=(got["annotations"],),
    )
    dataset, drops = build(recipe, say)
    addresses = _recorded(folder)
    for source in dataset.record["sources"]:
        source["url"] = addresses[source["file"]]["url"]
    return dataset, drops


def _one(
    folder: Path, entry: Mapping[str, Any], base_url: str | None, limits: DownloadLimits, say: Callable[[str], None]
) -> Path:
    """One file: kept if it is there and still what was fetched, else downloaded and recorded."""
    path = folder / str(entry["file"])
    recorded = _recorded(folder).get(path.name)
    if path.is_file() and recorded:
        if sha256(path) == recorded["sha256"] and entry.get("sha256", recorded["sha256"]) == recorded["sha256"]:
            say(f"{path} is there already")
            return path
        say(f"{path} is not what was fetched: fetching it again")
    urls = [_mirrored(url, base_url) for url in entry["urls"]]
    say(f"fetching {urls[0]}")
    fetched = download(urls, path, limits, entry.get("sha256"), say)
    original = entry["urls"][urls.index(fetched.url)]
    record = _recorded(folder) | {path.name: {"url": original, "sha256": fetched.sha256, "bytes": fetched.size}}
    write_text(folder / RECORD, tomli_w.dumps(dict(sorted(record.items()))))
    return path


def _recorded(folder: Path) -> dict[str, Any]:
    path = folder / RECORD
    if not path.is_file():
        return {}
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ReadError(f"not TOML: {error}; remove it to fetch everything again", str(path)) from None


def _mirrored(url: str, base_url: str | None) -> str:
    parts = urlsplit(url)
    return f"{base_url.rstrip('/')}/{parts.netloc}{parts.path}" if base_url else url


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(one, str) for one in value)

"""Checksums of files of the user's own: a run is not asked with others than it was fitted with."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from elgeo.errors import SettingError
from elgeo.models.atlas.settings import AtlasSettings
from elgeo.models.contract import Arrays

GIVEN = ("vectors", "geometry")
"""The settings that name a file, or the folder of a run."""


def checksums(settings: AtlasSettings) -> Arrays:
    """For each file or folder that is given, a checksum of what it holds."""
    found = {}
    for name in GIVEN:
        if (place := getattr(settings, name)) != "none":
            digest = hashlib.sha256()
            for path in _files(Path(place)):
                try:
                    with path.open("rb") as file:
                        digest.update(hashlib.file_digest(file, "sha256").digest())
                except OSError as error:
                    raise SettingError(f"{name} cannot be read: {error}") from None
            found[name] = np.frombuffer(digest.digest(), np.uint8).copy()
    return found


def _files(place: Path) -> Iterator[Path]:
    """The file itself; of a run its weights, and those of its members: all else may be written anew."""
    return iter(sorted(place.rglob("*.safetensors")) if place.is_dir() else [place])


def check_unchanged(settings: AtlasSettings, known: Mapping[str, NDArray[Any]]) -> None:
    """Refuse files that are others than those with the checksums `known`; older runs have none."""
    for name, found in checksums(settings).items() if known else ():
        if name in known and not np.array_equal(known[name], found):
            raise SettingError(
                f"{getattr(settings, name)} is not what it was when the run was trained (the checksum differs): "
                f"put the old {name} back, or train again"
            )

"""What is trained on and what is held out: splits, kinds of classes, sources, the embedded examples."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

from elgeo.datasets.model import Dataset, Kinds
from elgeo.errors import SettingError

__all__ = ["EMBEDDED", "Dataset", "Kinds", "load"]


def _family() -> Dataset:
    from elgeo.datasets.embedded import family

    return family.dataset()


def _cell(size: str, target: str) -> Dataset:
    from elgeo.datasets.embedded import cell

    return cell.dataset(size, target)


EMBEDDED: dict[str, Callable[[], Dataset]] = {
    "family": _family,
    "cell": partial(_cell, "small", "interacts_with"),
    **{f"cell-{size}": partial(_cell, size, "interacts_with") for size in ("tiny", "small", "yeast")},
    **{f"cell-{size}-hf": partial(_cell, size, "has_function") for size in ("tiny", "small", "yeast")},
}
"""The datasets that come with the package, by name."""


def load(name_or_folder: str | os.PathLike[str]) -> Dataset:
    """An embedded dataset by name, or one in a folder that `elgeo dataset build`, `split` or `fetch` made.

    >>> load("family").target_form
    'existential'
    """
    name = os.fspath(name_or_folder)
    if name in EMBEDDED and not (Path(name) / "dataset.toml").is_file():  # a run may well lie in a folder `family`
        return EMBEDDED[name]()
    if Path(name).is_dir():
        from elgeo.datasets.folder import load_folder

        return load_folder(Path(name))
    raise SettingError(f"no dataset {name!r}: there is no such folder, and the embedded ones are {', '.join(EMBEDDED)}")

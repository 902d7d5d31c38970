"""What is trained on and what is held out: splits, kinds of classes, sources, the embedded examples.

Takes files or an ontology; gives a `Dataset`. Begin at `model.py`; `folder.py` writes and reads one, through the door
of `manifest.py`; `sources/`, `splits/` and `embedded/` are the ways to get one, `assemble.py` and `finishing.py` the
steps they share, `drops.py` counts what was left out.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from elgeo.datasets.model import Dataset, Kinds
from elgeo.documents import shown
from elgeo.errors import ReadError, SettingError
from elgeo.files import settled
from elgeo.messages import near
from elgeo.places import DATASET, mistaken

__all__ = ["EMBEDDED", "Dataset", "Kinds", "load", "split"]


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


def split(
    ontology: str | os.PathLike[str],
    axioms: str,
    *,
    shares: str | tuple[float, float, float] = "90:5:5",
    seed: int = 0,
    classes: str = "warm",
    split_definitions: bool = False,
    entailed: str = "keep",
    kinds: Mapping[str, str] | None = None,
    imports: Sequence[str | os.PathLike[str]] = (),
    name: str | None = None,
    language: str = "en",
) -> Dataset:
    """A dataset from an ontology's file or web address with some axioms held out, as `elgeo dataset split` makes it.

    `axioms` is their shape, for example `?C SubClassOf part_of some ?D`. `classes` says what training knows of those
    of held-out axioms: `warm` something, `cold` nothing of heads, `as-drawn` whatever chance gives. What other axioms
    say too is held out only with `split_definitions`. `entailed` (`keep`, `drop`, `remove-entailing`) is about held-out
    axioms that follow from training. `kinds` are named starts of IRIs; `language` is that of labels. Saved by
    `elgeo.datasets.folder.save`.
    """
    from elgeo.datasets.finishing import finished
    from elgeo.datasets.sources.given import given
    from elgeo.datasets.splits.holdout import HoldOut, hold_out
    from elgeo.datasets.splits.splitting import as_shares

    path = Path(ontology)
    recipe = HoldOut(
        ontology=given(os.fspath(ontology)),
        axioms=axioms,
        shares=as_shares(shares),
        seed=seed,
        classes=classes,
        split_definitions=split_definitions,
        entailed=entailed,
        kinds=kinds or {},
        imports=tuple(map(Path, imports)),
        name=name or path.name.partition(".")[0],
        language=language,
    )
    return finished(*hold_out(recipe))


def load(name_or_folder: str | os.PathLike[str]) -> Dataset:
    """An embedded dataset by name, or one in a folder that `elgeo dataset build`, `split` or `fetch` made.

    >>> load("family").target_form
    'existential'
    """
    name = os.fspath(name_or_folder)
    check(name)
    if _is_embedded(name):
        return EMBEDDED[name]()
    from elgeo.datasets.folder import load_folder

    return load_folder(Path(name))


def check(name: str) -> None:
    """Refuse what `load` would find no dataset by, without loading one."""
    if _is_embedded(name):
        return
    if settled(name).is_dir():
        from elgeo.datasets.targets import has_several, read_targets

        if has_several(Path(name)):
            members = ", ".join(member.folder for member in read_targets(Path(name)).members)
            raise SettingError(f"{name} holds several targets: give the folder of one of them ({members})")
        if not (Path(name) / DATASET).is_file():
            raise ReadError(mistaken(name, "dataset"), name)
        return
    if Path(name).is_file():
        raise ReadError(mistaken(name, "dataset"), name)
    advice = near(name, EMBEDDED) or f"the embedded ones are {', '.join(EMBEDDED)}"
    raise SettingError(f"no dataset is called {shown(name)}, and there is no such folder: {advice}")


def _is_embedded(name: str) -> bool:
    # a run may well lie in a folder `family`
    return name in EMBEDDED and not (Path(name) / DATASET).is_file()

"""Where the paper's four datasets come from: dataset folders that are there, or raw files they can be built from."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from elgeo.datasets import EMBEDDED
from elgeo.datasets.finishing import finished
from elgeo.datasets.folder import save
from elgeo.datasets.sources.build import PARTS, Recipe, build
from elgeo.errors import ElgeoError

NAMES = ("yeast-iw", "yeast-hf", "human-iw", "human-hf")
TARGETS = {"iw": "interacts_with", "hf": "has_function"}


def prepare(data: Path, folder: Path, wanted: tuple[str, ...], say: Callable[[str], None]) -> list[str]:
    """Put the wanted datasets that `data` has something for under `folder`; gives their names.

    `data` holds dataset folders by name, or raw files: an ontology under `go/`, and under `yeast/` or `human/`
    `annotations.tsv(.gz)` and either `interactions_{train,valid,test}.tsv(.gz)` or `interactions.tsv(.gz)`.
    """
    if not data.is_dir():
        raise ElgeoError(
            f"{data} is not a folder: --data takes a folder of datasets, or of the files to build them from"
        )
    found = []
    for name in wanted:
        _keep_to_its_place(folder / name, data / name)
        if (folder / name / "dataset.toml").is_file():
            found.append(name)
        elif (data / name / "dataset.toml").is_file():
            folder.mkdir(parents=True, exist_ok=True)
            (folder / name).symlink_to((data / name).resolve(), target_is_directory=True)
            found.append(name)
        elif name in EMBEDDED:
            found.append(name)
        else:
            recipe = _recipe(data, name)
            if recipe is None:
                say(f"{name}: nothing in {data} to make it of; left out")
                continue
            dataset, drops = build(recipe, lambda message, name=name: say(f"{name}: {message}"))  # type: ignore[misc]
            save(finished(dataset, drops), folder / name, drops.listed)
            found.append(name)
    if not found:
        raise ElgeoError(f"none of {', '.join(wanted)} is in {data}, nor the files to build them from")
    return found


def others(data: Path) -> set[str]:
    """What else can be trained on: the dataset folders of `data`, and what comes with the package."""
    return {path.parent.name for path in data.glob("*/dataset.toml")} | set(EMBEDDED)


def _keep_to_its_place(link: Path, place: Path) -> None:
    """Follow a dataset that was moved; refuse another one, since what was trained is of the first."""
    if link.is_symlink() and (place / "dataset.toml").is_file() and link.resolve() != place.resolve():
        if link.exists():
            raise ElgeoError(f"{link.parent.parent} has runs on {link.resolve()}: choose another folder for {place}")
        link.unlink()


def _recipe(data: Path, name: str) -> Recipe | None:
    species, _, task = name.partition("-")
    ontologies = [p for pattern in ("*.obo*", "*.owl*", "*.ofn*") for p in sorted((data / "go").glob(pattern))]
    annotations = _one(data / species, "annotations")
    ready = {part: path for part in PARTS if (path := _one(data / species, f"interactions_{part}"))}
    whole = _one(data / species, "interactions")
    if not ontologies or annotations is None or (len(ready) < len(PARTS) and whole is None):
        return None
    every = tuple(ready.values()) if len(ready) == len(PARTS) else (whole,) if whole else ()
    return Recipe(
        ontology=ontologies[0],
        target=TARGETS[task],
        interactions=() if task == "iw" and len(ready) == len(PARTS) else every,
        annotations=(annotations,),
        ready=ready if task == "iw" and len(ready) == len(PARTS) else {},
        symmetric=species == "yeast",
        name=name,
    )


def _one(folder: Path, stem: str) -> Path | None:
    return next((p for ending in (".tsv", ".tsv.gz") if (p := folder / f"{stem}{ending}").is_file()), None)

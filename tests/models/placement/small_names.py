"""A small ontology whose names are compound: organs, their development, and the regulation of that."""

from __future__ import annotations

from pathlib import Path

from elgeo import datasets
from elgeo.datasets.model import Dataset

ORGANS = {
    "organ": "", "heart": "organ", "lung": "organ", "brain": "organ", "liver": "organ", "kidney": "organ",
    "heart valve": "heart", "heart chamber": "heart", "lung lobe": "lung", "brain lobe": "brain",
    "frontal lobe": "brain lobe",
    "left heart chamber": "heart chamber", "kidney cortex": "kidney", "kidney medulla": "kidney", "liver lobe": "liver",
}  # fmt: skip
PREFIXES = ("regulation", "negative regulation", "positive regulation")
LEFT_OUT = ("negative regulation of frontal lobe development", "regulation of heart valve development")


def lines() -> list[str]:
    """OBO stanzas of every term but those left out."""
    terms: dict[str, list[str]] = {"process": ["disjoint_from: organ"]}
    for organ, parent in ORGANS.items():
        terms[organ] = [f"is_a: {parent}"] if parent else []
        up = f"{parent} development" if parent else "process"
        terms[f"{organ} development"] = [f"is_a: {up}", f"relationship: results_in {organ}"]
        for prefix in PREFIXES:
            name = f"{prefix} of {organ} development"
            broader = f"{prefix} of {parent} development" if parent else "process"
            terms[name] = [f"is_a: {broader}", f"relationship: regulates {organ} development"]
            if prefix != "regulation":
                terms[name].append(f"is_a: regulation of {organ} development")
    numbers = {name: f"X:{i:04}" for i, name in enumerate(terms)}
    made = []
    for name, said in terms.items():
        if name in LEFT_OUT:
            continue
        body = [f"[Term]\nid: {numbers[name]}\nname: {name}", f'def: "All that is {name}." []']
        for line in said:
            *tag, end = line.partition(": ")[0], line.partition(": ")[2]
            words = end.split(" ", 1)
            role, target = (words[0], words[1]) if tag[0] == "relationship" else ("", end)
            if target not in LEFT_OUT:
                body.append(f"{tag[0]}: {role} {numbers[target]}".replace(":  ", ": "))
        made.append("\n".join(body))
    return ["ontology: x", "[Typedef]\nid: regulates\nname: regulates", "[Typedef]\nid: results_in", *made]


def write(path: Path) -> Path:
    path.write_text("\n\n".join(lines()) + "\n")
    return path


def dataset(folder: Path) -> Dataset:
    """C ⊑ D, a few held out."""
    return datasets.split(write(folder / "small.obo"), "?C SubClassOf ?D", shares="90:5:5", classes="as-drawn")

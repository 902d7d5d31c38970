"""The files that the examples of README and docs name."""

from __future__ import annotations

import shutil
from pathlib import Path

import elgeo

ROOT = Path(__file__).parents[1]
TERMS = """format-version: 1.2

[Typedef]
id: part_of
name: part of
is_transitive: true

[Term]
id: GO:0000000
name: cell
"""


def terms(count: int) -> str:
    """An ontology in OBO."""
    return TERMS + "".join(
        f'\n[Term]\nid: GO:{i:07}\nname: part {i} of a cell\ndef: "Part {i}." []\nis_a: GO:{i // 2:07}\n'
        f"relationship: part_of GO:{i // 3:07}\n"
        for i in range(1, count)
    )


def prepare() -> None:
    """The files that examples name."""
    body = "".join(f"SubClassOf(:Part{i} ObjectSomeValuesFrom(:part_of :Part{i // 2}))\n" for i in range(1, 60))
    Path("my.owl").write_text(
        "Prefix(:=<http://example.org/>)\nOntology(<http://example.org/body>\nTransitiveObjectProperty(:part_of)\n"
        "SubClassOf(:Heart ObjectIntersectionOf(:Organ ObjectSomeValuesFrom(:part_of :Chest)))\n"
        f"SubClassOf(:Chest ObjectSomeValuesFrom(:part_of :Body))\n{body})\n"
    )
    Path("go.obo").write_text(terms(40))
    Path("space.toml").write_text("[search]\nmethod = 'grid'\n[space]\ndimension = [4, 6]\n[fixed]\nepochs = 2\n")
    Path("demo-output").mkdir()
    shutil.copy(Path(elgeo.__file__).parent / "datasets" / "embedded" / "family.ofn", "demo-output/family.ofn")

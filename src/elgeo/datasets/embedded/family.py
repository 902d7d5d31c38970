"""`family`: a hand-written example of every normal form, small enough to draw."""

from __future__ import annotations

from importlib.resources import as_file, files

from elgeo.datasets.assemble import assemble
from elgeo.datasets.model import Dataset
from elgeo.ontology import read
from elgeo.ontology.expressions import Op

PREFIX = "http://example.org/family#"
VALID = (("ben", "mia"),)
TEST = (("cleo", "mia"), ("eva", "nora"))
"""Mothers to be found: brothers and sisters, who share the father, have the same one."""


def dataset() -> Dataset:
    """The family, with three of its children's mothers held out."""
    with as_file(files("elgeo.datasets.embedded") / "family.ofn") as path:
        ontology = read(path)
    role = PREFIX + "has_mother"
    stated = [
        tuple(ontology.string(argument) for argument in ontology.arguments(node))
        for node in ontology.axiom_nodes.tolist()
        if ontology.op[node] == Op.ObjectPropertyAssertion
    ]
    held_out = {
        part: [(PREFIX + child, PREFIX + mother) for child, mother in pairs]
        for part, pairs in (("valid", VALID), ("test", TEST))
    }
    return assemble(
        name="family",
        ontology=ontology,
        role=role,
        parts={"train": [(child, mother) for r, child, mother in stated if r == role], **held_out},
        kind_of=lambda _, is_individual: "individual" if is_individual else "class",
        head_kind="individual",
        tail_kind="individual",
        record={"embedded": {"generator": "family"}},
    )

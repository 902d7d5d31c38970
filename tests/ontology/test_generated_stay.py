"""A profile, a size and a seed are the name of an ontology: benchmarks speak of it, so it stays what it was."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest

from elgeo.ontology.generation.generate import generate
from elgeo.ontology.generation.irregular import Mix
from elgeo.ontology.generation.planted import Planted
from elgeo.ontology.model import Ontology


def drawn() -> str:
    """What this numpy draws in the ways that the generators draw."""
    rng = np.random.default_rng(11)
    draws = (rng.random(9), rng.integers(1, 100, size=(2, 9)), rng.poisson(1.3, 9), rng.permutation(9), rng.integers(4))
    return digest(" ".join(np.asarray(draw).tobytes().hex() for draw in (*draws, rng.choice(3, p=[0.2, 0.5, 0.3]))))


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def said(ontology: Ontology) -> str:
    """Names and axioms, in their order."""
    names = [f"{ontology.op[node]} {ontology.string(node)}" for node in ontology.declared.tolist()]
    return "\n".join([*names, *(str(axiom) for axiom in ontology.axioms), str(dict(ontology.ignored))])


MADE: dict[str, tuple[str | Planted | Mix, int]] = {
    "snomed": ("snomed", 60),
    "go": ("go", 300),
    "tangled": ("tangled", 300),
    "abox": ("abox", 50),
    "el": ("el", 12),
    "owl": ("owl", 9),
    "one class": ("snomed", 1),
    "every setting": (
        Planted(
            *(0.4, 0.8, 1.7, True, 5, 2, 7, 0.5),
            transitive=2,
            chains=3,
            disjoint=0.5,
            ranges=3,
            individuals=0.4,
            assertions=1.5,
        ),
        120,
    ),
    "branches without values": (Planted(defined=0.7, attributes=2.5, branches=3, roles=2, disjoint=0.9), 80),
    "many pairs apart": (Planted(disjoint=9, roles=1, ranges=1), 12),
    "every axiom": (Mix(beyond=1, axioms=40), 12),
    "weights": (Mix(beyond=0.5, axioms=6, depth=3, expression_weights={"ObjectHasSelf": 4}), 10),
}
EXPECTED = {
    "snomed": "81a6ef259bb86ac8",
    "go": "1cc56cc3a7c92b7d",
    "tangled": "26014ee58840bf6d",
    "abox": "07c70b6cd7f0b377",
    "el": "ab97814971a3a507",
    "owl": "5fdb667ec77bf404",
    "one class": "39ff2d37aa8f68cd",
    "every setting": "61371fb8b259571f",
    "branches without values": "7821e9686db0361d",
    "many pairs apart": "05ae20aa27078acf",
    "every axiom": "1d70c4dc557001ea",
    "weights": "2deff27f9856ffda",
}


@pytest.mark.parametrize("name", MADE)
def test_a_generated_ontology_stays_what_it_was(name: str) -> None:
    if drawn() != "2a21d932ea876f94":
        pytest.skip("this numpy draws other numbers")
    profile, classes = MADE[name]
    assert digest(said(generate(profile, classes, 5))) == EXPECTED[name]


def test_a_thousand_classes_and_the_first_seed_unless_told() -> None:
    assert said(generate()) == said(generate("snomed", 1000, 0))

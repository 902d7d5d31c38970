"""All syntaxes of one ontology give the same normal forms, whatever order they put things in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyhornedowl
import pyoxigraph
import pytest

from elgeo.ontology import normalise, read
from elgeo.ontology.expressions import ENTITIES, Op
from elgeo.ontology.generation.generate import generate
from elgeo.ontology.model import Builder, Ontology
from elgeo.ontology.normal_forms import FORMS, NormalForms
from elgeo.ontology.vocabulary import Kind
from elgeo.ontology.writing.functional import write_functional


def described(forms: NormalForms) -> dict[str, list[tuple[object, ...]]]:
    """Rows with names; a fresh class is the set of words in its expression, because members have no order."""
    words = forms.vocabulary

    def name(i: int, role: bool) -> object:
        names, kinds = (words.roles, words.role_kinds) if role else (words.classes, words.class_kinds)
        if kinds[i] != Kind.FRESH or role:
            return names[i]
        return tuple(sorted(names[i].replace("(", " ").replace(")", " ").split()))

    found = {}
    for form in FORMS.values():
        rows = [
            [name(i, c in "rst") for c, i in zip(form.columns, row, strict=True)] for row in forms[form.name].tolist()
        ]
        if form.name in ("conjunction", "disjoint"):
            # C ⊓ D is D ⊓ C
            rows = [[*sorted(row[:2], key=str), *row[2:]] for row in rows]
        found[form.name] = sorted(map(tuple, rows), key=str)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_normal_forms_of_every_syntax(seed: int, tmp_path: Path) -> None:
    made = generate("snomed", 150, seed)
    write_functional(made, tmp_path / "o.ofn")
    peer = pyhornedowl.open_ontology_from_file(str(tmp_path / "o.ofn"))
    peer.save_to_file(str(tmp_path / "rdf.owl"), serialization="owl")
    peer.save_to_file(str(tmp_path / "xml.owl"), serialization="owx")
    triples = pyoxigraph.parse((tmp_path / "rdf.owl").read_bytes(), pyoxigraph.RdfFormat.RDF_XML)
    turtle: Any = pyoxigraph.serialize(
        (pyoxigraph.Triple(t.subject, t.predicate, t.object) for t in triples), format=pyoxigraph.RdfFormat.TURTLE
    )
    (tmp_path / "o.ttl").write_bytes(turtle)
    expected = normalise(made)
    assert len(expected.conjunction) > 20
    for name in ("o.ofn", "rdf.owl", "xml.owl", "o.ttl"):
        found = normalise(read(tmp_path / name))
        assert found.counts() == expected.counts(), name
        assert described(found) == described(expected), name


def shuffled(ontology: Ontology, generator: np.random.Generator) -> Ontology:
    """The same axioms, built again in another order, so that every node has another number."""
    builder = Builder()

    def copy(node: int) -> int:
        op = Op(int(ontology.op[node]))
        if op in ENTITIES:
            return builder.entity(op, ontology.string(node))
        return builder.node(op, *(copy(a) for a in ontology.arguments(node)))

    for i in generator.permutation(len(ontology.axiom_nodes)).tolist():
        node = int(ontology.axiom_nodes[i])
        builder.axiom(Op(int(ontology.op[node])), *(copy(a) for a in ontology.arguments(node)))
    return builder.finish()


@pytest.mark.slow
@pytest.mark.parametrize("profile", ["snomed", "go", "el"])
def test_order_in_the_file_does_not_matter(profile: str) -> None:
    generator = np.random.default_rng(3)
    for seed in range(5):
        made = generate(profile, 60, seed)
        once, again = normalise(shuffled(made, generator)), normalise(shuffled(made, generator))
        assert once.counts() == again.counts()
        assert described(once) == described(again)

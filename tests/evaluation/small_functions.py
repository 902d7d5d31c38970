"""A small dataset of proteins and their functions, with a hierarchy, a disjointness and a role above the target's."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from elgeo.datasets.model import Dataset, Kinds
from elgeo.ontology import normalise
from elgeo.ontology.expressions import Op
from elgeo.ontology.model import Builder

PREFIX = "http://example.org/"


def functions(seed: int = 0, n_terms: int = 25, n_proteins: int = 18, n_annotations: int = 70) -> Dataset:
    """Proteins P…, terms T… in a random hierarchy; 60 % of the annotations are training axioms."""
    generator = np.random.default_rng(seed)
    builder = Builder()
    terms = [builder.entity(Op.Class, f"{PREFIX}T{i}") for i in range(n_terms)]
    proteins = [builder.entity(Op.Class, f"{PREFIX}P{i}") for i in range(n_proteins)]
    role = builder.entity(Op.ObjectProperty, PREFIX + "has_function")
    other = builder.entity(Op.ObjectProperty, PREFIX + "located_in")
    for i in range(1, n_terms):
        for parent in set(generator.integers(0, i, 2).tolist()):
            builder.axiom(Op.SubClassOf, terms[i], terms[parent])
    for p in generator.choice(n_proteins, 6, replace=False):
        place = terms[int(generator.integers(0, n_terms))]
        builder.axiom(Op.SubClassOf, proteins[p], builder.node(Op.ObjectSomeValuesFrom, other, place))
    # nothing may have function T1 and be P0: an axiom P0 ⊑ ∃has_function.T1 would be contradicted
    with_first = builder.node(Op.ObjectSomeValuesFrom, role, terms[1])
    no_first = builder.node(Op.ObjectIntersectionOf, proteins[0], with_first)
    builder.axiom(Op.SubClassOf, no_first, builder.entity(Op.Class, "http://www.w3.org/2002/07/owl#Nothing"))
    pairs = np.unique(
        np.stack([generator.integers(1, n_proteins, n_annotations), generator.integers(0, n_terms, n_annotations)], 1),
        axis=0,
    )
    pairs = generator.permutation(pairs)
    n_train, n_valid = int(len(pairs) * 0.6), int(len(pairs) * 0.2)
    for p, t in pairs[:n_train]:
        builder.axiom(Op.SubClassOf, proteins[p], builder.node(Op.ObjectSomeValuesFrom, role, terms[t]))
    for label, node in (("first term", 0), ("second term", 1)):
        builder.labels[f"{PREFIX}T{node}"] = label
    forms = normalise(builder.finish())
    names = forms.vocabulary
    role_id = names.role_id(PREFIX + "has_function")
    protein_ids = np.array([names.class_id(f"{PREFIX}P{i}") for i in range(n_proteins)])
    term_ids = np.array([names.class_id(f"{PREFIX}T{i}") for i in range(n_terms)])
    rows = np.stack([protein_ids[pairs[:, 0]], np.full(len(pairs), role_id), term_ids[pairs[:, 1]]], 1).astype(np.int32)
    kinds = np.zeros(names.n_classes, np.int16)
    kinds[protein_ids], kinds[term_ids] = 1, 2
    return Dataset(
        name="small functions",
        forms=forms,
        target_form="existential",
        target_role=role_id,
        train=rows[:n_train],
        valid=rows[n_train : n_train + n_valid],
        test=rows[n_train + n_valid :],
        kinds=Kinds(("other", "protein", "term"), kinds),
        head_kind="protein",
        tail_kind="term",
    )


def hierarchy_completion(seed: int = 0) -> Dataset:
    """The same ontology with some T ⊑ T' held out: the target is C ⊑ D."""
    generator = np.random.default_rng(seed)
    dataset = functions(seed)
    terms = dataset.kinds.members("term")
    rows = dataset.forms.subclass
    target = np.flatnonzero(np.isin(rows, terms).all(axis=1))
    held_out = generator.permutation(target)[:12]
    kept = np.setdiff1d(target, held_out)
    forms = replace(dataset.forms, tables={**dataset.forms.tables, "subclass": np.delete(rows, held_out, axis=0)})
    return replace(
        dataset,
        name="small hierarchy",
        forms=forms,
        target_form="subclass",
        target_role=None,
        train=rows[kept],
        valid=rows[held_out[:4]],
        test=rows[held_out[4:]],
        head_kind="term",
    )

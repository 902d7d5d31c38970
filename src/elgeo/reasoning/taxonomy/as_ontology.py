"""A taxonomy as an ontology in functional syntax, as Protégé and every other OWL program opens it."""

from __future__ import annotations

import numpy as np

from elgeo.ontology.expressions import NOTHING
from elgeo.ontology.vocabulary import TOP, Kind
from elgeo.reasoning.taxonomy.taxonomy import Taxonomy


def ontology_text(taxonomy: Taxonomy) -> str:
    """Declarations, equivalent classes, direct superclasses of one class of each group; sorted."""
    vocabulary = taxonomy.saturation.forms.vocabulary
    named = np.flatnonzero(vocabulary.class_kinds == Kind.NAMED)
    name = {int(i): f"<{vocabulary.classes[int(i)]}>" for i in [TOP, *named]}
    declarations = [f"Declaration(Class({name[int(i)]}))" for i in named]
    groups = [sorted(name[int(i)] for i in group) for group in taxonomy.groups()]
    if not taxonomy.consistent:
        groups = [[f"<{NOTHING}>", *sorted(name.values())]]
    elif len(taxonomy.unsatisfiable):
        groups.append([f"<{NOTHING}>", *sorted(name[int(i)] for i in taxonomy.unsatisfiable)])
    equivalences = [f"EquivalentClasses({' '.join(group)})" for group in groups]
    owners = np.repeat(np.arange(len(taxonomy.representative)), np.diff(taxonomy.parent_start)).tolist()
    inclusions = [
        f"SubClassOf({name[x]} {name[y]})"
        for x, y in zip(owners, taxonomy.parents.tolist(), strict=True)
        if y != TOP and x in name
    ]
    prefix = "Prefix(owl:=<http://www.w3.org/2002/07/owl#>)\nOntology(\n"
    lines = [*sorted(declarations), *sorted(equivalences), *sorted(inclusions)]
    return prefix + "".join(line + "\n" for line in lines) + ")\n"

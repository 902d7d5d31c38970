"""`normalise`: axioms become normal forms, in five steps over whole arrays."""

from __future__ import annotations

import numpy as np

from elgeo.arrays import Ints
from elgeo.errors import UnsupportedError
from elgeo.ontology.expressions import Op
from elgeo.ontology.model import Ontology
from elgeo.ontology.normal_forms import NormalForms
from elgeo.ontology.normalisation.assertions import PropertyAssertions
from elgeo.ontology.normalisation.axioms import ClassAxioms, Sides, joined, side_text
from elgeo.ontology.normalisation.entities import number_entities
from elgeo.ontology.normalisation.fresh_names import ClassNames, FreshClasses
from elgeo.ontology.normalisation.inclusions import ClassRows, definitions, split
from elgeo.ontology.normalisation.polarity import Named, Polarity
from elgeo.ontology.normalisation.ranges import Ranges
from elgeo.ontology.normalisation.roles import RoleAxioms, Roles
from elgeo.ontology.normalisation.rows import Rows
from elgeo.ontology.normalisation.shapes import ATOM, Arena
from elgeo.ontology.normalisation.unsupported import Unsupported, reason_of_kind
from elgeo.ontology.vocabulary import Kind, Vocabulary


def normalise(ontology: Ontology, strict: bool = False) -> NormalForms:
    """The ontology in EL++ normal form: a conservative extension, as small as sharing makes it.

    Fresh classes are shared between equal expressions and defined only in the direction in which they are used. What
    EL++ cannot say is listed in `unsupported` (an `UnsupportedError` if `strict`); the part of it that can be said is
    kept.
    """
    entities = number_entities(ontology)
    roles = Roles(ontology, entities)
    rows = Rows()
    arena = Arena(ontology, entities, roles)
    op = ontology.op[ontology.axiom_nodes]
    of_roles = (op >= Op.SubObjectPropertyOf) & (op <= Op.TransitiveObjectProperty)
    role_axioms = RoleAxioms(roles, np.flatnonzero(of_roles), rows)
    assertions = PropertyAssertions(ontology, entities, roles)
    assertions.read_backwards(roles, role_axioms)
    role_axioms.add_rows(rows)

    fresh = FreshClasses(len(entities.classes))
    ranges = Ranges(role_axioms, roles, fresh)
    names = ClassNames(entities.classes, int((entities.class_kinds == Kind.INDIVIDUAL).sum()), fresh)
    class_axioms = ClassAxioms(arena, role_axioms, ranges, fresh, names)
    inclusions, disjoint = class_axioms.inclusions, class_axioms.disjoint
    unsupported = reason_of_kind(op) | role_axioms.unsupported | Unsupported(arena).axioms(inclusions, disjoint)
    if strict and unsupported:
        raise UnsupportedError(_complaint(ontology, unsupported))

    polarity = Polarity(arena, inclusions, disjoint)
    opaque = np.flatnonzero(polarity.opaque()).astype(np.int32)
    opaque_ids = fresh.add(len(opaque), lambda i: side_text(arena, names, int(opaque[i])))
    _replace(arena, inclusions, disjoint, opaque, opaque_ids)
    inclusions = split(arena, inclusions)
    named = Named(arena, polarity, inclusions, disjoint)
    named.name(fresh.add(len(named.nodes), lambda i: side_text(arena, names, int(named.nodes[i]))))
    inclusions = joined([inclusions, split(arena, definitions(named, arena, opaque, opaque_ids))])
    ClassRows(arena, named, rows, fresh, names).add(inclusions, disjoint, ranges)
    ranges.apply(rows, len(roles.names), arena.same, names, fresh)
    assertions.add_rows(rows, roles, ranges)

    tables, origins = rows.finish(fresh.n_classes, len(roles.names))
    kinds = np.full(fresh.n_classes, Kind.FRESH, np.uint8)
    kinds[: len(entities.class_kinds)] = entities.class_kinds
    vocabulary = Vocabulary(
        classes=names,
        class_kinds=kinds,
        roles=tuple(roles.names),
        role_kinds=roles.kinds,
        labels=ontology.labels,
        synonyms=ontology.synonyms,
        definitions=ontology.definitions,
        prefixes=ontology.prefixes,
        alternatives=ontology.alternatives,
        deprecated=ontology.deprecated,
    )
    pairs = tuple((kind, axiom) for axiom, kind in sorted(unsupported.items()))
    return NormalForms(vocabulary, tables, origins, ontology, pairs)


def _replace(arena: Arena, inclusions: Sides, disjoint: Sides, opaque: Ints, ids: Ints) -> None:
    """Let every mention of an opaque expression be a mention of its name."""
    if not len(opaque):
        return
    named = np.arange(len(arena.shape), dtype=np.int32)
    named[opaque] = ids + ATOM
    arena.replace(named)
    for mentions in (inclusions.left, inclusions.right, disjoint.left, disjoint.right):
        inner = mentions < ATOM
        mentions[inner] = named[mentions[inner]]


def _complaint(ontology: Ontology, unsupported: dict[int, str]) -> str:
    kinds: dict[str, list[int]] = {}
    for axiom, kind in sorted(unsupported.items()):
        kinds.setdefault(kind, []).append(axiom)
    parts = []
    for kind, axioms in sorted(kinds.items(), key=lambda item: -len(item[1])):
        first = ontology.text(int(ontology.axiom_nodes[axioms[0]]))
        parts.append(f"{kind} ({len(axioms)}), first in {first}")
    count = len(unsupported)
    return f"{count} {'axiom says' if count == 1 else 'axioms say'} what EL++ cannot: {'; '.join(parts)}"

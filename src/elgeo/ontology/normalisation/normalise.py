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
from elgeo.ontology.normalisation.data_properties.classes import DataFacts
from elgeo.ontology.normalisation.data_properties.keys import Keys
from elgeo.ontology.normalisation.data_properties.values import EVERYTHING
from elgeo.ontology.normalisation.entities import number_entities
from elgeo.ontology.normalisation.fresh_names import ClassNames
from elgeo.ontology.normalisation.inclusions import ClassRows, definitions, split
from elgeo.ontology.normalisation.limits import LimitReader
from elgeo.ontology.normalisation.open_expressions import OpenExpressions
from elgeo.ontology.normalisation.polarity import NamedExpressions, Polarity
from elgeo.ontology.normalisation.ranges import Ranges
from elgeo.ontology.normalisation.roles import RoleAxioms, RoleFacts, RoleIds
from elgeo.ontology.normalisation.rows import Rows
from elgeo.ontology.normalisation.shapes import ATOM, Expressions
from elgeo.ontology.normalisation.unsupported import Unsupported, reason_of_kind
from elgeo.ontology.vocabulary import Kind, Vocabulary


def normalise(ontology: Ontology, strict: bool = False) -> NormalForms:
    """The ontology in EL++ normal form: a conservative extension, as small as sharing makes it.

    Fresh classes are shared between equal expressions and defined only in the direction in which they are used. What
    EL++ cannot say is listed in `unsupported` (an `UnsupportedError` if `strict`); the part of it that can be said is
    kept, and `limits` has what else of it can rule suggestions out.
    """
    entities = number_entities(ontology)
    roles, rows = RoleIds(ontology, entities), Rows()
    individuals = np.flatnonzero(entities.class_kinds == Kind.INDIVIDUAL)
    names = ClassNames(entities.classes, len(individuals))
    data = DataFacts(ontology, names)
    keys = Keys(data, individuals.astype(np.int32), names, roles)
    opened = OpenExpressions(ontology, entities, roles, data.atoms)
    assertions = PropertyAssertions(ontology, entities, roles)
    op = ontology.op[ontology.axiom_nodes]
    of_roles = (op >= Op.SubObjectPropertyOf) & (op <= Op.TransitiveObjectProperty)
    role_facts = _role_facts(RoleAxioms(roles, np.flatnonzero(of_roles)), opened, assertions, rows)

    ranges = Ranges(role_facts, names)
    given = [(data.class_of((name, EVERYTHING)), node, axiom) for name, node, axiom in data.domains]
    class_axioms = ClassAxioms(opened, role_facts, ranges, names, given, keys.classes)
    expressions, inclusions, disjoint = class_axioms.expressions, class_axioms.inclusions, class_axioms.disjoint
    unsupported = reason_of_kind(op) | role_facts.unsupported | data.unsupported | keys.unsupported
    unsupported |= Unsupported(expressions).axioms(inclusions, disjoint)
    if strict and unsupported:
        raise UnsupportedError(_complaint(ontology, unsupported))

    polarity = Polarity(expressions, inclusions, disjoint)
    opaque = np.flatnonzero(polarity.opaque()).astype(np.int32)
    opaque_ids = names.add(len(opaque), lambda i: side_text(expressions, names, int(opaque[i])))
    _replace(expressions, inclusions, disjoint, opaque, opaque_ids)
    limits = LimitReader(expressions, role_facts, ranges).limits(polarity, inclusions, opaque, opaque_ids)
    inclusions = split(expressions, inclusions)
    named = NamedExpressions(expressions, polarity, inclusions, disjoint, names)
    inclusions = joined([inclusions, split(expressions, definitions(named, expressions, opaque, opaque_ids))])
    ClassRows(expressions, named, rows, names).add(inclusions, disjoint, ranges)
    ranged = ranges.applied(rows, expressions.same, names)
    assertions.add_rows(ranged, roles, ranges)
    data.add_rows(ranged, entities.class_of)
    keys.add_rows(ranged)

    tables, origins = ranged.finish(len(names), role_facts.n_roles)
    kinds = np.full(len(names), Kind.FRESH, np.uint8)
    kinds[: len(entities.class_kinds)] = entities.class_kinds
    vocabulary = Vocabulary(
        classes=names,
        class_kinds=kinds,
        roles=tuple(roles.names),
        role_kinds=roles.kinds,
        labels=ontology.labels,
        other_labels=ontology.other_labels,
        synonyms=ontology.synonyms,
        definitions=ontology.definitions,
        prefixes=ontology.prefixes,
        alternatives=ontology.alternatives,
        deprecated=ontology.deprecated,
    )
    pairs = tuple((kind, axiom) for axiom, kind in sorted(unsupported.items()))
    inverses = np.array(role_facts.inverses, np.int32).reshape(-1, 2)
    return NormalForms(vocabulary, tables, origins, ontology, pairs, limits, inverses)


def _role_facts(axioms: RoleAxioms, opened: OpenExpressions, assertions: PropertyAssertions, rows: Rows) -> RoleFacts:
    """What role axioms say; reading expressions has asked for the inverses they need, assertions do so now."""
    assertions.ask_for_inverses(opened.roles, axioms)
    return axioms.completed(rows)


def _replace(expressions: Expressions, inclusions: Sides, disjoint: Sides, opaque: Ints, ids: Ints) -> None:
    """Let every mention of an opaque expression be a mention of its name."""
    if not len(opaque):
        return
    named = np.arange(len(expressions.shape), dtype=np.int32)
    named[opaque] = ids + ATOM
    expressions.replace(named)
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

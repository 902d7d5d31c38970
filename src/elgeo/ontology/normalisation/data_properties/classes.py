"""Data properties become classes: for each property p and range D that matter, the class of what has a p-value in D.

OWL 2 EL is made so that ranges are inside each other or have nothing in common, so what follows for values can be said
of these classes: ∃p.D ⊑ ∃p.E for D inside E; ∃p.D ⊑ ∃q.D for p ⊑ q; ∃p.D ⊑ ∃p.(D ⊓ range of p), nothing if that is
empty; and of a functional p, ∃p.D ⊓ ∃p.E is ∃p.(D ⊓ E). No value is an element of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from elgeo.arrays import Ints
from elgeo.ontology.expressions import OWL, Op
from elgeo.ontology.model import Ontology
from elgeo.ontology.normalisation.data_properties.values import EVERYTHING, DataRange, datatype, one_of
from elgeo.ontology.normalisation.fresh_names import ClassNames
from elgeo.ontology.normalisation.rows import BY_DEFINITION, Rows
from elgeo.ontology.normalisation.shapes import among
from elgeo.ontology.vocabulary import BOTTOM, TOP

TOP_DATA_PROPERTY, BOTTOM_DATA_PROPERTY = OWL + "topDataProperty", OWL + "bottomDataProperty"
_AXIOMS = (
    *(Op.SubDataPropertyOf, Op.EquivalentDataProperties, Op.DataPropertyDomain, Op.DataPropertyRange),
    *(Op.FunctionalDataProperty, Op.DatatypeDefinition, Op.HasKey),
    *(Op.DataPropertyAssertion, Op.NegativeDataPropertyAssertion, Op.DisjointDataProperties),
)
_MOST_PAIRS = 64
"""So many values of a functional property are kept apart two by two, more of them by where they stand in a row."""
Feature = tuple[str, DataRange]
"""A data property and a range."""


class DataFacts:
    """What an ontology says with data properties, as classes and rows between them."""

    def __init__(self, ontology: Ontology, names: ClassNames) -> None:
        self._ontology, self._names = ontology, names
        self._op = ontology.op[ontology.axiom_nodes]
        self.unsupported: dict[int, str] = {}
        self.above: list[tuple[str, str, int]] = []
        """(p, q, axiom) for p ⊑ q."""
        self.ranges: list[tuple[str, DataRange, int]] = []
        self.functional: list[tuple[str, int]] = []
        self.domains: list[tuple[str, int, int]] = []
        """(property, node of the class, axiom)."""
        self.keys: list[tuple[int, list[int], list[str], int]] = []
        """(node of the class, nodes of object properties, data properties, axiom)."""
        self._asserted: list[tuple[int, Feature, int, bool]] = []
        self._texts: dict[tuple[frozenset[str], object], DataRange] = {}
        self._definitions: dict[str, int] = {}
        self._nodes: dict[int, Feature] = {}
        self._read_expressions()
        for axiom in np.flatnonzero(among(self._op, _AXIOMS)).tolist():
            self._read(axiom)
        self._heard()
        self._features = self._closed()
        self._number()

    @property
    def atoms(self) -> dict[int, int]:
        """The class of each node that is a restriction of a data property."""
        return {node: self.class_of(feature) for node, feature in self._nodes.items()}

    def class_of(self, feature: Feature) -> int:
        """The class of what has such a value."""
        name, found = feature
        return BOTTOM if found.is_empty else self._ids[name, found.key]

    def values_of(self, name: str) -> list[int]:
        """The classes of what has one value of a property that somebody spoke of."""
        return [self.class_of((p, r)) for p, r in self._features.values() if p == name and r.is_single]

    def add_rows(self, rows: Rows, class_of: Ints) -> None:
        """What holds between these classes, and what assertions say; `class_of` has the class of each individual."""
        for node, feature, axiom, holds in self._asserted:
            individual, value = int(class_of[node]), self.class_of(feature)
            if holds:
                rows.add("subclass", individual, value, axiom)
            else:
                rows.add("conjunction", min(individual, value), max(individual, value), BOTTOM, axiom)
        by_property: dict[str, list[DataRange]] = {}
        for name, found in self._features.values():
            by_property.setdefault(name, []).append(found)
        for name, ranges in by_property.items():
            general = [r for r in ranges if r.value is None]
            for one in ranges:
                for other in general:
                    if one is not other and one.within(other):
                        rows.add("subclass", self.class_of((name, one)), self.class_of((name, other)), BY_DEFINITION)
            if name == TOP_DATA_PROPERTY:
                self._add_top(ranges, rows)
            if name == BOTTOM_DATA_PROPERTY:
                for one in ranges:
                    rows.add("subclass", self.class_of((name, one)), BOTTOM, BY_DEFINITION)
        for p, q, axiom in self.above:
            for one in by_property.get(p, []):
                rows.add("subclass", self.class_of((p, one)), self.class_of((q, one)), axiom)
        for p, wider, narrower, axiom in self._narrowed():
            rows.add("subclass", self.class_of((p, wider)), self.class_of((p, narrower)), axiom)
        for q, axiom in self.functional:
            self._add_functional(q, axiom, by_property, rows)

    def _add_top(self, ranges: list[DataRange], rows: Rows) -> None:
        """owl:topDataProperty relates everything to every value, also where it is not known that there is one."""
        for wide in ranges:
            found = self.class_of((TOP_DATA_PROPERTY, wide))
            if wide.surely_has_values:
                rows.add("subclass", TOP, found, BY_DEFINITION)
                continue
            for name, one in self._features.values():
                if name != TOP_DATA_PROPERTY and one.within(wide):
                    rows.add("subclass", self.class_of((name, one)), found, BY_DEFINITION)

    def _add_functional(self, q: str, axiom: int, by_property: dict[str, list[DataRange]], rows: Rows) -> None:
        mine = by_property.get(q, [])
        values = [r for r in mine if r.value is not None]
        if len(values) > _MOST_PAIRS:
            self._apart([self.class_of((q, r)) for r in values], axiom, rows)
        for one, other in combinations(mine, 2):
            many = one.value is not None and other.value is not None and len(values) > _MOST_PAIRS
            if not many and one.meet(other).is_empty:
                first, second = sorted((self.class_of((q, one)), self.class_of((q, other))))
                rows.add("conjunction", first, second, BOTTOM, axiom)
        for p, one, other, both in self._joined(q):
            first, second = sorted((self.class_of((p, one)), self.class_of((q, other))))
            rows.add("conjunction", first, second, self.class_of((p, both)), axiom)

    def _apart(self, classes: list[int], axiom: int, rows: Rows) -> None:
        """Keep classes apart by the digits of their places: two that differ in one have nothing in common."""
        for bit in range((len(classes) - 1).bit_length()):
            texts = [f"<values of axiom {axiom} with the digit {digit} at {bit}>" for digit in range(2)]
            zero, one = self._names.add(2, texts.__getitem__).tolist()
            for place, each in enumerate(classes):
                rows.add("subclass", each, one if place >> bit & 1 else zero, axiom)
            rows.add("conjunction", zero, one, BOTTOM, axiom)

    def _closed(self) -> dict[tuple[str, object], Feature]:
        """Every feature that is needed to say what the others are."""
        found: dict[tuple[str, object], Feature] = {}
        waiting = [*self._nodes.values(), *(feature for _, feature, _, _ in self._asserted)]
        waiting += [(name, EVERYTHING) for name, _, _ in self.domains]
        while waiting:
            for name, one in waiting:
                if not one.is_empty:
                    found.setdefault((name, one.key), (name, one))
            before = len(found)
            self._features = found
            new = [(q, one) for p, q, _ in self.above for name, one in found.values() if name == p]
            new += [(p, narrower) for p, _, narrower, _ in self._narrowed()]
            new += [(p, both) for q, _ in self.functional for p, _, _, both in self._joined(q)]
            waiting = [(name, one) for name, one in new if not one.is_empty and (name, one.key) not in found]
            assert len(found) == before
        return found

    def _narrowed(self) -> Iterator[tuple[str, DataRange, DataRange, int]]:
        """(p, D, D ⊓ range, axiom) for the ranges of p and of what is above it."""
        for q, limit, axiom in self.ranges:
            below = self._below(q)
            for name, one in list(self._features.values()):
                if name in below and not one.within(limit):
                    yield name, one, one.meet(limit), axiom

    def _joined(self, q: str) -> Iterator[tuple[str, DataRange, DataRange, DataRange]]:
        """(p, D, E, D ⊓ E) with p below the functional q, where ∃p.D ⊓ ∃q.E says more of p."""
        below = self._below(q)
        of_q = [r for name, r in self._features.values() if name == q]
        for name, one in list(self._features.values()):
            if name in below and one.value is None:
                for other in of_q:
                    both = one.meet(other)
                    if not both.is_empty and both.key != one.key and not (name == q and both.key == other.key):
                        yield name, one, other, both

    def _below(self, q: str) -> set[str]:
        found, waiting = {q}, [q]
        while waiting:
            top = waiting.pop()
            new = {p for p, above, _ in self.above if above == top} - found
            found |= new
            waiting += new
        return found

    def _heard(self) -> None:
        """Leave out assertions of properties that nothing else speaks of: nothing follows from them."""
        spoken = {name for name, _ in self._nodes.values()} | {name for name, _, _ in self.domains}
        spoken |= {name for name, _, _ in self.ranges} | {name for name, _ in self.functional}
        spoken |= {name for _, _, data, _ in self.keys for name in data} | {BOTTOM_DATA_PROPERTY}
        spoken |= {feature[0] for _, feature, _, holds in self._asserted if not holds}
        heard = set().union(*(self._below(name) for name in spoken))
        self._asserted = [each for each in self._asserted if each[1][0] in heard]

    def _number(self) -> None:
        ordered = sorted(self._features.values(), key=lambda feature: (feature[0], str(feature[1])))
        texts = [_feature_text(*feature) for feature in ordered]
        ids = self._names.add(len(ordered), lambda i: texts[i])
        self._ids = {(name, one.key): int(i) for (name, one), i in zip(ordered, ids, strict=True)}

    def _read_expressions(self) -> None:
        ontology = self._ontology
        for axiom in np.flatnonzero(self._op == Op.DatatypeDefinition).tolist():
            node = int(ontology.axiom_nodes[axiom])
            name, meaning = ontology.arguments(node)
            self._definitions.setdefault(ontology.string(name), meaning)
        restrictions = (Op.DataSomeValuesFrom, Op.DataHasValue, Op.DataMinCardinality)
        for node in np.flatnonzero(among(ontology.op, restrictions)).tolist():
            arguments = ontology.arguments(node)
            if ontology.op[node] == Op.DataMinCardinality:
                if ontology.string(arguments[0]).strip('"').split('"')[0] != "1":
                    continue
                arguments = arguments[1:]
            found = self._range(arguments[1]) if len(arguments) == 2 else EVERYTHING if len(arguments) == 1 else None
            if found is not None:
                self._nodes[node] = ontology.string(arguments[0]), found

    def _read(self, axiom: int) -> None:
        ontology, op = self._ontology, Op(int(self._op[axiom]))
        arguments = ontology.arguments(int(ontology.axiom_nodes[axiom]))
        names = [ontology.string(a) if ontology.op[a] == Op.DataProperty else "" for a in arguments]
        match op:
            case Op.SubDataPropertyOf:
                self.above.append((names[0], names[1], axiom))
            case Op.EquivalentDataProperties:
                for other in names[1:]:
                    self.above += [(names[0], other, axiom), (other, names[0], axiom)]
            case Op.DataPropertyDomain:
                self.domains.append((names[0], arguments[1], axiom))
            case Op.FunctionalDataProperty:
                self.functional.append((names[0], axiom))
            case Op.DataPropertyRange:
                found = self._range(arguments[1])
                if found is None:
                    self.unsupported[axiom] = Op(int(ontology.op[arguments[1]])).name
                else:
                    self.ranges.append((names[0], found, axiom))
            case Op.DatatypeDefinition:
                if self._range(arguments[1]) is None:
                    self.unsupported[axiom] = Op(int(ontology.op[arguments[1]])).name
            case Op.HasKey:
                data = [a for a in arguments[1:] if ontology.op[a] == Op.DataProperty]
                roles = [a for a in arguments[1:] if ontology.op[a] != Op.DataProperty]
                self.keys.append((arguments[0], roles, [ontology.string(a) for a in data], axiom))
            case Op.DataPropertyAssertion | Op.NegativeDataPropertyAssertion:
                found = self._same(one_of(ontology.string(arguments[2])))
                self._asserted.append((arguments[1], (names[0], found), axiom, op == Op.DataPropertyAssertion))
            case _:
                self.unsupported[axiom] = op.name

    def _range(self, node: int, inside: frozenset[str] = frozenset()) -> DataRange | None:
        """The values of a data range; None where OWL 2 EL has no words for it."""
        ontology = self._ontology
        match Op(int(ontology.op[node])):
            case Op.Datatype:
                name = ontology.string(node)
                if name in self._definitions and name not in inside:
                    return self._range(self._definitions[name], inside | {name})
                return datatype(name)
            case Op.Literal:
                return self._same(one_of(ontology.string(node)))
            case Op.DataOneOf if len(ontology.arguments(node)) == 1:
                return self._range(ontology.arguments(node)[0], inside)
            case Op.DataIntersectionOf:
                found = EVERYTHING
                for argument in ontology.arguments(node):
                    part = self._range(argument, inside)
                    if part is None:
                        return None
                    found = found.meet(part)
                return self._same(found)
        return None

    def _same(self, found: DataRange) -> DataRange:
        """One range for all that are equal, with the first of their literals."""
        if found.is_empty:
            return found
        known = self._texts.setdefault(found.key, found)
        if known.text > found.text:
            self._texts[found.key] = known = found
        return known


def _feature_text(name: str, found: DataRange) -> str:
    if found.value is not None and not found.types:
        return f"DataHasValue(<{name}> {found.text})"
    return f"DataSomeValuesFrom(<{name}> {found})"

"""Keys become rows: two individuals of a class that share a value of each property of a key are the same.

For every combination t of values a class T of what is in the keyed class and has them; and for every individual a

    {a} ⊓ T ⊑ M,   ∃U.M ⊑ L,   L ⊓ T ⊓ named ⊑ {a}

so that where a is in T, everything in T that has a name is a. Only individuals with names are told apart by keys.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from elgeo.arrays import Ints
from elgeo.ontology.expressions import TOP_OBJECT_PROPERTY, Op
from elgeo.ontology.normalisation.data_properties.classes import DataFacts
from elgeo.ontology.normalisation.fresh_names import ClassNames
from elgeo.ontology.normalisation.roles import RoleIds
from elgeo.ontology.normalisation.rows import BY_DEFINITION, Rows
from elgeo.ontology.vocabulary import TOP_ROLE

_MOST = 50_000
"""So many pairs of an individual and a combination of values are told apart; with more of them a key is left out."""


class Keys:
    """The keys of an ontology."""

    def __init__(self, data: DataFacts, individuals: Ints, names: ClassNames, roles: RoleIds) -> None:
        self._data, self._names, self._roles = data, names, roles
        # an anonymous individual is somebody, not one with a name
        self._individuals = [a for a in individuals.tolist() if not names[a].startswith("_:")]
        self.unsupported: dict[int, str] = {}
        self.classes: list[tuple[int, int, int]] = []
        """(node of the class, class of what the key is for, axiom)."""
        self._parts: list[list[list[tuple[int, ...]]]] = []
        for node, properties, data_properties, axiom in data.keys:
            parts: list[list[tuple[int, ...]]] = [
                [(role, a) for a in self._individuals] for role in roles.ids_of(properties)
            ]
            parts += [[(value,) for value in data.values_of(name)] for name in data_properties]
            combinations = 1
            for part in parts:
                combinations *= len(part)
            if combinations * len(self._individuals) > _MOST:
                self.unsupported[axiom] = Op.HasKey.name
            elif combinations and len(self._individuals) > 1:
                self.classes.append((node, self._fresh(f"<in a class with the key of axiom {axiom}>"), axiom))
                self._parts.append(parts)

    def add_rows(self, rows: Rows) -> None:
        """The rows above."""
        if not self.classes:
            return
        named = self._fresh("<a named individual>")
        rows.add("subclass", self._individuals, named, BY_DEFINITION)
        having: dict[tuple[int, ...], int] = {}
        for (_, keyed, _), parts in zip(self.classes, self._parts, strict=True):
            for values in product(*parts):
                found = self._both(keyed, named, rows)
                for value in values:
                    if len(value) == 2 and value not in having:
                        text = f"{self._roles.text(value[0])} {self._names.text(value[1])}"
                        having[value] = self._fresh(f"ObjectSomeValuesFrom({text})")
                        rows.add("left_existential", *value, having[value], BY_DEFINITION)
                    found = self._both(found, having[value] if len(value) == 2 else value[0], rows)
                for a in self._individuals:
                    met = self._both(a, found, rows)
                    elsewhere = self._fresh(f"ObjectSomeValuesFrom(<{TOP_OBJECT_PROPERTY}> {self._names.text(met)})")
                    rows.add("left_existential", TOP_ROLE, met, elsewhere, BY_DEFINITION)
                    rows.add("conjunction", found, elsewhere, a, BY_DEFINITION)

    def _both(self, first: int, second: int, rows: Rows) -> int:
        first, second = sorted((first, second))
        found = int(self._names.add_pairs(np.array([first], np.int32), np.array([second], np.int32))[0])
        rows.add("conjunction", first, second, found, BY_DEFINITION)
        return found

    def _fresh(self, text: str) -> int:
        return int(self._names.add(1, lambda _: text)[0])

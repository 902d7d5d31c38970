"""Large random ontologies with a structure worth classifying, made of whole arrays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from elgeo.arrays import Ints
from elgeo.errors import SettingError
from elgeo.ontology.expressions import Op
from elgeo.ontology.model import Ontology

BASE = "http://example.org/generated#"
Rng = np.random.Generator

_VALUES_WITH_ATTRIBUTES = 0.2


@dataclass(frozen=True)
class Planted:
    """What a large ontology looks like. Means are per class."""

    defined: float = 0.25
    """Share of classes with a definition (equivalent to parents and attributes) instead of inclusions."""
    extra_parents: float = 0.3
    """Mean number of parents beyond the first."""
    attributes: float = 1.0
    """Mean number of existentials."""
    grouped: bool = False
    """Whether attributes stand in groups: ∃group.(∃r.C ⊓ ∃s.D)."""
    branches: int = 0
    """Hierarchies under the first class, with all parents of a class in one of them; 0: parents are anywhere."""
    value_branches: int = 0
    """How many of the branches hold the values of attributes. Their classes have few attributes, with earlier values:
    then no class is defined through itself. 0: values are anywhere."""
    roles: int = 20
    subroles: float = 0.2
    """Share of roles with a more general role."""
    transitive: int = 0
    chains: int = 0
    disjoint: float = 0.001
    """Disjoint pairs of siblings."""
    ranges: int = 0
    individuals: float = 0.0
    assertions: float = 0.0
    """Links between individuals, per individual."""

    def __post_init__(self) -> None:
        if self.roles < 1 or not 0 <= self.defined <= 1:
            raise SettingError("a profile needs at least one role and a share of definitions between 0 and 1")
        if not 0 <= self.value_branches <= self.branches:
            raise SettingError("a profile has no more branches of values than branches")


class _Nodes:
    """Collects nodes a block at a time; arguments come before what is made of them."""

    def __init__(self) -> None:
        self.strings: list[str] = []
        self._ops: list[NDArray[np.uint8]] = []
        self._sizes: list[NDArray[np.int64]] = []
        self._args: list[Ints] = []
        self._count = 0
        self.axioms: list[Ints] = []

    def entities(self, op: Op, names: list[str]) -> Ints:
        first = len(self.strings)
        self.strings += names
        return self._block(op, np.arange(first, first + len(names), dtype=np.int32)[:, None])

    def nodes(self, op: Op, *columns: NDArray[np.integer]) -> Ints:
        """Nodes of one kind and number of arguments; equal rows are one node. A row must not come in two calls."""
        table = np.stack(columns, axis=1).astype(np.int32)
        distinct, which = np.unique(table, axis=0, return_inverse=True)
        return self._block(op, distinct)[which.ravel()]

    def axiom(self, op: Op, *columns: NDArray[np.integer]) -> None:
        if len(columns[0]):
            self.axioms.append(self.nodes(op, *columns))

    def of_sizes(self, op: Op, members: list[Ints], sizes: Ints) -> Ints:
        """Nodes with the first `sizes[i]` of the columns in `members` as arguments; with one argument, that itself."""
        found = members[0].copy()
        for size in range(2, len(members) + 1):
            chosen = sizes == size
            if chosen.any():
                found[chosen] = self.nodes(op, *(column[chosen] for column in members[:size]))
        return found

    def finish(self, declared: Ints) -> Ontology:
        sizes = np.concatenate(self._sizes)
        return Ontology(
            strings=self.strings,
            op=np.concatenate(self._ops),
            start=np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)]),
            args=np.concatenate(self._args),
            axiom_nodes=np.concatenate([np.empty(0, np.int32), *self.axioms]),
            declared=declared,
            iri=BASE.rstrip("#"),
            format="generated",
            ignored={"annotations": 0, "declarations": len(declared)},
        )

    def _block(self, op: Op, table: Ints) -> Ints:
        self._ops.append(np.full(len(table), op, np.uint8))
        self._sizes.append(np.full(len(table), table.shape[1], np.int64))
        self._args.append(table.ravel())
        self._count += len(table)
        return np.arange(self._count - len(table), self._count, dtype=np.int32)


def planted(n: int, profile: Planted, rng: Rng) -> Ontology:
    """A hierarchy in which class i has parents among the classes before it, definitions, attributes, role axioms."""
    nodes = _Nodes()
    classes = nodes.entities(Op.Class, [f"{BASE}C{i}" for i in range(n)])
    roles = nodes.entities(Op.ObjectProperty, [f"{BASE}r{i}" for i in range(profile.roles + profile.grouped)])
    people = nodes.entities(Op.NamedIndividual, [f"{BASE}i{i}" for i in range(int(n * profile.individuals))])
    if n > 1:
        _class_axioms(nodes, classes, roles, profile, rng)
    _role_axioms(nodes, classes, roles[: profile.roles], profile, rng)
    if len(people):
        nodes.axiom(Op.ClassAssertion, classes[rng.integers(n, size=len(people))], people)
        pairs = rng.integers(len(people), size=(2, int(len(people) * profile.assertions)))
        role = roles[rng.integers(profile.roles, size=pairs.shape[1])]
        nodes.axiom(Op.ObjectPropertyAssertion, role, people[pairs[0]], people[pairs[1]])
    return nodes.finish(np.concatenate([classes, roles, people]))


def _class_axioms(nodes: _Nodes, classes: Ints, roles: Ints, profile: Planted, rng: Rng) -> None:
    children = np.arange(1, len(classes))
    parents = [classes[_earlier(children, profile.branches, rng)] for _ in range(3)]
    several = (1 + np.minimum(rng.poisson(profile.extra_parents, len(children)), 2)).astype(np.int32)
    for i in (1, 2):
        again = (several > i) & np.any([parents[i] == parents[j] for j in range(i)], axis=0)
        several[again] = i
    how_many = np.minimum(rng.poisson(profile.attributes, len(children)), 3).astype(np.int32)
    if profile.value_branches:
        value = _branch(children, profile) < profile.value_branches
        how_many[value] = (how_many > 0)[value] & (rng.random(int(value.sum())) < _VALUES_WITH_ATTRIBUTES)
        how_many[: profile.branches] = 0  # the roots of the branches: no value is earlier
    attributes, how_many = _existentials(nodes, classes, roles, profile, rng, how_many)
    defined = (rng.random(len(children)) < profile.defined) & (how_many > 0)

    if profile.grouped:
        inside = nodes.of_sizes(Op.ObjectIntersectionOf, attributes, how_many)
        group = np.full(len(children), -1, np.int32)
        some = how_many > 0
        group[some] = nodes.nodes(Op.ObjectSomeValuesFrom, np.broadcast_to(roles[-1], some.sum()), inside[some])
        attributes, how_many = [group], np.minimum(how_many, 1)
    for i in range(3):
        plain = ~defined & (several > i)
        nodes.axiom(Op.SubClassOf, classes[children[plain]], parents[i][plain])
    for i, attribute in enumerate(attributes):
        plain = ~defined & (how_many > i)
        nodes.axiom(Op.SubClassOf, classes[children[plain]], attribute[plain])
    for of_parents in range(1, 4):
        for of_attributes in range(1, len(attributes) + 1):
            which = defined & (several == of_parents) & (how_many == of_attributes)
            if which.any():
                columns = [p[which] for p in parents[:of_parents]] + [a[which] for a in attributes[:of_attributes]]
                # parents are classes and attributes are not, so shapes with equal sizes cannot be equal nodes
                body = nodes.nodes(Op.ObjectIntersectionOf, *columns)
                nodes.axiom(Op.EquivalentClasses, classes[children[which]], body)
    siblings = rng.integers(1, len(classes), size=(2, int(profile.disjoint * len(classes))))
    apart = siblings[:, siblings[0] < siblings[1]]
    leaves = ~np.isin(classes, np.concatenate(parents))
    apart = apart[:, leaves[apart].all(axis=0)]
    nodes.axiom(Op.DisjointClasses, classes[apart[0]], classes[apart[1]])


def _branch(numbers: NDArray[np.integer], profile: Planted) -> NDArray[np.int64]:
    """The branch of each class but the first."""
    return (numbers.astype(np.int64) - 1) % profile.branches


def _earlier(children: NDArray[np.int64], branches: int, rng: Rng) -> NDArray[np.int64]:
    """A uniform earlier class (of the branch) for each: depth grows with the logarithm, as in real terminologies."""
    if not branches:
        return (children * rng.random(len(children))).astype(np.int64)
    branch, rank = (children - 1) % branches, (children - 1) // branches
    found = 1 + branch + branches * (rank * rng.random(len(children))).astype(np.int64)
    return np.where(rank > 0, found, 0)


def _values(owners: NDArray[np.int64], n: int, profile: Planted, rng: Rng) -> NDArray[np.int64]:
    """A value for each attribute; squaring prefers general ones."""
    general = rng.random(len(owners)) ** 2
    if not profile.value_branches:
        return (n * general).astype(np.int64)
    own = _branch(owners, profile) < profile.value_branches
    ranks = np.where(own, (owners - 1) // profile.branches, (n - 1) // profile.branches)
    branch = rng.integers(profile.value_branches, size=len(owners))
    found: NDArray[np.int64] = 1 + branch + profile.branches * (ranks * general).astype(np.int64)
    return np.minimum(found, n - 1)


def _existentials(
    nodes: _Nodes, classes: Ints, roles: Ints, profile: Planted, rng: Rng, how_many: Ints
) -> tuple[list[Ints], Ints]:
    """Different existentials for each class over few, often used values."""
    which = np.arange(3)[:, None] < how_many
    role = roles[(profile.roles * rng.random(int(which.sum())) ** 2).astype(np.int64)]
    value = classes[_values(1 + np.nonzero(which)[1], len(classes), profile, rng)]
    table = np.full(which.shape, np.iinfo(np.int32).max, np.int32)
    table[which] = nodes.nodes(Op.ObjectSomeValuesFrom, role, value)
    table.sort(axis=0)
    for i in (2, 1):
        again = (how_many > i) & (table[i] == table[i - 1])
        table[i, again] = table[-1, again] if i == 1 else 0
        how_many[again] -= 1
    return list(table), how_many


def _role_axioms(nodes: _Nodes, classes: Ints, roles: Ints, profile: Planted, rng: Rng) -> None:
    lower = 1 + np.flatnonzero(rng.random(len(roles) - 1) < profile.subroles)
    nodes.axiom(Op.SubObjectPropertyOf, roles[lower], roles[(lower * rng.random(len(lower))).astype(np.int64)])
    chosen = rng.permutation(len(roles))
    nodes.axiom(Op.TransitiveObjectProperty, roles[chosen[: profile.transitive]])
    # r ∘ s ⊑ r: what is true of the whole is true of the part
    first, second = roles[chosen[: profile.chains]], roles[chosen[::-1][: profile.chains]]
    if len(first):
        nodes.axiom(Op.SubObjectPropertyOf, nodes.nodes(Op.ObjectPropertyChain, first, second), first)
    ranged = roles[chosen[: profile.ranges]]
    nodes.axiom(Op.ObjectPropertyRange, ranged, classes[rng.integers(min(10, len(classes)), size=len(ranged))])

"""`Ontology`: axioms and words as read, in one arena of shared nodes; `Builder` fills it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from elgeo.arrays import Ints
from elgeo.errors import clipped
from elgeo.ontology import glimpse
from elgeo.ontology.expressions import AXIOMS, BUILT_IN, ENTITIES, Op

Names = Mapping[str, str]
ManyNames = Mapping[str, tuple[str, ...]]
Scopes = Mapping[tuple[str, str], str]


@dataclass(frozen=True, eq=False)
class Ontology:
    """Everything logical a file said, and the names people use for it.

    Every expression and every axiom is a node: an operator and arguments. Equal nodes are one node, and the
    arguments of a node have smaller numbers than the node itself. Of entities and literals the only argument is an
    index into `strings`; all other arguments are nodes.
    """

    strings: Sequence[str]
    """Whole IRIs, `_:` names of anonymous individuals, and literals as functional syntax writes them."""
    op: NDArray[np.uint8]
    """The `Op` of each node."""
    start: NDArray[np.int64]
    """The arguments of node i are `args[start[i]:start[i + 1]]`."""
    args: Ints
    axiom_nodes: Ints
    """The node of each logical axiom, in the order of the file; duplicates are the same node again."""
    declared: Ints
    """The entity nodes that are declared, in the order of the file."""
    iri: str | None = None
    format: str = ""
    labels: Names = field(default_factory=dict)
    """IRI to label."""
    other_labels: ManyNames = field(default_factory=dict)
    """IRI to the labels that are not shown, in other languages for instance; people may use them all the same."""
    synonyms: ManyNames = field(default_factory=dict)
    scopes: Scopes = field(default_factory=dict)
    """The property that says a synonym of an IRI, where it is not that of exact ones."""
    definitions: Names = field(default_factory=dict)
    """IRI to what the file says in words that it is."""
    prefixes: Names = field(default_factory=dict)
    """Prefix (without colon) to IRI start, as declared by the file."""
    alternatives: Names = field(default_factory=dict)
    """Alternative IRI to the IRI it stands for (OBO `alt_id`)."""
    deprecated: Collection[str] = ()
    """The IRIs of what is not to be used any more (`owl:deprecated`, OBO `is_obsolete`)."""
    replaced: Names = field(default_factory=dict)
    """IRI of what is not to be used any more to the IRI to use instead (OBO `replaced_by`)."""
    ignored: Mapping[str, int] = field(default_factory=dict)
    """How many annotations, declarations and the like were read and are not logical."""
    imports: tuple[str, ...] = ()
    missing_imports: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return glimpse.line(clipped(f"Ontology {self.iri or ''}".rstrip(), 200), self._sizes(), self.format)

    def _repr_html_(self) -> str:
        kinds, counts = np.unique(self.op[self.axiom_nodes], return_counts=True)
        of_kind = dict(sorted(zip((Op(int(k)).name for k in kinds), counts.tolist(), strict=True), key=lambda i: -i[1]))
        return glimpse.table(repr(self), {**self._sizes(), **of_kind})

    def _sizes(self) -> dict[str, int]:
        entities = {"classes": Op.Class, "roles": Op.ObjectProperty, "individuals": Op.NamedIndividual}
        found = {
            name: sum(self.string(node) not in BUILT_IN for node in np.flatnonzero(self.op == op).tolist())
            for name, op in entities.items()
        }
        return {"axioms": len(self.axiom_nodes), **found}

    def arguments(self, node: int) -> list[int]:
        """The arguments of a node."""
        found: list[int] = self.args[self.start[node] : self.start[node + 1]].tolist()
        return found

    def string(self, node: int) -> str:
        """The IRI or text behind an entity or literal node."""
        return self.strings[int(self.args[self.start[node]])]

    def text(self, node: int, longest: int | None = None) -> str:
        """The node in functional syntax, with whole IRIs; not much more of it than `longest` characters, if given."""
        # a stack of its own: expressions may nest deeper than Python calls
        parts: list[str] = []
        todo: list[int | str] = [node]
        length = 0
        while todo and (longest is None or length <= longest):
            item = todo.pop()
            if not isinstance(item, str):
                kind = int(self.op[item])  # a range is searched one by one for anything but a plain number
                if kind in ENTITIES:
                    string = self.string(item)
                    item = string if kind == Op.Literal or string.startswith("_:") else f"<{string}>"
                else:
                    op = Op(kind)
                    todo.append(")")
                    for i, argument in enumerate(reversed(self._written(op, item))):
                        todo += [" ", argument] if i else [argument]
                    item = f"{op.name}("
            parts.append(item)
            length += len(item)
        return "".join(parts)

    def _written(self, op: Op, node: int) -> list[int | str]:
        """The arguments of a node as functional syntax orders them."""
        arguments: list[int | str] = [*self.arguments(node)]
        if op != Op.HasKey:
            return arguments
        data = [a for a in self.arguments(node)[1:] if self.op[a] == Op.DataProperty]
        roles = [a for a in self.arguments(node)[1:] if self.op[a] != Op.DataProperty]
        lists = ("(" + " ".join(map(self.text, properties)) + ")" for properties in (roles, data))
        return [arguments[0], *lists]

    @property
    def axioms(self) -> Axioms:
        """The logical axioms as a sequence for people; programs use the arrays."""
        return Axioms(self)


@dataclass(frozen=True)
class Axiom:
    """One axiom of an ontology; prints as functional syntax."""

    ontology: Ontology = field(repr=False)
    node: int

    @property
    def kind(self) -> str:
        """The axiom's keyword in functional syntax, for example `SubClassOf`."""
        return Op(int(self.ontology.op[self.node])).name

    def __str__(self) -> str:
        return self.ontology.text(self.node)

    def __repr__(self) -> str:
        return clipped(str(self), 200)


class Axioms(Sequence[Axiom]):
    """The axioms of an ontology, made when looked at."""

    def __init__(self, ontology: Ontology) -> None:
        self._ontology = ontology

    def __repr__(self) -> str:
        return glimpse.line("Axioms", {"axioms": len(self)})

    def __len__(self) -> int:
        return len(self._ontology.axiom_nodes)

    @overload
    def __getitem__(self, index: int) -> Axiom: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Axiom]: ...
    def __getitem__(self, index: int | slice) -> Axiom | Sequence[Axiom]:
        if isinstance(index, slice):
            return [Axiom(self._ontology, int(n)) for n in self._ontology.axiom_nodes[index]]
        return Axiom(self._ontology, int(self._ontology.axiom_nodes[index]))

    def __iter__(self) -> Iterator[Axiom]:
        return (Axiom(self._ontology, int(n)) for n in self._ontology.axiom_nodes)


class Builder:
    """Collects nodes and axioms, sharing equal ones, and makes an `Ontology` of them.

    >>> b = Builder()
    >>> a, c = b.entity(Op.Class, "http://example.org/A"), b.entity(Op.Class, "http://example.org/C")
    >>> _ = b.axiom(Op.SubClassOf, a, c)
    >>> print(b.finish().axioms[0])
    SubClassOf(<http://example.org/A> <http://example.org/C>)
    """

    def __init__(self) -> None:
        self._strings: dict[str, int] = {}
        self._nodes: dict[tuple[int, ...], int] = {}
        self._axioms: list[int] = []
        self._declared: dict[int, None] = {}
        self.labels: dict[str, str] = {}
        self.other_labels: ManyNames = {}
        self.synonyms: dict[str, list[str]] = {}
        self.scopes: Scopes = {}
        self.definitions: dict[str, str] = {}
        self.prefixes: dict[str, str] = {}
        self.alternatives: dict[str, str] = {}
        self.deprecated: dict[str, None] = {}
        self.replaced: dict[str, str] = {}
        self.ignored: dict[str, int] = {"annotations": 0, "declarations": 0}
        self.warnings: list[str] = []

    @classmethod
    def resume(cls, ontology: Ontology) -> Builder:
        """A builder that already holds everything the ontology says, to add more to it."""
        builder = cls()
        builder._strings = {string: i for i, string in enumerate(ontology.strings)}
        start, args = ontology.start.tolist(), ontology.args.tolist()
        builder._nodes = {(op, *args[start[i] : start[i + 1]]): i for i, op in enumerate(ontology.op.tolist())}
        builder._axioms = ontology.axiom_nodes.tolist()
        builder._declared = dict.fromkeys(ontology.declared.tolist())
        builder.labels, builder.other_labels = dict(ontology.labels), ontology.other_labels
        builder.synonyms = {iri: list(names) for iri, names in ontology.synonyms.items()}
        builder.scopes = ontology.scopes
        builder.definitions = dict(ontology.definitions)
        builder.prefixes = dict(ontology.prefixes)
        builder.alternatives = dict(ontology.alternatives)
        builder.deprecated = dict.fromkeys(ontology.deprecated)
        builder.replaced = dict(ontology.replaced)
        builder.ignored = dict(ontology.ignored)
        builder.ignored.setdefault("declarations", 0)
        builder.warnings = list(ontology.warnings)
        return builder

    def entity(self, op: Op, string: str) -> int:
        """The node of an entity or literal."""
        return self._node((op, self._strings.setdefault(string, len(self._strings))))

    def has(self, op: Op, string: str) -> bool:
        """Whether there is a node of this entity."""
        return (op, self._strings.get(string, -1)) in self._nodes

    def node(self, op: Op, *arguments: int) -> int:
        """The node of an expression over nodes."""
        return self._node((op, *arguments))

    def axiom(self, op: Op, *arguments: int) -> int:
        """Add a logical axiom; returns its node."""
        if op not in AXIOMS:
            raise ValueError(f"{op.name} is not an axiom")
        node = self._node((op, *arguments))
        self._axioms.append(node)
        return node

    def declare(self, node: int) -> None:
        """Count a declaration of an entity."""
        self._declared[node] = None
        self.ignored["declarations"] += 1

    def finish(self, **metadata: Any) -> Ontology:
        """The ontology collected so far; `metadata` are further fields of `Ontology`."""
        keys = self._nodes
        sizes = np.fromiter((len(k) - 1 for k in keys), np.int64, len(keys))
        start = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])
        return Ontology(
            strings=list(self._strings),
            op=np.fromiter((k[0] for k in keys), np.uint8, len(keys)),
            start=start,
            args=np.fromiter((a for k in keys for a in k[1:]), np.int32, int(start[-1])),
            axiom_nodes=np.asarray(self._axioms, np.int32),
            declared=np.fromiter(self._declared, np.int32, len(self._declared)),
            labels=self.labels,
            other_labels=self.other_labels,
            synonyms={k: tuple(v) for k, v in self.synonyms.items()},
            scopes=self.scopes,
            definitions=self.definitions,
            prefixes=self.prefixes,
            alternatives=self.alternatives,
            deprecated=tuple(self.deprecated),
            replaced=self.replaced,
            ignored=self.ignored,
            warnings=tuple(self.warnings),
            **metadata,
        )

    def _node(self, key: tuple[int, ...]) -> int:
        return self._nodes.setdefault(key, len(self._nodes))

"""An ontology with a few axioms more, made without copying what is there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from elgeo.ontology.expressions import ENTITIES, Op
from elgeo.ontology.model import Ontology


class Addition:
    """Collects further nodes and axioms for an ontology; equal nodes stay one node."""

    def __init__(self, ontology: Ontology) -> None:
        self._old = ontology
        self._strings = list(ontology.strings)
        self._new: dict[tuple[int, ...], int] = {}
        self._axioms: list[int] = []
        self._sizes = np.diff(ontology.start)

    def entity(self, op: Op, string: str) -> int:
        """The node of an entity."""
        try:
            number = self._strings.index(string)
        except ValueError:
            number = len(self._strings)
            self._strings.append(string)
        return self.node(op, number)

    def node(self, op: Op, *arguments: int) -> int:
        """The node of an expression over nodes."""
        old = self._old
        same = np.flatnonzero((old.op == op) & (self._sizes == len(arguments)))
        for place, argument in enumerate(arguments):
            same = same[old.args[old.start[same] + place] == argument]
        if len(same):
            return int(same[0])
        return self._new.setdefault((op, *arguments), len(old.op) + len(self._new))

    def copy(self, other: Ontology, node: int) -> int:
        """The node like one of another ontology."""
        op = Op(int(other.op[node]))
        if op in ENTITIES:
            return self.entity(op, other.string(node))
        return self.node(op, *(self.copy(other, argument) for argument in other.arguments(node)))

    def axiom(self, op: Op, *arguments: int) -> None:
        self._axioms.append(self.node(op, *arguments))

    def finish(self) -> Ontology:
        """The ontology with the additions; added axioms come last."""
        old, keys = self._old, list(self._new)
        sizes = np.array([len(key) - 1 for key in keys], np.int64)
        return replace(
            old,
            strings=self._strings,
            op=np.append(old.op, np.array([key[0] for key in keys], np.uint8)),
            start=np.append(old.start, old.start[-1] + np.cumsum(sizes)),
            args=np.append(old.args, np.array([a for key in keys for a in key[1:]], np.int32)),
            axiom_nodes=np.append(old.axiom_nodes, np.array(self._axioms, np.int32)).astype(np.int32),
        )


def with_axioms(ontology: Ontology, other: Ontology, nodes: Iterable[int]) -> Ontology:
    """An ontology with axioms of another one added."""
    addition = Addition(ontology)
    for node in nodes:
        arguments = [addition.copy(other, argument) for argument in other.arguments(node)]
        addition.axiom(Op(int(other.op[node])), *arguments)
    return addition.finish()

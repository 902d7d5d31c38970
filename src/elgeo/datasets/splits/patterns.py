"""Shapes of axioms that can be held out of an ontology: `?C SubClassOf ?D`, `?C SubClassOf part_of some ?D`, …"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from elgeo.documents import shown
from elgeo.errors import SettingError, UnknownNameError
from elgeo.messages import near
from elgeo.ontology.expressions import NOTHING, THING, Op
from elgeo.ontology.model import Ontology
from elgeo.ontology.vocabulary import Kind, Vocabulary

_ROLE = r"(?P<role><[^<>]+>|'[^']+'|\"[^\"]+\"|\S+)"
_SHAPES = {
    re.compile(rf"\?\w+\s+SubClassOf:?\s+{_ROLE}\s+some\s+\?\w+", re.I): (Op.SubClassOf, True),
    re.compile(r"\?\w+\s+SubClassOf:?\s+\?\w+", re.I): (Op.SubClassOf, False),
    re.compile(r"\?\w+\s+Types?:?\s+\?\w+", re.I): (Op.ClassAssertion, False),
    re.compile(rf"\?\w+\s+{_ROLE}\s+\?\w+"): (Op.ObjectPropertyAssertion, True),
}
HELP = "'?C SubClassOf ?D', '?C SubClassOf ROLE some ?D', '?a Type ?C' or '?a ROLE ?b'"


@dataclass(frozen=True)
class Pattern:
    """One shape of axiom between two names: its keyword, and the IRI of the role if there is one."""

    op: Op
    role: str | None

    @property
    def form(self) -> str:
        """The normal form of the axioms."""
        return "existential" if self.role else "subclass"


def parse_pattern(text: str, ontology: Ontology) -> Pattern:
    """A pattern as users write it; the role by any of its names."""
    for shape, (op, has_role) in _SHAPES.items():
        if match := shape.fullmatch(text.strip()):
            if has_role and match["role"].startswith("?"):
                raise SettingError(
                    f"--axioms {shown(text)}: name the role, as in '?C SubClassOf part_of some ?D'; or give `all`"
                )
            try:
                return Pattern(op, _role(match["role"], ontology) if has_role else None)
            except UnknownNameError as error:
                meant = near(match["role"], ("SubClassOf", "Type")) if op == Op.ObjectPropertyAssertion else ""
                raise UnknownNameError(f"--axioms {shown(text)}: {meant or error}") from None
    raise SettingError(f"--axioms {shown(text)} is not understood: give {HELP}")


def matches(ontology: Ontology, pattern: Pattern) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """(nodes, pairs): the axioms of that shape between names, each once, and the head and tail nodes of each."""
    nodes = np.unique(ontology.axiom_nodes[ontology.op[ontology.axiom_nodes] == pattern.op])
    first = ontology.start[nodes]
    if pattern.op == Op.ObjectPropertyAssertion:
        # arguments: role, subject, object
        role_ok = _is_role(ontology, ontology.args[first], pattern.role)
        heads, tails = ontology.args[first + 1], ontology.args[first + 2]
    elif pattern.op == Op.ClassAssertion:
        # arguments: class, individual
        role_ok = np.ones(len(nodes), np.bool_)
        heads, tails = ontology.args[first + 1], ontology.args[first]
    else:
        role_ok = np.ones(len(nodes), np.bool_)
        heads, tails = ontology.args[first], ontology.args[first + 1]
        if pattern.role is not None:
            role_ok = ontology.op[tails] == Op.ObjectSomeValuesFrom
            inner = np.where(role_ok, ontology.start[tails], 0)
            role_ok &= _is_role(ontology, ontology.args[inner], pattern.role)
            tails = np.where(role_ok, ontology.args[inner + role_ok], tails)
    kept = role_ok & _is_name(ontology, heads) & _is_name(ontology, tails) & (heads != tails)
    return nodes[kept].astype(np.int32), np.column_stack([heads, tails])[kept].astype(np.int32)


def _is_name(ontology: Ontology, nodes: NDArray[np.int32]) -> NDArray[np.bool_]:
    named = np.isin(ontology.op[nodes], (Op.Class, Op.NamedIndividual))
    built_in = [i for i, string in enumerate(ontology.strings) if string in (THING, NOTHING)]
    return np.asarray(named & ~np.isin(ontology.args[ontology.start[nodes]], built_in))


def _is_role(ontology: Ontology, nodes: NDArray[np.int32], role: str | None) -> NDArray[np.bool_]:
    wanted = [n for n in np.flatnonzero(ontology.op == Op.ObjectProperty).tolist() if ontology.string(n) == role]
    return np.asarray(np.isin(nodes, wanted))


def _role(name: str, ontology: Ontology) -> str:
    roles = [ontology.string(n) for n in np.flatnonzero(ontology.op == Op.ObjectProperty).tolist()]
    vocabulary = Vocabulary(
        classes=(),
        class_kinds=np.empty(0, np.uint8),
        roles=roles,
        role_kinds=np.full(len(roles), Kind.NAMED, np.uint8),
        labels=ontology.labels,
        other_labels=ontology.other_labels,
        synonyms=ontology.synonyms,
        prefixes=ontology.prefixes,
        alternatives=ontology.alternatives,
    )
    return roles[vocabulary.role_id(name)]

"""`box2el`: classes as boxes with bumps, roles as a head and a tail box each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from elgeo.models.box_models.model import BoxModel, BoxSettings, Penalty
from elgeo.models.box_models.terms import (
    Box,
    Common,
    Loss,
    Part,
    Term,
    box,
    inside,
    mean_square,
    overlap,
    refuted,
    refuted_common,
    vanishing,
)
from elgeo.ontology.normal_forms import TAILED
from elgeo.settings import setting

C, D = box("c"), box("d")


def head(role: str) -> Box:
    """Where the classes are that have something to a role."""
    return box(role, "head_centres", "head_offsets")


def tail(role: str) -> Box:
    """Where the classes are that something is had to by a role."""
    return box(role, "tail_centres", "tail_offsets")


PAIRS: dict[str, tuple[tuple[Box, Box], ...]] = {
    "subclass": ((C, D),),
    "existential": ((C.moved(Part("bumps", "d")), head("r")), (D.moved(Part("bumps", "c")), tail("r"))),
    "left_existential": ((head("r").moved(Part("bumps", "c", -1)), D),),
    "subrole": ((head("r"), head("s")), (tail("r"), tail("s"))),
    "chain": ((head("r"), head("t")), (tail("s"), tail("t"))),
}


@dataclass(frozen=True)
class Box2ElSettings(BoxSettings):
    """Settings of Box²EL."""

    bump_weight: float = setting(0.1, "λ: what the mean length of the bumps costs", least=0)


class Box2El(BoxModel):
    """Boxes; C ⊑ ∃R.D where C, moved by the bump of D, lies in R's head box and D, moved by that of C, in its tail box.

    Parameters: `centres`, `offsets` and `bumps` (classes, n); `head_centres`, `head_offsets`, `tail_centres`,
    `tail_offsets` (roles, n). ∃R.C ⊑ D where the head box moved back by the bump of C lies in D; role axioms are
    inclusions of head and tail boxes. Losses are squares of L, of the mean of both where there are two.
    """

    name = "box2el"
    paper = "Jackermeier, Chen, Horrocks 2024: Dual Box Embeddings for the Description Logic EL++"
    Settings = Box2ElSettings
    settings: Box2ElSettings
    positive_forms: ClassVar[tuple[str, ...]] = (
        *(*TAILED, "empty", "disjoint", "empty_existential"),
        *("subrole", "chain"),
    )
    negative_forms: ClassVar[tuple[str, ...]] = TAILED
    class_tables: ClassVar[tuple[str, ...]] = ("centres", "offsets", "bumps")
    role_tables: ClassVar[tuple[str, ...]] = ("head_centres", "head_offsets", "tail_centres", "tail_offsets")
    width_tables: ClassVar[tuple[str, ...]] = ("offsets", "head_offsets", "tail_offsets")
    inclusions: ClassVar[Mapping[str, Sequence[Term]]] = {
        **{form: tuple(inside(*pair) for pair in pairs) for form, pairs in PAIRS.items()},
        "disjoint": (overlap(C, D),),
        "empty": (vanishing(C),),
        "empty_existential": (vanishing(head("r")),),
    }

    def positive_loss(self, form: str) -> Loss:
        return Loss(common=Common()) if form == "conjunction" else mean_square(*self.inclusions[form])

    def negative_loss(self, form: str) -> Loss:
        how = self.settings.refutation
        return refuted_common(how) if form == "conjunction" else refuted(how, *PAIRS[form])

    def penalties(self) -> tuple[Penalty, ...]:
        return (Penalty("bumps", self.settings.bump_weight),)

    def _scaled_together(self) -> tuple[tuple[str, ...], ...]:
        heads, tails = self.role_tables[:2], self.role_tables[2:]
        return (("centres", "offsets"), ("bumps",), heads, tails)

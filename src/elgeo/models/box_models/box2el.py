"""`box2el`: classes as boxes with bumps, roles as a head and a tail box each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from elgeo.models.box_models.model import BoxModel, BoxSettings, Penalty
from elgeo.models.box_models.terms import Box, Pairs, Part, box, inclusions_of
from elgeo.settings import setting

C, D = box("c"), box("d")


def head(role: str) -> Box:
    """Where the classes are that have something to a role."""
    return box(role, "head_centres", "head_offsets")


def tail(role: str) -> Box:
    """Where the classes are that something is had to by a role."""
    return box(role, "tail_centres", "tail_offsets")


PAIRS: Pairs = {
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
    positive_forms = (*BoxModel.positive_forms, "subrole", "chain")
    class_tables: ClassVar[tuple[str, ...]] = ("centres", "offsets", "bumps")
    role_tables: ClassVar[tuple[str, ...]] = ("head_centres", "head_offsets", "tail_centres", "tail_offsets")
    width_tables: ClassVar[tuple[str, ...]] = ("offsets", "head_offsets", "tail_offsets")
    individuals_are_points = True
    pairs = PAIRS
    inclusions = inclusions_of(PAIRS, head("r"))
    is_interpretation = False  # whether C ⊑ ∃R.D is true hangs on the names of C and D, not on their boxes alone

    def penalties(self) -> tuple[Penalty, ...]:
        return (Penalty("bumps", self.settings.bump_weight),)

    def _scaled_together(self) -> tuple[tuple[str, ...], ...]:
        heads, tails = self.role_tables[:2], self.role_tables[2:]
        return (("centres", "offsets"), ("bumps",), heads, tails)

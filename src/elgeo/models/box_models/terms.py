"""Losses of box models as data: what each asks of the boxes in it, from which truth, scores and every engine work.

A box is a centre and a half width in each dimension. Both are sums of rows of the model's tables (`Part`): the centre
of C moved by a role is `centres[c] + roles[r]`. Two boxes are compared in each dimension by the distance Δ of their
centres and by a sum w of half widths; a term is one number made of all dimensions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple


class Part(NamedTuple):
    """± the row of a table that a column of the axiom names; half widths are taken as absolute values."""

    table: str
    column: str
    sign: int = 1

    def negated(self) -> Part:
        return self._replace(sign=-self.sign)


class Box(NamedTuple):
    """Centre and half width as sums of parts."""

    centre: tuple[Part, ...]
    width: tuple[Part, ...]

    def moved(self, *by: Part) -> Box:
        """The same box elsewhere."""
        return self._replace(centre=(*self.centre, *by))

    def spread(self, other: Box) -> Box:
        """All sums of a point of each, C ⊕ r: again a box."""
        return Box((*self.centre, *other.centre), (*self.width, *other.width))


def box(column: str, centres: str = "centres", widths: str = "offsets") -> Box:
    """The box of a class, or of a role whose tables are named."""
    return Box((Part(centres, column),), (Part(widths, column),))


Kind = Literal["clipped", "length", "deepest"]
Wanted = Literal["", "distance", "depth"]


class BoxTerm(NamedTuple):
    """A number made of x = distance · |Δ| + w + margin in each dimension.

    `clipped`: ‖relu(x)‖. `deepest`: the largest x. `length`: |‖Δ‖ − 1|, without a margin. The margin is ±γ: with the
    model's sign for the loose or the safe side where it is `sided`.
    """

    centre: tuple[Part, ...]
    width: tuple[Part, ...]
    distance: int = 1
    margin: int = 0
    sided: bool = True
    kind: Kind = "clipped"


class Group(NamedTuple):
    """What a loss is a sum of: (factor · Σ terms)², or (wanted − factor · Σ terms)² where something is wanted.

    `depth` is wanted at least (less is what costs), `distance` exactly; the deepest of several terms stands for all.
    A group that is not `squared` is the sum as it is.
    """

    terms: tuple[BoxTerm, ...]
    factor: float = 1.0
    wanted: Wanted = ""
    squared: bool = True


class Common(NamedTuple):
    """What C ⊓ D ⊑ E asks: (‖relu(l − u)‖ + ‖relu(distance · |m − e| + h + width · o_e + margin)‖)².

    l and u are the corners of the common part, m and h = |u − l| / 2 its centre and half width. `masked`: only
    dimensions count in which the common part is not empty. With `depth` the loss is ‖relu(l − u)‖² and (depth − the
    largest |m − e| + h − o_e)² where that is below depth.
    """

    distance: int = 1
    width: int = -1
    margin: int = -1
    sided: bool = True
    masked: bool = False
    depth: bool = False


class BoxLoss(NamedTuple):
    """A sum of groups, and of the term that looks at three boxes at once."""

    groups: tuple[Group, ...] = ()
    common: Common | None = None


def difference(a: Box, b: Box, signs: tuple[int, int]) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
    """Δ = centre of a − centre of b; w with the given signs of both half widths."""
    centre = (*a.centre, *(part.negated() for part in b.centre))
    width = tuple(
        part._replace(sign=part.sign * sign) for each, sign in zip((a, b), signs, strict=True) for part in each.width
    )
    return centre, width


def inside(a: Box, b: Box) -> BoxTerm:
    """L(A, B) = ‖relu(|a − b| + o_a − o_b − γ)‖: A lies in B."""
    return BoxTerm(*difference(a, b, (1, -1)), 1, -1)


def gap(a: Box, b: Box) -> BoxTerm:
    """μ(A, B) = ‖relu(|a − b| − o_a − o_b + γ)‖: how far apart they are."""
    return BoxTerm(*difference(a, b, (-1, -1)), 1, 1)


def meets(a: Box, b: Box) -> BoxTerm:
    """‖relu(|a − b| − o_a − o_b − γ)‖: they have a point in common."""
    return BoxTerm(*difference(a, b, (-1, -1)), 1, -1)


def overlap(a: Box, b: Box) -> BoxTerm:
    """ν(A, B) = ‖relu(o_a + o_b − |a − b| − γ)‖: they are apart in every dimension."""
    return BoxTerm(*difference(a, b, (1, 1)), -1, -1)


def apart(a: Box, b: Box) -> BoxTerm:
    """ν with + γ whatever the side: apart by γ at least in every dimension, as corrupted axioms ask."""
    return BoxTerm(*difference(a, b, (1, 1)), -1, 1, sided=False)


def deepest(a: Box, b: Box) -> BoxTerm:
    """The largest |a − b| + o_a − o_b: how far A is outside B where it is farthest."""
    return BoxTerm(*difference(a, b, (1, -1)), 1, 0, kind="deepest")


def vanishing(a: Box) -> BoxTerm:
    """‖o_a‖: a box without width."""
    return BoxTerm((), a.width, 0, 0)


def on_sphere(column: str) -> BoxTerm:
    """|‖c‖ − 1|."""
    return BoxTerm((Part("centres", column),), (), kind="length")


Pairs = Mapping[str, Sequence[tuple[Box, Box]]]
"""For each form the boxes of which the first has to lie in the second."""


def inclusions_of(pairs: Pairs, successors: Box) -> dict[str, tuple[BoxTerm, ...]]:
    """What the axioms of each form ask of the boxes; `successors` is empty where ∃r.C is."""
    c, d = box("c"), box("d")
    return {
        **{form: tuple(inside(*pair) for pair in some) for form, some in pairs.items()},
        "disjoint": (overlap(c, d),),
        "empty": (vanishing(c),),
        "empty_existential": (vanishing(successors),),
    }


def square(*terms: BoxTerm) -> BoxLoss:
    """(Σ terms)²."""
    return BoxLoss((Group(terms),))


def mean_square(*terms: BoxTerm) -> BoxLoss:
    """(the mean of the terms)²."""
    return BoxLoss((Group(terms, 1 / len(terms)),))


Refutation = Literal["gap", "overlap", "dimension"]


def refuted(how: Refutation, *inclusions: tuple[Box, Box]) -> BoxLoss:
    """The loss of a corrupted axiom that would say that each first box lies in its second.

    `gap`: Σ (δ − μ)². `overlap`: (mean ν)² with +γ. `dimension`: one dimension in which one of them fails by `depth`
    is enough.
    """
    if how == "gap":
        return BoxLoss(tuple(Group((gap(a, b),), wanted="distance") for a, b in inclusions))
    if how == "overlap":
        return mean_square(*(apart(a, b) for a, b in inclusions))
    return BoxLoss((Group(tuple(deepest(a, b) for a, b in inclusions), wanted="depth"),))


def refuted_common(how: Refutation) -> BoxLoss:
    """The loss of C ⊓ D ⋢ E: the common part is not empty, and apart from E (or outside it in one dimension)."""
    if how == "dimension":
        return BoxLoss(common=Common(margin=0, depth=True))
    return BoxLoss(common=Common(distance=-1, width=1, margin=1, sided=False))

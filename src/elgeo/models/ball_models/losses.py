"""The losses of the ball model as data: what each normal form asks of the balls in it, from which every engine works.

A class is a ball with centre f(c) and radius r_c = |ρ_c|, a role a translation f(R). Every loss is a sum of terms
l(± ‖f(a) ± f(R) − f(b)‖ ± r_a ± r_b ± γ) and of one reg(f(c)) for each class column of the axiom. l is ReLU or
LeakyReLU; reg(x) is |‖x‖ − R| (strict) or max(0, ‖x‖ − R) (relaxed).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from elgeo.errors import SettingError
from elgeo.ontology.normal_forms import FORMS


class BallTerm(NamedTuple):
    """l(distance · ‖f(first) + translation · f(role) − f(second)‖ + radii · (r_first, r_second) + margin · γ).

    `first` and `second` are columns of the form; the role, where there is a translation, is its column `r`.
    """

    first: str
    second: str
    translation: int
    distance: int
    radii: tuple[int, int]
    margin: int


class BallLoss(NamedTuple):
    """The terms of a form's loss, and whether the centres in it are regularised."""

    terms: tuple[BallTerm, ...]
    regularised: bool = True
    common_part: bool = False
    """Whether there is one more term, which looks at three balls at once; see `lens.py`."""


def inside(a: str, b: str, shift: int = 0) -> BallTerm:
    """l(‖a + shift·R − b‖ + r_a − r_b − γ): the translated ball a lies in b."""
    return BallTerm(a, b, shift, 1, (1, -1), -1)


def meets(a: str, b: str, shift: int = 0) -> BallTerm:
    """l(‖a + shift·R − b‖ − r_a − r_b − γ): the translated ball a and b have a point in common."""
    return BallTerm(a, b, shift, 1, (-1, -1), -1)


def apart(a: str, b: str, shift: int = 0) -> BallTerm:
    """l(r_a + r_b − ‖a + shift·R − b‖ + γ): the translated ball a and b have no point in common."""
    return BallTerm(a, b, shift, -1, (1, 1), 1)


def around(a: str, b: str) -> BallTerm:
    """l(‖a − b‖ − r_a − γ): the ball a has the centre of b in it."""
    return BallTerm(a, b, 0, 1, (-1, 0), -1)


def beside(a: str, b: str) -> BallTerm:
    """l(r_a − ‖a − b‖ + γ): the ball a has the centre of b outside."""
    return BallTerm(a, b, 0, -1, (1, 0), 1)


def vanishes(a: str) -> BallTerm:
    """r_a, which is l(r_a) since radii are not negative: the ball a is a point."""
    return BallTerm(a, a, 0, 0, (1, 0), 0)


def subclass() -> BallLoss:
    """C ⊑ D (GCI0): l(‖c−d‖ + r_c − r_d − γ) + reg of c, d."""
    return BallLoss((inside("c", "d"),))


def conjunction() -> BallLoss:
    """C ⊓ D ⊑ E (GCI1): l(‖c−d‖ − r_c − r_d − γ) + l(‖c−e‖ − r_c − γ) + l(‖d−e‖ − r_d − γ) + reg of c, d, e."""
    return BallLoss((meets("c", "d"), around("c", "e"), around("d", "e")))


def conjunction_inclusion() -> BallLoss:
    """C ⊓ D ⊑ E so that zero means truth: `conjunction` + l(‖m−e‖ + h − r_e − γ).

    m and h are centre and radius of the smallest ball around what c and d have in common; 0 if that is nothing.
    """
    return BallLoss(conjunction().terms, common_part=True)


def existential() -> BallLoss:
    """C ⊑ ∃R.D (GCI2): l(‖c+R−d‖ + r_c − r_d − γ) + reg of c, d."""
    return BallLoss((inside("c", "d", 1),))


def left_existential_overlap() -> BallLoss:
    """∃R.C ⊑ D (GCI3) as in the conference paper: l(‖c−R−d‖ − r_c − r_d − γ) + reg of c, d."""
    return BallLoss((meets("c", "d", -1),))


def left_existential_inclusion() -> BallLoss:
    """∃R.C ⊑ D (GCI3) so that zero means truth: l(‖c−R−d‖ + r_c − r_d − γ) + reg of c, d."""
    return BallLoss((inside("c", "d", -1),))


def empty() -> BallLoss:
    """C ⊑ ⊥ (GCI0-BOT) and ∃R.C ⊑ ⊥ (GCI3-BOT): r_c."""
    return BallLoss((vanishes("c"),), regularised=False)


def disjoint() -> BallLoss:
    """C ⊓ D ⊑ ⊥ (GCI1-BOT): l(r_c + r_d − ‖c−d‖ + γ) + reg of c, d."""
    return BallLoss((apart("c", "d"),))


def not_subclass() -> BallLoss:
    """C ⋢ D: l(r_c + r_d − ‖c−d‖ + γ) + reg of c, d."""
    return BallLoss((apart("c", "d"),))


def not_conjunction() -> BallLoss:
    """C ⊓ D ⋢ E: l(‖c−d‖ − r_c − r_d − γ) + l(r_c − ‖c−e‖ + γ) + l(r_d − ‖d−e‖ + γ) + reg of c, d, e."""
    return BallLoss((meets("c", "d"), beside("c", "e"), beside("d", "e")))


def not_existential() -> BallLoss:
    """C ⋢ ∃R.D: l(r_c + r_d − ‖c+R−d‖ + γ) + reg of c, d."""
    return BallLoss((apart("c", "d", 1),))


def not_left_existential() -> BallLoss:
    """∃R.C ⋢ D: l(r_c + r_d − ‖c−R−d‖ + γ) + reg of c, d."""
    return BallLoss((apart("c", "d", -1),))


POSITIVE = {
    "subclass": subclass(),
    "conjunction": conjunction(),
    "existential": existential(),
    "left_existential": left_existential_overlap(),
    "empty": empty(),
    "disjoint": disjoint(),
    "empty_existential": empty(),
}
NEGATIVE = {
    "subclass": not_subclass(),
    "conjunction": not_conjunction(),
    "existential": not_existential(),
    "left_existential": not_left_existential(),
}


INCLUSION = {"conjunction": conjunction_inclusion(), "left_existential": left_existential_inclusion()}


def loss_of(form: str, negative: bool, inclusions: Collection[str] = ()) -> BallLoss:
    """The loss of a form; `inclusions` are those forms whose positive loss is to be zero only where they are true."""
    table = NEGATIVE if negative else POSITIVE
    if not negative and form in inclusions and form in INCLUSION:
        return INCLUSION[form]
    if form not in table:
        raise SettingError(
            f"balls have no {'negative ' if negative else ''}loss for {form!r}; there are {', '.join(table)}"
        )
    return table[form]


def class_columns(form: str) -> tuple[str, ...]:
    """The columns of a form that hold classes."""
    shape = FORMS[form]
    return tuple(shape.columns[i] for i in shape.class_columns)

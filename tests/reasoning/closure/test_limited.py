"""What EL++ cannot say rules axioms out: beside all types of elements that can exist, and by hand."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from elgeo.ontology import normalise
from elgeo.reasoning import Reasoner
from elgeo.reasoning.closure.base import Closure
from elgeo.reasoning.questions.answers import CONTRADICTS, NOT_ENTAILED
from tests.ontology.small import iri, small
from tests.reasoning.types_of_elements import Axiom, Names, Ontology

NAMES, ROLES = "ABCDE", ("r", "s", "t")


def random_ontology(seed: int) -> Ontology:
    """With few names, so that much of it meets; r below s in half of them, and at most one functional role."""
    generator = np.random.default_rng(seed)

    def some(most: int, least: int = 1) -> Names:
        return frozenset(generator.choice(list(NAMES), int(generator.integers(least, most + 1)), replace=False))

    def role() -> str:
        return str(generator.choice(ROLES))

    axioms = [Axiom(some(1), some(1)) for _ in range(generator.integers(1, 4))]
    axioms += [Axiom(some(2, 2), frozenset()) for _ in range(generator.integers(3, 8))]
    axioms += [Axiom(some(1), some(1), some=role()) for _ in range(generator.integers(1, 5))]
    axioms += [Axiom(some(1), some(3), only=role()) for _ in range(generator.integers(1, 4))]
    axioms += [Axiom(some(1), some(3, 2)) for _ in range(generator.integers(2))]
    axioms += [Axiom(frozenset(), some(2), has=role()) for _ in range(generator.integers(2))]
    axioms += [Axiom(frozenset(), some(1), has=role(), filler=str(generator.choice(list(NAMES))))]
    above = {name: frozenset((name,)) for name in ROLES} | ({"r": frozenset("rs")} if generator.random() < 0.5 else {})
    functional = frozenset(generator.choice(ROLES, int(generator.integers(2)), replace=False))
    return Ontology(tuple(axioms), above, functional)


def exists(ontology: Ontology, name: str) -> bool:
    return any(name in kind for kind in ontology.possible(NAMES))


def candidates() -> list[Axiom]:
    pairs = [(c, d) for c, d in product(NAMES, NAMES) if c != d]
    found = [Axiom(frozenset(c), frozenset(d)) for c, d in pairs]
    return found + [Axiom(frozenset(c), frozenset(d), some=r) for c, d in pairs for r in ROLES]


def asked(closure: Closure, axiom: Axiom) -> bool:
    words = closure.forms.vocabulary
    (left,), (right,) = (list(part) for part in (axiom.left, axiom.right))
    known = {*words.classes, *words.roles, iri("")}
    if not {iri(left), iri(right), iri(axiom.some)} <= known:
        return False
    c, d = (words.class_id(iri(name)) for name in (left, right))
    if axiom.some:
        return bool(closure.contradicts("existential", [[c, words.role_id(iri(axiom.some)), d]])[0])
    return bool(closure.contradicts("subclass", [[c, d]])[0])


def sayable(ontology: Ontology) -> Ontology:
    """What EL++ can say of it."""
    axioms = tuple(axiom for axiom in ontology.axioms if not axiom.only and len(axiom.right) < 2)
    return ontology._replace(axioms=axioms, functional=frozenset())


def by_the_rule(ontology: Ontology, types: set[Names], axiom: Axiom) -> bool:
    """C ⊑ ∃R.D where all of C is in ∀S.(A ⊔ …), R is below S and D has nothing in common with any A, by these types."""
    (c,), (d,) = axiom.left, axiom.right
    return any(
        limit.only in ontology.above.get(axiom.some, ())
        and all(limit.left <= kind for kind in types if c in kind)
        and not any(d in kind and limit.right & kind for kind in types)
        for limit in ontology.axioms
        if limit.only
    )


@pytest.mark.slow
def test_what_is_ruled_out_has_no_model_and_the_plain_rule_is_kept() -> None:
    ruled_out = 0
    for seed in (4, 5, 19, 21, 23):
        ontology = random_ontology(seed)
        closure = Reasoner(small(ontology.text())).closure()
        plain = Reasoner(small(sayable(ontology).text())).closure()
        types, now = sayable(ontology).possible(NAMES), ontology.possible(NAMES)
        for axiom in candidates():
            (head,) = axiom.left
            if asked(closure, axiom):
                assert not exists(ontology.plus(axiom), head), axiom.text()
                ruled_out += not asked(plain, axiom)
            elif any(head in kind for kind in now):
                assert not by_the_rule(ontology, types, axiom), axiom.text()
    assert ruled_out > 50


PIZZA = """
    SubClassOf(Mozzarella Topping) SubClassOf(Tomato Topping) SubClassOf(Olive Topping) SubClassOf(Cherry Tomato)
    SubClassOf(Sauce Topping) DisjointClasses(Mozzarella Tomato Olive) SubObjectPropertyOf(topping ingredient)
    SubClassOf(Margherita ObjectIntersectionOf(Pizza ObjectIntersectionOf(
        ObjectSomeValuesFrom(topping Tomato) ObjectAllValuesFrom(topping ObjectUnionOf(Mozzarella Tomato)))))
    SubClassOf(Small Margherita) SubClassOf(Olivetta ObjectSomeValuesFrom(topping Olive))
    EquivalentClasses(Bare ObjectIntersectionOf(Pizza ObjectAllValuesFrom(ingredient Nothing)))
    EquivalentClasses(Red ObjectIntersectionOf(Pizza
        ObjectAllValuesFrom(ingredient ObjectIntersectionOf(Tomato Topping))))
    SubClassOf(Plain ObjectMaxCardinality(1 topping)) SubClassOf(Plain ObjectSomeValuesFrom(topping Tomato))
    SubClassOf(Single ObjectExactCardinality(1 topping Olive)) SubClassOf(Single ObjectSomeValuesFrom(topping Green))
    SubClassOf(Green Olive) SubClassOf(Black Olive) DisjointClasses(Green Black)
    SubClassOf(Half ObjectAllValuesFrom(topping ObjectUnionOf(Mozzarella ObjectSomeValuesFrom(topping Tomato))))
    ObjectPropertyDomain(baked ObjectUnionOf(Pizza Bread)) DisjointClasses(Pizza Topping) DisjointClasses(Bread Topping)
    ObjectPropertyRange(baked ObjectUnionOf(Hot Warm)) DisjointClasses(Hot Cold) DisjointClasses(Warm Cold)
    EquivalentClasses(Temperature ObjectUnionOf(Hot Warm Cold)) DisjointClasses(Temperature Pizza)
    SubClassOf(Lukewarm Temperature) DisjointClasses(Lukewarm Cold)
    FunctionalObjectProperty(heat) SubObjectPropertyOf(oven heat) SubClassOf(Fresh ObjectSomeValuesFrom(oven Hot))
    SubClassOf(Frozen Pizza) SubClassOf(Kiosk Shop) ObjectPropertyRange(chills ObjectSomeValuesFrom(oven Cold))
    SubClassOf(Mirror ObjectHasSelf(shows)) SubClassOf(Mirror ObjectMaxCardinality(1 shows Glass))
    SubClassOf(Mirror Glass) SubClassOf(Picture Glass) DisjointClasses(Mirror Picture)
"""


@pytest.mark.parametrize(
    ("row", "limit"),
    [
        (("Margherita", "topping", "Olive"), "Margherita ⊑ ∀topping.(Mozzarella ⊔ Tomato)"),
        (("Small", "topping", "Olive"), "Margherita ⊑ ∀topping.(Mozzarella ⊔ Tomato)"),
        (("Margherita", "topping", "Cherry"), ""),
        (("Margherita", "topping", "Sauce"), ""),
        (("Margherita", "ingredient", "Olive"), ""),
        (("Margherita", "Olivetta"), "Margherita ⊑ ∀topping.(Mozzarella ⊔ Tomato)"),
        (("Olivetta", "Small"), "Margherita ⊑ ∀topping.(Mozzarella ⊔ Tomato)"),
        (("Red", "topping", "Olive"), "Red ⊑ ∀ingredient.Tomato"),
        (("Plain", "topping", "Olive"), "Plain ⊑ ≤1 topping"),
        (("Plain", "topping", "Cherry"), ""),
        (("Plain", "ingredient", "Olive"), ""),
        (("Single", "topping", "Black"), "Single ⊑ ≤1 topping.Olive"),
        (("Single", "topping", "Mozzarella"), ""),
        (("Half", "topping", "Olive"), ""),
        (("Sauce", "baked", "Topping"), "∃baked.⊤ ⊑ Pizza ⊔ Bread"),
        (("Frozen", "baked", "Cold"), "⊤ ⊑ ∀baked.(Hot ⊔ Warm)"),
        (("Frozen", "baked", "Lukewarm"), ""),
        (("Fresh", "oven", "Cold"), "⊤ ⊑ ≤1 heat"),
        (("Fresh", "heat", "Cold"), "⊤ ⊑ ≤1 heat"),
        (("Fresh", "heat", "Warm"), ""),
        (("Kiosk", "chills", "Fresh"), "⊤ ⊑ ≤1 heat"),
        (("Kiosk", "chills", "Frozen"), ""),
        (("Mirror", "shows", "Picture"), "Mirror ⊑ ≤1 shows.Glass"),
        (("Mirror", "shows", "Shop"), ""),
    ],
)
def test_by_hand(row: tuple[str, ...], limit: str) -> None:
    closure = Reasoner(normalise(small(PIZZA))).closure()
    words = closure.forms.vocabulary
    ids = [(words.role_id if i == 1 and len(row) == 3 else words.class_id)(iri(name)) for i, name in enumerate(row)]
    form = "existential" if len(row) == 3 else "subclass"
    (number,) = closure.limits_broken(form, [ids])
    assert (closure.forms.limits[number].text(words, ids[0]) if number >= 0 else "") == limit
    assert closure.contradicts(form, [ids])[0] == bool(limit)


@pytest.mark.parametrize(
    ("asked", "limit"),
    [
        ("Shop SubClassOf lists some (Margherita and Olivetta)", "Margherita ⊑ ∀topping.(Mozzarella ⊔ Tomato)"),
        ("Shop SubClassOf lists some (lists some (Plain and topping some Olive))", "Plain ⊑ ≤1 topping"),
        ("Shop SubClassOf lists some (Margherita and ingredient some (Fresh and oven some Cold))", "⊤ ⊑ ≤1 heat"),
        ("Shop SubClassOf lists some (Margherita and topping some Sauce)", ""),
        # what is on the left cannot be in any case
        ("(lists some Wrong) SubClassOf Kiosk", ""),
        ("(lists some (lists some Wrong)) SubClassOf Kiosk", ""),
        ("Shop SubClassOf lists some (lists some Wrong)", "Margherita ⊑ ∀topping.(Mozzarella ⊔ Tomato)"),
        ("(Shop and lists some (Plain and topping some Olive)) SubClassOf Kiosk", ""),
    ],
)
def test_what_breaks_a_limit_inside_of_an_expression_takes_the_whole_with_it(asked: str, limit: str) -> None:
    more = """SubClassOf(Shop ObjectSomeValuesFrom(lists Thing))
        SubClassOf(Wrong Margherita) SubClassOf(Wrong ObjectSomeValuesFrom(topping Green))"""
    answers = Reasoner(normalise(small(PIZZA + more))).answers
    question = answers.question(asked)
    assert answers.limit_broken(question) == limit
    assert answers.verdict(question) == (CONTRADICTS if limit else NOT_ENTAILED)


def test_what_is_impossible_already_contradicts_nothing_and_takes_others_with_it() -> None:
    text = (
        PIZZA
        + """
        SubClassOf(Wrong Margherita) SubClassOf(Wrong ObjectSomeValuesFrom(topping Green))
        SubClassOf(Menu ObjectSomeValuesFrom(lists Wrong)) SubClassOf(Menus ObjectSomeValuesFrom(lists Menu))
        SubClassOf(Empty Cold) SubClassOf(Empty Pizza) SubClassOf(Cold Temperature) SubClassOf(Kiosk Pizza)
    """
    )
    closure = Reasoner(small(text)).closure()
    words = closure.forms.vocabulary
    names = [words.classes[c].removeprefix(iri("")) for c in np.flatnonzero(closure.impossible_by_limits >= 0).tolist()]
    assert sorted(name for name in names if "(" not in name) == ["Menu", "Menus", "Wrong"]
    wrong, olive, kiosk = (words.class_id(iri(name)) for name in ("Wrong", "Olive", "Kiosk"))
    topping, lists = (words.role_id(iri(name)) for name in ("topping", "lists"))
    assert not closure.contradicts("existential", [[wrong, topping, olive]])[0]
    assert closure.contradicts("existential", [[kiosk, lists, wrong], [kiosk, lists, olive]]).tolist() == [True, False]

"""Transitive roles whose links are composed from the left only: the same is derived as without that, with less work."""

from __future__ import annotations

import random

import numpy as np
import pytest

from elgeo.ontology import normalise
from elgeo.ontology.expressions import Op
from elgeo.ontology.model import Builder, Ontology
from elgeo.reasoning.saturation import roles as module
from elgeo.reasoning.saturation.incremental import extend
from elgeo.reasoning.saturation.memory import IMPLIED
from elgeo.reasoning.saturation.saturate import Saturation, saturate

ROLES, CLASSES = "rstuv", [f"C{i}" for i in range(9)]


def random_ontology(seed: int, more: int = 0) -> Ontology:
    """Links, sometimes in rings, under transitive roles, chains and inclusions; `more` axioms about classes last."""
    chance, b = random.Random(seed), Builder()
    role = {name: b.entity(Op.ObjectProperty, f"http://e/{name}") for name in ROLES}
    cls = {name: b.entity(Op.Class, f"http://e/{name}") for name in CLASSES}
    for name in chance.sample(ROLES, chance.randint(1, 3)):
        b.axiom(Op.TransitiveObjectProperty, role[name])
    for _ in range(chance.randint(0, 3)):
        low, high = chance.sample(ROLES, 2)
        b.axiom(Op.SubObjectPropertyOf, role[low], role[high])
    for _ in range(chance.randint(0, 3)):
        chain = b.node(Op.ObjectPropertyChain, *(role[chance.choice(ROLES)] for _ in range(2)))
        b.axiom(Op.SubObjectPropertyOf, chain, role[chance.choice(ROLES)])
    if chance.random() < 0.2:
        b.axiom(Op.ReflexiveObjectProperty, role[chance.choice(ROLES)])

    def some() -> int:
        return b.node(Op.ObjectSomeValuesFrom, role[chance.choice(ROLES)], cls[chance.choice(CLASSES)])

    for _ in range(14 + more):
        sides = [cls[chance.choice(CLASSES)], some()]
        if chance.random() < 0.3:
            sides = sides[::-1]
        b.axiom(Op.SubClassOf, *sides)
    return b.finish()


def same(one: Saturation, other: Saturation) -> None:
    names = [other.forms.vocabulary.class_id(f"http://e/{name}") for name in CLASSES]
    for mine, theirs in zip([one.forms.vocabulary.class_id(f"http://e/{n}") for n in CLASSES], names, strict=True):
        np.testing.assert_array_equal(one.subsumers_of(mine), other.subsumers_of(theirs))
        for x, s in ((mine, one), (theirs, other)):
            assert s.link_roles[s.link_start[x] : s.link_start[x + 1]].max(initial=0) < s.forms.vocabulary.n_roles
        links = []
        for x, s in ((mine, one), (theirs, other)):
            low, high = s.link_start[x], s.link_start[x + 1]
            links.append(list(zip(s.link_roles[low:high].tolist(), s.link_targets[low:high].tolist(), strict=True)))
        assert sorted(links[0]) == sorted(links[1])


@pytest.mark.parametrize("seed", range(60))
def test_the_same_is_derived(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    forms = normalise(random_ontology(seed))
    fast = saturate(forms)
    monkeypatch.setattr(module, "_linear", lambda chains, below: np.empty(0, np.int32))
    same(fast, saturate(forms))


@pytest.mark.slow
def test_some_are_linear_and_some_are_not() -> None:
    counts = [len(module.RoleBox.of(normalise(random_ontology(seed))).linear) for seed in range(60)]
    assert {0, 1, 2} <= set(counts)


R, S, T = 1, 2, 3


@pytest.mark.parametrize(
    ("chains", "inclusions", "linear"),
    [
        ([(R, R, R)], [], [R]),
        ([(R, S, T)], [], []),
        ([(R, R, T), (R, T, T)], [], []),  # begins with itself twice, and is not transitive
        ([(R, T, R), (T, R, R)], [], []),
        ([(R, R, R), (S, S, T)], [], [R]),  # begins with another role
        ([(R, R, R), (R, S, T)], [], []),  # X is not told of ∃t.W by Z
        ([(R, R, R), (R, S, T), (R, T, T)], [], [R]),
        ([(R, R, R), (R, S, T), (R, T, S)], [(S, T)], [R]),  # r ∘ t ⊑ s ⊑ t
        ([(R, R, R), (R, S, T), (R, T, S)], [(T, S)], [R]),  # r ∘ s ⊑ t, and t ⊑ s
        ([(R, R, R), (R, S, T), (S, T, T)], [], []),
        ([(R, R, R), (T, S, T)], [(R, T)], []),  # ∃r.Y is ∃t.Y too, which begins a chain
        ([(R, R, R), (T, S, T)], [(T, R)], [R]),
        ([(T, T, T), (R, R, R), (R, R, R)], [], [R, T]),
    ],
)
def test_which_roles_are_linear(
    chains: list[tuple[int, int, int]], inclusions: list[tuple[int, int]], linear: list[int]
) -> None:
    below = np.eye(4, dtype=np.uint8)
    for low, high in inclusions:
        below[low, high] = 1
    assert module._linear(np.array(chains, np.int32), below).tolist() == linear


@pytest.mark.parametrize("seed", range(30))
def test_of_roles_that_a_chain_is_in_only_the_smallest_are_needed(seed: int) -> None:
    """Each of them is above one that is kept, none is kept beside one below it, and of equal ones one is kept."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 9))
    below = np.eye(n, dtype=np.uint8) | (rng.random((n, n)) < rng.choice([0.05, 0.2, 0.4])).astype(np.uint8)
    for middle in range(n):
        below |= below[:, middle, None] & below[None, middle]
    roles = np.flatnonzero(rng.random(n) < 0.7).tolist()
    kept = module._smallest(roles, below)
    assert set(kept) <= set(roles)
    assert all(any(below[s, t] for s in kept) for t in roles)
    assert not any(below[s, t] for s in kept for t in kept if s != t)


@pytest.mark.parametrize("seed", range(20))
def test_further_axioms(seed: int) -> None:
    before, after = (normalise(random_ontology(seed, more)) for more in (0, 5))
    same(extend(saturate(before), after), saturate(after))


def test_a_new_role_gives_the_kernel_new_numbers() -> None:
    builder = Builder.resume(random_ontology(3))
    new = builder.entity(Op.ObjectProperty, "http://e/new")
    left, right = (builder.entity(Op.Class, f"http://e/{name}") for name in ("C1", "C2"))
    builder.axiom(Op.SubClassOf, left, builder.node(Op.ObjectSomeValuesFrom, new, right))
    after = normalise(builder.finish())
    before = saturate(normalise(random_ontology(3)))
    assert len(before.completion.roles.linear)
    same(extend(before, after), saturate(after))


def test_a_ring_costs_no_more_than_its_links() -> None:
    n, b = 40, Builder()
    r = b.entity(Op.ObjectProperty, "http://e/r")
    b.axiom(Op.TransitiveObjectProperty, r)
    classes = [b.entity(Op.Class, f"http://e/C{i}") for i in range(n)]
    for i in range(n):
        b.axiom(Op.SubClassOf, classes[i], b.node(Op.ObjectSomeValuesFrom, r, classes[(i + 1) % n]))
    saturation = saturate(normalise(b.finish()))
    state = saturation.completion.state
    assert np.diff(saturation.link_start)[2:].tolist() == [n] * n
    assert int(state.link_rows[: state.n_links, IMPLIED + 1].sum()) <= 2 * n * n

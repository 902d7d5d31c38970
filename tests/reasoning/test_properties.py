"""What holds of any reasoner: order, names and strangers change nothing, and more axioms entail more."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from elgeo.ontology.expressions import Op
from elgeo.ontology.normalisation.normalise import normalise
from elgeo.reasoning.questions.answers import CONTRADICTS, ENTAILED, Answers
from elgeo.reasoning.questions.question import Question
from elgeo.reasoning.saturation.saturate import saturate
from tests.reasoning.random_ontology import BASE, CLASSES, INDIVIDUALS, ROLES, Writer, axioms, expressions, written

SUB, SOME = Op.SubClassOf, Op.ObjectSomeValuesFrom
QUESTIONS = [
    *((SUB, c, d) for c in CLASSES[:4] for d in (*CLASSES[:4], "⊥")),
    *((SUB, c, (SOME, r, d)) for c in CLASSES[:3] for r in ROLES[:2] for d in CLASSES[:3]),
    *((SUB, (SOME, "r", c), d) for c in CLASSES[:3] for d in CLASSES[:3]),
    (SUB, "⊤", "⊥"),
]
told = st.lists(axioms(), max_size=7)


def answers(trees: list[Any], questions: list[Any]) -> list[bool]:
    decided = Answers(saturate(normalise(written(trees))))
    found = []
    for tree in questions:
        writer = Writer()
        node = writer.axiom(tree)
        found.append(decided.entails(Question(writer.builder.finish(), node)))
    return found


def renamed(tree: Any, names: dict[str, str]) -> Any:
    return names.get(tree, tree) if isinstance(tree, str) else (tree[0], *(renamed(each, names) for each in tree[1:]))


@pytest.mark.slow
@given(told, st.randoms(use_true_random=False))
@settings(max_examples=15)
def test_order_changes_nothing(trees: list[Any], random: Any) -> None:
    shuffled = random.sample(trees, len(trees))
    assert answers(trees, QUESTIONS) == answers(shuffled + trees[:1], QUESTIONS)


@pytest.mark.slow
@given(told, st.permutations(CLASSES), st.permutations(ROLES), st.permutations(INDIVIDUALS))
@settings(max_examples=15)
def test_names_change_nothing(trees: list[Any], classes: list[str], roles: list[str], individuals: list[str]) -> None:
    names = dict(zip(CLASSES + ROLES + INDIVIDUALS, classes + roles + individuals, strict=True))
    there = answers(trees, QUESTIONS)
    back = answers([renamed(tree, names) for tree in trees], [renamed(tree, names) for tree in QUESTIONS])
    assert there == back


@pytest.mark.slow
@given(told, st.lists(axioms(nominals=False), max_size=4))
@settings(max_examples=15)
def test_strangers_change_nothing(trees: list[Any], others: list[Any]) -> None:
    strangers = {name: f"stranger {name}" for name in CLASSES} | {"r": "t", "s": "t"}
    plain = [tree for tree in trees if "'t'" not in repr(tree)]
    unrelated = [
        renamed(tree, strangers)
        for tree in others
        # what speaks of everything is not unrelated
        if tree[0] == SUB and "⊤" not in repr(tree) and isinstance(tree[1], str)
    ]
    assert answers(plain, QUESTIONS) == answers([*unrelated, *plain], QUESTIONS)


@pytest.mark.slow
@given(told, st.lists(axioms(), min_size=1, max_size=3))
@settings(max_examples=15)
def test_more_axioms_entail_more(trees: list[Any], more: list[Any]) -> None:
    before, after = answers(trees, QUESTIONS), answers([*more[:1], *trees, *more[1:]], QUESTIONS)
    assert all(late for early, late in zip(before, after, strict=True) if early)


@pytest.mark.slow
@given(st.lists(axioms(nominals=False), max_size=6), expressions(nominals=False), expressions(nominals=False))
@settings(max_examples=25)
def test_what_is_added_is_entailed_and_what_contradicts_empties_its_left_side(
    trees: list[Any], left: Any, right: Any
) -> None:
    writer = Writer()
    node = writer.axiom((SUB, left, right))
    question = Question(writer.builder.finish(), node)
    verdict = Answers(saturate(normalise(written(trees)))).verdict(question)
    added = [*trees, (SUB, left, right)]
    assert answers(added, [(SUB, left, right)]) == [True]
    emptied = answers(trees, [(SUB, left, "⊥")]), answers(added, [(SUB, left, "⊥")])
    assert (verdict == CONTRADICTS) == (emptied == ([False], [True]))
    if verdict == ENTAILED:
        assert answers(trees, QUESTIONS) == answers(added, QUESTIONS)
    assert BASE in question.text

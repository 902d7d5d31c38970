"""Questions at the edges: numbers of successors, names nobody knows, ids at the ends, axioms added early."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from elgeo.errors import SettingError
from elgeo.ontology import read
from elgeo.ontology.normalisation.normalise import normalise
from elgeo.reasoning.questions.answers import CONTRADICTS, ENTAILED, NOT_ENTAILED
from elgeo.reasoning.questions.drafts import Draft, Drafts
from elgeo.reasoning.questions.expression_queries import ExpressionQuery
from elgeo.reasoning.questions.role_queries import chains_entailed
from elgeo.reasoning.questions.row_text import row_text
from elgeo.reasoning.reasoner import Reasoner
from elgeo.reasoning.saturation.saturate import saturate
from elgeo.reasoning.taxonomy.listing import asserted_lines
from elgeo.reasoning.taxonomy.taxonomy import taxonomy
from tests.reasoning.brute import make_forms, vocabulary

E = "http://example.org/"
TEXT = """Prefix(:=<http://example.org/>)
Ontology(<http://example.org/o>
SubClassOf(:A ObjectSomeValuesFrom(:r :B))
SubClassOf(:B :C)
SubClassOf(ObjectIntersectionOf(:F ObjectSomeValuesFrom(:r :C)) owl:Nothing)
EquivalentClasses(:C :D :G)
EquivalentClasses(:H ObjectIntersectionOf(:A :F))
SubClassOf(ObjectSomeValuesFrom(:r :C) :K)
SubObjectPropertyOf(owl:topObjectProperty :everywhere)
ClassAssertion(:A :a)
)
"""


@pytest.fixture(scope="module")
def reasoner(tmp_path_factory: pytest.TempPathFactory) -> Reasoner:
    path: Path = tmp_path_factory.mktemp("corner") / "o.ofn"
    path.write_text(TEXT, encoding="utf-8")
    return Reasoner(normalise(read(path)))


@pytest.mark.parametrize(
    ("axiom", "expected"),
    [
        ("SubClassOf(:A ObjectMinCardinality(1 :r :C))", ENTAILED),
        ("SubClassOf(:A ObjectMinCardinality(1 :r))", ENTAILED),
        ("SubClassOf(:A ObjectMinCardinality(1 :r :F))", NOT_ENTAILED),
        ("SubClassOf(:B ObjectMinCardinality(1 :r))", NOT_ENTAILED),
        ("SubClassOf(:B ObjectMinCardinality(0 :r :C))", ENTAILED),
        ("SubClassOf(:F ObjectMaxCardinality(0 :r :C))", ENTAILED),
        ("SubClassOf(:F ObjectExactCardinality(0 :r :B))", ENTAILED),
        ("SubClassOf(:F ObjectMaxCardinality(0 :r))", NOT_ENTAILED),
        ("SubClassOf(:A ObjectMaxCardinality(0 :r))", CONTRADICTS),
        ("SubClassOf(:A ObjectMinCardinality(2 :r :C))", NOT_ENTAILED),
        ("SubClassOf(:A ObjectMaxCardinality(1 :r :C))", NOT_ENTAILED),
        ("SubClassOf(<http://new/X> <http://new/X>)", ENTAILED),
        ("SubClassOf(ObjectIntersectionOf(<http://new/X> :B) <http://new/X>)", ENTAILED),
        ("SubClassOf(<http://new/X> <http://new/Y>)", NOT_ENTAILED),
        ("SubClassOf(<http://new/X> :A)", NOT_ENTAILED),
        ("ReflexiveObjectProperty(:everywhere)", ENTAILED),
        ("ReflexiveObjectProperty(:r)", NOT_ENTAILED),
    ],
)
def test_numbers_and_names(reasoner: Reasoner, axiom: str, expected: str) -> None:
    assert reasoner.verdict(axiom) == expected


def test_what_is_reflexive_because_it_is_universal_is_explained(reasoner: Reasoner) -> None:
    proof = reasoner.explain("ReflexiveObjectProperty(:everywhere)")
    assert "topObjectProperty" in str(proof)


def test_proofs_name_the_axioms_they_rest_on_and_no_normal_forms(reasoner: Reasoner) -> None:
    proof = reasoner.explain("SubClassOf(:A :K)")
    text = str(proof)
    assert "normal form" not in text
    leaves = [step for step in proof.root.walk() if not step.premises]
    assert leaves
    for step in proof.root.walk():
        written = step.to_dict()
        assert ("axiom" in written) == (step.axiom is not None)
        assert ("premises" in written) == bool(step.premises)
    told = {step.text for step in proof.root.walk() if step.axiom is not None}
    assert len(told) == 3


def test_only_axioms_between_names_are_asserted_lines(reasoner: Reasoner) -> None:
    alike = [(a, b) for a in "CDG" for b in "CDG"]
    assert asserted_lines(reasoner.saturation) == {
        f"{E}{a}\t{E}{b}\n".encode() for a, b in [("B", "C"), ("H", "H"), *alike]
    }


def test_axioms_may_be_added_before_and_after_a_question(tmp_path: Path) -> None:
    path = tmp_path / "o.ofn"
    path.write_text(TEXT, encoding="utf-8")
    reasoner = Reasoner(normalise(read(path)))
    reasoner.add(["SubClassOf(:D <http://example.org/M>)"])
    assert reasoner.entails("B SubClassOf M")
    reasoner.add(["SubClassOf(:M <http://example.org/N>)"])
    assert reasoner.entails("B SubClassOf N")
    assert not reasoner.entails("N SubClassOf B")


def test_ids_at_the_ends_have_their_text_and_no_others() -> None:
    words = vocabulary(2, 1, 0, 3)
    assert row_text("subclass", [2, 0], words) == f"SubClassOf(<{E}C2> <http://www.w3.org/2002/07/owl#Thing>)"
    top = "<http://www.w3.org/2002/07/owl#topObjectProperty>"
    some = f"ObjectSomeValuesFrom({top} <{E}C3>)"
    assert row_text("existential", [4, 0, 3], words) == f"SubClassOf(ObjectOneOf(<{E}a4>) {some})"
    assert row_text("existential", [4, 2, 3], words).count(f"<{E}r2>") == 1
    for row, what in (([5, 0], "class with the id 5"), ([2, -1], "class with the id -1")):
        with pytest.raises(SettingError, match=what):
            row_text("subclass", row, words)
    for role in (3, -1):
        with pytest.raises(SettingError, match=f"role with the id {role}"):
            row_text("existential", [2, role, 3], words)
    with pytest.raises(SettingError, match="has 2 ids"):
        row_text("subclass", [2, 3, 4], words)


def test_the_first_draft_and_the_last_class_are_told_apart() -> None:
    """The number of the first draft is one more than the last class's."""
    saturation = saturate(
        make_forms(vocabulary(3, 0, 0, 3), existential=[(4, 1, 2)], self=[(4, 2)], subrole=[(1, 2)], empty=[(3,)])
    )
    drafts = Drafts(saturation)
    first = drafts.add(Draft(loops=(1,)))
    assert first == drafts.first == 5
    assert drafts.targets(first, 1) == drafts.targets(first, 2) == [first]
    assert drafts.loops(first, 2)
    assert drafts.targets(4, 1) == [2]
    assert drafts.targets(4, 2) == [2, 4]
    assert drafts.loops(4, 2)
    assert not drafts.loops(4, 1)
    assert [drafts.unsatisfiable(x) for x in (1, 2, 3, 4, first)] == [True, False, True, False, False]
    second = drafts.add(Draft(classes=(3, 4)))
    assert drafts.unsatisfiable(second)


def test_chains_of_roles_by_hand() -> None:
    """Equal chains in several rows, with different roles behind them."""
    forms = make_forms(vocabulary(2, 0, 0, 6), subrole=[(1, 2), (0, 5)], chain=[(2, 3, 4), (4, 4, 4)], reflexive=[(3,)])
    rows = np.array([(r, s, t) for r in range(6) for s in range(6) for t in range(6)], np.int32)
    found = chains_entailed(saturate(forms), rows)
    # everything has role 3 to itself: 2 ∘ 3 ⊑ 4 gives 2 ⊑ 4; role 5 is universal
    above = {r: {r, 0, 5} for r in range(6)}
    above[0] |= {5}
    above[1] |= {2, 4}
    above[2] |= {4}
    expected = []
    for r, s, t in rows.tolist():
        through: set[int] = {0, 5}
        for a in above[r]:
            for b in above[s]:
                if (a, b) in ((2, 3), (4, 4)):
                    through |= above[4]
        expected.append(t in through)
    assert found.tolist() == expected


def test_all_below_some_classes() -> None:
    forms = make_forms(vocabulary(5, 0, 0, 2), subclass=[(2, 3), (3, 4), (5, 4), (6, 2)])
    query = ExpressionQuery("owl:Thing", taxonomy(saturate(forms)))
    for some in ([4], [3], [2, 5], [], [0]):
        chosen = np.isin(np.arange(7), some)
        below = {4: {2, 3, 4, 5, 6}, 3: {2, 3, 6}, 2: {2, 6}, 5: {5}, 0: {0, 2, 3, 4, 5, 6}}
        expected = set().union(*(below[c] for c in some)) if some else set()
        assert set(np.flatnonzero(query._spread(chosen)).tolist()) - {1} == expected


def test_words_of_one_language_are_not_those_of_another(tmp_path: Path) -> None:
    path = tmp_path / "o.ofn"
    path.write_text(f'Ontology(DataPropertyAssertion(<{E}called> <{E}a> "rose"@en))', encoding="utf-8")
    reasoner = Reasoner(normalise(read(path)))
    for tag, verdict in (("@en", ENTAILED), ("@de", NOT_ENTAILED), ("@n", NOT_ENTAILED), ("", NOT_ENTAILED)):
        assert reasoner.verdict(f'DataPropertyAssertion(<{E}called> <{E}a> "rose"{tag})') == verdict, tag

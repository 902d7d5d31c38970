"""What must not matter to normal forms does not: order, names, unrelated components; and they are small."""

from __future__ import annotations

import re
from typing import Any
from zlib import adler32, crc32

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from elgeo.ontology import normalise
from elgeo.ontology.expressions import ENTITIES, THING, Op
from elgeo.ontology.generation.generate import generate
from elgeo.ontology.generation.irregular import Mix
from elgeo.ontology.model import Builder, Ontology
from elgeo.ontology.normal_forms import FORMS, NormalForms
from elgeo.ontology.normalisation import inclusions
from elgeo.ontology.normalisation.fresh_names import LONGEST_NAME, ClassNames
from elgeo.ontology.reading.merging import merged
from elgeo.ontology.vocabulary import Kind
from tests.ontology.reference import normal_subsumptions
from tests.ontology.small import EX, small

SEEDS = st.integers(0, 2**32 - 1)
SETS = {"ObjectIntersectionOf", "ObjectUnionOf", "ObjectOneOf"}


def canonical(text: str) -> str:
    """An expression with the members of sets sorted, intersections in intersections taken apart."""
    tokens = re.findall(r'"[^"]*"|<[^>]*>|[()]|[^\s()<>"]+', text)
    place = 0

    def part() -> tuple[str, list[str]]:
        nonlocal place
        word = tokens[place]
        place += 1
        if place == len(tokens) or tokens[place] != "(":
            return word, [word]
        place += 1
        members: list[str] = []
        while tokens[place] != ")":
            whole, inside = part()
            members += inside if word == "ObjectIntersectionOf" and whole.startswith(word) else [whole]
        place += 1
        if word in SETS:
            members = sorted(set(members))
        whole = f"{word}({' '.join(members)})"
        return whole, members if word == "ObjectIntersectionOf" else [whole]

    return part()[0] if "(" in text else text


def named_rows(forms: NormalForms) -> set[tuple[str, ...]]:
    """All rows with canonical names in place of ids."""
    classes = [canonical(name) for name in forms.vocabulary.classes]
    roles = [canonical(name) for name in forms.vocabulary.roles]
    return {
        (form.code, *((roles if i in form.role_columns else classes)[v] for i, v in enumerate(row)))
        for name, form in FORMS.items()
        for row in (np.sort(forms.tables[name]) if name == "disjoint" else forms.tables[name]).tolist()
    } | {
        # the two sides of a conjunction are in the order of ids
        (form.code, *sorted((classes[row[0]], classes[row[1]])), *(classes[v] for v in row[2:]))
        for form in (FORMS["conjunction"], FORMS["disjoint"])
        for row in forms.tables[form.name].tolist()
    }


def unordered(rows: set[tuple[str, ...]]) -> set[tuple[str, ...]]:
    """Rows with the sides of conjunctions in the order of names."""
    return {(r[0], *sorted(r[1:3]), *r[3:]) if r[0] in ("GCI1", "GCI1-BOT") else r for r in rows}


def rebuilt(ontology: Ontology, order: list[int], backwards: bool = False, suffix: str = "") -> Ontology:
    """The ontology with its axioms in another order, the members of sets backwards, other names."""
    builder = Builder()

    def entity(op: Op, string: str) -> int:
        return builder.entity(
            op, string + suffix if string.startswith(EX) or string.startswith("http://ex") else string
        )

    def node(number: int) -> int:
        op = Op(int(ontology.op[number]))
        if op in ENTITIES:
            return entity(op, ontology.string(number))
        arguments = [node(a) for a in ontology.arguments(number)]
        return builder.node(op, *(reversed(arguments) if backwards and op.name in SETS else arguments))

    for number in order:
        axiom = int(ontology.axiom_nodes[number])
        builder.axiom(Op(int(ontology.op[axiom])), *(node(a) for a in ontology.arguments(axiom)))
    return builder.finish()


@pytest.mark.slow
@given(SEEDS, st.booleans())
@settings(max_examples=40, deadline=None)
def test_the_order_of_axioms_and_members_does_not_matter(seed: int, backwards: bool) -> None:
    ontology = generate(Mix(beyond=0.5, axioms=2.0), 7, seed)
    plain = normalise(rebuilt(ontology, list(range(len(ontology.axiom_nodes)))))
    order = np.random.default_rng(seed).permutation(len(ontology.axiom_nodes)).tolist()
    other = normalise(rebuilt(ontology, order, backwards))
    assert unordered(named_rows(other)) == unordered(named_rows(plain))
    assert other.counts() == plain.counts()
    assert sorted(kind for kind, _ in other.unsupported) == sorted(kind for kind, _ in plain.unsupported)


@pytest.mark.slow
@given(SEEDS, SEEDS)
@settings(max_examples=30, deadline=None)
def test_normal_forms_of_a_union_are_the_union(seed: int, other_seed: int) -> None:
    one = generate(Mix(beyond=0.5, axioms=1.5), 6, seed)
    two = generate(Mix(beyond=0.5, axioms=1.5), 5, other_seed)
    first = rebuilt(one, list(range(len(one.axiom_nodes))))
    second = rebuilt(two, list(range(len(two.axiom_nodes))), suffix="-other")
    both = normalise(merged([first, second]))
    parts = [normalise(first), normalise(second)]
    assert unordered(named_rows(both)) == set.union(*(unordered(named_rows(part)) for part in parts))
    assert len(both.unsupported) == sum(len(part.unsupported) for part in parts)


@pytest.mark.slow
@given(SEEDS)
@settings(max_examples=20, deadline=None)
def test_names_do_not_matter(seed: int) -> None:
    ontology = generate(Mix(beyond=0.5, axioms=2.0), 6, seed)
    everything = list(range(len(ontology.axiom_nodes)))
    plain = normal_subsumptions(normalise(rebuilt(ontology, everything)))
    renamed = normal_subsumptions(normalise(rebuilt(ontology, everything, suffix="z")))
    assert renamed == {
        tuple((kind, name + "z" if name.startswith("http://ex") else name) for kind, name in pair) for pair in plain
    }


def fresh_of(text: str) -> list[str]:
    words = normalise(small(text)).vocabulary
    names = [words.classes[i] for i in np.flatnonzero(words.class_kinds == Kind.FRESH).tolist()]
    return [
        name.replace(f"<{EX}", "").replace("<http://www.w3.org/2002/07/owl#", "").replace(">", "") for name in names
    ]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("SubClassOf(ObjectIntersectionOf(A B) ObjectComplementOf(C))", ["ObjectIntersectionOf(B C)"]),
        ("SubClassOf(ObjectIntersectionOf(A ObjectIntersectionOf(B C)) D)", ["ObjectIntersectionOf(B C)"]),
        ("SubClassOf(ObjectSomeValuesFrom(r ObjectIntersectionOf(A B)) D) SubClassOf(ObjectIntersectionOf(A B C) E)",
         ["ObjectIntersectionOf(A B)"]),
        ("SubClassOf(ObjectSomeValuesFrom(r A) ObjectComplementOf(B))", ["ObjectSomeValuesFrom(r A)"]),
        ("SubClassOf(ObjectSomeValuesFrom(r A) ObjectSomeValuesFrom(s B))", ["ObjectSomeValuesFrom(r A)"]),
        ("SubClassOf(ObjectUnionOf(A B) C)", []),
        ("SubClassOf(ObjectUnionOf(A B) ObjectSomeValuesFrom(r C))", []),
        ("SubClassOf(ObjectSomeValuesFrom(r ObjectUnionOf(A B)) C)", ["ObjectUnionOf(A B)"]),
        ("SubClassOf(A ObjectSomeValuesFrom(r ObjectSomeValuesFrom(s B)))", ["ObjectSomeValuesFrom(s B)"]),
        ("SubClassOf(A ObjectSomeValuesFrom(r ObjectComplementOf(B)))", ["ObjectComplementOf(B)"]),
        ("SubClassOf(A ObjectComplementOf(ObjectSomeValuesFrom(r B)))", ["ObjectSomeValuesFrom(r B)"]),
        ("SubClassOf(A ObjectMinCardinality(1 r)) SubClassOf(ObjectIntersectionOf(ObjectSomeValuesFrom(r Thing) B) C)",
         ["ObjectMinCardinality(1 r)"]),
        ("SubClassOf(ObjectIntersectionOf(ObjectMinCardinality(1 r) A) B) "
         "SubClassOf(ObjectIntersectionOf(ObjectSomeValuesFrom(r Thing) C) D)", ["ObjectMinCardinality(1 r)"]),
        ("SubClassOf(ObjectIntersectionOf(ObjectHasValue(r _a) A) B) "
         "SubClassOf(ObjectIntersectionOf(ObjectSomeValuesFrom(r ObjectOneOf(_a)) C) D)", ["ObjectHasValue(r a)"]),
        # one that stands in a single equivalence of two can be left out; in one of three, or twice, it needs a name
        ("EquivalentClasses(A ObjectComplementOf(B))", []),
        ("EquivalentClasses(A ObjectComplementOf(B) C)", ["ObjectComplementOf(B)"]),
        ("EquivalentClasses(A ObjectComplementOf(B)) EquivalentClasses(C ObjectComplementOf(B))",
         ["ObjectComplementOf(B)"]),
        ("DisjointUnion(A B C)", []),
        ("DisjointUnion(A B C) EquivalentClasses(D ObjectUnionOf(B C))", ["ObjectUnionOf(B C)"]),
        ("EquivalentClasses(A ObjectSomeValuesFrom(r B))", []),
        ("EquivalentClasses(A ObjectIntersectionOf(B C))", []),
    ],
)  # fmt: skip
def test_no_more_names_than_are_needed(text: str, names: list[str]) -> None:
    assert sorted(fresh_of(text)) == sorted(names)


@pytest.mark.parametrize(
    ("one", "two", "same"),
    [
        ("DataSomeValuesFrom(d:p DataOneOf(1 2))", "DataSomeValuesFrom(d:p DataOneOf(2 1))", True),
        ("DataSomeValuesFrom(d:p DataOneOf(1 2))", "DataSomeValuesFrom(d:p DataOneOf(2 3))", False),
        ("ObjectUnionOf(B C)", "ObjectUnionOf(C B)", True),
        ("ObjectUnionOf(B C B)", "ObjectUnionOf(C B)", True),
        ("ObjectOneOf(_a _b)", "ObjectOneOf(_b _a)", True),
        ("ObjectComplementOf(ObjectUnionOf(B C))", "ObjectComplementOf(ObjectUnionOf(C B))", True),
        ("ObjectComplementOf(B)", "ObjectComplementOf(C)", False),
        ("ObjectMinCardinality(2 r ObjectUnionOf(B C))", "ObjectMinCardinality(2 r ObjectUnionOf(C B))", True),
        ("ObjectMinCardinality(2 r B)", "ObjectMinCardinality(3 r B)", False),
        ("ObjectMinCardinality(2 r B)", "ObjectMaxCardinality(2 r B)", False),
        ("ObjectAllValuesFrom(r ObjectUnionOf(B C))", "ObjectAllValuesFrom(r ObjectUnionOf(C B))", True),
        ("ObjectAllValuesFrom(r B)", "ObjectAllValuesFrom(s B)", False),
        ("ObjectAllValuesFrom(r ObjectIntersectionOf(B C))", "ObjectAllValuesFrom(r ObjectIntersectionOf(C B))", True),
        ("ObjectAllValuesFrom(r ObjectUnionOf(B C))", "ObjectAllValuesFrom(r ObjectIntersectionOf(C B))", False),
        ("ObjectAllValuesFrom(r ObjectSomeValuesFrom(s ObjectUnionOf(B C)))",
         "ObjectAllValuesFrom(r ObjectSomeValuesFrom(s ObjectUnionOf(C B)))", True),
        ("ObjectAllValuesFrom(r Nothing)", "ObjectMaxCardinality(0 r)", True),
        ("ObjectMaxCardinality(0 r)", "ObjectComplementOf(ObjectSomeValuesFrom(r Thing))", True),
        ("ObjectMaxCardinality(0 r Thing)", "ObjectExactCardinality(0 r)", True),
        ("DataHasValue(d:p 1)", "DataHasValue(d:q 1)", False),
    ],
)  # fmt: skip
def test_equal_expressions_stay_equal_where_el_has_no_words(one: str, two: str, same: bool) -> None:
    forms = normalise(small(f"EquivalentClasses(X {one}) EquivalentClasses(Y {two})"))
    pairs = {(c[1].removeprefix(EX), d[1].removeprefix(EX)) for c, d in normal_subsumptions(forms)}
    assert (("X", "Y") in pairs) is same
    assert (("Y", "X") in pairs) is same


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("InverseObjectProperties(r s)", "r s"),
        ("InverseObjectProperties(ObjectInverseOf(r) ObjectInverseOf(s))", "r s"),
        ("InverseObjectProperties(r ObjectInverseOf(s))", ""),  # r ≡ s
        ("InverseObjectProperties(topRole topRole)", ""),
        ("SymmetricObjectProperty(r)", "r r"),
        ("SubClassOf(A ObjectSomeValuesFrom(ObjectInverseOf(r) B))", "r r⁻"),
        ("InverseObjectProperties(r s) SubClassOf(A ObjectSomeValuesFrom(ObjectInverseOf(r) B))", "r s, r r⁻"),
        ("SubClassOf(A ObjectSomeValuesFrom(r B)) SubObjectPropertyOf(r s)", ""),
    ],
)
def test_inverse_roles_are_kept_as_pairs_both_ways(text: str, pairs: str) -> None:
    forms = normalise(small(text))
    names = [name.replace(f"ObjectInverseOf(<{EX}r>)", "r⁻").removeprefix(EX) for name in forms.vocabulary.roles]
    wanted = {tuple(pair.split()) for pair in pairs.split(", ") if pair}
    found = [(names[r], names[s]) for r, s in forms.inverses.tolist()]
    assert set(found) == wanted | {(s, r) for r, s in wanted}
    assert len(found) == len(set(found))
    assert forms.inverses.dtype == np.int32


def test_a_disjoint_union_speaks_of_its_parts_alone() -> None:
    forms = normalise(small("SubClassOf(Q R) DisjointUnion(A B C D)"))
    words = forms.vocabulary
    pairs = {frozenset(words.class_label(c) for c in row) for row in forms.disjoint.tolist()}
    assert pairs == {frozenset("BC"), frozenset("BD"), frozenset("CD")}
    assert {tuple(words.class_label(c) for c in row) for row in forms.subclass.tolist()} == {
        ("Q", "R"), ("B", "A"), ("C", "A"), ("D", "A"),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("SubClassOf(A DataExactCardinality(1 d:p))", "DataExactCardinality"),
        ("SubClassOf(A ObjectIntersectionOf(B ObjectUnionOf(C D)))", "ObjectUnionOf"),
        ("SubClassOf(ObjectUnionOf(A ObjectComplementOf(B)) C)", "ObjectComplementOf"),
        ("SubClassOf(ObjectIntersectionOf(A ObjectComplementOf(B)) C)", "ObjectComplementOf"),
        ("SubClassOf(A ObjectComplementOf(ObjectComplementOf(ObjectAllValuesFrom(r B))))", "ObjectAllValuesFrom"),
        ("SubClassOf(A ObjectComplementOf(ObjectSomeValuesFrom(r ObjectAllValuesFrom(r B))))", "ObjectAllValuesFrom"),
        ("SubClassOf(A ObjectComplementOf(ObjectUnionOf(B C)))", None),
        ("SubClassOf(ObjectIntersectionOf(A ObjectUnionOf(B C)) D)", None),
        ("SubClassOf(A ObjectIntersectionOf(B ObjectComplementOf(ObjectIntersectionOf(C D))))", None),
    ],
)
def test_what_is_unsupported_and_why(text: str, kind: str | None) -> None:
    assert normalise(small("SubClassOf(X Y) " + text)).unsupported == (((kind, 1),) if kind else ())


def test_long_names_are_cut_and_stay_unique() -> None:
    names = ClassNames(["top", "bottom", "a"], 1)
    ids = names.add(3, lambda i: "x" * (LONGEST_NAME - 1 + i))
    assert ids.tolist() == [3, 4, 5]
    assert [len(names[int(i)]) for i in ids[:2]] == [LONGEST_NAME - 1, LONGEST_NAME]
    assert names[5] == "x" * LONGEST_NAME + "… #5"
    assert names.add(0, str).tolist() == []
    pair = names.add_pairs(np.array([0, 2], np.int32), np.array([1, 1], np.int32))
    whole = names.add_pairs(pair[:1], np.array([2], np.int32))
    assert names[6:8] == ["ObjectIntersectionOf(<top> <bottom>)", "ObjectIntersectionOf(ObjectOneOf(<a>) <bottom>)"]
    assert names[int(whole[0])] == "ObjectIntersectionOf(<top> <bottom> ObjectOneOf(<a>))"
    assert (len(names), names.n_real, names[-1], list(names)[:3]) == (9, 3, names[8], ["top", "bottom", "a"])
    for wrong in (9, -10):
        with pytest.raises(IndexError):
            names[wrong]


def mixed(key: int) -> int:
    """The finaliser of SplitMix64, in plain numbers."""
    key = (key ^ key >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    key = (key ^ key >> 27) * 0x94D049BB133111EB % 2**64
    return key ^ key >> 31


def of_text(text: str) -> int:
    return mixed(crc32(text.encode()) << 32 | adler32(text.encode()))


def test_the_order_of_members_is_the_same_in_every_version(monkeypatch: pytest.MonkeyPatch) -> None:
    """The keys decide which steps conjunctions share, so they are part of what makes tables the same again."""
    found: dict[str, int] = {}
    real: Any = vars(inclusions)["class_keys"]

    def remembered(ids: Any, names: Any, expressions: Any, named: Any) -> Any:
        keys = real(ids, names, expressions, named)
        found.update(zip((names[int(i)] for i in ids), keys.tolist(), strict=True))
        return keys

    monkeypatch.setattr(inclusions, "class_keys", remembered)
    normalise(
        small(
            "SubClassOf(ObjectIntersectionOf(A B ObjectSomeValuesFrom(r C) ObjectUnionOf(A ObjectSomeValuesFrom(s "
            "ObjectIntersectionOf(B C))) ObjectHasSelf(r) ObjectSomeValuesFrom(r ObjectUnionOf(C D))) E) "
            "SubClassOf(ObjectSomeValuesFrom(r ObjectUnionOf(C D)) A) "
            "SubClassOf(ObjectIntersectionOf(A B ObjectSomeValuesFrom(s ObjectIntersectionOf(Thing ObjectHasSelf(r))) "
            "ObjectSomeValuesFrom(r ObjectIntersectionOf(ObjectHasSelf(s) ObjectComplementOf(B)))) C)"
        )
    )
    a, b, c, d = (of_text(EX + x) for x in "ABCD")
    r, s = of_text(EX + "r"), of_text(EX + "s")
    both = mixed((mixed(b) + mixed(c) + 1) % 2**64)
    some = mixed(both ^ s)
    selves = [of_text(f"ObjectHasSelf(<{EX}{role}>)") for role in "rs"]
    looped = mixed((mixed(of_text(THING)) + mixed(selves[0]) + 1) % 2**64)
    apart = mixed((mixed(selves[1]) + mixed(mixed(b)) + 1) % 2**64)
    union, either = mixed((mixed(c) + mixed(d) + 2) % 2**64), mixed((mixed(a) + mixed(some) + 2) % 2**64)
    short = [(EX, ""), ("<", ""), (">", ""), (THING, "Thing")]
    for long, word in short:
        found = {name.replace(long, word): key for name, key in found.items()}
    assert found == {
        "A": a,
        "B": b,
        "ObjectSomeValuesFrom(r C)": mixed(c ^ r),
        "ObjectUnionOf(A ObjectSomeValuesFrom(s ObjectIntersectionOf(B C)))": either,
        "ObjectHasSelf(r)": selves[0],
        "ObjectSomeValuesFrom(r ObjectUnionOf(C D))": mixed(union ^ r),
        "ObjectSomeValuesFrom(s ObjectIntersectionOf(Thing ObjectHasSelf(r)))": mixed(looped ^ s),
        "ObjectSomeValuesFrom(r ObjectIntersectionOf(ObjectHasSelf(s) ObjectComplementOf(B)))": mixed(apart ^ r),
    }

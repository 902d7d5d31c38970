"""Disjoint classes apart and dead ends, by points on two sides of the middle."""

from __future__ import annotations

import numpy as np
import pytest

from elgeo import datasets
from elgeo.datasets.model import Dataset
from elgeo.models.boxes.disjoint import ABOUT_NOTHING, Separator, culprits_of, placed, two_sides
from elgeo.models.boxes.halves import Halves
from elgeo.models.boxes.numbers import LAST
from elgeo.models.boxes.problem import Problem
from elgeo.models.boxes.sides import DEEP, ENTRY, LEFT, NONE, RIGHT, WIDE
from elgeo.ontology.vocabulary import TOP_ROLE, Kind
from elgeo.reasoning.saturation.saturate import Saturation, saturate
from tests.models.boxes.plain_boxes import PlainBoxes
from tests.models.boxes.small_forms import dataset_of, with_tables
from tests.small_dataset import small_dataset


def prepared(dataset: Dataset) -> tuple[Saturation, Problem]:
    saturation = saturate(dataset.forms)
    return saturation, Problem.of(saturation)


def dimensions_of(dataset: Dataset) -> list[Halves]:
    saturation, problem = prepared(dataset)
    return Separator(problem, dataset.forms, saturation.subsumees_of).dimensions()


def together(dimensions: list[Halves]) -> Halves:
    """All dimensions as one space."""
    return Halves(
        np.concatenate([each.classes for each in dimensions], axis=1),
        np.concatenate([each.roles for each in dimensions], axis=1),
    )


def all_true(dataset: Dataset, halves: Halves) -> bool:
    """Every axiom is true, and only what has to be empty is."""
    empty = saturate(dataset.forms).unsatisfiable.copy()
    empty[1] = True
    true = all(halves.holds(form, rows).all() for form, rows in dataset.forms.tables.items())
    return bool(true and (halves.empty == empty).all())


PETS = {
    "subclass": "Person Being, Animal Being, Dog Animal, Owner Person, ben Person, rex Dog",
    "existential": "ben has rex, Person knows Person",
    "left_existential": "has Animal Owner",
    "disjoint": "Person Animal, Dog Owner",
}


def test_one_dimension_keeps_apart_what_a_role_connects() -> None:
    dataset = dataset_of(**PETS)
    found = dimensions_of(dataset)
    assert len(found) == 1
    assert all_true(dataset, found[0])
    role = dataset.vocabulary.roles.index("has")
    assert (found[0].roles[role] < LAST).any()


@pytest.mark.parametrize("domain", ["has ⊤ Person", "has ⊤ Owner"])
def test_the_domain_of_a_role_may_be_disjoint_from_something(domain: str) -> None:
    dataset = dataset_of(**PETS | {"left_existential": domain})
    found = dimensions_of(dataset)
    assert found
    assert all_true(dataset, together(found))


@pytest.mark.parametrize("name", ["family", "cell-tiny"])
def test_all_disjoint_classes_of_an_example_are_apart(name: str) -> None:
    dataset = datasets.load(name)
    _, problem = prepared(dataset)
    found = dimensions_of(dataset)
    assert len(found) < len(dataset.forms.disjoint) + len(dataset.forms["empty_existential"])  # they share
    halves = together(found)
    assert all_true(dataset, halves)
    sums = halves.classes[problem.points].astype(int)
    assert (sums[:, ::2] + sums[:, 1::2] == 0).all()  # an individual is a point
    plain = PlainBoxes(found[0])
    for form, rows in dataset.forms.tables.items():
        if form not in ABOUT_NOTHING:
            assert all(plain.holds(form, row) for row in rows[:60].tolist()), form


def test_nobody_has_what_nobody_can_have() -> None:
    dataset = dataset_of(
        subclass="Rock Thing, Toy Thing",
        existential="Child owns Toy, Child owns Dog, Dog likes Rock",
        empty_existential="owns Rock",
    )
    (dimension,) = dimensions_of(dataset)
    assert all_true(dataset, dimension)
    toy, owns = dataset.vocabulary.classes.index("Toy"), dataset.vocabulary.roles.index("owns")
    assert not dimension.holds("empty_existential", np.array([[owns, toy]], np.int32)).any()


@pytest.mark.parametrize(
    "axioms",
    [
        {"conjunction": "A B Nil"},
        {"left_existential": "r A Nil"},
        {"left_existential": "s ⊤ Nil"},
        {"range": "s Nil"},
        {"left_self": "s Nil"},
    ],
)
def test_what_lies_in_an_empty_class_is_nothing(axioms: dict[str, str]) -> None:
    dataset = dataset_of(**{"subclass": "A C, B C", "existential": "A r B, C r B", "empty": "Nil", **axioms})
    (dimension,) = dimensions_of(dataset)
    assert all_true(dataset, dimension)


WHOLES = {
    "subclass": "X D, Y C, Z D, Z G, E C, E G, E N",
    "existential": "X part Y, E part W, W part V, V part T",
    "left_existential": "part W N",
    "conjunction": "N G E",
    "chain": "part part part",
}
"""X of D is part of Y of C, though G ⊓ ∃part.W is in C and has something of D in G: no translations keep them apart."""


@pytest.mark.parametrize("order", ["C D", "D C"])
def test_what_no_translations_keep_apart_is_apart(order: str) -> None:
    dataset = dataset_of(**WHOLES, disjoint=order)
    found = dimensions_of(dataset)
    assert len(found) == 1
    assert all_true(dataset, found[0])


@pytest.mark.parametrize("order", ["Region Whole", "Whole Region"])
def test_a_region_is_apart_from_the_whole_it_is_part_of(order: str) -> None:
    """∃part.Whole contains Whole where `part` may stand still, and then Region would too: it has to lead away."""
    dataset = dataset_of(
        subclass="Whole Sheet, Region Sheet, Region N, Cell Thing",
        existential="Region part Whole, Whole part Cell",
        left_existential="part Whole N",
        conjunction="Sheet N Region",
        disjoint=order,
        chain="part part part",
    )
    assert all_true(dataset, together(dimensions_of(dataset)))


@pytest.mark.parametrize("order", ["C D", "D C"])
def test_of_two_classes_that_could_lie_on_the_left_it_is_the_one_that_is_free(order: str) -> None:
    """N is smaller than G, but Z of D is in N; with F and M it is the other way round."""
    dataset = dataset_of(
        subclass="E C, E G, E N, Z D, Z N, P G, Q G, S G, A C, A F, A M, Y D, Y M, P M, Q M, S M, P F, Q F, S F, I F",
        conjunction="G N E, M F A",
        disjoint=order,
    )
    assert all_true(dataset, together(dimensions_of(dataset)))


def test_the_two_sides_of_a_conjunction_keep_a_point_in_common() -> None:
    """Else Person ⊓ Player would have nothing in it, and be below everything."""
    dataset = dataset_of(
        subclass="Dog Animal, Boy Person, Star Winner", conjunction="Person Player Winner", disjoint="Person Animal"
    )
    (dimension,) = dimensions_of(dataset)
    assert all_true(dataset, dimension)
    person, player, dog = (dataset.vocabulary.classes.index(name) for name in ("Person", "Player", "Dog"))
    assert not dimension.holds("disjoint", np.array([[person, player]], np.int32)).any()
    assert dimension.holds("disjoint", np.array([[person, dog]], np.int32)).all()
    assert sorted(dimension.classes[player].tolist()) == [0, 1], "one point on each side is enough"


def test_where_not_all_can_have_a_point_in_common_some_have() -> None:
    """Nothing is a Person and a Stray, since Strays that are persons would be animals."""
    dataset = dataset_of(
        subclass="Dog Animal, Boy Person, Star Winner, Wild Animal",
        conjunction="Person Player Winner, Person Stray Wild, Person Runner Winner",
        disjoint="Person Animal",
    )
    (dimension,) = dimensions_of(dataset)
    assert all_true(dataset, dimension)
    names = dataset.vocabulary.classes
    pairs = np.array([[names.index("Person"), names.index(each)] for each in ("Player", "Runner", "Stray")], np.int32)
    assert dimension.holds("disjoint", pairs).tolist() == [False, False, True]


def test_what_is_kept_apart_in_irregular_ontologies_is_so_by_plain_sets() -> None:
    """Random axioms of all kinds: a dimension that is found makes all true that it has to, by the points themselves."""
    made = 0
    for seed in range(12):
        dataset = small_dataset(seed, n_things=20, n_people=6, n_links=12)
        saturation, problem = prepared(dataset)
        if not saturation.consistent:
            continue
        found = Separator(problem, dataset.forms, saturation.subsumees_of).dimensions()
        for dimension in found:
            plain = PlainBoxes(dimension)
            for form, rows in dataset.forms.tables.items():
                if form not in ABOUT_NOTHING:
                    assert all(plain.holds(form, row) for row in rows.tolist()), form
            assert any(plain.holds(form, row) for form in ABOUT_NOTHING for row in dataset.forms[form].tolist())
        made += len(found)
    assert made > 3


def plain_sides(
    dataset: Dataset, problem: Problem, left: set[int], deep: int
) -> tuple[list[list[int]], list[list[list[list[int]]]]]:
    """The fixpoint of two sides as loops over all axioms, again and again until nothing changes."""
    n, roles, forms = problem.n_classes, problem.n_roles, dataset.forms
    level = [[NONE, NONE] for _ in range(n)]
    level[0] = [WIDE - 1, WIDE - 1]
    related = [[[[NONE, NONE] for _ in range(WIDE)] for _ in range(2)] for _ in range(roles)]
    related[TOP_ROLE] = [[[WIDE - 1, WIDE - 1] for _ in range(WIDE)] for _ in range(2)]
    for c in left:
        level[c][LEFT] = 0

    def some(r: int, pair: list[int], x: int) -> int:
        return max([NONE, *(related[r][side][pair[side]][x] for side in range(2) if pair[side] >= 0)])

    def further(i: int, same: bool, entry: int) -> int:
        if same:
            return i if i + 1 in (ENTRY, DEEP, WIDE) else i + 1
        return max(min(i + 1, WIDE - 1), entry)

    def settle() -> None:
        before = None
        while before != (before := repr((level, related))):
            for side in range(2):
                for c, d in forms.subclass.tolist():
                    level[d][side] = max(level[d][side], level[c][side])
                for c, d, e in forms.conjunction.tolist():
                    level[e][side] = max(level[e][side], min(level[c][side], level[d][side]))
                for c, r, d in forms.existential.tolist():
                    if level[c][side] >= 0 and r != TOP_ROLE:
                        there = LEFT if d in left else RIGHT
                        for point in range(level[c][side] + 1):
                            needed = further(point, there == side, DEEP if r == deep else ENTRY)
                            level[d][there] = max(level[d][there], needed)
                            related[r][there][needed][side] = max(related[r][there][needed][side], point)
                for r, c, d in forms.left_existential.tolist():
                    level[d][side] = max(level[d][side], some(r, level[c], side))
                for r in forms["reflexive"][:, 0]:
                    for k in range(WIDE):
                        related[r][side][k][side] = max(related[r][side][k][side], k)
                for r in range(roles):
                    for y in range(2):
                        for k in range(1, WIDE):
                            related[r][y][k][side] = max(related[r][y][k][side], related[r][y][k - 1][side])
                for y in range(2):
                    for k in range(WIDE):
                        for r, s in forms.subrole.tolist():
                            related[s][y][k][side] = max(related[s][y][k][side], related[r][y][k][side])
                        for r, s, t in forms.chain.tolist():
                            related[t][y][k][side] = max(related[t][y][k][side], some(r, related[s][y][k], side))

    settle()
    for c in range(n):
        if not problem.empty[c] and max(level[c]) < 0:
            level[c][RIGHT] = 0
    settle()
    return level, related


def test_two_sides_are_the_least_that_make_the_axioms_true() -> None:
    both = 0
    for seed in range(8):
        dataset = small_dataset(seed, n_things=16, n_people=5, n_links=10)
        none = ("self", "left_self", "range", "disjoint", "empty_existential", "empty")
        dataset = with_tables(dataset, **{form: dataset.forms[form][:0] for form in none})
        generator = np.random.default_rng(seed)
        still = int(generator.integers(1, dataset.vocabulary.n_roles))
        things = np.flatnonzero(dataset.vocabulary.class_kinds == Kind.NAMED)
        more = [[role, *generator.choice(things, 2)] for role in (still, still)]
        dataset = with_tables(
            dataset,
            reflexive=np.array([[still]], np.int32),
            left_existential=np.concatenate([dataset.forms.left_existential, more]).astype(np.int32),
        )
        _, problem = prepared(dataset)
        left = (generator.random(problem.n_classes) < 0.2) & ~problem.empty & (np.arange(problem.n_classes) > 1)
        deep = int(generator.integers(-1, problem.n_roles))
        sides = two_sides(problem, left, deep)
        level, related = plain_sides(dataset, problem, set(np.flatnonzero(left).tolist()), deep)
        kept = ~problem.empty
        assert sides.levels[kept].tolist() == [each for each, there in zip(level, kept, strict=True) if there]
        assert sides.roles[1:].tolist() == related[1:]
        both += int((sides.levels >= 0).all(axis=1).sum())
    assert both > 20


@pytest.mark.parametrize("side", [LEFT, RIGHT])
def test_what_a_reflexive_role_says_is_true_of_the_first_point_of_a_side(side: int) -> None:
    dataset = dataset_of(subclass="A C", left_existential="q A B", reflexive="q")
    _, problem = prepared(dataset)
    left = np.zeros(problem.n_classes, np.bool_)
    left[dataset.vocabulary.classes.index("A" if side == LEFT else "B")] = True
    assert two_sides(problem, left, NONE).levels[dataset.vocabulary.classes.index("B"), side] == 0


@pytest.mark.parametrize(("deep", "entry"), [(False, ENTRY), (True, DEEP)])
def test_each_step_to_the_other_side_is_one_further_out(deep: bool, entry: int) -> None:
    """X0 is on the right, what it needs on the left, what that needs on the right, and so on until the side ends."""
    dataset = dataset_of(existential=", ".join(f"X{k} r X{k + 1}" for k in range(15)))
    _, problem = prepared(dataset)
    ids = [dataset.vocabulary.classes.index(f"X{k}") for k in range(16)]
    left = np.zeros(problem.n_classes, np.bool_)
    left[ids[1::2]] = True
    levels = two_sides(problem, left, dataset.vocabulary.roles.index("r") if deep else NONE).levels
    for k, level in enumerate(levels[ids].tolist()):
        here = 0 if k == 0 else min(entry + k - 1, WIDE - 1)
        assert level == ([here, NONE] if k % 2 else [NONE, here])


def test_what_the_universal_role_says_is_true_of_all_points() -> None:
    """∃U.A ⊑ C: something is an A, if on the left or on the right, so everything is a C."""
    dataset = dataset_of(subclass="A B, D A", left_existential="U A C")
    _, problem = prepared(dataset)
    names = np.array(dataset.vocabulary.classes)
    for left in ("", "D"):
        levels = two_sides(problem, np.isin(np.arange(problem.n_classes), np.flatnonzero(names == left)), NONE).levels
        assert levels[dataset.vocabulary.classes.index("C")].tolist() == [WIDE - 1, WIDE - 1]


@pytest.mark.parametrize("order", ["A B, B C, C D", "C D, B C, A B"])
def test_all_that_is_above_a_class_on_the_left_is_there_alone(order: str) -> None:
    dataset = dataset_of(subclass=order)
    _, problem = prepared(dataset)
    names = np.array(dataset.vocabulary.classes)
    levels = two_sides(problem, names == "A", NONE).levels
    assert levels[2:].tolist() == [[0, NONE]] * 4


def test_what_brought_a_class_to_the_right_is_found() -> None:
    dataset = dataset_of(
        subclass="E C, Z D, Z G, P N, F E", conjunction="N G E", left_existential="part W N", existential="Y part W"
    )
    saturation, problem = prepared(dataset)
    ids = {name: dataset.vocabulary.classes.index(name) for name in "CDEGNPWY"}
    left = np.zeros(problem.n_classes, np.bool_)
    left[saturation.subsumees_of(ids["C"])] = True
    sides = two_sides(problem, left, NONE)
    assert sides.levels[ids["C"], RIGHT] >= 0
    assert set(culprits_of(sides, ids["C"], left)) == {ids["N"], ids["G"]}
    left[[ids["N"], ids["P"], ids["Y"]]] = True
    sides = two_sides(problem, left, NONE)
    assert set(culprits_of(sides, ids["C"], left)) <= {ids["W"], ids["G"]}


def test_numbers_of_a_dimension_are_its_sides() -> None:
    dataset = dataset_of(subclass="a A, B A", existential="a r B", individuals="a")
    _, problem = prepared(dataset)
    a, big, b = (dataset.vocabulary.classes.index(name) for name in ("a", "A", "B"))
    left = np.zeros(problem.n_classes, np.bool_)
    left[b] = True
    sides = two_sides(problem, left, NONE)
    assert sides.levels[[a, big, b]].tolist() == [[NONE, 0], [ENTRY, 0], [ENTRY, NONE]]
    halves = placed(problem, sides)
    assert halves.classes[[0, a, big, b]].tolist() == [[LAST, LAST], [0, 0], [0, ENTRY + 1], [-1, ENTRY + 1]]
    related = halves.roles[1].astype(int)
    assert related[:, LAST:].tolist() == [[-100] * (LAST + 1)] * 2
    assert related[:, : LAST - ENTRY].tolist() == [[0] * (LAST - ENTRY), [0] * (LAST - ENTRY)]
    assert related[:, LAST - ENTRY : LAST].tolist() == [[-100] * ENTRY] * 2


def test_what_a_point_on_the_right_needs_is_one_further_out() -> None:
    dataset = dataset_of(subclass="A B", existential="A r B")
    _, problem = prepared(dataset)
    sides = two_sides(problem, np.zeros(problem.n_classes, np.bool_), NONE)
    related = placed(problem, sides).roles[1].astype(int)
    assert related[:, : LAST + 1].tolist() == [[-100] * (LAST + 1)] * 2, (
        "nothing is related to a point up to the middle"
    )
    assert related[:, LAST + 1 :].tolist() == [[0] * LAST, [0] * LAST]

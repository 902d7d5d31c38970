"""Building datasets from files: what is said, what is held out, what is left out, and what leaks."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from elgeo.datasets import Dataset
from elgeo.datasets.folder import save
from elgeo.datasets.sources.build import Recipe, build
from elgeo.datasets.splits.leakage import leakage, measured
from elgeo.errors import ElgeoError, ReadError, SettingError
from tests.datasets.small_sources import LINKS, PROTEINS, write_sources

STRONG = {frozenset(pair) for i, pair in enumerate(LINKS) if i % 5}
OBO = "http://purl.obolibrary.org/obo/"


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return write_sources(tmp_path_factory.mktemp("sources"))


@pytest.fixture(scope="module")
def recipe(files: dict[str, Path]) -> Recipe:
    return Recipe(
        ontology=files["go.obo"],
        interactions=(files["links.txt"],),
        annotations=(files["annotations.gaf"],),
        aliases=files["aliases.txt"],
        shares=(0.6, 0.2, 0.2),
        name="small",
    )


def named(dataset: Dataset, part: str) -> set[tuple[str, str]]:
    names = dataset.vocabulary.classes
    return {(names[row[0]], names[row[-1]]) for row in getattr(dataset, part).tolist()}


def test_interactions_are_split_in_both_directions(recipe: Recipe) -> None:
    dataset, drops = build(recipe)
    parts = {part: named(dataset, part) for part in ("train", "valid", "test")}
    pairs = {
        part: {frozenset(name.removeprefix("http://") for name in pair) for pair in some}
        for part, some in parts.items()
    }
    assert set().union(*pairs.values()) == STRONG
    assert sum(map(len, pairs.values())) == len(STRONG)
    for part, some in parts.items():
        assert {(b, a) for a, b in some} == some, part
    assert len(pairs["valid"]) == len(pairs["test"]) == round(0.2 * len(STRONG))
    assert dataset.symmetric
    assert drops.counts["links with a score below 700"] == 2 * (len(LINKS) - len(STRONG))
    assert (dataset.head_kind, dataset.tail_kind) == ("protein", "protein")
    assert len(dataset.candidates) == len(PROTEINS)


def test_annotations_are_all_trained_on_when_interactions_are_the_target(recipe: Recipe) -> None:
    dataset, drops = build(recipe)
    names, role = dataset.vocabulary.classes, dataset.vocabulary.role_id("has_function")
    said = {(names[c], names[d]) for c, r, d in dataset.forms.existential.tolist() if r == role}
    expected = {
        (f"http://{p}", f"{OBO}GO_000000{1 + (i + k) % 4}") for i, p in enumerate(PROTEINS) for k in range(2)
    } | {("http://9.P03", f"{OBO}GO_0000002")}
    assert said == expected
    assert dict(drops.counts) == {
        "links with a score below 700": 2 * (len(LINKS) - len(STRONG)),
        "annotations with NOT": 1,
        "annotations without data (ND)": 1,
        "annotated ids without a protein": 1,
        "annotations with terms that are not in the ontology": 1,
    }
    assert sorted(drops.listed) == [
        ("annotated ids without a protein", "S99"),
        ("annotations with terms that are not in the ontology", "GO:9999999"),
    ]


def test_functions_as_target(recipe: Recipe) -> None:
    dataset, _ = build(replace(recipe, target="has_function"))
    parts = [named(dataset, part) for part in ("train", "valid", "test")]
    assert len(set().union(*parts)) == sum(map(len, parts)) == 28 + 1
    assert not dataset.symmetric
    assert dataset.tail_kind == "go"
    terms = {dataset.vocabulary.classes[i] for i in dataset.candidates.tolist()}
    assert terms == {f"{OBO}GO_000000{i}" for i in range(1, 5)}
    other = [dataset.vocabulary.classes[i] for i in dataset.kinds.members("other").tolist()]
    assert f"{OBO}CL_0000001" in other
    role = dataset.vocabulary.role_id("interacts_with")
    assert (dataset.forms.existential[:, 1] == role).sum() == 2 * len(STRONG)


def test_as_is_says_only_what_the_file_says(recipe: Recipe, tmp_path: Path) -> None:
    one_way = tmp_path / "links.tsv"
    one_way.write_text("".join(f"{a}\t{b}\n" for a, b in LINKS) + f"{LINKS[0][1]}\t{LINKS[0][0]}\n")
    plain = replace(recipe, interactions=(one_way,), symmetric=False)
    dataset, _ = build(plain)
    everything = [named(dataset, part) for part in ("train", "valid", "test")]
    assert sum(map(len, everything)) == len(LINKS) + 1
    twins = {(f"http://{a}", f"http://{b}") for a, b in (LINKS[0], LINKS[0][::-1])}
    assert any(twins <= part for part in everything)
    assert not dataset.symmetric
    seeds = [build(replace(plain, twins_together=False, seed=seed))[0] for seed in range(12)]
    assert any(not any(twins <= named(d, part) for part in ("train", "valid", "test")) for d in seeds)
    leaks = [measured(d) for d in seeds]
    assert any(leak["test"]["inverse_in_train"] + leak["valid"]["inverse_in_train"] for leak in leaks)


def test_a_ready_made_split_is_taken_as_it_is(recipe: Recipe, tmp_path: Path) -> None:
    ready = {}
    for k, part in enumerate(("train", "valid", "test")):
        ready[part] = tmp_path / f"{part}.tsv"
        ready[part].write_text("".join(f"{a}\t{b}\n" for a, b in LINKS[k::3]))
    with (tmp_path / "train.tsv").open("a") as file:
        # the twin of a test pair
        file.write(f"{LINKS[2][1]}\t{LINKS[2][0]}\n")
    dataset, drops = build(replace(recipe, interactions=(), ready=ready))
    for k, part in enumerate(("train", "valid", "test")):
        expected = {(f"http://{a}", f"http://{b}") for a, b in LINKS[k::3]}
        assert named(dataset, part) == expected | {(b, a) for a, b in expected}
    assert drops.counts["axioms of train that are held out too"] == 2
    assert "seed" not in dataset.record["settings"]


def test_names_without_aliases(recipe: Recipe, files: dict[str, Path], tmp_path: Path) -> None:
    plain, _ = build(replace(recipe, aliases=None, annotations=(files["annotations.tsv"],), target="has_function"))
    assert len(plain.train) + len(plain.valid) + len(plain.test) == 28
    # a table names proteins by what they are called here, so that one without interactions is a protein too
    more = tmp_path / "more.tsv"
    more.write_text(files["annotations.tsv"].read_text() + "9.P77\tGO:0000003\n")
    plain, drops = build(replace(recipe, aliases=None, annotations=(more,), target="has_function"))
    pairs = set().union(*(named(plain, part) for part in ("train", "valid", "test")))
    assert len(pairs) == 29
    assert ("http://9.P77", f"{OBO}GO_0000003") in pairs
    assert "annotated ids without a protein" not in drops.counts
    short = tmp_path / "short.gaf"
    text = files["annotations.gaf"].read_text()
    short.write_text(text.replace("SGD\tS", "SGD\tP"))
    found, drops = build(replace(recipe, aliases=None, annotations=(short,), target="has_function"))
    assert len(found.train) + len(found.valid) + len(found.test) == 29
    assert ("annotated ids without a protein", "P99") in drops.listed
    # the first seven proteins are heads only, the others tails only
    one_way = tmp_path / "one-way.tsv"
    one_way.write_text("".join(f"{a}\t{b}\n" for a, b in zip(PROTEINS[:7], PROTEINS[7:], strict=True)))
    less = replace(recipe, interactions=(one_way,), symmetric=False, aliases=None, annotations=(short,))
    found, drops = build(replace(less, target="has_function"))
    assert len(found.train) + len(found.valid) + len(found.test) == 29


def test_an_entailed_test_axiom_is_found(recipe: Recipe, files: dict[str, Path], tmp_path: Path) -> None:
    """has_function of a leaf entails has_function of what is above it."""
    ready = {}
    for part, line in (
        ("train", "9.P00\tGO:0000003\n"),
        ("valid", "9.P00\tGO:0000002\n"),
        ("test", "9.P01\tGO:0000002\n"),
    ):
        ready[part] = tmp_path / part
        ready[part].write_text(line)
    dataset, _ = build(replace(recipe, target="has_function", annotations=(), aliases=None, ready=ready))
    assert measured(dataset) == {
        "valid": {"axioms": 1, "inverse_in_train": 0, "entailed_by_train": 1},
        "test": {"axioms": 1, "inverse_in_train": 0, "entailed_by_train": 0},
    }
    assert leakage(dataset, dataset.train).entailed.all()


@pytest.mark.slow
@settings(max_examples=25)
@given(st.integers(0, 2**32), st.sampled_from([(0.6, 0.2, 0.2), (0.9, 0.05, 0.05), (0.5, 0.1, 0.4)]), st.booleans())
def test_every_pair_is_in_one_part_with_its_twin(
    recipe: Recipe, seed: int, shares: tuple[float, float, float], symmetric: bool
) -> None:
    dataset, _ = build(replace(recipe, seed=seed, shares=shares, symmetric=symmetric))
    parts = [named(dataset, part) for part in ("train", "valid", "test")]
    unordered = [{frozenset(pair) for pair in part} for part in parts]
    assert not unordered[0] & unordered[1]
    assert not unordered[0] & unordered[2]
    assert not unordered[1] & unordered[2]
    assert sum(map(len, unordered)) == len(STRONG)
    assert sum(map(len, parts)) == 2 * len(STRONG)
    assert [len(part) for part in unordered[1:]] == [round(share * len(STRONG)) for share in shares[1:]]
    assert not leakage(dataset, dataset.test).inverse.any()


def test_the_same_recipe_gives_the_same_bytes(recipe: Recipe, tmp_path: Path) -> None:
    for name in ("one", "two"):
        dataset, drops = build(recipe)
        save(dataset, tmp_path / name, drops.listed)
    one, two = (
        {p.relative_to(tmp_path / name): p.read_bytes() for p in (tmp_path / name).rglob("*") if p.is_file()}
        for name in ("one", "two")
    )
    assert one == two
    assert len(one) > 15


def test_another_seed_gives_another_split(recipe: Recipe) -> None:
    tests = {frozenset(named(build(replace(recipe, seed=seed))[0], "test")) for seed in range(6)}
    assert len(tests) > 4


def test_building_does_not_depend_on_the_order_of_lines(recipe: Recipe, files: dict[str, Path], tmp_path: Path) -> None:
    lines = files["links.txt"].read_text().splitlines(keepends=True)
    shuffled = tmp_path / "links.txt"
    shuffled.write_text("".join([lines[0], *reversed(lines[1:])]))
    first, second = build(recipe)[0], build(replace(recipe, interactions=(shuffled,)))[0]
    assert np.array_equal(first.test, second.test)
    assert np.array_equal(first.forms.existential, second.forms.existential)


def test_what_cannot_be_built_is_said(recipe: Recipe, files: dict[str, Path], tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="either --interactions or --train"):
        replace(recipe, interactions=())
    with pytest.raises(SettingError, match="all three"):
        replace(recipe, interactions=(), ready={"train": files["links.txt"]})
    with pytest.raises(SettingError, match="has_functions"):
        replace(recipe, target="has_functions")
    with pytest.raises(SettingError, match="as-is"):
        replace(recipe, twins_together=False)
    with pytest.raises(SettingError, match="too few"):
        build(replace(recipe, shares=(0.999, 0.0005, 0.0005)))
    with pytest.raises(ElgeoError, match=r"no interactions are left .*with a score below"):
        build(replace(recipe, min_score=1000))
    with pytest.raises(ReadError, match="no-such-file"):
        build(replace(recipe, ontology=tmp_path / "no-such-file.obo"))

"""`elgeo place` and `evaluate --new-classes`: what is said of new terms, in every format, and of bad input."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy import sparse

import elgeo
from elgeo import api, datasets
from elgeo.cli import main
from elgeo.datasets.folder import save
from elgeo.datasets.releases.backtest import Releases, back_test
from elgeo.datasets.releases.writing import save_back_test
from elgeo.errors import ElgeoError, ReadError, SettingError
from elgeo.evaluation.placing.new_classes import NewClasses, _grouped, _joined, _methods, nearest_names, rank
from elgeo.evaluation.placing.newcomers import back_test_of, of_release
from elgeo.evaluation.placing.place import LIKELY, USUAL, Placer
from elgeo.evaluation.placing.placements import placement_of
from elgeo.evaluation.placing.reasons import reasons
from elgeo.evaluation.placing.suggestions import Placed, Proposal
from elgeo.evaluation.ranking.ranks import Ranks
from elgeo.models.placement.evidence import MIXED
from elgeo.models.placement.knowledge import Knowledge
from elgeo.models.placement.patterns import Clue
from elgeo.ontology import read
from elgeo.ontology.short_names import short_form
from elgeo.training.run import Run
from tests.models.placement import small_names

NEGATIVE, VALVE = small_names.LEFT_OUT


@pytest.fixture(scope="module")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("place")
    save(small_names.dataset(folder), folder / "data")
    elgeo.train(folder / "data", model="naive", folder=folder / "run")
    return folder / "run"


@pytest.fixture(scope="module")
def run(run_folder: Path) -> Run:
    return Run.load(run_folder)


PARENTS_OF_NEGATIVE = {"regulation of frontal lobe development", "negative regulation of brain lobe development"}


def labels(run: Run, suggestions: object) -> list[str]:
    names = run.dataset.vocabulary
    return [names.class_label(each.class_id) for each in suggestions]  # type: ignore[attr-defined]


@pytest.mark.slow
def test_parents_relations_and_reasons(run: Run) -> None:
    [placed] = run.place(NEGATIVE)
    assert set(labels(run, placed.parents)[:2]) == PARENTS_OF_NEGATIVE
    role = run.dataset.vocabulary.role_id("regulates")
    assert labels(run, placed.relations[role])[0] == "frontal lobe development"
    words = " ".join(reason for parent in placed.parents[:2] for reason in parent.reasons)
    assert "classes called “negative …” are" in words
    assert 0 < placed.parents[-1].share <= placed.parents[0].share <= 1
    assert all(later.share <= former.share for former, later in zip(placed.parents, placed.parents[1:], strict=False))
    assert placed.existing == [] or all(each.how == "near name" for each in placed.existing)
    above = [run.dataset.vocabulary.classes[c] for c in placed.follows]
    parent = run.dataset.vocabulary.classes[placed.parents[0].class_id]
    assert above[0] == parent
    assert set(above[1:]) == set(elgeo.Reasoner(run.dataset.forms).superclasses(parent))


def test_classes_with_like_texts_that_have_it_are_named_the_most_alike_first(run: Run) -> None:
    generator = np.random.default_rng(6)
    knowledge = Knowledge.of(run.dataset)
    n, names = len(knowledge.ids), run.dataset.vocabulary
    told = (generator.random((n, n)) < 0.4).astype(np.float32)
    weights = np.where(generator.random((3, n)) < 0.5, generator.random((3, n)), 0).astype(np.float32)
    evidence: Any = SimpleNamespace(told={None: sparse.csr_array(told)}, knowledge=knowledge)
    seen: Any = SimpleNamespace(
        clues=[{}] * 3, near={MIXED: sparse.csr_array(weights)}, alike={"label": sparse.csr_array((3, n))}
    )
    for row, end in ((0, 3), (1, n - 1), (2, 8)):
        having = [c for c in range(n) if weights[row, c] > 0 and told[c, end]]
        nearest = [int(knowledge.ids[c]) for c in sorted(having, key=lambda c: -weights[row, c])[:3]]
        words = ", ".join(f"{names.class_label(c)} ({short_form(names.classes[c])})" for c in nearest)
        assert len(having) > 3
        assert reasons(evidence, seen, row, None, end) == (f"so has what has like texts: {words}",)


def test_habits_of_names_are_told_the_plainest_first_and_texts_that_are_alike_enough(run: Run) -> None:
    role, end, n = 5, 2, 4
    clues = {
        ("same", (role, end)): Clue(0.25, (("left",), ("of", "heart")), 3, 12),
        ("broader", (role, end)): Clue(0.75, (("new",), ()), 1500, 2000),
        ("fixed", (role, end)): Clue(0.5, ((), ("lobe",)), 1, 2),
        ("same", (None, end)): Clue(0.9, ((), ("bark",)), 9, 10),
        ("fixed", (role, 1)): Clue(0.95, ((), ("root",)), 19, 20),
    }
    likeness = {"label": [0.5, 0.3, 0.25, 0.6], "definition": [0.5, 0.3, 0.125, 0.0]}
    alike = {name: sparse.csr_array(np.array([[0, 0, 0, 0], values])) for name, values in likeness.items()}
    none = sparse.csr_array((2, n))
    told = dict.fromkeys((None, role), sparse.csr_array((n, n)))
    evidence: Any = SimpleNamespace(told=told, knowledge=Knowledge.of(run.dataset))

    def said(row: int, of_role: int | None, of_end: int) -> tuple[str, ...]:
        seen: Any = SimpleNamespace(clues=[{}, clues], near={MIXED: none}, alike=alike)
        return reasons(evidence, seen, row, of_role, of_end)

    assert said(1, role, end) == (
        "1,500 of 2,000 classes called “new …” are so related to something broader than what stands for the dots",
        "1 of 2 classes called “… lobe” have just this",
        "3 of 12 classes called “left … of heart” are so related to what stands for the dots",
    )
    assert said(1, None, end) == ("9 of 10 classes called “… bark” are so related to what stands for the dots",)
    assert said(1, role, 0) == ("its own texts are alike (0.50)",)
    assert said(1, role, 1) == ("19 of 20 classes called “… root” have just this", "its own texts are alike (0.30)")
    assert said(1, role, 3) == ("its own texts are alike (0.30)",)
    assert said(0, role, end) == ()


def test_ends_of_a_role_are_suggested_where_classes_with_like_texts_or_names_have_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of classes 0, 2 and 5 with like texts the last two have the role; 3 is against what is given, 4 follows."""
    monkeypatch.setattr("elgeo.evaluation.placing.place.reasons", lambda *given: (str(given[2:]),))
    told = np.zeros((7, 7))
    told[[2, 2, 5, 6], [3, 4, 4, 1]] = 1
    names = SimpleNamespace(class_label=lambda class_id: f"class {class_id}")
    knowledge = SimpleNamespace(ids=np.arange(7) + 20, dataset=SimpleNamespace(vocabulary=names))
    evidence = SimpleNamespace(told={4: sparse.csr_array(told)}, knowledge=knowledge)
    placer = Placer(SimpleNamespace(knowledge=knowledge, evidence=evidence))  # type: ignore[arg-type]
    placer.__dict__["_word"] = SimpleNamespace(
        named=lambda class_id, role: f"{role} some {class_id}",
        unsatisfiable=lambda axioms: axioms == ["given", "4 some 23"],
        has=lambda parent, role, end: (parent, role, end) == (50, 4, 24),
    )
    belief = np.array([0.125, 0.0, 0.0625, 0.25, 0.5, 0.0, 0.0625])

    def suggested(near: list[float], clue: float, top: int) -> list[tuple[int, float, str]]:
        weights = np.zeros((2, 7))
        weights[1, [0, 2, 5]] = near
        clues = [{}, {("same", (4, 3)): Clue(clue, ((), ()), 1, 1), ("same", (None, 1)): Clue(0.9, ((), ()), 1, 1)}]
        seen: Any = SimpleNamespace(near={MIXED: sparse.csr_array(weights)}, clues=clues)
        found = placer._relations(seen, 1, 4, belief, [50], ["given"], top)
        assert [each.reasons for each in found] == [(str((1, 4, each.class_id - 20)),) for each in found]
        return [(each.class_id, each.share, each.verdict) for each in found]

    first = (24, 0.75 * 0.5, "follows from class 50")
    second = (23, 0.75 * 0.25, "contradicts the first parent")
    assert suggested([0.125, 0.25, 0.5], 0.0, 7) == [first, second, (20, 0.75 * 0.125, "")]
    assert suggested([0.125, 0.25, 0.5], 0.0, 5) == [first, second]
    assert suggested([0.125, 0.25, 0.5], 0.0, 1) == [first]
    assert suggested([0.9, 0.0625, 0.0], 0.75, 4) == [first, second]
    assert suggested([0.9, 0.0625, 0.0], USUAL, 2) == [(24, USUAL * 0.5, first[2])]
    assert suggested([0.9, 0.0625, 0.03125], 0.0625, 4) == []


def test_a_parent_is_redundant_by_one_that_can_be_and_is_against_the_first_that_can_be(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Classes are what is in them: one is below another that has all of it, and two without a common thing clash."""
    monkeypatch.setattr("elgeo.evaluation.placing.place.reasons", lambda *given: (str(given[2:]),))
    inside = {"given": {1, 2, 3, 4}, 20: {1, 2}, 21: {1, 2, 3}, 22: {4}, 23: {1, 2, 3, 4}, 24: {5}, 25: {1}}
    inside |= {26: {3, 4}, 27: {1, 2, 3, 5}}
    names = SimpleNamespace(class_label=lambda class_id: f"class {class_id}")
    knowledge = SimpleNamespace(ids=np.arange(8) + 20, dataset=SimpleNamespace(vocabulary=names))
    placer = Placer(SimpleNamespace(knowledge=knowledge, evidence=None))  # type: ignore[arg-type]
    placer.__dict__["_word"] = SimpleNamespace(
        named=lambda class_id: class_id,
        unsatisfiable=lambda expressions: not set.intersection(*(inside[each] for each in expressions)),
        below=lambda lower, upper: inside[lower] <= inside[upper],
    )
    belief = np.array([0.5, 0.625, 0.0625, 0.25, 1.0, LIKELY * 0.5, 0.0, 0.3])

    def said(axioms: list[str], top: int) -> dict[int, str]:
        seen: Any = None
        found = placer._parents(seen, 1, belief, axioms, top)
        assert [(each.share, each.reasons) for each in found] == [
            (belief[each.class_id - 20], (str((1, None, each.class_id - 20)),)) for each in found
        ]
        return {each.class_id: each.verdict for each in found}

    both = {
        24: "contradicts the given axioms", 21: "follows from class 20", 20: "follows from class 25",
        27: "follows from class 21", 23: "follows from class 21", 22: "contradicts class 21", 25: "", 26: "",
    }  # fmt: skip
    assert said(["given"], 8) == both
    assert list(said(["given"], 8)) == list(both)
    assert said(["given"], 3) == {24: both[24], 21: both[21], 20: ""}
    against = dict.fromkeys([21, 20, 23, 22, 25, 26], "contradicts class 24")
    assert said([], 20) == {24: "", 27: "follows from class 24", **against}


@pytest.mark.parametrize(("count", "said"), [(32, []), (33, [32]), (64, [32]), (1_040, [*range(32, 1_040, 32)])])
def test_now_and_then_it_is_said_how_many_terms_are_placed(
    count: int, said: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("elgeo.evaluation.placing.place.AT_ONCE", 2)
    monkeypatch.setattr(Placer, "_placed", lambda self, proposal, seen, row, parents, *rest: (proposal, seen[row], row))
    placement = SimpleNamespace(
        knowledge=SimpleNamespace(roles=()), look=list, scores=lambda seen, role: np.zeros((len(seen), 3))
    )
    placer, messages = Placer(placement), list[str]()  # type: ignore[arg-type]
    placer.__dict__["_word"] = SimpleNamespace(right_sides=list)
    proposals = [Proposal(f"term {i}") for i in range(count)]
    found: list[Any] = list(placer.place(proposals, say=messages.append))
    assert found == [(proposal, proposal.term, i % 2) for i, proposal in enumerate(proposals)]
    assert messages == [f"placed {done:,} of {count:,} terms" for done in said]


@pytest.mark.slow
def test_the_reasoners_word(run: Run) -> None:
    names = run.dataset.vocabulary
    [placed] = run.place(NEGATIVE, top=20)
    saturation = elgeo.Reasoner(run.dataset.forms)
    verdicts = set()
    for each in placed.parents:
        likely = [other.class_id for other in placed.parents if other.share >= 0.1 * each.share]
        below = [c for c in likely if c != each.class_id and saturation.entails(("subclass", [c, each.class_id]))]
        verdicts.add(each.verdict.partition(" ")[0])
        assert each.verdict.startswith("follows from") == bool(below) or each.verdict.startswith("contradicts")
    assert {"", "follows"} <= verdicts
    [placed] = run.place("heart process", axioms=["NEW SubClassOf process"], top=20)
    organ = [each for each in placed.parents if names.class_label(each.class_id) in small_names.ORGANS]
    assert organ
    assert {each.verdict for each in organ} == {"contradicts the given axioms"}
    assert names.class_label(placed.first_parents[0].class_id) not in small_names.ORGANS
    some = [Proposal(f"left {organ}", axioms=("NEW SubClassOf process",)) for organ in small_names.ORGANS]
    one_by_one = (run.place([each], top=60)[0] for each in some)
    placed = next(each for each in one_by_one if each.parents[0].verdict == "contradicts the given axioms")
    others = {each.verdict for each in placed.parents if names.class_label(each.class_id).endswith("development")}
    assert others  # what cannot be speaks against nothing
    assert not any(verdict.startswith("contradicts") for verdict in others)


@pytest.mark.slow
def test_what_exists_already(run: Run, run_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    [placed] = run.place("Heart  Valve")
    assert [(labels(run, [each]), each.how) for each in placed.existing[:1]] == [(["heart valve"], "same label")]
    [placed] = run.place("heart-valve")
    assert placed.existing[0].how == "same label"
    [placed] = run.place("heart valve+")
    assert [(labels(run, [each]), each.how) for each in placed.existing[:1]] == [(["heart valve"], "near name")]
    [placed] = run.place("cor", synonyms=["heart"])
    assert (labels(run, placed.existing[:1]), placed.existing[0].how) == (["heart"], "same label, by a synonym given")
    [placed] = run.place("heart valve", synonyms=["heart", "heart"])
    named = [(labels(run, [each])[0], each.how) for each in placed.existing[:2]]
    assert named == [("heart valve", "same label"), ("heart", "same label, by a synonym given")]
    assert main(["place", str(run_folder), "--label", "heart valve"]) == 0
    output = capsys.readouterr()
    iri = run.dataset.vocabulary.classes[run.dataset.vocabulary.class_id("heart valve")]
    assert output.err.splitlines()[-1] == f"elgeo: 'heart valve' exists already: {iri} (same label)"
    assert output.err.count("exists already") == 1
    assert "exists already: heart valve" in output.out
    assert main(["place", str(run_folder), "--label", "heart valve+", "--top", "1", "--json"]) == 0
    output = capsys.readouterr()
    assert "exists already" not in output.err  # a near name is another
    assert len(json.loads(output.out)["terms"][0]["parents"]) == 1


@pytest.mark.slow
def test_formats(run: Run, run_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    batch = tmp_path / "terms.tsv"
    batch.write_text(
        f'id\tlabel\tsynonyms\tdefinition\nX:9001\t{NEGATIVE}\ta|b\tSome "words".\n\n\t{VALVE}\n', encoding="utf-8"
    )
    assert main(["place", str(run_folder), "--batch", str(batch), "--format", "ofn"]) == 0
    text = capsys.readouterr().out
    (tmp_path / "new.ofn").write_text(text)
    ontology = read(tmp_path / "new.ofn")
    iri = "http://purl.obolibrary.org/obo/X_9001"
    assert ontology.labels[iri] == NEGATIVE
    assert ontology.labels["urn:new:2"] == VALVE
    assert ontology.synonyms[iri] == ("a", "b")
    assert ontology.definitions[iri] == 'Some "words".'
    assert f'AnnotationAssertion(<http://purl.obolibrary.org/obo/IAO_0000115> <{iri}> "Some' in text
    for name in ("a", "b"):
        exact = "http://www.geneontology.org/formats/oboInOwl#hasExactSynonym"
        assert f'AnnotationAssertion(<{exact}> <{iri}> "{name}")' in text
    names = run.dataset.vocabulary
    said = [str(axiom) for axiom in ontology.axioms]
    true = [names.classes[names.class_id(label)] for label in PARENTS_OF_NEGATIVE]
    assert any(f"SubClassOf(<{iri}> <{parent}>)" in said for parent in true)
    assert main(["place", str(run_folder), "--batch", str(batch), "--format", "template"]) == 0
    rows = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    assert rows[0][:5] == ["ID", "label", "definition", "synonyms", "parents"]
    assert rows[1][:3] == ["ID", "LABEL", "A IAO:0000115"]
    assert rows[2][:4] == ["X:9001", NEGATIVE, 'Some "words".', "a|b"]
    assert rows[3][0] == "urn:new:2"
    assert all(len(row) == len(rows[0]) for row in rows)
    assert main(["place", str(run_folder), "--batch", str(batch), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert [term["label"] for term in document["terms"]] == [NEGATIVE, VALVE]
    assert document["terms"][0]["parents"][0]["iri"] in true
    assert (document["terms"][0]["definition"], document["terms"][0]["synonyms"]) == ('Some "words".', ["a", "b"])
    assert (run_folder / "placement.safetensors").is_file()


@pytest.mark.slow
def test_axioms_that_are_given_are_written(
    run_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["--axiom", "NEW SubClassOf heart and regulates some 'lung development'", "--id", "http://x.org/new#1"]
    assert main(["place", str(run_folder), "--label", "left heart", *given, "--format", "ofn"]) == 0
    (tmp_path / "new.ofn").write_text(capsys.readouterr().out)
    said = [str(axiom) for axiom in read(tmp_path / "new.ofn").axioms]
    names = Run.load(run_folder).dataset.vocabulary
    heart, lung = (names.classes[names.class_id(label)] for label in ("heart", "lung development"))
    [role] = [name for name in names.roles if name.endswith("regulates")]
    right = f"ObjectIntersectionOf(<{heart}> ObjectSomeValuesFrom(<{role}> <{lung}>))"
    assert f"SubClassOf(<http://x.org/new#1> {right})" in said
    batch = tmp_path / "terms.tsv"
    batch.write_text(f"label\taxioms\nleft heart\t{given[1]}\nsmall liver\t\n")
    assert main(["place", str(run_folder), "--batch", str(batch), "--format", "template"]) == 0
    rows = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    short_heart, short_lung = (iri.rpartition("/")[2].replace("_", ":") for iri in (heart, lung))
    said_there = f"({short_heart} and ('regulates' some {short_lung}))"
    assert [row[-1] for row in rows] == ["given", "SC % SPLIT=|", said_there, ""]
    assert main(["place", str(run_folder), "--batch", str(batch), "--json"]) == 0
    first, second = json.loads(capsys.readouterr().out)["terms"]
    assert (first["axioms"], second["axioms"]) == ([given[1]], [])
    assert len(said) == len(set(said)) > 1


@pytest.mark.slow
def test_terms_are_placed_together_as_they_are_alone(run: Run) -> None:
    some = [
        Proposal(NEGATIVE), Proposal("сердце"), Proposal("heart lobe", axioms=("NEW SubClassOf heart",)),
        Proposal("zxqv", definition="wvut"), Proposal("heart"), Proposal("kidney", synonyms=("brain",)),
    ]  # fmt: skip

    def said(placed: Placed) -> object:
        ends = dict[int | None, Any]([(None, placed.parents), *placed.relations.items()])
        shares = {role: [pytest.approx(each.share, rel=1e-4) for each in found] for role, found in ends.items()}
        words = {role: [(each.class_id, each.reasons, each.verdict) for each in found] for role, found in ends.items()}
        same = [(each.class_id, each.how) for each in placed.existing]
        return placed.proposal, words, shares, same, placed.follows, placed.known_words

    together = run.place(some, top=4)
    assert [placed.known_words for placed in together] == [True, False, True, False, True, True]
    for placed, proposal in zip(together, some, strict=True):
        [alone] = run.place([proposal], top=4)
        assert said(placed) == said(alone)


def test_bad_input(run: Run, run_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SettingError, match="empty"):
        run.place("  ")
    with pytest.raises(SettingError, match="NEW SubClassOf"):
        run.place("x", axioms=["heart SubClassOf organ"])
    with pytest.raises(ElgeoError, match="no class is called 'nowhere'"):
        run.place("x", axioms=["NEW SubClassOf nowhere"])
    [placed] = run.place("сердце")
    assert not placed.known_words
    assert len(placed.parents) == 10
    table = tmp_path / "terms.tsv"
    for text, problem in (
        ("name\nx\n", "`label`"),
        ("label\tid\n\tX:1\n", "empty"),
        ("label\n", "no term"),
        ("label\tid\nheart\t<bad id>\n", r"terms\.tsv:2: .*like X:0001"),
        ("label\tid\nheart\tX:1\n\nlung\tX:1\n", r"terms\.tsv:4: .*'X:1' is that of line 2"),
        ("", "`label`"),
    ):
        table.write_text(text)
        with pytest.raises(ReadError, match=problem):
            api.proposals(table)
    table.write_text("label\tid\nheart\tX:1\n\n \tX:2\n")
    with pytest.raises(ReadError, match=r"terms\.tsv:4: .*empty"):
        api.proposals(table)
    table.write_bytes(b"label\n\xff\n")
    with pytest.raises(ReadError, match="UTF-8"):
        api.proposals(table)
    table.write_text("label\nheart\n")
    for option in ("--definition", "--synonym", "--axiom", "--id"):
        assert main(["place", str(run_folder), "--batch", str(table), option, "x"]) == 2
        assert "belong to --label: a batch has columns for them" in capsys.readouterr().err
    assert main(["place", str(run_folder), "--label", "x", "--top", "0"]) == 2
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.slow
def test_many_terms_at_once_are_placed_as_alone(run: Run) -> None:
    many = [Proposal(f"{word} {i}") for i, word in enumerate(["heart", "lobe development", "regulation of lung"] * 20)]
    found = run.place(many, top=3)
    assert len(found) == 60
    for i in (0, 17, 59):
        [alone] = run.place([many[i]], top=3)
        assert [each.class_id for each in alone.parents] == [each.class_id for each in found[i].parents]


@pytest.mark.slow
def test_weights_that_do_not_fit_are_learnt_anew(run_folder: Path, tmp_path: Path) -> None:
    from elgeo.training.folder.tensors import load_arrays, save_arrays

    loaded = Run.load(run_folder)
    first = placement_of(loaded).arrays()
    save_arrays(run_folder / "placement.safetensors", {"parents": np.ones(2)}, {})
    said: list[str] = []
    again = placement_of(loaded, said.append).arrays()
    assert "learnt anew" in said[0]
    for name, weights in first.items():
        np.testing.assert_array_equal(again[name], weights)
        np.testing.assert_array_equal(load_arrays(run_folder / "placement.safetensors")[0][name], weights)


def test_ranks_by_brute_force() -> None:
    generator = np.random.default_rng(3)
    scores = generator.integers(0, 4, (5, 12)).astype(np.float32)
    true = [np.sort(generator.permutation(12)[:k]).astype(np.int64) for k in (1, 2, 0, 3, 1)]
    found = rank(scores, true, 100)
    at = 0
    for row, ends in enumerate(true):
        for end in ends.tolist():
            rivals = [scores[row, c] for c in range(12) if c not in ends]
            assert found.heads[at] == 100 + row
            assert found.answers[at] == end
            assert found.optimistic[at] == 1 + sum(value > scores[row, end] for value in rivals)
            assert found.pessimistic[at] == found.optimistic[at] + sum(value == scores[row, end] for value in rivals)
            assert found.candidates[at] == 1 + len(rivals)
            at += 1
    assert at == len(found)
    assert found.total == 12


def test_ranks_of_parts_are_those_of_all_at_once() -> None:
    generator = np.random.default_rng(6)
    scores = generator.integers(0, 5, (7, 11)).astype(np.float32)
    true = [np.sort(generator.permutation(11)[:k]).astype(np.int64) for k in (2, 0, 1, 3, 1, 0, 2)]
    whole = rank(scores, true, 0)
    for ends in ([7], [3, 7], [1, 2, 6, 7]):
        parts = [rank(scores[low:high], true[low:high], low) for low, high in pairwise([0, *ends])]
        found = _joined(parts)
        assert found.total == whole.total == 11
        for field in ("heads", "answers", "optimistic", "pessimistic", "candidates"):
            np.testing.assert_array_equal(getattr(found, field), getattr(whole, field))


def test_nearest_names_by_brute_force() -> None:
    generator = np.random.default_rng(4)
    alike = generator.random((2, 50)).astype(np.float32)
    told = (generator.random((50, 50)) < 0.1).astype(np.float32)
    votes = np.zeros((2, 50))
    for row in range(2):
        for near in sorted(range(50), key=lambda c: -alike[row, c])[:30]:
            votes[row] += alike[row, near] * told[near]
    matrices = sparse.csr_array(alike), sparse.csr_array(told)
    np.testing.assert_allclose(nearest_names(*matrices, None), votes + alike, rtol=1e-5)
    np.testing.assert_allclose(nearest_names(*matrices, 7), votes, rtol=1e-5)


def test_naively_a_class_that_many_are_told_of_comes_first() -> None:
    generator = np.random.default_rng(5)
    told, mean = generator.random((17, 17)) < 0.2, sparse.csr_array(generator.random((3, 17)))
    evidence = SimpleNamespace(told={4: sparse.csr_array(told.astype(np.float32))})
    placement: Any = SimpleNamespace(evidence=evidence, scores=lambda seen, role: np.full((3, 17), 0.5 * role))
    seen: Any = None
    found = _methods(placement, seen, mean, 4)
    assert set(found) == {"atlas", "nearest-names", "naive"}
    np.testing.assert_array_equal(found["atlas"], 2)
    np.testing.assert_array_equal(found["nearest-names"], nearest_names(mean, evidence.told[4], 4))
    np.testing.assert_array_equal(found["naive"], [[sum(told[:, d]) for d in range(17)]] * 3)


def test_a_group_begins_at_its_value_and_ends_where_the_next_one_begins() -> None:
    places, none = np.array([1, 2, 4, 4, 8, 2, 5]), np.zeros(7, np.int32)
    ranks = Ranks(np.arange(7, dtype=np.int32), none, places, places, np.full(7, 9), 9)
    values = np.array([0.0, 0.3, 0.19, 0.2, 0.5, 7.0, 0.49])
    found = _grouped(ranks, values, {"low": 0.0, "middle": 0.2, "none": 0.495, "high": 0.5})
    means = {"low": (2, (1 + 4) / 2), "middle": (3, (2 + 4 + 5) / 3), "high": (2, (8 + 2) / 2)}
    assert {name: each["axioms"] for name, each in found.items()} == {name: count for name, (count, _) in means.items()}
    assert all(each["mean_rank"] == pytest.approx(means[name][1]) for name, each in found.items())


def test_each_figure_has_its_own_number_of_digits() -> None:
    metrics = {"hits@1": 0.125, "hits@10": 1 / 3, "hits@100": 2 / 3, "mrr": 0.0625, "mean_rank": 1234.56}
    target = {"axioms": 1200, "methods": {"atlas": metrics}, "depth": {"0-3": {**metrics, "axioms": 7}}, "nearness": {}}
    lines = NewClasses("7 terms", 4321, {"C ⊑ D": target}).table().splitlines()
    figures = ["0.125", "0.333", "0.667", "0.062", "1234.6"]
    assert [line.split() for line in lines[2:]] == [
        ["C", "⊑", "D:", "1,200", "axioms"],
        ["hits@1", "hits@10", "hits@100", "mrr", "mean_rank"],
        ["atlas", *figures],
        ["depth", "0-3", *figures, "(7)"],
    ]
    assert "4,321" in lines[0]


@pytest.mark.slow
def test_classes_held_out_whole(run_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", str(run_folder), "--new-classes", "--json"]) == 0
    printed = capsys.readouterr()
    assert "elgeo: learning\n" in printed.err
    found = json.loads(printed.out)
    isa = found["targets"]["C ⊑ D"]
    assert set(isa["methods"]) == {"atlas", "nearest-names", "naive"}
    assert isa["methods"]["atlas"]["mrr"] > isa["methods"]["nearest-names"]["mrr"] > isa["methods"]["naive"]["mrr"]
    assert sum(group["axioms"] for group in isa["depth"].values()) == isa["axioms"]
    assert sum(group["axioms"] for group in isa["nearness"].values()) == isa["axioms"]
    assert json.loads((run_folder / "new_classes.json").read_text()) == found
    assert main(["evaluate", str(run_folder), "--new-classes"]) == 0
    assert "nearest-names" in capsys.readouterr().out


def test_a_back_test_is_found_beside_the_dataset_of_a_run(tmp_path: Path) -> None:
    for name in ("back", "other"):
        (tmp_path / name / "subclass").mkdir(parents=True)
    for name in ("new_terms.tsv", "new_term_axioms.tsv"):
        (tmp_path / "back" / name).write_text("")

    def found(given: object, path: str | None, folder: Path | None, relative: str | None) -> Path | None:
        known = SimpleNamespace(path=path, relative=relative)
        run: Any = SimpleNamespace(record=SimpleNamespace(dataset=known), given_dataset=given, folder=folder)
        return back_test_of(run)

    back, here, there = tmp_path / "back", str(tmp_path / "back" / "subclass"), str(tmp_path / "other" / "subclass")
    for answer, given in (
        (back, (here, None, None, None)),
        (back, (object(), here, None, None)),
        (back, (there, here, tmp_path, None)),
        (back, (None, there, tmp_path / "run", "../back/subclass")),
        (None, (there, there, None, "../back/subclass")),
        (None, (None, None, tmp_path / "back" / "subclass", None)),
    ):
        assert found(*given) == answer


@pytest.mark.slow
def test_new_terms_of_a_release(tmp_path: Path) -> None:
    old = small_names.write(tmp_path / "old.obo")
    more = [
        f"[Term]\nid: X:9001\nname: {NEGATIVE}\nis_a: X:0048\nrelationship: regulates X:0047",
        "[Term]\nid: X:9002\nname: of nothing old\nis_a: X:9001",
        "[Term]\nid: X:0006\nname: brain\nis_a: X:0001\nis_a: X:0011",
    ]
    stanzas = [each for each in small_names.lines() if "\nname: brain\n" not in each]
    (tmp_path / "new.obo").write_text("\n\n".join([*stanzas, *more]))
    found = back_test(Releases(old, tmp_path / "new.obo", ("?C SubClassOf ?D",)))
    save_back_test(found, tmp_path / "back-test")
    run = elgeo.train(tmp_path / "back-test" / "subclass", model="naive", folder=tmp_path / "run")
    said = list[str]()
    result = api.evaluate_new_classes(run, say=said.append).to_dict()
    assert said[0] == f"new terms of {tmp_path / 'back-test'}"
    assert result["new_classes"] == "1 terms that only the newer release has"
    assert result["targets"]["C ⊑ D"]["axioms"] == 1
    assert result["candidates"] == len(found.names.old)
    told = tmp_path / "back-test" / "new_term_axioms.tsv"
    lines = told.read_text().splitlines()
    iri, parent = lines[1].split("\t")[0], lines[1].split("\t")[2]
    more_lines = [f"{iri}\tno such role\t{parent}", f"{iri}\t\thttp://x/unknown", f"{iri}\t\towl:Thing"]
    told.write_text("\n".join([*lines, *more_lines]) + "\n")
    assert api.evaluate_new_classes(run).to_dict()["targets"] == result["targets"], "what is not known does not count"
    placement = placement_of(run)
    ids, names = placement.knowledge.ids, placement.knowledge.dataset.vocabulary.classes
    for place in (0, len(ids) - 1):
        told.write_text(f"head\trole\ttail\n{iri}\t\t{names[ids[place]]}\n")
        [ends] = of_release(placement, tmp_path / "back-test").true[None]
        assert ends.tolist() == [place]
    told.write_text("head\trole\ttail\n")
    with pytest.raises(ElgeoError, match="no new term"):
        api.evaluate_new_classes(run)
    (tmp_path / "back-test" / "new_term_axioms.tsv").write_text("head\trole\ttail\nx\ty\n")
    with pytest.raises(ReadError, match="2 columns"):
        api.evaluate_new_classes(run)
    assert datasets.load(tmp_path / "back-test" / "subclass").name == "releases-subclass"

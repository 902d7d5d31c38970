"""Predictions and exports on the small dataset: what is excluded, marked and named, and files that read back."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from elgeo.datasets.model import Dataset, Kinds
from elgeo.errors import SettingError, UnknownNameError
from elgeo.evaluation.entailments import Entailments
from elgeo.evaluation.export import export
from elgeo.evaluation.predictions.predict import predict
from elgeo.models.ball_models.elem import ElEmbeddings, ElSettings
from elgeo.models.baselines import Naive
from elgeo.models.contract import Sizes
from elgeo.ontology import normalise
from elgeo.ontology.expressions import Op
from elgeo.ontology.model import Builder
from elgeo.report.predictions_text import as_json, as_table, as_tsv
from tests.evaluation.small_functions import PREFIX, functions


@pytest.fixture(scope="module")
def dataset() -> Dataset:
    return functions()


@pytest.fixture(scope="module")
def entailments(dataset: Dataset) -> Entailments:
    return Entailments(dataset)


@pytest.fixture(scope="module")
def model(dataset: Dataset) -> ElEmbeddings:
    return ElEmbeddings(Sizes.of(dataset), ElSettings(dimension=4), np.random.default_rng(0))


def test_predictions_of_a_head_are_the_best_that_are_left(
    dataset: Dataset, entailments: Entailments, model: ElEmbeddings
) -> None:
    head = dataset.vocabulary.class_id("P3")
    found = predict(model, dataset, head="P3", top=7, exclude=("entailed", "train"), entailments=entailments)
    rows = np.array([(head, dataset.target_role, t) for t in dataset.candidates])
    left = dataset.candidates[~entailments.contains(rows)]
    scores = model.scorer().tails(np.array([head]), dataset.target_role, left)[0]
    order = np.argsort(-scores, kind="stable")[:7]
    assert found.rows[:, 2].tolist() == left[order].tolist()
    assert found.scores == pytest.approx(scores[order])
    assert found.ranks.tolist() == [1, 2, 3, 4, 5, 6, 7]
    held_out = {(int(h), int(t)) for h, _, t in [*dataset.valid, *dataset.test]}
    for (h, _, t), status in zip(found.rows.tolist(), found.status, strict=True):
        assert status in ("held out" if (h, t) in held_out else "novel", "contradicted")


def test_predictions_of_a_tail_and_of_all(dataset: Dataset, entailments: Entailments, model: ElEmbeddings) -> None:
    tail = dataset.vocabulary.class_id("second term")
    found = predict(model, dataset, tail="second term", top=100, exclude=(), entailments=entailments)
    proteins = dataset.kinds.members("protein")
    scores = model.scorer().heads(proteins, dataset.target_role, np.array([tail]))[0]
    assert found.rows[:, 0].tolist() == proteins[np.argsort(-scores, kind="stable")].tolist()
    assert set(found.rows[:, 2].tolist()) == {tail}

    whole = predict(model, dataset, top=30, exclude=(), entailments=entailments)
    every = model.scorer().tails(proteins, dataset.target_role, dataset.candidates)
    best = np.sort(every, axis=1)[:, ::-1]
    margins = np.where(every == best[:, :1], every - best[:, 1:2], every - best[:, :1])
    assert whole.margins == pytest.approx(np.sort(margins.ravel())[::-1][:30])


def test_status_says_what_is_known(dataset: Dataset, entailments: Entailments, model: ElEmbeddings) -> None:
    found = predict(model, dataset, top=10_000, exclude=(), entailments=entailments)
    assert len(found.rows) == len(dataset.kinds.members("protein")) * len(dataset.candidates)
    status = {(int(h), int(t)): s for (h, _, t), s in zip(found.rows, found.status, strict=True)}
    train = {(int(h), int(t)) for h, _, t in dataset.train}
    held_out = {(int(h), int(t)) for h, _, t in [*dataset.valid, *dataset.test]}
    assert "held out" in status.values()
    entailed = entailments.contains(found.rows)
    first, p0 = dataset.vocabulary.class_id("T1"), dataset.vocabulary.class_id("P0")
    assert status[p0, first] == "contradicted"
    for (h, _, t), follows in zip(found.rows.tolist(), entailed, strict=True):
        if (h, t) in train:
            assert status[h, t] == "asserted"
        elif follows:
            assert status[h, t] == "entailed"
        else:
            assert status[h, t] in ("held out" if (h, t) in held_out else "novel", "contradicted")
    below = [t for t in dataset.candidates.tolist() if first in entailments.hierarchy.superclasses(t)]
    contradicted = {pair for pair, s in status.items() if s == "contradicted"}
    assert contradicted == {(p0, t) for t in below}
    without = predict(model, dataset, top=10_000, exclude=("contradicted", "train"), entailments=entailments)
    kept = {(int(h), int(t)) for h, _, t in without.rows}
    assert kept == set(status) - contradicted - train


def test_neighbours_have_the_answer(dataset: Dataset, entailments: Entailments, model: ElEmbeddings) -> None:
    train = {(int(h), int(t)) for h, _, t in dataset.train}
    for predictor in (model, Naive.fit(dataset)):
        found = predict(predictor, dataset, top=40, exclude=(), entailments=entailments)
        assert any(found.neighbours)
        for (head, _, tail), near in zip(found.rows.tolist(), found.neighbours, strict=True):
            assert head not in near
            assert all((other, tail) in train for other in near)
    centres = model.embeddings()["class_centres"].astype(float)
    row, near = next((r, n) for r, n in zip(found.rows, found.neighbours, strict=True) if len(n) > 1)
    found = predict(model, dataset, top=400, exclude=(), entailments=entailments)
    for row, near in zip(found.rows, found.neighbours, strict=True):
        distances = [np.linalg.norm(centres[other] - centres[row[0]]) for other in near]
        assert distances == sorted(distances)


def test_another_role(dataset: Dataset, model: ElEmbeddings) -> None:
    found = predict(model, dataset, head="P3", role="located_in", top=5)
    role = dataset.vocabulary.role_id("located_in")
    assert set(found.rows[:, 1].tolist()) == {role}
    assert set(dataset.kinds.of_class[found.rows[:, 2]].tolist()) == {2}
    every = predict(model, dataset, role="located_in", top=10_000, exclude=())
    joined = dataset.forms.existential[dataset.forms.existential[:, 1] == role]
    assert every.dataset.train.tolist() == joined.tolist()
    assert 1 < len(joined) < len(dataset.forms.existential)
    kinds = [
        set(dataset.kinds.of_class[rows[:, column]].tolist()) for rows in (every.rows, joined) for column in (0, 2)
    ]
    assert kinds[:2] == kinds[2:]
    assert len(kinds[0]) == len(kinds[1]) == 1
    with pytest.raises(SettingError, match="reasons are given for the target"):
        predict(model, dataset, head="P3", role="located_in", top=5, explain=True)


def test_texts(dataset: Dataset, entailments: Entailments, model: ElEmbeddings) -> None:
    found = predict(model, dataset, head="P3", top=5, entailments=entailments)
    frame = found.frame()
    assert isinstance(frame, pd.DataFrame)
    assert list(frame["head"]) == [PREFIX + "P3"] * 5
    assert len(as_table(found).splitlines()) == 6
    assert as_tsv(found).splitlines()[0].split("\t") == list(frame.columns)
    document = json.loads(as_json(found))["predictions"]
    assert [p["tail"] for p in document] == list(frame["tail"])
    from elgeo.ontology import read

    text = found.functional_syntax()
    assert text.count("SubClassOf(") == 5
    assert callable(read)


def test_predicted_axioms_read_back(
    dataset: Dataset, entailments: Entailments, model: ElEmbeddings, tmp_path: Path
) -> None:
    from elgeo.ontology import read

    found = predict(model, dataset, head="P3", top=5, entailments=entailments)
    path = tmp_path / "predicted.ofn"
    path.write_text(found.functional_syntax(), encoding="utf-8")
    names = dataset.vocabulary
    expected = [
        f"SubClassOf(<{names.classes[h]}> ObjectSomeValuesFrom(<{names.roles[r]}> <{names.classes[t]}>))"
        for h, r, t in found.rows
    ]
    assert [str(axiom) for axiom in read(path).axioms] == expected


def test_bad_requests_are_refused(dataset: Dataset, model: ElEmbeddings, tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError):
        predict(model, dataset, head="nobody")
    with pytest.raises(SettingError, match="not both"):
        predict(model, dataset, head="P1", tail="T1")
    with pytest.raises(SettingError, match="cannot be excluded"):
        predict(model, dataset, head="P1", exclude=("novel",))
    with pytest.raises(SettingError, match="no geometry"):
        export(Naive.fit(dataset), dataset, tmp_path / "x", "npz")
    with pytest.raises(SettingError, match="no format"):
        export(model, dataset, tmp_path / "x", "csv")


@pytest.mark.parametrize("fresh", [False, True])
def test_exports_read_back(dataset: Dataset, model: ElEmbeddings, tmp_path: Path, fresh: bool) -> None:
    names = dataset.vocabulary
    kept = [i for i in range(names.n_classes) if fresh or names.class_kinds[i] != 3]
    centres, radii = (model.embeddings()[name][kept] for name in ("class_centres", "class_radii"))
    iris = [names.classes[i] for i in kept]

    with np.load(export(model, dataset, tmp_path / "a.npz", "npz", fresh), allow_pickle=False) as file:
        assert file["classes"].tolist() == iris
        np.testing.assert_array_equal(file["class_centres"], centres)
        np.testing.assert_array_equal(file["class_radii"], radii)

    frame = pd.read_parquet(export(model, dataset, tmp_path / "a.parquet", "parquet", fresh))
    classes = frame[frame["entity"] == "class"]
    assert classes["iri"].tolist() == iris
    np.testing.assert_array_equal(np.stack(classes["class_centres"].to_list()), centres)
    np.testing.assert_array_equal(classes["class_radii"], radii)
    assert frame["class_radii"].dtype == radii.dtype == np.float32
    assert set(frame[frame["entity"] == "role"]["iri"]) == {names.roles[i] for i in range(names.n_roles)}

    lines = export(model, dataset, tmp_path / "a.txt", "word2vec", fresh).read_text().splitlines()
    assert lines[0] == f"{len(lines) - 1} 4"
    first = lines[1].split(" ")
    assert len(first) == 5
    np.testing.assert_array_equal(np.array(first[1:], np.float32), centres[0])

    path = export(model, dataset, tmp_path / "a.tsv", "tsv", fresh)
    cells = pd.read_csv(path, sep="\t", dtype=str, keep_default_na=False)
    of_roles = cells[cells["entity"] == "role"]
    assert set(of_roles["class_radii"]) == {""}
    # the shortest decimals that read back as the same numbers
    assert cells["class_radii"].tolist()[: len(radii)] == [str(radius) for radius in radii]
    assert cells["class_centres_3"].tolist()[: len(radii)] == [str(centre[3]) for centre in centres]
    table = pd.read_csv(path, sep="\t")
    rows = table[table["entity"] == "class"]
    np.testing.assert_array_equal(rows["class_radii"].to_numpy(np.float32), radii)
    columns = [f"class_centres_{i}" for i in range(4)]
    np.testing.assert_array_equal(rows[columns].to_numpy(np.float32), centres)


def test_what_empties_a_class_below_its_head_is_never_proposed() -> None:
    """No penguin flies: birds are not said to fly, though some could."""
    builder = Builder()
    bird, penguin, flight, song, egg = (
        builder.entity(Op.Class, PREFIX + x) for x in ("Bird", "Penguin", "F", "S", "E")
    )
    can = builder.entity(Op.ObjectProperty, PREFIX + "can")
    flies, sings = (builder.node(Op.ObjectSomeValuesFrom, can, what) for what in (flight, song))
    builder.axiom(Op.SubClassOf, penguin, bird)
    builder.axiom(Op.DisjointClasses, penguin, flies)
    builder.axiom(Op.SubClassOf, egg, sings)
    forms = normalise(builder.finish())
    names = forms.vocabulary
    ids = {x: names.class_id(PREFIX + x) for x in ("Bird", "Penguin", "F", "S", "E")}
    role = names.role_id(PREFIX + "can")
    train = np.array([[ids["E"], role, ids["S"]]], np.int32)
    kinds = np.zeros(names.n_classes, np.int16)
    kinds[[ids["Bird"], ids["Penguin"], ids["E"]]], kinds[[ids["F"], ids["S"]]] = 1, 2
    dataset = Dataset(
        "birds", forms, "existential", role, train, train[:0], train[:0],
        Kinds(("other", "who", "what"), kinds), "who", "what",
    )  # fmt: skip
    naive = Naive.fit(dataset)
    shown = {
        head: predict(naive, dataset, head=head, explain=True).rows[:, 2].tolist() for head in ("Bird", "Penguin", "E")
    }
    assert shown == {"Bird": [ids["S"]], "Penguin": [ids["S"]], "E": [ids["F"]]}
    whole = predict(naive, dataset, head="Bird", exclude=(), explain=True)
    assert dict(zip(whole.rows[:, 2].tolist(), whole.status, strict=True)) == {
        ids["S"]: "novel",
        ids["F"]: "contradicted",
    }
    said = dict(zip(whole.rows[:, 2].tolist(), whole.reasons, strict=True))
    assert said[ids["F"]][0].words == "makes Penguin unsatisfiable"
    assert not any("unsatisfiable" in reason.words for reason in said[ids["S"]])

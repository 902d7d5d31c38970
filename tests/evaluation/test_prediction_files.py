"""Predictions in files, read back by our readers, by pandas and by other people's readers of OWL."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pyhornedowl
import pyoxigraph
import pytest

import elgeo
from elgeo.cli import main
from elgeo.errors import ReadError, SettingError
from elgeo.evaluation.entailments import Entailments
from elgeo.evaluation.predictions.as_ontology import as_ontology
from elgeo.evaluation.predictions.predict import Predictions, predict
from elgeo.ontology import read
from elgeo.ontology.expressions import Op
from elgeo.ontology.model import Builder
from elgeo.ontology.writing.notes import Note
from elgeo.ontology.writing.write import write as elgeo_write
from elgeo.report.predictions_file import ENDINGS, write_predictions
from tests.evaluation.small_places import PREFIX, TablePredictor, places

DATASET = places()
ENTAILMENTS = Entailments(DATASET)
SYNTAXES = [ending for ending in ENDINGS if ending not in (".tsv", ".json", ".jsonl", ".parquet")]
OWN, TERMS = "urn:elgeo#", "http://purl.org/dc/terms/"


@pytest.fixture(scope="module")
def found() -> Predictions:
    n = DATASET.vocabulary.n_classes
    matrix = np.random.default_rng(7).normal(size=(n, n)) / 3
    return predict(TablePredictor(matrix), DATASET, top=12, explain=True, entailments=ENTAILMENTS)


def axioms_of(found: Predictions) -> list[str]:
    names = DATASET.vocabulary
    return [
        f"SubClassOf(<{names.classes[a]}> ObjectSomeValuesFrom(<{names.roles[r]}> <{names.classes[b]}>))"
        for a, r, b in found.rows.tolist()
    ]


def test_tables_read_back(found: Predictions, tmp_path: Path) -> None:
    frame = found.frame()
    for ending in (".tsv", ".parquet", ".jsonl", ".json"):
        assert write_predictions(found, tmp_path / f"found{ending}") == []
    exact = {"check_exact": True, "check_dtype": False}
    tsv = pd.read_csv(tmp_path / "found.tsv", sep="\t", dtype=str, keep_default_na=False)
    for name in ("score", "margin", "rank"):
        tsv[name] = tsv[name].map(float)  # pandas' own reading of numbers may be off by a bit
    pd.testing.assert_frame_equal(tsv, frame, **exact)  # type: ignore[arg-type]
    pd.testing.assert_frame_equal(pd.read_parquet(tmp_path / "found.parquet"), frame, **exact)  # type: ignore[arg-type]
    lines = [json.loads(line) for line in (tmp_path / "found.jsonl").read_text().splitlines()]
    assert lines == json.loads((tmp_path / "found.json").read_text())["predictions"]
    for name in ("head", "tail", "role", "score", "margin", "status", "head_label"):
        assert [line[name] for line in lines] == frame[name].tolist()
    names = DATASET.vocabulary.classes
    assert [line["neighbours"] for line in lines] == [[names[c] for c in near] for near in found.neighbours]
    assert [[r["words"] for r in line["reasons"]] for line in lines] == [[r.words for r in g] for g in found.reasons]


@pytest.mark.parametrize("ending", [*SYNTAXES, ".owl.gz"])
def test_every_syntax_gives_back_axioms_declarations_and_labels(
    found: Predictions, ending: str, tmp_path: Path
) -> None:
    path = tmp_path / f"found{ending}"
    assert write_predictions(found, path) == []
    back = read(path)
    assert sorted(str(axiom) for axiom in back.axioms) == sorted(axioms_of(found))
    names = {DATASET.vocabulary.classes[c] for c in found.rows[:, [0, 2]].ravel().tolist()}
    declared = {back.string(node) for node in back.declared.tolist()}
    assert names | {PREFIX + "touches"} <= declared
    assert {iri: label for iri, label in back.labels.items() if not iri.startswith((OWN, TERMS))} == {
        iri: label for iri, label in DATASET.vocabulary.labels.items() if iri in names
    }


@pytest.mark.parametrize("ending", [".ofn", ".ofn.gz", ".owl", ".ttl", ".owx"])
def test_provenance_reads_back_without_loss(found: Predictions, ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"found{ending}"
    made = as_ontology(found, "mine")
    write_predictions(found, path, "mine")
    back = elgeo.read_notes(path)
    written = {made.ontology.text(node): sorted(notes) for node, notes in made.notes.items()}
    assert {axiom: sorted(notes) for axiom, notes in back.items()} == written
    assert set(back) == {str(axiom) for axiom in read(path).axioms}


def test_provenance_of_individuals_and_expressions_and_strange_words(tmp_path: Path) -> None:
    builder = Builder()
    a, b = (builder.entity(Op.Class, f"http://x/{name}") for name in "ab")
    role, one = builder.entity(Op.ObjectProperty, "http://x/r"), builder.entity(Op.NamedIndividual, "http://x/i")
    both = builder.node(Op.ObjectIntersectionOf, b, builder.node(Op.ObjectSomeValuesFrom, role, b))
    value = builder.node(Op.ObjectSomeValuesFrom, role, builder.node(Op.ObjectOneOf, one))
    notes = {}
    words = [
        '"a \\"quoted\\" \\\\ word) Annotation(<x> \\"y\\")"',
        '"zwei"@de',
        '"3"^^<http://www.w3.org/2001/XMLSchema#int>',
        '"two\nlines"',
    ]
    for left, right in ((a, b), (both, a), (a, value), (b, both)):
        notes[builder.axiom(Op.SubClassOf, left, right)] = [Note("http://x/p", word) for word in words]
    ontology = builder.finish(iri="http://x/o")
    for ending in (".ofn", ".owl", ".ttl", ".owx"):
        elgeo_write(ontology, tmp_path / f"o{ending}", notes=notes)
        back = elgeo.read_notes(tmp_path / f"o{ending}")
        assert {k: sorted(v) for k, v in back.items()} == {ontology.text(n): sorted(v) for n, v in notes.items()}
    elgeo_write(ontology, tmp_path / "o.omn", notes=notes)
    with pytest.raises(SettingError, match=r"o\.omn: annotations of axioms are read from functional"):
        elgeo.read_notes(tmp_path / "o.omn")
    (tmp_path / "bad.owx").write_text("<Ontology xmlns='http://www.w3.org/2002/07/owl#'><SubClassOf></Ontology>")
    with pytest.raises(ReadError, match=r"bad\.owx"):
        elgeo.read_notes(tmp_path / "bad.owx")


READ = {
    "o.ofn": """Ontology(
SubClassOf(Annotation(<http://x/by> <http://x/ann>) Annotation(<http://x/on> "to
day"@en) <http://x/a> <http://x/b>)
SubClassOf(<http://x/b> <http://x/c>)
)
""",
    "o.ttl": """@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix x: <http://x/> .
<http://x/o> a owl:Ontology .
x:a <http://www.w3.org/2000/01/rdf-schema#subClassOf> x:b .
[] a owl:Axiom ; owl:annotatedSource x:a ; owl:annotatedTarget x:b ; x:by x:ann ; x:on "to\\nday"@en ;
  owl:annotatedProperty <http://www.w3.org/2000/01/rdf-schema#subClassOf> .
""",
    "o.owx": """<Ontology xmlns="http://www.w3.org/2002/07/owl#"><SubClassOf>
<Annotation><AnnotationProperty IRI="http://x/by"/><IRI>http://x/ann</IRI></Annotation>
<Annotation><AnnotationProperty IRI="http://x/on"/><Literal xml:lang="en">to
day</Literal></Annotation>
<Class IRI="http://x/a"/><Class IRI="http://x/b"/></SubClassOf></Ontology>
""",
}


@pytest.mark.parametrize("name", READ)
def test_notes_that_others_wrote_may_be_names(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(READ[name])
    back = elgeo.read_notes(tmp_path / name)
    assert {axiom: sorted(notes) for axiom, notes in back.items()} == {
        "SubClassOf(<http://x/a> <http://x/b>)": [
            Note("http://x/by", "<http://x/ann>"),
            Note("http://x/on", '"to\nday"@en'),
        ]
    }


@pytest.mark.parametrize("ending", [".owl", ".owx"])
def test_owlready2_opens_it(found: Predictions, ending: str, tmp_path: Path) -> None:
    owlready2 = pytest.importorskip("owlready2")
    path = tmp_path / f"found{ending}"
    write_predictions(found, path, "mine")
    world = owlready2.World()
    ontology = world.get_ontology(path.as_uri()).load()
    seen = {
        (c.iri, part.property.iri, part.value.iri)
        for c in ontology.classes()
        for part in c.is_a
        if hasattr(part, "property")
    }
    names = DATASET.vocabulary
    assert seen == {(names.classes[h], names.roles[r], names.classes[t]) for h, r, t in found.rows.tolist()}


@pytest.mark.parametrize("ending", [".obo", ".owl"])
def test_pronto_opens_it(found: Predictions, ending: str, tmp_path: Path) -> None:
    pronto = pytest.importorskip("pronto")
    path = tmp_path / f"found{ending}"
    write_predictions(found, path, "mine")
    terms = pronto.Ontology(str(path)).terms()
    assert sum(len(tails) for term in terms for tails in term.relationships.values()) == len(found.rows)


def expected_notes(found: Predictions, place: int) -> dict[str, set[str]]:
    names = DATASET.vocabulary.classes
    return {
        TERMS + "source": {f"predicted by elgeo {elgeo.__version__}, model table, run mine"},
        OWN + "score": {repr(float(found.scores[place]))},
        OWN + "margin": {repr(float(found.margins[place]))},
        OWN + "status": {found.status[place]},
        OWN + "evidence": {f"{reason.share:+.6g} {reason.words}" for reason in found.reasons[place]},
        OWN + "nearest_known": {names[c] for c in found.neighbours[place]},
    }


def test_provenance_in_rdf(found: Predictions, tmp_path: Path) -> None:
    """By the triples themselves: an owl:Axiom for each prediction, with its annotations."""
    path, owl = tmp_path / "found.owl", "http://www.w3.org/2002/07/owl#"
    write_predictions(found, path, "mine")
    store = pyoxigraph.Store()
    store.load(path.read_bytes(), format=pyoxigraph.RdfFormat.RDF_XML)
    seen: dict[tuple[str, str], dict[str, set[str]]] = {}
    rows = store.query(
        f"""SELECT ?head ?tail ?property ?value WHERE {{
            ?axiom a <{owl}Axiom> ; <{owl}annotatedSource> ?head ; <{owl}annotatedTarget> ?some ; ?property ?value .
            ?some <{owl}someValuesFrom> ?tail . FILTER(!STRSTARTS(STR(?property), "{owl}")) }}"""
    )
    for head, tail, name, value in rows:  # type: ignore[union-attr]
        if not name.value.endswith("#type"):
            seen.setdefault((head.value, tail.value), {}).setdefault(name.value, set()).add(value.value)
    names = DATASET.vocabulary.classes
    assert len(seen) == len(found.rows)
    for place, (a, _, b) in enumerate(found.rows.tolist()):
        notes = seen[names[a], names[b]]
        assert len(notes.pop(TERMS + "date").pop()) == len("2026-01-01")
        assert notes == {k: v for k, v in expected_notes(found, place).items() if v}


def test_another_reader_opens_functional_syntax(found: Predictions, tmp_path: Path) -> None:
    path = tmp_path / "found.ofn"
    write_predictions(found, path, "mine")
    back = pyhornedowl.open_ontology(str(path))
    said = [a for a in back.get_components() if type(a.component).__name__ == "SubClassOf"]
    assert len(said) == len(found.rows)
    scores = sorted(
        float(note.av.literal) for axiom in said for note in axiom.ann if str(note.ap.first) == OWN + "score"
    )
    assert scores == sorted(found.scores.tolist())


def test_obo_has_provenance_as_qualifiers(found: Predictions, tmp_path: Path) -> None:
    path = tmp_path / "found.obo"
    write_predictions(found, path, "mine")
    text = path.read_text()
    lines = [line for line in text.splitlines() if line.startswith("relationship:")]
    assert len(lines) == len(found.rows)
    for place in range(len(found.rows)):
        assert sum(f'score="{float(found.scores[place])!r}"' in line for line in lines) == 1
    assert all(f'source="predicted by elgeo {elgeo.__version__}, model table, run mine"' in line for line in lines)


def test_infinite_margins_are_numbers_of_xml_schema(found: Predictions) -> None:
    endless = replace(found, margins=np.full(len(found.rows), -np.inf))
    notes = as_ontology(endless, date="2020-02-02").notes
    assert all(any(note.value.startswith('"-INF"^^') for note in said) for said in notes.values())
    assert all(any(note.value.startswith('"2020-02-02"^^') for note in said) for said in notes.values())
    assert math.isinf(endless.margins[0])


def test_a_name_that_says_no_format_is_refused_first(found: Predictions, tmp_path: Path) -> None:
    with pytest.raises(SettingError, match=r"found\.docx: the ending says no format; it may be one of \.tsv"):
        write_predictions(found, tmp_path / "found.docx")
    assert main(["predict", str(tmp_path / "nowhere"), "--all", "-o", str(tmp_path / "x.docx")]) == 2


def test_the_command_writes_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", "family", "-o", str(tmp_path / "run"), "--model", "naive"]) == 0
    capsys.readouterr()
    path = tmp_path / "missing.owl"
    assert main(["predict", str(tmp_path / "run"), "--all", "--top", "7", "-o", str(path)]) == 0
    assert capsys.readouterr().out == f"{path}\n"
    assert main(["predict", str(tmp_path / "run"), "--all", "--top", "7", "--format", "jsonl"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(read(path).axioms) == len(lines) == 7

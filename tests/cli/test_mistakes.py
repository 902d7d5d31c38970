"""Typical mistakes, a command line each: exit code 2, and one line on standard error that says what to do."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path

import pytest

from elgeo.cli import main
from elgeo.datasets.folder import save
from tests.small_dataset import small_dataset

ONTOLOGY = """Prefix(:=<http://x/>)
Ontology(<http://x/>
SubClassOf(:Heart :Organ)
SubClassOf(:Heart ObjectSomeValuesFrom(:part_of :Body))
SubClassOf(:Liver ObjectSomeValuesFrom(:part_of :Body))
)
"""
SPLIT = "dataset split o.ofn -o new"
BUILD = "dataset build -o new --ontology o.ofn"
MISTAKES = {
    # words of the command line
    "infoo o.ofn": "no command is called 'infoo': did you mean info?",
    "clasify o.ofn": "did you mean classify?",
    "xyzzy": "no command is called 'xyzzy': there are demo, info,",
    "info o.ofn --jsn": "no option is called --jsn: did you mean --json?",
    "info o.ofn --zzzzzz": "`elgeo info --help` says how it is used",
    "--json info o.ofn": "no option --json comes before the command: put it after",
    "info": "give FILE",
    "classify o.ofn hierarchy.tsv": "'hierarchy.tsv' is one argument too many",
    "classify o.ofn --format owl": "no value of --format is called 'owl': there are tsv, ofn",
    "classify o.ofn --format off": "did you mean ofn?",
    "dataset": "give COMMAND (`elgeo dataset --help`",
    "dataset splt o.ofn": "no command is called 'splt': did you mean split?",
    "dataset split o.ofn -o new": "--axioms --deductive --forms --definitions-whole is required",
    "predict run": "one of the arguments --head --tail --all is required",
    "predict run --all --head p1": "--head: not allowed with argument --all",
    "predict run --all --top many": "--top has to be a whole number, not 'many'",
    "predict run --all --general much": "--general has to be a number, not 'much'",
    "predict run --all --top": "--top: expected one argument",
    "train data": "give -o/--output",
    "--plugin": "--plugin needs the name of a module",
    "--plugin no_such_module info o.ofn": "the plugin no_such_module cannot be imported",
    # one thing in the place of another
    "info nowhere.owl": "nowhere.owl: there is no such file",
    "info data": "data: a dataset, not an ontology: `elgeo dataset info data`",
    "classify run": "run: a run, not an ontology",
    "entails empty 'A SubClassOf B'": "empty: this is a folder: name a file in it",
    "info picture.png": "it looks like a PNG picture",
    "info empty.owl": "the file is empty",
    "info manchester.omn": "manchester.omn:4: Clas: cannot stand in a frame of a Class",
    "evaluate nowhere": "nowhere: there is no such folder: a run is made by `elgeo train",
    "evaluate data": "data: a dataset, not a run: train on it first (`elgeo train data -o RUN`)",
    "evaluate empty": "empty: not a run: there is no run.toml in this folder",
    "evaluate runs": "runs: a folder of runs, not one of them: name runs/one",
    "evaluate run/run.toml": "run/run.toml: a file of a folder: name the folder (run)",
    "evaluate o.ofn": "o.ofn: a file, not the folder of a run",
    "predict data --all": "data: a dataset, not a run",
    "export data": "data: a dataset, not a run",
    "serve run --token 'open sesame'": "a token has letters, digits, dots and dashes",
    "serve run --token ''": "a token has letters, digits, dots and dashes",
    "report data -o page.html": "data: a dataset, not a run",
    "evaluate run --against data": "data: a dataset, not a run",
    "evaluate run --dataset run": "run: a run, not a dataset",
    "evaluate run --dataset other": "trained on another dataset than 'other'",
    "train run -o new": "run: a run, not a dataset",
    "train o.ofn -o new": "`elgeo dataset split o.ofn --axioms '?C SubClassOf ?D' -o DATASET`",
    "train famly -o new": "did you mean family?",
    "train nowhere -o new": "there is no such folder: the embedded ones are family",
    "train data -o run": "run already holds a run",
    "train data -o other": "other is a dataset: choose another folder",
    "train data -o o.ofn": "o.ofn is a file: choose another name",
    "train -o new": "which dataset?",
    "train -o new --resume": "new holds no run to resume",
    "dataset info run": "run: a run, not a dataset",
    "dataset info o.ofn": "o.ofn: a file, not the folder of a dataset",
    f"{SPLIT} --axioms '?C SubClassOf ?R some ?D'": "name the role, as in '?C SubClassOf part_of some ?D'",
    "dataset split data -o new --axioms '?C SubClassOf ?D'": "data: a dataset, not an ontology",
    "report run -o run": "run: this is a folder: name a file",
    "dataset fetch yeast -o new": "did you mean",
    # names and values
    "train data -o new --model atals": "no model is called 'atals': did you mean atlas?",
    "run data -o new --model box2elm": "no model is called 'box2elm': did you mean box2el",
    "run data -o new --preset faithfull": "no preset is called 'faithfull': did you mean faithful?",
    "apply nowhere.sqlite o.ofn -o curated.ofn": "nowhere.sqlite: no such file; `elgeo serve RUN --decisions FILE`",
    "apply o.ofn o.ofn -o curated.ofn": "o.ofn: the decisions cannot be used: file is not a database",
    "train data -o new --preset recomended": "no preset is called 'recomended': did you mean recommended?",
    "train data -o new --model elem --set dimensions=3": "did you mean dimension?",
    "train data -o new --model elem --set dimension=three": "dimension has to be a whole number, not 'three'",
    "train data -o new --model elem --set dimension": "--set takes NAME=VALUE, not 'dimension'",
    "train data -o new --model elem --epochs 0": "epochs has to be at least 1, not 0",
    "train data -o new --model elem --preset recommended": "give a model or a preset, not both",
    "train data -o new --model atlas --epochs 5": "atlas is fitted at once, not trained in epochs, and has no epochs",
    "train data -o new --set foo=1": "no setting is called 'foo': there are seed, threads, contexts,",
    "train data -o new --epochs 5 --set foo=1": "no setting is called 'foo': there are epochs, batch,",
    "models elme": "did you mean elem or elbe?",
    "evaluate run --split tests": "split has to be one of",
    "evaluate run --filter training": "filter has to be one of",
    "predict run --all --exclude trained": "'trained' cannot be excluded; there are entailed, train,",
    "predict run --all --top 0": "top has to be at least 1, not 0",
    "predict run --head nobody": "no class is called 'nobody'",
    "predict run --all --role eats": "no role is called 'eats'",
    "report run -o page.html --top 0": "--top has to be at least 1",
    "entails o.ofn": "no axioms to ask for",
    "entails o.ofn 'Haert SubClassOf Organ'": "no class is called 'Haert': did you mean 'Heart'?",
    "entails o.ofn 'Heart SubClasOf Organ'": "'SubClasOf' is no keyword: did you mean SubClassOf?",
    "entails o.ofn 'SubClasOf(Heart Organ)'": "did you mean SubClassOf?",
    "entails o.ofn 'Heart SubClassOf part_of sme Body'": "did you mean some?",
    "entails o.ofn 'Heart is Organ'": "'is' is no keyword: did you mean SubClassOf?",
    "entails o.ofn 'Heart is_a Organ'": "'is_a' is no keyword: did you mean SubClassOf?",
    "entails o.ofn 'Heart part_of some Body'": "did you mean 'Heart SubClassOf part_of some Body'?",
    "query o.ofn 'Heart SubClassOf Organ'": "expression 'Heart SubClassOf Organ': this is an axiom: `elgeo entails`",
    "query o.ofn ''": "expression '': there is nothing in it",
    "query o.ofn 'Heart is Organ'": "expression 'Heart is Organ': did not expect 'is' after its end",
    "query o.ofn Haert": "did you mean 'Heart'?",
    "query o.ofn 'part_of some'": "part_of some",
    f"{SPLIT} --axioms 'C SubClassOf D'": "?C",
    f"{SPLIT} --axioms '?C SubClasOf ?D'": "did you mean SubClassOf?",
    f"{SPLIT} --axioms '?C SubClassOf prt_of some ?D'": "did you mean 'part_of'",
    f"{SPLIT} --axioms '?C SubClassOf ?D' --split 90:10": "give three numbers train:valid:test",
    f"{SPLIT} --axioms '?C SubClassOf ?D' --split 0:50:50": "nothing would be left to train on",
    f"{SPLIT} --axioms '?C SubClassOf ?D' --seed -1": "seed",
    f"{SPLIT} --axioms '?C SubClassOf ?D' --kind protein": "give NAME=START",
    "dataset split o.ofn -o other --axioms '?C SubClassOf ?D'": "other exists already",
    "dataset build -o new": "give --ontology FILE",
    f"{BUILD} --pairs pairs.tsv": "every --pairs needs its --role",
    f"{BUILD} --pairs nowhere.tsv --role eats": "nowhere.tsv: cannot be read",
    f"{BUILD} --interactions pairs.tsv --target eats": "target",
    "closure o.ofn": "give a folder to write to (-o DIR), or --count",
    "explain o.ofn": "nothing to explain: give axioms, or --unsatisfiable",
    "sweep data --space nowhere.toml -o new": "nowhere.toml",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One of everything that can be confused with another."""
    place = tmp_path_factory.mktemp("mistakes")
    for file, text in {
        "o.ofn": ONTOLOGY,
        "picture.png": "\x89PNG\r\n",
        "empty.owl": "",
        "manchester.omn": "Prefix: : <http://x/>\nOntology: <http://x/>\nClass: :A\nClas: :B\n",
        "pairs.tsv": "a\tb\n",
    }.items():
        (place / file).write_text(text, encoding="latin-1")
    (place / "empty").mkdir()
    save(small_dataset(0, 12, 10, 60), place / "data")
    save(replace(small_dataset(1, 12, 10, 60), name="other"), place / "other")
    for run in ("run", "runs/one"):
        assert main(["train", str(place / "data"), "-o", str(place / run), "--model", "naive", "--quiet"]) == 0
    return place


def test_there_are_enough() -> None:
    assert len(MISTAKES) >= 50


@pytest.mark.parametrize("command", MISTAKES)
def test_a_mistake_is_one_line(
    command: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    assert main(shlex.split(command)) == 2
    said = capsys.readouterr()
    # what a long command says of its progress before it finds the mistake is none of it
    lines = [line for line in said.err.splitlines() if not line.startswith(("elgeo: compiling ", "elgeo: reading "))]
    assert len(lines) == 1, said.err
    assert lines[0].startswith("elgeo: ")
    assert MISTAKES[command] in lines[0]
    assert said.out == ""
    assert not (folder / "new").exists() or not any((folder / "new").iterdir())

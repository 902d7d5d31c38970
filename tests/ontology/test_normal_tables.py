"""Tables on disk: what is loaded is what was saved, and nothing half-written stays."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from elgeo.errors import ElgeoError, ReadError, SettingError
from elgeo.ontology import normalise
from elgeo.ontology.expressions import Op
from elgeo.ontology.generation.generate import generate
from elgeo.ontology.model import Builder
from elgeo.ontology.normal_forms import FORMS, NormalForms
from elgeo.ontology.writing.table_formats import FORMATS, Coded
from elgeo.ontology.writing.tables import load_tables, save_tables


def awkward() -> NormalForms:
    b = Builder()
    a, c = b.entity(Op.Class, "http://example.org/A\u2028b"), b.entity(Op.Class, "http://example.org/é")
    r = b.entity(Op.ObjectProperty, "http://example.org/r")
    b.axiom(Op.SubClassOf, b.node(Op.ObjectSomeValuesFrom, r, b.node(Op.ObjectIntersectionOf, a, c)), a)
    b.axiom(Op.SubClassOf, a, b.node(Op.ObjectUnionOf, a, c))
    b.axiom(Op.InverseObjectProperties, r, b.entity(Op.ObjectProperty, "http://example.org/back"))
    b.labels["http://example.org/A\u2028b"] = "tab\there, line\nthere, back\\slash, \\t, \r"
    b.synonyms["http://example.org/é"] = ["one", "two\\n"]
    b.definitions["http://example.org/é"] = "a line\nand\tanother"
    b.prefixes["ex"] = "http://example.org/"
    b.alternatives["http://example.org/old"] = "http://example.org/é"
    return normalise(b.finish())


def assert_same(saved: NormalForms, loaded: NormalForms) -> None:
    for name in FORMS:
        assert loaded.tables[name].dtype == np.int32
        np.testing.assert_array_equal(loaded.tables[name], saved.tables[name])
        np.testing.assert_array_equal(loaded.origins[name], saved.origins[name])
    one, two = saved.vocabulary, loaded.vocabulary
    assert (list(one.classes), list(one.roles)) == (list(two.classes), list(two.roles))
    np.testing.assert_array_equal(one.class_kinds, two.class_kinds)
    np.testing.assert_array_equal(one.role_kinds, two.role_kinds)
    for field in ("labels", "synonyms", "definitions", "prefixes", "alternatives"):
        assert dict(getattr(one, field)) == dict(getattr(two, field)), field
    assert saved.unsupported == loaded.unsupported
    np.testing.assert_array_equal(saved.inverses, loaded.inverses)


@pytest.mark.parametrize("format", ["tsv", "parquet"])
def test_round_trip(tmp_path: Path, format: str) -> None:
    forms = [awkward(), *(normalise(generate("owl", 8, seed)) for seed in range(5)), normalise(generate("go", 300, 1))]
    for i, saved in enumerate(forms):
        save_tables(saved, tmp_path / str(i), format)
        assert_same(saved, load_tables(tmp_path / str(i)))


@pytest.mark.parametrize("format", ["tsv", "parquet"])
def test_the_same_forms_give_the_same_bytes(tmp_path: Path, format: str) -> None:
    for folder in ("one", "two"):
        save_tables(normalise(generate("owl", 10, 3)), tmp_path / folder, format)
    files = sorted(p.name for p in (tmp_path / "one").iterdir())
    assert len(files) > len(FORMS)
    for name in files:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_tables_take_the_place_of_nothing_else(tmp_path: Path) -> None:
    forms = awkward()
    for name in ("empty", "older"):
        (tmp_path / name).mkdir()
    save_tables(forms, tmp_path / "empty")
    save_tables(forms, tmp_path / "older")
    save_tables(forms, tmp_path / "older")
    assert_same(forms, load_tables(tmp_path / "empty"))
    (tmp_path / "file").write_text("mine")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis").write_text("mine")
    for name in ("file", "full"):
        with pytest.raises(SettingError, match="is not a folder of tables"):
            save_tables(forms, tmp_path / name)
    assert (tmp_path / "file").read_text() == (tmp_path / "full" / "thesis").read_text() == "mine"


def test_people_can_read_the_tsv(tmp_path: Path) -> None:
    save_tables(awkward(), tmp_path / "t")
    lines = (tmp_path / "t" / "left_existential.tsv").read_text(encoding="utf-8").split("\n")
    assert lines[0].split("\t") == ["r", "c", "d", "r_name", "c_name", "d_name"]
    assert lines[1].split("\t")[3:] == [
        "http://example.org/r",
        "ObjectIntersectionOf(<http://example.org/A\u2028b> <http://example.org/é>)",
        "http://example.org/A\u2028b",
    ]
    assert "ObjectUnionOf" in (tmp_path / "t" / "unsupported.tsv").read_text(encoding="utf-8")


def test_older_tables_are_replaced_and_nothing_else(tmp_path: Path) -> None:
    save_tables(normalise(generate("go", 50, 1)), tmp_path / "t", "tsv")
    save_tables(normalise(generate("go", 60, 1)), tmp_path / "t", "parquet")
    assert load_tables(tmp_path / "t").vocabulary.n_classes > 60
    assert not list((tmp_path / "t").glob("*.tsv"))
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "thesis.txt").write_text("all of it")
    with pytest.raises(SettingError, match="precious"):
        save_tables(awkward(), precious)
    with pytest.raises(SettingError, match="xlsx"):
        save_tables(awkward(), tmp_path / "u", "xlsx")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["precious", "t"]


def test_a_failed_write_leaves_the_old_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    saved = awkward()
    save_tables(saved, tmp_path / "t")

    def full(*_: object) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr("elgeo.ontology.writing.tables._name_tables", full)
    with pytest.raises(OSError, match="no space"):
        save_tables(normalise(generate("go", 50, 1)), tmp_path / "t")
    assert [p.name for p in tmp_path.iterdir()] == ["t"]
    assert_same(saved, load_tables(tmp_path / "t"))


@pytest.mark.parametrize("format", ["tsv", "parquet"])
def test_broken_tables_are_told(tmp_path: Path, format: str) -> None:
    with pytest.raises(ReadError, match=r"tables\.json"):
        load_tables(tmp_path / "nowhere")
    for name in ("classes", "existential", "origins", "tables"):
        folder = tmp_path / name
        save_tables(awkward(), folder, format)
        path = folder / (f"{name}.{format}" if name != "tables" else "tables.json")
        path.write_bytes(path.read_bytes()[:-3])
        with pytest.raises(ElgeoError, match=name):
            load_tables(folder)


@pytest.mark.parametrize("changed", [{"version": 2}, {"format": "xlsx"}, {"version": 2, "format": "xlsx"}])
def test_tables_of_other_versions_are_told(tmp_path: Path, changed: dict[str, object]) -> None:
    save_tables(awkward(), tmp_path / "t")
    path = tmp_path / "t" / "tables.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | changed))
    with pytest.raises(ReadError, match=r"tables\.json: these tables were written by another version"):
        load_tables(tmp_path / "t")


def test_ids_beyond_the_vocabulary_are_told(tmp_path: Path) -> None:
    save_tables(awkward(), tmp_path / "t")
    path = tmp_path / "t" / "subclass.tsv"
    path.write_text("c\td\n2\t99\n")
    with pytest.raises(ReadError, match="subclass"):
        load_tables(tmp_path / "t")
    path.write_text("c\td\n2\tx\n")
    with pytest.raises(ReadError, match="not a number"):
        load_tables(tmp_path / "t")
    save_tables(awkward(), tmp_path / "t")
    words = awkward().vocabulary
    assert words.n_roles < words.n_classes
    for row in ("1\t9", "-1\t1", f"{words.n_roles}\t1", f"1\t{words.n_roles}"):
        (tmp_path / "t" / "inverses.tsv").write_text(f"r\ts\n{row}\n")
        with pytest.raises(ReadError, match="inverses: has ids"):
            load_tables(tmp_path / "t")


@pytest.mark.parametrize(
    ("table", "built_in", "count"),
    [("classes", (0, 2), 2), ("classes", (0, 1, 2), 2), ("classes", (0,), 2), ("roles", (0, 2), 1), ("roles", (1,), 1)],
)
def test_what_is_built_in_comes_first(tmp_path: Path, table: str, built_in: tuple[int, ...], count: int) -> None:
    save_tables(awkward(), tmp_path / "t")
    path = tmp_path / "t" / f"{table}.tsv"
    header, *lines = (line.split("\t") for line in path.read_text(encoding="utf-8").removesuffix("\n").split("\n"))
    kind = header.index("kind")
    assert [line[kind] for line in lines[: count + 1]] == ["built-in"] * count + ["named"]
    for i, line in enumerate(lines):
        line[kind] = "built-in" if i in built_in else "named"
    path.write_text("".join("\t".join(line) + "\n" for line in [header, *lines]), encoding="utf-8")
    with pytest.raises(ReadError, match=rf"{table}: kind: the first {count} and no others are built in"):
        load_tables(tmp_path / "t")


def test_tables_are_read_without_pandas(tmp_path: Path) -> None:
    """Importing it takes longer than reading; several row groups and wide unsigned numbers are read exactly."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    numbers = [3, (1 << 53) + 1, 0, 7, 5]
    table = pa.table({"n": pa.array(numbers, pa.uint64()), "text": ["a", "b", "", "d", "é"]})
    pq.write_table(table, tmp_path / "t.parquet", row_group_size=2)
    pq.write_table(table.slice(0, 0), tmp_path / "none.parquet")
    code = (
        "import sys; from pathlib import Path; from elgeo.ontology.writing.table_formats import FORMATS, Coded\n"
        "for name in ('t', 'none'):\n"
        "    found = FORMATS['parquet'].read(Path(sys.argv[1]) / (name + '.parquet'), {'n': int, 'text': str})\n"
        "    print(found['n'].tolist(), found['text'], found['n'].dtype)\n"
        "    few = FORMATS['parquet'].read(Path(sys.argv[1]) / (name + '.parquet'), {'text': Coded})['text']\n"
        "    assert [few.words[i] for i in few.numbers.tolist()] == found['text']\n"
        "print('pandas' in sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines() == [f"{numbers} {['a', 'b', '', 'd', 'é']} int64", "[] [] int64", "False"]


@pytest.mark.parametrize("format", sorted(FORMATS))
@pytest.mark.parametrize("rows", [0, 1, 70])
def test_few_words_many_times_are_the_column_of_those_words(format: str, rows: int, tmp_path: Path) -> None:
    numbers = np.random.default_rng(rows).integers(0, 4, rows)
    words = ["never", "a\tb", "", "<ä>", "c\\d"]
    texts = [words[number + 1] for number in numbers.tolist()]
    write, read = FORMATS[format]
    write(tmp_path / "coded", {"word": Coded(words, numbers + 1), "id": numbers})
    write(tmp_path / "plain", {"word": texts, "id": numbers})
    assert (tmp_path / "coded").read_bytes() == (tmp_path / "plain").read_bytes()
    found = read(tmp_path / "coded", {"word": Coded, "id": int})
    assert [found["word"].words[number] for number in found["word"].numbers.tolist()] == texts
    assert sorted(found["word"].words) == sorted(set(texts))
    assert read(tmp_path / "coded", {"word": str})["word"] == texts

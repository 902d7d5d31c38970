"""Normal forms as files: a table for each form and each sort of name, as TSV for people or Parquet for programs."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from elgeo.arrays import Table
from elgeo.documents import Fields, parse_json
from elgeo.errors import ReadError, SettingError
from elgeo.files import folder_written_atomically, settled, write_json
from elgeo.ontology.limits import NO_LIMITS
from elgeo.ontology.model import Ontology
from elgeo.ontology.normal_forms import FORMS, NormalForms, no_inverses
from elgeo.ontology.vocabulary import Kind, Vocabulary
from elgeo.ontology.writing.limit_table import LIMITS, limit_columns, read_limits
from elgeo.ontology.writing.table_formats import FORMATS, Coded, Columns

MARK = "tables.json"
"""The file that makes a folder one of tables: version and format."""
VERSION = 1
OTHER_LABELS, INVERSES = "other_labels", "inverses"
"""Tables that are there only where they have rows."""


def save_tables(forms: NormalForms, folder: str | os.PathLike[str], format: str = "tsv") -> None:
    """Write the tables into a folder, whole or not at all; an older folder of tables is replaced.

    A form's table has its class and role ids; in TSV the names stand beside them. The tables `classes` and `roles` say
    what an id is, `labels`, `other_labels` (where there are any), `synonyms`, `prefixes` and `alternatives` how people
    call it, `definitions` what they say it is, `origins` which axioms of the source a row came from, `unsupported`
    which axioms EL++ cannot say in full, `limits` (where there are any) what of them rules suggestions out, `inverses`
    (where there are any) which roles are each other's inverse.
    """
    if format not in FORMATS:
        raise SettingError(f"no tables in {format!r}; there are {', '.join(FORMATS)}")
    target = settled(folder)
    if target.exists() and not (target / MARK).is_file() and (not target.is_dir() or any(target.iterdir())):
        raise SettingError(f"{target} is there already and is not a folder of tables: choose another")
    with folder_written_atomically(target) as temporary:
        write_tables(forms, temporary, format)


def write_tables(forms: NormalForms, folder: Path, format: str) -> None:
    """Write the tables into a folder that is there, as part of something larger."""
    write = FORMATS[format].write
    names = _readable(forms.vocabulary) if format == "tsv" else None
    for name, form in FORMS.items():
        columns: dict[str, Any] = dict(zip(form.columns, forms.tables[name].T, strict=True))
        if names is not None:
            columns |= {
                f"{c}_name": names[i in form.role_columns][ids] for i, (c, ids) in enumerate(list(columns.items()))
            }
        write(folder / f"{name}.{format}", columns)
    for name, columns in _name_tables(forms).items():
        write(folder / f"{name}.{format}", columns)
    mark = {"version": VERSION, "format": format, "rows": {name: len(forms.tables[name]) for name in FORMS}}
    write_json(folder / MARK, mark)


def load_tables(folder: str | os.PathLike[str]) -> NormalForms:
    """The normal forms that `save_tables` wrote; their `source` is not part of them."""
    root = settled(folder)
    ending = _mark(root)
    read = FORMATS[ending].read

    def table(file: str, /, **types: type) -> Columns:
        return read(root / f"{file}.{ending}", types)

    classes, roles = (table(name, name=str, kind=Coded) for name in ("classes", "roles"))
    other_labels: dict[str, tuple[str, ...]] = {}
    if (root / f"{OTHER_LABELS}.{ending}").exists():  # most ontologies have none
        other_labels = _gathered(table(OTHER_LABELS, iri=str, label=str))
    definitions: dict[str, str] = {}
    if (root / f"definitions.{ending}").exists():  # tables of earlier versions have none
        definitions = dict(zip(*table("definitions", iri=str, definition=str).values(), strict=True))
    deprecated: Columns = {"iri": ()}
    if (root / f"deprecated.{ending}").exists():
        deprecated = table("deprecated", iri=str)
    vocabulary = Vocabulary(
        classes=classes["name"],
        class_kinds=_kinds(classes["kind"], (2,), root / "classes"),
        roles=roles["name"],
        role_kinds=_kinds(roles["kind"], (1, 2), root / "roles"),
        labels=dict(zip(*table("labels", iri=str, label=str).values(), strict=True)),
        synonyms=_gathered(table("synonyms", iri=str, synonym=str)),
        definitions=definitions,
        prefixes=dict(zip(*table("prefixes", prefix=str, iri=str).values(), strict=True)),
        alternatives=dict(zip(*table("alternatives", alternative=str, iri=str).values(), strict=True)),
        deprecated=tuple(deprecated["iri"]),
        other_labels=other_labels,
    )
    tables = {
        name: _rows(name, form.columns, form.role_columns, table, vocabulary, root) for name, form in FORMS.items()
    }
    inverses = no_inverses()
    if (root / f"{INVERSES}.{ending}").exists():
        inverses = _rows(INVERSES, "rs", (0, 1), table, vocabulary, root)
    unsupported = table("unsupported", kind=str, axiom=int)
    return NormalForms(
        vocabulary,
        tables,
        _origins(table, tables, root),
        unsupported=tuple(zip(unsupported["kind"], unsupported["axiom"].tolist(), strict=True)),
        limits=read_limits(table, vocabulary, root) if (root / f"{LIMITS}.{ending}").exists() else NO_LIMITS,
        inverses=inverses,
    )


def _name_tables(forms: NormalForms) -> dict[str, Columns]:
    words = forms.vocabulary
    origins = [(name, forms.origins.get(name, np.empty((0, 2), np.int32))) for name in FORMS]
    return {
        "classes": _entities(words.classes, words.class_kinds, words.labels),
        "roles": _entities(words.roles, words.role_kinds, words.labels),
        "labels": {"iri": list(words.labels), "label": list(words.labels.values())},
        **({OTHER_LABELS: _spread(words.other_labels, "label")} if words.other_labels else {}),
        "synonyms": _spread(words.synonyms, "synonym"),
        "definitions": {"iri": list(words.definitions), "definition": list(words.definitions.values())},
        "deprecated": {"iri": list(words.deprecated)},
        "prefixes": {"prefix": list(words.prefixes), "iri": list(words.prefixes.values())},
        "alternatives": {"alternative": list(words.alternatives), "iri": list(words.alternatives.values())},
        "origins": {
            "form": Coded(list(FORMS), np.repeat(np.arange(len(FORMS)), [len(pairs) for _, pairs in origins])),
            "row": np.concatenate([pairs[:, 0] for _, pairs in origins]),
            "axiom": np.concatenate([pairs[:, 1] for _, pairs in origins]),
        },
        "unsupported": {
            "kind": [kind for kind, _ in forms.unsupported],
            "axiom": np.array([axiom for _, axiom in forms.unsupported], np.int32),
            "text": [_text(forms.source, axiom) for _, axiom in forms.unsupported],
        },
        **({LIMITS: limit_columns(forms)} if len(forms.limits) else {}),
        **({INVERSES: dict(zip("rs", forms.inverses.T, strict=True))} if len(forms.inverses) else {}),
    }


def _spread(many: Mapping[str, tuple[str, ...]], word: str) -> Columns:
    """A row for each name of each IRI."""
    return {
        "iri": [iri for iri, names in many.items() for _ in names],
        word: [name for names in many.values() for name in names],
    }


def _gathered(columns: Columns) -> dict[str, tuple[str, ...]]:
    """The names of each IRI, in the order of the rows."""
    many: dict[str, list[str]] = {}
    for iri, name in zip(*columns.values(), strict=True):
        many.setdefault(iri, []).append(name)
    return {iri: tuple(names) for iri, names in many.items()}


def _text(source: Ontology | None, axiom: int) -> str:
    return source.text(int(source.axiom_nodes[axiom])) if source else ""


def _entities(names: Sequence[str], kinds: Any, labels: Mapping[str, str]) -> Columns:
    written = list(names)
    words = [kind.name.lower().replace("_", "-") for kind in Kind]
    return {
        "id": np.arange(len(written), dtype=np.int32),
        "name": written,
        "kind": Coded(words, kinds),
        "label": [labels.get(name, "") for name in written],
    }


def _readable(words: Vocabulary) -> tuple[Any, Any]:
    """Class and role names as arrays, to be picked from."""
    return np.array(list(words.classes), dtype=object), np.array(list(words.roles), dtype=object)


def _mark(root: Path) -> str:
    path = root / MARK
    try:
        mark = Fields(parse_json(path.read_bytes(), path), path)
    except FileNotFoundError:
        raise ReadError(f"this is no folder of tables: it has no {MARK}", str(root)) from None
    except OSError as error:
        raise ReadError(f"cannot be read: {error}", str(path)) from None
    if mark.whole("version") != VERSION or mark.text("format") not in FORMATS:
        raise ReadError("these tables were written by another version of elgeo: make them again", str(path))
    return mark.text("format")


def _kinds(column: Coded, built_in: tuple[int, ...], path: Path) -> Any:
    """The kinds that words name; `built_in` are the numbers of built-in things that there may be."""
    numbers = {kind.name.lower().replace("_", "-"): int(kind) for kind in Kind}
    try:
        kinds = np.array([numbers[word] for word in column.words], np.uint8)[column.numbers]
    except KeyError as error:
        raise ReadError(f"kind: none is called {error}", str(path)) from None
    first = np.flatnonzero(kinds == Kind.BUILT_IN)
    if len(first) not in built_in or not np.array_equal(first, np.arange(len(first))):
        raise ReadError(f"kind: the first {built_in[0]} and no others are built in", str(path))
    return kinds


def _rows(
    name: str,
    letters: Sequence[str],
    of_roles: Sequence[int],
    table: Callable[..., Columns],
    words: Vocabulary,
    root: Path,
) -> Table:
    """Ids of classes and, in the columns `of_roles`, of roles."""
    columns = table(name, **dict.fromkeys(letters, int))
    rows = np.stack([columns[c] for c in letters], axis=1)
    limits = [words.n_roles if i in of_roles else words.n_classes for i in range(len(letters))]
    if ((rows < 0) | (rows >= limits)).any():
        raise ReadError("has ids that no class or role has", str(root / name))
    return rows.astype(np.int32)


def _origins(table: Callable[..., Columns], tables: Mapping[str, Table], root: Path) -> dict[str, Table]:
    origins = table("origins", form=Coded, row=int, axiom=int)
    numbers = {name: i for i, name in enumerate(tables)}
    forms: Coded = origins["form"]
    of_form = np.array([numbers.get(form, -1) for form in forms.words], np.int64)[forms.numbers]
    pairs = np.stack([origins["row"], origins["axiom"]], axis=1)
    sizes = np.array([len(rows) for rows in tables.values()])
    if len(pairs) and of_form.min() < 0:
        raise ReadError("form: has names that no form has", str(root / "origins"))
    if len(pairs) and (pairs[:, 0].min() < 0 or (pairs[:, 0] >= sizes[of_form]).any()):
        raise ReadError("row: has rows that their form does not have", str(root / "origins"))
    if len(pairs) and not 0 <= pairs[:, 1].min() <= pairs[:, 1].max() < 2**31:
        raise ReadError("axiom: has numbers that no axiom has", str(root / "origins"))
    return {name: pairs[of_form == number].astype(np.int32) for name, number in numbers.items()}

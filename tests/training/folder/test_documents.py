"""The doors of a run's documents: what is whole goes through unchanged, all else is refused with file and field."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import elgeo
from elgeo.datasets.folder import save
from elgeo.documents import LARGEST, Fields, parse_json, read_toml, shown
from elgeo.errors import ElgeoError, ReadError
from elgeo.training.folder.history import Epoch, append_epoch, read_history, write_history
from elgeo.training.folder.record import Record, TrainedOn, read_record, write_record
from elgeo.training.folder.state import State
from elgeo.training.run import Run
from elgeo.training.settings import Settings
from tests.small_dataset import small_dataset

EPOCHS = [
    Epoch(1, 0.25, {"subclass": 1.5, "subclass-": -0.5, "total": 1.0}, 0.01, None, None, {}),
    Epoch(2, 0.5, {"total": -2.0}, 0.001, 0.75, 1.0, {"subclass": 3, "existential": 0}),
    Epoch(3, 0.0, {"total": 0.0}, 0.0, 0.0, 0.0, {}),
]


def altered(document: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """A copy of a document with another value at a path of names; `...` takes it away."""
    copy: dict[str, Any] = json.loads(json.dumps(document))
    *names, last = path.split(".")
    table = copy
    for name in names:
        table = table[name]
    if value is ...:
        del table[last]
    else:
        table[last] = value
    return copy


def test_a_history_is_read_as_it_was_written(tmp_path: Path) -> None:
    write_history(tmp_path, EPOCHS[:1])
    for epoch in EPOCHS[1:]:
        append_epoch(tmp_path, epoch)
    assert read_history(tmp_path) == EPOCHS
    with (tmp_path / "metrics.jsonl").open("a") as file:
        file.write('{"epoch": 4, "seco')
    assert read_history(tmp_path) == EPOCHS, "a last line that was cut off is left out"
    assert read_history(tmp_path / "nowhere") == []


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("epoch", 0, "epoch: has to be a whole number from 1"),
        ("epoch", 3, "epoch: has to be 2 on this line, not 3"),
        ("epoch", True, "epoch: has to be a whole number"),
        ("epoch", 2.0, "epoch: has to be a whole number"),
        ("epoch", ..., "epoch: is missing"),
        ("seconds", -1, "seconds: has to be a number from 0"),
        ("seconds", "1", "seconds: has to be a number from 0, not '1'"),
        ("loss", [], "loss: has to be a table"),
        ("loss.total", ..., "loss.total: is missing"),
        ("loss.total", None, "loss.total: has to be a number"),
        ("loss.total", 10**400, "loss.total: has to be a number"),
        ("lr", -0.1, "lr: has to be a number from 0"),
        ("valid_loss", False, "valid_loss: has to be a number"),
        ("valid_mrr", 1.01, "valid_mrr: has to be a number from 0 to 1, not 1.01"),
        ("dropped_negatives", 5, "dropped_negatives: has to be a table"),
        ("dropped_negatives.subclass", -1, "dropped_negatives.subclass: has to be a whole number from 0"),
    ],
)
def test_a_wrong_line_of_metrics_is_refused_by_field(path: str, value: Any, message: str, tmp_path: Path) -> None:
    write_history(tmp_path, EPOCHS[:1])
    file = tmp_path / "metrics.jsonl"
    file.write_text(file.read_text() + json.dumps(altered(EPOCHS[1].to_dict(), path, value)) + "\n")
    with pytest.raises(ReadError) as raised:
        read_history(tmp_path)
    assert str(raised.value).startswith(f"{file}:2: {message}")


def test_a_record_is_read_as_it_was_written(tmp_path: Path) -> None:
    for result in (None, {}, {"best_epoch": 3, "best_value": 0.5, "epochs": 4, "seconds": 1.5}, {"found": [1, "a"]}):
        for place in ((None, None), ("/data/x", "../x")):
            record = Record(Settings.of(margin=-0.5), TrainedOn("x", "abc", *place), {"elgeo": "1"}, result)
            write_record(tmp_path, record)
            assert read_record(tmp_path) == record


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("format", ..., "format: is missing"),
        ("format", 2, "a run of format 2; this version reads format 1"),
        ("model", 3, "model: has to be text, not 3"),
        ("model", "elme", "no model is called 'elme'"),
        ("model", "x" * 9999, "no model is called 'xxxx"),
        ("dataset", 3, "dataset: has to be a table"),
        ("dataset.name", ..., "dataset.name: is missing"),
        ("dataset.sha256", 5, "dataset.sha256: has to be text"),
        ("dataset.path", [], "dataset.path: has to be text"),
        ("dataset.relative", "\0", "dataset.relative: has characters that cannot be printed"),
        ("versions", "1", "versions: has to be a table"),
        ("versions.elgeo", 1, "versions.elgeo: has to be text"),
        ("settings", ..., "settings: is missing"),
        ("settings.epochs", 0, "epochs has to be at least 1"),
        ("settings.elem", 1, "the settings of elem have to be a table"),
        ("settings.elem.margin", "wide", "margin has to be a number"),
        ("settings.elem.margin", 10**400, "margin has to be a number"),
        ("settings.unheard", 1, "no setting is called 'unheard'"),
        ("result", [], "result: has to be a table"),
        ("result.best_epoch", -1, "result.best_epoch: has to be a whole number"),
        ("result.seconds", "long", "result.seconds: has to be a number"),
    ],
)
def test_a_wrong_field_of_a_record_is_refused(path: str, value: Any, message: str, tmp_path: Path) -> None:
    import tomli_w

    result = {"best_epoch": 3, "best_value": 0.5, "epochs": 4, "seconds": 1.5}
    record = Record(Settings.of("elem"), TrainedOn("x", "abc", "/x", "x"), {"elgeo": "1"}, result)
    (tmp_path / "run.toml").write_text(tomli_w.dumps(altered(record.to_dict(), path, value)))
    with pytest.raises(ReadError) as raised:
        read_record(tmp_path)
    assert str(raised.value).startswith(f"{tmp_path / 'run.toml'}: {message}")
    assert len(str(raised.value)) < 600


@pytest.mark.parametrize("line", ["day = 2026-01-01", "day = [1, 2026-01-01]", "day = {a = 2026-01-01}", "day = nan"])
def test_a_date_is_no_result(line: str, tmp_path: Path) -> None:
    write_record(tmp_path, Record(Settings.of("naive"), TrainedOn("x y", "abc"), {}, {}))
    assert read_record(tmp_path).dataset.name == "x y"
    with (tmp_path / "run.toml").open("a") as file:
        file.write(f"{line}\n")
    with pytest.raises(ReadError, match=r"result\.day: has to be text, numbers"):
        read_record(tmp_path)


def test_a_record_knows_where_its_dataset_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dataset, settings = small_dataset(), Settings.of("naive")
    save(dataset, tmp_path / "data")
    monkeypatch.chdir(tmp_path)
    for place, folder, path, relative in (
        (None, tmp_path / "run", None, None),
        ("family", tmp_path / "run", None, None),
        ("data", None, str(tmp_path / "data"), None),
        ("data", tmp_path / "runs" / "one", str(tmp_path / "data"), "../../data"),
    ):
        known = Record.of(settings, dataset, place, folder).dataset
        assert (known.name, known.path, known.relative) == ("small", path, relative)


def test_a_run_and_its_dataset_can_be_moved_together(tmp_path: Path) -> None:
    save(small_dataset(), tmp_path / "here" / "data")
    elgeo.train(tmp_path / "here" / "data", "naive", folder=tmp_path / "here" / "runs" / "one")
    (tmp_path / "here").rename(tmp_path / "there")
    assert Run.load(tmp_path / "there" / "runs" / "one").dataset.name == "small"
    (tmp_path / "there" / "data").rename(tmp_path / "elsewhere")
    run = Run.load(tmp_path / "there" / "runs" / "one")
    with pytest.raises(ElgeoError, match=f"no longer at {tmp_path / 'here' / 'data'}: say where it is"):
        _ = run.dataset
    assert Run.load(tmp_path / "there" / "runs" / "one", str(tmp_path / "elsewhere")).dataset.name == "small"


def test_a_run_does_not_know_where_a_dataset_is_that_was_in_memory(tmp_path: Path) -> None:
    elgeo.train(small_dataset(), "naive", folder=tmp_path / "one")
    with pytest.raises(ElgeoError, match="the dataset 'small' of the run was in memory, not in a folder: say where"):
        _ = Run.load(tmp_path / "one").dataset
    assert Run.load(tmp_path / "one", small_dataset()).dataset.name == "small"


STATE = State(
    5, 2, np.random.default_rng(3).bit_generator.state, 0.1, None, 2, 4, 0.5, {"subclass": -1.5}, 0.25, {"subclass": 3}
)


def test_a_state_is_read_as_it_was_written(tmp_path: Path) -> None:
    edges = {"state": {"state": 2**128 - 1, "inc": 0}, "bit_generator": "PCG64", "has_uint32": 1, "uinteger": 2**32 - 1}
    edge = State(0, 0, edges, 0.0, 0.5, 0, 0, None, {}, 0.0, {"subclass": 0})
    for state in (STATE, edge):
        assert State.from_fields(Fields(json.loads(json.dumps(state.to_dict())), tmp_path)) == state


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("epoch", -1),
        ("epoch", ...),
        ("step", 0.5),
        ("generator.bit_generator", "MT19937"),
        ("generator.state.inc", 2**128),
        ("generator.state.state", -1),
        ("generator.uinteger", 2**32),
        ("generator.has_uint32", 2),
        ("plateau.learning_rate", -0.1),
        ("plateau.bad_epochs", None),
        ("plateau.best", "low"),
        ("best.epoch", 6),
        ("best.value", "low"),
        ("sums.subclass", None),
        ("seconds", -0.1),
        ("dropped.subclass", -1),
    ],
)
def test_a_wrong_field_of_a_state_is_refused(path: str, value: Any, tmp_path: Path) -> None:
    with pytest.raises(ReadError, match=f"x.y: {path}: "):
        State.from_fields(Fields(altered(STATE.to_dict(), path, value), "x.y"))


def test_what_is_no_document_is_said(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    for content, message in (
        (b"a = \xff", "not UTF-8"), (b"a = ", "not TOML: "), (b"a = " + b"[" * 9000, "nested too deeply"),
        (b"a = " + b"9" * 9000, "not TOML: "),
    ):  # fmt: skip
        path.write_bytes(content)
        with pytest.raises(ReadError, match=message):
            read_toml(path)
    with pytest.raises(ReadError, match="not a file"):
        read_toml(tmp_path)
    with pytest.raises(FileNotFoundError):
        read_toml(tmp_path / "b.toml")
    with pytest.raises(ReadError, match="f:7: not JSON: nested"):
        parse_json("[" * 100_000, Path("f"), 7)
    wrong: Any
    for wrong in ([], {1: 2}):
        with pytest.raises(ReadError, match="f: not a table"):
            Fields(wrong, "f")


def test_numbers_have_bounds() -> None:
    fields = Fields(
        {"a": LARGEST, "b": LARGEST + 1, "c": math.nan, "d": -math.inf, "e": -3, "f": 10**400, "g": None}, "f"
    )
    assert fields.whole("a") == LARGEST
    assert fields.whole("e", -3, -3) == -3
    assert fields.number("e") == -3.0
    for wrong in ("b", "c", "d", "e"):
        with pytest.raises(ReadError):
            fields.whole(wrong)
    for wrong in ("c", "d", "f"):
        with pytest.raises(ReadError):
            fields.number(wrong)


@pytest.mark.parametrize(
    ("bounds", "refused", "words"),
    [
        ((), math.inf, "a number, not inf"),
        ((-math.inf, math.inf), "1", "a number, not '1'"),
        ((0,), -0.5, "a number from 0, not -0.5"),
        ((-math.inf, 2.5), 2.75, "a number to 2.5, not 2.75"),
        ((-3, 1e9), 1e10, "a number from -3 to 1e+09, not 10000000000.0"),
    ],
)
def test_which_numbers_a_field_may_have_is_said(bounds: tuple[float, ...], refused: object, words: str) -> None:
    fields = Fields({"x": refused, **{f"y{i}": bound for i, bound in enumerate(bounds)}}, "f")
    with pytest.raises(ReadError, match=rf"^f: x: has to be {re.escape(words)}$"):
        fields.number("x", *bounds)
    for i, bound in enumerate(bounds):
        if math.isfinite(bound):
            assert fields.number(f"y{i}", *bounds) == bound, "a bound is within"


def test_what_a_document_may_say_of_anything() -> None:
    plain = {"a": [1, {"b": "x", "c": [True, -0.5]}], "d": "", "e": 10**30}
    assert Fields(plain, "f").plain() == plain
    for wrong in (math.nan, None, [1, math.inf], {"x": [None]}, {1: "x"}, {"x": {"y": {2: 3}}}, object()):
        with pytest.raises(ReadError, match=r"^f: a: has to be text, numbers, true or false, not "):
            Fields({"d": 1, "a": wrong}, "f").plain()
    for character, is_text in (("\x1f", False), (" ", True), ("\x00", False), ("é", True)):
        fields = Fields({"a": f"x{character}y"}, "f")
        if is_text:
            assert fields.text("a") == f"x{character}y"
        else:
            with pytest.raises(ReadError, match=r"^f: a: has characters that cannot be printed$"):
                fields.text("a")
    assert (fields.has("a"), fields.has("b")) == (True, False)


def test_a_quotation_is_cut() -> None:
    assert shown("a\nb") == r"'a\nb'"
    assert shown("x" * 59, 60) == repr("x" * 59)[:60] + "…"
    assert shown("x" * 58, 60) == repr("x" * 58)
    assert shown(10**5000) == "a number that is too long"

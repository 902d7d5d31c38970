"""What a page takes from a run: names that tell folders apart, the settings that its model has a use for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from elgeo.report.pages.shown_run import shown_settings, told_apart
from elgeo.training.folder.record import Record, TrainedOn
from elgeo.training.settings import Settings, settings_of


@pytest.mark.parametrize(
    ("folders", "names"),
    [
        ([], []),
        (["/r/a"], ["a"]),
        (["/r/a", "/s/b"], ["a", "b"]),
        (["/r/a/x", "/r/b/x", "/r/c"], ["a/x", "b/x", "c"]),
        (["/r/a/x/0", "/s/a/x/0", "/r/b/x/0"], ["r/a/x/0", "s/a/x/0", "b/x/0"]),
        (["/a/x", "/x", "/x/x"], ["a/x", "/x", "x/x"]),
        (["/r/a", "/r/a", "/r/b", "/r/a"], ["a (1)", "a (2)", "b", "a (3)"]),
        (["/r/a", "/s/a", "/r/a"], ["r/a (1)", "s/a", "r/a (2)"]),
    ],
)
def test_folders_are_told_apart_by_as_much_as_it_takes(folders: list[str], names: list[str]) -> None:
    assert told_apart([Path(folder) for folder in folders]) == names


@pytest.mark.parametrize("model", ["elem", "box2el", "atlas", "naive"])
def test_settings_without_a_use_are_not_listed(model: str) -> None:
    record = Record(Settings.of(model), TrainedOn("small", "0" * 8))
    of_training = {each.name for each in settings_of(model).get("training", ())}
    listed: dict[str, Any] = shown_settings(record)["settings"]
    everything = record.to_dict()["settings"]
    assert set(listed) == {name for name in everything if name in of_training or name == model}
    assert all(listed[name] == everything[name] for name in listed)
    assert ("epochs" in listed) == (model in ("elem", "box2el"))

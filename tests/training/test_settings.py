"""A run's settings: flat names, records, presets, and docs that cannot fall behind."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import elgeo
from elgeo.cli import main
from elgeo.cli.models import table
from elgeo.errors import SettingError
from elgeo.experiments.presets import PRESETS, preset
from elgeo.training.settings import Settings, parse_assignments, settings_of, usual_model
from tests.small_dataset import small_dataset

DOCS = Path(__file__).parents[2] / "docs" / "training.md"

PAPERS = [name for name in PRESETS if name.startswith(("yeast-", "human-"))]
"""The presets that the tables of the paper have."""


def test_settings_are_given_by_flat_names_and_text() -> None:
    chosen = Settings.of(
        "elem", margin="0.1", epochs="7", negative_forms="subclass,existential", negatives="biased(0.25)"
    )
    assert (chosen.own.margin, chosen.training.epochs) == (0.1, 7)
    assert chosen.training.negative_forms == ("subclass", "existential")
    assert (chosen.training.negatives, chosen.training.entailed_fraction) == ("biased", 0.25)
    assert chosen.changed({"elem.margin": 0.2}).get("margin") == 0.2
    assert chosen.get("epochs") == 7


def test_what_is_wrong_is_said() -> None:
    with pytest.raises(SettingError, match="did you mean learning_rate"):
        Settings.of("elem", learningrate=1)
    with pytest.raises(SettingError, match="did you mean dimension"):
        Settings.of("elem", dimensions=3)
    with pytest.raises(SettingError, match="no model is called"):
        Settings.of("elme")
    with pytest.raises(SettingError, match="entailed_fraction"):
        Settings.of("elem", negatives="biased(2)")
    with pytest.raises(SettingError, match="NAME=VALUE"):
        parse_assignments(["margin"])
    with pytest.raises(SettingError, match="no preset is called"):
        preset("yeast-iw/filtre")
    with pytest.raises(SettingError, match="NAME=VALUE"):
        parse_assignments([" =3"])
    assert parse_assignments(["a=1", " b = x=y "]) == {"a": "1", "b": "x=y"}


@pytest.mark.parametrize("name", PRESETS)
def test_presets_survive_the_record(name: str) -> None:
    chosen = preset(name)
    assert Settings.from_record(chosen.model, chosen.to_record()) == chosen


def test_the_batch_follows_the_data_unless_it_is_set() -> None:
    for longest, batch in ((1, 1), (16, 1), (17, 2), (1600, 100), (16 * 32_768, 32_768), (10**7, 32_768)):
        assert Settings.of("elem").sized(longest).training.batch == batch
    assert Settings.of("elem", batch=7).sized(10**6).training.batch == 7
    run = elgeo.train(small_dataset(), epochs=1, dimension=3, negatives="random")
    longest = max(map(len, run.dataset.forms.tables.values()))
    assert run.settings.training.batch == -(-longest // 16)
    assert all(preset(name).training.batch == 32_768 for name in [*PAPERS, "family"])
    assert preset("recommended").training.batch is None


def test_presets_are_the_papers() -> None:
    assert len(PAPERS) == 32
    relu, losses, filtered = (preset(f"yeast-iw/{column}") for column in ("relu", "losses", "filter"))
    assert (relu.own.dimension, relu.own.activation, relu.own.regularisation) == (200, "relu", "strict")
    assert relu.training.negative_forms == ("existential",)
    assert (losses.own.radius, losses.training.negatives, len(losses.training.negative_forms)) == (2.0, "random", 4)
    assert (filtered.own.dimension, filtered.training.negatives, filtered.training.closure) == (
        100,
        "filtered",
        "paper",
    )
    ablation = preset("yeast-hf/ablation-leaky")
    assert (ablation.own.margin, ablation.own.activation, ablation.own.regularisation) == (-0.1, "leaky", "strict")
    assert all(preset(name).own.left_existential == "overlap" for name in PAPERS)


def test_the_docs_have_the_settings_of_the_code() -> None:
    text = DOCS.read_text(encoding="utf-8")
    for group, settings in settings_of("elem").items():
        found = re.search(rf"<!-- settings: {group} -->\n(.*?)\n?<!-- end -->", text, re.DOTALL)
        assert found is not None
        assert found[1] == table(settings), f"docs/training.md: run `elgeo models elem --markdown` and copy {group}"


def test_models_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["models", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["elem"]["settings"]["elem"]["dimension"]["default"] == 50
    assert found["naive"]["settings"] == {"naive": {}}
    assert main(["models"]) == 0
    shown = capsys.readouterr().out
    assert shown.count("    learning_rate = 0.01\n") == 1
    assert shown.count("what can be set of its training:") == 2, "of what is trained, and of what is fitted"
    assert "elem's own settings:" in shown
    assert main(["models", "--presets"]) == 0
    shown = capsys.readouterr().out
    assert "recommended\n    model=atlas\n" in shown
    assert "geometry\n    dimension=100 margin=0.1 activation=leaky " in shown
    assert "faithful\n    model=faithful dimension=200\n" in shown
    assert main(["models", "--presets", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["yeast-iw/relu"]["dimension"] == 200
    assert main(["models", "nonsense"]) == 2


def test_atlas_is_trained_unless_a_setting_speaks_for_epochs() -> None:
    assert usual_model([]) == "atlas"
    assert usual_model(["seed", "contexts", "atlas.dense", "threads"]) == "atlas"
    assert usual_model(["seed", "epochs"]) == "elem"
    assert usual_model(["dimension"]) == "elem"
    assert preset("recommended").model == "atlas"
    assert preset("geometry").model == "elem"


def test_a_model_may_advise_how_it_is_trained() -> None:
    assert Settings.default("transbox").training.stop_by == "rank"
    assert Settings.default("elbe").training.stop_by == "loss"
    assert Settings.of("transbox", stop_by="loss").training.stop_by == "loss"

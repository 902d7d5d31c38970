"""What is taken where nothing is said is the same from Python and on the command line."""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Callable
from inspect import signature
from typing import Any

import pytest

from elgeo import api, datasets
from elgeo.cli import MODULES
from elgeo.datasets.embedded import cell
from elgeo.datasets.sources.download import DownloadLimits
from elgeo.datasets.sources.fetch import fetch
from elgeo.datasets.splits.holdout import HoldOut
from elgeo.datasets.splits.splitting import parse_shares, split
from elgeo.evaluation.placing.place import Placer
from elgeo.evaluation.predictions.predict import predict
from elgeo.evaluation.validation import validation_rank
from elgeo.negatives import corrupters
from elgeo.report.pages.shown_run import gather
from elgeo.serve.library import Shelf
from elgeo.training.settings import Settings


def of_command(name: str, *options: str) -> list[Any]:
    """The defaults of some options of a command, or of a command of a command."""
    command, _, sub = name.partition(" ")
    parser = argparse.ArgumentParser()
    importlib.import_module(MODULES[command]).configure(parser)
    if sub:
        subs = next(each for each in parser._actions if isinstance(each, argparse._SubParsersAction))
        parser = subs.choices[sub]
    return [parser.get_default(option) for option in options]


def of_function(function: Callable[..., Any], *names: str) -> list[Any]:
    return [signature(function).parameters[name].default for name in names]


def test_the_command_line_and_python_split_alike() -> None:
    names = ("split", "seed", "language")
    assert of_command("dataset split", *names) == of_function(datasets.split, "shares", "seed", "language")
    shares, seed, language = of_command("dataset split", *names)
    assert [parse_shares(shares), seed, language] == of_function(HoldOut, "shares", "seed", "language")
    assert [parse_shares(shares), seed] == of_function(split, "shares", "seed")
    assert of_command("dataset fetch", "seed") == of_function(fetch, "seed") == of_function(cell.dataset, "seed")
    limits = DownloadLimits()
    assert of_command("dataset fetch", "timeout", "tries") == [limits.timeout, limits.tries]
    assert limits.max_bytes == 1024**3


def test_as_many_justifications_are_looked_for() -> None:
    """One explanation is read to its end; whether something follows is asked for all its reasons."""
    assert of_command("explain", "limit") == [10]
    assert of_command("entails", "limit") == [100]


def test_as_many_are_shown() -> None:
    (top,) = of_command("predict", "top")
    for function in (api.predictions, predict, gather, Shelf.missing, Shelf.search):
        assert of_function(function, "top") == [top]
    assert of_command("report", "top") == [top]
    assert of_command("place", "top") == of_function(api.place, "top") == of_function(Placer.place, "top")


def test_evaluation_and_training_begin_alike() -> None:
    for function in (api.evaluate_new_classes, api.removed):
        assert of_command("evaluate", "seed") == of_function(function, "seed") == [0]
    assert of_function(validation_rank, "sample", "seed") == [0, 0], "all axioms, unless a sample is asked for"
    training = Settings.default("elem").training
    defaults = of_function(corrupters, "per_positive", "corrupt")
    assert defaults == [training.negatives_per_positive, training.corrupt]


@pytest.mark.parametrize("size", ["tiny"])
def test_the_embedded_cell_is_that_of_seed_zero(size: str) -> None:
    usual, first, other = cell.generate(size), cell.generate(size, 0), cell.generate(size, 1)
    assert (usual.pairs == first.pairs).all()
    assert usual.pairs.shape != other.pairs.shape or (usual.pairs != other.pairs).any()

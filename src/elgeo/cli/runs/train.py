"""`elgeo train`: a dataset becomes a run."""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path
from typing import Any

from elgeo import datasets
from elgeo.cli.parsing import Parser
from elgeo.cli.runs import several
from elgeo.errors import SettingError
from elgeo.messages import say
from elgeo.places import RUN, check_new_run

EXAMPLE = """\
examples:
  elgeo train data/mine -o runs/mine
  elgeo train family -o runs/family --model elem --set dimension=2 --epochs 200
  elgeo train data/yeast-iw -o runs/filter --preset yeast-iw/filter --seed 1
  elgeo train -o runs/filter --resume
  elgeo train data/mine -o runs/five --seeds 5
  torchrun --nproc-per-node 2 -m elgeo train family -o runs/two --model elem
"""


def configure(parser: Parser) -> None:
    parser.add_argument(
        "dataset", nargs="?", metavar="DATASET", help="a dataset's folder, or the name of an embedded one"
    )
    parser.add_argument("-o", "--output", metavar="RUN", required=True, type=Path, help="the run's folder")
    add_settings(parser)
    parser.add_argument(
        "--seeds",
        metavar="N",
        type=int,
        help="train an ensemble: N models, one seed after the other, in one folder",
    )
    parser.add_argument("--resume", action="store_true", help="go on with the run in RUN where it was broken off")
    parser.add_argument("--export-negatives", metavar="FILE", type=Path, help="write one epoch's negatives and stop")
    parser.add_argument("--quiet", action="store_true", help="no progress")
    parser.add_argument("--json", action="store_true", help="the result as JSON")
    parser.written_late = lambda: f"{settings_listed()}\n\n{EXAMPLE}"


def add_settings(parser: argparse.ArgumentParser) -> None:
    """The options that say what is trained and how."""
    parser.add_argument(
        "--model",
        metavar="NAME",
        help="the model (atlas; elem where a setting is given that only models trained in epochs have)",
    )
    parser.add_argument("--preset", metavar="NAME", help="settings by name: recommended, yeast-iw/filter, …")
    parser.add_argument("--set", metavar="NAME=VALUE", action="append", default=[], help="a setting, see below")
    parser.add_argument("--seed", type=int, help="everything random comes from it")
    parser.add_argument("--epochs", type=int, help="at most so many epochs")


def check_names(options: argparse.Namespace) -> None:
    """Refuse a model or a preset that there is not, before loading what would train it."""
    from elgeo.shipped import check_model

    check_model(options.model)
    if options.preset is not None:
        from elgeo.experiments.presets import check_preset

        check_preset(options.preset)


def settings_listed() -> str:
    """What `--set` takes, a line each."""
    from elgeo.cli.models import written
    from elgeo.training.settings import settings_of

    lines = [
        f"  {each.name:<24}{each.doc} [{written(each.default)}]"
        for model in ("atlas", "elem")
        for group, settings in settings_of(model).items()
        for each in settings
        if model == "elem" or group == model
    ]
    return "\n".join(["settings for --set [default], of atlas and then of models trained in epochs:", *lines])


def run(options: argparse.Namespace) -> int:
    if options.dataset is None and not options.resume:
        raise SettingError("which dataset? Give a folder or a name: elgeo train DATASET -o RUN")
    if several.is_several(options.dataset):
        return several.train(options, run)
    goes_on = options.resume and (options.output / RUN).exists()
    if options.dataset is not None:
        datasets.check(options.dataset)
        if not options.export_negatives and "RANK" not in os.environ:  # another process may have begun the run
            check_new_run(options.output, options.resume)
    elif not goes_on:
        raise SettingError(f"{options.output} holds no run to resume: give the dataset to begin one")
    check_names(options)
    from elgeo import api
    from elgeo.training.distributed.processes import join

    processes = join()
    wanted = changes(options)
    if processes.size > 1:  # torchrun begins again from the last one if a process dies
        wanted.setdefault("checkpoint_every", 1)
    if goes_on:
        if options.model or options.preset or options.seeds or options.export_negatives:
            raise SettingError("a resumed run has its model and settings: --resume takes no other to begin with")
        finished = api.resume(options.output, options.dataset, quiet=options.quiet, processes=processes, **wanted)
    elif options.export_negatives:
        return _export(options)
    else:
        finished = api.train(
            options.dataset,
            options.model,
            preset=options.preset,
            folder=options.output,
            seeds=options.seeds,
            quiet=options.quiet,
            processes=processes,
            **wanted,
        )
    if options.json:
        print(json.dumps({"run": str(options.output), "model": finished.settings.model, **finished.result}))
    else:
        print(options.output)
    return 0


def _export(options: argparse.Namespace) -> int:
    """Write the negatives of one epoch as a table."""
    from elgeo import api

    count = api.export_negatives(
        options.export_negatives, options.dataset, options.model, options.preset, **changes(options)
    )
    say(f"{count} negatives in {options.export_negatives}")
    return 0


def changes(options: argparse.Namespace) -> dict[str, Any]:
    """The settings that were given, by name."""
    from elgeo.training.settings import parse_assignments

    named = {name: getattr(options, name) for name in ("seed", "epochs") if getattr(options, name) is not None}
    return {**parse_assignments(options.set), **named}

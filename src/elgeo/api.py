"""What `import elgeo` offers beyond single rooms: training and evaluation, composed."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO
from weakref import WeakKeyDictionary

from elgeo import datasets
from elgeo import settings as settings_module
from elgeo.datasets.model import Dataset
from elgeo.errors import SettingError
from elgeo.evaluation.predictions.words import EXCLUDABLE, GENERAL
from elgeo.evaluation.settings import EvaluationSettings
from elgeo.evaluation.validation import validation_rank
from elgeo.experiments.presets import preset as preset_named
from elgeo.files import write_text
from elgeo.training import loop
from elgeo.training.record import RECORD
from elgeo.training.resume import resumed
from elgeo.training.run import EVALUATION, Run
from elgeo.training.settings import Settings, usual_model

if TYPE_CHECKING:
    import pandas as pd

    from elgeo.evaluation.placing.new_classes import NewClasses
    from elgeo.evaluation.placing.place import Placer
    from elgeo.evaluation.placing.placements import Placements
    from elgeo.evaluation.placing.suggestions import Proposal
    from elgeo.evaluation.predictions.came_true import CameTrue
    from elgeo.evaluation.predictions.predict import Predictions
    from elgeo.evaluation.predictions.whole_axioms import ScoredAxiom
    from elgeo.ontology.model import Ontology
    from elgeo.report.report import Report


def reason(ontology: Ontology | str | os.PathLike[str], every: bool = False) -> Ontology:
    """An ontology (or the file of one) with its inferred axioms added: direct superclasses and types, or every one.

    >>> elgeo.write(reason("go.obo"), "go-reasoned.ofn")  # doctest: +SKIP
    """
    from elgeo.ontology import normalise, read
    from elgeo.reasoning.saturation.saturate import saturate
    from elgeo.reasoning.taxonomy.inferred import with_inferred
    from elgeo.reasoning.taxonomy.taxonomy import taxonomy

    whole = read(ontology) if isinstance(ontology, str | os.PathLike) else ontology
    return with_inferred(taxonomy(saturate(normalise(whole))), every).ontology


def train(
    dataset: Dataset | str | os.PathLike[str],
    model: str | None = None,
    negatives: str | None = None,
    seed: int | None = None,
    folder: str | os.PathLike[str] | None = None,
    *,
    preset: str | None = None,
    resume: bool = False,
    on_epoch: loop.OnEpoch | None = None,
    quiet: bool = True,
    stream: TextIO | None = None,
    **settings: Any,
) -> Run:
    """Train a model on a dataset (or the name or folder of one); every setting of `elgeo models` is a keyword.

    With a folder the run is written as it goes and can be resumed; without one it stays in memory. `preset` is a name
    from `elgeo.experiments.presets`; what is given beside it counts more. With neither a model nor a preset `atlas` is
    trained, or `elem` where a setting is given that only models trained in epochs have.

    >>> run = train("family")  # doctest: +SKIP
    """
    place = None if isinstance(dataset, Dataset) else os.fspath(dataset)
    wanted = {**settings}
    if negatives is not None:
        wanted["negatives"] = negatives
    if seed is not None:
        wanted["seed"] = seed
    chosen = _settings(model, preset, wanted).changed(wanted)
    loaded = dataset if isinstance(dataset, Dataset) else datasets.load(dataset)
    return train_with(loaded, chosen, folder, place=place, resume=resume, on_epoch=on_epoch, quiet=quiet, stream=stream)


def train_with(
    dataset: Dataset,
    settings: Settings,
    folder: str | os.PathLike[str] | None = None,
    *,
    place: str | None = None,
    resume: bool = False,
    on_epoch: loop.OnEpoch | None = None,
    quiet: bool = True,
    stream: TextIO | None = None,
) -> Run:
    """Train with settings already made; see `train`."""
    training = settings.training
    rank = validation_rank(dataset, training.rank_sample, training.seed) if len(dataset.valid) else None
    return loop.train(
        dataset,
        settings,
        None if folder is None else Path(folder),
        place=place,
        resume=resume,
        rank=rank,
        on_epoch=on_epoch,
        quiet=quiet,
        stream=stream,
    )


def resume(
    folder: str | os.PathLike[str],
    dataset: Dataset | str | None = None,
    *,
    on_epoch: loop.OnEpoch | None = None,
    quiet: bool = True,
    stream: TextIO | None = None,
    **changes: Any,
) -> Run:
    """Go on with a run that was broken off, to the bits it would have ended in; a finished one is given as it is.

    `changes` may extend it (`epochs`, `stop_patience`) or say how to compute (`device`, `threads`,
    `checkpoint_every`); other settings belong to the run.
    """
    run = Run.load(folder, dataset)
    settings = resumed(run, changes)
    if run.record.result is not None and settings == run.settings:
        if dataset is not None:
            _ = run.dataset  # refuses another one than the run's
        return run
    known = run.record.dataset
    place = dataset if isinstance(dataset, str) else known.path or known.name
    return train_with(
        run.dataset, settings, folder, place=place, resume=True, on_epoch=on_epoch, quiet=quiet, stream=stream
    )


_go_on = resume


class Outcome(NamedTuple):
    """What `pipeline` made."""

    run: Run
    report: Report
    page: Path
    """One self-contained page about the run."""


def pipeline(
    dataset: Dataset | str | os.PathLike[str],
    folder: str | os.PathLike[str],
    model: str | None = None,
    *,
    preset: str | None = None,
    resume: bool = False,
    evaluation: EvaluationSettings | None = None,
    on_epoch: loop.OnEpoch | None = None,
    say: Callable[[str], None] = lambda stage: None,
    quiet: bool = True,
    **settings: Any,
) -> Outcome:
    """Train, evaluate and report in one: a run in `folder`, its evaluation and its page beside it.

    With `resume` a run that was broken off in the folder is gone on with first. Settings are those of `train`.

    >>> outcome = pipeline("family", "runs/family", epochs=2)  # doctest: +SKIP
    """
    if resume and (Path(folder) / RECORD).exists():
        if model is not None or preset is not None:
            raise SettingError("a resumed run has its model and settings: it takes no other to begin with")
        given = dataset if isinstance(dataset, Dataset) else os.fspath(dataset)
        run = _go_on(folder, given, on_epoch=on_epoch, quiet=quiet, **settings)
    else:
        run = train(dataset, model, folder=folder, preset=preset, on_epoch=on_epoch, quiet=quiet, **settings)
    from elgeo.report.page import run_page
    from elgeo.report.shown_run import gather

    report = evaluate(run, settings=evaluation, say=say)
    page = Path(folder) / "report.html"
    say("writing the page")
    write_text(page, run_page([gather(Path(folder), Path(folder).resolve().name, run.dataset)]))
    return Outcome(run, report, page)


def export_negatives(
    path: str | os.PathLike[str],
    dataset: Dataset | str | os.PathLike[str],
    model: str | None = None,
    preset: str | None = None,
    **settings: Any,
) -> int:
    """Write corrupted axioms as training with these settings would draw them, to look at; gives their number."""
    from elgeo.negatives.export import export
    from elgeo.reasoning import Reasoner

    chosen = _settings(model or "elem" if preset is None else model, preset, settings).changed(settings)
    loaded = dataset if isinstance(dataset, Dataset) else datasets.load(dataset)
    closure = Reasoner(loaded.forms).closure(chosen.training.closure)
    made = loop.batches_of(loaded, chosen, closure).corrupters
    return export(Path(path), loaded, made, closure, chosen.training.seed)


def evaluate(
    run: Run | str | os.PathLike[str],
    *,
    settings: EvaluationSettings | None = None,
    against: Sequence[Run] = (),
    say: Callable[[str], None] = lambda stage: None,
    **options: Any,
) -> Report:
    """The full evaluation of a run; a run with a folder keeps it there as `evaluation.json`, if that can be written.

    Options are those of `elgeo evaluate` (`split`, `filter`, `positives`, …); `settings` has them all at once.

    >>> print(evaluate(run, filter="train+valid").table())  # doctest: +SKIP
    """
    from elgeo.evaluation.evaluate import evaluate as evaluated
    from elgeo.report.report import Report

    loaded = run if isinstance(run, Run) else Run.load(run)
    chosen = settings_module.make(EvaluationSettings, options) if settings is None else settings
    for number, other in enumerate(against):
        if other.record.dataset.sha256 != loaded.record.dataset.sha256:
            raise SettingError(
                f"{_name_of(other, number)} was trained on another dataset ({other.record.dataset.name}) than the run"
                f" it stands beside ({loaded.record.dataset.name}): their ranks do not compare"
            )
    others = {_name_of(other, i): other.predictor() for i, other in enumerate(against)}
    report = Report(evaluated(loaded.predictor(), loaded.dataset, chosen, others=others, say=say))
    if loaded.folder is not None:
        place = loaded.folder / EVALUATION
        try:
            write_text(place, json.dumps(report.to_dict(), indent=1) + "\n")
            say(f"written to {place}")
        except OSError as error:  # someone else's folder, a full disk: the figures are worth printing all the same
            say(f"not kept: {place}: {error.strerror or error}")
    return report


def evaluate_new_classes(
    run: Run | str | os.PathLike[str], *, seed: int = 0, say: Callable[[str], None] = lambda stage: None
) -> NewClasses:
    """How well the place of new classes is found by their words, `nearest-names` and `naive` beside it.

    Of a run on a back-test these are the terms that only the newer release has, of any other run classes that are held
    out whole. A run with a folder keeps it there as `new_classes.json`.
    """
    import numpy as np

    from elgeo.evaluation.placing.new_classes import RESULT, evaluate_new_classes
    from elgeo.evaluation.placing.newcomers import back_test_of, held_out_whole, of_release
    from elgeo.evaluation.placing.placements import placement_of

    loaded = run if isinstance(run, Run) else Run.load(run)
    generator = np.random.default_rng(seed)
    folder = back_test_of(loaded)
    say("learning" if folder is None else f"new terms of {folder}")
    newcomers = (
        held_out_whole(loaded.dataset, generator) if folder is None else of_release(placement_of(loaded, say), folder)
    )
    found = evaluate_new_classes(newcomers, generator, say)
    if loaded.folder is not None:
        write_text(loaded.folder / RESULT, json.dumps(found.to_dict(), indent=1) + "\n")
    return found


def suggestions(
    run: Run | str | os.PathLike[str], first: int = 1000, *, say: Callable[[str], None] = lambda stage: None
) -> CameTrue:
    """How many of a run's first suggestions, and of those of the baselines, are among the held-out axioms.

    Of a run on a back-test: how many the newer release added. Kept as `suggestions.json`; a page about the run says it.
    """
    from elgeo.evaluation.predictions.came_true import RESULT, came_true
    from elgeo.models import CommonNeighbours, Naive, NearestNames

    if first < 1:
        raise SettingError(f"suggestions have to be 1 or more, not {first}")
    loaded = run if isinstance(run, Run) else Run.load(run)
    predictors = {loaded.settings.model: loaded.predictor()}
    for baseline in (Naive, CommonNeighbours, NearestNames):
        predictors.setdefault(baseline.name, baseline.fit(loaded.dataset))
    say(f"suggesting {first:,} axioms by {', '.join(predictors)}")
    found = came_true(predictors, loaded.dataset, sorted({max(1, first // 10), first}))
    if loaded.folder is not None:
        write_text(loaded.folder / RESULT, json.dumps(found.to_dict(), indent=1) + "\n")
    return found


def predict(run: Run | str | os.PathLike[str], head: str | None = None, **options: Any) -> pd.DataFrame:
    """The best missing axioms of a head, a tail, or (with neither) of all heads, as a pandas DataFrame.

    Options are those of `predictions`.
    """
    return predictions(run, head, **options).frame()


def predictions(
    run: Run | str | os.PathLike[str],
    head: str | None = None,
    tail: str | None = None,
    role: str | None = None,
    top: int = 20,
    exclude: Sequence[str] = EXCLUDABLE,
    general: float = GENERAL,
    explain: bool = False,
) -> Predictions:
    """`predict` with ids behind the names, and with reasons where they are asked for."""
    from elgeo.evaluation.predictions.predict import predict as predicted

    loaded = run if isinstance(run, Run) else Run.load(run)
    return predicted(loaded.predictor(), loaded.dataset, head, tail, role, top, exclude, general, explain)


def place(
    run: Run | str | os.PathLike[str],
    terms: str | Sequence[Proposal],
    *,
    definition: str = "",
    synonyms: Sequence[str] = (),
    axioms: Sequence[str] = (),
    top: int = 10,
    say: Callable[[str], None] = lambda stage: None,
) -> Placements:
    """Where new terms belong: classes that exist already, ranked parents and relations, with reasons.

    A label with its other words, or a list of `Proposal`; `proposals(path)` reads one from a table. A run that stays in
    memory is made ready once.

    >>> run.place("regulation of heart rate", axioms=["NEW SubClassOf part_of some Heart"])  # doctest: +SKIP
    """
    from elgeo.evaluation.placing.place import Placer
    from elgeo.evaluation.placing.placements import Placements, placement_of
    from elgeo.evaluation.placing.suggestions import Proposal

    loaded = run if isinstance(run, Run) else Run.load(run)
    if isinstance(terms, str):
        terms = [Proposal(terms, definition, tuple(synonyms), tuple(axioms))]
    if loaded not in _PLACERS:
        _PLACERS[loaded] = Placer(placement_of(loaded, say))
    placed = list(_PLACERS[loaded].place(list(terms), top, say))
    return Placements(loaded.dataset.vocabulary, placed)


_PLACERS: WeakKeyDictionary[Run, Placer] = WeakKeyDictionary()


def proposals(path: str | os.PathLike[str]) -> list[Proposal]:
    """The new terms of a table; its first line names the columns: id, label, definition, synonyms, axioms."""
    from elgeo.evaluation.placing.batch import read_batch

    return read_batch(Path(path))


def score(run: Run | str | os.PathLike[str], axioms: str | Sequence[str]) -> pd.DataFrame:
    """Truth, distance from truth and score of whole axioms as people write them, best first, as a pandas DataFrame.

    >>> score(run, "Heart SubClassOf part_of some (Organ and located_in some Body)")  # doctest: +SKIP
    """
    import pandas as pd

    return pd.DataFrame(scores(run, axioms))


def scores(run: Run | str | os.PathLike[str], axioms: str | Sequence[str]) -> list[ScoredAxiom]:
    """What `score` has, as a list."""
    from elgeo.evaluation.predictions.whole_axioms import score_axioms

    loaded = run if isinstance(run, Run) else Run.load(run)
    found = score_axioms(loaded.predictor(), loaded.dataset, [axioms] if isinstance(axioms, str) else axioms)
    return sorted(found, key=lambda each: (each.true is not True, math.inf if each.score is None else -each.score))


def _settings(model: str | None, preset: str | None, wanted: Iterable[str]) -> Settings:
    """What training starts from: a preset, or the defaults of a model; `wanted` are settings that it must have."""
    if preset is not None and model is not None:
        raise SettingError("a preset names its model: give a model or a preset, not both")
    return Settings.default(model or usual_model(wanted)) if preset is None else preset_named(preset)


def _name_of(run: Run, number: int) -> str:
    return run.folder.resolve().name if run.folder is not None else f"{run.settings.model} ({number + 1})"

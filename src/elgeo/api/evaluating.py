"""`elgeo.evaluate`: how well a run ranks what was held out from it, places new classes, suggests axioms."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from elgeo import settings as settings_module
from elgeo.errors import SettingError
from elgeo.evaluation.settings import EvaluationSettings
from elgeo.files import write_json
from elgeo.training.distributed.processes import ALONE, Processes
from elgeo.training.run import EVALUATION, Run

if TYPE_CHECKING:
    from elgeo.evaluation.placing.new_classes import NewClasses
    from elgeo.evaluation.predictions.came_true import CameTrue
    from elgeo.evaluation.predictions.taken_back import TakenBack
    from elgeo.report.report import Report


def evaluate(
    run: Run | str | os.PathLike[str],
    *,
    settings: EvaluationSettings | None = None,
    against: Sequence[Run] = (),
    say: Callable[[str], None] = lambda stage: None,
    processes: Processes = ALONE,
    **options: Any,
) -> Report:
    """The full evaluation of a run; a run with a folder keeps it there as `evaluation.json`, if that can be written.

    Beside it is `calibration.json`: from then on predictions of the run have probabilities.
    Options are those of `elgeo evaluate` (`split`, `filter`, `positives`, …); `settings` has them all at once.

    >>> print(evaluate(run, filter="train+valid").table())  # doctest: +SKIP
    """
    from elgeo.evaluation.calibration.calibrate import calibrate, reliability
    from elgeo.evaluation.calibration.document import write_calibration
    from elgeo.evaluation.entailments import Entailments
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
    predictor, entailments = loaded.predictor(), Entailments(loaded.dataset, chosen.closure)
    report = Report(evaluated(predictor, loaded.dataset, chosen, entailments, others, say, processes))
    if loaded.folder is not None and processes.is_first:
        say("probabilities")
        place, calibration = loaded.folder / EVALUATION, calibrate(predictor, loaded.dataset, entailments)
        try:
            write_json(place, report.to_dict())
            if calibration is not None:
                holds = reliability(calibration, predictor, loaded.dataset, entailments)
                write_calibration(loaded.folder, calibration, holds)
                say(holds.words() if holds is not None else "nothing in test to see how far probabilities hold")
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
    from elgeo.evaluation.placing.placements import placement_of, vectors_of

    loaded = run if isinstance(run, Run) else Run.load(run)
    generator = np.random.default_rng(seed)
    folder = back_test_of(loaded)
    say("learning" if folder is None else f"new terms of {folder}")
    newcomers = (
        held_out_whole(loaded.dataset, generator, say, vectors_of(loaded))
        if folder is None
        else of_release(placement_of(loaded, say), folder)
    )
    found = evaluate_new_classes(newcomers, generator, say)
    if loaded.folder is not None:
        write_json(loaded.folder / RESULT, found.to_dict())
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
        write_json(loaded.folder / RESULT, found.to_dict())
    return found


def removed(
    run: Run | str | os.PathLike[str], *, seed: int = 0, say: Callable[[str], None] = lambda stage: None
) -> TakenBack:
    """How high a run on a back-test ranks the training axioms that the newer release took back, and those that stayed.

    Kept as `removed.json`.
    """
    import numpy as np

    from elgeo.datasets.releases.reading import read_gone, read_removed
    from elgeo.evaluation.placing.newcomers import back_test_of
    from elgeo.evaluation.predictions.taken_back import RESULT, taken_back

    loaded = run if isinstance(run, Run) else Run.load(run)
    folder = back_test_of(loaded)
    if folder is None:
        raise SettingError("the run is on no back-test (elgeo dataset releases): nothing was taken back")
    role = loaded.dataset.target_role
    pairs = read_removed(folder, "" if role is None else loaded.dataset.vocabulary.roles[role])
    say(f"ranking what was taken back, of {len(pairs):,} axioms")
    generator = np.random.default_rng(seed)
    found = taken_back(loaded.predictor(), loaded.dataset, pairs, generator, read_gone(folder))
    if loaded.folder is not None:
        write_json(loaded.folder / RESULT, found.to_dict())
    return found


def _name_of(run: Run, number: int) -> str:
    return run.folder.resolve().name if run.folder is not None else f"{run.settings.model} ({number + 1})"

"""`elgeo.predict`, `elgeo.place`, `elgeo.score`: what a run says of axioms and terms that are not in its dataset."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from elgeo.errors import SettingError
from elgeo.evaluation.predictions.words import EXCLUDABLE, GENERAL, listed_words
from elgeo.training.distributed.processes import ALONE, Processes
from elgeo.training.run import Run

if TYPE_CHECKING:
    import pandas as pd

    from elgeo.evaluation.placing.place import Placer
    from elgeo.evaluation.placing.placements import Placements
    from elgeo.evaluation.placing.suggestions import Proposal
    from elgeo.evaluation.predictions.predict import Predictions
    from elgeo.evaluation.predictions.whole_axioms import ScoredAxiom

_PLACERS: WeakKeyDictionary[Run, Placer] = WeakKeyDictionary()


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
    exclude: str | Sequence[str] = EXCLUDABLE,
    general: float = GENERAL,
    explain: bool = False,
    without: str | Sequence[str] = (),
    say: Callable[[str], None] = lambda stage: None,
    processes: Processes = ALONE,
) -> Predictions:
    """`predict` with ids behind the names, and with reasons where they are asked for.

    `exclude` are words, in a list or between commas as on the command line. `without` are training axioms of the
    target: the model is fitted again without them, and `again` has what the same predictions come to.
    """
    from elgeo.evaluation.calibration.document import calibration_of
    from elgeo.evaluation.predictions.predict import predict as predicted
    from elgeo.evaluation.predictions.without import fitted_again

    loaded = run if isinstance(run, Run) else Run.load(run)
    without = [without] if isinstance(without, str) else without
    if without and role is not None:
        raise SettingError("without axioms of the target only the target can be predicted: leave the role out")
    predictor = loaded.predictor()
    found = predicted(
        predictor,
        loaded.dataset,
        head,
        tail,
        role,
        top,
        listed_words(exclude),
        general,
        explain,
        calibration=calibration_of(loaded.folder),
        processes=processes,
    )
    return replace(found, again=fitted_again(loaded, predictor, found.rows, without, say)) if without else found


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

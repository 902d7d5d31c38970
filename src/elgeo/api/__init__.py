"""What `import elgeo` offers beyond single rooms, composed of them: a module for each part of a user's work.

Takes files, names of datasets and folders of runs; gives what the rooms do. Begin at `one_call.py`, all of it in one
call; `reasoning.py`, `training.py`, `evaluating.py` and `predicting.py` are its parts.
"""

from __future__ import annotations

from elgeo.api.evaluating import evaluate, evaluate_new_classes, removed, suggestions
from elgeo.api.one_call import Outcome, pipeline
from elgeo.api.predicting import place, predict, predictions, proposals, score, scores
from elgeo.api.reasoning import reason
from elgeo.api.training import export_negatives, resume, train, train_with

__all__ = [
    "Outcome",
    "evaluate",
    "evaluate_new_classes",
    "export_negatives",
    "pipeline",
    "place",
    "predict",
    "predictions",
    "proposals",
    "reason",
    "removed",
    "resume",
    "score",
    "scores",
    "suggestions",
    "train",
    "train_with",
]

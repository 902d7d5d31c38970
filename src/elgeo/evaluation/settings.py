"""`EvaluationSettings`: which axioms are ranked among which candidates, and what else is measured."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from elgeo.settings import check, setting


@dataclass(frozen=True)
class EvaluationSettings:
    """Everything that decides the figures of an evaluation, apart from the run."""

    split: Literal["test", "valid"] = setting("test", "which held-out axioms are ranked")
    filter: Literal["none", "train", "train+valid", "closure"] = setting(
        "train", "which true candidates are removed from the filtered ranks; the paper's is train"
    )
    positives: Literal["test", "novel", "entailed", "both"] = setting(
        "test", "also rank apart the novel (not entailed) test axioms, the entailed axioms, or both"
    )
    candidates: Literal["kind", "target"] = setting(
        "kind", "all classes of the tail's kind, or those of them that occur in the target role"
    )
    without_head: bool = setting(False, "leave the head out of its own candidates")
    side: Literal["tail", "head"] = setting("tail", "rank the tails of each head, or the heads of each tail")
    closure: Literal["complete", "paper"] = setting("complete", "which closure says what is entailed")
    semantic: bool = setting(True, "Lin hits, superclass credit and, for functions, the CAFA measures")
    faithfulness: bool = setting(True, "which share of axioms is true in the geometric model, and signs of collapse")
    resamples: int = setting(1000, "bootstrap resamples behind each interval; 0 for none", least=0)
    seed: int = setting(0, "seed of resamples, of random axioms and of ties in the top k", least=0)

    def __post_init__(self) -> None:
        check(self)

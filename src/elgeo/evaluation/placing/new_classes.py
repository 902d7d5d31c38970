"""How well the place of new classes is found: ranks of their parents and relations, the baselines beside them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from elgeo.arrays import Floats, Places
from elgeo.evaluation.measures.intervals import per_axiom_intervals
from elgeo.evaluation.measures.metrics import per_axiom
from elgeo.evaluation.placing.newcomers import Newcomers
from elgeo.evaluation.ranking.ranks import Ranks
from elgeo.models.atlas.contexts.logic import Matrix
from elgeo.models.atlas.operators.dense import Dense, one_thread
from elgeo.models.nearest_names import votes
from elgeo.models.placement.evidence import SeenTerms
from elgeo.models.placement.model import Placement, chunks

OURS, NEAREST_NAMES, NAIVE = "atlas", "nearest-names", "naive"
RESULT = "new_classes.json"
SHOWN = ("hits@1", "hits@10", "hits@100", "mrr", "mean_rank")
DEPTHS = {"0-3": 0, "4-6": 4, "7-9": 7, "10 or more": 10}
NEARNESS = {"below 0.2": 0.0, "0.2-0.4": 0.2, "0.4-0.6": 0.4, "0.6 or more": 0.6}
"""Groups by how far the true end is from the top, and by how like the nearest text is; where each begins."""


@dataclass(frozen=True)
class NewClasses:
    """What was found; all of it plain values."""

    what: str
    candidates: int
    targets: Mapping[str, Mapping[str, Any]]
    """By target: axioms, metrics of each method, intervals of ours, and our metrics by depth and by nearness."""

    def to_dict(self) -> dict[str, Any]:
        return {"new_classes": self.what, "candidates": self.candidates, "targets": dict(self.targets)}

    def table(self) -> str:
        """For people."""
        lines = [f"{self.what}, each true class ranked among {self.candidates:,}, other true ones left out"]
        for name, found in self.targets.items():
            lines += ["", f"{name}: {found['axioms']:,} axioms"]
            lines.append(f"  {'':24}" + "".join(f"{metric:>10}" for metric in SHOWN))
            for method, metrics in found["methods"].items():
                lines.append(_line(method, metrics))
            for group in ("depth", "nearness"):
                for label, metrics in found[group].items():
                    lines.append(_line(f"{group} {label}", metrics, f"  ({metrics['axioms']:,})"))
        return "\n".join(lines)


def _line(name: str, metrics: Mapping[str, float], end: str = "") -> str:
    cells = (f"{metrics[m]:>10.1f}" if m == "mean_rank" else f"{metrics[m]:>10.3f}" for m in SHOWN)
    return f"  {name:24}" + "".join(cells) + end


def evaluate_new_classes(
    newcomers: Newcomers, generator: np.random.Generator, say: Callable[[str], None] = lambda _: None
) -> NewClasses:
    """Place every newcomer by each method, and see where its true classes come."""
    placement, knowledge = newcomers.placement, newcomers.placement.knowledge
    names = knowledge.dataset.vocabulary
    ranked: dict[int | None, dict[str, list[Ranks]]] = {role: {} for role in knowledge.told}
    nearest: list[Floats] = []
    with one_thread():
        for part in chunks(len(newcomers.terms)):
            say(f"placed {part.start:,} of {len(newcomers.terms):,}")
            seen = placement.look(newcomers.terms[part])
            mean: Matrix = sum(seen.alike.values()) / len(seen.alike)
            nearest.append(np.asarray(mean.toarray().max(axis=1), np.float64))
            for role, true in newcomers.true.items():
                if not any(map(len, true[part])):
                    continue
                for method, found in _methods(placement, seen, mean, role).items():
                    ranks = rank(found, true[part], part.start)
                    ranked[role].setdefault(method, []).append(ranks)
    depth, near = knowledge.hierarchy.depth, np.concatenate(nearest)
    targets = {}
    for role, by_method in ranked.items():
        if not by_method:
            continue
        whole = {method: _joined(parts) for method, parts in by_method.items()}
        ours = whole[OURS]
        targets["C ⊑ D" if role is None else f"C ⊑ ∃{names.role_label(role)}.D"] = {
            "axioms": len(ours),
            "methods": {method: per_axiom(ranks) for method, ranks in whole.items()},
            "intervals": {m: list(i) for m, i in per_axiom_intervals(ours, generator).items()},
            "depth": _grouped(ours, depth[ours.answers], DEPTHS),
            "nearness": _grouped(ours, near[ours.heads], NEARNESS),
        }
    return NewClasses(newcomers.what, len(knowledge.ids), targets)


def _methods(placement: Placement, seen: SeenTerms, mean: Matrix, role: int | None) -> dict[str, Dense]:
    told = placement.evidence.told[role]
    count = np.asarray(told.sum(axis=0), np.float32).ravel()
    return {
        OURS: placement.scores(seen, role),
        NEAREST_NAMES: nearest_names(mean, told, role),
        NAIVE: np.broadcast_to(count, mean.shape),
    }


def nearest_names(alike: Matrix, told: Matrix, role: int | None) -> Dense:
    """What the 30 classes with the nearest texts have, by likeness; as parents also the nearest texts themselves."""
    return np.stack([votes(row, told, role is None) for row in alike.toarray()]).astype(np.float32)


def rank(scores: Dense, true: Sequence[Places], first: int) -> Ranks:
    """The rank of each true class of each term among all classes, its other true ones left out."""
    heads, answers, better, equal, among = [], [], [], [], []
    for row, ends in enumerate(true):
        values = np.delete(scores[row], ends)
        for end in ends.tolist():
            heads.append(first + row)
            answers.append(end)
            better.append(int((values > scores[row, end]).sum()))
            equal.append(int((values == scores[row, end]).sum()))
            among.append(len(values) + 1)
    optimistic = np.array(better, np.int64) + 1
    return Ranks(
        np.array(heads, np.int32),
        np.array(answers, np.int32),
        optimistic,
        optimistic + np.array(equal, np.int64),
        np.array(among, np.int64),
        scores.shape[1],
    )


def _joined(parts: Sequence[Ranks]) -> Ranks:
    return Ranks(
        np.concatenate([part.heads for part in parts]),
        np.concatenate([part.answers for part in parts]),
        np.concatenate([part.optimistic for part in parts]),
        np.concatenate([part.pessimistic for part in parts]),
        np.concatenate([part.candidates for part in parts]),
        parts[0].total,
    )


def _grouped(ranks: Ranks, values: Floats, groups: Mapping[str, float]) -> dict[str, dict[str, float]]:
    """Metrics by group; a group begins where the next one ends."""
    group = np.searchsorted(list(groups.values()), values, side="right") - 1
    found = {}
    for number, label in enumerate(groups):
        if (group == number).any():
            chosen = ranks.take(group == number)
            found[label] = {"axioms": len(chosen), **per_axiom(chosen)}
    return found

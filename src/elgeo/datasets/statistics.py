"""What is in a dataset, counted: by part, by kind, by normal form beside the paper's table."""

from __future__ import annotations

from typing import Any

import numpy as np

from elgeo.datasets.model import Dataset
from elgeo.datasets.splits.coldness import counted
from elgeo.messages import as_shown
from elgeo.messages import counted as plural
from elgeo.ontology.normal_forms import FORMS
from elgeo.ontology.short_names import role_called, short_form

PAPER = {
    "yeast": {
        "GCI0": 81_068, "GCI0-BOT": 0, "GCI1": 11_825, "GCI1-BOT": 31, "GCI2": 293_645, "GCI3": 11_823, "GCI3-BOT": 0
    },
    "human": {
        "GCI0": 87_555, "GCI0-BOT": 0, "GCI1": 12_154, "GCI1-BOT": 30, "GCI2": 958_674, "GCI3": 12_152, "GCI3-BOT": 0
    },
}  # fmt: skip
"""Training axioms of each normal form in the paper's datasets (its appendix "GCI statistics")."""


def statistics(dataset: Dataset) -> dict[str, Any]:
    """Counts for `elgeo dataset info --json`; the paper's beside those of datasets with proteins."""
    vocabulary, kinds = dataset.vocabulary, dataset.kinds
    parts = {"train": dataset.train, "valid": dataset.valid, "test": dataset.test}
    sizes = np.bincount(kinds.of_class, minlength=len(kinds.names))
    role = dataset.target_role
    everything = np.concatenate(list(parts.values()))
    return {
        "name": dataset.name,
        "target": {
            "form": dataset.target_form,
            "role": None if role is None else vocabulary.roles[role],
            "role_label": None if role is None else role_called(vocabulary, role),
            "head_kind": dataset.head_kind,
            "tail_kind": dataset.tail_kind,
            "symmetric": dataset.symmetric,
            "candidates": len(dataset.candidates),
            "heads_used": len(np.unique(everything[:, 0])),
            "tails_used": len(np.unique(everything[:, -1])),
        },
        "splits": {part: len(rows) for part, rows in parts.items()},
        "classes": vocabulary.n_classes,
        "roles": vocabulary.n_roles,
        "kinds": {name: int(size) for name, size in zip(kinds.names, sizes, strict=True)},
        "texts": dataset.texts.counts,
        "normal_forms": {form.code: len(dataset.forms.tables[name]) for name, form in FORMS.items()},
        "cold": counted(dataset),
        **({"paper": PAPER} if "protein" in kinds.names else {}),
        **{
            key: dataset.record[key]
            for key in ("sources", "settings", "split", "drops", "leakage", "unsatisfiable", "inconsistent")
            if key in dataset.record
        },
    }


def in_words(cold: dict[str, int]) -> str:
    """How many held-out axioms have ends that training knows little of."""
    return (
        f"of {plural(cold['axioms'], 'axiom')} {cold['heads_in_no_training_axiom']:,} have a head and "
        f"{cold['tails_in_no_training_axiom']:,} a tail that no training axiom mentions; "
        f"{plural(cold['heads_new_to_the_target'], 'head')} and {plural(cold['tails_new_to_the_target'], 'tail')} "
        "are new to the target"
    )


def table(counts: dict[str, Any]) -> str:
    """The counts as text for people."""
    target = counts["target"]
    shape = "C ⊑ D" if target["role"] is None else f"C ⊑ ∃R.D with R = {target['role_label']}"
    lines = [
        f"{counts['name']}: {shape}{', symmetric' if target['symmetric'] else ''}",
        f"  heads are of kind {target['head_kind']}, tails of kind {target['tail_kind']} "
        f"({target['candidates']:,} candidates)",
        "",
        *_columns(["split", "axioms"], [[part, f"{n:,}"] for part, n in counts["splits"].items()]),
        "",
        *_columns(["kind", "classes"], [[kind, f"{n:,}"] for kind, n in counts["kinds"].items()]),
        "",
        *_columns(["text", "classes that have it"], [[sort, f"{n:,}"] for sort, n in counts["texts"].items()]),
        "",
    ]
    paper = counts.get("paper", {})
    meaning = {form.code: form.meaning for form in FORMS.values()}
    rows = [
        [code, meaning[code], f"{n:,}", *(f"{table[code]:,}" if code in table else "" for table in paper.values())]
        for code, n in counts["normal_forms"].items()
        if n or any(code in table for table in paper.values())
    ]
    lines += _columns(["form", "", "training axioms", *(f"paper: {name}" for name in paper)], rows)
    for part, leaks in counts.get("leakage", {}).items():
        lines += [
            "",
            f"{part}: {leaks['inverse_in_train']:,} of {leaks['axioms']:,} have their inverse in train, "
            f"{leaks['entailed_by_train']:,} are entailed by train",
        ]
    for part, cold in counts["cold"].items():
        lines += ["", f"{part}: {in_words(cold)}"]
    if counts.get("inconsistent"):
        lines += ["", "the training axioms are inconsistent: every class is unsatisfiable, and everything follows"]
    if impossible := counts.get("unsatisfiable"):
        names, more = ", ".join(map(short_form, impossible[:5])), len(impossible) - 5
        others = f" and {more:,} more" if more > 0 else ""
        lines += ["", f"unsatisfiable: {names}{others} (`elgeo explain FILE --unsatisfiable` says why)"]
    if counts.get("drops"):
        lines += ["", *_columns(["left out", "times"], [[why, f"{n:,}"] for why, n in counts["drops"].items()])]
    if counts.get("sources"):
        rows = [[s["what"], s["file"], f"{s['bytes']:,}", s["sha256"][:12] + "…"] for s in counts["sources"]]
        lines += ["", *_columns(["source", "file", "bytes", "sha256"], rows)]
    return "\n".join(lines)


def _columns(header: list[str], rows: list[list[str]]) -> list[str]:
    header, *rows = [list(map(as_shown, line)) for line in [header, *rows]]
    widths = [max(len(line[i]) for line in [header, *rows]) for i in range(len(header))]
    numeric = [all(row[i].replace(",", "").isdigit() or not row[i] for row in rows) for i in range(len(header))]
    return [
        "  "
        + "  ".join(
            c.rjust(w) if right else c.ljust(w) for c, w, right in zip(line, widths, numeric, strict=True)
        ).rstrip()
        for line in [header, *rows]
    ]

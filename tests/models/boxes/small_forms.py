"""Datasets written down axiom by axiom: `C D` for C ⊑ D, `C r D` for C ⊑ ∃r.D and so on, a line each."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from elgeo.datasets.model import Dataset, Kinds
from elgeo.ontology.normal_forms import FORMS, NormalForms, empty_tables
from elgeo.ontology.vocabulary import Kind, Vocabulary


def with_tables(dataset: Dataset, **tables: NDArray[np.int32]) -> Dataset:
    """The same dataset with other rows of some forms."""
    return replace(dataset, forms=replace(dataset.forms, tables={**dataset.forms.tables, **tables}))


def dataset_of(individuals: str = "", **axioms: str) -> Dataset:
    """Forms by name, each with its rows as words; `owl:Thing` is `⊤`. The target is the first existential's role."""
    classes, roles = ["⊤", "⊥"], ["U"]
    tables = empty_tables()
    for form, text in axioms.items():
        shape = FORMS[form]
        rows = []
        for line in text.strip().split(","):
            row = []
            for i, word in enumerate(line.split()):
                names = roles if i in shape.role_columns else classes
                if word not in names:
                    names.append(word)
                row.append(names.index(word))
            rows.append(row)
        tables[form] = np.unique(np.array(rows, np.int32), axis=0)
    kinds = [Kind.BUILT_IN] * 2 + [
        Kind.INDIVIDUAL if name in individuals.split() else Kind.NAMED for name in classes[2:]
    ]
    vocabulary = Vocabulary(classes, np.array(kinds, np.uint8), roles, np.array([0] + [1] * (len(roles) - 1), np.uint8))
    of_class = np.array([0, 0] + [1] * (len(classes) - 2), np.int16)
    held_out = tables["existential"][:1]
    return Dataset(
        "small", NormalForms(vocabulary, tables), "existential", 1, tables["existential"], held_out, held_out,
        Kinds(("other", "thing"), of_class), "thing", "thing",
    )  # fmt: skip


def random_axioms(generator: np.random.Generator) -> dict[str, str]:
    """Axioms of every form but `empty` over a few classes, individuals a … d and roles, for `dataset_of`."""
    things, people, roles = [f"C{i}" for i in range(9)], list("abcd"), list("rst")

    def some(*kinds: list[str], count: int) -> str:
        rows = [[str(generator.choice(kind)) for kind in kinds] for _ in range(count)]
        return ", ".join(" ".join(row) for row in rows)

    anything = things + people
    return {
        "subclass": f"{some(things, things, count=6)}, {some(people, things, count=5)}",
        "conjunction": some(things, things, things, count=3),
        "existential": f"{some(things, roles, things, count=5)}, {some(people, roles, anything, count=5)}",
        "left_existential": f"{some(roles, [*things, '⊤'], things, count=3)}",
        "disjoint": some(things, things, count=1),
        "empty_existential": some(roles, things, count=1),
        "subrole": some(roles, roles, count=1),
        "chain": some(roles, roles, roles, count=2),
        "reflexive": some(["q"], count=1),
        "self": some(things, ["p"], count=1),
        "left_self": some(["p"], ["Own"], count=1),
        "range": some(roles, ["Met"], count=1),
    }


def random_pinned_axioms(generator: np.random.Generator) -> dict[str, str]:
    """Axioms by which some classes lie in an individual that has, or must not have, a role: for `dataset_of`."""
    things, people, roles = [f"C{i}" for i in range(6)], list("abc"), list("rs")

    def some(*kinds: list[str], count: int) -> str:
        return ", ".join(" ".join(str(generator.choice(kind)) for kind in kinds) for _ in range(count))

    return {
        "subclass": ", ".join(
            [some(things, people, count=2), some(things, things, count=3), some(people, things, count=1)]
        ),
        "existential": f"{some(people, roles, people + things, count=3)}, {some(things, roles, things, count=2)}",
        "left_existential": some(roles, things, things, count=1),
        "conjunction": some(things, things, things, count=1),
        "empty_existential": some(roles, things, count=2),
        "chain": some(roles, roles, roles, count=1),
    }

"""What rules look at, beside loops written from the definitions, on random normal forms."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from elgeo.ontology.normal_forms import FORMS, NormalForms
from elgeo.ontology.vocabulary import Kind
from elgeo.reasoning.closure.listening import Listening
from elgeo.reasoning.saturation.saturate import Saturation, saturate
from tests.reasoning.brute import make_forms, vocabulary


def random_ontology(seed: int, individuals: int) -> NormalForms:
    """A few rows of each form, without the universal role and loops."""
    rng = np.random.default_rng(seed)
    classes, roles = 8, 6
    words = vocabulary(classes, individuals, 0, roles)
    tables: dict[str, list[tuple[int, ...]]] = {}
    for name in ("subclass", "conjunction", "existential", "left_existential", "disjoint", "empty_existential"):
        tables[name] = rows(rng, name, int(rng.integers(0, 3)) + (name == "existential"), words.n_classes, roles)
    for name in ("subrole", "chain", "range"):
        tables[name] = rows(rng, name, int(rng.integers(0, 3)), words.n_classes, roles)
    return make_forms(words, **tables)


def rows(rng: np.random.Generator, name: str, count: int, n_classes: int, roles: int) -> list[tuple[int, ...]]:
    form = FORMS[name]
    columns = [
        rng.integers(1, roles, 9) if j in form.role_columns else rng.integers(2, n_classes, 9)
        for j in range(form.width)
    ]
    return [tuple(int(column[i]) for column in columns) for i in range(count)]


class Plain:
    """The same facts by their definitions."""

    def __init__(self, saturation: Saturation) -> None:
        forms = saturation.forms
        self.tables = {name: [tuple(row) for row in forms[name].tolist()] for name in FORMS}
        self.n, self.roles = forms.vocabulary.n_classes, forms.vocabulary.n_roles
        self.above = [{r} for r in range(self.roles)]
        for _ in range(self.roles):
            for r, s in self.tables["subrole"]:
                for each in self.above:
                    each |= {s} if r in each else set()
        self.subsumers = [set(saturation.subsumers_of(c).tolist()) for c in range(self.n)]
        start = saturation.link_start
        links = list(zip(saturation.link_roles.tolist(), saturation.link_targets.tolist(), strict=True))
        self.links = [links[start[c] : start[c + 1]] for c in range(self.n)]
        self.individuals = np.flatnonzero(forms.vocabulary.class_kinds == Kind.INDIVIDUAL).tolist()

    def inert(self, r: int) -> bool:
        used = {row[0] for name in ("left_existential", "empty_existential", "chain") for row in self.tables[name]}
        used |= {s for _, s, _ in self.tables["chain"]}
        return not self.individuals and not self.above[r] & used

    def filler(self, c: int) -> bool:
        return any(row[1] == c for name in ("left_existential", "empty_existential") for row in self.tables[name])

    def second(self, r: int) -> bool:
        return any(s in self.above[r] for _, s, _ in self.tables["chain"])

    def unheard(self, c: int) -> bool:
        heard = any(self.filler(d) for d in self.subsumers[c]) or any(self.second(r) for r, _ in self.links[c])
        return not heard and not self.individuals

    def joined(self, c: int) -> bool:
        return any(
            d in row[:2] for d in self.subsumers[c] for name in ("conjunction", "disjoint") for row in self.tables[name]
        )

    def ranged(self, r: int) -> bool:
        return any(s in self.above[r] for s, _ in self.tables["range"])

    def becomes(self, r: int) -> set[int]:
        """What an r-link may be once it is composed with links of its target, over and over."""
        found = set(self.above[r])
        while True:
            new = set(found)
            for first, _, t in self.tables["chain"]:
                if first in found:
                    new |= self.above[t]
            if new == found:
                return found
            found = new

    def composing(self, q: int, r: int) -> bool:
        return any(first in self.above[q] and second in self.becomes(r) for first, second, _ in self.tables["chain"])

    def has_instance(self) -> set[int]:
        reached, waiting = set(self.individuals), list(self.individuals)
        while waiting:
            new = {z for _, z in self.links[waiting.pop()]} - reached
            reached |= new
            waiting += new
        return {d for c in reached for d in self.subsumers[c]}


@pytest.mark.parametrize("individuals", [0, 2])
def test_what_rules_look_at(individuals: int) -> None:
    seen = Counter[tuple[str, bool]]()
    for seed in range(40):
        saturation = saturate(random_ontology(seed, individuals))
        if saturation.unconditional is not None or not saturation.consistent:
            continue
        found, plain = Listening(saturation), Plain(saturation)
        expected = {
            "inert": [plain.inert(r) for r in range(plain.roles)],
            "fillers": [plain.filler(c) for c in range(plain.n)],
            "unheard": [plain.unheard(c) for c in range(plain.n)],
            "joined": [plain.joined(c) for c in range(plain.n)],
            "ranged": [plain.ranged(r) for r in range(plain.roles)],
            "second": [plain.second(r) for r in range(plain.roles)],
            "has_instance": [c in plain.has_instance() for c in range(plain.n)],
        }
        for name, flags in expected.items():
            # what is said of the universal role, which no row here names, is of no use
            skipped = 1 if len(flags) == plain.roles and name != "fillers" else 0
            assert getattr(found, name).tolist()[skipped:] == flags[skipped:], (seed, name)
            seen.update((name, flag) for flag in flags)
        composing = found.composing
        for q in range(1, plain.roles):
            for r in range(1, plain.roles):
                assert composing[q, r] == plain.composing(q, r), (seed, q, r)
                seen["composing", bool(composing[q, r])] += 1
    for name in (
        "fillers",
        "joined",
        "ranged",
        "second",
        "composing",
        *(("has_instance",) if individuals else ("inert", "unheard")),
    ):
        assert min(seen[name, True], seen[name, False]) > 5, name

"""`Shelf`: one run as the page sees it: names to search, a class with its place, its missing axioms, their reasons."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

import numpy as np

import elgeo
from elgeo.arrays import Ids
from elgeo.datasets.model import Dataset
from elgeo.errors import UnknownNameError
from elgeo.evaluation.calibration.document import calibration_of
from elgeo.evaluation.entailments import Entailments, real_classes
from elgeo.evaluation.predictions.predict import Predictions, predict
from elgeo.evaluation.predictions.words import EXCLUDABLE, GENERAL
from elgeo.models.contract import Predictor
from elgeo.ontology.model import Builder
from elgeo.ontology.short_names import short_form
from elgeo.ontology.vocabulary import Kind
from elgeo.reasoning.taxonomy.taxonomy import taxonomy
from elgeo.serve.decisions import Axiom, bare
from elgeo.serve.effects import Effect, Rows, effect
from elgeo.serve.names import Names
from elgeo.serve.picture import ABOVE, BELOW, ITSELF, KNOWN, MISSING, classes_around, geometry_of, picture
from elgeo.training.run import Run

MOST = 500
"""Axioms or names that one answer has at most."""
EXPLAINED = 10_000
"""Axioms whose reasons are remembered."""
PREPARED = 1_000
"""Classes whose answers are worked out before anybody asks."""


class Row(dict[str, Any]):
    """A missing axiom as it is told, with its JSON, made once: the same one is asked for again and again."""

    @cached_property
    def opened(self) -> str:
        """Its JSON without the brace at the end, so that what was decided can follow."""
        return json.dumps(self, ensure_ascii=False, allow_nan=False, separators=(",", ":"))[:-1]


class Shelf:
    """A run that is asked by many at once: answers are made one at a time, names are looked up without waiting."""

    def __init__(self, name: str, run: Run) -> None:
        self.name, self.run = name, run
        self.dataset: Dataset = run.dataset
        self._predictor: Predictor = run.predictor()
        self._at_work, self._looking = threading.Lock(), threading.Lock()
        self._calibration = calibration_of(run.folder)
        self._entailments = Entailments(self.dataset)
        self._kept: dict[tuple[str, str, int], list[Row]] = {}
        self._reasons: dict[tuple[int, int], list[dict[str, Any]]] = {}
        self._names: dict[int, dict[str, str]] = {}
        self._last_effect: tuple[Rows, Effect] = {}, Effect(0, 0, 0, 0, np.empty(0, np.int32))
        # what every question needs, before the first one is asked
        self._searched, self._tree = Names(self._every_name()), taxonomy(self._entailments.reasoner.saturation)

    def about(self) -> dict[str, Any]:
        """What the run is, for the head of the page."""
        words, role = self.dataset.vocabulary, self.dataset.target_role
        return {
            "run": self.name,
            "model": self._predictor.name,
            "version": elgeo.__version__,
            "dataset": self.dataset.name,
            "classes": len(self._ids),
            "role": "" if role is None else words.roles[role],
            "role_label": "" if role is None else words.role_label(role),
            "geometry": geometry_of(self._predictor) is not None,
            "calibrated": self._calibration is not None,
        }

    def search(self, text: str, top: int = 20) -> list[dict[str, str]]:
        """The classes one of whose names has the text, those that begin with it first, short names first."""
        found = self._searched.find(text, min(top, MOST))
        return [{**self._named(c), "matched": name} for c, name in found.items()]

    def described(self, name: str) -> dict[str, Any]:
        """A class: its names, what it is, where it stands, and the axioms of training that speak of it."""
        c, words = self._class(name), self.dataset.vocabulary
        iri = words.classes[c]
        above, below = self._above_and_below(c)
        return {
            **self._named(c),
            "synonyms": list(words.synonyms.get(iri, ())),
            "definition": words.definitions.get(iri, ""),
            "kind": self.dataset.kinds.names[int(self.dataset.kinds.of_class[c])],
            "obsolete": bool(words.deprecated_classes[c]),
            "superclasses": self._many(above),
            "subclasses": self._many(below),
            "axioms": self._axioms(c),
            "is_head": self._may_be("head", c),
            "is_tail": self._may_be("tail", c),
        }

    def missing(self, head: str = "", tail: str = "", top: int = 20) -> list[Row]:
        """The best missing axioms of a head, of a tail, or of all."""
        top = max(1, min(top, MOST))
        given = [None if not name else self.dataset.vocabulary.classes[self._class(name)] for name in (head, tail)]
        key = (given[0] or "", given[1] or "", top)
        if key not in self._kept:
            with self._at_work:
                made = self._predicted(given[0], given[1], top, explain=False)
            if len(self._kept) > 2 * PREPARED:
                self._kept.clear()
            self._kept[key] = self._rows(made)
        return self._kept[key]

    def prepare(self, ended: threading.Event) -> None:
        """Work out ahead what the page of each class will ask for, as far as it is kept, until all has ended."""
        classes = self.dataset.vocabulary.classes
        for c in [c for c in self._ids if self._may_be("head", c)][:PREPARED]:
            self.missing(classes[c])
            if ended.wait(0.02):  # who waits for an answer goes first
                return

    def picture(self, name: str) -> dict[str, Any]:
        """What stands around a class, drawn: above and below it, known to be joined with it, best missing."""
        c, ends = self._class(name), self.dataset.train[:, [0, -1]]
        missing = []
        if self._may_be("head", c):
            missing = [self._class(row["tail"]["iri"]) for row in self.missing(self.dataset.vocabulary.classes[c])]
        above, below = self._above_and_below(c)
        around = {
            ITSELF: [c],
            ABOVE: [a for a in above.tolist() if a in self._known],
            BELOW: [b for b in below.tolist() if b in self._known],
            KNOWN: [other for other in classes_around(ends[:, 0], ends[:, 1], c) if other in self._known],
            MISSING: missing,
        }
        with self._at_work:
            made = picture(self._predictor, around)
        made["shapes"] = [{**shape, "class": self._named(shape["class"])} for shape in made["shapes"]]
        return made

    def reasons(self, head: str, tail: str) -> list[dict[str, Any]]:
        """What the score of one axiom is a sum of, largest first."""
        ids = self._class(head), self._class(tail)
        if ids not in self._reasons:
            with self._at_work:
                made = self._predictor.explain(*ids)
            if len(self._reasons) > EXPLAINED:
                self._reasons.clear()
            self._reasons[ids] = [{"words": reason.words, "share": float(reason.share)} for reason in made]
        return self._reasons[ids]

    def effect(self, axioms: Iterable[Axiom]) -> dict[str, Any]:
        """What follows when axioms are added to those of training, and which classes become empty."""
        rows = self._rows_of(axioms)
        with self._at_work:
            if rows != self._last_effect[0]:
                self._last_effect = rows, effect(self._entailments, rows)
            found = self._last_effect[1]
        beyond = len(self.dataset.forms.unsupported)
        return {**found._asdict(), "unsatisfiable": self._many(found.unsatisfiable), "beyond": beyond}

    def _rows_of(self, axioms: Iterable[Axiom]) -> Rows:
        """Axioms as rows of normal forms; those that name what the run does not know are left out."""
        roles = {name: i for i, name in enumerate(self.dataset.vocabulary.roles)}
        rows: Rows = {"subclass": [], "existential": []}
        for axiom in axioms:
            head, tail, role = self._terms.get(axiom.head), self._terms.get(axiom.tail), roles.get(axiom.role)
            if head is not None and tail is not None and not axiom.role:
                rows["subclass"].append((head, tail))
            elif head is not None and tail is not None and role is not None:
                rows["existential"].append((head, role, tail))
        return rows

    def called(self, axiom: Axiom) -> dict[str, Any] | None:
        """The names of what an axiom is about, for people; None where the run knows not both of its ends."""
        words = self.dataset.vocabulary
        try:
            head, tail = (self._named(self._class(bare(name))) for name in (axiom.head, axiom.tail))
            role = words.role_label(words.role_id(axiom.role)) if axiom.role else "is a"
        except UnknownNameError:
            return None
        return {"head": head, "role_label": role, "tail": tail}

    def names_of(self, axiom: Axiom, builder: Builder) -> None:
        """Give an ontology that is being made the labels of what an axiom names."""
        for iri in map(bare, (axiom.head, axiom.role, axiom.tail)):
            if label := self.dataset.vocabulary.labels.get(iri):
                builder.labels.setdefault(iri, label)

    def _predicted(self, head: str | None, tail: str | None, top: int, explain: bool) -> Predictions:
        return predict(
            *(self._predictor, self.dataset, head, tail, None, top, EXCLUDABLE, GENERAL, explain, self._entailments),
            calibration=self._calibration,
        )

    def _rows(self, made: Predictions) -> list[Row]:
        words = self.dataset.vocabulary
        found = []
        for i, row in enumerate(made.rows.tolist()):
            found.append(
                Row(
                    {
                        "head": self._named(row[0]),
                        "role": words.roles[row[1]] if len(row) == 3 else "",
                        "role_label": words.role_label(row[1]) if len(row) == 3 else "is a",
                        "tail": self._named(row[-1]),
                        "probability": None if made.probabilities is None else float(made.probabilities[i]),
                        "models": None if made.votes is None else made.votes.words(i),
                        "score": float(made.scores[i]),
                        "rank": float(made.ranks[i]),
                        "status": made.status[i],
                        "neighbours": [self._named(c) for c in made.neighbours[i]],
                    }
                )
            )
        return found

    def _above_and_below(self, c: int) -> tuple[Ids, Ids]:
        """The classes directly above and below one; who asks does not wait for who predicts."""
        with self._looking:
            return self._tree.direct_superclasses(c), self._tree.direct_subclasses(c)

    def _axioms(self, c: int) -> list[str]:
        words, found = self.dataset.vocabulary, []
        for left, role, right in self.dataset.forms.existential[
            (self.dataset.forms.existential[:, 0] == c) | (self.dataset.forms.existential[:, 2] == c)
        ][:MOST].tolist():
            if words.class_kinds[left] != Kind.FRESH and words.class_kinds[right] != Kind.FRESH:
                found.append(f"{words.class_label(left)} ⊑ ∃ {words.role_label(role)} . {words.class_label(right)}")
        return found

    def _class(self, name: str) -> int:
        c = self.dataset.vocabulary.class_id(name)
        if c not in self._known:
            raise UnknownNameError(f"no class is called {name[:100]!r}")
        return c

    def _may_be(self, end: str, c: int) -> bool:
        kind = self.dataset.head_kind if end == "head" else self.dataset.tail_kind
        return self.dataset.kinds.names[int(self.dataset.kinds.of_class[c])] == kind

    def _named(self, c: int) -> dict[str, str]:
        if c not in self._names:
            self._names[c] = self._name(c)
        return self._names[c]

    def _name(self, c: int) -> dict[str, str]:
        words = self.dataset.vocabulary
        iri = words.classes[c]
        term = f"{{{iri}}}" if words.class_kinds[c] == Kind.INDIVIDUAL else iri
        return {"iri": iri, "id": short_form(iri), "label": words.class_label(c), "term": term}

    def _many(self, classes: Ids) -> list[dict[str, str]]:
        return [self._named(int(c)) for c in classes[:MOST] if int(c) in self._known]

    @cached_property
    def _ids(self) -> list[int]:
        return [int(c) for c in real_classes(self.dataset)]

    @cached_property
    def _terms(self) -> dict[str, int]:
        """Classes and individuals by what decisions call them."""
        return {self._named(c)["term"]: c for c in self._ids}

    @cached_property
    def _known(self) -> frozenset[int]:
        return frozenset(self._ids)

    def _every_name(self) -> Iterator[tuple[str, int]]:
        words = self.dataset.vocabulary
        for c in self._ids:
            iri = words.classes[c]
            for name in (words.class_label(c), short_form(iri), *words.synonyms.get(iri, ())):
                yield name, c

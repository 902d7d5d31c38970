"""What the words of a term and of a class have in common, counted both ways, and whether they begin and end alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from scipy import sparse

from elgeo.arrays import Places
from elgeo.models.atlas.contexts.cutting import words
from elgeo.models.atlas.contexts.logic import Matrix
from elgeo.models.atlas.operators.dense import Dense
from elgeo.models.placement.terms import Term, Tokens

FIRST_WORDS = 12
"""Words of a definition that say what sort of thing is defined."""
SMALL = np.float32(1e-3)


def _label(term: Term) -> Tokens:
    return tuple(words(term.label))


def _definition(term: Term) -> Tokens:
    return tuple(words(term.definition))


ENDS: Mapping[str, Callable[[Term], Tokens]] = {
    "last word": lambda term: _label(term)[-1:],
    "last two words": lambda term: _label(term)[-2:],
    "first word": lambda term: _label(term)[:1],
    "first two words": lambda term: _label(term)[:2],
    "definition, two words": lambda term: _definition(term)[:2],
    "definition, four words": lambda term: _definition(term)[:4],
    "definition, seven words": lambda term: _definition(term)[:7],
}
TEXTS: Mapping[str, Callable[[Term], Sequence[str]]] = {
    "label": _label,
    "names": lambda term: [word for name in term.names for word in words(name)],
    "text": lambda term: [word for text in (*term.names, term.definition) for word in words(text)],
    "beginning": lambda term: _definition(term)[:FIRST_WORDS],
}


class CommonWords:
    """The words of all classes; a word weighs ln((n + 1)/frequency)."""

    def __init__(self, terms: Sequence[Term]) -> None:
        self._numbers: dict[str, int] = {}
        for term in terms:
            for word in TEXTS["text"](term):
                self._numbers.setdefault(word, len(self._numbers))
        n = len(terms)
        self._rarest = np.float32(np.log(n + 1))
        said = {name: self._rows(terms, name)[0] for name in ("label", "names", "text")}
        frequency = np.bincount(said["text"].indices, minlength=max(1, len(self._numbers)))
        self._weight = np.log((n + 1) / np.maximum(frequency, 1)).astype(np.float32)
        self.label_weight: Dense = said["label"] @ self._weight
        self.label_words = np.array([len(_label(term)) for term in terms], np.float32)
        self._turned = {
            name: sparse.csr_array((rows @ sparse.diags_array(self._weight)).T) for name, rows in said.items()
        }
        self._kinds: dict[tuple[str, Tokens], int] = {}
        self._ends = {
            name: np.array([self._kinds.setdefault((name, end(term)), len(self._kinds)) for term in terms], np.int64)
            for name, end in ENDS.items()
        }

    def _rows(self, terms: Sequence[Term], text: str) -> tuple[Matrix, Dense]:
        rows, columns, unknown = [], [], np.zeros(len(terms), np.float32)
        for row, term in enumerate(terms):
            for word in dict.fromkeys(TEXTS[text](term)):
                if (number := self._numbers.get(word)) is None:
                    unknown[row] += self._rarest
                else:
                    rows.append(row)
                    columns.append(number)
        shape = len(terms), max(1, len(self._numbers))
        return sparse.csr_array((np.ones(len(rows), np.float32), (rows, columns)), shape=shape), unknown

    def columns(self, terms: Sequence[Term], candidates: Places) -> dict[str, Dense]:
        """For each term and candidate how much of the words of each the other has, and what is left over."""
        said: dict[str, Matrix] = {}
        weight: dict[str, Dense] = {}
        for text in TEXTS:
            said[text], unknown = self._rows(terms, text)
            weight[text] = np.maximum(said[text] @ self._weight + unknown, SMALL)[:, None]

        def common(mine: str, theirs: str) -> Dense:
            return np.take_along_axis((said[mine] @ self._turned[theirs]).toarray(), candidates, 1)

        own, name = np.maximum(self.label_weight[candidates], SMALL), weight["label"]
        labels, in_text, at_first = common("label", "label"), common("text", "label"), common("beginning", "label")
        in_names, in_theirs = common("label", "names"), common("label", "text")
        made = {
            "class in name": labels / own,
            "class in text": in_text / own,
            "class in beginning": at_first / own,
            "name in class": labels / name,
            "name in names of class": in_names / name,
            "name in text of class": in_theirs / name,
            "class not in name": own - labels,
            "class not in text": own - in_text,
            "name not in class": name - labels,
            "name not in text of class": name - in_theirs,
        }
        for end, cut in ENDS.items():
            mine = np.array([self._kinds.get((end, cut(term)), -1) for term in terms])
            made[f"same {end}"] = (self._ends[end][candidates] == mine[:, None]).astype(np.float32)
        length = np.array([len(_label(term)) for term in terms], np.float32)[:, None]
        made["words of name"] = np.broadcast_to(length, candidates.shape)
        made["words of class"] = self.label_words[candidates]
        made["more words"] = length - self.label_words[candidates]
        return made

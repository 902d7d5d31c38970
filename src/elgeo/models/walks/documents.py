"""`Documents`: what skip-gram reads: walks and axioms as sentences of names, and the same in words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from elgeo.arrays import Flags, Ids
from elgeo.datasets.model import Dataset
from elgeo.models.atlas.contexts.words import texts_of
from elgeo.models.walks.projection import PREDICATES
from elgeo.models.walks.walking import Sentences
from elgeo.ontology.normal_forms import FORMS, TAILED
from elgeo.ontology.vocabulary import Kind

Sentence = Sequence[int]
SPOKEN = 3
"""Letters in a row from which on the end of an IRI is taken for a word."""


def words_in(text: str) -> list[str]:
    """Words of letters, in lower case."""
    return re.findall(r"[^\W\d_]+", text.lower())


class Documents:
    """Numbers for everything a sentence can have: classes, then roles, then `PREDICATES`, then words as they come."""

    def __init__(self, dataset: Dataset) -> None:
        self._dataset = dataset
        names = dataset.vocabulary
        self._shift = names.n_classes
        self._first_word = names.n_classes + names.n_roles + len(PREDICATES)
        self._words: dict[str, int] = {}
        real = (names.class_kinds == Kind.NAMED) | (names.class_kinds == Kind.INDIVIDUAL)
        texts, self._more = texts_of(dataset, real)
        labels = dataset.texts.labels
        self.words_of: dict[int, list[int]] = {
            c: self._numbered(words)
            for c, (name,) in texts.items()
            if (words := words_in(name)) and (labels[c] or len(max(words, key=len)) >= SPOKEN)
        }
        """The words of each class that has some: of its label, or of its IRI's last part where that is spoken."""
        self._as_words = self.words_of | {
            self._shift + r: self._numbered(words_in(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", names.role_label(r))))
            for r in range(names.n_roles)
        }
        for number, predicate in enumerate(PREDICATES):
            self._as_words[self._shift + names.n_roles + number] = self._numbered([predicate])

    @property
    def n_words(self) -> int:
        """How many numbers there are."""
        return self._first_word + len(self._words)

    def axioms(self) -> Sentences:
        """The training axioms between names as people write them."""
        names, made = self._dataset.vocabulary, []
        is_name = (names.class_kinds == Kind.NAMED) | (names.class_kinds == Kind.INDIVIDUAL)
        for form in TAILED:
            shape = FORMS[form]
            rows = self._dataset.forms[form]
            rows = rows[is_name[rows[:, list(shape.class_columns)]].all(axis=1)]
            made.append(self._written(rows, shape.words, shape.columns, shape.role_columns))
        return Sentences.joined(made)

    def _written(self, rows: Ids, words: str, columns: Sequence[str], roles: Sequence[int]) -> Sentences:
        """Rows of a form in its words: a place for each column, the rest as words of their own."""
        places = {f"{{{column}}}": i for i, column in enumerate(columns)}
        made = np.empty((len(rows), len(words.split())), np.int32)
        for position, word in enumerate(words.split()):
            if word in places:
                column = places[word]
                made[:, position] = rows[:, column] + (self._shift if column in roles else 0)
            else:
                made[:, position] = self._numbered([word.lower()])[0]
        return Sentences(made.ravel(), np.arange(len(made) + 1, dtype=np.int64) * made.shape[1])

    def in_words(self, sentences: Sentences, kept: Flags | None = None) -> Sentences:
        """The same sentences with every name replaced by its words; names without words stay, as those `kept` do."""
        spelled = _Spelling(self._as_words, self._first_word)
        return spelled.replaced(sentences, kept)

    def with_one_name(self, sentences: Sentences, generator: np.random.Generator) -> Sentences:
        """The same sentences in words, but for one class of each, at random, which keeps its name."""
        lengths = np.diff(sentences.start)
        kept = np.zeros(len(sentences.tokens), np.bool_)
        draws = np.where(sentences.tokens < self._shift, generator.random(len(sentences.tokens)), -1.0)
        if len(lengths):
            sentence = np.repeat(np.arange(len(lengths)), lengths)
            order = np.lexsort((draws, sentence))
            last = order[sentences.start[1:] - 1]
            kept[last] = draws[last] >= 0
        return self.in_words(sentences, kept)

    def annotations(self) -> Sentences:
        """For each class the words of its name beside those of each synonym and of its definition."""
        made: list[Sentence] = []
        for c in sorted({*self.words_of, *self._more}):
            own = self.words_of.get(c, [])
            more = [own + self._numbered(words_in(text)) for text in self._more.get(c, ())]
            made += [sentence for sentence in (more or [own]) if len(sentence) > 1]
        return _listed(made)

    def _numbered(self, words: Iterable[str]) -> list[int]:
        return [self._words.setdefault(word, self._first_word + len(self._words)) for word in words]


class _Spelling:
    """Names and the words they are replaced by, as arrays."""

    def __init__(self, words: Mapping[int, Sequence[int]], names: int) -> None:
        listed = [list(words.get(name, ())) or [name] for name in range(names)]
        self._lengths = np.array([len(each) for each in listed], np.int64)
        self._start = np.cumsum(self._lengths) - self._lengths
        self._flat = np.array([number for each in listed for number in each], np.int32)

    def replaced(self, sentences: Sentences, kept: Flags | None) -> Sentences:
        tokens = sentences.tokens
        change = tokens < len(self._lengths)
        if kept is not None:
            change &= ~kept
        names = np.where(change, tokens, 0)
        lengths = np.where(change, self._lengths[names], 1)
        ends = np.cumsum(lengths)
        within = np.arange(int(lengths.sum())) - np.repeat(ends - lengths, lengths)
        spelled = self._flat[np.repeat(self._start[names], lengths) * np.repeat(change, lengths) + within]
        made = np.where(np.repeat(change, lengths), spelled, np.repeat(tokens, lengths))
        return Sentences(made.astype(np.int32), np.concatenate([np.zeros(1, np.int64), ends])[sentences.start])


def _listed(sentences: Sequence[Sentence]) -> Sentences:
    start = np.concatenate([np.zeros(1, np.int64), np.cumsum([len(each) for each in sentences], dtype=np.int64)])
    return Sentences(np.array([word for each in sentences for word in each], np.int32), start)

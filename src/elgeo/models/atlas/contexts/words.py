"""Blocks made of texts: words and pieces of words of labels, synonyms and definitions, and how these are put."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from elgeo.datasets.model import Dataset
from elgeo.models.atlas.contexts.cutting import FIRST, LAST, Cut, beginning, ends, grams, pairs, words
from elgeo.models.atlas.contexts.logic import Block, Logic, Matrix, binary, indicator
from elgeo.ontology.short_names import fragment

Ids = NDArray[np.integer]
Texts = Mapping[int, Sequence[str]]
"""Pieces of text by class id."""
SEAM = re.compile(r"(?<=[a-z])(?=[A-Z])|_")
"""Where words of a name meet that is written as one."""
FEW = 0.1
"""The share of classes without labels up to which they are known by their numbers."""


def features(texts: Texts, cut: Cut, n_classes: int) -> tuple[Matrix, list[str]]:
    """A row for each class with the pieces of its texts, and the pieces."""
    ids: defaultdict[str, int] = defaultdict()
    ids.default_factory = ids.__len__
    columns: list[int] = []
    ends_at = [0]
    for pieces in texts.values():
        for text in pieces:
            columns.extend(map(ids.__getitem__, cut(text)))
        ends_at.append(len(columns))
    rows = np.repeat(np.fromiter(texts, np.int64, len(texts)), np.diff(ends_at))
    matrix = indicator(rows, np.array(columns, np.int64), (n_classes, max(1, len(ids))))
    return matrix, list(ids)


def texts_of(dataset: Dataset, real: NDArray[np.bool_]) -> tuple[Texts, Texts]:
    """Names, and synonyms and definitions. What has no label is called as its IRI ends, unless that is a number.

    Where nearly all classes have labels the others are of other ontologies: of these a number says which.
    """
    texts, iris = dataset.texts, dataset.vocabulary.classes
    names, prose = {}, {}
    classes = np.flatnonzero(real).tolist()
    mentioned = sum(not texts.labels[c] for c in classes) <= FEW * len(classes)
    for c in classes:
        label = texts.labels[c] or fragment(iris[c])
        if texts.labels[c] or mentioned or not re.search(r"\d\d", label):
            names[c] = [SEAM.sub(" ", label)]
        if more := [*texts.synonyms[c], *([texts.definitions[c]] if texts.definitions[c] else [])]:
            prose[c] = more
    return names, prose


def word_blocks(logic: Logic, heads: Ids, members: Ids, names: Texts, prose: Texts) -> list[Block]:
    """Words and characters of names, words of all text, how texts are put, words of what a class is related to.

    Only `members` get the larger blocks, characters and all text; those of how texts are put compare heads with others,
    and are made only if some head has a text.
    """
    if not any(names.values()) and not any(prose.values()):
        return []
    related = binary(sum(logic.told[role] for role in logic.other_roles)) if logic.other_roles else None
    asked = members if related is None else np.union1d(members, related[members].indices)
    matrix, listed = features({c: names[c] for c in asked.tolist() if c in names}, words, logic.n)
    found = [Block("name", matrix, lambda feature: f"“{listed[feature]}”")]
    wanted = set(members.tolist())
    named = {c: names[c] for c in names if c in wanted}
    pieces, letters = features(named, grams, logic.n)
    found.append(Block("chars", pieces, lambda feature: f"“{letters[feature]}”"))
    both = {c: [*names.get(c, ()), *prose.get(c, ())] for c in sorted(wanted)}
    text, terms = features(both, words, logic.n)
    if text.nnz > matrix[members].nnz:
        found.append(Block("text", text, lambda feature: f"“{terms[feature]}”"))
    if related is not None:
        found.append(Block("words", binary(related @ matrix), lambda feature: f"related “{listed[feature]}”"))
    if any(both[head] for head in heads.tolist()):
        definitions = logic.dataset.texts.definitions
        defined = {c: [definitions[c]] for c in sorted(wanted) if definitions[c]}
        found += [
            _wording("pairs", named, pairs, logic.n, "“{}”"),
            _wording("ends", named, ends, logic.n, "“{}”"),
            _wording("definition", defined, pairs, logic.n, "“{}”"),
            _wording("beginning", defined, beginning, logic.n, "defined by “{}”"),
        ]
    return [block for block in found if block.rows.nnz]


def _wording(name: str, texts: Texts, cut: Cut, n_classes: int, words_for: str) -> Block:
    matrix, listed = features(texts, cut, n_classes)

    def describe(feature: int) -> str:
        found = listed[feature]
        if name == "ends":  # the first words of a name, or its last
            found = f"{found[1:]} …" if found.startswith(FIRST) else f"… {found.removesuffix(LAST)}"
        return words_for.format(found)

    return Block(name, matrix, describe)

"""Sentences as plain lists."""

from __future__ import annotations

from elgeo.models.walks.walking import Sentences


def as_lists(sentences: Sentences) -> list[list[int]]:
    return [
        sentences.tokens[begin:end].tolist()
        for begin, end in zip(sentences.start[:-1].tolist(), sentences.start[1:].tolist(), strict=True)
    ]

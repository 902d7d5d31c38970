"""The JSON of the page, described for programs (OpenAPI 3.1)."""

from __future__ import annotations

from typing import Any

import elgeo

_TEXT, _NUMBER = {"type": "string"}, {"type": "integer", "minimum": 1, "maximum": 500}
_NAME = ("name", "IRI, CURIE, label or synonym", _TEXT, True)
_TOP = ("top", "how many", _NUMBER, False)
_RUN = ("run", "the run that is asked; the first one if it is not said", _TEXT, False)
_GETS: dict[str, tuple[str, list[tuple[str, str, dict[str, Any], bool]]]] = {
    "/api/runs": ("the runs that can be asked", []),
    "/api/search": (
        "classes by id, label or synonym",
        [_RUN, ("q", "a part of a name", _TEXT, True), _TOP],
    ),
    "/api/class": (
        "a class: names, definition, place in the hierarchy, axioms",
        [_RUN, _NAME],
    ),
    "/api/missing": (
        "the best missing axioms of a head, of a tail, or of all, with what was decided about them",
        [
            _RUN,
            ("head", "a class", _TEXT, False),
            ("tail", "a class", _TEXT, False),
            _TOP,
            ("status", "only those of this status", {"enum": ["novel", "held out"]}, False),
            ("score", "only those with at least this score", {"type": "number"}, False),
            ("probability", "only those with at least this probability", {"type": "number"}, False),
            (
                "decided",
                "only those about which someone said this, or nobody anything",
                {"enum": ["accept", "reject", "postpone", "nobody"]},
                False,
            ),
        ],
    ),
    "/api/reasons": (
        "what the score of an axiom is a sum of",
        [_RUN, ("head", "a class", _TEXT, True), ("tail", "a class", _TEXT, True)],
    ),
    "/api/picture": (
        "a class and what stands around it, as shapes in the plane; `words` say what the picture is",
        [_RUN, _NAME],
    ),
    "/api/effect": ("what follows when all accepted axioms are added to those of training", [_RUN]),
    "/api/decisions": ("what counts of what curators said", []),
    "/api/accepted.ofn": ("the accepted axioms with their provenance, in functional syntax", []),
}
_AXIOM = {
    "head": {**_TEXT, "description": "whole IRI, of an individual in braces: `term` of an answer"},
    "role": {**_TEXT, "description": "whole IRI; empty for head ⊑ tail"},
    "tail": {**_TEXT, "description": "as the head"},
    "who": _TEXT,
}
_POSTS: dict[str, tuple[str, dict[str, Any], list[str]]] = {
    "/api/decisions": (
        "accept, reject or postpone an axiom",
        {
            **_AXIOM,
            "verdict": {"enum": ["accept", "reject", "postpone"]},
            "note": _TEXT,
            "run": _TEXT,
            "score": {"type": "number"},
        },
        ["head", "tail", "who", "verdict"],
    ),
    "/api/undo": ("take back what one said about an axiom", _AXIOM, ["head", "tail", "who"]),
}


def description() -> dict[str, Any]:
    """The whole document."""
    paths: dict[str, dict[str, Any]] = {}
    answers = {"200": {"description": "the answer"}, "400": {"description": "`error` says what is wrong"}}
    for path, (summary, parameters) in _GETS.items():
        listed = [
            {"name": name, "in": "query", "description": words, "schema": schema, "required": required}
            for name, words, schema, required in parameters
        ]
        paths.setdefault(path, {})["get"] = {"summary": summary, "parameters": listed, "responses": answers}
    for path, (summary, properties, required) in _POSTS.items():
        schema = {"type": "object", "properties": properties, "required": required}
        body = {"required": True, "content": {"application/json": {"schema": schema}}}
        paths.setdefault(path, {})["post"] = {"summary": summary, "requestBody": body, "responses": answers}
    return {"openapi": "3.1.0", "info": {"title": "elgeo", "version": elgeo.__version__}, "paths": paths}

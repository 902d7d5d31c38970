"""The JSON of the page, described for programs (OpenAPI 3.1): what may be asked, and what the answers look like."""

from __future__ import annotations

from typing import Any

import elgeo
from elgeo.serve.answers import ERROR, SCHEMAS, Schema, of, reference
from elgeo.serve.decisions import LONGEST, VERDICTS

_TEXT: Schema = {"type": "string"}
_NUMBER: Schema = {"type": "integer", "minimum": 1, "maximum": 500}
_REAL: Schema = {"type": "number"}
_SHORT: Schema = {"type": "string", "maxLength": LONGEST}
_NAME = ("name", "IRI, CURIE, label or synonym", _TEXT, True)
_TOP = ("top", "how many", _NUMBER, False)
_RUN = ("run", "the run that is asked; the first one if it is not said", _TEXT, False)
_DECIDED: Schema = {"enum": [*VERDICTS, "nobody"]}
_GETS: dict[str, tuple[str, list[tuple[str, str, Schema, bool]], Schema]] = {
    "/api/runs": ("the runs that can be asked", [], of(runs=[reference("Run")])),
    "/api/search": (
        "classes by id, label or synonym",
        [_RUN, ("q", "a part of a name", _TEXT, True), _TOP],
        of(found=[reference("Found")]),
    ),
    "/api/class": (
        "a class: names, definition, place in the hierarchy, axioms",
        [_RUN, _NAME],
        reference("Class"),
    ),
    "/api/missing": (
        "the best missing axioms of a head, of a tail, or of all, with what was decided about them",
        [
            _RUN,
            ("head", "a class", _TEXT, False),
            ("tail", "a class", _TEXT, False),
            _TOP,
            ("status", "only those of this status", {"enum": ["novel", "held out"]}, False),
            ("score", "only those with at least this score", _REAL, False),
            ("probability", "only those with at least this probability", _REAL, False),
            ("decided", "only those about which someone said this, or nobody anything", _DECIDED, False),
        ],
        of(missing=[reference("Missing")]),
    ),
    "/api/reasons": (
        "what the score of an axiom is a sum of",
        [_RUN, ("head", "a class", _TEXT, True), ("tail", "a class", _TEXT, True)],
        of(reasons=[reference("Reason")]),
    ),
    "/api/picture": (
        "a class and what stands around it, as shapes in the plane; `words` say what the picture is",
        [_RUN, _NAME],
        reference("Picture"),
    ),
    "/api/effect": (
        "what follows when all accepted axioms are added to those of training",
        [_RUN],
        reference("Effect"),
    ),
    "/api/decisions": ("what counts of what curators said", [], of(decisions=[reference("ListedDecision")])),
}
_AXIOM: Schema = {
    "head": {**_SHORT, "description": "whole IRI, of an individual in braces: `term` of an answer"},
    "role": {**_SHORT, "description": "whole IRI; empty for head ⊑ tail"},
    "tail": {**_SHORT, "description": "as the head"},
    "who": {**_SHORT, "minLength": 1},
}
_POSTS: dict[str, tuple[str, Schema, list[str], Schema]] = {
    "/api/decisions": (
        "accept, reject or postpone an axiom",
        {
            **_AXIOM,
            "verdict": {"enum": [*VERDICTS]},
            "note": _SHORT,
            "run": _TEXT,
            "score": {"type": ["number", "null"]},
        },
        ["head", "tail", "who", "verdict"],
        of(decision=reference("Decision"), decisions=[reference("Decision")]),
    ),
    "/api/undo": (
        "take back what one said about an axiom",
        _AXIOM,
        ["head", "tail", "who"],
        of(undone={"type": "boolean"}, decisions=[reference("Decision")]),
    ),
}
_TOKENS: Schema = {
    "bearer": {"type": "http", "scheme": "bearer"},
    "query": {"type": "apiKey", "in": "query", "name": "token"},
    "cookie": {"type": "apiKey", "in": "cookie", "name": "elgeo-token"},
}
_MISTAKES = {
    "400": "what was asked makes no sense",
    "401": "a token is needed",
    "403": "a page from elsewhere asked",
    "404": "no class or run is called so",
    "421": "asked by a name that is not the server's",
}
_MISTAKES_IN_SENDING = {"413": "more was sent than is read", "415": "it was not sent as application/json"}


def description() -> dict[str, Any]:
    """The whole document."""
    paths: dict[str, dict[str, Any]] = {}
    for path, (summary, parameters, answer) in _GETS.items():
        listed = [
            {"name": name, "in": "query", "description": words, "schema": schema, "required": required}
            for name, words, schema, required in parameters
        ]
        paths[path] = {"get": {"summary": summary, "parameters": listed, "responses": _responses(answer)}}
    for path, (summary, properties, required, answer) in _POSTS.items():
        schema = {"type": "object", "properties": properties, "required": required}
        body = {"required": True, "content": _json(schema)}
        responses = _responses(answer, _MISTAKES_IN_SENDING)
        paths.setdefault(path, {})["post"] = {"summary": summary, "requestBody": body, "responses": responses}
    ontology = {"description": "an ontology", "content": {"text/plain": {"schema": _TEXT}}}
    words = "the accepted axioms with their provenance, in functional syntax"
    paths["/api/accepted.ofn"] = {"get": {"summary": words, "responses": {**_responses(_TEXT), "200": ontology}}}
    paths["/openapi.json"] = {"get": {"summary": "this document", "responses": _responses({"type": "object"})}}
    return {
        "openapi": "3.1.0",
        "info": {"title": "elgeo", "version": elgeo.__version__},
        "paths": paths,
        "components": {"schemas": {**SCHEMAS, "Error": ERROR}, "securitySchemes": _TOKENS},
        "security": [{}, *({name: []} for name in _TOKENS)],
    }


def _responses(answer: Schema, more: dict[str, str] | None = None) -> dict[str, Any]:
    mistakes = {**_MISTAKES, **(more or {})}
    wrong = {code: {"description": words, "content": _json(reference("Error"))} for code, words in mistakes.items()}
    return {"200": {"description": "the answer", "content": _json(answer)}, **wrong}


def _json(schema: Schema) -> dict[str, Any]:
    return {"application/json": {"schema": schema}}

"""What the parts of the page's answers are, as JSON Schema: every field is always there, and there are no others."""

from __future__ import annotations

from typing import Any

from elgeo.serve.decisions import VERDICTS
from elgeo.serve.picture import ABOVE, BELOW, ITSELF, KNOWN, MISSING

Schema = dict[str, Any]


def reference(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def of(**fields: Schema | list[Schema]) -> Schema:
    """An object with these fields; one in brackets is a list of such."""
    properties = {
        name: {"type": "array", "items": what[0]} if isinstance(what, list) else what for name, what in fields.items()
    }
    return {"type": "object", "properties": properties, "required": [*properties], "additionalProperties": False}


def _also(schema: Schema, **fields: Schema | list[Schema]) -> Schema:
    """The same object with more fields."""
    more = of(**fields)
    return {
        **schema,
        "properties": {**schema["properties"], **more["properties"]},
        "required": [*schema["required"], *more["required"]],
    }


def _or_null(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


_TEXT: Schema = {"type": "string"}
_REAL: Schema = {"type": "number"}
_COUNT: Schema = {"type": "integer", "minimum": 0}
_FLAG: Schema = {"type": "boolean"}
_TERM: Schema = {"type": "string", "description": "the IRI, of an individual in braces: what a decision is sent with"}
_NAME = of(iri=_TEXT, id=_TEXT, label=_TEXT, term=_TERM)
_MANY = [reference("Name")]
_DECISION = of(
    number={"type": "integer", "minimum": 1, "description": "larger for what was said later"},
    axiom={"type": "string", "description": "in functional syntax"},
    **dict.fromkeys(("head", "role", "tail", "who", "note", "run", "model", "version"), _TEXT),
    verdict={"enum": [*VERDICTS]},
    at={"type": "string", "format": "date-time"},
    score=_or_null(_REAL),
)
_CALLED = of(head=reference("Name"), role_label=_TEXT, tail=reference("Name"))
ERROR = of(error={"type": "string", "description": "what is wrong, for people"})
SCHEMAS: dict[str, Schema] = {
    "Name": _NAME,
    "Found": _also(_NAME, matched={"type": "string", "description": "the name that was found, as it is compared"}),
    "Run": of(
        **dict.fromkeys(("run", "model", "version", "dataset", "role", "role_label"), _TEXT),
        classes=_COUNT,
        geometry={"type": "boolean", "description": "whether pictures show a geometry and not a drawing"},
        calibrated={"type": "boolean", "description": "whether suggestions have probabilities"},
    ),
    "Class": _also(
        _NAME,
        synonyms=[_TEXT],
        definition=_TEXT,
        kind=_TEXT,
        obsolete=_FLAG,
        superclasses=_MANY,
        subclasses=_MANY,
        axioms=[_TEXT],
        is_head={"type": "boolean", "description": "whether it may stand on the left of a missing axiom"},
        is_tail={"type": "boolean", "description": "whether it may stand on the right of one"},
    ),
    "Missing": of(
        head=reference("Name"),
        role={"type": "string", "description": "whole IRI; empty for head ⊑ tail"},
        role_label=_TEXT,
        tail=reference("Name"),
        probability=_or_null(_REAL),
        models={"anyOf": [_TEXT, {"type": "null"}], "description": "how far the models of an ensemble agree"},
        score=_REAL,
        rank=_REAL,
        status={"enum": ["novel", "held out"]},
        neighbours=_MANY,
        decisions=[reference("Decision")],
    ),
    "Reason": of(words=_TEXT, share={"type": "number", "description": "shares add up to the score"}),
    "Shape": of(
        **{"class": reference("Name")},
        relation={"enum": [ITSELF, ABOVE, BELOW, KNOWN, MISSING]},
        x=_REAL,
        y=_REAL,
        width={"type": "number", "description": "half of it: from the middle to the edge"},
        height=_REAL,
        round={"type": "boolean", "description": "an ellipse; else a box"},
    ),
    "Picture": of(geometry=_FLAG, words=_TEXT, shapes=[reference("Shape")]),
    "Effect": of(
        added=_COUNT,
        new={**_COUNT, "description": "how many of the added did not follow before"},
        subsumptions={"type": "integer", "description": "how many more C ⊑ D follow between named classes"},
        links={
            "anyOf": [_COUNT, {"type": "null"}],
            "description": "how many more C ⊑ ∃R.D follow between names; null where a class becomes unsatisfiable",
        },
        unsatisfiable=_MANY,
        beyond={
            **_COUNT,
            "description": "how many axioms EL++ cannot say in full: what only they contradict is not seen",
        },
    ),
    "Decision": _DECISION,
    "ListedDecision": _also(_DECISION, called=_or_null(_CALLED)),
}

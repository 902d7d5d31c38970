"""The description of the page's JSON says what is served, and what is served looks as it says."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

import elgeo
from elgeo.serve.application import LARGEST, application
from elgeo.serve.decisions import Decisions
from elgeo.serve.library import Shelf
from elgeo.serve.openapi import description

TYPES: dict[str, Callable[[Any], bool]] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
}
WORDS = {"type", "properties", "required", "additionalProperties", "items", "enum", "anyOf", "minimum", "maximum"}
WORDS |= {"minLength", "maxLength", "format", "description", "$ref"}
DOCUMENT = description()


def schema_of(reference: str) -> Any:
    start, *names = reference.split("/")
    found: Any = DOCUMENT
    for name in names:
        found = found[name]
    assert start == "#"
    return found


def wrong(value: Any, schema: dict[str, Any], at: str = "") -> list[str]:
    """Where a value is not as a schema says: the words of JSON Schema that the description uses, and no others."""
    assert set(schema) <= WORDS, set(schema) - WORDS
    if "$ref" in schema:
        return wrong(value, schema_of(schema["$ref"]), at)
    if "anyOf" in schema:
        every = [wrong(value, each, at) for each in schema["anyOf"]]
        return [] if [] in every else every[0]
    if "enum" in schema:
        return [] if value in schema["enum"] else [f"{at}: {value!r} is none of {schema['enum']}"]
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    if not any(TYPES[kind](value) for kind in kinds):
        return [f"{at}: {value!r} is no {kinds}"]
    found = []
    if isinstance(value, int | float) and not schema.get("minimum", value) <= value <= schema.get("maximum", value):
        found.append(f"{at}: {value} is out of bounds")
    if isinstance(value, list):
        found += [each for i, item in enumerate(value) for each in wrong(item, schema["items"], f"{at}/{i}")]
    if isinstance(value, dict) and "properties" in schema:
        found += [f"{at}: no {name}" for name in schema.get("required", []) if name not in value]
        if not schema.get("additionalProperties", True):
            found += [f"{at}: {name} is not described" for name in value if name not in schema["properties"]]
        for name, of in schema["properties"].items():
            found += wrong(value[name], of, f"{at}/{name}") if name in value else []
    return found


class Visitor:
    """Asks, and compares each answer with what the description says of it."""

    def __init__(self, client: TestClient) -> None:
        self.client, self.seen = client, set[tuple[str, str, str]]()

    def ask(self, path: str, document: Any = None, code: int = 200, **options: Any) -> Any:
        method = "get" if document is None else "post"
        said = {} if document is None else {"content": document} if isinstance(document, bytes) else {"json": document}
        answer = self.client.request(method, path, **said, **options)
        assert answer.status_code == code, (path, answer.status_code, answer.text[:200])
        ((kind, content),) = DOCUMENT["paths"][path][method]["responses"][str(code)]["content"].items()
        assert answer.headers["content-type"].partition(";")[0] == kind
        value = answer.json() if kind == "application/json" else answer.text
        assert wrong(value, content["schema"], path) == []
        self.seen.add((path, method, str(code)))
        return value


@pytest.fixture(scope="module")
def shelves() -> list[Shelf]:
    balls = elgeo.train("family", model="elem", dimension=2, epochs=3, seeds=2)
    return [Shelf("first", elgeo.train("family")), Shelf("balls", balls)]


@pytest.mark.slow
def test_every_answer_is_as_described(shelves: list[Shelf], tmp_path: Path) -> None:
    site = application(shelves, Decisions(tmp_path / "d.sqlite"), ["testserver"])
    visitor = Visitor(TestClient(site))
    runs = visitor.ask("/api/runs")["runs"]
    assert [(run["run"], run["geometry"]) for run in runs] == [("first", False), ("balls", True)]
    for run in ("first", "balls"):
        rows = visitor.ask("/api/missing", params={"run": run, "top": 4})["missing"]
        row = rows[0]
        ends = {"run": run, "head": row["head"]["iri"], "tail": row["tail"]["iri"]}
        visitor.ask("/api/missing", params={"run": run, "tail": row["tail"]["iri"], "status": "novel", "score": -1e9})
        visitor.ask("/api/reasons", params=ends)
        assert visitor.ask("/api/search", params={"run": run, "q": "e"})["found"]
        for name in (row["head"]["iri"], row["tail"]["label"]):
            visitor.ask("/api/class", params={"run": run, "name": name})
            assert visitor.ask("/api/picture", params={"run": run, "name": name})["shapes"]
        axiom = {"head": row["head"]["term"], "role": row["role"], "tail": row["tail"]["term"], "who": run}
        for i, verdict in enumerate(("accept", "reject", "postpone", "accept")):
            sent = {**axiom, "verdict": verdict, "run": run, "score": None if i % 2 else 0.5, "note": "n" * i}
            visitor.ask("/api/decisions", sent)
        assert visitor.ask("/api/missing", params={"run": run, "decided": "accept"})["missing"]
        assert visitor.ask("/api/effect", params={"run": run})["added"] > 0
        assert visitor.ask("/api/undo", axiom) == {"undone": True, "decisions": []}
        assert visitor.ask("/api/undo", axiom)["undone"] is False
    visitor.ask("/api/decisions", {"head": "{http://x/i}", "tail": "http://x/nowhere", "who": "w", "verdict": "accept"})
    assert [each["called"] for each in visitor.ask("/api/decisions")["decisions"]] == [None]
    assert "http://x/nowhere" in visitor.ask("/api/accepted.ofn")
    visitor.ask("/openapi.json")
    asked = {(path, method) for path, method, _ in visitor.seen}
    assert asked == {(path, method) for path, of in DOCUMENT["paths"].items() for method in of}
    # and the mistakes
    axiom = {"head": "http://x/a", "tail": "http://x/b", "who": "w", "verdict": "accept"}
    visitor.ask("/api/class", code=404, params={"name": "nobody is called so"})
    visitor.ask("/api/class", code=400)
    visitor.ask("/api/missing", code=404, params={"run": "nowhere"})
    visitor.ask("/api/missing", code=400, params={"top": "many"})
    visitor.ask("/api/decisions", {**axiom, "verdict": "perhaps"}, 400)
    kind = {"content-type": "application/json"}
    for document, code in ((b"[1]", 400), (b"{", 400), (b"[" * 5000, 400), (b'"' + b"x" * LARGEST + b'"', 413)):
        visitor.ask("/api/undo", document, code, headers=kind)
    visitor.ask("/api/undo", b"{}", 415, headers={"content-type": "text/plain"})
    visitor.ask("/api/runs", code=403, headers={"origin": "http://elsewhere"})
    visitor.ask("/api/runs", code=421, headers={"host": "elsewhere"})
    guarded = application(shelves, Decisions(tmp_path / "e.sqlite"), ["testserver"], "secret")
    visitor.client = TestClient(guarded)
    visitor.ask("/api/runs", code=401)
    codes = {code for of in DOCUMENT["paths"].values() for each in of.values() for code in each["responses"]}
    assert {code for _, _, code in visitor.seen} == codes


def test_each_way_in_with_a_token_is_as_described(shelves: list[Shelf], tmp_path: Path) -> None:
    site = application(shelves, Decisions(tmp_path / "d.sqlite"), ["testserver"], "secret")
    ways: dict[str, dict[str, Any]] = {}
    for scheme in DOCUMENT["components"]["securitySchemes"].values():
        match scheme:
            case {"type": "http", "scheme": "bearer"}:
                ways["bearer"] = {"headers": {"authorization": "Bearer secret"}}
            case {"in": "query", "name": name}:
                ways["query"] = {"params": {name: "secret"}}
            case {"in": "cookie", "name": name}:
                ways["cookie"] = {"headers": {"cookie": f"{name}=secret"}}
    assert len(ways) == 3
    for way in ways.values():
        assert TestClient(site).get("/api/runs", **way).status_code == 200


def test_the_document_hangs_together() -> None:
    used = set()

    def walk(part: Any) -> None:
        if isinstance(part, dict):
            if "$ref" in part:
                used.add(part["$ref"].rpartition("/")[2])
                schema_of(part["$ref"])
            for each in part.values():
                walk(each)
        elif isinstance(part, list):
            for each in part:
                walk(each)

    walk(DOCUMENT)
    assert used == set(DOCUMENT["components"]["schemas"]), "each schema is used, and each that is used is there"
    for path, of in DOCUMENT["paths"].items():
        assert path.startswith("/")
        for operation in of.values():
            assert set(operation) <= {"summary", "parameters", "requestBody", "responses"}
            assert all(set(response) == {"description", "content"} for response in operation["responses"].values())
            names = [parameter["name"] for parameter in operation.get("parameters", [])]
            assert len(names) == len(set(names))


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"label": None}, "is no ['string']"),
        ({"more": 1}, "more is not described"),
        ({"iri": 5}, "/iri: 5 is no"),
    ],
)
def test_what_is_not_as_described_is_noticed(change: dict[str, Any], complaint: str) -> None:
    name = {"iri": "http://x/a", "id": "a", "label": "a", "term": "http://x/a", "matched": "a"}
    schema = {"$ref": "#/components/schemas/Found"}
    assert wrong(name, schema) == []
    assert complaint in wrong({**name, **change}, schema)[0]
    assert wrong({key: value for key, value in name.items() if key != "id"}, schema) == [": no id"]

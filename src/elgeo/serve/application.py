"""The page and its JSON: what is asked over HTTP, who may ask, and what the answers look like."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Awaitable, Callable, Sequence
from importlib.resources import files
from typing import Any, NamedTuple

import anyio.to_thread
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from elgeo.errors import ElgeoError, UnknownNameError
from elgeo.ontology.model import Builder
from elgeo.ontology.writing.functional import functional_lines
from elgeo.serve.applying import add_axiom, provenance
from elgeo.serve.decisions import Axiom, Decision, Decisions
from elgeo.serve.guard import HEADERS, Guard
from elgeo.serve.library import MOST, Row, Shelf
from elgeo.serve.openapi import description

LARGEST = 64 * 1024
"""Bytes of a request that are read."""
_PAGE = {
    "/": ("page.html", "text/html"),
    "/page.js": ("page.js", "text/javascript"),
    "/picture.js": ("picture.js", "text/javascript"),
    "/page.css": ("page.css", "text/css"),
}


def application(
    shelves: Sequence[Shelf], decisions: Decisions, hosts: Sequence[str], token: str | None = None
) -> Starlette:
    """An ASGI application. `hosts` are the names it answers to; with a `token` nobody else is let in."""
    site = _Site({shelf.name: shelf for shelf in shelves}, decisions)
    routes = [Route(path, _file(*what)) for path, what in _PAGE.items()]
    routes += [
        Route("/api/runs", _answer(site.runs)),
        Route("/api/search", _answer(site.search)),
        Route("/api/class", _answer(site.one_class)),
        Route("/api/missing", _answer(site.missing)),
        Route("/api/reasons", _answer(site.reasons)),
        Route("/api/picture", _answer(site.picture)),
        Route("/api/effect", _answer(site.effect)),
        Route("/api/decisions", _answer(site.decided), methods=["GET"]),
        Route("/api/decisions", _answer(site.decide), methods=["POST"]),
        Route("/api/undo", _answer(site.undo), methods=["POST"]),
        Route("/api/accepted.ofn", _answer(site.accepted)),
        Route("/openapi.json", _answer(site.openapi)),
    ]
    guard = Middleware(Guard, hosts=frozenset(hosts), token=token)
    return Starlette(routes=routes, middleware=[guard], exception_handlers={500: _failed})


class _Site:
    """What each address answers, from the request's parameters and, where it is sent one, its document."""

    def __init__(self, shelves: dict[str, Shelf], decisions: Decisions) -> None:
        self.shelves, self.kept = shelves, decisions

    def runs(self, asked: dict[str, str], _: Any) -> Any:
        return {"runs": [shelf.about() for shelf in self.shelves.values()]}

    def search(self, asked: dict[str, str], _: Any) -> Any:
        return {"found": self._shelf(asked).search(asked.get("q", "")[:200], _number(asked, "top", 20))}

    def one_class(self, asked: dict[str, str], _: Any) -> Any:
        return self._shelf(asked).described(_given(asked, "name"))

    def missing(self, asked: dict[str, str], _: Any) -> Any:
        shelf, top = self._shelf(asked), _number(asked, "top", 20)
        wanted = _Wanted(
            asked.get("status", ""), _real(asked, "score"), _real(asked, "probability"), asked.get("decided", "")
        )
        # what a filter takes away is made up for by what comes later
        rows = shelf.missing(asked.get("head", ""), asked.get("tail", ""), MOST if any(wanted) else top)
        said = self.kept.of(_axiom_of(row) for row in rows)
        told = ((row, _told(said.get(_axiom_of(row), []))) for row in rows)
        shown = [_json(row, decided) for row, decided in told if wanted.takes(row, decided)]
        return Response(f'{{"missing":[{",".join(shown[:top])}]}}', media_type="application/json")

    def picture(self, asked: dict[str, str], _: Any) -> Any:
        return self._shelf(asked).picture(_given(asked, "name"))

    def reasons(self, asked: dict[str, str], _: Any) -> Any:
        return {"reasons": self._shelf(asked).reasons(_given(asked, "head"), _given(asked, "tail"))}

    def effect(self, asked: dict[str, str], _: Any) -> Any:
        return self._shelf(asked).effect(d.axiom for d in self.kept.accepted())

    def decided(self, asked: dict[str, str], _: Any) -> Any:
        said = self.kept.all()
        return {
            "decisions": [{**told, "called": self._called(d.axiom)} for d, told in zip(said, _told(said), strict=True)]
        }

    def _called(self, axiom: Axiom) -> dict[str, Any] | None:
        """The names of what an axiom is about, by the first run that knows them."""
        return next(filter(None, (shelf.called(axiom) for shelf in self.shelves.values())), None)

    def decide(self, asked: dict[str, str], document: Any) -> Any:
        shelf = self._shelf({"run": _text(document, "run")})
        axiom = _axiom(document)
        score = document.get("score")
        if score is not None and (isinstance(score, bool) or not isinstance(score, int | float)):
            raise ElgeoError("score has to be a number")
        if isinstance(score, int) and abs(score) > 1e300:
            raise ElgeoError("score has to be a smaller number")
        about = shelf.about()
        made = self.kept.say(
            Decision(
                *(axiom, _text(document, "verdict"), _text(document, "who"), _text(document, "note"), ""),
                *(about["run"], about["model"], about["version"], None if score is None else float(score)),
            )
        )
        return {"decision": _told([made])[0], "decisions": _told(self.kept.of([axiom]).get(axiom, []))}

    def undo(self, asked: dict[str, str], document: Any) -> Any:
        axiom = _axiom(document)
        undone = self.kept.undo(axiom, _text(document, "who"))
        return {"undone": undone, "decisions": _told(self.kept.of([axiom]).get(axiom, []))}

    def accepted(self, asked: dict[str, str], _: Any) -> Any:
        builder, notes = Builder(), {}
        for decision in self.kept.accepted():
            for shelf in self.shelves.values():
                shelf.names_of(decision.axiom, builder)
            notes[add_axiom(builder, decision.axiom)] = provenance(decision)
        text = "\n".join(functional_lines(builder.finish(), notes)) + "\n"
        headers = {"content-disposition": 'attachment; filename="accepted.ofn"'}
        return PlainTextResponse(text, headers=headers)

    def openapi(self, asked: dict[str, str], _: Any) -> Any:
        return description()

    def _shelf(self, asked: dict[str, str]) -> Shelf:
        name = asked.get("run") or next(iter(self.shelves))
        if name not in self.shelves:
            raise UnknownNameError(f"no run is called {name[:100]!r}; there are {', '.join(self.shelves)}")
        return self.shelves[name]


class _Wanted(NamedTuple):
    """What of the missing axioms is asked for; nothing said takes everything."""

    status: str
    score: float | None
    probability: float | None
    decided: str
    """A verdict that someone gave, or `nobody` for what nobody spoke of."""

    def takes(self, row: Row, decisions: Sequence[dict[str, Any]]) -> bool:
        verdicts = {decision["verdict"] for decision in decisions} or {"nobody"}
        return (
            (not self.status or row["status"] == self.status)
            and (self.score is None or row["score"] >= self.score)
            and (self.probability is None or (row["probability"] or 0.0) >= self.probability)
            and (not self.decided or self.decided in verdicts)
        )


def _answer(made: Callable[[dict[str, str], Any], Any]) -> Callable[[Request], Awaitable[Response]]:
    """An address whose answer is made in a thread of its own, so that others need not wait."""

    async def endpoint(request: Request) -> Response:
        document = None
        if request.method == "POST":
            body = b""
            try:
                async for part in request.stream():
                    body += part
                    if len(body) > LARGEST:
                        return JSONResponse({"error": f"more than {LARGEST:,} bytes"}, 413)
            except ClientDisconnect:
                return JSONResponse({"error": "the rest never came"}, 400)
            try:
                document = json.loads(body)
            except (ValueError, RecursionError):
                return JSONResponse({"error": "no JSON"}, 400)
            if not isinstance(document, dict):
                return JSONResponse({"error": "an object is wanted"}, 400)
        try:
            found = await anyio.to_thread.run_sync(made, dict(request.query_params), document)
        except UnknownNameError as error:
            return JSONResponse({"error": str(error)}, 404)
        except ElgeoError as error:
            return JSONResponse({"error": str(error)}, 400)
        return found if isinstance(found, Response) else JSONResponse(found)

    return endpoint


async def _failed(request: Request, error: Exception) -> Response:
    """What is our mistake is said as such; the server's output has the rest."""
    headers = {name.decode(): value.decode() for name, value in HEADERS}  # no guard stands behind this
    return JSONResponse({"error": "the server could not answer this: its output says why"}, 500, headers)


def _file(name: str, kind: str) -> Callable[[Request], Awaitable[Response]]:
    content = files("elgeo.serve").joinpath(name).read_bytes()

    async def endpoint(request: Request) -> Response:
        return Response(content, media_type=kind)

    return endpoint


def _axiom(document: dict[str, Any]) -> Axiom:
    return Axiom(*(_text(document, part) for part in ("head", "role", "tail")))


def _axiom_of(row: dict[str, Any]) -> Axiom:
    return Axiom(row["head"]["term"], row["role"], row["tail"]["term"])


def _json(row: Row, decisions: list[dict[str, Any]]) -> str:
    told = json.dumps(decisions, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return f'{row.opened},"decisions":{told}}}'


def _told(decisions: Sequence[Decision]) -> list[dict[str, Any]]:
    return [{**vars(d), **vars(d.axiom), "axiom": d.axiom.functional()} for d in decisions]


def _text(document: dict[str, Any], name: str) -> str:
    value = document.get(name, "")
    if not isinstance(value, str):
        raise ElgeoError(f"{name} has to be a text")
    return value


def _given(asked: dict[str, str], name: str) -> str:
    if not asked.get(name):
        raise ElgeoError(f"say which: ?{name}=…")
    return asked[name]


def _number(asked: dict[str, str], name: str, usual: int) -> int:
    given = asked.get(name, str(usual))
    if not (given.isascii() and given.isdigit() and len(given) < 7):
        raise ElgeoError(f"{name} has to be a number, not {given[:40]!r}")
    return int(given)


def _real(asked: dict[str, str], name: str) -> float | None:
    if not asked.get(name):
        return None
    with contextlib.suppress(ValueError):
        return float(asked[name])
    raise ElgeoError(f"{name} has to be a number, not {asked[name][:40]!r}")

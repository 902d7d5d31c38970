"""`Guard`: who may ask the page anything, and what every answer tells the browser to refuse."""

from __future__ import annotations

import secrets
from typing import Any
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
)


class Guard:
    """Lets in who may ask: the right host, our own pages, the token where there is one; adds headers to answers."""

    def __init__(self, app: ASGIApp, hosts: frozenset[str], token: str | None) -> None:
        self.app, self.hosts, self.token = app, hosts, token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request = Request(scope)
        problem = self._problem(request)

        async def with_headers(message: Any) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *HEADERS]
                if self.token and self._is_token(request.query_params.get("token", "")):
                    cookie = f"elgeo-token={self.token}; HttpOnly; SameSite=Strict; Path=/"
                    message["headers"].append((b"set-cookie", cookie.encode()))
            await send(message)

        if problem is not None:
            await JSONResponse({"error": problem[1]}, problem[0])(scope, receive, with_headers)
            return
        await self.app(scope, receive, with_headers)

    def _problem(self, request: Request) -> tuple[int, str] | None:
        host = _host(request.headers.get("host", ""))
        if host not in self.hosts:
            return 421, "this is not the address of the page"
        origin = request.headers.get("origin")
        if origin is not None and urlsplit(origin).netloc != request.headers.get("host"):
            return 403, "a page from elsewhere may not ask here"
        if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return 403, "a page from elsewhere may not ask here"
        if request.method == "POST" and request.headers.get("content-type", "").partition(";")[0] != "application/json":
            return 415, "a decision is sent as application/json"
        if self.token is not None and not self._has_token(request):
            return 401, "a token is needed: open the address that `elgeo serve` printed"
        return None

    def _has_token(self, request: Request) -> bool:
        bearer = request.headers.get("authorization", "").removeprefix("Bearer ")
        given = (bearer, request.query_params.get("token", ""), request.cookies.get("elgeo-token", ""))
        return any(map(self._is_token, given))

    def _is_token(self, given: str) -> bool:
        """Compared in a time that tells nothing of how much is right."""
        return bool(given and self.token) and secrets.compare_digest(given.encode(), (self.token or "").encode())


def _host(given: str) -> str:
    """The name in a Host header, without its port."""
    return given.rpartition(":")[0] if given.rpartition(":")[2].isdigit() and not given.endswith("]") else given

"""Check every request before it reaches the application.

Host      must be a name of this server, against DNS rebinding
Origin    of a request that changes something must be this server, against cross-site requests
token     required unless the server listens on loopback: once in the address or a header, then as a cookie that neither
          scripts nor other sites can read
size      of the body is limited, and counted while it is received
policy    pages run only their own scripts and cannot be shown in a frame

`Connection` limits the time for a request's header, and the number of connections.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import resource
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

import h11
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

MOST_BODY = 8 << 20  # bytes of a request
_MOST_DRAINED = 8 * MOST_BODY
_DRAIN_SECONDS = 10.0
HEADER_SECONDS = 10.0  # time limit for a request's header
BACKLOG = 64  # connections that wait to be accepted
MOST_CONNECTIONS = min(512, resource.getrlimit(resource.RLIMIT_NOFILE)[0] // 2)
_SAFE = ("GET", "HEAD")
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "frame-src 'self'; font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = [
    (b"content-security-policy", _POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
]


@dataclass(frozen=True)
class AllowedHosts:
    """The names of the server, and its token."""

    hosts: frozenset[str]  # values of the Host header, with the port
    token: str = ""  # empty: no token is required


class Refused(HTTPException):
    """A request that is not allowed, or too large."""


class Guard:
    """The application with these checks: see the head of this module."""

    def __init__(self, app: ASGIApp, allowed: AllowedHosts, close: Callable[[], Awaitable[None]]) -> None:
        self._app = app
        self._allowed = allowed
        self.close = close  # to be called before the server is closed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = {name.lower() for name, _ in message.get("headers", ())}
                ours = [pair for pair in _HEADERS if pair[0] not in own]
                message = {**message, "headers": [*message.get("headers", ()), *ours]}
            await send(message)

        try:
            headers = {key.decode("latin-1").lower(): value.decode("latin-1") for key, value in scope["headers"]}
            self._require_host(headers)
            self._require_origin(scope, headers)
            if self._allowed.token and (entry := self._require_token(scope, headers)):
                await _reply(answer, 303, b"", entry)
                return
            await self._app(scope, await _measured(receive, headers), answer)
        except Refused as refused:
            body = json.dumps({"error": refused.detail}).encode()
            await _reply(answer, refused.status_code, body, [(b"content-type", b"application/json")])

    def _require_host(self, headers: dict[str, str]) -> None:
        if headers.get("host", "").lower() not in self._allowed.hosts:
            raise Refused(421, f"this server is not {headers.get('host', '')[:80]!r}")

    def _require_origin(self, scope: Scope, headers: dict[str, str]) -> None:
        if scope["method"] in _SAFE:
            return
        origin = headers.get("origin")
        if origin is not None:
            if urlsplit(origin).netloc.lower() != headers["host"].lower():
                raise Refused(403, "requests from pages of another origin are not allowed")
        elif headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            raise Refused(403, "requests from pages of another site are not allowed")

    def _require_token(self, scope: Scope, headers: dict[str, str]) -> list[tuple[bytes, bytes]]:
        """The headers of a redirection that sets the cookie, if the address has the token; empty if access is granted."""
        name = f"tablero-{scope['server'][1]}"  # all ports of a machine share their cookies
        known = _same(_cookie(headers, name), self._cookie)
        if known or self._is_token(headers.get("authorization", "").removeprefix("Bearer ")):
            return []
        asked = parse_qsl(scope["query_string"].decode("latin-1"))
        if scope["method"] in _SAFE and any(name == "token" and self._is_token(value) for name, value in asked):
            rest = urlencode([pair for pair in asked if pair[0] != "token"])
            where = "/" + quote(scope["path"].lstrip("/")) + (f"?{rest}" if rest else "")
            cookie = f"{name}={self._cookie}; Path=/; HttpOnly; SameSite=Strict"
            return [(b"location", where.encode()), (b"set-cookie", cookie.encode())]
        raise Refused(401, "the token is missing or wrong: open the address that 'tablero serve' has printed")

    def _is_token(self, given: str) -> bool:
        return _same(given, self._allowed.token)

    @property
    def _cookie(self) -> str:
        """The cookie's value: derived from the token, but not the token."""
        return hmac.new(self._allowed.token.encode(), b"a cookie of tablero", "sha256").hexdigest()


def _same(given: str, wanted: str) -> bool:
    """Compare in constant time."""
    return hmac.compare_digest(given.encode("utf-8", "replace"), wanted.encode())


def _cookie(headers: dict[str, str], name: str) -> str:
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(name)
    except CookieError:
        return ""
    return "" if found is None else found.value


async def _measured(receive: Receive, headers: dict[str, str]) -> Receive:
    """A `receive` that refuses a body that is too large.

    Much of such a body is still received, because a client that is cut off while it sends would not read the error.
    """
    reported = headers.get("content-length", "0")
    too_large = Refused(413, f"more than the {MOST_BODY:,} bytes that a request may have")
    size = 0
    if not reported.isascii() or not reported.isdigit() or int(reported) > MOST_BODY:
        await _drain(receive)
        raise too_large

    async def measured() -> Message:
        nonlocal size
        message = await receive()
        size += len(message.get("body", b""))
        if size > MOST_BODY:
            if message.get("more_body"):
                await _drain(receive)
            raise too_large
        return message

    return measured


async def _drain(receive: Receive) -> None:
    """Receive the rest of the body, up to a limit, and discard it."""
    size = 0
    with suppress(TimeoutError):
        async with asyncio.timeout(_DRAIN_SECONDS):
            while size < _MOST_DRAINED:
                message = await receive()
                size += len(message.get("body", b""))
                if message["type"] != "http.request" or not message.get("more_body"):
                    return


async def _reply(send: Send, status: int, body: bytes, headers: list[tuple[bytes, bytes]]) -> None:
    length: list[tuple[Any, Any]] = [(b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": [*headers, *length]})
    await send({"type": "http.response.body", "body": body})


class Connection(H11Protocol):
    """A connection with a time limit for the header of each request.

    When there are too many connections, the oldest one with an incomplete request is closed, or else the new one.
    """

    def __init__(self, *given: Any, **options: Any) -> None:
        super().__init__(*given, **options)
        self._made = self.loop.time()
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._limit_header()
        there = [one for one in self.connections if isinstance(one, Connection) and not one.transport.is_closing()]
        if len(there) > MOST_CONNECTIONS:
            incomplete = [one for one in there if one.conn.their_state in (h11.IDLE, h11.SEND_BODY)]
            min(incomplete, key=lambda one: one._made).transport.abort()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._limit_header()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        super().connection_lost(exc)

    def _limit_header(self) -> None:
        """Start the timer for a header, or stop it when the header is complete."""
        if self.conn.their_state is not h11.IDLE:
            if self._deadline is not None:
                self._deadline.cancel()
            self._deadline = None
        elif self._deadline is None:
            self._deadline = self.loop.call_later(HEADER_SECONDS, self.transport.abort)

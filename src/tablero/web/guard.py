"""Who may speak to the server, and how much: a layer around the application that everything passes.

Host      must be a name of this server: a page of elsewhere whose name was bent to 127.0.0.1 is refused (DNS rebinding)
Origin    of a request that changes something must be this server's own page (cross-site posts)
token     off loopback, shown once in the address or in a header, then a cookie that no script and no other site can use
size      of a body, counted while it comes
policy    the page runs our own scripts only, and shows itself in no frame

`Connection` limits how long a request's header may take, and how many connections there are.
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
_PATIENCE = 10.0  # seconds
HEADER_SECONDS = 10.0  # that a request's header may take
BACKLOG = 64  # connections that are accepted at a time
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
class House:
    """Where the server is at home."""

    hosts: frozenset[str]  # by which it may be called, with the port
    token: str = ""  # empty: everyone who gets here may come in


class Refused(HTTPException):
    """A request that is not let in, or is found out to be too large while it is read."""


class Guard:
    """The layer: see the head of this module."""

    def __init__(self, app: ASGIApp, house: House, close: Callable[[], Awaitable[None]]) -> None:
        self._app = app
        self._house = house
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
            if self._house.token and (entry := self._require_token(scope, headers)):
                await _reply(answer, 303, b"", entry)
                return
            await self._app(scope, await _measured(receive, headers), answer)
        except Refused as refused:
            body = json.dumps({"error": refused.detail}).encode()
            await _reply(answer, refused.status_code, body, [(b"content-type", b"application/json")])

    def _require_host(self, headers: dict[str, str]) -> None:
        if headers.get("host", "").lower() not in self._house.hosts:
            raise Refused(421, f"this server is not {headers.get('host', '')[:80]!r}")

    def _require_origin(self, scope: Scope, headers: dict[str, str]) -> None:
        if scope["method"] in _SAFE:
            return
        origin = headers.get("origin")
        if origin is not None:
            if urlsplit(origin).netloc.lower() != headers["host"].lower():
                raise Refused(403, "a page of another origin may not ask for this")
        elif headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            raise Refused(403, "a page of another site may not ask for this")

    def _require_token(self, scope: Scope, headers: dict[str, str]) -> list[tuple[bytes, bytes]]:
        """Nothing where the visitor is known; the headers of a way in where the token stands in the address."""
        name = f"tablero-{scope['server'][1]}"  # cookies are shared by all ports of a machine
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
        return _same(given, self._house.token)

    @property
    def _cookie(self) -> str:
        """What a browser keeps: made of the token, and not the token itself."""
        return hmac.new(self._house.token.encode(), b"a cookie of tablero", "sha256").hexdigest()


def _same(given: str, wanted: str) -> bool:
    """Compared in a time that tells nothing."""
    return hmac.compare_digest(given.encode("utf-8", "replace"), wanted.encode())


def _cookie(headers: dict[str, str], name: str) -> str:
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(name)
    except CookieError:
        return ""
    return "" if found is None else found.value


async def _measured(receive: Receive, headers: dict[str, str]) -> Receive:
    """The body, as long as it is not too large.  Of one that is, a good deal is still taken: a client that is cut off while
    it sends would never read the refusal."""
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
    """Read on, and forget what is read."""
    size = 0
    with suppress(TimeoutError):
        async with asyncio.timeout(_PATIENCE):
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
    """A connection whose requests must begin in time.

    Where there are too many connections, the oldest of those whose request has not arrived is closed; where all are answered
    just now, the new one is.
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
        """Start the time of a header that has begun, and end it where the header is complete."""
        if self.conn.their_state is not h11.IDLE:
            if self._deadline is not None:
                self._deadline.cancel()
            self._deadline = None
        elif self._deadline is None:
            self._deadline = self.loop.call_later(HEADER_SECONDS, self.transport.abort)

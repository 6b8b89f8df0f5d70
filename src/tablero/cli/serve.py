"""`tablero serve`: the web page."""

from __future__ import annotations

import ipaddress
import os
import socket
from collections.abc import Iterator, Sequence
from typing import Annotated

from msgspec import Meta

from tablero import interrupts
from tablero.cli.options import Done, command
from tablero.errors import BadInput, MissingExtra
from tablero.verbs.parameters import Spelling

_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


@command()
def serve(
    *,
    port: Annotated[int, Meta(ge=0, le=65535, description="Port to listen on; 0 takes a free port.")] = 8700,
    host: Annotated[
        str,
        Meta(description="Address to listen on; any but a loopback address needs --token."),
        Spelling(metavar="HOST"),
    ] = "127.0.0.1",
    token: Annotated[
        str,
        Meta(description="Secret of at least 16 characters that browsers must present; by default, TABLERO_TOKEN."),
    ] = "",
    name: Annotated[
        Sequence[str], Meta(description="Another host name of the server; may be repeated."), Spelling(metavar="NAME")
    ] = (),
    open_page: Annotated[bool, Meta(description="Open the page in the browser."), Spelling(option="open")] = False,
) -> Iterator[Done]:
    """Start the web page: show, solve and play puzzles, and control jobs, in a browser.

    Examples:
        tablero serve --open
        tablero serve --port 0
    """
    try:
        import uvicorn

        from tablero.web.app import make_app
        from tablero.web.guard import BACKLOG, AllowedHosts, Connection
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("tablero"):
            raise
        raise MissingExtra("the web page", "web") from None
    token = token or os.environ.get("TABLERO_TOKEN", "")
    address = _address(host)
    if not address.is_loopback and not token:
        raise BadInput(f"--host {host}: expected --token with it, a secret of 16 characters or more")
    if token and (len(token) < 16 or not token.isascii() or not token.replace("-", "").replace("_", "").isalnum()):
        raise BadInput("--token: expected 16 or more letters, digits, dashes or underscores")
    listening = _listen(address, port)
    port = listening.getsockname()[1]
    called = [*_LOOPBACK, f"[{address}]" if address.version == 6 else str(address), *name]
    hosts = frozenset(f"{one.lower()}:{port}" for one in called) | frozenset(one.lower() for one in name)
    where = f"http://{called[3]}:{port}/" + (f"?token={token}" if token else "")
    notes = ["Ctrl-C stops the server; jobs continue"]
    if not address.is_loopback:
        notes.append("the connection is not encrypted: use a TLS proxy, see docs/web.md")
    yield Done({"status": "solved", "address": where}, (f"tablero is at {where}",), tuple(notes))
    if open_page:
        import webbrowser

        webbrowser.open(where)
    os.environ["PYTHONSAFEPATH"] = "1"
    app = make_app(AllowedHosts(hosts, token))

    class Server(uvicorn.Server):
        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            await app.close()  # answers all waiting requests
            await super().shutdown(sockets)

    config = uvicorn.Config(
        app,
        http=Connection,
        backlog=BACKLOG,
        log_level="warning",
        access_log=False,
        timeout_graceful_shutdown=1,
        server_header=False,
    )
    interrupts.hand_over()
    Server(config).run(sockets=[listening])


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    try:
        return ipaddress.ip_address("127.0.0.1" if host == "localhost" else host.strip("[]"))
    except ValueError:
        raise BadInput(f"--host {host!r}: expected an address of this machine, such as 127.0.0.1 or 0.0.0.0") from None


def _listen(address: ipaddress.IPv4Address | ipaddress.IPv6Address, port: int) -> socket.socket:
    """A socket that listens at this address and port."""
    try:
        return socket.create_server(
            (str(address), port), family=socket.AF_INET6 if address.version == 6 else socket.AF_INET, backlog=128
        )
    except OSError as error:
        raise BadInput(f"--port {port}: cannot listen at {address}: {error.strerror or error}") from None

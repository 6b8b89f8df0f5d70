"""`tablero serve`: the web page."""

from __future__ import annotations

import ipaddress
import os
import socket
import sys
from typing import Annotated

import typer

from tablero import interrupts
from tablero.cli.common import Json, Manner, Quiet, print_json
from tablero.errors import BadInput, MissingExtra

_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


def serve(
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="The port; 0 takes a free one.")] = 8700,
    host: Annotated[
        str, typer.Option("--host", help="The address to listen on; off loopback it demands --token.")
    ] = "127.0.0.1",
    token: Annotated[
        str,
        typer.Option(
            "--token", envvar="TABLERO_TOKEN", help="A secret that visitors must know: 16 characters or more."
        ),
    ] = "",
    name: Annotated[
        list[str] | None, typer.Option("--name", help="Another name by which the server is called.")
    ] = None,
    open_page: Annotated[bool, typer.Option("--open", help="Show the page in the browser.")] = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> int:
    """The web page: see, play and steer every puzzle and job from a browser.

    Examples:
        tablero serve --open
        tablero serve --port 0
    """
    try:
        import uvicorn

        from tablero.web.app import make_app
        from tablero.web.guard import House
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("tablero"):
            raise
        raise MissingExtra("the web page", "web") from None
    address = _address(host)
    if not address.is_loopback and not token:
        raise BadInput(f"--host {host}: off loopback the page needs --token, a secret of 16 characters or more")
    if token and (len(token) < 16 or not token.isascii() or not token.replace("-", "").replace("_", "").isalnum()):
        raise BadInput("--token: expected 16 or more letters, digits, dashes or underscores")
    listening = _listen(address, port)
    port = listening.getsockname()[1]
    called = [*_LOOPBACK, f"[{address}]" if address.version == 6 else str(address), *(name or [])]
    hosts = frozenset(f"{one.lower()}:{port}" for one in called) | frozenset(one.lower() for one in name or [])
    where = f"http://{called[3]}:{port}/" + (f"?token={token}" if token else "")
    manner = Manner(as_json, quiet)
    if as_json:
        print_json({"status": "solved", "address": where})
    else:
        print(f"tablero is at {where}")
    sys.stdout.flush()
    manner.say("searches go on when this is closed; Ctrl-C closes it")
    if not address.is_loopback:
        manner.say("others can listen in: put a server with TLS before it, see docs/web.md")
    if open_page:
        import webbrowser

        webbrowser.open(where)
    os.environ["PYTHONSAFEPATH"] = "1"
    app = make_app(House(hosts, token))

    class Server(uvicorn.Server):
        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            await app.close()  # whoever waits is answered, so that nobody has to be cut off
            await super().shutdown(sockets)

    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        timeout_graceful_shutdown=1,
        server_header=False,
    )
    interrupts.hand_over()
    Server(config).run(sockets=[listening])
    return 0


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    try:
        return ipaddress.ip_address("127.0.0.1" if host == "localhost" else host.strip("[]"))
    except ValueError:
        raise BadInput(f"--host {host!r}: expected an address of this machine, as 127.0.0.1 or 0.0.0.0") from None


def _listen(address: ipaddress.IPv4Address | ipaddress.IPv6Address, port: int) -> socket.socket:
    """A socket at that address and port, or one line that says why not."""
    try:
        return socket.create_server(
            (str(address), port), family=socket.AF_INET6 if address.version == 6 else socket.AF_INET, backlog=128
        )
    except OSError as error:
        raise BadInput(f"--port {port}: cannot listen at {address}: {error.strerror or error}") from None

"""Addresses of schedulers and workers: how they are written, and which doors may be open to whom.

Without TLS only this machine is talked to, unless the user insists: whoever can talk to a worker can run code on it.
"""

from __future__ import annotations

import socket
from ipaddress import IPv6Address

from tablero.errors import BadInput
from tablero.runs.security import host_of, is_loopback

_KNOCK = 5  # seconds that a machine has to open its door


def checked_address(
    address: str, *, secure: bool, insecure: bool, option: str = "the cluster", default_port: int | None = None
) -> str:
    """A scheduler's address with its protocol; without TLS only this machine is talked to, unless the user insists."""
    scheme, _, rest = address.rpartition("://")
    host, port = _host_and_port(rest, f"{option} {address}")
    if scheme not in ("", "tcp", "tls") or (port is None and default_port is None):
        local = " or local:N" if option == "the cluster" else ""
        raise BadInput(f"{option} {address}: expected HOST:PORT, tls://HOST:PORT{local}")
    if secure and scheme == "tcp":
        raise BadInput(f"{option} {address}: tcp is not encrypted, and a folder with certificates (tls) is given")
    if not secure and scheme == "tls":
        raise BadInput(f"{option} {address}: the folder with the certificates (tls) is not given")
    _refuse_open_doors(host, f"{option} {address}", secure or insecure)
    return f"{'tls' if secure else 'tcp'}://{host}:{port or default_port}"


def checked_host(host: str, *, secure: bool, insecure: bool) -> str:
    """An address to listen on; an IPv6 address gets the brackets that it has beside a port."""
    known = host_of(host.removeprefix("[").removesuffix("]"), f"--host {host}")
    written = f"[{known}]" if isinstance(known, IPv6Address) else str(known)
    _refuse_open_doors(written, f"--host {host}", secure or insecure)
    return written


def host_towards(scheduler: str, *, secure: bool, insecure: bool) -> str:
    """Where a worker and its nanny listen, if nobody says: on the one address that the scheduler reaches them by.

    Dask would let the worker, though not its nanny, listen on all of them.
    """
    from distributed.comm import get_address_host, get_local_address_for

    host = get_address_host(scheduler)
    if not secure and not insecure:
        return "[::1]" if ":" in host else "127.0.0.1"
    try:
        return str(get_local_address_for(scheduler)).partition("://")[2]
    except OSError as error:
        raise BadInput(f"worker {scheduler}: {host} is not known here ({error.strerror or error})") from None


def check_free(host: str, port: int, option: str) -> None:
    """Tell in one line, before Dask tells in many, that one cannot listen there."""
    name = host.removeprefix("[").removesuffix("]")
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(name, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as Dask does
            probe.bind(place)
    except OSError as error:
        raise BadInput(f"{option}: cannot listen there ({error.strerror or error})") from None


def is_open(address: str) -> bool:
    """Whether anybody listens there now."""
    from distributed.comm import get_address_host_port

    try:
        socket.create_connection(get_address_host_port(address), timeout=_KNOCK).close()
    except OSError:
        return False
    return True


def _host_and_port(text: str, option: str) -> tuple[str, int | None]:
    """HOST, HOST:PORT, [IPV6] or [IPV6]:PORT, the host in the same spelling."""
    if text.startswith("["):
        host, end, rest = text[1:].partition("]")
        colon, port = rest[:1], rest[1:]
        good = isinstance(host_of(host, option), IPv6Address) and end == "]" and colon in ("", ":")
        host = f"[{host}]"
    else:
        host, colon, port = text.partition(":")
        if ":" in port:
            raise BadInput(f"{option}: an IPv6 address stands in brackets, as [::1]:8786")
        good = bool(host) and bool(host_of(host, option))
    if not good or (colon and not (port.isascii() and port.isdecimal() and 0 < int(port) < 65536)):
        raise BadInput(f"{option}: expected HOST:PORT with a port from 1 to 65535")
    return host, int(port) if colon else None


def _refuse_open_doors(host: str, option: str, may_be_open: bool) -> None:
    if not may_be_open and not is_loopback(host):
        remedy = "give a folder with certificates (tls), or insist (insecure)"
        raise BadInput(f"{option}: not encrypted and not this machine; {remedy}")

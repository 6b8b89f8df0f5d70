"""Who listens where, as the kernel says it, and strangers who try to get in."""

from __future__ import annotations

import asyncio
import functools
import socket
import ssl
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

Door = tuple[str, int]
LISTENING = "0A"


def family(pid: int) -> list[int]:
    """A process and all that it started, directly or not."""
    parents: dict[int, int] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            try:
                after_name = (folder / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue  # it is gone
            parents[int(folder.name)] = int(after_name[1])
    found = [pid]
    for one in found:
        found += [child for child, parent in parents.items() if parent == one]
    return found


def doors_of(pid: int) -> set[Door]:
    """The addresses and ports that one process listens on, for TCP over IPv4 and IPv6."""
    process = Path(f"/proc/{pid}")
    inodes = set()
    tables = []
    with suppress(OSError):  # it is gone
        for link in (process / "fd").iterdir():
            with suppress(OSError):  # it was closed
                target = str(link.readlink())
                if target.startswith("socket:["):
                    inodes.add(target.removeprefix("socket:[").removesuffix("]"))
        tables += [(process / "net" / table).read_text() for table in ("tcp", "tcp6")]
    return {
        _door(fields[1])
        for text in tables
        for fields in (line.split() for line in text.splitlines()[1:])
        if fields[3] == LISTENING and fields[9] in inodes
    }


def _door(text: str) -> Door:
    """An address as /proc/net writes it: words of four bytes in the order of this machine."""
    host, _, port = text.partition(":")
    words = [bytes.fromhex(host[k : k + 8]) for k in range(0, len(host), 8)]
    raw = b"".join(word[::-1] if sys.byteorder == "little" else word for word in words)
    return socket.inet_ntop(socket.AF_INET if len(raw) == 4 else socket.AF_INET6, raw), int(port, 16)


def url(scheme: str, door: Door) -> str:
    host, port = door
    return f"{scheme}://[{host}]:{port}" if ":" in host else f"{scheme}://{host}:{port}"


async def _runs_code(address: str, security: Any, mark: Path) -> bool:
    from distributed import rpc
    from distributed.protocol.pickle import dumps

    touch = dumps(functools.partial(Path.touch, mark))
    connection = security.get_connection_args("client") if security is not None else {}
    for verb in ("run", "run_function"):  # of workers and nannies; of schedulers
        try:
            async with rpc(address, connection_args=connection, timeout=1) as peer:
                await asyncio.wait_for(getattr(peer, verb)(function=touch), 5)
        except Exception:
            continue  # refused, or it does not know the verb
    return mark.exists()


def who_runs_code(addresses: list[str], security: Any, folder: Path) -> list[str]:
    """Those of the addresses where somebody with this security can have a file made."""

    async def all_at_once() -> list[bool]:
        marks = [folder / f"mark-{k}" for k in range(len(addresses))]
        done = await asyncio.gather(*map(_runs_code, addresses, [security] * len(addresses), marks))
        for mark in marks:
            mark.unlink(missing_ok=True)
        return done

    return [address for address, ran in zip(addresses, asyncio.run(all_at_once()), strict=True) if ran]


def tells_nothing(door: Door) -> bool:
    """Whether neither a browser nor a client of TLS without a certificate hears a word."""
    with socket.create_connection(door, timeout=5) as plain:
        plain.sendall(b"GET / HTTP/1.0\r\n\r\n")
        if not _hears_nothing(plain):
            return False
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    try:
        with socket.create_connection(door, timeout=5) as raw, context.wrap_socket(raw) as wrapped:
            # In TLS 1.3 a client without a certificate is told so after its own part of the handshake.
            return _hears_nothing(wrapped)
    except (ssl.SSLError, ConnectionResetError):
        return True


def _hears_nothing(connection: socket.socket) -> bool:
    """Whether the other side hangs up without a word of its own: at most TLS's alert, a record of type 21."""
    try:
        heard = connection.recv(100)
    except (ssl.SSLError, ConnectionResetError):
        return True
    return heard == b"" or heard[0] == 21


def is_shut(door: Door) -> bool:
    """Whether nobody listens there."""
    with socket.socket(socket.AF_INET6 if ":" in door[0] else socket.AF_INET) as probe:
        probe.settimeout(5)
        return probe.connect_ex(door) != 0

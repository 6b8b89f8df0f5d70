"""Security of a cluster of several machines: addresses, certificates, private folders.

Without TLS connections are limited to this machine, unless the user sets `insecure`: anyone who can connect to a worker can
run code on it.

Certificates are made by trustme: an authority, and a certificate each for scheduler, workers and clients.  Both ends of a
connection show a certificate of the authority.  The key of the authority is deleted as soon as it has signed.
"""

from __future__ import annotations

import datetime
import ipaddress
import os
import re
import shutil
import socket
import stat
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

from tablero.errors import BadInput, need

ROLES = ("scheduler", "worker", "client")
_DAYS = 825
_LABEL = re.compile(r"[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?")
_CONNECT = 5  # seconds that a machine has to answer

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


# Addresses


def host_of(text: str, option: str) -> Address | str:
    """Parse an IP address or the name of a machine.

    A name that ends in a number is refused, as it is an address with a mistake, such as 10.0.0.300.
    """
    with suppress(ValueError):
        return ipaddress.ip_address(text)
    labels = text.split(".")
    if len(text) > 253 or not all(map(_LABEL.fullmatch, labels)) or labels[-1].isdecimal():
        raise BadInput(f"{option}: '{text}' is neither a name of letters, digits and hyphens nor an address")
    return text


def is_loopback(host: str) -> bool:
    """Whether a host is a loopback address or the name localhost."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.removeprefix("[").removesuffix("]")).is_loopback
    except ValueError:
        return False


def checked_address(
    address: str, *, secure: bool, insecure: bool, option: str = "the cluster", default_port: int | None = None
) -> str:
    """A scheduler's address with its protocol.

    Parameters
    ----------
    address
        HOST:PORT, with tcp:// or tls:// before it or not.
    secure
        Whether there is a folder with certificates.
    insecure
        Whether another machine is allowed without TLS.
    option
        What the address is called in messages.
    default_port
        The port if the address has none.
    """
    scheme, _, rest = address.rpartition("://")
    host, port = _host_and_port(rest, f"{option} {address}")
    if scheme not in ("", "tcp", "tls") or (port is None and default_port is None):
        local = " or local:N" if option == "the cluster" else ""
        raise BadInput(f"{option} {address}: expected HOST:PORT, tls://HOST:PORT{local}")
    if secure and scheme == "tcp":
        raise BadInput(f"{option} {address}: tcp is not encrypted, and a folder with certificates (tls) is given")
    if not secure and scheme == "tls":
        raise BadInput(f"{option} {address}: the folder with the certificates (tls) is not given")
    _require_local(host, f"{option} {address}", secure or insecure)
    return f"{'tls' if secure else 'tcp'}://{host}:{port or default_port}"


def checked_host(host: str, *, secure: bool, insecure: bool) -> str:
    """An address to listen on; an IPv6 address gets brackets."""
    known = host_of(host.removeprefix("[").removesuffix("]"), f"--host {host}")
    written = f"[{known}]" if isinstance(known, ipaddress.IPv6Address) else str(known)
    _require_local(written, f"--host {host}", secure or insecure)
    return written


def host_towards(scheduler: str, *, secure: bool, insecure: bool) -> str:
    """The address that a worker and its nanny listen on by default: the one that the scheduler reaches them at.

    Dask would let the worker, but not its nanny, listen on all addresses.
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
    """Refuse an address and port that cannot be listened on, in one line; Dask would print many."""
    name = host.removeprefix("[").removesuffix("]")
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(name, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as Dask does
            probe.bind(place)
    except OSError as error:
        raise BadInput(f"{option}: cannot listen there ({error.strerror or error})") from None


def is_open(address: str) -> bool:
    """Whether something listens at an address now."""
    from distributed.comm import get_address_host_port

    try:
        socket.create_connection(get_address_host_port(address), timeout=_CONNECT).close()
    except OSError:
        return False
    return True


def _host_and_port(text: str, option: str) -> tuple[str, int | None]:
    """Parse HOST, HOST:PORT, [IPV6] or [IPV6]:PORT."""
    if text.startswith("["):
        host, end, rest = text[1:].partition("]")
        colon, port = rest[:1], rest[1:]
        good = isinstance(host_of(host, option), ipaddress.IPv6Address) and end == "]" and colon in ("", ":")
        host = f"[{host}]"
    else:
        host, colon, port = text.partition(":")
        if ":" in port:
            raise BadInput(f"{option}: expected an IPv6 address in brackets, as [::1]:8786")
        good = bool(host) and bool(host_of(host, option))
    if not good or (colon and not (port.isascii() and port.isdecimal() and 0 < int(port) < 65536)):
        raise BadInput(f"{option}: expected HOST:PORT with a port from 1 to 65535")
    return host, int(port) if colon else None


def _require_local(host: str, option: str, may_be_open: bool) -> None:
    if not may_be_open and not is_loopback(host):
        remedy = "give a folder with certificates (tls), or allow it (insecure)"
        raise BadInput(f"{option}: not encrypted and not this machine; {remedy}")


# Settings for Dask


def tls_of(folder: str, role: str) -> Any:
    """Dask's security settings for one role, from the files of `make_certificates`."""
    distributed = need("distributed", "TLS", "cluster")
    files = files_of(folder, role)
    return distributed.Security(
        require_encryption=True,
        tls_ca_file=str(files["ca"]),
        **{f"tls_{role}_cert": str(files["cert"]), f"tls_{role}_key": str(files["key"])},
    )


def files_of(folder: str, role: str) -> dict[str, Path]:
    """The files of the authority's certificate and of the role's certificate and key.

    Raises
    ------
    BadInput
        If one of them is missing.
    """
    base = Path(folder)
    files = {"ca": base / "ca.pem", "cert": base / f"{role}.pem", "key": base / f"{role}-key.pem"}
    for file in files.values():
        if not file.is_file():
            raise BadInput(
                f"the certificates {folder}: {file.name} is not there; 'tablero cluster certificates {folder}' makes it"
            )
    return files


def private_scratch() -> str:
    """A folder for Dask's scratch files that only this user can enter.

    By default Dask imports from /tmp/dask-scratch-space, which any user may have created.
    """
    import dask

    base = dask.config.get("temporary-directory", None) or tempfile.gettempdir()
    folder = Path(base) / f"tablero-{os.getuid()}"
    try:
        with suppress(FileExistsError):
            folder.mkdir(mode=0o700)
        if _is_private(folder):
            return str(folder)
        # Another user has taken the name.  A folder that was created for this reason before is used again.
        for other in Path(base).glob(f"{folder.name}-*"):
            if _is_private(other):
                return str(other)
        return tempfile.mkdtemp(prefix=f"{folder.name}-", dir=base)
    except OSError as error:
        raise BadInput(f"cannot write to {base}: {error.strerror or error}") from None


def _is_private(folder: Path) -> bool:
    found = folder.lstat()
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o077


# Certificates in a folder


def make_certificates(folder: Path, hosts: list[str]) -> list[Path]:
    """Write an authority and certificates for all roles into a new folder, completely or not at all.

    Only the owner can enter the folder, and the keys are created readable only by the owner.

    Parameters
    ----------
    folder
        The folder, which must not exist or be empty.
    hosts
        Names and addresses of the machines.

    Returns
    -------
    The files.
    """
    contents = _certificates(hosts)
    try:
        place = folder.resolve()
        if (place / "ca.pem").exists():
            raise BadInput(f"{folder} has certificates already: choose another folder, or remove it first")
        # The new folder replaces an empty one, which must not be the current folder of a shell.
        if place.exists() and (not place.is_dir() or place == Path.cwd() or any(place.iterdir())):
            raise BadInput(f"{folder} is not an empty folder: expected a new one")
        place.parent.mkdir(parents=True, exist_ok=True)
        draft = Path(tempfile.mkdtemp(prefix=f".{place.name}-", dir=place.parent))  # 0700
        try:
            for name, data in contents.items():
                _write(draft / name, data, 0o600 if name.endswith("-key.pem") else 0o644)
            draft.rename(place)
        except BaseException:
            shutil.rmtree(draft, ignore_errors=True)
            raise
    except OSError as error:
        raise BadInput(f"cannot write to {folder}: {error.strerror or error}") from None
    return [folder / name for name in contents]


def _write(path: Path, data: bytes, mode: int) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
        file.write(data)


def _certificates(hosts: list[str]) -> dict[str, bytes]:
    """The contents of the files of a new authority, by name."""
    trustme = need("trustme", "cluster certificates", "cluster")
    names = [str(host_of(host, "--hosts")) for host in hosts]
    until = datetime.datetime.now(datetime.UTC) + datetime.timedelta(days=_DAYS)
    authority = trustme.CA(path_length=0, organization_name="tablero")
    files = {"ca.pem": authority.cert_pem.bytes()}
    for role in ROLES:
        try:
            issued = authority.issue_cert(
                *names, organization_name="tablero", organization_unit_name=role, not_after=until
            )
        except UnicodeError as error:  # IDNA does not allow all names of a local network
            raise BadInput(f"--hosts: a certificate cannot hold this name ({error})") from None
        files[f"{role}.pem"] = issued.cert_chain_pems[0].bytes()
        files[f"{role}-key.pem"] = issued.private_key_pem.bytes()
    return files

"""`tablero cluster`: start Dask's scheduler and workers with the settings that tablero needs, and make certificates."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta

from tablero.cli.options import Command, Done, Settings, command
from tablero.cli.running import plain
from tablero.cli.warm import compile_in_turn
from tablero.errors import BadInput, need
from tablero.runs.progress import Snapshot
from tablero.runs.security import (
    check_free,
    checked_address,
    checked_host,
    files_of,
    host_towards,
    is_open,
    make_certificates,
    private_scratch,
    tls_of,
)
from tablero.verbs.parameters import Spelling

PORT = 8786  # Dask's own

Tls = Annotated[str, Meta(description="Folder with the cluster's certificates."), Spelling(metavar="FOLDER")]
Insecure = Annotated[bool, Meta(description="Allow unencrypted connections to other machines.")]


@command()
def scheduler(
    *,
    host: Annotated[str, Meta(description="Address to listen on."), Spelling(metavar="HOST")] = "127.0.0.1",
    port: Annotated[int, Meta(ge=1, le=65535, description="Port to listen on.")] = PORT,
    dashboard: Annotated[
        int | None,
        Meta(
            ge=0,
            le=65535,
            description="Serve Dask's dashboard on this port, for this machine only; 0 takes a free port.",
        ),
    ] = None,
    tls: Tls = "",
    insecure: Insecure = False,
) -> Iterator[Done]:
    """Start Dask's scheduler.  With --json its address is printed first.

    Examples:
        tablero cluster scheduler
        tablero cluster certificates certificates --hosts node1,node2
        tablero cluster scheduler --tls certificates --host 0.0.0.0
    """
    listen = checked_host(host, secure=bool(tls), insecure=insecure)
    tls_arguments = _tls_arguments(tls, "scheduler")
    need("distributed", "cluster scheduler", "cluster")
    check_free(listen, port, f"--host {host} --port {port}")
    where = f"{'tls' if tls else 'tcp'}://{listen}"
    arguments = ["--host", where, "--port", str(port)]
    yield Done({"address": f"{where}:{port}"})
    # The dashboard shows everything without authentication, so it is served to this machine only.
    arguments += ["--dashboard-address", f"127.0.0.1:{dashboard or 0}", "--no-show"]
    if dashboard is None:
        _become("tablero.runs.nodes", [*arguments, "--no-dashboard", *tls_arguments])
    _become("distributed.cli.dask_scheduler", [*arguments, *tls_arguments])


@command()
def worker(
    address: Annotated[
        str,
        Meta(description=f"Address of the scheduler: HOST:PORT or HOST (port {PORT})."),
        Spelling(metavar="ADDRESS"),
    ],
    *,
    threads: Annotated[int, Meta(ge=1, le=1024, description="Number of threads."), Spelling(short="-t")] = 1,
    host: Annotated[
        str,
        Meta(description="Address to listen on; by default, the one at which the scheduler reaches this machine."),
        Spelling(metavar="HOST"),
    ] = "",
    tls: Tls = "",
    insecure: Insecure = False,
    settings: Settings,
) -> Iterator[Done]:
    """Compile the kernels and start a Dask worker.  With --json the scheduler's address is printed first.

    Examples:
        tablero cluster worker 127.0.0.1 --threads 2
        tablero cluster certificates certificates --hosts node1,node2
        tablero cluster worker node1 --tls certificates
    """
    secure = bool(tls)
    target = checked_address(address, secure=secure, insecure=insecure, option="worker", default_port=PORT)
    tls_arguments = _tls_arguments(tls, "worker")
    need("distributed", "cluster worker", "cluster")
    if host:
        listen = checked_host(host, secure=secure, insecure=insecure)
        check_free(listen, 0, f"--host {host}")
    else:
        listen = host_towards(target, secure=secure, insecure=insecure)
    _require_scheduler(target, tls, f"worker {address}")
    watch = settings.watcher() or (lambda _: None)
    watch(Snapshot(doing="compiling the kernels"))
    try:
        compile_in_turn()
    finally:
        watch(Snapshot(over=True))
    yield Done({"scheduler": target, "host": listen, "threads": threads})
    arguments = [target, "--host", listen, "--nthreads", str(threads), "--memory-limit", "0", "--death-timeout", "60"]
    arguments += ["--worker-class", "tablero.runs.nodes.Worker", "--no-dashboard", "--dashboard-address", "127.0.0.1:0"]
    _become("distributed.cli.dask_worker", [*arguments, *tls_arguments])


@command()
def certificates(
    folder: Annotated[Path, Meta(description="Folder to write to."), Spelling(metavar="FOLDER", reads="pathlib:Path")],
    *,
    hosts: Annotated[
        str,
        Meta(description="Names and addresses of the machines, such as node1,node2,10.0.0.7."),
        Spelling(metavar="NAMES"),
    ] = "localhost,127.0.0.1",
) -> Done:
    """Make a certificate authority, and certificates for scheduler, workers and clients.

    Examples:
        tablero cluster certificates certificates --hosts node1,node2
    """
    names = [name.strip() for name in hosts.split(",") if name.strip()]
    if not names:
        raise BadInput(f"--hosts {hosts!r}: expected names separated by commas")
    written = make_certificates(folder, names)
    secret = f"keep {plain(folder)} secret: its keys give access to the cluster"
    return Done({"files": [str(path) for path in written]}, tuple(map(plain, written)), (secret,))


def _tls_arguments(tls: str, role: str) -> list[str]:
    if not tls:
        return []
    files = files_of(tls, role)
    return ["--tls-ca-file", str(files["ca"]), "--tls-cert", str(files["cert"]), "--tls-key", str(files["key"])]


def _require_scheduler(target: str, tls: str, reported: str) -> None:
    """Refuse an address at which something other than a compatible scheduler listens.

    Nothing needs to listen there yet: the worker waits for its scheduler.
    """
    from tablero.runs.cluster import greet

    if not is_open(target):
        return
    logging.getLogger("distributed").setLevel(logging.ERROR)
    try:
        greet(target, tls_of(tls, "worker") if tls else None, "worker")
    except OSError as error:
        hint = "" if tls else "; a scheduler with certificates needs --tls"
        raise BadInput(f"{reported}: no scheduler there ({error}){hint}") from None


def _become(module: str, arguments: list[str]) -> None:
    """Replace this process by Dask's command, so that it receives signals directly."""
    from tablero.runs.cluster import REPORT_EVERY_LOSS

    settings: dict[str, Any] = {**REPORT_EVERY_LOSS, "temporary-directory": private_scratch()}
    if "--tls-cert" in arguments:
        # Only connections with mutual TLS are accepted; Dask reads that from its configuration.
        settings["distributed.comm.require-encryption"] = True
    environment = dict(os.environ)
    for name, value in settings.items():
        environment["DASK_" + name.replace(".", "__").replace("-", "_").upper()] = str(value)
    sys.stdout.flush()
    # -P: modules in the current folder are not imported.
    os.execve(sys.executable, [sys.executable, "-P", "-m", module, *arguments], environment)


COMMANDS: tuple[Command, ...] = (scheduler, worker, certificates)

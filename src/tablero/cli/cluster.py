"""`tablero cluster`: Dask's own scheduler and workers, started with what tablero needs, and certificates for them."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from tablero.cli.common import ABOUT_UNITS, Insecure, Json, Manner, Quiet, Tls, print_json
from tablero.cli.plain import plain
from tablero.errors import BadInput, MissingExtra

PORT = 8786  # Dask's own

app = typer.Typer(
    help="A Dask cluster for searches: scheduler, worker, certificates.",
    no_args_is_help=True,
    rich_markup_mode=None,
    epilog=ABOUT_UNITS,
)


@app.command()
def scheduler(
    host: Annotated[str, typer.Option("--host", help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", help="The port to listen on.")] = PORT,
    dashboard: Annotated[
        int | None,
        typer.Option(
            "--dashboard", help="Serve Dask's own pages on this port, to this machine alone; 0: any free one."
        ),
    ] = None,
    tls: Tls = "",
    insecure: Insecure = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> int:
    """Start Dask's scheduler.  With --json its address is printed before it takes over.

    Examples:
        tablero cluster scheduler
        tablero cluster certificates certificates --hosts node1,node2
        tablero cluster scheduler --tls certificates --host 0.0.0.0
    """
    from tablero.runs.addresses import check_free, checked_host

    if not 0 < port < 65536:
        raise BadInput(f"--port {port}: expected 1 to 65535")
    if not 0 <= (dashboard or 0) < 65536:
        raise BadInput(f"--dashboard {dashboard}: expected 0 (any free port) to 65535")
    listen = checked_host(host, secure=bool(tls), insecure=insecure)
    tls_arguments = _tls_arguments(tls, "scheduler")
    _need_dask("scheduler")
    check_free(listen, port, f"--host {host} --port {port}")
    where = f"{'tls' if tls else 'tcp'}://{listen}"
    arguments = ["--host", where, "--port", str(port)]
    if as_json:
        print_json({"address": f"{where}:{port}"})
    # The pages show everything and ask nobody who they are: they stay on this machine.
    arguments += ["--dashboard-address", f"127.0.0.1:{dashboard or 0}", "--no-show"]
    if dashboard is None:
        _become("tablero.runs.nodes", [*arguments, "--no-dashboard", *tls_arguments])
    _become("distributed.cli.dask_scheduler", [*arguments, *tls_arguments])
    return 0


@app.command()
def worker(
    address: Annotated[str, typer.Argument(help=f"The scheduler's address, as HOST:PORT or HOST (port {PORT}).")],
    threads: Annotated[int, typer.Option("--threads", "-t", help="Threads of this worker.")] = 1,
    host: Annotated[
        str, typer.Option("--host", help="The address to listen on; else the one that the scheduler reaches it by.")
    ] = "",
    tls: Tls = "",
    insecure: Insecure = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> int:
    """Start a Dask worker, its kernels compiled before it takes work.  With --json it prints whom it works for.

    Examples:
        tablero cluster worker 127.0.0.1 --threads 2
        tablero cluster certificates certificates --hosts node1,node2
        tablero cluster worker node1 --tls certificates
    """
    from tablero.cli.warm import compile_in_turn
    from tablero.runs.addresses import check_free, checked_address, checked_host, host_towards

    if not 1 <= threads <= 1024:
        raise BadInput(f"--threads {threads}: expected 1 to 1024")
    secure = bool(tls)
    target = checked_address(address, secure=secure, insecure=insecure, option="worker", default_port=PORT)
    tls_arguments = _tls_arguments(tls, "worker")
    _need_dask("worker")
    if host:
        listen = checked_host(host, secure=secure, insecure=insecure)
        check_free(listen, 0, f"--host {host}")
    else:
        listen = host_towards(target, secure=secure, insecure=insecure)
    _require_scheduler(target, tls, f"worker {address}")
    with Manner(quiet=quiet).compiling("the kernels"):
        compile_in_turn()
    if as_json:
        print_json({"scheduler": target, "host": listen, "threads": threads})
    arguments = [target, "--host", listen, "--nthreads", str(threads), "--memory-limit", "0", "--death-timeout", "60"]
    arguments += ["--worker-class", "tablero.runs.nodes.Worker", "--no-dashboard", "--dashboard-address", "127.0.0.1:0"]
    _become("distributed.cli.dask_worker", [*arguments, *tls_arguments])
    return 0


@app.command()
def certificates(
    folder: Annotated[Path, typer.Argument(help="The folder to write to.")],
    hosts: Annotated[
        str, typer.Option("--hosts", help="Names and addresses of the machines, as node1,node2,10.0.0.7.")
    ] = "localhost,127.0.0.1",
    as_json: Json = False,
    quiet: Quiet = False,
) -> int:
    """Make an authority of your own and certificates for scheduler, workers and clients.

    Examples:
        tablero cluster certificates certificates --hosts node1,node2
    """
    from tablero.runs.security import make_certificates

    names = [name.strip() for name in hosts.split(",") if name.strip()]
    if not names:
        raise BadInput(f"--hosts {hosts!r}: expected names separated by commas")
    written = make_certificates(folder, names)
    if as_json:
        print_json({"files": [str(path) for path in written]})
    else:
        print(*map(plain, written), sep="\n")
    Manner(quiet=quiet).say(f"keep {plain(folder)} secret: whoever has a key in it is let in")
    return 0


def _tls_arguments(tls: str, role: str) -> list[str]:
    from tablero.runs.security import files_of

    if not tls:
        return []
    files = files_of(tls, role)
    return ["--tls-ca-file", str(files["ca"]), "--tls-cert", str(files["cert"]), "--tls-key", str(files["key"])]


def _require_scheduler(target: str, tls: str, told: str) -> None:
    """Refuse what listens there and is no scheduler that talks as this worker does; one that is not there may come yet."""
    import logging

    from tablero.runs.addresses import is_open
    from tablero.runs.cluster import greet
    from tablero.runs.security import tls_of

    if not is_open(target):
        return
    logging.getLogger("distributed").setLevel(logging.ERROR)
    try:
        greet(target, tls_of(tls, "worker") if tls else None, "worker")
    except OSError as error:
        hint = "" if tls else "; one that has certificates is reached with --tls"
        raise BadInput(f"{told}: no scheduler there ({error}){hint}") from None


def _need_dask(command: str) -> None:
    try:
        import distributed  # noqa: F401
    except ImportError:
        raise MissingExtra(f"cluster {command}", "cluster") from None


def _become(module: str, arguments: list[str]) -> None:
    """Replace this process by Dask's own command, so that signals and supervisors deal with it directly."""
    from tablero.runs.cluster import TELL_EVERY_LOSS
    from tablero.runs.security import private_scratch

    settings: dict[str, Any] = {**TELL_EVERY_LOSS, "temporary-directory": private_scratch()}
    if "--tls-cert" in arguments:
        # Mutual TLS must be the only way in; Dask takes that from its configuration.
        settings["distributed.comm.require-encryption"] = True
    environment = dict(os.environ)
    for name, value in settings.items():
        environment["DASK_" + name.replace(".", "__").replace("-", "_").upper()] = str(value)
    sys.stdout.flush()
    # -P: what happens to lie in the current folder is not imported, as it is not by `tablero` itself.
    os.execve(sys.executable, [sys.executable, "-P", "-m", module, *arguments], environment)

"""`tablero cluster`: Dask's own scheduler and workers, started with what tablero needs, and certificates for them."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from tablero.cli.common import Insecure, Manner, Quiet, Tls
from tablero.errors import BadInput, MissingExtra

app = typer.Typer(
    help="A Dask cluster for searches: scheduler, worker, certificates.", no_args_is_help=True, rich_markup_mode=None
)


@app.command()
def scheduler(
    host: Annotated[str, typer.Option("--host", help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", help="The port to listen on.")] = 8786,
    dashboard: Annotated[
        int, typer.Option("--dashboard", help="A port on this machine alone for Dask's own pages; 0: any free one.")
    ] = 0,
    tls: Tls = "",
    insecure: Insecure = False,
) -> int:
    """Start Dask's scheduler."""
    from tablero.runs.cluster import checked_address

    address = checked_address(f"{host}:{port}", secure=bool(tls), insecure=insecure)
    arguments = ["--host", address.rpartition(":")[0], "--port", str(port)]
    # The pages show everything and ask nobody who they are: they stay on this machine.
    arguments += ["--dashboard-address", f"127.0.0.1:{dashboard}", "--no-show"]
    _become("scheduler", [*arguments, *_tls_arguments(tls, "scheduler")])
    return 0


@app.command()
def worker(
    address: Annotated[str, typer.Argument(help="The scheduler's address, as HOST:PORT.")],
    threads: Annotated[int, typer.Option("--threads", "-t", help="Threads of this worker.")] = 1,
    tls: Tls = "",
    insecure: Insecure = False,
    quiet: Quiet = False,
) -> int:
    """Start a Dask worker, its kernels compiled before it takes work."""
    from tablero.cli.doctor import compile_kernels
    from tablero.runs.cluster import checked_address

    if not 1 <= threads <= 1024:
        raise BadInput(f"--threads {threads}: expected 1 to 1024")
    target = checked_address(address, secure=bool(tls), insecure=insecure)
    tls_arguments = _tls_arguments(tls, "worker")
    with Manner(quiet=quiet).compiling("the kernels"):
        compile_kernels()
    arguments = [target, "--nthreads", str(threads), "--no-dashboard", "--memory-limit", "0", "--death-timeout", "60"]
    _become("worker", [*arguments, *tls_arguments])
    return 0


@app.command()
def certificates(
    folder: Annotated[Path, typer.Argument(help="The folder to write to.")],
    hosts: Annotated[
        str, typer.Option("--hosts", help="Names and addresses of the machines, as node1,node2,10.0.0.7.")
    ] = "localhost,127.0.0.1",
) -> int:
    """Make an authority of your own and certificates for scheduler, workers and clients."""
    from tablero.runs.security import make_certificates

    names = [name.strip() for name in hosts.split(",") if name.strip()]
    if not names:
        raise BadInput(f"--hosts {hosts!r}: expected names separated by commas")
    for path in make_certificates(folder, names):
        print(path)
    print(f"keep {folder} secret: whoever has a key in it is let in", file=sys.stderr)
    return 0


def _tls_arguments(tls: str, role: str) -> list[str]:
    from tablero.runs.security import files_of

    if not tls:
        return []
    files = files_of(tls, role)
    return ["--tls-ca-file", str(files["ca"]), "--tls-cert", str(files["cert"]), "--tls-key", str(files["key"])]


def _become(command: str, arguments: list[str]) -> None:
    """Replace this process by Dask's own command, so that signals and supervisors deal with it directly."""
    try:
        import distributed  # noqa: F401
    except ImportError:
        raise MissingExtra(f"cluster {command}", "cluster") from None
    sys.stdout.flush()
    # Mutual TLS must be the only way in; Dask takes that from its configuration.
    environment = dict(os.environ)
    if "--tls-cert" in arguments:
        environment["DASK_DISTRIBUTED__COMM__REQUIRE_ENCRYPTION"] = "True"
    if command == "scheduler":
        from tablero.runs.cluster import TELL_EVERY_LOSS

        for name, value in TELL_EVERY_LOSS.items():
            environment["DASK_" + name.replace(".", "__").replace("-", "_").upper()] = str(value)
    os.execve(sys.executable, [sys.executable, "-m", f"distributed.cli.dask_{command}", *arguments], environment)

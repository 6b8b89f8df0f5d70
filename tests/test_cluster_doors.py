"""The doors of the grid: where scheduler, nanny and worker listen, and that strangers run no code there.

What listens is read from the kernel, not from what was asked for.
"""

from __future__ import annotations

import os
import socket
import stat
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tablero.cli import run
from tablero.errors import BadInput
from tablero.runs import cluster, security
from tablero.runs.security import checked_address, checked_host, host_towards, is_loopback, make_certificates, tls_of
from tests import chaos
from tests.doors import Door, doors_of, family, is_shut, tells_nothing, url, who_runs_code

pytest.importorskip("distributed")

HERE = "127.0.0.1"
THERE = "127.0.0.2"  # of this machine too, but another address: who listens on all of them can be reached there


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("doors")
    make_certificates(folder / "tls", ["localhost"])
    make_certificates(folder / "foreign", ["localhost"])
    return folder


class Grid:
    """A scheduler, and a worker with its nanny, as `tablero cluster` starts them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = chaos.free_port()
        self.running: list[subprocess.Popen[bytes]] = []
        self.doors: dict[str, set[Door]] = {}

    def start(self, scheduler: list[str], worker: list[str]) -> None:
        first = self._start("scheduler", "--port", str(self.port), *scheduler)
        self.doors["scheduler"] = self._wait(lambda: doors_of(first))
        address, *options = worker
        nanny = self._start("worker", address.replace("PORT", str(self.port)), *options)
        self.doors["worker"] = self._wait(lambda: set().union(*map(doors_of, family(nanny)[1:])))
        self.doors["nanny"] = doors_of(nanny)

    def _start(self, *arguments: str) -> int:
        with (self.folder / "log").open("ab") as log:
            process = chaos.Supervisor(self.folder, workers=0).start(["cluster", *arguments], stderr=log)
        self.running.append(process)
        return process.pid

    def _wait(self, doors: Callable[[], set[Door]]) -> set[Door]:
        deadline = time.monotonic() + 120  # compiling may come first
        while time.monotonic() < deadline:
            if found := doors():
                time.sleep(0.5)  # for what would be opened after the first
                return found | doors()
            time.sleep(0.1)
        raise AssertionError((self.folder / "log").read_text())

    def stop(self) -> None:
        while self.running:  # the scheduler last, or its worker would look for it
            process = self.running.pop()
            process.terminate()
            process.wait(30)

    @property
    def hosts(self) -> dict[str, list[str]]:
        """The addresses that each listens on, once a door."""
        return {who: sorted(host for host, _ in doors) for who, doors in self.doors.items()}

    @property
    def every_door(self) -> list[Door]:
        return sorted(set().union(*self.doors.values()))


@contextmanager
def grid(folder: Path, scheduler: list[str], worker: list[str]) -> Iterator[Grid]:
    started = Grid(folder)
    try:
        started.start(scheduler, worker)
        yield started
    finally:
        started.stop()


def one_door_each(host: str) -> dict[str, list[str]]:
    return {"scheduler": [host], "nanny": [host], "worker": [host]}


# Without TLS


def test_without_tls_everything_listens_on_loopback_alone(folder: Path) -> None:
    with grid(folder, [], [f"{HERE}:PORT"]) as plain:
        assert plain.hosts == one_door_each(HERE)
        for host in (THERE, "::1"):
            assert all(is_shut((host, port)) for _, port in plain.every_door)
        # Whoever is on this machine can run code there: that is said in the documents, and shows that the test would see it.
        addresses = [url("tcp", door) for door in plain.every_door]
        assert who_runs_code(addresses, None, folder) == addresses


def test_who_insists_listens_where_he_says(folder: Path) -> None:
    options = ["--insecure", "--host", THERE]
    with grid(folder, options, [f"{THERE}:PORT", *options]) as plain:
        assert plain.hosts == one_door_each(THERE)


# With TLS


def test_with_tls_strangers_run_no_code_anywhere(folder: Path) -> None:
    tls = ["--tls", str(folder / "tls")]
    with grid(folder, tls, [f"tls://{HERE}:PORT", *tls]) as secure:
        assert secure.hosts == one_door_each(HERE), "where the scheduler reaches it"
        assert_strangers_are_refused(secure.every_door, folder)
        addresses = [url("tls", door) for door in secure.every_door]
        assert who_runs_code(addresses, tls_of(str(folder / "tls"), "client"), folder) == addresses, "the owner"


def test_with_tls_a_worker_listens_where_it_is_told_and_pages_stay_here(folder: Path) -> None:
    tls = ["--tls", str(folder / "tls")]
    worker = [f"{THERE}:PORT", *tls, "--host", THERE]
    with grid(folder, [*tls, "--host", THERE, "--dashboard", "0"], worker) as secure:
        assert secure.hosts == {"scheduler": [HERE, THERE], "nanny": [THERE], "worker": [THERE]}


def assert_strangers_are_refused(doors: list[Door], folder: Path) -> None:
    assert not who_runs_code([url("tcp", door) for door in doors], None, folder), "plain TCP"
    foreign = tls_of(str(folder / "foreign"), "client")
    assert not who_runs_code([url("tls", door) for door in doors], foreign, folder), "a foreign authority"
    assert all(map(tells_nothing, doors))


def has_ipv6() -> bool:
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
    except OSError:
        return False
    return True


@pytest.mark.skipif(not has_ipv6(), reason="this machine has no ::1")
@pytest.mark.parametrize("secure", [False, True])
def test_ipv6(folder: Path, secure: bool) -> None:
    tls = ["--tls", str(folder / "tls")] if secure else []
    with grid(folder, ["--host", "::1", *tls], ["[::1]:PORT", *tls]) as six:
        assert six.hosts == one_door_each("::1")
        engine = cluster.Cluster(f"[::1]:{six.port}", str(folder / "tls") if secure else "")
        engine.close()


# Processes of this machine


def test_a_local_cluster_lets_nobody_else_in(folder: Path) -> None:
    before = doors_of(os.getpid())
    engine: Any = cluster.Cluster("local:2")
    try:
        mine = doors_of(os.getpid()) - before
        workers = set().union(*map(doors_of, family(os.getpid())[1:]))
        assert (len(mine), len(workers)) == (3, 2), "a scheduler, two nannies, two workers, and no pages"
        doors = sorted(mine | workers)
        assert {host for host, _ in doors} == {HERE}
        assert_strangers_are_refused(doors, folder)
        addresses = [url("tls", door) for door in doors]
        assert who_runs_code(addresses, engine._client.security, folder) == addresses, "the owner"
    finally:
        engine.close()


def test_every_local_cluster_has_credentials_of_its_own(folder: Path) -> None:
    engines: list[Any] = []
    try:
        engines += [cluster.Cluster("local:1"), cluster.Cluster("local:1")]
        one, other = (engine._client for engine in engines)
        assert who_runs_code([other.scheduler.address], other.security, folder) == [other.scheduler.address]
        assert not who_runs_code([other.scheduler.address], one.security, folder)
    finally:
        for engine in engines:
            engine.close()


def test_dask_imports_nothing_from_a_folder_of_others(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    scratch = folder / f"tablero-{os.getuid()}"
    assert security.private_scratch() == str(scratch)
    assert stat.S_IMODE(scratch.stat().st_mode) == 0o700
    engine: Any = cluster.Cluster("local:1")
    try:
        places = [worker["local_directory"] for worker in engine._client.scheduler_info()["workers"].values()]
        assert all(Path(place).is_relative_to(scratch) for place in places)
        assert not (folder / "dask-scratch-space").exists()
    finally:
        engine.close()
    scratch.chmod(0o777)  # as if somebody else had made it
    other = Path(security.private_scratch())
    assert other != scratch
    assert stat.S_IMODE(other.stat().st_mode) == 0o700


# Addresses


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "127.9.9.9", "::1", "[::1]"])
def test_loopback(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize(
    "host", ["127.attacker.example", "127.1", "0.0.0.0", "::", "localhost.example", "127.0.0.1.", ""]
)
def test_not_loopback(host: str) -> None:
    assert not is_loopback(host)
    with pytest.raises(BadInput):
        checked_address(f"{host}:8786", secure=False, insecure=False)


def test_a_worker_may_leave_the_port_out_and_ipv6_stands_in_brackets() -> None:
    def worker(address: str, secure: bool = False) -> str:
        return checked_address(address, secure=secure, insecure=False, option="worker", default_port=8786)

    assert worker("localhost") == "tcp://localhost:8786"
    assert worker("[::1]") == "tcp://[::1]:8786"
    assert worker("[::1]:99") == "tcp://[::1]:99"
    assert worker("tls://node1", secure=True) == "tls://node1:8786"
    assert worker("[fe80::1]:99", secure=True) == "tls://[fe80::1]:99"
    assert checked_host("::1", secure=False, insecure=False) == "[::1]"
    assert checked_host("[::1]", secure=False, insecure=False) == "[::1]"
    assert host_towards("tls://127.0.0.1:8786", secure=True, insecure=False) == HERE
    assert host_towards("tcp://[::1]:8786", secure=False, insecure=False) == "[::1]"
    for bad in ("::1", "::1:8786"):
        with pytest.raises(BadInput, match="in brackets"):
            worker(bad)
    for bad in (
        "",
        ":8786",
        "[::1",
        "[::1]8786",
        "[node1]:8786",
        "[127.0.0.1]:1",
        "localhost:",
        "localhost:٣",
        "a b:1",
    ):
        with pytest.raises(BadInput):
            worker(bad)


NOT_HERE = "not encrypted and not this machine"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["scheduler", "--host", "0.0.0.0"], NOT_HERE),
        (["scheduler", "--host", "::"], NOT_HERE),
        (["scheduler", "--host", "127.attacker.example"], NOT_HERE),
        (["scheduler", "--host", "nödé"], "neither a name"),
        (["scheduler", "--port", "0"], "expected a whole number from 1 to 65,535"),
        (["scheduler", "--dashboard", "65536"], "expected a whole number from 0 to 65,535"),
        (["scheduler", "--host", "192.0.2.99", "--insecure"], "cannot listen there"),
        (["worker", "127.0.0.1", "--host", "0.0.0.0"], NOT_HERE),
        (["worker", "127.attacker.example:8786"], NOT_HERE),
        (["worker", "::1:8786"], "in brackets"),
        (["worker", "127.0.0.1", "--host", "192.0.2.99", "--insecure"], "cannot listen there"),
        (["worker", "127.0.0.1:0"], "expected HOST:PORT"),
        (["worker", "127.0.0.1", "--tls", "nothing"], "ca.pem is not there"),
        (["certificates", "new", "--hosts", "nödé"], "neither a name"),
        (["certificates", "new", "--hosts", "10.0.0.300"], "neither a name"),
        (["certificates", "new", "--hosts", "node_1"], "cannot hold this name"),
        (["certificates", "new", "--hosts", ","], "expected names"),
        (["certificates", "."], "not an empty folder"),
        (["certificates", "file"], "not an empty folder"),
        (["certificates", "file/new"], "cannot write to"),
    ],
)
def test_bad_doors(
    arguments: list[str], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("file").touch()
    assert run(["cluster", *arguments]) == 2
    err = capfd.readouterr().err
    assert err.startswith("tablero: ")
    assert len(err.splitlines()) == 1
    assert says in err
    assert [path.name for path in tmp_path.iterdir()] == ["file"], "nothing is left behind"


def test_a_port_that_is_taken_is_told(capfd: pytest.CaptureFixture[str]) -> None:
    with socket.create_server((HERE, 0)) as taken:
        assert run(["cluster", "scheduler", "--port", str(taken.getsockname()[1])]) == 2
    assert "cannot listen there" in capfd.readouterr().err


def test_a_scheduler_that_nobody_knows_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(name: str) -> str:
        raise socket.gaierror(-2, f"{name} not known")

    monkeypatch.setattr("distributed.comm.tcp.ensure_ip", unknown)
    with pytest.raises(BadInput, match="is not known here"):
        host_towards("tls://node7:8786", secure=True, insecure=False)


def test_a_local_cluster_takes_no_certificates(folder: Path) -> None:
    with pytest.raises(BadInput, match="its own certificates"):
        cluster.Cluster("local:1", str(folder / "tls"))


# Certificates


def test_certificates_come_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "deep" / "tls"
    write = security._write

    def full(path: Path, data: bytes, mode: int) -> None:
        if path.name == "client-key.pem":
            raise OSError(28, "No space left on device")
        write(path, data, mode)

    monkeypatch.setattr(security, "_write", full)
    with pytest.raises(BadInput, match="No space left"):
        make_certificates(place, ["node1"])
    assert list(place.parent.iterdir()) == []
    monkeypatch.undo()
    place.mkdir(mode=0o755)  # an empty folder is taken, and shut
    assert make_certificates(place, ["node1", "node-2.example", "10.0.0.7", "::1"])
    assert stat.S_IMODE(place.stat().st_mode) == 0o700
    assert list(place.parent.iterdir()) == [place]


def test_nobody_can_read_a_key_even_while_it_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: dict[str, int] = {}
    fdopen = os.fdopen

    def look(descriptor: int, *arguments: Any) -> Any:
        file = Path(f"/proc/self/fd/{descriptor}").readlink()
        seen[file.name] = stat.S_IMODE(os.fstat(descriptor).st_mode)
        assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
        return fdopen(descriptor, *arguments)

    monkeypatch.setattr(os, "fdopen", look)
    before = os.umask(0)
    try:
        make_certificates(tmp_path / "tls", ["node1"])
    finally:
        os.umask(before)
    assert {name for name, mode in seen.items() if mode == 0o600} == {f"{role}-key.pem" for role in security.ROLES}
    assert set(seen) == {path.name for path in (tmp_path / "tls").iterdir()}

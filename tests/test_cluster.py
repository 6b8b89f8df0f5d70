"""The grid: the same answers, counts and nodes on a cluster; who has no certificate is refused; kills lose nothing."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tablero import edges
from tablero.cli import run
from tablero.cover import generate, write
from tablero.cover.kernels.search import CoverSearch
from tablero.errors import BadInput
from tablero.runs import cluster
from tablero.runs.coordinator import run as search_with
from tablero.runs.record import JobInfo
from tablero.runs.security import checked_address, make_certificates, tls_of
from tablero.runs.store import Store
from tablero.search.base import Bound, Flag, Orders, Outcome
from tablero.search.cursor import Cursor, Level
from tablero.search.tree import TreeSearch
from tests import chaos
from tests.commands import answer_of
from tests.doors import tells_nothing

pytest.importorskip("distributed")
x509 = pytest.importorskip("cryptography.x509")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cluster")
    (folder / "pentominoes.dlx").write_text(write(generate("pentominoes", "6x10")))
    puzzle = edges.generate("5", colours=4, seed=1)
    (folder / "pieces.txt").write_text("".join(" ".join(map(str, piece)) + "\n" for piece in puzzle.pieces.tolist()))
    return folder


@pytest.fixture(scope="module")
def secure(place: Path) -> Iterator[chaos.Supervisor]:
    """A scheduler and two workers with mutual TLS, three processes started by hand."""
    make_certificates(place / "tls", ["localhost", "127.0.0.1"])
    make_certificates(place / "foreign", ["localhost", "127.0.0.1"])
    supervisor = chaos.Supervisor(place, workers=2, tls=str(place / "tls"))
    supervisor.wait_until_up()
    yield supervisor
    supervisor.stop()


ALL = ("status", "solutions", "nodes", "fraction", "answers")
SEARCHES = {
    "pentominoes": (("cover", "solve", "pentominoes.dlx", "--solutions", "all"), ALL),
    "double stars": (("decompose", "K8", "--solutions", "all"), ALL),
    "queens counted": (("queens", "count", "14"), ALL[:-1]),
    "queens annealed": (("queens", "anneal", "5000", "--runs", "4"), ALL),
    "an edge puzzle": (("edges", "solve", "pieces.txt", "--solutions", "all", "--method", "scan"), ALL),
    # Of several shortest answers any may come first, and with it the search is over.
    "a 4×4 board": (("slide", "solve", "3 14 7 9/13 11 4 5/12 8 1 0/15 6 2 10", "--method", "optimal"), ("moves",)),
}


@pytest.mark.usefixtures("one_local_cluster")
@pytest.mark.parametrize("name", SEARCHES)
def test_threads_processes_and_a_tls_cluster_agree(place: Path, secure: chaos.Supervisor, name: str) -> None:
    command, keys = SEARCHES[name]
    by_threads = answer_of(place, *command, "--threads", "2")
    by_processes = answer_of(place, *command, "--cluster", "local:2")
    by_tls = answer_of(place, *command, "--cluster", f"tls://{secure.address}", "--tls", str(place / "tls"))
    for other in (by_processes, by_tls):
        for key in keys:
            assert other[key] == by_threads[key]


def test_a_first_answer_stops_the_cluster(place: Path) -> None:
    answer = answer_of(place, "cover", "solve", "pentominoes.dlx", "--cluster", "local:2")
    assert (answer["status"], len(answer["answers"])) == ("solved", 1)


def refused(security: Any, address: str) -> bool:
    """Whether a client with this security gets no connection."""
    from distributed import Client

    async def attempt() -> bool:
        try:
            client = await Client(address, security=security, asynchronous=True, timeout=3, set_as_default=False)
        except Exception:
            return True
        await client.close()
        return False

    return asyncio.run(attempt())


def test_who_has_no_good_certificate_gets_in_nowhere(place: Path, secure: chaos.Supervisor) -> None:
    assert not refused(tls_of(str(place / "tls"), "client"), f"tls://{secure.address}")
    assert refused(tls_of(str(place / "foreign"), "client"), f"tls://{secure.address}"), "a foreign authority"
    assert refused(None, f"tcp://{secure.address}"), "plain TCP"


def test_the_port_tells_an_outsider_nothing(secure: chaos.Supervisor) -> None:
    assert tells_nothing(("127.0.0.1", secure.port))


def test_a_worker_without_certificates_is_told_so(
    secure: chaos.Supervisor, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tablero.runs.cluster.CONNECT", 1)
    assert run(["cluster", "worker", secure.address]) == 2
    (line,) = capfd.readouterr().err.splitlines()
    assert line.endswith("; a scheduler with certificates needs --tls")


def test_addresses_that_are_not_safe_are_refused() -> None:
    assert checked_address("127.0.0.1:8786", secure=False, insecure=False) == "tcp://127.0.0.1:8786"
    assert checked_address("node1:8786", secure=True, insecure=False) == "tls://node1:8786"
    assert checked_address("node1:8786", secure=False, insecure=True) == "tcp://node1:8786"
    for bad in ("node1:8786", "0.0.0.0:8786", "node1", "localhost:0", "udp://localhost:1", "tls://localhost:1"):
        with pytest.raises(BadInput):
            checked_address(bad, secure=False, insecure=False)
    with pytest.raises(BadInput, match="not encrypted"):
        checked_address("tcp://localhost:1", secure=True, insecure=False)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--cluster", "nowhere"], "expected HOST:PORT"),
        (["--cluster", "local:0"], "expected local:N"),
        (["--cluster", "local:many"], "expected local:N"),
        (["--cluster", "10.1.2.3:8786"], "give a folder with certificates (tls), or allow it"),
        (["--cluster", "127.0.0.1:9", "--tls", "nothing"], "ca.pem is not there"),
        (["--tls", "somewhere"], "--tls: expected --cluster with it"),
        (["--cluster", "127.0.0.1:9"], "no scheduler there"),
    ],
)
def test_bad_clusters(
    arguments: list[str], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tablero.runs.cluster.CONNECT", 1)
    Path("one.dlx").write_text("a\na\n")
    assert run(["cover", "count", "one.dlx", *arguments]) == 2
    err = capfd.readouterr().err
    assert err.startswith("tablero: ")
    assert len(err.splitlines()) == 1
    assert says in err


def test_certificates_are_not_overwritten_and_keys_are_private(tmp_path: Path) -> None:
    written = make_certificates(tmp_path / "tls", ["localhost"])
    assert {path.name for path in written} >= {"ca.pem", "worker.pem", "worker-key.pem"}
    for path in written:
        assert ("key" in path.name) == (path.stat().st_mode & 0o077 == 0)
    with pytest.raises(BadInput, match="already"):
        make_certificates(tmp_path / "tls", ["localhost"])


def test_certificates_end_after_some_two_years(tmp_path: Path) -> None:
    written = make_certificates(tmp_path / "tls", ["node1", "10.0.0.7"])
    for path in written:
        if path.name != "ca.pem" and "key" not in path.name:
            one = x509.load_pem_x509_certificate(path.read_bytes())
            assert 824 <= (one.not_valid_after_utc - datetime.now(UTC)).days <= 825
            names = one.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
            assert names.get_values_for_type(x509.DNSName) == ["node1"]
            assert list(map(str, names.get_values_for_type(x509.IPAddress))) == ["10.0.0.7"]


def test_workers_of_another_version_are_refused(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    search = CoverSearch(generate("pentominoes", "6x10").table, "bits")
    monkeypatch.setattr(cluster, "__version__", "0.0.9")
    engine = cluster.Cluster("local:1")
    try:
        with pytest.raises(BadInput, match=r"0\.0\.9.*a worker has"):
            search_with(search, engine=engine)
    finally:
        engine.close()


def test_totals_are_exact_after_ten_kills(tmp_path: Path) -> None:
    (tmp_path / "problem.dlx").write_text(write(generate("pentominoes", "6x10")))
    arguments = ["cover", "count", "problem.dlx", "--kernel", "sparse"]
    undisturbed = answer_of(tmp_path, *arguments)
    reports, killed = chaos.hunt(tmp_path, 10, 7, arguments, (0.7, 2.0))
    for hunted in reports:
        assert {key: hunted[key] for key in chaos.EXACT} == {key: undisturbed[key] for key in chaos.EXACT}
    assert sum(killed.values()) == 10
    assert all(killed.values()), "each of the three was killed"


class Deadly(TreeSearch):
    """Five units that end at once, but one kills whoever works on it while its file is there."""

    name = "test.deadly/1"
    width = 1

    def __init__(self, poison: Path) -> None:
        self.poison = poison

    def digest(self) -> str:
        return "deadly"

    def starts(self) -> list[bytes]:
        return [Cursor((Level(k, k, 5),)).store() for k in range(5)]

    def advance(self, state: bytes, orders: Orders, stop: Flag, bound: Bound) -> Outcome:
        if Cursor.load(state).levels[0].at == 3 and self.poison.exists():
            with self.poison.open("a") as victims:
                victims.write(".")
            os.kill(os.getpid(), signal.SIGKILL)
        return Outcome(1, 0, Outcome.empty(1), None, 0.0)


def test_a_unit_that_kills_its_worker_is_quarantined_after_three_tries(tmp_path: Path) -> None:
    search: Any = Deadly(tmp_path / "poison")
    search.poison.touch()
    starts = [(state, search.share(state)) for state in search.starts()]
    store = Store.create(tmp_path / "deadly.job", JobInfo("deadly", {}, b"", search.name, search.digest()), starts)
    engine = cluster.Cluster("local:2")
    try:
        result = search_with(search, engine=engine, store=store)
        assert (result.status, result.nodes, result.quarantined) == ("open", 4, 1)
        assert search.poison.read_text() == "..."
        assert store.totals().lost >= 3  # one that waited behind it on the same worker may be counted too
        search.poison.unlink()
        store.retry_quarantined()
        result = search_with(search, engine=engine, store=store)
        assert (result.status, result.nodes, result.quarantined) == ("none", 5, 0)
    finally:
        engine.close()
        store.close()


@pytest.fixture
def stranger() -> Iterator[str]:
    """The address of a server that talks as no scheduler does."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            with suppress(OSError):  # the server is closed
                while True:
                    guest, _ = server.accept()
                    with guest:
                        guest.sendall(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")

        threading.Thread(target=answer, daemon=True).start()
        yield f"127.0.0.1:{server.getsockname()[1]}"


@pytest.mark.parametrize("command", ["cover count one.dlx --cluster", "cluster worker"])
def test_whoever_is_no_scheduler_is_refused_in_one_line(
    stranger: str, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tablero.runs.cluster.CONNECT", 1)
    Path("one.dlx").write_text("a\na\n")
    assert run([*command.split(), stranger]) == 2
    (line,) = capfd.readouterr().err.splitlines()
    assert f"{stranger}: no scheduler there (" in line


def test_whoever_listens_and_says_nothing_is_no_scheduler(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tablero.runs.cluster.CONNECT", 1)
    Path("one.dlx").write_text("a\na\n")
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"
        assert run(["cover", "count", "one.dlx", "--cluster", address]) == 2
    assert capfd.readouterr().err.splitlines() == [
        f"tablero: the cluster {address}: no scheduler there (the listener does not answer)"
    ]

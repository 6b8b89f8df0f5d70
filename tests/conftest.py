"""What tests of several modules need: markers, an order, folders that are not the user's, a browser for tests of pages.

Tests in a browser are skipped, and say so, where there is no chromium or no playwright to drive it.
"""

from __future__ import annotations

import re
import shutil
import signal
import threading
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

# What a shell starts in the background ignores Ctrl-C, and so would every process that tests start and interrupt.
if threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# A machine may be busy, and the first example of a test may compile a kernel.
settings.register_profile("tablero", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("tablero")

collect_ignore = ["families"]  # of another package: see test_outside_family.py
WAIT = 120_000  # milliseconds: a kernel may have to be compiled first

# What `make test` leaves to `make test-heavy`: whole files, and single tests of others.
MARKERS = {
    "kernel3": [
        "test_kernels_three_ways.py",
        "test_hostile_states.py::test_no_state_leads_a_kernel_beyond_its_arrays",
    ],
    "cluster": [
        "test_cluster.py",
        "test_cluster_doors.py",
        "test_frozen.py",
        "test_decomposition_options.py::test_a_task_elsewhere_is_logged",
        "test_hostile_jobs.py::test_a_local_cluster_imports_nothing_from_the_current_folder",
        "test_studies.py::test_a_cluster_measures_the_same_table",
    ],
    "browser": ["test_web_browser.py"],
    "kill": [
        "test_kill.py",
        "test_edges_boards.py::test_a_killed_count_goes_on_with_the_same_tree",
        "test_hostile_jobs.py::test_six_processes_begin_one_job",
        "test_queens_count.py::test_a_killed_count_goes_on",
        "test_signals.py::test_whoever_is_asked_to_end_does_so_soon",
        "test_studies.py::test_a_study_that_is_killed_and_resumed_gives_the_table_of_one_run_through",
        "test_studies.py::test_an_interrupted_command_leaves_no_process",
    ],
    "docs": ["test_docs.py", "test_notebooks.py"],
    "slow": [
        "test_cli.py::test_doctor",  # compiles every kernel
        "test_web_api.py",
        "test_outside_family.py::test_pip_installs_it",
    ],
}
# Workers take files in this order: first those that are long, and of each family one that compiles most of its kernels, so
# that two workers neither compile the same kernel at the same time nor wait for each other at the end.
FIRST = [
    "test_kernels_three_ways.py",
    "test_cluster.py",
    "test_web_browser.py",
    "test_docs.py",
    "test_cluster_doors.py",
    "test_kill.py",
    "test_sudoku_logic.py",
    "test_sliding_search.py",
    "test_cover_counts.py",
    "test_edges_boards.py",
    "test_decomposition.py",
    "test_queens_count.py",
    "test_warehouse_floors.py",
    "test_hostile_jobs.py",
    "test_studies_of_rooms.py",
]


def _stands_in(item: pytest.Item, table: list[str]) -> bool:
    """Whether a test, with any parameters, or its file is named."""
    test = item.nodeid.split("[")[0].rpartition("tests/")[2]
    return test in table or test.split("::")[0] in table


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the heavy tests and put long files first, before `-m` looks at them and workers get their shares."""
    for item in items:
        for marker, table in MARKERS.items():
            if _stands_in(item, table):
                item.add_marker(marker)
                item.add_marker("heavy")
    places = {file: place for place, file in enumerate(FIRST)}
    items.sort(key=lambda item: places.get(item.path.name, len(places)))


@pytest.fixture(scope="session", autouse=True)
def jobs_of_the_user_stay_alone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A test that names no folder of its own must not write among the jobs and studies of whoever runs it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        yield


@pytest.fixture(scope="module")
def two_workers() -> Iterator[Any]:
    """A local cluster that is started once in a module; others count the processes that there are."""
    pytest.importorskip("distributed")
    from tablero.runs import cluster

    made = cluster._LocalCluster("local:2")
    yield made
    made.end()


@pytest.fixture
def one_local_cluster(two_workers: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever asks for `local:2` gets the workers that are there, and leaves them there."""
    members = ("address", "security", "await_workers")

    def lent(address: str) -> SimpleNamespace:
        assert address == "local:2"
        return SimpleNamespace(end=lambda: None, **{name: getattr(two_workers, name) for name in members})

    monkeypatch.setattr("tablero.runs.cluster._LocalCluster", lent)


@pytest.fixture(scope="module")  # its event loop would be in the way of others
def browser() -> Iterator[Any]:
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        pytest.skip("there is no chromium")
    with sync_api.sync_playwright() as playwright:
        arguments = ["--no-sandbox", "--disable-background-networking", "--disable-gpu"]
        browser = playwright.chromium.launch(executable_path=chromium, args=arguments)
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    """A page whose console must stay silent."""
    context = browser.new_context(viewport={"width": 1200, "height": 900}, locale="en-GB")
    context.set_default_timeout(WAIT)
    page = context.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    page.expected = []  # what a test provokes
    yield page
    context.close()
    unexpected = [text for text in said if not any(re.search(pattern, text) for pattern in page.expected)]
    assert unexpected == []

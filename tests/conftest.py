"""What tests of several modules need: folders that are not the user's, and a browser for tests of pages.

Tests in a browser are skipped, and say so, where there is no chromium or no playwright to drive it.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from typing import Any

import pytest

WAIT = 120_000  # milliseconds: a kernel may have to be compiled first


@pytest.fixture(scope="session", autouse=True)
def jobs_of_the_user_stay_alone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A test that names no folder of its own must not write among the jobs and studies of whoever runs it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        yield


@pytest.fixture(scope="session")
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

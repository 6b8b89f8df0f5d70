"""Requests of all kinds against a running server, a few of each; `make fuzz` makes more.  Skipped without schemathesis."""

from __future__ import annotations

import pytest

from tests.api_fuzz import find_schemathesis, fuzz


def test_no_request_is_the_servers_fault(capfd: pytest.CaptureFixture[str]) -> None:
    if find_schemathesis() is None:
        pytest.skip("schemathesis is not installed")
    failed = fuzz(6, seed=13, corners=False)
    assert not failed, capfd.readouterr().out[-5000:]

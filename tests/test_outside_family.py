import pytest

from tablero.testing import conformance


@pytest.mark.parametrize("check", conformance("nonograms", ["2x2:1/1/1/1", "4x4:1/1.1/2/1/1.1/1/2/1"]), ids=str)
def test_conformance(check):
    check()

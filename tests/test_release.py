"""What the package says of itself agrees; the hint for an extra fits where tablero was installed from."""

from __future__ import annotations

import json
import re
import sys
import tomllib
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from typing import Any

import pytest

import tablero as tb
from tablero.errors import MissingExtra
from tablero.extras import how_to_add
from tablero.families import families

ROOT = Path(__file__).parent.parent
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_version_and_day_are_the_same_everywhere() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    newest = re.search(r"^## \[(.+?)\] - (.+)$", changelog, re.M)
    assert newest is not None
    assert newest[1] == tb.__version__
    assert f"\nversion: {tb.__version__}\n" in citation
    if newest[2] == "unreleased":
        assert "\ndate-released:" not in citation
    else:
        assert f"\ndate-released: {newest[2]}\n" in citation


def test_classifiers_promise_what_is_required() -> None:
    minor = re.fullmatch(r">=3\.(\d+)", PROJECT["requires-python"])
    assert minor is not None
    promised = sorted(int(found) for found in re.findall(r"Python :: 3\.(\d+)'", str(PROJECT["classifiers"])))
    assert promised == list(range(int(minor[1]), promised[-1] + 1))


def test_all_is_every_extra() -> None:
    extras = PROJECT["optional-dependencies"]
    inside = re.fullmatch(r"tablero\[(.+)\]", *extras["all"])
    assert inside is not None
    assert sorted(inside[1].split(",")) == sorted(set(extras) - {"all"})
    page = (ROOT / PROJECT["readme"]).read_text(encoding="utf-8")
    assert sorted(re.findall(r"^\| `(\w+)` \|", page, re.M)) == sorted(set(extras) - {"all"})


def test_what_an_index_shows_has_no_links_into_the_repository() -> None:
    page = (ROOT / PROJECT["readme"]).read_text(encoding="utf-8")
    assert all(target.startswith("https://") for target in re.findall(r"\]\((.+?)\)", page))


@pytest.mark.parametrize(
    ("record", "command"),
    [
        ({"url": "file://{place}", "dir_info": {"editable": True}}, "install -e '{place}[web]'"),
        ({"url": "file://{place}", "archive_info": {}}, "install '{place}[web]'"),
        ({"url": "file:///gone/tablero.whl", "archive_info": {}}, "install 'tablero[web]'"),
        ({"url": "https://example.org/tablero.whl", "archive_info": {}}, "install 'tablero[web]'"),
        (None, "install 'tablero[web]'"),
    ],
)
def test_the_hint_for_an_extra(
    record: dict[str, Any] | None, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Installed:
        version = "1.0"
        requires = ("numpy>=2", 'openpyxl; extra == "sheets"', 'optuna; extra == "tune"', 'fastapi; extra == "web"')

        def read_text(self, name: str) -> str | None:
            assert name == "direct_url.json"
            return None if record is None else json.dumps(record).replace("{place}", str(tmp_path))

    def distribution(name: str) -> Installed:
        if name in ("tablero", "openpyxl"):
            return Installed()
        raise PackageNotFoundError(name)

    monkeypatch.setattr("importlib.metadata.distribution", distribution)
    command = command.replace("{place}", str(tmp_path))
    assert how_to_add("web").endswith(f" {command}")
    assert "pip" in how_to_add("web")
    assert str(MissingExtra("the page", "web")) == f"the page needs the extra 'web': {how_to_add('web')}"
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    (tmp_path / "pipx_metadata.json").touch()
    command = command.replace("[web]", "[sheets,web]")  # the environment is replaced
    assert how_to_add("web") == f"pipx {command.replace('install', 'install --force')}"
    (tmp_path / "uv-receipt.toml").touch()
    assert how_to_add("web") == f"uv tool {command}"


def test_all_kernels_are_compiled_at_once(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """By two processes, with a countdown; here of one family, for time's sake."""
    from tablero.cli import run, warm

    one = [family for family in families().values() if family.name == "warehouse"]
    monkeypatch.setattr(warm, "families", lambda: {family.name: family for family in one})
    assert list(warm.kernel_names()) == [("warehouse", "warehouse check")]
    assert run(["doctor", "--warm", "--processes", "2", "--json"]) == 0
    printed = capfd.readouterr()
    reported = json.loads(printed.out)
    assert list(reported["kernels"]) == list(reported["cpu_seconds"]) == ["warehouse check"]
    assert "warehouse check is ready; all done in" in printed.err
    assert run(["doctor", "--processes", "2"]) == 2
    assert "with --warm" in capfd.readouterr().err


@pytest.mark.parametrize(("how", "name"), [([], "compile_in_turn"), (["--warm"], "warm")])
def test_ctrl_c_in_the_midst_of_kernels_is_answered(
    how: list[str], name: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from tablero.cli import run

    def press(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(f"tablero.cli.warm.{name}", press)
    assert run(["doctor", *how]) == 130
    assert capfd.readouterr().err == "interrupted; what is compiled is kept\n"
    assert run(["doctor", *how, "--quiet"]) == 130
    assert capfd.readouterr().err == ""


def test_the_doctor_names_the_folder_of_compiled_kernels(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from numba.core import config

    from tablero.cli import run

    monkeypatch.setattr("tablero.cli.warm.compile_in_turn", dict)
    for named, reported in ((str(tmp_path), tmp_path), ("", Path(tb.__file__).parent)):
        monkeypatch.setattr(config, "CACHE_DIR", named)
        assert run(["doctor", "--json"]) == 0
        assert json.loads(capfd.readouterr().out)["compiled"] == str(reported)
        assert run(["doctor"]) == 0
        assert f"compiled  {reported}\n" in capfd.readouterr().out


def test_the_longest_kernels_are_compiled_first() -> None:
    from tablero.cli.warm import LONG, kernel_names

    names = [name for _, name in kernel_names()]
    assert set(LONG) <= set(names), "the table has a kernel that is no more"
    assert list(LONG.values()) == sorted(LONG.values(), reverse=True)


def test_what_is_left_to_compile_is_told_by_what_kernels_take(monkeypatch: pytest.MonkeyPatch) -> None:
    from tablero.cli import warm

    monkeypatch.setattr(warm, "LONG", {"long": 10.0, "middle": 4.0})
    clock = [0.0]
    monkeypatch.setattr("time.monotonic", lambda: clock[0])
    countdown = warm.Countdown(["long", "middle", "short", "brief"], 2, talks=False)  # the last two take 1.5
    assert countdown.seconds_left() == 10.0
    clock[0] = 3.0
    assert countdown.seconds_left() == 7.0
    clock[0] = 8.0
    countdown.done("middle", 8.0)  # twice as long as was thought: so will the others
    assert countdown.seconds_left() == 20.0
    for name in ("short", "brief", "long"):
        countdown.done(name, 1.0)
    assert countdown.seconds_left() == 0.0

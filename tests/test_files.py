"""Reading and writing: whole or not at all, and nothing is destroyed that is no plain file."""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path

import pytest

from tablero.cli import run
from tablero.errors import BadInput
from tablero.files import read_text, require_writable, write_text, writing


def test_a_file_keeps_its_mode_and_a_link_its_target(tmp_path: Path) -> None:
    file, link = tmp_path / "file", tmp_path / "link"
    file.write_text("old")
    file.chmod(0o640)
    link.symlink_to(file)
    write_text(link, "new")
    assert link.is_symlink()
    assert file.read_text() == "new"
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    dangling = tmp_path / "dangling"
    dangling.symlink_to(tmp_path / "made")
    write_text(dangling, "new")
    assert (dangling.is_symlink(), (tmp_path / "made").read_text()) == (True, "new")


def test_pipes_and_devices_are_written_to_as_they_are(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    heard: list[str] = []
    reader = threading.Thread(target=lambda: heard.append(pipe.read_text()))
    reader.start()
    write_text(pipe, "through")
    reader.join()
    assert heard == ["through"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    write_text(Path(os.devnull), "away")
    assert stat.S_ISCHR(Path(os.devnull).stat().st_mode)


def write_half(file: Path) -> None:
    with writing(file) as stream:
        stream.write(b"half")
        raise RuntimeError


def test_whole_or_not_at_all(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("old")
    with pytest.raises(RuntimeError):
        write_half(file)
    assert file.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    for wrong in (tmp_path, Path(), tmp_path / "nowhere" / "file"):
        with pytest.raises(BadInput, match="cannot write"):
            write_text(wrong, "")


def test_a_name_that_promises_something_else(tmp_path: Path) -> None:
    require_writable(tmp_path / "x.txt")
    require_writable(tmp_path / "x.svg", ".svg")
    for name in ("x.svg", "x.XLSX", "x.pdf"):
        with pytest.raises(BadInput, match="promises something else"):
            require_writable(tmp_path / name)
    with pytest.raises(BadInput, match=r"expected a name that ends in \.svg"):
        require_writable(tmp_path / "x.png", ".svg", option="--svg")


def test_what_cannot_be_read(tmp_path: Path) -> None:
    large = tmp_path / "large"
    large.write_bytes(b"x" * 11)
    assert read_text(large, 11) == "x" * 11
    for source, says in ((large, "more than the 10 bytes"), (tmp_path, "directory"), ("a\0b", "null")):
        with pytest.raises(BadInput, match=says):
            read_text(source, 10)
    large.write_bytes(b"x\xff")
    with pytest.raises(BadInput, match="byte 1 is not UTF-8"):
        read_text(large)


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="no folder that takes no files")
def test_a_folder_that_takes_no_files_is_refused_before_there_is_anything_to_write(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"^--svg /proc/a\.svg: cannot write it: "):
        require_writable(Path("/proc/a.svg"), ".svg", option="--svg")
    require_writable(tmp_path / "x.txt")
    assert not list(tmp_path.iterdir())


def test_what_was_found_is_printed_though_its_picture_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def full(*_: object) -> None:
        raise BadInput("cannot write board.svg: No space left on device")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tablero.cli.running.write_text", full)
    assert run(["queens", "solve", "6", "--svg", "board.svg", "--quiet"]) == 2
    out, err = capfd.readouterr()
    assert sorted(map(int, out.split())) == [0, 1, 2, 3, 4, 5]
    assert err == "tablero: cannot write board.svg: No space left on device\n"

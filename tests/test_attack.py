"""The attack itself: its inputs can be made again, it misses no family, and it sees a fault where there is one."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from tablero.errors import BadInput
from tablero.families import families
from tests.attack.__main__ import one, parsers
from tests.attack.commands import is_harmless, words_of
from tests.attack.findings import Report, skeleton
from tests.attack.mutations import spoil
from tests.attack.targets import Target, all_targets

TARGETS = all_targets()


def test_every_family_is_attacked() -> None:
    assert {target.name.split(".")[0] for target in TARGETS} == set(families())


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_good_texts_are_accepted_and_spoilt_ones_bring_no_fault(target: Target, tmp_path: Path) -> None:
    accepted = 0
    for text in target.texts:
        try:
            target.read(text)
            accepted += 1
        except BadInput:
            pass
    assert accepted, "nothing good to begin with"
    report = Report(5, tmp_path)
    parsers(report, [target], 200, 60)
    assert report.tallies[target.name].inputs == 200
    assert len(report.tallies[target.name].outcomes) > 1
    assert report.faults == []


def test_inputs_follow_from_the_seed() -> None:
    texts = ["1 2 3/4 5 6/7 8 0", "a b\na\nb\n"]
    once, again, other = ([spoil(random.Random(seed), texts[0], texts) for _ in range(3)] for seed in (1, 1, 2))
    assert once == again != other


def test_a_fault_is_told_with_what_brings_it_about(tmp_path: Path) -> None:
    def read(text: str) -> Any:
        if "7" in text:
            raise KeyError("seven")
        raise BadInput("no seven")

    report = Report(1, tmp_path)
    target = Target("toy.parse", read, ["1 2 7", "3 4"])
    for number in range(50):
        one(report, target, number, ["8"])
    assert len(report.faults) == 1, "told once of its kind"
    assert "KeyError: 'seven'" in report.faults[0]
    assert "--seed 1 --only toy.parse --number" in report.text()
    (file,) = tmp_path.iterdir()
    assert "7" in file.read_text(errors="replace")


def test_outcomes_are_counted_by_kind() -> None:
    assert skeleton("text:12: 'a' twice") == skeleton("text:3: 'b' twice")


def test_commands_of_the_attack_stay_where_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for words in (["cluster", "worker", "x"], ["cover", "solve", "/etc/passwd"], ["cover", "make", "-o", "../x"]):
        assert not is_harmless(words)
    lists = [words_of(random.Random(k), ["a b\na b\n"]) for k in range(40)]
    assert any(is_harmless(words) for words in lists)
    assert [path.name for path in tmp_path.iterdir()] == ["FILE"]

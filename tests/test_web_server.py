"""The server of the web page: who is let in, what is answered, what is refused, and that it stays light."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import re
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from starlette.testclient import TestClient

from tablero.draw.svg import read_svg
from tablero.families import families
from tablero.queens import verbs
from tablero.queens.kernels import count
from tablero.verbs import Above, Not
from tablero.web import guard, work
from tablero.web.app import make_app
from tablero.web.forms import BadField, Field, Form
from tablero.web.guard import MOST_BODY, AllowedHosts
from tests import every_choice

HOST = "127.0.0.1:8700"
TOKEN = "a-token-of-some-length"
COOKIE = "tablero-8700"
JSON = {"content-type": "application/json"}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TABLERO_HOME", str(tmp_path_factory.mktemp("home")))
        with TestClient(make_app(AllowedHosts(frozenset([HOST]))), base_url=f"http://{HOST}") as client:
            yield client


@pytest.fixture
def shut() -> TestClient:
    """A server with a token; its workers are never needed.  A new one each time: a client keeps cookies."""
    return TestClient(
        make_app(AllowedHosts(frozenset([HOST]), TOKEN)), base_url=f"http://{HOST}", follow_redirects=False
    )


def test_the_server_loads_neither_numpy_nor_numba() -> None:
    code = (
        "import sys, tablero.web.app, tablero.cli.serve; from tablero.web.work import page_of;"
        "from tablero.families import families; [page_of(f.word).to_dict() for f in families().values()];"
        "print([name for name in ('numpy', 'numba') if name in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


# Who is let in


def test_a_page_bent_to_this_machine_is_refused(client: TestClient) -> None:
    reply = client.get("/api/jobs", headers={"host": "evil.example:8700"})
    assert reply.status_code == 421
    assert "evil.example" in reply.json()["error"]
    assert client.get("/api/jobs", headers={"host": "127.0.0.1:9999"}).status_code == 421


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "http://127.0.0.1:9999"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_other_sites_may_not_post(client: TestClient, headers: dict[str, str]) -> None:
    reply = client.post("/api/jobs", json={"family": "queens", "verb": "count"}, headers=headers)
    assert reply.status_code == 403
    assert client.delete("/api/jobs/x", headers=headers).status_code == 403


def test_every_reply_has_the_policy(client: TestClient) -> None:
    for path in ("/", "/api/families", "/static/main.js", "/nowhere"):
        policy = client.get(path).headers["content-security-policy"]
        assert "script-src 'self'" in policy
        assert "unsafe" not in policy


def test_without_the_token_nothing_is_told(shut: TestClient) -> None:
    for path in ("/", "/api/families", "/static/main.js", "/?token=wrong", "/?token="):
        reply = shut.get(path)
        assert reply.status_code == 401
        assert "token" in reply.json()["error"]
    assert shut.get("/", headers={"authorization": "Bearer wrong"}).status_code == 401
    assert shut.get("/", headers={"cookie": f"{COOKIE}={TOKEN}x"}).status_code == 401
    assert shut.get("/", headers=[(b"cookie", f"{COOKIE}=ü".encode("latin-1"))]).status_code == 401


def test_the_token_is_shown_once_and_then_a_cookie_does(shut: TestClient) -> None:
    reply = shut.get(f"/sudoku?token={TOKEN}&x=1")
    assert reply.status_code == 303
    assert reply.headers["location"] == "/sudoku?x=1"
    cookie = reply.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert TOKEN not in cookie
    assert shut.get("/", headers={"cookie": cookie.partition(";")[0]}).status_code == 200
    shut.cookies.clear()
    assert shut.get("/", headers={"cookie": f"{COOKIE}={TOKEN}"}).status_code == 401
    assert shut.get("/", headers={"authorization": f"Bearer {TOKEN}"}).status_code == 200
    # The way in never leads elsewhere.
    shut.cookies.clear()
    away = shut.get(f"http://{HOST}//evil.example/?token={TOKEN}")
    assert away.headers["location"] == "/evil.example/"
    # No line of the address becomes a header.
    shut.cookies.clear()
    split = shut.get(f"/sudoku%0D%0Aset-cookie:%20a=b?token={TOKEN}")
    assert split.headers["location"] == "/sudoku%0D%0Aset-cookie%3A%20a%3Db"


def test_two_servers_on_one_machine_have_a_cookie_each() -> None:
    names = set()
    for port in (8700, 8701):
        address = f"127.0.0.1:{port}"
        app = make_app(AllowedHosts(frozenset([address]), TOKEN))
        reply = TestClient(app, base_url=f"http://{address}", follow_redirects=False).get(f"/?token={TOKEN}")
        names.add(reply.headers["set-cookie"].partition("=")[0])
    assert names == {COOKIE, "tablero-8701"}


def test_half_open_connections_lock_nobody_out(tmp_path: Path) -> None:
    """A server with few file descriptors, and more connections than these whose request never ends."""
    command = [sys.executable, "-m", "tablero", "serve", "--port", "0"]
    limited = ["sh", "-c", 'ulimit -n 256; exec "$@"', "sh", *command]
    home = {**os.environ, "TABLERO_HOME": str(tmp_path)}
    with subprocess.Popen(limited, stdout=subprocess.PIPE, text=True, env=home) as server, ExitStack() as opened:
        assert server.stdout is not None
        port = int(server.stdout.readline().rstrip("/\n").rpartition(":")[2])
        try:
            for _ in range(400):
                one = opened.enter_context(socket.create_connection(("127.0.0.1", port)))
                one.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1")
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/families", timeout=5) as reply:
                assert reply.status == 200
        finally:
            server.kill()


def test_a_header_must_arrive_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "HEADER_SECONDS", 0.3)

    async def ask() -> list[bytes]:
        config = uvicorn.Config(make_app(AllowedHosts(frozenset())), http=guard.Connection, lifespan="off")
        config.load()
        state = uvicorn.server.ServerState()
        loop = asyncio.get_running_loop()
        listening = await loop.create_server(lambda: guard.Connection(config, state, {}), "127.0.0.1", 0)
        port = listening.sockets[0].getsockname()[1]
        read = []
        for pause, words in ((0.1, b"GET / HTTP/1.1\r\nHost: x\r\n"), (0.5, b"GET / HTTP/1.1\r\nHost: x\r\n")):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(words)
            await asyncio.sleep(pause)
            writer.write(b"\r\n")
            with suppress(ConnectionError):
                read.append(await reader.read(12))
            writer.close()
        listening.close()
        return read

    assert asyncio.run(ask()) in ([b"HTTP/1.1 421"], [b"HTTP/1.1 421", b""])


def test_a_body_that_is_too_large_is_refused(client: TestClient) -> None:
    reply = client.post("/api/families/sudoku/load", content=b"x" * (MOST_BODY + 1))
    assert reply.status_code == 413

    def pieces() -> Iterator[bytes]:  # without telling its length
        for _ in range(MOST_BODY // 65536 + 2):
            yield b"x" * 65536

    assert client.post("/api/families/sudoku/load", content=pieces()).status_code == 413


# Pages and files


def test_pages_and_files(client: TestClient) -> None:
    for path in ("/", "/jobs", "/jobs/any", "/api", *(f"/{family.word}" for family in families().values())):
        reply = client.get(path)
        assert reply.status_code == 200
        assert reply.headers["content-type"].startswith("text/html")
    for path in ("/static/main.js", "/static/style.css", "/static/words_es.json", "/static/families/sudoku.js"):
        assert client.get(path).status_code == 200


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py",
        "/static/%2e%2e%2fapp.py",
        "/static/app.py",
        "/static/families/../app.js",
        "/static/families/cover.js",
        "/nothing",
        "/jobs/x/y",
    ],
)
def test_nothing_else_is_served(client: TestClient, path: str) -> None:
    assert client.get(path).status_code in (404, 422)


def test_the_first_page_is_small(client: TestClient) -> None:
    names = ["style.css", "main.js", "home.js", "family.js", "live.js", "dom.js", "form.js", "events.js", "words.js"]
    names += ["icon.svg", "words_es.json"]
    size = len(client.get("/").content) + sum(len(client.get(f"/static/{name}").content) for name in names)
    assert size < 150_000


# Families


def test_every_family_shows_its_examples_and_its_card(client: TestClient) -> None:
    offered = client.get("/api/families").json()["families"]
    assert [family["word"] for family in offered] == [family.word for family in families().values()]
    for family in offered:
        for puzzle in [family["card"], *(example["puzzle"] for example in family["examples"])]:
            shown = client.post(f"/api/families/{family['word']}/show", json={"form": puzzle})
            assert shown.status_code == 200, shown.text
            assert shown.json()["words"]
        assert shown.json()["puzzle"].keys() == puzzle.keys()


def test_a_family_tells_the_schema_of_each_verb(client: TestClient) -> None:
    for family in families().values():
        schemas = client.get(f"/api/families/{family.word}").json()["schemas"]
        assert list(schemas) == list(family.verbs)
        for schema in schemas.values():
            assert schema["type"] == "object"
            assert set(schema["required"]) <= set(schema["properties"])
    methods = client.get("/api/families/queens").json()["schemas"]["solve"]["properties"]["method"]
    assert "exact" in str(methods)


def test_refusals_are_those_of_the_command_line(client: TestClient) -> None:
    reply = client.post("/api/families/cover/show", json={"form": {"problem": "a b\n\na z\n"}})
    assert reply.status_code == 422
    refused = subprocess.run(
        [sys.executable, "-m", "tablero", "cover", "solve", "-"], input="a b\n\na z\n", capture_output=True, text=True
    )
    assert refused.returncode == 2
    assert reply.json()["error"].removeprefix("the problem") in refused.stderr


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/families/queens/show", {"form": {"n": 0}}),
        ("/api/families/queens/show", {"form": {"n": 10**9}}),
        ("/api/families/queens/show", {"form": {"n": "eight"}}),
        ("/api/families/queens/show", {"form": {"n": True}}),
        ("/api/families/queens/show", {"form": {"m": 8}}),
        ("/api/families/queens/show", {"form": {"n": 8, "given": "a1"}}),
        ("/api/families/queens/show", {"form": []}),
        ("/api/families/queens/show", {"form": {"n": 8}, "more": 1}),
        ("/api/families/queens/show", []),
        ("/api/families/queens/ask/solve", {"form": {"n": 8, "solutions": "-1"}}),
        ("/api/families/sudoku/show", {"form": {"puzzle": "<script>alert(1)</script>"}}),
        ("/api/families/sudoku/show", {"form": {"puzzle": "."}}),
        ("/api/families/sudoku/show", {"form": {"filled": "x"}}),
        ("/api/families/decompose/show", {"form": {"host": "@/etc/passwd"}}),
        ("/api/families/decompose/show", {"form": {"part": "@/etc/passwd"}}),
        ("/api/families/slide/show", {"form": {"board": "1 2/3"}}),
        ("/api/families/slide/ask/random", {"form": {"size": "1000000"}}),
        ("/api/families/warehouse/show", {"form": {"size": "7"}}),
        ("/api/families/edges/show", {"form": {"pieces": "size 2\n1 2 3"}}),
        ("/api/jobs", {"family": "nothing", "verb": "solve"}),
        ("/api/jobs", {"family": "queens", "verb": "fly"}),
        ("/api/jobs", {"family": "sudoku", "verb": "hint"}),
        ("/api/jobs", {"family": "queens", "verb": "count", "threads": 0}),
        ("/api/jobs", {"family": "queens", "verb": "count", "form": {"n": -3}}),
    ],
)
def test_bad_requests_get_one_line(client: TestClient, path: str, body: Any) -> None:
    reply = client.post(path, json=body)
    assert reply.status_code == 422, reply.text
    error = reply.json()["error"]
    assert error
    assert "\n" not in error
    assert len(error) < 500


@pytest.mark.parametrize(
    ("path", "body", "status", "error"),
    [
        ("/api/families/chess/show", {"form": {}}, 404, "there is no family 'chess': expected one of cover, "),
        ("/api/families/cover/show", {"form": {"problem": [1]}}, 422, "problem: [1]: expected a text, a whole number"),
        ("/api/families/cover/show", {"form": {"problem": None}}, 422, "problem: None: expected a text"),
        ("/api/families/cover/show", {"form": {}, "more": 1}, 422, "there is no field 'more'"),
        ("/api/jobs", {"family": "queens"}, 422, "verb is missing"),
        ("/api/jobs", {"family": "queens", "verb": "count", "threads": 0}, 422, "threads: 0: expected greater than"),
        (
            "/api/jobs",
            {"family": "queens", "verb": "count", "form": {"n": 100}},
            422,
            "Queens: expected at most 32 queens",
        ),
        ("/api/families/edges/ask/make", {"form": {"size": "1000000000"}}, 422, "expected a board of at most"),
        # What the address names and is not there is not found; what stands in the request does not fit.
        ("/api/families/queens/ask/fly", {"form": {}}, 404, "there is no verb 'fly': expected solve, "),
        ("/api/jobs", {"family": "chess", "verb": "count"}, 422, "there is no family 'chess': expected one of cover, "),
        ("/api/jobs", {"family": "queens", "verb": "fly"}, 422, "there is no verb 'fly': expected solve, "),
    ],
)
def test_refusals_are_in_our_own_words(client: TestClient, path: str, body: Any, status: int, error: str) -> None:
    reply = client.post(path, json=body)
    assert reply.status_code == status
    assert error in reply.json()["error"]
    assert "should" not in reply.json()["error"]


def test_a_bad_field_is_named(client: TestClient) -> None:
    reply = client.post("/api/families/queens/show", json={"form": {"n": 0}}).json()
    assert reply["field"] == "n"
    for family, verb, field in (("chess", "count", "family"), ("queens", "fly", "verb")):
        assert client.post("/api/jobs", json={"family": family, "verb": verb}).json()["field"] == field


def test_what_is_not_offered_would_be_refused() -> None:
    for family in families().values():
        page = work.page_of(family.word)
        for verb in page.verbs:
            known = {field.name: field for field in page.fields_of(verb)}
            for one in (*verb.never, *verb.at_once):
                form = {name: ruled(known[name], values) for name, values in one.items()}
                assert all(known[name].value(value) == value for name, value in form.items())
                assert every_choice.is_ruled((one,), form)
                if one in verb.at_once:
                    assert work.check(family.word, verb.name, form)["at_once"], (verb.name, form)
                elif form != {"kind": "jigsaw", "side": "25"}:  # which takes longer than a test
                    assert "refused" in work.ask(family.word, verb.name, form), (verb.name, form)


def test_a_square_warehouse_takes_no_side_of_a_block() -> None:
    page = work.page_of("warehouse")
    usual = {field.name: field.default for field in page.puzzle}
    for size, side, refused in (("9", 3, True), ("9", 0, False), ("2x3", 3, False)):
        form = {**usual, "size": size, "side": side}
        assert (
            every_choice.is_ruled(page.verb("solve").never, form)
            == refused
            == ("refused" in work.show("warehouse", form))
        )


def ruled(field: Any, values: tuple[Any, ...] | Not | Above) -> Any:
    """A value of a field to which a rule applies."""
    match values:
        case Not(but):
            return next(value for value in field.choices or every_choice.TYPED[field.name] if value not in but)
        case Above(number):
            return number + 5  # so many queens can stand on a torus, for each number that the rules have
    return values[-1]


def test_forms_know_how_large_boards_may_be() -> None:
    """The light description of verbs says what modules that it may not load say, too."""
    assert verbs.MOST_COUNTED == count.MOST


def test_what_needs_no_search_is_told_apart(client: TestClient) -> None:
    """So the page can answer at once what it cannot keep; other refusals stay refusals."""
    new = {"family": "slide", "verb": "solve", "form": {"board": "1 2 3/4 5 6/7 0 8", "method": "anytime"}}
    assert client.post("/api/jobs", json=new).json()["at_once"] is True
    assert "at_once" not in client.post("/api/jobs", json={**new, "form": {"board": "1 1"}}).json()


@pytest.mark.parametrize(
    ("name", "form"), [("anneal", {}), ("count", {"fundamental": False}), ("solve", {"method": "local"})]
)
def test_two_or_three_queens_are_no_job_to_keep(name: str, form: dict[str, Any]) -> None:
    """It is known that they cannot be set, and the page need not ask to know that."""
    verb = work.page_of("queens").verb(name)
    usual = {field.name: field.default for field in work.page_of("queens").fields_of(verb)}
    for n in range(1, 6):
        asked = {**usual, "n": n, **form}
        known = work.check("queens", name, asked).get("at_once", False)
        assert every_choice.is_ruled(verb.at_once, asked) == known == (n in (2, 3))


@pytest.mark.parametrize("body", [b"", b"{", b"\xff\xfe", b"[" * 100_000, b'{"form": {"n": 1e999}}', b'"' + b"x" * 10])
def test_what_is_no_json_is_refused(client: TestClient, body: bytes) -> None:
    assert client.post("/api/families/queens/show", content=body, headers=JSON).status_code in (400, 422)


@pytest.mark.parametrize("body", [b"", b"PK\x03\x04", b"\x00" * 100, b"no puzzle", b"\xff" * 81])
def test_malformed_files_are_refused(client: TestClient, body: bytes) -> None:
    for name in ("a.xlsx", "a.txt", "../../etc/passwd", ""):
        reply = client.post("/api/families/sudoku/load", params={"name": name}, content=body)
        assert reply.status_code == 422
        assert reply.json()["error"]


def test_a_spreadsheet_is_read(client: TestClient, tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    line = "8..9...7.7.13.26.....76...2.2....3.1.45.......7.....6...9.....4.37..6.9..1.59..3."
    for k, digit in enumerate(line):
        if digit != ".":
            book.active.cell(k // 9 + 1, k % 9 + 1, int(digit))
    book.save(tmp_path / "board.xlsx")
    data = (tmp_path / "board.xlsx").read_bytes()
    reply = client.post("/api/families/sudoku/load", params={"name": "board.xlsx"}, content=data)
    assert reply.json()["puzzle"]["puzzle"] == line


def test_hint_steps_and_rating(client: TestClient) -> None:
    puzzle = "8..9...7.7.13.26.....76...2.2....3.1.45.......7.....6...9.....4.37..6.9..1.59..3."

    def ask(verb: str, **form: Any) -> Any:
        reply = client.post(f"/api/families/sudoku/ask/{verb}", json={"form": {"puzzle": puzzle, **form}})
        assert reply.status_code == 200, reply.text
        return reply.json()

    hint = ask("hint")
    assert hint["sentence"]
    assert hint["svg"].startswith("<svg")
    steps = ask("steps", at=3)
    assert steps["at"] == 3
    assert steps["status"] == "solved"
    assert ask("rate")["rating"] >= 1
    filled = list("." * 81)
    filled[1] = "6"
    assert ask("steps", filled="".join(filled))["left"][0] < steps["left"][0]


def test_typed_text_is_never_markup(client: TestClient) -> None:
    text = '<img src=x onerror="alert(1)">'
    problem = f"{text.replace(' ', '_')} b\n\n{text.replace(' ', '_')} b\n"
    reply = client.post("/api/families/cover/ask/solve", json={"form": {"problem": problem}})
    assert reply.headers["content-type"] == "application/json"
    assert reply.json()["status"] == "solved"
    assert all("<img" not in svg for svg in reply.json()["svgs"])


def test_playing_tiles(client: TestClient) -> None:
    def play(moves: str) -> Any:
        form = {"board": "1 2 3/4 5 6/7 0 8", "moves": moves}
        return client.post("/api/families/slide/ask/play", json={"form": form})

    assert play("E").json()["home"] is True
    assert play("S").json()["made"] == 0  # off the board
    assert play("X").status_code == 422


def test_a_floor_is_played(client: TestClient) -> None:
    def play(source: str, target: str, floor: str = "") -> Any:
        form = {"size": "4", "seed": 2, "floor": floor, "source": source, "target": target}
        return client.post("/api/families/warehouse/ask/play", json={"form": form})

    first = play("r2c2", "r1c1").json()
    assert first["made"] == 2  # up and left: a tile goes by the shortest way
    assert first["bound"] == 64
    assert play("r2c2", "r4c4", first["puzzle"]["floor"]).json()["made"] == 0  # nothing stands there
    assert play("r1c1", "r4c4", first["puzzle"]["floor"]).json()["made"] == 6
    assert play("r2c2", "r3c3").json()["made"] == 0  # a tile stands there
    assert play("r0c1", "r1c1").status_code == 422
    assert play("r2c2", "r1c1", "1 2\n3").status_code == 422


def test_a_drawing_becomes_a_pdf(client: TestClient) -> None:
    for family in families().values():
        form = work.page_of(family.word).to_dict()["card"]
        shown = client.post(f"/api/families/{family.word}/show", json={"form": form}).json()
        reply = client.post("/api/pdf", json={"svg": shown["svg"]})
        assert reply.status_code == 200, reply.text
        assert reply.headers["content-type"] == "application/pdf"
        assert reply.content.startswith(b"%PDF-1.4")
        assert len(read_svg(shown["svg"]).shapes) == len(re.findall("<(rect|line|circle|polygon|text)", shown["svg"]))


@pytest.mark.parametrize(
    "svg",
    [
        "",
        "<svg/>",
        '<!DOCTYPE x [<!ENTITY a "b">]><svg viewBox="0 0 1 1"/>',
        '<svg viewBox="0 0 1 1"><rect x="1e9" y="0" width="1" height="1"/></svg>',
        '<svg viewBox="0 0 1 1"><circle cx="0" cy="0" r="1" fill="url(x)"/></svg>',
        '<svg viewBox="0 0 1 1"><polygon points="1 2"/></svg>',
        '<svg viewBox="0 0 nan 1"/>',
        '<svg viewBox="0 0 0 1"/>',
        '<svg viewBox="0 0 9999999 1"/>',
    ],
)
def test_what_is_no_drawing_of_ours_is_refused(client: TestClient, svg: str) -> None:
    assert client.post("/api/pdf", json={"svg": svg}).status_code == 422


def test_techniques_are_explained(client: TestClient) -> None:
    guides = client.get("/api/families/sudoku/guides").json()["guides"]
    assert len(guides) > 80
    assert [one["rating"] for one in guides] == sorted(one["rating"] for one in guides)
    for name in ("last-value", "x-wing", "unique-rectangle-type-1", "cage-combinations"):
        assert name in {one["name"] for one in guides}
        guide = client.get(f"/api/families/sudoku/guides/{name}").json()
        assert guide["about"]
        assert guide["svg"].startswith("<svg")
        shown = client.post("/api/families/sudoku/show", json={"form": guide["puzzle"]})  # it can be tried
        assert shown.status_code == 200, shown.text
        assert shown.json()["clashes"] == []
    assert client.get("/api/families/sudoku/guides/nothing").status_code == 404
    assert client.get("/api/families/queens/guides").json() == {"guides": []}
    assert client.get("/sudoku/guide/x-wing").status_code == 200
    assert client.get("/queens/guide").status_code == 404


def test_sheets_of_puzzles(client: TestClient) -> None:
    reply = client.post(
        "/api/families/sudoku/ask/sheet", json={"form": {"count": 2, "per_page": "2", "seed": 5}}
    ).json()
    assert base64.b64decode(reply["file"]["base64"]).startswith(b"%PDF")
    lines = reply["text"].split("\n")
    assert len(lines) == 2
    assert all(len(line) == 81 for line in lines)


def test_the_form_of_the_thesis(client: TestClient) -> None:
    """Conditions are filled in with those found, others are checked; the matrix is made, saved and loaded again."""

    def ask(verb: str, **form: Any) -> Any:
        path = "show" if verb == "show" else f"ask/{verb}"
        return client.post(f"/api/families/decompose/{path}", json={"form": form})

    shown = ask("show", host="K6", part="path-3").json()
    assert shown["puzzle"]["conditions"] == shown["found"] == "[(0,2)]"
    made = ask("matrix", host="K6", part="path-3", conditions="[(0,2)]").json()
    assert (made["rows"], made["columns"], made["ones"]) == (6 * 5 * 4 // 2, 15, 120)
    lost = ask("matrix", host="K6", part="path-3", conditions="[(0,1)]")
    assert "lose the copy" in lost.json()["error"]
    assert ask("show", host="K6", part="path-3", conditions="[(0,9)]").status_code == 422
    # What is given is given, be it what is found as well.
    for conditions in ("[(0,2)]", "[(2,0)]"):
        counted = ask("count", host="K5", part="path-3", conditions=conditions).json()
        assert (counted["conditions"], counted["placements"]) == ({"state": "kept"}, 30)
    counted = ask("count", host="K5", part="path-3").json()
    assert ("conditions" in counted, counted["placements"]) == (False, 60)
    settled = ask("count", host="K5", part="path-4", conditions="[(1,2)]").json()
    assert settled["conditions"]["state"] == "unchecked"
    loaded = client.post(
        "/api/families/decompose/load", params={"name": "a.task"}, content=made["file"]["text"].encode()
    )
    assert loaded.json()["puzzle"] == shown["puzzle"]
    spoilt = made["file"]["text"].replace("0-1 0-2", "0-1 0-3", 1).encode()
    assert client.post("/api/families/decompose/load", params={"name": "a.task"}, content=spoilt).status_code == 422
    turned = ask("show", host="K7", part="triangle", symmetry="cyclic")
    assert turned.status_code == 200
    assert ask("matrix", host="K7", part="triangle", symmetry="cyclic").json()["field"] == "symmetry"
    assert ask("show", host="K7", part="3 x @/etc/passwd").json()["field"] == "part"


# Fields


def test_fields_take_what_is_of_their_kind_only() -> None:
    number = Field("n", "N", "number", 1, least=1, most=9)
    assert number.value(" 7 ") == 7
    bad: Any
    for bad in ("", "ten", 0, 10, 1.5, True, None, "1" * 40, "٣"):
        with pytest.raises(BadField):
            number.value(bad)
    choice = Field("c", "C", "choice", "a", ("a", "b"))
    assert choice.value("b") == "b"
    for bad in ("c", 1, None, ["a"]):
        with pytest.raises(BadField):
            choice.value(bad)
    with pytest.raises(BadField):
        Field("t", "T", "tick", False).value("yes")
    with pytest.raises(BadField):
        Field("l", "L").value("x" * (1 << 22))
    assert Form.of((number, choice), {"c": "b"}) == {"n": 1, "c": "b"}


# Jobs


def test_names_cannot_leave_the_folder(client: TestClient) -> None:
    for name in ("%2e%2e", "%2e%2e%2fx", "x/y", "-x", "x" * 65, "ü"):
        for path in (f"/api/jobs/{name}", f"/api/jobs/{name}/log", f"/api/jobs/{name}/answers"):
            assert client.get(path).status_code in (404, 422)
    reply = client.post("/api/jobs", json={"family": "queens", "verb": "count", "name": "../evil"})
    assert reply.status_code in (409, 422)


def test_a_job_that_is_not_there(client: TestClient) -> None:
    for path in ("", "/answers", "/board", "/export", "/log", "/trace"):
        assert client.get(f"/api/jobs/nobody{path}").status_code == 404
    assert client.post("/api/jobs/nobody/stop", json={}).status_code == 404
    assert client.post("/api/jobs/nobody/resume", json={}).status_code == 404
    assert client.delete("/api/jobs/nobody").status_code == 404


def test_a_job_from_start_to_export(client: TestClient) -> None:
    import time

    asked = {"family": "queens", "verb": "count", "form": {"n": 7, "given": "r1c2"}, "name": "seven"}
    assert client.post("/api/jobs", json=asked).json() == {"name": "seven"}
    for _ in range(600):
        state = client.get("/api/jobs/seven").json()["state"]
        if state == "finished":
            break
        time.sleep(0.1)
    job = client.get("/api/jobs/seven").json()
    assert job["solutions"] == sum(1 for board in _all_queens(7) if board[0] == 1)
    assert job["points"]
    assert "complete" in client.get("/api/jobs/seven/log").json()["log"]
    assert client.get("/api/jobs/seven/answers").json()["kept"] == 0
    assert job["at_work"] == job["join"] == []  # it is over
    board = client.get("/api/jobs/seven/board").json()
    assert board["shows"] == "puzzle"
    assert client.get("/api/jobs/seven/board", params={"seen": board["number"]}).json() == {
        "same": True,
        "number": board["number"],
    }
    assert "points" not in client.get("/api/jobs/seven", params={"points": False}).json()
    exported = json.loads(client.get("/api/jobs/seven/export").content)
    assert exported["solutions"] == job["solutions"]
    assert client.post("/api/jobs", json=asked).status_code == 409  # the name is taken
    again = client.post("/api/jobs/seven/resume", json={})
    assert (again.status_code, again.json()) == (409, {"error": "job 'seven' is finished: there is nothing left to do"})
    assert client.get("/api/jobs/seven/trace").json()["trace"] == []  # it does not anneal
    assert client.delete("/api/jobs/seven").json()["removed"] is True
    assert client.get("/api/jobs/seven/log").status_code == 404


def _all_queens(n: int) -> list[tuple[int, ...]]:
    from itertools import permutations

    return [
        board
        for board in permutations(range(n))
        if len({r + c for r, c in enumerate(board)}) == n == len({r - c for r, c in enumerate(board)})
    ]


def test_what_the_workers_say_can_be_sent() -> None:
    """Replies go through JSON as they are: no arrays, no numbers that JSON lacks."""
    for family in families().values():
        page = work.page_of(family.word)
        shown = work.show(family.word, dict(page.examples[0][1]))
        assert json.loads(json.dumps(shown, allow_nan=False)) == shown


def test_a_mistyped_address_is_a_page_for_readers_and_a_refusal_for_scripts(client: TestClient) -> None:
    reader = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    for path in ("/banana", "/queens/guide", "/sudoku/banana"):
        reply = client.get(path, headers=reader)
        assert reply.status_code == 404
        assert reply.content == client.get("/").content
        assert client.get(path).json()["error"]
    for path in ("/api/banana", "/static/banana.png"):
        assert client.get(path, headers=reader).json()["error"]


def test_a_family_is_known_by_its_name_and_its_word(client: TestClient) -> None:
    for word in ("sliding", "slide", "decomposition", "decompose"):
        assert client.get(f"/api/families/{word}").status_code == 200
    assert client.get("/api/families/chess").status_code == 404

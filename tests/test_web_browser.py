"""The web page in a browser, as people use it.  Skipped where there is no chromium, or no playwright to drive it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import WAIT

FAMILIES = ["cover", "decompose", "edges", "queens", "slide", "warehouse", "sudoku"]
PAGES = ["", *FAMILIES, "sudoku/guide", "sudoku/guide/x-wing", "jobs", "jobs/some", "jobs/six", "api"]
LONG = 24  # queens that nobody counts within a test, and that are set one after another


class Server:
    """A server of its own, with jobs of its own."""

    def __init__(self, home: Path, *options: str) -> None:
        self.home = home
        self.options = options
        self.port = 0
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "tablero", "serve", "--port", str(self.port), *self.options]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True, env={**os.environ, "TABLERO_HOME": str(self.home)}
        )
        assert self.process.stdout is not None
        reported = re.search(r"http://[^:]+:(\d+)/(\S*)", self.process.stdout.readline())
        assert reported
        self.port, self.rest = int(reported[1]), reported[2]

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("home")
    command = [sys.executable, "-m", "tablero", "queens", "solve", "6", "-n", "all", "--job", "six", "--quiet"]
    environment = {**os.environ, "TABLERO_HOME": str(folder)}
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
    server = Server(folder)
    yield server
    server.kill()
    end = [sys.executable, "-m", "tablero", "jobs", "list", "--json"]
    home = {**os.environ, "TABLERO_HOME": str(server.home)}
    for name in re.findall(r'"name": "([^"]+)", "state": "running"', subprocess.check_output(end, env=home, text=True)):
        subprocess.run([sys.executable, "-m", "tablero", "jobs", "stop", name], env=home, check=True)


def visit(page: Any, server: Server, path: str) -> None:
    page.goto(f"{server.address}/{path}")
    page.wait_for_selector("body[data-ready=yes]")


def ask(page: Any, verb: str) -> None:
    page.click(f"#tab-{verb}")
    page.click(f"#body-{verb} form button.main")


@pytest.mark.parametrize(
    ("family", "verb", "expected"),
    [
        ("cover", "solve", "1 found: solved"),
        ("cover", "count", "1 found: these are all"),
        ("decompose", "solve", "1 found: solved"),
        ("edges", "solve", "1 found: solved"),
        ("queens", "solve", "1 found: solved"),
        ("slide", "solve", "proved shortest"),
        ("warehouse", "solve", "moves; the proven bound is"),
        ("sudoku", "solve", "1 found: solved"),
        ("sudoku", "rate", "medium"),
    ],
)
def test_every_family_from_form_to_answer(page: Any, server: Server, family: str, verb: str, expected: str) -> None:
    visit(page, server, family)
    before = page.inner_html(".board") if family != "cover" else ""
    ask(page, verb)
    page.wait_for_selector(f'#body-{verb} .result:has-text("{expected}")')
    if family in ("decompose", "edges", "queens"):
        assert page.inner_html(".board") != before


def test_the_sudoku_workbench(page: Any, server: Server) -> None:
    visit(page, server, "sudoku")
    page.focus(".board")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("6")
    page.wait_for_selector("figcaption:has-text('52 cells to fill')")
    page.keyboard.press("Control+z")
    page.wait_for_selector("figcaption:has-text('53 cells to fill')")
    page.keyboard.press("8")  # it stands in the row already
    page.wait_for_selector("figcaption:has-text('occur twice')")
    page.keyboard.press("Backspace")
    page.wait_for_selector("figcaption:has-text('53 cells to fill')")
    page.keyboard.press("h")
    page.wait_for_selector(".panel p:has-text('is the only place')")
    page.click("text=Do it")
    page.wait_for_selector("figcaption:has-text('52 cells to fill')")
    held = page.url
    visit(page, server, "jobs")
    page.goto(held)  # the address holds the board, with what was filled in
    page.wait_for_selector("figcaption:has-text('52 cells to fill')")
    ask(page, "steps")
    page.wait_for_selector(".result >> text=Step 1 of 52")
    page.click(".steps button >> nth=2")
    page.wait_for_selector(".result >> text=Step 3 of 52")
    page.click("[aria-label=Next]")
    page.wait_for_selector(".result >> text=Step 4 of 52")
    page.click("[aria-label=Previous]")
    page.wait_for_selector(".steps li:nth-child(3) button[aria-current=true]")
    with page.expect_popup() as opened:
        page.click(".steps li:nth-child(3) a")  # what is it?
    opened.value.wait_for_selector("h1:has-text('Hidden single')")
    opened.value.click("text=Try it in the workbench")
    opened.value.wait_for_selector("figcaption:has-text('cells to fill')")
    opened.value.close()
    page.click("#tab-make")
    page.select_option("#make-side", "25")
    page.select_option("#make-symmetry", "mirror")
    assert page.is_disabled("#make-kind option[value=jigsaw]")  # there would be none in time
    page.select_option("#make-side", "9")
    page.select_option("#make-symmetry", "none")
    page.select_option("#make-kind", "killer")
    assert page.is_disabled("#make-side option[value='25']")
    assert page.is_disabled("#make-symmetry option[value=mirror]")


def test_tiles_are_played_by_keys_and_clicks(page: Any, server: Server) -> None:
    visit(page, server, "slide")
    page.fill("#puzzle-board", "1 2 3/4 5 6/0 7 8")
    page.click("text=Show")
    page.wait_for_selector("figcaption:has-text('3×3')")
    page.click("h1")
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector(".status:has-text('1 move;')")
    box = page.locator(".board svg").bounding_box()
    page.mouse.click(box["x"] + 0.82 * box["width"], box["y"] + 0.82 * box["height"])
    page.wait_for_selector("text=In order after 2 moves")


def test_queens_are_placed_and_attacks_seen(page: Any, server: Server) -> None:
    visit(page, server, "queens")
    box = page.locator(".board svg").bounding_box()
    for place in (0.1, 0.2):
        page.mouse.click(box["x"] + place * box["width"], box["y"] + place * box["height"])
        page.wait_for_timeout(300)
    page.wait_for_selector("figcaption:has-text('two queens attack each other')")
    ask(page, "solve")
    page.wait_for_selector("#body-solve .result:has-text('proved that there is none')")
    page.click("#tab-puzzle")
    page.check("#puzzle-torus")  # only what goes with it is offered
    page.click("#tab-solve")
    assert page.is_disabled("#solve-method option[value=local]")
    assert not page.is_disabled("#solve-method option[value=exact]")
    page.click("#tab-anneal")
    page.wait_for_selector("#body-anneal >> text=This cannot be combined with: Edges meet")
    assert page.is_disabled("#body-anneal button.main")


def test_what_needs_no_search_is_answered_at_once(page: Any, server: Server) -> None:
    words = "This takes only seconds: no job is needed."
    later = "#body-solve button:has-text('Keep as a job')"
    visit(page, server, "queens")
    page.click("#tab-solve")
    page.wait_for_selector(f"#body-solve >> text={words}")  # a formula has it
    assert page.is_disabled(later)
    page.fill("#solve-solutions", "all")
    page.press("#solve-solutions", "Tab")
    assert not page.is_disabled(later)
    assert page.is_disabled("#solve-method option[value=local]")
    visit(page, server, "slide")
    page.fill("#puzzle-board", "2 1 3/4 5 6/7 8 0")  # of which the form does not know that nothing can order it
    page.click("#tab-solve")
    page.click(later)
    page.wait_for_selector("#body-solve .fault:has-text('the answer needs no search')")


def test_a_mistyped_address_shows_the_way_home(page: Any, server: Server) -> None:
    page.expected.append("404")
    for path in ("banana", "queens/banana", "jobs/six/banana"):
        visit(page, server, path)
        page.wait_for_selector("h1:has-text('There is no page at this address.')")
    page.click("main a")
    page.wait_for_selector(".cards")


def test_boards_that_are_too_large_for_a_verb_close_it(page: Any, server: Server) -> None:
    visit(page, server, "queens")
    page.click("text=Five hundred")
    page.wait_for_selector("figcaption:has-text('0 of 500')")
    for verb, most in (("count", 32), ("watch", 200)):
        page.click(f"#tab-{verb}")
        page.wait_for_selector(f"#body-{verb} >> text=This cannot be combined with: Queens > {most}")
        assert page.is_disabled(f"#body-{verb} button.main")
    visit(page, server, "decompose")
    page.click("text=K13 into triangles")
    page.wait_for_selector("figcaption:has-text('78 edges')")
    page.click("#tab-matrix")
    page.wait_for_selector("#body-matrix >> text=This cannot be combined with: Symmetry")


def test_what_is_compiled_for_a_question_is_told(page: Any, server: Server) -> None:
    left = '{"compiling": {"left": 3, "parts": 12, "seconds": 6.4}}'
    held: list[Any] = []
    page.route("**/api/compiling/*", lambda route: route.fulfill(body=left, content_type="application/json"))
    page.route("**/ask/solve?*", lambda route: held.append(route))
    visit(page, server, "slide")
    ask(page, "solve")
    page.wait_for_selector("text=Compiling, once on this machine: parts left: 3 of 12, about 7 s")
    held[0].continue_()
    page.wait_for_selector("#body-solve .result:has-text('proved shortest')")


def test_annealing_is_seen_from_its_first_moment(page: Any, server: Server) -> None:
    command = [sys.executable, "-m", "tablero", "queens", "anneal", "300", "--job", "annealed", "--quiet"]
    environment = {**os.environ, "TABLERO_HOME": str(server.home)}
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)  # nobody looks
    visit(page, server, "jobs/annealed")
    page.wait_for_selector(".curves:has-text('trials, logarithmic')")
    curve = page.locator(".curves > div", has_text="Temperature")
    assert curve.locator("path").get_attribute("d").startswith("M0.00 2.00L")  # it begins at the top
    assert page.locator(".curves > div", has_text="Cost").locator("b").inner_text() == "0"


def test_queens_are_placed_by_keys(page: Any, server: Server) -> None:
    visit(page, server, "queens")
    page.wait_for_selector("figcaption:has-text('0 of 8')")
    page.focus(".skip")
    held = page.url
    page.keyboard.press("Enter")  # to the board, and the address stays
    assert page.url == held
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_selector("figcaption:has-text('1 of 8')")
    page.wait_for_selector("text=r2c1: a queen")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=r2c1: blocked")
    assert page.input_value("#puzzle-blocked") == "r2c1"


def test_the_way_to_the_board_keeps_the_puzzle(page: Any, server: Server) -> None:
    visit(page, server, "slide")
    page.click("text=Eight tiles")
    page.wait_for_selector("figcaption:has-text('3×3')")
    page.focus(".skip")
    page.keyboard.press("Enter")
    page.wait_for_timeout(200)
    assert "8%206%207" in page.url
    assert "3×3" in page.inner_text("figcaption")


def test_the_answer_is_that_of_the_puzzle_on_the_board(page: Any, server: Server) -> None:
    page.expected.append("422")
    visit(page, server, "queens")
    page.fill("#puzzle-n", "6")
    ask(page, "count")  # what was typed is shown first
    page.wait_for_selector("#body-count .status:has-text('4 found')", timeout=WAIT)
    assert "0 of 6" in page.inner_text("figcaption")
    assert "%22n%22%3A6" in page.url
    # An example that is on its way: what is asked meanwhile is asked of it.
    page.route("**/show", lambda route: (page.wait_for_timeout(600), route.continue_()))
    page.click("#tab-puzzle")
    page.click("#body-puzzle button:has-text('Five hundred')")
    ask(page, "count")
    page.wait_for_selector("#body-count .fault:has-text('at most 32 queens')", timeout=WAIT)
    page.unroute("**/show")


def slowed(page: Any, path: str, milliseconds: int) -> None:
    """Delay the requests of a path."""
    page.evaluate(
        """([path, pause]) => {
             const real = fetch;
             window.fetch = async (address, options) => {
               if (String(address).includes(path)) await new Promise((done) => setTimeout(done, pause));
               return real(address, options);
             };
           }""",
        [path, milliseconds],
    )


def test_a_result_belongs_to_its_puzzle(page: Any, server: Server) -> None:
    visit(page, server, "queens")
    ask(page, "count")
    page.wait_for_selector("#body-count .result:has-text('92')")
    page.click("#tab-puzzle")
    page.fill("#puzzle-n", "12")
    page.click("#body-puzzle form button.main")
    page.wait_for_selector("figcaption:has-text('of 12')")
    page.click("#tab-count")
    assert page.inner_text("#body-count .result") == "Of the puzzle before"
    with page.expect_download() as saved:
        page.click(".tools >> text=JSON")
    assert "solutions" not in Path(saved.value.path()).read_text(encoding="utf-8")
    page.click("#tab-puzzle")
    page.fill("#puzzle-n", "8")
    page.click("#body-puzzle form button.main")
    page.click("#tab-count")
    page.wait_for_selector("#body-count .result > .status")  # the puzzle is that of the result again


def test_an_answer_that_comes_late_is_dropped(page: Any, server: Server) -> None:
    visit(page, server, "queens")
    slowed(page, "/ask/solve", 1000)
    ask(page, "solve")
    page.click("#tab-puzzle")
    page.fill("#puzzle-n", "12")
    page.click("#body-puzzle form button.main")
    page.wait_for_selector("figcaption:has-text('of 12')")
    board = page.inner_html(".board")
    page.wait_for_timeout(1500)
    assert page.inner_html(".board") == board
    assert page.inner_text("#body-solve .result") == ""


def test_a_page_that_was_kept_goes_on_after_back(page: Any, server: Server) -> None:
    visit(page, server, "jobs")
    for event in ("pagehide", "pageshow"):  # as the browser's cache of pages sends them
        page.evaluate(f"dispatchEvent(new PageTransitionEvent('{event}', {{persisted: true}}))")
    command = [sys.executable, "-m", "tablero", "queens", "solve", "5", "-n", "all", "--job", "later", "--quiet"]
    subprocess.run(command, env={**os.environ, "TABLERO_HOME": str(server.home)}, check=True, stdout=subprocess.DEVNULL)
    page.wait_for_selector("a[href='/jobs/later']")


def test_nine_pages_share_one_stream(page: Any, server: Server) -> None:
    visit(page, server, "queens")
    others = []
    for _ in range(8):
        other = page.context.new_page()
        visit(other, server, "jobs")
        others.append(other)
    ask(page, "count")
    page.wait_for_selector("#body-count .result:has-text('92')")
    for other in others:
        other.wait_for_selector("a[href='/jobs/six']")
        other.close()


def test_what_is_entered_quickly_is_kept(page: Any, server: Server) -> None:
    visit(page, server, "sudoku")
    page.wait_for_selector("figcaption:has-text('53 cells to fill')")
    free = page.evaluate(
        """[...document.querySelector('#puzzle-puzzle').value.replace(/\\s/g, '')].slice(0, 81)
           .map((sign, k) => [sign, k]).filter(([sign]) => !/[1-9]/.test(sign)).map(([, k]) => k).slice(0, 5)"""
    )
    slowed(page, "/families/sudoku/show", 200)
    page.focus(".board")
    at = 0
    for cell in free:
        for _ in range(cell - at):
            page.keyboard.press("ArrowRight")
        at = cell
        page.keyboard.press("5")
        page.wait_for_timeout(80)
    page.wait_for_timeout(2000)
    assert page.evaluate("document.querySelector('#puzzle-filled').value.replaceAll('.', '')") == "55555"


@pytest.mark.parametrize("held", ["null", "5", "[]", "%7B", "%7B%22nothing%22%3A1%7D", "main"])
def test_a_malformed_link_leaves_a_board(page: Any, server: Server, held: str) -> None:
    page.expected.append("422")
    visit(page, server, f"slide#{held}")
    page.wait_for_selector("figcaption:has-text('4×4')")
    assert page.inner_text("#body-puzzle > .fault")
    assert page.locator(".board svg").count() == 1


def test_a_hint_moves_nothing(page: Any, server: Server) -> None:
    visit(page, server, "sudoku")
    page.wait_for_selector(".board svg")
    before = page.locator(".tabs").bounding_box()["y"]
    page.click(".panel >> text=Hint >> nth=0")
    page.wait_for_selector(".says:has-text('is the only place')")
    assert page.locator(".tabs").bounding_box()["y"] == before


def test_a_spreadsheet_is_uploaded(page: Any, server: Server, tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    line = ".42..9.6...3.1..8......7.9.3........9.81..7.3..4......12.4...7.5...2.9......5.8.."
    for k, digit in enumerate(line):
        if digit != ".":
            book.active.cell(k // 9 + 1, k % 9 + 1, int(digit))
    book.save(tmp_path / "board.xlsx")
    visit(page, server, "sudoku")
    page.set_input_files("#upload", tmp_path / "board.xlsx")
    page.wait_for_selector(f"figcaption:has-text('{81 - line.count('.')} clues')")


def test_a_malformed_upload_is_told_in_one_line(page: Any, server: Server, tmp_path: Path) -> None:
    (tmp_path / "bad.xlsx").write_bytes(b"PK\x03\x04 broken")
    page.expected.append("422")
    visit(page, server, "sudoku")
    page.set_input_files("#upload", tmp_path / "bad.xlsx")
    page.wait_for_selector("#body-puzzle .fault:has-text('bad.xlsx')")


def test_errors_stand_at_their_field(page: Any, server: Server) -> None:
    page.expected.append("422")
    visit(page, server, "queens")
    page.fill("#puzzle-n", "0")
    page.click("text=Show")
    page.wait_for_selector("#puzzle-n-fault:has-text('expected a whole number from 1')")
    assert page.get_attribute("#puzzle-n", "aria-invalid") == "true"


def test_hostile_text_is_shown_as_text(page: Any, server: Server) -> None:
    page.expected.append("422")
    visit(page, server, "cover")
    evil = "<img/src=x/onerror=alert(1)>"
    page.fill("#puzzle-problem", f"{evil} b\n\n{evil} b\n")
    page.click("text=Show")
    ask(page, "solve")
    page.wait_for_selector(f"#body-solve .result:has-text('{evil}')")
    assert page.locator("img").count() == 0
    page.goto(f"{server.address}/sudoku#%7B%22puzzle%22%3A%22%3Cscript%3Ealert(1)%3C%2Fscript%3E%22%7D")
    page.wait_for_selector("#body-puzzle .fault:has-text('expected')")


def test_a_job_is_stopped_resumed_and_outlives_the_server(page: Any, server: Server) -> None:
    page.expected += ["ERR_CONNECTION_REFUSED", "ERR_INCOMPLETE_CHUNKED_ENCODING", "Failed to load resource"]
    visit(page, server, "queens")
    page.fill("#puzzle-n", str(LONG))
    page.click("text=Show")
    page.wait_for_selector(f"figcaption:has-text('of {LONG}')")
    page.click("#tab-count")
    page.click("#body-count >> text=Keep as a job")
    page.wait_for_selector("figcaption:has-text('the current board')")  # it is watched where it was started
    page.click("text=Job queens-count-1")
    page.wait_for_url("**/jobs/queens-count-1")
    page.wait_for_selector("figcaption:has-text('the current board')")
    page.wait_for_selector("td:has-text('thread 0')")
    page.wait_for_selector(".pill.running")
    page.click("text=Stop")
    page.wait_for_selector(".pill.stopped")
    page.click("text=Resume")
    page.wait_for_selector(".pill.running")
    page.reload()
    page.wait_for_selector(".pill.running")
    server.kill()  # in mid-search
    page.wait_for_selector("footer .lost")
    server.start()
    page.wait_for_selector("footer .lost", state="detached")  # the page is connected again by itself
    page.wait_for_selector("footer a:has-text('queens-count-1')")
    before = _nodes(page)
    deadline = time.monotonic() + 60
    while _nodes(page) == before and time.monotonic() < deadline:  # the search went on, and still does
        page.wait_for_timeout(200)
    assert _nodes(page) != before
    page.click("text=Stop")
    page.wait_for_selector(".pill.stopped")
    page.wait_for_selector(".log:has-text('queens count')")


def _nodes(page: Any) -> str:
    return str(page.inner_text("dt:has-text('Nodes') + dd >> nth=0"))


def test_a_job_of_the_command_line_appears_by_itself(page: Any, server: Server) -> None:
    visit(page, server, "jobs")
    command = [sys.executable, "-m", "tablero", "queens", "count", "8", "--job", "from-the-shell", "--quiet"]
    subprocess.run(command, env={**os.environ, "TABLERO_HOME": str(server.home)}, check=True, stdout=subprocess.DEVNULL)
    page.wait_for_selector(".wall .card:has-text('from-the-shell'):has-text('92') svg")


def test_the_token_is_demanded(page: Any, tmp_path: Path) -> None:
    page.expected.append("401")
    server = Server(tmp_path, "--token", "a-token-of-some-length")
    try:
        assert server.rest == "?token=a-token-of-some-length"
        page.goto(server.address)
        assert "token" in page.inner_text("body")
        page.goto(f"{server.address}/{server.rest}")
        page.wait_for_selector("body[data-ready=yes]")
        assert "token" not in page.url
        page.goto(f"{server.address}/sudoku")
        page.wait_for_selector("figcaption:has-text('clues')")
        page.goto("about:blank")  # so that nothing is left to complain when the server goes
    finally:
        server.kill()


def test_the_page_in_spanish(page: Any, server: Server) -> None:
    visit(page, server, "sudoku")
    page.click("text=Español")
    page.wait_for_selector("#tab-hint:has-text('Pista')")
    assert page.get_attribute("html", "lang") == "es"
    page.expected.append("422")
    visit(page, server, "cover")
    page.wait_for_selector(".board text:has-text('opciones')")  # a drawing
    page.fill("#puzzle-problem", "a b\n\na z\n")
    page.click("#body-puzzle .main")
    page.wait_for_selector(".fault:has-text(\"el problema:3: elemento desconocido 'z'\")")  # a refusal
    page.fill("#puzzle-problem", "a a\n\na\n")
    page.click("#body-puzzle .main")
    page.wait_for_selector(
        ".fault:has-text(\"el problema:1: el elemento 'a' está declarado dos veces\")"
    )  # a rarer one
    visit(page, server, "queens")
    ask(page, "solve")
    page.wait_for_selector("#body-solve .result:has-text('1 encontrada:')")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_has_a_violation(browser: Any, server: Server, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    context = browser.new_context(viewport={"width": 390, "height": 844}, color_scheme=scheme, locale="en-GB")
    context.set_default_timeout(WAIT)
    page = context.new_page()
    faults = []
    for path in PAGES:
        page.goto(f"{server.address}/{path}")
        page.wait_for_selector("body[data-ready=yes]")
        page.wait_for_timeout(400)
        found = axe.run(page).response["violations"]
        faults += [f"/{path}: {one['id']}: {one['nodes'][0]['html'][:200]}" for one in found]
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"/{path} is wider than the screen"
    context.close()
    assert faults == []


def test_the_server_stops_at_once(tmp_path: Path) -> None:
    server = Server(tmp_path)
    try:
        # Once it answers, it listens to signals too, whatever those who started the tests have made of them.
        with urllib.request.urlopen(f"{server.address}/api/families", timeout=WAIT / 1000) as reply:
            assert reply.status == 200
        server.process.send_signal(signal.SIGINT)
        assert server.process.wait(timeout=WAIT / 1000) in (0, 130)
    finally:
        server.kill()


def test_the_edge_studio(page: Any, server: Server) -> None:
    page.expected.append("422")
    visit(page, server, "edges")

    def at(row: int, column: int) -> tuple[float, float]:
        box = page.locator(".board svg >> nth=0").bounding_box()  # it may have been scrolled
        share = box["width"] / 3.3
        return box["x"] + (0.65 + column) * share, box["y"] + (0.65 + row) * share

    before = page.inner_text(".status >> nth=0")
    page.mouse.move(*at(0, 0))
    page.mouse.down()
    page.mouse.move(*at(1, 1))
    page.mouse.up()
    page.wait_for_selector("figcaption:has-text('joins match')")
    held = page.url
    page.mouse.click(*at(2, 2))
    page.mouse.click(*at(2, 2))  # it turns
    page.wait_for_url(lambda url: url != held)
    page.click("text=Undo")
    page.wait_for_url(held)
    page.click("text=Undo")
    page.wait_for_selector(f".status:has-text('{before}')")
    ask(page, "solve")
    page.click("text=Lay it on the board")
    page.wait_for_selector("figcaption:has-text('12 of 12 joins match')")
    page.mouse.click(*at(0, 0))
    page.click("text=Pin")
    page.wait_for_url(re.compile("r1c1"))
    ask(page, "count")
    page.wait_for_selector("#body-count .result:has-text('found: these are all')")


@pytest.mark.parametrize(
    ("family", "verb"), [("cover", "trace"), ("edges", "trace"), ("queens", "watch"), ("slide", "solve")]
)
def test_what_is_played_runs_in_its_sandbox(page: Any, server: Server, family: str, verb: str) -> None:
    visit(page, server, family)
    if family == "slide":
        page.click("text=Eight tiles")
        page.wait_for_selector("figcaption:has-text('3×3')")
    ask(page, verb)
    frame = page.frame_locator("iframe.play")
    frame.locator("#on:enabled, #back:enabled").first.click()  # what plays by itself may be at its end by then
    address = page.get_attribute("iframe.play", "src")
    reply = page.request.get(server.address + address)
    assert "sandbox allow-scripts" in reply.headers["content-security-policy"]
    assert (
        "'unsafe-inline'" not in reply.headers["content-security-policy"].partition("script-src")[2].partition(";")[0]
    )


def test_parts_stand_out_and_a_task_is_saved_and_loaded(page: Any, server: Server, tmp_path: Path) -> None:
    visit(page, server, "decompose")
    page.wait_for_function("document.querySelector('#puzzle-conditions').value.startsWith('[(0,1)')")  # those found
    ask(page, "solve")
    page.focus(".parts button >> nth=1")
    page.wait_for_selector("text=Part 2: 0-")
    lit = page.locator(".board line[opacity='1']").count()
    assert 0 < lit < page.locator(".board line").count()
    page.click("#tab-puzzle")
    page.fill("#puzzle-host", "K6")
    page.click("text=Show")
    page.wait_for_selector("figcaption:has-text('15 edges')")
    ask(page, "matrix")
    with page.expect_download() as saved:
        page.click("text=Save the task")
    saved.value.save_as(tmp_path / "six.task")
    visit(page, server, "decompose")
    page.set_input_files("#upload", tmp_path / "six.task")
    page.wait_for_selector("figcaption:has-text('15 edges')")
    assert page.input_value("#puzzle-host") == "K6"


def test_the_warehouse_is_played(page: Any, server: Server) -> None:
    visit(page, server, "warehouse")
    page.click("text=Four to a block")
    page.wait_for_selector("figcaption:has-text('4×4')")
    page.focus(".board")
    page.keyboard.press("n")
    page.keyboard.press("ArrowUp")
    page.wait_for_selector(".status:has-text('1 move, the bound is 64')")
    box = page.locator(".board svg >> nth=0").bounding_box()
    page.mouse.click(box["x"] + 0.9 * box["width"], box["y"] + 0.1 * box["height"])
    page.wait_for_selector(".status:has-text('3 moves')")
    page.keyboard.press("Control+z")
    page.wait_for_selector(".status:has-text('1 move,')")
    with page.expect_download() as saved:
        page.click("text=PDF")
    assert Path(saved.value.path()).read_bytes().startswith(b"%PDF")


def test_optimising_is_watched_where_it_was_started(page: Any, server: Server) -> None:
    visit(page, server, "edges")
    page.click("#tab-make")
    page.fill("#make-size", "12")  # not solved at once
    page.fill("#make-colours", "9")
    ask(page, "make")
    page.wait_for_selector("figcaption:has-text('144 pieces')")
    page.click("#tab-optimise")
    page.click("#body-optimise >> text=Keep as a job")
    page.wait_for_selector(".curves:has-text('Score of')")  # the board is shown, and the curve has begun
    if page.locator("#body-optimise .pill.running").count():
        page.click("#body-optimise >> text=Stop")
    page.wait_for_selector("#body-optimise .pill:is(.stopped, .finished)")
    page.click("text=Lay it on the board")
    page.wait_for_selector("figcaption:has-text('of 264 joins match')")

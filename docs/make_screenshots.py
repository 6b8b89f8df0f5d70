"""Take pictures of the web page: `make screenshots` writes every page light, dark and 390 pixels wide to docs/images/web.

python docs/make_screenshots.py jobs jobs/pieces        these pages only
"""

from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import sync_playwright

FOLDER = Path(__file__).parent / "images" / "web"
PAGES = [
    "",
    "cover",
    "decompose",
    "edges",
    "queens",
    "slide",
    "warehouse",
    "sudoku",
    "sudoku/guide",
    "sudoku/guide/x-wing",
]
PAGES += ["jobs", "jobs/queens-8", "jobs/annealed", "jobs/pieces"]
EMPTY = ".wall .card:not(:has(svg)), figure:not(:has(svg))"
COLOURS = 200  # of a picture: they are kept in the repository, and should be small
LOOKS = {"light": (1200, 900, "light"), "dark": (1200, 900, "dark"), "narrow": (390, 844, "light")}
# What is asked for on a page before its picture is taken: a verb, and what then appears.
ASKED = {
    "cover": ("solve", ".result .status"),
    "decompose": ("solve", ".result .status"),
    "edges": ("solve", ".result .status"),
    "queens": ("solve", ".result .status"),
    "slide": ("solve", "iframe.play"),
    "warehouse": ("solve", "iframe.play"),
    "sudoku": ("steps", ".result .steps button[aria-current=true]"),
}


def shoot(browser: Any, address: str) -> None:
    for look, (width, height, scheme) in LOOKS.items():
        context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme, locale="en-GB")
        context.set_default_timeout(180_000)
        page = context.new_page()
        for path in sys.argv[1:] or PAGES:
            page.goto(f"{address}{path}")
            page.wait_for_selector("body[data-ready=yes]")
            if path in ASKED:
                verb, appears = ASKED[path]
                page.click(f"#tab-{verb}")
                page.click(f"#body-{verb} form button.main")
                page.wait_for_selector(appears)
            if path.startswith("jobs"):
                page.wait_for_selector(EMPTY, state="detached")  # boards of jobs come one after another
            page.wait_for_timeout(5000 if path.startswith("jobs/") else 500)
            page.evaluate("scrollTo(0, 0)")
            save(page.screenshot(), FOLDER / f"{(path or 'home').replace('/', '-')}-{look}.png")
        context.close()


def save(picture: bytes, path: Path) -> None:
    """With few colours, which is a third of the size and looks the same."""
    image = Image.open(io.BytesIO(picture)).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    image.save(path, optimize=True)


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "TABLERO_HOME": home}
        tablero = [sys.executable, "-m", "tablero"]
        for asked in ("solve 8 -n all --job queens-8", "anneal 3000 --job annealed"):
            job = [*tablero, "queens", *asked.split(), "--quiet"]
            subprocess.run(job, env=environment, check=True, stdout=subprocess.DEVNULL)
        # One that runs while the pictures are taken, and never ends: its board shows where it stands.
        pieces = Path(home) / "pieces.txt"
        subprocess.run(
            [*tablero, "edges", "generate", "10", "--colours", "8", "-o", str(pieces)], env=environment, check=True
        )
        search = [*tablero, "edges", "solve", str(pieces), "-n", "all", "--job", "pieces", "--quiet"]
        running = subprocess.Popen(search, env=environment, stdout=subprocess.DEVNULL)
        server = subprocess.Popen(
            [*tablero, "serve", "--port", "0"], env=environment, stdout=subprocess.PIPE, text=True
        )
        try:
            assert server.stdout is not None
            reported = re.search(r"http://\S+", server.stdout.readline())
            assert reported
            with sync_playwright() as playwright:
                arguments = ["--no-sandbox", "--disable-background-networking"]
                browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=arguments)
                shoot(browser, reported[0])
                browser.close()
        finally:
            for process in (server, running):
                process.terminate()
                process.wait()


if __name__ == "__main__":
    main()

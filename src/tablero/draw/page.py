"""The shell of every page that is written to a file: one style, light and dark, and one bar that plays and steps.

    shell     title, summary, what is below, the script and its data: one file that needs no other
    bar       the place among all, keys for back and on, a slider; where it plays, also speed

A script that has a bar calls `playBar({total, go, rate, each, word})`:

    total     places are 0 … total
    go        shows a place; its second argument tells whether the step before it is to be seen (one step, or slow play)
    rate      places a second for a speed of 0 … 1
    each      called at every frame with the seconds since the last and the rate, for what moves between places
    word      of the place in the page's address, as in page.html#step=7

and gets back `{go, play, pause, place}`.  Pictures that were made for paper lie on paper (`class="paper"`), in the dark too.
"""

from __future__ import annotations

import json
import re
from html import escape
from typing import Any

LOOK = """:root { color-scheme: light dark; --page: #fafaf7; --card: #fff; --ink: #1f2430; --soft: #5d6472; --line: #e4e2da;
        --accent: #2a6f97; --on-accent: #fff; --well: #ece9df; --mark: #e3eef4; --bad: #b3261e; --good: #2d7d46 }
@media (prefers-color-scheme: dark) {
  :root { --page: #15181e; --card: #1e222a; --ink: #e8e6e0; --soft: #a9b0bd; --line: #39404d; --accent: #7cc0e8;
          --on-accent: #10202c; --well: #2a2f38; --mark: #24384a; --bad: #ff8a80; --good: #7fd39a }
}
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--page); margin: 0 }
header, main { max-width: var(--wide); margin: 1.2rem auto; padding: 0 1rem }
h1 { font-size: 1.35rem; margin: 0 } header p { margin: .2rem 0 0; color: var(--soft); overflow-wrap: anywhere }
.two { display: grid; gap: 1.4rem; grid-template-columns: minmax(0, var(--left)) minmax(15rem, 1fr); align-items: start }
.card, .paper { border: 1px solid var(--line); border-radius: 12px; padding: 1rem 1.2rem; overflow: auto }
.card { background: var(--card) } .card + .card { margin-top: 1rem }
.paper { background: #fff; color: #1f2430; color-scheme: light } .paper svg { width: 100%; height: auto; display: block }
canvas { width: 100%; display: block }
.count { font-variant-numeric: tabular-nums; margin: 0 0 .4rem } .count b { font-size: 1.5rem }
.name { font-weight: 650; font-size: 1.1rem } .note { color: var(--soft); font-weight: 400; font-size: .95rem }
.words { margin: .2rem 0 0; min-height: 4.5em }
.keys { display: flex; gap: .4rem; margin: .6rem 0 .4rem } .keys button { flex: 1; padding: .45rem 0 }
button { font: inherit; color: var(--ink); background: var(--card); border: 1px solid var(--line); border-radius: 8px;
         cursor: pointer }
button:hover { border-color: var(--accent) } button:disabled { opacity: .45; cursor: default }
.keys button.play { background: var(--accent); color: var(--on-accent); flex: 1.6 }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
input[type=range] { width: 100%; accent-color: var(--accent) }
label { display: flex; gap: .6rem; align-items: center; color: var(--soft); font-size: .9rem; white-space: nowrap }
@media (max-width: 52rem) { .two { grid-template-columns: minmax(0, 1fr) } .words { min-height: 0 } }
"""

_BAR = """<p class="count"><b id="at">0</b> of <span id="all"></span> @UNIT@
<span class="note">· the arrow keys step</span></p>
<div class="keys"><button id="first" title="to the start (Home)" aria-label="to the start">|◀</button>
<button id="back" title="one back (←)" aria-label="one back">◀</button>@PLAY@
<button id="on" title="one on (→)" aria-label="one on">▶</button>
<button id="last" title="to the end (End)" aria-label="to the end">▶|</button></div>
<input id="scrub" type="range" min="0" value="0" aria-label="position">@SPEED@
"""
_PLAY = '\n<button id="play" class="play" title="play and pause (space)">play</button>'
_SPEED = '\n<label>speed <input id="speed" type="range" min="0" max="100" value="40"></label>'

_BAR_SCRIPT = """"use strict";
const $ = id => document.getElementById(id);
function playBar({total, go, rate = () => 1, each = () => {}, word = "step"}) {
  let at = 0, playing = false, then = 0, owed = 0;
  function show(place, seen) {
    at = Math.max(0, Math.min(total, place));
    go(at, seen);
    $("at").textContent = at.toLocaleString("en"); $("scrub").value = at;
    $("first").disabled = $("back").disabled = at === 0; $("on").disabled = $("last").disabled = at === total;
    if ($("play") && !playing) $("play").textContent = at === total && total ? "again" : "play";
  }
  function pause() { playing = false; if ($("play")) $("play").textContent = at === total && total ? "again" : "play"; }
  function play() {
    if (at === total) show(0, false);
    playing = true; owed = 0; $("play").textContent = "pause";
  }
  function jump(place, seen = false) { pause(); show(place, seen); }
  function frame(now) {
    const passed = Math.min(.2, (now - then) / 1000), speed = rate(Number($("speed").value) / 100); then = now;
    if (playing) {
      owed += passed * speed;
      const whole = Math.min(Math.floor(owed), total - at);
      if (whole > 0) { owed -= whole; show(at + whole, speed < 30); }
      if (at === total) pause();
    }
    each(passed, speed);
    requestAnimationFrame(frame);
  }
  $("all").textContent = total.toLocaleString("en"); $("scrub").max = total;
  $("first").onclick = () => jump(0); $("last").onclick = () => jump(total);
  $("back").onclick = () => jump(at - 1, true); $("on").onclick = () => jump(at + 1, true);
  $("scrub").oninput = event => jump(Number(event.target.value));
  if ($("play")) { $("play").onclick = () => playing ? pause() : play(); requestAnimationFrame(frame); }
  addEventListener("keydown", event => {
    if (event.target.type === "range" || event.ctrlKey || event.altKey || event.metaKey) return;
    const keys = {ArrowRight: () => jump(at + 1, true), ArrowLeft: () => jump(at - 1, true), Home: () => jump(0),
                  End: () => jump(total)};
    if ($("play") && event.target.tagName !== "BUTTON") keys[" "] = () => playing ? pause() : play();
    if (keys[event.key]) { event.preventDefault(); keys[event.key](); }
  });
  const asked = () => Number(new URLSearchParams(location.hash.slice(1)).get(word)) || 0;
  addEventListener("hashchange", () => jump(asked()));
  show(asked(), false);
  return {go: jump, play, pause, place: () => at};
}
"""


def bar(unit: str = "", plays: bool = True) -> str:
    """The keys of a page; `unit` is what is counted."""
    return _filled(_BAR, {"UNIT": escape(unit), "PLAY": _PLAY if plays else "", "SPEED": _SPEED if plays else ""})


def shell(
    title: str,
    summary: str,
    body: str,
    *,
    script: str = "",
    data: Any = None,
    style: str = "",
    wide: str = "64rem",
    left: str = "38rem",
) -> str:
    """A page as HTML.  The script finds `data` as D; `wide` is the page's width, `left` that of the first of two columns."""
    known = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    known = known.replace("<", "\\u003c")  # nothing in it ends the script
    parts = {
        "TITLE": escape(title),
        "SUMMARY": escape(summary),
        "STYLE": LOOK + style,
        "WIDE": wide,
        "LEFT": left,
        "BODY": body,
        "SCRIPT": f"<script>\n{_BAR_SCRIPT}const D = {known};\n{script}</script>" if script else "",
    }
    return _filled(_PAGE, parts)


def in_notebook(html: str) -> str:
    """A page inside another one: its style and its script stay its own."""
    return f'<iframe srcdoc="{escape(html)}" style="width: 100%; height: 720px; border: 0"></iframe>'


def _filled(text: str, parts: dict[str, str]) -> str:
    """All marks in one go: what is filled in is never looked at again."""
    return re.sub("@([A-Z]+)@", lambda mark: parts[mark[1]], text)


_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>@TITLE@</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
@STYLE@:root { --wide: @WIDE@; --left: @LEFT@ }
</style></head><body>
<header><h1>@TITLE@</h1><p>@SUMMARY@</p></header>
<main>
@BODY@
</main>
@SCRIPT@
</body></html>
"""

"""A page that steps and plays through moves on a grid, with a remark on each.  It knows no puzzle.

    cell      counted row by row from 0; a number stands on it, or 0 for nothing
    step      what stands on a cell goes to a neighbour: the cell, and one of N, S, E, W
    note      a remark that holds for so many steps in a row
    piece     some hundred steps, packed as text

The page is one file and needs nothing from elsewhere.  Steps stay packed: about a byte each, and only the piece that is
played is unpacked.  A piece is read from left to right: `@k.` stands for the cell (in base 36) from where the next step is
made, `!k.` for the remark that holds from there, and a number and a letter for so many steps that way, each from where
the last one ended.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import groupby

PIECE = 512  # steps


@dataclass(frozen=True)
class Show:
    """What a page shows."""

    title: str
    rows: int
    columns: int
    cells: Sequence[int]
    goal: Sequence[int]  # what shall stand on each cell: colours go by it
    directions: str  # of the steps
    notes: Sequence[tuple[int, int]]  # remark, steps
    remarks: dict[int, tuple[str, str]]  # a word, and a sentence
    sources: Sequence[int] | None = None  # of the steps; None: there is one empty cell, and it goes that way
    floor: Sequence[int] = field(default=())  # cells that are drawn darker
    walls: Sequence[int] = field(default=())
    summary: str = ""


def page(show: Show) -> str:
    """The page as HTML."""
    data = {
        "rows": show.rows,
        "columns": show.columns,
        "cells": list(show.cells),
        "goal": list(show.goal),
        "total": len(show.directions),
        "size": PIECE,
        "hole": show.sources is None,
        "pieces": pieces(show),
        "tally": _tally(show.notes),
        "remarks": {str(k): list(words) for k, words in show.remarks.items()},
        "floor": list(show.floor),
        "walls": list(show.walls),
    }
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")
    return (
        _PAGE.replace("@TITLE@", escape(show.title)).replace("@SUMMARY@", escape(show.summary)).replace("@DATA@", text)
    )


def pieces(show: Show) -> list[str]:
    """The steps, packed; see the head of this module."""
    step = {"N": -show.columns, "S": show.columns, "E": 1, "W": -1}
    remarks = [remark for remark, count in show.notes for _ in range(count)]
    hole = next((k for k, tile in enumerate(show.cells) if not tile), 0)
    found = []
    for begin in range(0, len(show.directions), PIECE):
        words: list[tuple[str, str]] = []
        place, remark = -1, None
        for k in range(begin, min(begin + PIECE, len(show.directions))):
            if remarks[k] != remark:
                remark = remarks[k]
                words.append(("", f"!{_base36(remark)}."))
            source = hole if show.sources is None else int(show.sources[k])
            if source != place:
                words.append(("", f"@{_base36(source)}."))
            hole = place = source + step[show.directions[k]]
            words.append((show.directions[k], ""))
        packed = []
        for (way, other), run in groupby(words):
            count = sum(1 for _ in run)
            packed.append(other if other else f"{count if count > 1 else ''}{way}")
        found.append("".join(packed))
    return found


def _base36(number: int) -> str:
    digits = "0123456789abcdefghijklmnopqrstuvwxyz"
    found = ""
    while number >= 36:
        number, digit = divmod(number, 36)
        found = digits[digit] + found
    return digits[number] + found


def _tally(notes: Sequence[tuple[int, int]]) -> list[list[int]]:
    """How many steps each remark holds for."""
    found: dict[int, int] = {}
    for remark, count in notes:
        found[remark] = found.get(remark, 0) + count
    return [list(pair) for pair in found.items()]


def in_notebook(html: str, height: int = 720) -> str:
    """A page inside another one: its style and its script stay its own."""
    return f'<iframe srcdoc="{escape(html)}" style="width: 100%; height: {height}px; border: 0"></iframe>'


_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>@TITLE@</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
:root { --ink: #1f2430; --soft: #6b7280; --line: #e4e2da; --accent: #2a6f97 }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: #fafaf7; margin: 0 }
main { max-width: 60rem; margin: 1.5rem auto; padding: 0 1rem; display: grid; gap: 1.4rem;
       grid-template-columns: minmax(0, 34rem) minmax(15rem, 1fr); align-items: start }
h1 { font-size: 1.35rem; margin: 1.2rem auto 0; max-width: 60rem; padding: 0 1rem }
h1 + p { max-width: 60rem; margin: .2rem auto 0; padding: 0 1rem; color: var(--soft) }
canvas { width: 100%; display: block; border-radius: 12px; background: #ece9df; touch-action: none }
.card { background: #fff; border: 1px solid var(--line); border-radius: 12px; padding: 1rem 1.2rem }
.rule { font-weight: 650; font-size: 1.1rem } .words { color: var(--soft); min-height: 4.5em; margin: .2rem 0 0 }
.count { font-variant-numeric: tabular-nums; margin: 0 0 .6rem } .count b { font-size: 1.5rem }
.keys { display: flex; gap: .4rem; margin: .9rem 0 .4rem }
button { flex: 1; font: inherit; padding: .45rem 0; border: 1px solid var(--line); border-radius: 8px; background: #fff;
         color: var(--ink); cursor: pointer }
button:hover { border-color: var(--accent) } button.play { background: var(--accent); color: #fff; flex: 1.6 }
input[type=range] { width: 100%; accent-color: var(--accent) }
label { display: flex; gap: .6rem; align-items: center; color: var(--soft); font-size: .9rem; white-space: nowrap }
table { border-collapse: collapse; width: 100%; font-size: .9rem } td { padding: .15rem 0 } td + td { text-align: right;
        font-variant-numeric: tabular-nums } tr.now td { color: var(--accent); font-weight: 650 }
@media (max-width: 50rem) { main { grid-template-columns: 1fr } }
</style></head><body>
<h1>@TITLE@</h1><p>@SUMMARY@</p>
<main>
<canvas id="board" role="img" aria-label="the board"></canvas>
<div>
<div class="card">
<p class="count"><b id="at">0</b> of <span id="all"></span> moves</p>
<div class="rule" id="rule"></div><p class="words" id="words"></p>
<div class="keys"><button id="first" title="to the start (Home)">|◀</button><button id="back" title="one back (←)">◀</button>
<button id="play" class="play" title="play and pause (space)">play</button><button id="on" title="one on (→)">▶</button>
<button id="last" title="to the end (End)">▶|</button></div>
<input id="scrub" type="range" min="0" value="0" aria-label="position">
<label>speed <input id="speed" type="range" min="0" max="100" value="35"></label>
</div>
<div class="card" style="margin-top: 1rem"><table id="tally"></table></div>
</div>
</main>
<script>
const D = @DATA@;
const STEP = {N: -D.columns, S: D.columns, E: 1, W: -1}, total = D.total;
const cells = Int32Array.from(D.cells), home = new Map(), names = Object.keys(D.remarks);
D.goal.forEach((tile, cell) => { if (tile && !home.has(tile)) home.set(tile, cell); });
const digits = String(Math.max(...D.goal)).length, walls = new Set(D.walls);
// The one piece that is unpacked.
const from = new Int32Array(D.size), to = new Int32Array(D.size), note = new Uint8Array(D.size);
let piece = -1;
function unpack(k) {  // the place of step k in its piece
  const wanted = Math.floor(k / D.size);
  if (wanted !== piece) {
    piece = wanted;
    let place = 0, remark = 0, n = 0;
    for (const [, cell, rule, count, way] of D.pieces[piece].matchAll(/@(\\w+)\\.|!(\\w+)\\.|(\\d*)([NSEW])/g)) {
      if (cell) place = parseInt(cell, 36);
      else if (rule) remark = names.indexOf(String(parseInt(rule, 36)));
      else for (let left = Number(count || 1); left > 0; left--) {
        const next = place + STEP[way];
        // Of one empty cell the way is told that it goes, and the tile goes the other way.
        from[n] = D.hole ? next : place; to[n] = D.hole ? place : next; note[n++] = remark; place = next;
      }
    }
  }
  return k % D.size;
}
const floor = new Set(D.floor), $ = id => document.getElementById(id);
const canvas = $("board"), ctx = canvas.getContext("2d");
let at = 0, playing = false, shift = 0, moving = null, then = 0, owed = 0;
function colour(tile, here) {
  const cell = home.get(tile), row = Math.floor(cell / D.columns), column = cell % D.columns;
  const hue = 205 - 185 * row / Math.max(1, D.rows - 1), deep = 46 + 12 * column / Math.max(1, D.columns - 1);
  return here ? [`hsl(${hue} 52% ${deep}%)`, "#fff"] : [`hsl(${hue} 45% 88%)`, "#39414f"];
}
function draw() {
  const size = canvas.clientWidth, ratio = devicePixelRatio || 1, side = size / D.columns, height = side * D.rows;
  if (canvas.width !== Math.round(size * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(size * ratio); canvas.height = Math.round(height * ratio);
    canvas.style.height = height + "px";
  }
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0); ctx.clearRect(0, 0, size, height);
  ctx.fillStyle = "#d9d5c7";
  for (const cell of floor) ctx.fillRect(cell % D.columns * side, Math.floor(cell / D.columns) * side, side + .5, side + .5);
  ctx.textAlign = "center"; ctx.textBaseline = "middle";
  ctx.fillStyle = "#4a4438";
  for (const cell of walls) ctx.fillRect(cell % D.columns * side, Math.floor(cell / D.columns) * side, side + .5, side + .5);
  const gap = side > 12 ? side * .04 : .25;
  ctx.font = `600 ${side * Math.min(.46, 1.25 / (digits + .6))}px system-ui, sans-serif`;
  for (let cell = 0; cell < cells.length; cell++) {
    const tile = cells[cell];
    if (!tile) continue;
    let x = cell % D.columns, y = Math.floor(cell / D.columns);
    if (moving && moving.to === cell) {
      x += (moving.from % D.columns - x) * (1 - shift); y += (Math.floor(moving.from / D.columns) - y) * (1 - shift);
    }
    const [fill, ink] = colour(tile, D.goal[cell] === tile);
    ctx.fillStyle = fill; ctx.beginPath();
    ctx.roundRect(x * side + gap, y * side + gap, side - 2 * gap, side - 2 * gap, side * .12); ctx.fill();
    if (moving && moving.to === cell) {
      ctx.strokeStyle = "#1f2430"; ctx.lineWidth = Math.max(1, side * .035); ctx.stroke();
    }
    if (side > 14) { ctx.fillStyle = ink; ctx.fillText(tile, (x + .5) * side, (y + .53) * side); }
  }
}
function make(k, undo) {
  k = unpack(k);
  const a = undo ? to[k] : from[k], b = undo ? from[k] : to[k];
  cells[b] = cells[a]; cells[a] = 0; moving = {from: a, to: b};
}
function jump(where) {
  while (at < where) make(at++, false);
  while (at > where) make(--at, true);
  shift = 1; tell();
}
function tell() {
  $("at").textContent = at.toLocaleString("en"); $("scrub").value = at;
  const k = at ? note[unpack(at - 1)] : -1;
  $("rule").textContent = k < 0 ? "the start" : D.remarks[names[k]][0] || "a move";
  $("words").textContent = k < 0 ? "Press play, or step with the arrow keys." : D.remarks[names[k]][1];
  document.querySelectorAll("#tally tr").forEach(row => row.classList.toggle("now", Number(row.dataset.k) === k));
  draw();
}
function frame(now) {
  const passed = Math.min(.1, (now - then) / 1000); then = now;
  const rate = 1.2 * Math.pow(Math.max(60, total / 12), $("speed").value / 100);
  if (playing) {
    owed += passed * rate;
    const whole = Math.min(Math.floor(owed), total - at);
    if (whole > 0) { owed -= whole; jump(at + whole); if (rate < 30) shift = 0; }
    if (at === total) pause();
  }
  if (shift < 1) { shift = Math.min(1, shift + passed * Math.max(5, rate * 1.2)); draw(); }
  requestAnimationFrame(frame);
}
function pause() { playing = false; $("play").textContent = at === total ? "again" : "play"; }
function toggle() {
  if (at === total) jump(0);
  playing = !playing; owed = 1; $("play").textContent = playing ? "pause" : "play";
}
function step(by) { pause(); jump(Math.max(0, Math.min(total, at + by))); shift = 0; }
$("all").textContent = total.toLocaleString("en"); $("scrub").max = total;
$("first").onclick = () => { pause(); jump(0); moving = null; tell(); };
$("last").onclick = () => { pause(); jump(total); };
$("back").onclick = () => step(-1); $("on").onclick = () => step(1); $("play").onclick = toggle;
$("scrub").oninput = event => { pause(); jump(Number(event.target.value)); };
addEventListener("keydown", event => {
  const keys = {ArrowRight: () => step(1), ArrowLeft: () => step(-1), " ": toggle, Home: () => $("first").onclick(),
                End: () => $("last").onclick()};
  if (keys[event.key] && event.target.type !== "range") { event.preventDefault(); keys[event.key](); }
});
addEventListener("resize", draw);
for (const [rule, count] of D.tally) {
  const row = $("tally").insertRow();
  row.dataset.k = names.indexOf(String(rule)); row.insertCell().textContent = D.remarks[rule][0] || "moves";
  row.insertCell().textContent = count.toLocaleString("en");
}
const wanted = Number(new URLSearchParams(location.hash.slice(1)).get("move") || 0);
jump(Math.min(total, wanted)); requestAnimationFrame(frame);
</script></body></html>
"""

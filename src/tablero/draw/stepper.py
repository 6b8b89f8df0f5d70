"""A page that steps and plays through the states of a picture, with a remark on each.  It knows no puzzle.

    picture   an SVG whose parts have names (id)
    frame     the look of the picture at one step: classes for parts, words for texts; what is not named looks as drawn

The page is one file and needs nothing from elsewhere.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape


@dataclass(frozen=True)
class Frame:
    """One step: what it is called, what is to be said of it, and how the picture looks."""

    name: str
    words: str
    depth: int
    classes: Mapping[str, Sequence[str]] = field(default_factory=dict)  # a class, and the parts that have it
    texts: Mapping[str, str] = field(default_factory=dict)  # a text's name, and what it says now


def page(title: str, summary: str, picture: str, style: str, frames: Sequence[Frame]) -> str:
    """The page as HTML; `style` are rules for the classes of the picture's parts."""
    data = [
        [frame.name, frame.words, frame.depth, {k: list(v) for k, v in frame.classes.items()}, dict(frame.texts)]
        for frame in frames
    ]
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")
    parts = {"@TITLE@": escape(title), "@SUMMARY@": escape(summary), "@STYLE@": style, "@PICTURE@": picture}
    out = _PAGE
    for mark, part in parts.items():
        out = out.replace(mark, part)
    return out.replace("@DATA@", text)


_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>@TITLE@</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
:root { --ink: #1f2430; --soft: #6b7280; --line: #e4e2da; --accent: #2a6f97; --bad: #b3261e; --good: #2d7d46 }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: #fafaf7; margin: 0 }
main { max-width: 72rem; margin: 1.2rem auto; padding: 0 1rem; display: grid; gap: 1.4rem;
       grid-template-columns: minmax(0, 1fr) 22rem; align-items: start }
h1 { font-size: 1.35rem; margin: 1.2rem auto 0; max-width: 72rem; padding: 0 1rem }
h1 + p { max-width: 72rem; margin: .2rem auto 0; padding: 0 1rem; color: var(--soft) }
#picture svg { width: 100%; height: auto; max-height: 80vh; display: block }
.card { background: #fff; border: 1px solid var(--line); border-radius: 12px; padding: 1rem 1.2rem; overflow: auto }
.rule { font-weight: 650; font-size: 1.1rem } .words { min-height: 4.5em; margin: .2rem 0 0 }
.count { font-variant-numeric: tabular-nums; margin: 0 0 .6rem } .count b { font-size: 1.5rem }
.keys { display: flex; gap: .4rem; margin: .9rem 0 .4rem }
button { flex: 1; font: inherit; padding: .45rem 0; border: 1px solid var(--line); border-radius: 8px; background: #fff;
         color: var(--ink); cursor: pointer }
button:hover { border-color: var(--accent) } button.play { background: var(--accent); color: #fff; flex: 1.6 }
input[type=range] { width: 100%; accent-color: var(--accent) }
label { display: flex; gap: .6rem; align-items: center; color: var(--soft); font-size: .9rem; white-space: nowrap }
canvas { width: 100%; height: 7rem; display: block }
@media (max-width: 56rem) { main { grid-template-columns: 1fr } }
@STYLE@
</style></head><body>
<h1>@TITLE@</h1><p>@SUMMARY@</p>
<main>
<div class="card" id="picture">@PICTURE@</div>
<div>
<div class="card">
<p class="count">step <b id="at">0</b> of <span id="all"></span></p>
<div class="rule" id="rule"></div><p class="words" id="words" aria-live="polite"></p>
<div class="keys"><button id="first" title="to the start (Home)">|◀</button><button id="back" title="one back (←)">◀</button>
<button id="play" class="play" title="play and pause (space)">play</button><button id="on" title="one on (→)">▶</button>
<button id="last" title="to the end (End)">▶|</button></div>
<input id="scrub" type="range" min="0" value="0" aria-label="position">
<label>speed <input id="speed" type="range" min="0" max="100" value="40"></label>
</div>
<div class="card" style="margin-top: 1rem">
<canvas id="depths" role="img" aria-label="how deep the search stands"></canvas></div>
</div>
</main>
<script>
const D = @DATA@, total = D.length - 1, $ = id => document.getElementById(id);
const drawn = new Map();
let at = 0, playing = false, then = 0, owed = 0, touched = [];
function dress(frame) {
  for (const part of touched) { part.removeAttribute("class"); if (drawn.has(part)) part.textContent = drawn.get(part); }
  touched = [];
  for (const [name, ids] of Object.entries(frame[3])) for (const id of ids) {
    const part = $(id); if (part) { part.classList.add(name); touched.push(part); }
  }
  for (const [id, words] of Object.entries(frame[4])) {
    const part = $(id);
    if (part) { if (!drawn.has(part)) drawn.set(part, part.textContent); part.textContent = words; touched.push(part); }
  }
}
function depths() {
  const canvas = $("depths"), ctx = canvas.getContext("2d"), ratio = devicePixelRatio || 1;
  const width = canvas.clientWidth, height = canvas.clientHeight;
  canvas.width = width * ratio; canvas.height = height * ratio; ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  const most = Math.max(1, ...D.map(frame => frame[2])), from = Math.max(0, Math.min(at - 60, total - 120));
  const shown = Math.min(120, total), x = k => 4 + (width - 8) * (k - from) / Math.max(1, shown);
  const y = depth => height - 14 - (height - 24) * depth / most;
  ctx.strokeStyle = "#2a6f97"; ctx.lineWidth = 1.6; ctx.beginPath();
  for (let k = from; k <= Math.min(total, from + shown); k++) ctx.lineTo(x(k), y(D[k][2]));
  ctx.stroke(); ctx.fillStyle = "#d00000"; ctx.beginPath(); ctx.arc(x(at), y(D[at][2]), 4, 0, 7); ctx.fill();
  ctx.fillStyle = "#6b7280"; ctx.font = "11px system-ui, sans-serif"; ctx.fillText("how deep, step by step", 4, height - 2);
}
function show(where) {
  at = Math.max(0, Math.min(total, where)); dress(D[at]);
  $("at").textContent = at; $("scrub").value = at; $("rule").textContent = D[at][0]; $("words").textContent = D[at][1];
  depths();
}
function frame(now) {
  const passed = Math.min(.2, (now - then) / 1000); then = now;
  if (playing) {
    owed += passed * .7 * Math.pow(60, $("speed").value / 100);
    const whole = Math.floor(owed);
    if (whole > 0) { owed -= whole; show(at + whole); }
    if (at === total) pause();
  }
  requestAnimationFrame(frame);
}
function pause() { playing = false; $("play").textContent = at === total ? "again" : "play"; }
function toggle() {
  if (at === total) show(0);
  playing = !playing; owed = 0; $("play").textContent = playing ? "pause" : "play";
}
function step(by) { pause(); show(at + by); }
$("all").textContent = total; $("scrub").max = total;
$("first").onclick = () => { pause(); show(0); }; $("last").onclick = () => { show(total); pause(); };
$("back").onclick = () => step(-1); $("on").onclick = () => step(1); $("play").onclick = toggle;
$("scrub").oninput = event => { pause(); show(Number(event.target.value)); };
addEventListener("keydown", event => {
  const keys = {ArrowRight: () => step(1), ArrowLeft: () => step(-1), " ": toggle, Home: () => $("first").onclick(),
                End: () => $("last").onclick()};
  if (keys[event.key] && event.target.type !== "range") { event.preventDefault(); keys[event.key](); }
});
addEventListener("resize", depths);
show(Number(new URLSearchParams(location.hash.slice(1)).get("step") || 0)); requestAnimationFrame(frame);
</script></body></html>
"""

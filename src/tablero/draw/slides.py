"""A page of pictures to click through, one after another, with a remark on each.  It knows no puzzle.

    slide     a picture, what it is called, and what is to be said of it
    shape     pictures that follow one another share most of their shapes: each is on the page once, and slides name them

The page is one file and needs nothing from elsewhere.  Printed, it shows all its pictures.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from tablero.draw.scene import Scene
from tablero.draw.svg import to_element


@dataclass(frozen=True)
class Slide:
    """A picture with its remark."""

    name: str
    words: str
    scene: Scene
    note: str = ""  # a word or two beside the name


def page(title: str, summary: str, slides: Sequence[Slide]) -> str:
    """The page as HTML."""
    pool: dict[str, int] = {}
    told = []
    for slide in slides:
        shapes = [pool.setdefault(to_element(shape), len(pool)) for shape in slide.scene.shapes]
        told.append([slide.name, slide.words, slide.note, f"{slide.scene.width:g} {slide.scene.height:g}", shapes])
    data = json.dumps({"pool": list(pool), "slides": told}, ensure_ascii=False, separators=(",", ":"))
    text = _PAGE.replace("@TITLE@", escape(title)).replace("@SUMMARY@", escape(summary))
    return text.replace("@DATA@", data.replace("<", "\\u003c"))  # nothing in it ends the script


_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>@TITLE@</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
:root { --ink: #1f2430; --soft: #5d6472; --line: #e4e2da; --accent: #2a6f97 }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: #fafaf7; margin: 0 }
h1 { font-size: 1.35rem; margin: 1.2rem auto 0; max-width: 64rem; padding: 0 1rem }
h1 + p { max-width: 64rem; margin: .2rem auto 0; padding: 0 1rem; color: var(--soft); overflow-wrap: anywhere }
main { max-width: 64rem; margin: 1.2rem auto; padding: 0 1rem; display: grid; gap: 1.4rem;
       grid-template-columns: minmax(0, 38rem) minmax(16rem, 1fr); align-items: start }
svg { width: 100%; height: auto; display: block }
.card { background: #fff; border: 1px solid var(--line); border-radius: 12px; padding: 1rem 1.2rem }
.count { margin: 0 0 .4rem; font-variant-numeric: tabular-nums } .count b { font-size: 1.5rem }
.name { font-weight: 650; font-size: 1.1rem } .note { color: var(--soft); font-weight: 400; font-size: .95rem }
.words { margin: .2rem 0 0; min-height: 6em; max-height: 15em; overflow: auto; white-space: pre-line }
.name { margin-top: .6rem } .keys { display: flex; gap: .4rem; margin: .4rem 0 }
button { font: inherit; color: var(--ink); background: #fff; border: 1px solid var(--line); border-radius: 8px;
         cursor: pointer }
.keys button { flex: 1; padding: .45rem 0 } button:hover { border-color: var(--accent) }
button:disabled { color: #a3a7b0; cursor: default; border-color: var(--line) }
input[type=range] { width: 100%; accent-color: var(--accent) }
ol { list-style: none; margin: 1rem 0 0; padding: .3rem; max-height: 19rem; overflow: auto }
li button { width: 100%; text-align: left; border: 0; padding: .15rem .6rem; display: flex; gap: .7rem; background: none }
li button span:first-child { min-width: 2em; text-align: right; color: var(--soft); font-variant-numeric: tabular-nums }
li button span:last-child { margin-left: auto; color: var(--soft) }
li button[aria-current] { background: #e3eef4; font-weight: 650 }
#print { display: none }
@media (max-width: 52rem) { main { grid-template-columns: 1fr } .words { min-height: 0 } }
@media print {
  body { background: none; font-size: 9.5pt } main { display: none } h1, h1 + p { padding: 0; max-width: none }
  #print { display: grid; grid-template-columns: 1fr 1fr; gap: 5mm 8mm; margin-top: 4mm }
  figure { margin: 0; break-inside: avoid } figcaption { margin-top: 1mm; white-space: pre-line }
  @page { size: A4; margin: 14mm }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact }
}
</style></head><body>
<h1>@TITLE@</h1><p>@SUMMARY@</p>
<main>
<div class="card" id="picture"></div>
<div>
<div class="card">
<p class="count"><b id="at"></b> of <span id="all"></span> <span class="note">· the arrow keys step</span></p>
<div class="keys"><button id="first" title="to the start (Home)" aria-label="to the start">|◀</button>
<button id="back" title="one back (←)" aria-label="one back">◀</button>
<button id="on" title="one on (→)" aria-label="one on">▶</button>
<button id="last" title="to the end (End)" aria-label="to the end">▶|</button></div>
<input id="scrub" type="range" min="0" value="0" aria-label="position">
<div aria-live="polite"><div class="name"><span id="name"></span> <span class="note" id="note"></span></div>
<p class="words" id="words" tabindex="0"></p></div>
</div>
<ol class="card" id="list" aria-label="all of them"></ol>
</div>
</main>
<section id="print" aria-hidden="true"></section>
<script>
const D = @DATA@, total = D.slides.length, $ = id => document.getElementById(id);
let at = 0;
function picture([name, words, note, size, shapes]) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 " + size); svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", name + ": " + words);
  svg.innerHTML = shapes.map(k => D.pool[k]).join("");
  return svg;
}
function show(where) {
  at = Math.max(0, Math.min(total - 1, where));
  const slide = D.slides[at];
  $("picture").replaceChildren(picture(slide));
  $("at").textContent = at; $("name").textContent = slide[0]; $("words").textContent = slide[1];
  $("note").textContent = slide[2]; $("scrub").value = at;
  $("first").disabled = $("back").disabled = at === 0; $("on").disabled = $("last").disabled = at === total - 1;
  document.querySelectorAll("#list button").forEach((button, k) => {
    if (k === at) {
      button.setAttribute("aria-current", "step");
      const list = $("list"), top = button.offsetTop - list.offsetTop;
      if (top < list.scrollTop || top + button.offsetHeight > list.scrollTop + list.clientHeight)
        list.scrollTop = top - list.clientHeight / 2;
    } else button.removeAttribute("aria-current");
  });
  history.replaceState(null, "", "#step=" + at);
}
D.slides.forEach(([name, , note], k) => {
  const button = document.createElement("button"), item = document.createElement("li");
  for (const text of [k, name, note]) {
    const part = document.createElement("span"); part.textContent = text; button.append(part);
  }
  button.onclick = () => show(k); item.append(button); $("list").append(item);
});
function lay() {  // what is printed: every picture, two in a row
  if ($("print").childElementCount) return;
  D.slides.forEach((slide, k) => {
    const figure = document.createElement("figure"), words = document.createElement("figcaption");
    const head = document.createElement("b");
    head.textContent = `${k}. ${slide[0]}${slide[2] ? " (" + slide[2] + ")" : ""}`;
    words.append(head, " ", slide[1]); figure.append(picture(slide), words); $("print").append(figure);
  });
}
addEventListener("beforeprint", lay);
matchMedia("print").addEventListener("change", event => { if (event.matches) lay(); });
$("all").textContent = total - 1; $("scrub").max = total - 1;
$("first").onclick = () => show(0); $("last").onclick = () => show(total - 1);
$("back").onclick = () => show(at - 1); $("on").onclick = () => show(at + 1);
$("scrub").oninput = event => show(Number(event.target.value));
addEventListener("keydown", event => {
  const keys = {ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: total - 1};
  if (event.key in keys && event.target.type !== "range") { event.preventDefault(); show(keys[event.key]); }
});
const wanted = () => Number(new URLSearchParams(location.hash.slice(1)).get("step")) || 0;
addEventListener("hashchange", () => show(wanted()));
show(wanted());
</script></body></html>
"""

"""A page of pictures to click through, one after another, with a remark on each.  It knows no puzzle.

    slide     a picture, what it is called, and what is to be said of it
    shape     pictures that follow one another share most of their shapes: each is on the page once, and slides name them

The page is one file and needs nothing from elsewhere.  Printed, it shows all its pictures.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tablero.draw.page import bar, shell
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
    data = []
    for slide in slides:
        shapes = [pool.setdefault(to_element(shape), len(pool)) for shape in slide.scene.shapes]
        data.append([slide.name, slide.words, slide.note, f"{slide.scene.width:g} {slide.scene.height:g}", shapes])
    body = f"""<div class="two">
<div class="paper" id="picture"></div>
<div>
<div class="card">
{bar(plays=False)}<div aria-live="polite"><div class="name"><span id="name"></span>
<span class="note" id="note"></span></div>
<p class="words" id="words" tabindex="0"></p></div>
</div>
<ol class="card" id="list" aria-label="all of them"></ol>
</div>
</div>
<section id="print" aria-hidden="true"></section>"""
    return shell(title, summary, body, script=_SCRIPT, data={"pool": list(pool), "slides": data}, style=_STYLE)


_STYLE = """.words { min-height: 6em; max-height: 15em; overflow: auto; white-space: pre-line } .name { margin-top: .6rem }
ol { list-style: none; margin: 1rem 0 0; padding: .3rem !important; max-height: 19rem }
li button { width: 100%; text-align: left; border: 0; padding: .15rem .6rem; display: flex; gap: .7rem; background: none }
li button span:first-child { min-width: 2em; text-align: right; color: var(--soft); font-variant-numeric: tabular-nums }
li button span:last-child { margin-left: auto; color: var(--soft) }
li button[aria-current] { background: var(--mark); font-weight: 650 }
#print { display: none }
@media print {
  body { background: none; font-size: 9.5pt } .two { display: none } header, main { padding: 0; max-width: none }
  #print { display: grid; grid-template-columns: 1fr 1fr; gap: 5mm 8mm; margin-top: 4mm }
  figure { margin: 0; break-inside: avoid } figcaption { margin-top: 1mm; white-space: pre-line }
  @page { size: A4; margin: 14mm }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact }
}
"""

_SCRIPT = """function picture([name, words, note, size, shapes]) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 " + size); svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", name + ": " + words);
  svg.innerHTML = shapes.map(k => D.pool[k]).join("");
  return svg;
}
function show(at) {
  const slide = D.slides[at];
  $("picture").replaceChildren(picture(slide));
  $("name").textContent = slide[0]; $("words").textContent = slide[1]; $("note").textContent = slide[2];
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
  button.onclick = () => slides.go(k); item.append(button); $("list").append(item);
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
const slides = playBar({total: D.slides.length - 1, go: show});
"""

function picture([name, words, note, size, shapes]) {
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

const drawn = new Map(), most = Math.max(1, ...D.map(frame => frame[2]));
let touched = [];
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
function depths(at) {
  const canvas = $("depths"), ctx = canvas.getContext("2d"), ratio = devicePixelRatio || 1, look = getComputedStyle(canvas);
  const width = canvas.clientWidth, height = canvas.clientHeight, total = D.length - 1;
  canvas.width = width * ratio; canvas.height = height * ratio; ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  const from = Math.max(0, Math.min(at - 60, total - 120));
  const shown = Math.min(120, total), x = k => 4 + (width - 8) * (k - from) / Math.max(1, shown);
  const y = depth => height - 14 - (height - 24) * depth / most;
  ctx.strokeStyle = look.getPropertyValue("--accent"); ctx.lineWidth = 1.6; ctx.beginPath();
  for (let k = from; k <= Math.min(total, from + shown); k++) ctx.lineTo(x(k), y(D[k][2]));
  ctx.stroke(); ctx.fillStyle = look.getPropertyValue("--bad"); ctx.beginPath(); ctx.arc(x(at), y(D[at][2]), 4, 0, 7);
  ctx.fill(); ctx.fillStyle = look.getPropertyValue("--soft"); ctx.font = "11px system-ui, sans-serif";
  ctx.fillText("how deep, step by step", 4, height - 2);
}
function show(at) {
  dress(D[at]); $("name").textContent = D[at][0]; $("words").textContent = D[at][1]; depths(at);
}
const stepper = playBar({total: D.length - 1, go: show, rate: speed => .7 * Math.pow(60, speed)});
addEventListener("resize", () => depths(stepper.place()));

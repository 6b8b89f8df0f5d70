const STEP = {N: -D.columns, S: D.columns, E: 1, W: -1};
const cells = Int32Array.from(D.cells), home = new Map(), names = Object.keys(D.remarks);
D.goal.forEach((tile, cell) => { if (tile && !home.has(tile)) home.set(tile, cell); });
const digits = String(Math.max(...D.goal)).length, walls = new Set(D.walls), floor = new Set(D.floor);
// The one piece that is unpacked.
const from = new Int32Array(D.size), to = new Int32Array(D.size), note = new Uint8Array(D.size);
let piece = -1;
function unpack(k) {  // the place of step k in its piece
  const wanted = Math.floor(k / D.size);
  if (wanted !== piece) {
    piece = wanted;
    let place = 0, remark = 0, n = 0;
    for (const [, cell, rule, count, way] of D.pieces[piece].matchAll(/@(\w+)\.|!(\w+)\.|(\d*)([NSEW])/g)) {
      if (cell) place = parseInt(cell, 36);
      else if (rule) remark = names.indexOf(String(parseInt(rule, 36)));
      else for (let left = Number(count || 1); left > 0; left--) {
        const next = place + STEP[way];
        // With one empty cell the direction is that of the empty cell, and the tile goes the other way.
        from[n] = D.hole ? next : place; to[n] = D.hole ? place : next; note[n++] = remark; place = next;
      }
    }
  }
  return k % D.size;
}
const canvas = $("board"), ctx = canvas.getContext("2d"), dark = matchMedia("(prefers-color-scheme: dark)");
let at = 0, shift = 1, moving = null;
function colour(tile, here) {
  const cell = home.get(tile), row = Math.floor(cell / D.columns), column = cell % D.columns;
  const hue = 205 - 185 * row / Math.max(1, D.rows - 1), deep = 46 + 12 * column / Math.max(1, D.columns - 1);
  if (here) return [`hsl(${hue} 52% ${deep}%)`, "#fff"];
  return dark.matches ? [`hsl(${hue} 25% 30%)`, "#e8e6e0"] : [`hsl(${hue} 45% 88%)`, "#39414f"];
}
function draw() {
  const size = canvas.clientWidth, ratio = devicePixelRatio || 1, side = size / D.columns, height = side * D.rows;
  if (canvas.width !== Math.round(size * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(size * ratio); canvas.height = Math.round(height * ratio);
    canvas.style.height = height + "px";
  }
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0); ctx.clearRect(0, 0, size, height);
  ctx.fillStyle = dark.matches ? "#3a404b" : "#d9d5c7";
  for (const cell of floor) ctx.fillRect(cell % D.columns * side, Math.floor(cell / D.columns) * side, side + .5, side + .5);
  ctx.textAlign = "center"; ctx.textBaseline = "middle";
  ctx.fillStyle = dark.matches ? "#0c0e12" : "#4a4438";
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
      ctx.strokeStyle = dark.matches ? "#fff" : "#1f2430"; ctx.lineWidth = Math.max(1, side * .035); ctx.stroke();
    }
    if (side > 14) { ctx.fillStyle = ink; ctx.fillText(tile, (x + .5) * side, (y + .53) * side); }
  }
}
function make(k, undo) {
  k = unpack(k);
  const a = undo ? to[k] : from[k], b = undo ? from[k] : to[k];
  cells[b] = cells[a]; cells[a] = 0; moving = {from: a, to: b};
}
function jump(where, seen) {
  while (at < where) make(at++, false);
  while (at > where) make(--at, true);
  if (!at && !seen) moving = null;
  shift = seen ? 0 : 1; describe();
}
function describe() {
  const k = at ? note[unpack(at - 1)] : -1;
  $("rule").textContent = k < 0 ? "the start" : D.remarks[names[k]][0] || "a move";
  $("words").textContent = k < 0 ? "Press play, or step with the arrow keys." : D.remarks[names[k]][1];
  document.querySelectorAll("#tally tr").forEach(row => row.classList.toggle("now", Number(row.dataset.k) === k));
  draw();
}
for (const [rule, count] of D.tally) {
  const row = $("tally").insertRow();
  row.dataset.k = names.indexOf(String(rule)); row.insertCell().textContent = D.remarks[rule][0] || "moves";
  row.insertCell().textContent = count.toLocaleString("en");
}
addEventListener("resize", draw); dark.addEventListener("change", draw);
playBar({total: D.total, word: "move", go: jump, rate: speed => 1.2 * Math.pow(Math.max(60, D.total / 12), speed),
  each(passed, rate) { if (shift < 1) { shift = Math.min(1, shift + passed * Math.max(5, rate * 1.2)); draw(); } }});

// Plays an annealing run: the board, and the curves of cost and temperature.  `D` is the run, `playBar` the bar of draw/pages.
// @ts-check

/**
 * A swap: the trial, the two rows, and the cost and temperature after it.
 * @typedef {[number, number, number, number, number]} Swap
 */
/** @type {{ n: number, board: number[], cost: number, moves: Swap[], trials: number, heat: number }} */
const run = D;
const { n, moves } = run;
const last = moves.length;
const columns = run.board.slice();
const tone = (/** @type {string} */ name) => getComputedStyle(document.body).getPropertyValue(name);
let place = 0;

/** Show the board after some swaps.  A swap undoes itself. @param {number} to */
function go(to) {
  while (place < to) swap(moves[place++]);
  while (place > to) swap(moves[--place]);
  draw();
}
/** @param {Swap} move */
function swap([, i, j]) { [columns[i], columns[j]] = [columns[j], columns[i]]; }
/**
 * Fit a canvas to its place on the page; its pen, width and height.
 * @param {HTMLCanvasElement} canvas
 * @returns {[CanvasRenderingContext2D, number, number]}
 */
function fit(canvas) {
  const scale = devicePixelRatio || 1;
  const w = Math.round(canvas.clientWidth * scale), h = Math.round(canvas.clientHeight * scale);
  if (canvas.width !== w || canvas.height !== h) { canvas.width = w; canvas.height = h; }
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  pen.setTransform(scale, 0, 0, scale, 0, 0);
  return [pen, canvas.clientWidth, canvas.clientHeight];
}
/** @param {CanvasRenderingContext2D} pen @param {number} x @param {number} y @param {number} s */
function crown(pen, x, y, s) {
  pen.beginPath();
  [[.24,.72],[.13,.34],[.31,.5],[.33,.24],[.45,.46],[.5,.19],[.55,.46],[.67,.24],[.69,.5],[.87,.34],[.76,.72]]
    .forEach(([a, b], k) => k ? pen.lineTo(x + a * s, y + b * s) : pen.moveTo(x + a * s, y + b * s));
  pen.closePath(); pen.fill();
  pen.fillRect(x + .22 * s, y + .7 * s, .56 * s, .15 * s);
  for (const [a, b] of [[.13,.32],[.33,.22],[.5,.17],[.67,.22],[.87,.32]]) {
    pen.beginPath(); pen.arc(x + a * s, y + b * s, .055 * s, 0, 7); pen.fill();
  }
}
function drawBoard() {
  const [pen, w] = fit($("board")), s = w / n;
  pen.fillStyle = "#f3ead7"; pen.fillRect(0, 0, w, w);
  if (s >= 7) {
    pen.fillStyle = "#c8a97e";
    for (let r = 0; r < n; r++) for (let c = (r + 1) % 2; c < n; c += 2) pen.fillRect(c * s, r * s, s, s);
  }
  const up = new Uint16Array(2 * n), down = new Uint16Array(2 * n);
  columns.forEach((c, r) => { up[r + c]++; down[r - c + n]++; });
  columns.forEach((c, r) => {
    pen.fillStyle = up[r + c] > 1 || down[r - c + n] > 1 ? "#c0262d" : "#2b2540";
    if (s >= 7) crown(pen, c * s, r * s, s);
    else { pen.beginPath(); pen.arc((c + .5) * s, (r + .5) * s, Math.max(1.4, .45 * s), 0, 7); pen.fill(); }
  });
  if (place) {
    pen.strokeStyle = "#1670b8"; pen.lineWidth = Math.max(1.5, s / 14);
    for (const r of [moves[place - 1][1], moves[place - 1][2]]) {
      pen.beginPath(); pen.arc((columns[r] + .5) * s, (r + .5) * s, Math.max(4, .56 * s), 0, 7); pen.stroke();
    }
  }
}
function drawCurve() {
  const [pen, w, h] = fit($("curve")), left = 44, bottom = 46, top = 26, right = 14;
  let most = Math.max(1, run.cost);
  for (const move of moves) most = Math.max(most, move[3]);
  const X = (/** @type {number} */ t) => left + (w - left - right) * t / Math.max(1, run.trials);
  const Y = (/** @type {number} */ c) => h - bottom - (h - bottom - top) * c / most;
  pen.clearRect(0, 0, w, h);
  pen.font = "12px system-ui, sans-serif"; pen.lineWidth = 1;
  pen.fillStyle = tone("--soft"); pen.strokeStyle = tone("--line");
  const step = nice(most), stride = nice(run.trials);
  pen.textAlign = "right"; pen.textBaseline = "middle";
  for (let c = 0; c <= most; c += step) { line(left, Y(c), w - right, Y(c)); pen.fillText(String(c), left - 7, Y(c)); }
  pen.textAlign = "center"; pen.textBaseline = "top";
  for (let t = 0; t <= run.trials; t += stride) pen.fillText(t.toLocaleString("en"), X(t), h - bottom + 7);
  pen.textAlign = "left"; pen.fillText("cost", left + 4, top - 20);
  pen.textAlign = "right"; pen.fillStyle = tone("--bad"); pen.fillText("- - temperature", w - right, top - 20);
  pen.fillStyle = tone("--soft");
  pen.textAlign = "right"; pen.fillText("trials", w - right, h - bottom + 24);
  stairs(last, tone("--line"), 1.5); heat(); stairs(place, tone("--accent"), 2.2);
  const t = place ? moves[place - 1][0] : 0, c = place ? moves[place - 1][3] : run.cost;
  pen.fillStyle = tone("--bad"); pen.beginPath(); pen.arc(X(t), Y(c), 4.5, 0, 7); pen.fill();
  /** @param {number} a @param {number} b @param {number} c @param {number} d */
  function line(a, b, c, d) { pen.beginPath(); pen.moveTo(a, b); pen.lineTo(c, d); pen.stroke(); }
  /** A round distance between lines, at most five of them. @param {number} top @returns {number} */
  function nice(top) {
    const unit = 10 ** Math.floor(Math.log10(Math.max(1, top / 4)));
    const k = [1, 2, 5].find(k => top / (k * unit) <= 5) ?? 10;
    return Math.max(1, k * unit);
  }
  /** The temperature, scaled so that its maximum is as high as the highest cost. */
  function heat() {
    let hottest = run.heat;
    for (const move of moves) hottest = Math.max(hottest, move[4]);
    if (!(hottest > 0)) return;
    pen.strokeStyle = tone("--bad"); pen.lineWidth = 1.2; pen.setLineDash([5, 4]); pen.beginPath();
    pen.moveTo(X(0), Y(most * run.heat / hottest));
    for (const move of moves.slice(0, place)) pen.lineTo(X(move[0]), Y(most * move[4] / hottest));
    pen.stroke(); pen.setLineDash([]);
  }
  /** @param {number} end @param {string} colour @param {number} width */
  function stairs(end, colour, width) {
    pen.strokeStyle = colour; pen.lineWidth = width; pen.beginPath(); pen.moveTo(X(0), Y(run.cost));
    let cost = run.cost;
    for (const [trial, , , after] of moves.slice(0, end)) {
      pen.lineTo(X(trial), Y(cost)); cost = after; pen.lineTo(X(trial), Y(cost));
    }
    pen.stroke();
  }
}
function draw() {
  drawBoard(); drawCurve();
  const move = place ? moves[place - 1] : null;
  $("trial").textContent = (move ? move[0] : 0).toLocaleString("en");
  $("cost").textContent = String(move ? move[3] : run.cost);
  $("heat").textContent = !move ? "T₀" : move[4] < 0.001 ? "0" : move[4].toPrecision(3);
}
const player = playBar({total: last, go, rate: (/** @type {number} */ speed) => 2 * Math.pow(1400, speed), word: "swap"});
$("curve").onclick = (/** @type {MouseEvent} */ event) => {
  const trial = (event.offsetX - 44) / ($("curve").clientWidth - 58) * run.trials;
  const k = moves.findIndex(move => move[0] > trial);
  player.go(k < 0 ? last : k);
};
addEventListener("resize", draw);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
if (!location.hash) player.play();

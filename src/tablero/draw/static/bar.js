"use strict";
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

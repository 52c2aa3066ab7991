// The small charts beside names: an element with data-spark="name" shows the
// line of that name, once it is there, on a canvas of its own. The canvas is
// made here: Vugu takes away attributes that it does not know, such as the
// size of a canvas.

import { colour, fit } from "./paint.js";

let lines = {};

/** Takes over all lines: Float64Arrays by name. */
export function setSparks(all) {
  lines = all;
  forgetSparks();
}

/** Draws everything anew at the next drawing: the lines or the colours have changed. */
export function forgetSparks() {
  for (const el of document.querySelectorAll("[data-spark]")) el.drawn = null;
}

/** Draws what does not yet show what it should: rows of a list stay in place while their names change. */
export function drawSparks() {
  for (const el of document.querySelectorAll("[data-spark]")) {
    const name = el.dataset.spark;
    if (el.drawn === name) continue;
    if (!el.firstChild) el.append(document.createElement("canvas"));
    const view = fit(el.firstChild);
    if (!view) continue; // not shown: later
    el.drawn = name;
    if (lines[name]) draw(view, lines[name]);
  }
}

function draw({ ctx, w, h }, values) {
  let low = Infinity, high = -Infinity;
  for (const v of values) {
    if (v < low) low = v;
    if (v > high) high = v;
  }
  if (!(high >= low)) return;
  if (low >= 0 && high - low > 0.1 * high) low = 0; // what nears zero shall look so
  const y = (v) => (high > low ? h - 2 - ((v - low) / (high - low)) * (h - 4) : h - 2);
  ctx.strokeStyle = colour("text2");
  ctx.lineWidth = 1;
  ctx.lineJoin = "round";
  ctx.beginPath();
  let pen = false;
  const step = (w - 1) / Math.max(1, values.length - 1);
  for (let i = 0; i < values.length; i++) {
    if (Number.isNaN(values[i])) {
      pen = false;
      continue;
    }
    if (pen) ctx.lineTo(0.5 + i * step, y(values[i]));
    else ctx.moveTo(0.5 + i * step, y(values[i]));
    if (!pen && Number.isNaN(values[i + 1] ?? NaN)) ctx.lineTo(1.5 + i * step, y(values[i])); // alone: a dot
    pen = true;
  }
  ctx.stroke();
}

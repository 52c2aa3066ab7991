// The ruler above the panels: the time zone, the ticks, and the time at the
// cursor.

import { clockText, ticks, timeline, zoneName } from "./time.js";
import { colour, fit } from "./paint.js";
import { gutter } from "./axis.js";
import { margin } from "./panel.js";

/** @param {HTMLCanvasElement} canvas @param {number | null} cursor */
export function drawRuler(canvas, cursor) {
  const view = fit(canvas);
  if (!view) return;
  const { ctx, w, h } = view, plot = w - gutter - margin;
  const x = (/** @type {number} */ t) => gutter + ((t - timeline.start) / (timeline.end - timeline.start)) * plot;
  ctx.textBaseline = "middle";
  ctx.fillStyle = colour("text3");
  ctx.textAlign = "left";
  const zone = zoneName(timeline.start);
  ctx.fillText(zone, 8, h / 2 + 0.5);
  const clear = 8 + ctx.measureText(zone).width + 8;
  let tag = null;
  if (cursor != null && cursor >= timeline.start && cursor <= timeline.end) {
    const text = clockText(cursor) + (timeline.pinned ? " pinned" : ""), half = ctx.measureText(text).width / 2 + 8;
    tag = { text, half, x: Math.max(half, Math.min(w - half, x(cursor))) };
  }
  ctx.textAlign = "center";
  for (const { at, text } of ticks(timeline.start, timeline.end, plot)) {
    const half = ctx.measureText(text).width / 2, cx = Math.min(x(at), w - half - 2);
    if (cx - half < clear || (tag && Math.abs(cx - tag.x) < half + tag.half + 4)) continue;
    ctx.fillText(text, cx, h / 2 + 0.5);
  }
  if (!tag) return;
  ctx.fillStyle = colour("accent");
  ctx.beginPath();
  ctx.roundRect(tag.x - tag.half, 3, 2 * tag.half, h - 6, 4);
  ctx.fill();
  ctx.fillStyle = colour("on-accent");
  ctx.font = "600 " + ctx.font;
  ctx.fillText(tag.text, tag.x, h / 2 + 0.5);
}

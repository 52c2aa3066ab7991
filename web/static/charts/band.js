// Bands between the minimum and the maximum of each step of a line, drawn
// below the lines of the means.

import { colour, isDark, thin } from "./paint.js";
import { runs } from "./reduce.js";
import { timeline } from "./time.js";

/** @import { Panel } from "./panel.js" */

/** With more lines, full bands would cover each other, so only the maxima are drawn. */
const maxBands = 8;

/**
 * The bands of a panel: one for each line; for a stack, only the maximum of the total, which has no lower edge.
 * @param {Panel} panel
 */
export function bandsOf(panel) {
  const { lines, total } = panel.spec, piled = panel.piled() && lines.length > 1;
  if (piled) return total.length ? [{ low: null, high: total, by: lines[0].factor, axis: "y", css: colour("text3"), alpha: isDark() ? 0.26 : 0.18, filled: true }] : [];
  const banded = lines.filter((s) => s.high.length), filled = banded.length <= maxBands, alpha = (isDark() ? 0.34 : 0.26) / Math.sqrt(Math.max(1, banded.length / 2));
  return banded.map((s) => ({ low: s.low, high: s.high, by: panel.by(s), axis: s.right ? "right" : "y", css: colour(`s${s.colour}`), alpha, filled }));
}

/**
 * @param {uPlot} u
 * @param {Panel} panel
 */
export function drawBands(u, panel) {
  const { times, log } = panel.spec, { ctx, bbox } = u, scale = devicePixelRatio || 1, bands = bandsOf(panel);
  if (!bands.length) return;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.lineJoin = "round";
  ctx.lineWidth = 0.75 * scale;
  const x = (/** @type {number} */ i) => u.valToPos(times[i], "x", true);
  for (const { low, high, by, axis, css, alpha, filled } of bands) {
    const bottom = Number(u.scales[axis].min), y = (/** @type {number} */ v) => u.valToPos(log ? Math.max(v * by, bottom) : v * by, axis, true);
    const under = (/** @type {number} */ i) => (low ? y(low[i]) : u.valToPos(0, axis, true));
    ctx.fillStyle = thin(css, alpha);
    ctx.strokeStyle = thin(css, filled ? 0.6 : 0.35);
    for (const [from, to] of runs(times, high, timeline.start, timeline.end)) {
      ctx.beginPath();
      for (let i = from; i <= to; i++) ctx.lineTo(x(i), y(high[i]));
      if (from === to) ctx.lineTo(x(from), under(from)); // a single step is a bar
      ctx.stroke();
      if (!filled) continue;
      for (let i = to; i >= from; i--) ctx.lineTo(x(i), under(i));
      ctx.fill();
    }
  }
  ctx.restore();
}

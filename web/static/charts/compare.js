// What changed between windows A and B: the list, and two charts on one scale
// for the selected change.

import { ticks } from "./time.js";
import { axisTexts, gutter } from "./axis.js";
import { number } from "./number.js";
import { colour, fit, thin } from "./paint.js";
import { bounds } from "./reduce.js";
import { levels } from "./scale.js";
import { VirtualTable } from "./table.js";

/** @import { Compared, Tell } from "../../canvas/canvas.d.ts" */
/** @import { Column } from "./table.js" */
/** @typedef {[x: number, y: number, w: number, h: number]} Box */
/** @typedef {(row: number) => string | number} Of */

/** @type {VirtualTable | null} */
let table = null;
/** @type {string | null} */
let order = null;
/** @type {Compared | null} */
let spec = null;
/** @type {Tell} */
let tell = () => {};

/** @param {string} host */
function own(host) {
  const el = document.getElementById(host);
  if (!el) return null;
  let c = el.querySelector("canvas");
  if (!c) {
    c = document.createElement("canvas");
    el.append(c);
    new ResizeObserver(charts).observe(el);
  }
  return c;
}

/**
 * Draws values into a box as a line over a lightly filled area. Values
 * logged less often than there are points are joined; only a break longer
 * than a sixth of the window leaves a gap.
 * @param {CanvasRenderingContext2D} ctx
 * @param {Float64Array} values
 * @param {Box} box
 * @param {number} low
 * @param {number} high
 * @param {string} css
 */
function curve(ctx, values, [x, y, w, h], low, high, css) {
  const at = (/** @type {number} */ v) => y + h - ((v - low) / (high - low || 1)) * h;
  const step = w / Math.max(1, values.length - 1), zero = at(Math.max(low, Math.min(0, high)));
  /** @type {number[]} */
  let run = [];
  const close = () => {
    if (!run.length) return;
    if (run.length === 1) run.push(run[0] + 0.6); // a single value is a dot
    ctx.beginPath();
    for (const i of run) ctx.lineTo(x + i * step, at(values[Math.floor(i)]));
    ctx.strokeStyle = css;
    ctx.stroke();
    ctx.lineTo(x + run[run.length - 1] * step, zero);
    ctx.lineTo(x + run[0] * step, zero);
    ctx.fillStyle = thin(css, 0.16);
    ctx.fill();
    run = [];
  };
  values.forEach((v, i) => {
    if (Number.isNaN(v)) return;
    if (run.length && i - run[run.length - 1] > values.length / 6) close();
    run.push(i);
  });
  close();
}

/** @param {HTMLElement} cell @param {number} row @param {"a" | "b"} which */
function spark(cell, row, which) {
  const c = document.createElement("canvas");
  c.className = "vt-spark";
  cell.append(c);
  requestAnimationFrame(() => {
    const view = fit(c);
    if (!view || !spec) return;
    const [low, high] = bounds(spec.a[row], spec.b[row]);
    curve(view.ctx, spec[which][row], [0, 2, view.w, view.h - 4], low, high, colour(which === "a" ? "s9" : "s1"));
  });
}

/** @param {HTMLElement} cell @param {number} row */
function effect(cell, row) {
  const v = spec?.effect[row] ?? 0, track = document.createElement("i");
  const bar = document.createElement("b");
  track.className = "vt-effect";
  bar.style.setProperty("left", `${v < 0 ? 50 + 50 * v : 50}%`);
  bar.style.setProperty("width", `${50 * Math.abs(v)}%`);
  track.append(bar);
  cell.prepend(track);
}

function charts() {
  if (!spec) return;
  const [low, high] = spec.rows ? bounds(spec.a[spec.at], spec.b[spec.at]) : [0, 1];
  for (const which of /** @type {const} */ (["a", "b"])) {
    const canvas = own(`compare-${which}`);
    const view = canvas && fit(canvas);
    if (!view || !spec.rows) continue; // empty now
    const { ctx, w, h } = view;
    const { factor } = spec;
    /** @type {Box} */
    const box = [gutter, 10, w - gutter - 12, h - 32];
    const { start, end } = which === "a" ? spec.windowA : spec.windowB;
    const y = (/** @type {number} */ v) => box[1] + box[3] - ((v - low) / (high - low)) * box[3];
    const marks = levels(low * factor, high * factor, box[3], 30), texts = axisTexts(marks, spec.unitOf);
    ctx.textBaseline = "middle";
    ctx.textAlign = "right";
    marks.forEach((v, i) => {
      ctx.fillStyle = colour("grid");
      ctx.fillRect(box[0], Math.round(y(v / factor)), box[2], 1);
      ctx.fillStyle = colour("text3");
      ctx.fillText(texts[i], box[0] - 5, y(v / factor));
    });
    ctx.textAlign = "center";
    for (const { at, text } of ticks(start, end, box[2])) {
      ctx.fillStyle = colour("text3");
      const half = ctx.measureText(text).width / 2;
      ctx.fillText(text, Math.min(box[0] + ((at - start) / (end - start)) * box[2], w - half - 2), h - 10);
    }
    ctx.lineWidth = 1.3;
    curve(ctx, spec[which][spec.at], box, low, high, colour(which === "a" ? "s9" : "s1"));
    const middle = which === "a" ? spec.middleA : spec.middleB;
    ctx.strokeStyle = ctx.fillStyle = colour("text");
    ctx.setLineDash([4, 3]);
    ctx.beginPath();
    ctx.moveTo(box[0], y(middle));
    ctx.lineTo(box[0] + box[2], y(middle));
    ctx.stroke();
    ctx.setLineDash([]);
    ctx.textAlign = "right";
    ctx.fillText(`median ${number(middle * factor, spec.decimals)} ${spec.unitOf}`, box[0] + box[2] - 4, Math.max(8, y(middle) - 8));
  }
}
addEventListener("pcpscope-theme", () => requestAnimationFrame(charts));

/** @param {Tell} fn */
export function listenCompare(fn) { tell = fn; }

/** @param {Compared} next */
export function showCompare(next) {
  spec = next;
  charts();
  const el = document.getElementById("compare-table");
  if (!el) return;
  if (table?.host !== el) table = new VirtualTable(el, { testid: "compare-rows", onPick: (r) => tell("pick", { row: r }) });
  /** @type {(head: string, of: Of, width: string, more?: Partial<Column>) => Column & { of: Of }} */
  const text = (head, of, width, more) => ({ head, kind: "text", width, of, ...more });
  const figure = (/** @type {string} */ head, /** @type {string[]} */ texts, /** @type {string} */ width, strong = false) => ({ head, kind: "figure", width, strong, of: (/** @type {number} */ r) => texts[r] });
  /** @type {(Column & { of: Of })[]} */
  const columns = [
    { head: "#", kind: "number", decimals: 0, width: "28px", faint: true, of: (r) => r + 1 },
    text("What", (r) => next.what[r], "minmax(180px, 1.6fr)", { strong: true, under: { head: "Metric", kind: "text" } }),
    text("A", () => "", "90px", { paint: (cell, r) => spark(cell, r, "a") }), text("B, same scale", () => "", "90px", { paint: (cell, r) => spark(cell, r, "b") }),
    text("Unit", (r) => next.unit[r], "92px"),
    figure("Median A", next.medianA, "96px"), figure("Median B", next.medianB, "96px", true), figure("Shift", next.shift, "82px"), figure("Ratio", next.ratio, "64px"),
    { head: "Effect, −1 to +1", kind: "number", decimals: 2, width: "132px", of: (r) => next.effect[r], paint: effect },
    text("With it", (r) => next.with[r], "minmax(110px, 1fr)", { faint: true, whole: (r) => (next.with[r].length > 800 ? `${next.with[r].slice(0, 800)}…` : next.with[r]) }),
  ];
  // These columns hold formatted texts with units; they are sorted by the
  // numbers behind them.
  /** @type {Record<string, Float64Array>} */
  const keys = { "Median A": next.keyA, "Median B": next.keyB, Shift: next.keyShift, Ratio: next.keyRatio };
  const again = order !== null && order !== next.order; // sorted by the control above the list: no header has the arrow any more
  order = next.order;
  table.set({
    name: "changes", chosen: again, rows: next.rows, columns, empty: next.fault || "No change above the thresholds.",
    key: (r, c) => (keys[columns[c].head] ? keys[columns[c].head][r] : columns[c].of(r)),
    value: (r, c) => columns[c].of(r),
    said: (r, c) => (columns[c].head === "With it" ? next.brief[r] : columns[c].paint === effect && next.effect[r] > 0 ? `+${number(next.effect[r], 2)}` : null),
    below: (r) => next.metric[r], mark: (r) => (r === next.at ? "picked" : ""),
  });
}

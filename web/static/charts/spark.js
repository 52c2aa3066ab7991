// Sparklines beside names: an element with data-spark="name" shows the line of
// that name once it has arrived. They are SVG rather than canvases, because
// each canvas is a layer of the page and dozens of layers cost time in every
// frame.

import { allMarked } from "../marks.js";

const space = "http://www.w3.org/2000/svg";
/** @import { Spark } from "../../canvas/canvas.d.ts" */

/** @type {Map<string, Float64Array>} */
let lines = new Map();
/** @type {WeakMap<Element, string | undefined>} the name of the line shown by an element */
const shown = new WeakMap();

/** Replaces all lines. @param {Spark[]} all */
export function setSparks(all) {
  lines = new Map(all.map(({ name, values }) => [name, values]));
  forgetSparks();
}

/** Makes the next drawing redraw everything, because the lines have changed. */
export function forgetSparks() {
  for (const el of allMarked("data-spark")) shown.delete(el);
}

/** Draws the elements that are out of date: list rows are reused while their names change. */
export function drawSparks() {
  const list = allMarked("data-spark").filter((el) => !shown.has(el) || shown.get(el) !== el.dataset.spark).filter((el) => !el.closest("[hidden]")); // measuring forces a layout
  const sizes = list.map((el) => (lines.has(el.dataset.spark ?? "") ? [el.clientWidth, el.clientHeight] : null)); // all at once: each line drawn in between would force another layout
  for (const [i, el] of list.entries()) {
    const values = lines.get(el.dataset.spark ?? "");
    if (!sizes[i] && !el.firstChild) continue; // the line may arrive later
    const [w, h] = sizes[i] ?? [1, 1];
    if (!w || !h) continue; // hidden: drawn later
    if (!el.firstChild) el.append(document.createElementNS(space, "svg"));
    shown.set(el, el.dataset.spark);
    path(/** @type {SVGElement} */ (el.firstChild)).setAttribute("d", values ? shape(values, w, h) : "");
  }
}

/** @param {SVGElement} svg */
function path(svg) { return /** @type {SVGElement | null} */ (svg.firstChild) ?? svg.appendChild(document.createElementNS(space, "path")); }

/** The line of values for a box, as the path of an SVG. @param {Float64Array} values @param {number} w @param {number} h */
export function shape(values, w, h) {
  let low = Infinity, high = -Infinity;
  for (const v of values) {
    if (!Number.isFinite(v)) continue; // logged floats may be infinite
    if (v < low) low = v;
    if (v > high) high = v;
  }
  if (!(high >= low)) return "";
  if (low >= 0 && high - low > 0.1 * high) low = 0; // show values near zero as such
  const y = (/** @type {number} */ v) => (high > low ? h - 2 - ((v - low) / (high - low)) * (h - 4) : h - 2);
  const step = (w - 1) / Math.max(1, values.length - 1);
  let d = "", pen = false;
  for (let i = 0; i < values.length; i++) {
    if (!Number.isFinite(values[i])) {
      pen = false;
      continue;
    }
    const x = 0.5 + i * step, at = y(values[i]).toFixed(3);
    d += `${pen ? "L" : "M"}${x.toFixed(3)} ${at}`;
    if (!pen && !Number.isFinite(values[i + 1] ?? NaN)) d += `H${(x + 1).toFixed(3)}`; // a single value is a dot
    pen = true;
  }
  return d;
}

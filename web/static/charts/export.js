// Exports a panel as a picture: an SVG with title, axes, lines and legend, and
// a PNG rendered from it. Lines are vectors; what is painted on a canvas (heat
// maps, lanes) is embedded as an image.

import { clockText, ticks, timeline } from "./time.js";
import { canvasOf, colour, mix, isDark } from "./paint.js";
import { bandsOf } from "./band.js";
import { marks as steps, runs as unbroken } from "./reduce.js";
import { Rows } from "./rows.js";

/** @import { Line, Panel as Spec, Picture } from "../../canvas/canvas.d.ts" */
/** @import { Panel } from "./panel.js" */
/** @typedef {Pick<Picture, "title" | "unit" | "about" | "head" | "rows">} Meta the texts around the chart */
/** @typedef {{ path: string, start: number, end: number, y: number }} Run */

const space = "http://www.w3.org/2000/svg";
const right = 16, top = 52, below = 24, row = 18;

/** Characters that XML forbids, even escaped. Names from files may contain them, and then no program would open the picture. */
const notXML = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/**
 * Adds an element.
 * @param {Element | null} parent
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 * @param {string | number} [text]
 */
function el(parent, name, attributes, text) {
  const e = document.createElementNS(space, name);
  for (const key in attributes) e.setAttribute(key, String(attributes[key]));
  if (text != null) e.textContent = String(text).replace(notXML, "\ufffd");
  parent?.append(e);
  return e;
}

const round = (/** @type {number} */ v) => Math.round(v * 100) / 100;

/**
 * @param {Panel} panel
 * @param {Meta} meta
 * @param {number | null} pinned where the cursor is pinned
 */
export function svgOf(panel, meta, pinned) {
  const u = panel.plot, scale = devicePixelRatio || 1, rows = panel instanceof Rows ? panel : null, left = rows ? 112 : 56;
  const w = u ? u.bbox.width / scale : 640, h = u ? u.bbox.height / scale : 0;
  const width = Math.ceil(left + w + right), height = Math.ceil(top + h + below + row * (meta.rows.length + 1) + 12);
  const svg = el(null, "svg", { xmlns: space, width, height, viewBox: `0 0 ${width} ${height}`, "font-family": "system-ui, sans-serif", "font-size": 11 });
  el(svg, "rect", { width, height, fill: colour("surface") });
  const heading = el(svg, "text", { x: 16, y: 22, fill: colour("text"), "font-size": 14, "font-weight": 600 }, meta.title);
  el(heading, "tspan", { dx: 8, "font-size": 12, "font-weight": 400, fill: colour("text2") }, meta.unit);
  el(svg, "text", { x: 16, y: 40, fill: colour("text2") }, meta.about);
  const plot = el(svg, "g", { transform: `translate(${left} ${top})` });
  const clip = el(plot, "clipPath", { id: "plot" });
  el(clip, "rect", { y: -14, width: w, height: h + 14 });
  if (u && rows) {
    times(plot, u, w, h);
    el(plot, "image", { width: w, height: h, preserveAspectRatio: "none", href: painted(rows, u) });
    names(plot, panel.spec.rows, u, h);
  } else if (u) {
    axes(plot, u, w, h);
    times(plot, u, w, h);
    holes(plot, panel, u, w, h);
    bands(plot, u, panel);
    lines(plot, u, panel.spec, w, h);
    veil(plot, u, w, h);
    levels(plot, u, panel.spec, w);
  }
  if (u) marks(plot, u, w, h, pinned);
  legend(svg, meta, top + h + below + 12, width);
  return new XMLSerializer().serializeToString(svg);
}

/** The ticks of the value axis as uPlot has drawn them; they are in a private property. @param {uPlot} u */
function drawnAxis(u) {
  const { _splits: splits, _values: values, scale = "y" } = /** @type {uPlot.Axis & { _splits?: number[], _values?: string[] }} */ (u.axes[1]);
  return { splits: splits ?? [], values: values ?? [], scale };
}

/** @param {Element} plot @param {uPlot} u @param {number} w @param {number} h */
function axes(plot, u, w, h) {
  const grid = { stroke: colour("grid"), "stroke-width": 1 }, label = { fill: colour("text3") };
  const { splits, values, scale } = drawnAxis(u);
  splits.forEach((v, i) => {
    const y = round(u.valToPos(v, scale));
    if (y < -1 || y > h + 1) return;
    el(plot, "line", { x1: 0, x2: w, y1: y, y2: y, ...grid });
    el(plot, "text", { x: -6, y: y + 4, "text-anchor": "end", ...label }, values[i]);
  });
}

/** @param {Element} plot @param {uPlot} u @param {number} w @param {number} h */
function times(plot, u, w, h) {
  for (const { at, text } of ticks(timeline.start, timeline.end, w)) {
    const x = round(u.valToPos(at, "x"));
    el(plot, "line", { x1: x, x2: x, y1: 0, y2: h, stroke: colour("grid"), "stroke-width": 1 });
    el(plot, "text", { x, y: h + 16, "text-anchor": "middle", fill: colour("text3") }, text);
  }
  el(plot, "line", { x1: 0, x2: w, y1: h, y2: h, stroke: colour("line2") });
}

/**
 * The painted plot of a panel of rows, without its axes, and without the notes, which marks draws.
 * @param {Rows} panel
 * @param {uPlot} u
 */
function painted(panel, u) {
  const { left, top, width, height } = u.bbox, { canvas, ctx } = canvasOf(width, height);
  ctx.translate(-left, -top);
  panel.paint({ ctx, bbox: u.bbox, valToPos: u.valToPos });
  panel.holes({ ctx, bbox: u.bbox, valToPos: u.valToPos });
  return canvas.toDataURL("image/png");
}

/**
 * The names of the rows, where there is room for them.
 * @param {Element} plot
 * @param {string[]} rows
 * @param {uPlot} u
 * @param {number} h
 */
function names(plot, rows, u, h) {
  const n = rows.length, name = (/** @type {number} */ v) => rows[Math.floor(v)] ?? "";
  const brief = (/** @type {string} */ text) => (text.length > 15 ? text.slice(0, 14) + "…" : text);
  drawnAxis(u).splits.forEach((v) => el(plot, "text", { x: -6, y: round((v / n) * h + 4), "text-anchor": "end", fill: colour("text3") }, brief(name(v))));
}

/**
 * The time ranges for which there can be no value.
 * @param {Element} plot
 * @param {Panel} panel
 * @param {uPlot} u
 * @param {number} w
 * @param {number} h
 */
function holes(plot, panel, u, w, h) {
  /** @type {number[]} */
  const moments = [];
  for (const { start, end, label } of [...timeline.gaps, ...panel.unread()]) {
    const a = Math.max(0, round(u.valToPos(start, "x"))), b = Math.min(w, round(u.valToPos(end, "x")));
    if (b < 0 || a > w) continue;
    if (b - a < 2) moments.push(a);
    else shade(plot, a, b, h, label, 1);
  }
  for (const { at, dense } of steps(moments, moments.length > 12 ? Infinity : 12, 2)) el(plot, "line", { x1: at, x2: at, y1: dense ? h - 5 : 0, y2: h, stroke: colour("ctl"), ...(dense ? {} : { "stroke-dasharray": "3 3" }) });
}

/**
 * One of them, labelled where there is room.
 * @param {Element} plot
 * @param {number} a
 * @param {number} b
 * @param {number} h
 * @param {string} label
 * @param {number} opacity
 */
function shade(plot, a, b, h, label, opacity) {
  el(plot, "rect", { x: a, y: 0, width: b - a, height: h, fill: colour("sunken"), ...(opacity < 1 ? { "fill-opacity": opacity } : {}) });
  if (b - a > label.length * 6 + 12) el(plot, "text", { x: (a + b) / 2, y: h / 2 + 4, "text-anchor": "middle", fill: colour("text2") }, label);
}

/**
 * Makes lines pale in these, as on the page.
 * @param {Element} plot
 * @param {uPlot} u
 * @param {number} w
 * @param {number} h
 */
function veil(plot, u, w, h) {
  for (const { start, end, label } of timeline.gaps) {
    const a = Math.max(0, round(u.valToPos(start, "x"))), b = Math.min(w, round(u.valToPos(end, "x")));
    if (b - a >= 2) shade(plot, a, b, h, label, 0.7);
  }
}

/**
 * The thresholds.
 * @param {Element} plot
 * @param {uPlot} u
 * @param {Spec} spec
 * @param {number} w
 */
function levels(plot, u, spec, w) {
  if (spec.share) return;
  for (const { value, label } of spec.levels) {
    if (value > Number(u.scales.y.max) || value < Number(u.scales.y.min)) continue;
    const y = round(u.valToPos(value, "y"));
    el(plot, "line", { x1: 0, x2: w, y1: y, y2: y, stroke: colour("text3"), "stroke-dasharray": "4 3" });
    el(plot, "text", { x: w - 2, y: y - 3, "text-anchor": "end", fill: colour("text3"), stroke: colour("surface"), "stroke-width": 3, "paint-order": "stroke" }, label);
  }
}

/**
 * The user's notes, and the cursor where it is pinned.
 * @param {Element} plot
 * @param {uPlot} u
 * @param {number} w
 * @param {number} h
 * @param {number | null} pinned
 */
function marks(plot, u, w, h, pinned) {
  const group = el(plot, "g", { "clip-path": "url(#plot)", "paint-order": "stroke" });
  const halo = { stroke: colour("surface"), "stroke-width": 3, "paint-order": "stroke", fill: colour("accent") };
  for (const { at, n, text } of timeline.notes) {
    const x = round(u.valToPos(at, "x"));
    if (x < 0 || x > w) continue;
    el(group, "line", { x1: x, x2: x, y1: 0, y2: h, stroke: colour("accent"), "stroke-dasharray": "3 3" });
    el(group, "text", { x: x + 4, y: 11, ...halo }, `${n} ${text.split("\n")[0].slice(0, 60)}`);
  }
  const x = pinned == null ? -1 : round(u.valToPos(pinned, "x"));
  if (pinned == null || x < 0 || x > w) return;
  el(group, "line", { x1: x, x2: x, y1: 0, y2: h, stroke: colour("accent"), "stroke-width": 2 });
  el(group, "text", { x: Math.min(Math.max(x, 24), w - 24), y: -3, "text-anchor": "middle", "font-weight": 600, ...halo }, clockText(pinned));
}

/** The bands between the minimum and the maximum of each step. @param {Element} plot @param {uPlot} u @param {Panel} panel */
function bands(plot, u, panel) {
  const { times, log } = panel.spec, group = el(plot, "g", { "clip-path": "url(#plot)", "stroke-width": 0.75 });
  for (const { low, high, by, axis, css, alpha, filled } of bandsOf(panel)) {
    const y = (/** @type {number} */ v) => round(u.valToPos(log ? Math.max(v * by, Number(u.scales[axis].min)) : v * by, axis)), x = (/** @type {number} */ i) => round(u.valToPos(times[i], "x"));
    for (const [from, to] of unbroken(times, high, timeline.start, timeline.end)) {
      let top = `M${x(from)} ${y(high[from])}`, bottom = "";
      for (let i = from + 1; i <= to; i++) top += `L${x(i)} ${y(high[i])}`;
      for (let i = to; i >= from; i--) bottom += `L${x(i)} ${low ? y(low[i]) : round(u.valToPos(0, axis))}`;
      if (filled) el(group, "path", { d: `${top}${bottom}Z`, fill: css, "fill-opacity": alpha });
      el(group, "path", { d: from === to ? top + bottom : top, stroke: css, "stroke-opacity": 0.5, fill: "none" });
    }
  }
}

/** @param {Element} plot @param {uPlot} u @param {Spec} spec @param {number} w @param {number} h */
function lines(plot, u, spec, w, h) {
  const group = el(plot, "g", { "clip-path": "url(#plot)", fill: "none", "stroke-linejoin": "round" });
  spec.lines.forEach((/** @type {Line} */ s, /** @type {number} */ i) => {
    const of = u.series[i + 1], scale = of.scale ?? "y";
    if (of.show === false) return;
    const hue = colour(`s${s.colour}`), stacked = spec.stack && !spec.log && !spec.share;
    if (spec.style === "bar") {
      bars(group, u, i + 1, scale, hue);
      return;
    }
    for (const run of runs(u, i + 1, scale, s.stepped)) {
      if (stacked) {
        const zero = round(u.valToPos(0, scale));
        el(group, "path", { d: `${run.path}L${run.end} ${zero}L${run.start} ${zero}Z`, fill: mix(hue, colour("surface"), isDark() ? 0.5 : 0.42) });
      }
      el(group, "path", { d: run.path, stroke: hue, "stroke-width": stacked ? 0.9 : s.bold ? 2 : 1.3 });
      if (run.start === run.end) el(group, "circle", { cx: run.start, cy: run.y, r: 2, fill: hue });
    }
  });
}

/** @param {Element} group @param {uPlot} u @param {number} i @param {string} scale @param {string} hue */
function bars(group, u, i, scale, hue) {
  const [at] = u.data, zero = u.valToPos(0, scale);
  const wide = Math.min(60, at.length > 1 ? 0.8 * (u.valToPos(at[1], "x") - u.valToPos(at[0], "x")) : 60);
  for (let k = 0; k < at.length; k++) {
    const v = u.data[i][k];
    if (v == null) continue;
    const y = u.valToPos(v, scale);
    el(group, "rect", { x: round(u.valToPos(at[k], "x") - wide / 2), y: round(Math.min(y, zero)), width: round(wide), height: round(Math.abs(zero - y)), fill: hue });
  }
}

/**
 * The parts of a line between its gaps, as paths.
 * @param {uPlot} u
 * @param {number} i
 * @param {string} scale
 * @param {boolean} stepped
 */
function runs(u, i, scale, stepped) {
  const [times] = u.data, values = u.data[i];
  /** @type {Run[]} */
  const list = [];
  /** @type {Run | null} */
  let run = null;
  for (let k = 0; k < times.length; k++) {
    const v = values[k];
    if (v == null) {
      run = null;
      continue;
    }
    const x = round(u.valToPos(times[k], "x")), y = round(u.valToPos(v, scale));
    if (!run) list.push(run = { path: `M${x} ${y}`, start: x, end: x, y });
    else run.path += stepped ? `H${x}V${y}` : `L${x} ${y}`;
    run.end = x;
  }
  return list;
}

/** @param {Element} svg @param {Meta} meta @param {number} y @param {number} width */
function legend(svg, meta, y, width) {
  const column = 76, count = meta.head.length - 1, at = (/** @type {number} */ k) => width - right - (count - 1 - k) * column;
  /** @type {(cells: string[], y: number, weight: boolean, x: number) => void} */
  const text = (cells, y, weight, x) => cells.forEach((cell, k) => el(svg, "text",
    { x: k ? at(k - 1) : x, y, "text-anchor": k ? "end" : "start", fill: colour(weight ? "text2" : "text"), ...(weight ? { "font-weight": 500 } : {}) }, cell));
  text(meta.head, y, true, 16);
  meta.rows.forEach((r, i) => {
    const line = y + (i + 1) * row;
    if (r.colour) el(svg, "rect", { x: 16, y: line - 6, width: 10, height: 4, rx: 1, fill: colour(`s${r.colour}`) });
    text(r.cells, line, false, 34);
  });
}

/**
 * The same as a bitmap, at twice the page's resolution.
 * @param {string} svg
 */
export async function pngOf(svg) {
  const image = new Image(), url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    await new Promise((/** @type {(v?: unknown) => void} */ done, failed) => {
      image.onload = done;
      image.onerror = () => failed(new Error("the browser could not draw the picture"));
      image.src = url;
    });
    const { canvas, ctx } = canvasOf(image.width * 2, image.height * 2);
    ctx.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((/** @type {(file: Blob) => void} */ done, failed) => canvas.toBlob((file) => {
      if (file) done(file);
      else failed(new Error("the browser could not make the picture"));
    }, "image/png"));
  } finally {
    URL.revokeObjectURL(url);
  }
}

// A panel as a picture to keep: an SVG with title, axes, lines and legend, and
// a PNG made of that. Lines are vectors; what is painted (heat maps, lanes) is
// put in as an image.

import { ticks, timeline } from "./time.js";
import { colour, mix, isDark } from "./paint.js";

const space = "http://www.w3.org/2000/svg";
const left = 56, right = 16, top = 52, below = 24, row = 18;

function el(parent, name, attributes, text) {
  const e = document.createElementNS(space, name);
  for (const key in attributes) e.setAttribute(key, attributes[key]);
  if (text != null) e.textContent = text;
  parent?.append(e);
  return e;
}

const round = (v) => Math.round(v * 100) / 100;

/** meta: {title, unit, about, head: [texts], rows: [{colour, cells: [texts]}]} */
export function svgOf(panel, meta) {
  const u = panel.plot, scale = devicePixelRatio || 1;
  const w = u ? u.bbox.width / scale : 640, h = u ? u.bbox.height / scale : 0;
  const width = Math.ceil(left + w + right), height = Math.ceil(top + h + below + row * (meta.rows.length + 1) + 12);
  const svg = el(null, "svg", { xmlns: space, width, height, viewBox: `0 0 ${width} ${height}`, "font-family": "system-ui, sans-serif", "font-size": 11 });
  el(svg, "rect", { width, height, fill: colour("surface") });
  const heading = el(svg, "text", { x: 16, y: 22, fill: colour("text"), "font-size": 14, "font-weight": 600 }, meta.title);
  el(heading, "tspan", { dx: 8, "font-size": 12, "font-weight": 400, fill: colour("text2") }, meta.unit);
  el(svg, "text", { x: 16, y: 40, fill: colour("text2") }, meta.about);
  const plot = el(svg, "g", { transform: `translate(${left} ${top})` });
  if (u && panel.spec.rows) {
    el(plot, "image", { x: -u.bbox.left / scale, y: -u.bbox.top / scale, width: u.width, height: u.height, href: u.ctx.canvas.toDataURL("image/png") });
  } else if (u) {
    axes(plot, u, w, h);
    lines(plot, u, panel.spec, w, h);
  }
  legend(svg, meta, top + h + below + 12, width);
  return new XMLSerializer().serializeToString(svg);
}

function axes(plot, u, w, h) {
  const grid = { stroke: colour("grid"), "stroke-width": 1 }, label = { fill: colour("text3") };
  const { _splits: splits, _values: values, scale } = u.axes[1];
  splits?.forEach((v, i) => {
    const y = round(u.valToPos(v, scale));
    if (y < -1 || y > h + 1) return;
    el(plot, "line", { x1: 0, x2: w, y1: y, y2: y, ...grid });
    el(plot, "text", { x: -6, y: y + 4, "text-anchor": "end", ...label }, values[i]);
  });
  for (const { at, text } of ticks(timeline.start, timeline.end, w)) {
    const x = round(u.valToPos(at, "x"));
    el(plot, "line", { x1: x, x2: x, y1: 0, y2: h, ...grid });
    el(plot, "text", { x, y: h + 16, "text-anchor": "middle", ...label }, text);
  }
  el(plot, "line", { x1: 0, x2: w, y1: h, y2: h, stroke: colour("line2") });
}

function lines(plot, u, spec, w, h) {
  const clip = el(plot, "clipPath", { id: "plot" });
  el(clip, "rect", { width: w, height: h });
  const group = el(plot, "g", { "clip-path": "url(#plot)", fill: "none", "stroke-linejoin": "round" });
  spec.series.forEach((s, i) => {
    const of = u.series[i + 1];
    if (of.show === false) return;
    const hue = colour(`s${s.colour}`), stacked = spec.stack && !spec.log && !spec.share;
    for (const run of runs(u, i + 1, of.scale, s.stepped)) {
      if (stacked) {
        const zero = round(u.valToPos(0, of.scale));
        el(group, "path", { d: `${run.path}L${run.end} ${zero}L${run.start} ${zero}Z`, fill: mix(hue, colour("surface"), isDark() ? 0.5 : 0.42) });
      }
      el(group, "path", { d: run.path, stroke: hue, "stroke-width": stacked ? 0.9 : 1.3 });
      if (run.start === run.end) el(group, "circle", { cx: run.start, cy: run.y, r: 2, fill: hue });
    }
  });
  for (const { at, n, text } of timeline.notes) {
    const x = round(u.valToPos(at, "x"));
    if (x < 0 || x > w) continue;
    el(group, "line", { x1: x, x2: x, y1: 0, y2: h, stroke: colour("accent"), "stroke-dasharray": "3 3" });
    el(group, "text", { x: x + 4, y: 11, fill: colour("accent") }, `${n} ${text.split("\n")[0].slice(0, 60)}`);
  }
}

/** The stretches of a line between its gaps, as paths. */
function runs(u, i, scale, stepped) {
  const [times] = u.data, values = u.data[i], list = [];
  let run = null;
  for (let k = 0; k < times.length; k++) {
    if (values[k] == null) {
      run = null;
      continue;
    }
    const x = round(u.valToPos(times[k], "x")), y = round(u.valToPos(values[k], scale));
    if (!run) list.push(run = { path: `M${x} ${y}`, start: x, end: x, y });
    else run.path += stepped ? `H${x}V${y}` : `L${x} ${y}`;
    run.end = x;
  }
  return list;
}

function legend(svg, meta, y, width) {
  const column = 76, count = meta.head.length - 1, at = (k) => width - right - (count - 1 - k) * column;
  const text = (cells, y, weight, x) => cells.forEach((cell, k) => el(svg, "text",
    { x: k ? at(k - 1) : x, y, "text-anchor": k ? "end" : "start", fill: colour(weight ? "text2" : "text"), ...(weight ? { "font-weight": 500 } : {}) }, cell));
  text(meta.head, y, true, 16);
  meta.rows.forEach((r, i) => {
    const line = y + (i + 1) * row;
    if (r.colour) el(svg, "rect", { x: 16, y: line - 6, width: 10, height: 4, rx: 1, fill: colour(`s${r.colour}`) });
    text(r.cells, line, false, 34);
  });
}

/** The same as pixels, twice as many as the page has. */
export async function pngOf(svg) {
  const image = new Image(), url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    await new Promise((done, failed) => {
      image.onload = done;
      image.onerror = () => failed(new Error("the browser could not draw the picture"));
      image.src = url;
    });
    const canvas = document.createElement("canvas");
    canvas.width = image.width * 2;
    canvas.height = image.height * 2;
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((done) => canvas.toBlob(done, "image/png"));
  } finally {
    URL.revokeObjectURL(url);
  }
}

// A chart of one frame, with uPlot.

/** @import { Column, Frame } from "../pcpscope.js" */
/** @typedef {Column & { values: Float64Array }} Drawn a column of numbers */
/** @typedef {{ zoom: (start: number, end: number) => void, reset: () => void, point: (index: number | null, time: string) => void }} Events */

import { short, ticks, title, clock } from "./words.js";

/** @type {typeof uPlot} */
let Plot;
let css = ""; // uPlot's style sheet
let tries = 0;
/** @type {CSSStyleSheet | null} */
let look = null;

/** Loads the chart library, a module next to this one. A failure is retried the next time. */
async function uplot() {
  if (Plot) return;
  try {
    // Browsers may cache a module's failure to load by its URL.
    const again = `./uplot.js?try=${tries}`;
    ({ default: Plot, css } = await (tries ? import(/* @vite-ignore */ /* webpackIgnore: true */ again) : import("./uplot.js")));
  } catch {
    tries++;
    throw new Error("The chart library could not be loaded.");
  }
}

/** Maximum number of lines of a chart. */
export const maxLines = 40;

/** uPlot's style sheet in a form that shadow trees can adopt. */
export async function chartLook() {
  await uplot();
  if (!look) {
    look = new CSSStyleSheet();
    look.replaceSync(css);
  }
  return look;
}

/**
 * @param {Column} c
 * @returns {c is Drawn}
 */
function isDrawn(c) { return c.values instanceof Float64Array && c.values.length > 0; }

export class Chart {
  /** @type {uPlot | null} */
  plot = null;
  /** @type {Frame | null} */
  frame = null;
  /** @type {number | null | undefined} the index of the point at the cursor; undefined initially */
  at = undefined;
  /** @type {[Drawn, HTMLElement][]} */
  cells = [];
  /** @type {HTMLElement | null} */
  legendBox = null;

  /**
   * box contains the chart; style provides custom properties.
   * @param {HTMLElement} box
   * @param {(name: string) => string} style
   * @param {Events} events
   */
  constructor(box, style, events) {
    this.box = box;
    this.style = style;
    this.events = events;
    this.sized = new ResizeObserver(() => this.fit());
    this.sized.observe(box);
  }

  /**
   * stack draws the series on top of each other; max is the fixed upper end of the scale, if any.
   * @param {Frame} frame
   * @param {string} zone
   * @param {{ stack?: boolean, max?: number }} options
   */
  async show(frame, zone, { stack = false, max } = {}) {
    await uplot();
    this.frame = frame;
    const origin = Number(frame.start) / 1e9;
    const drawn = frame.columns.filter(isDrawn).slice(0, maxLines);
    const lines = drawn.map((c) => Array.from(c.values, (v) => (Number.isNaN(v) ? null : v)));
    if (stack) {
      for (let k = 1; k < lines.length; k++) {
        lines[k] = lines[k].map((v, i) => (v === null && lines[k - 1][i] === null ? null : (v ?? 0) + (lines[k - 1][i] ?? 0)));
      }
    }
    this.plot?.destroy();
    const options = this.options(drawn, zone, origin);
    if (max) options.scales = { y: { range: (_, low, high) => [Math.min(0, low ?? 0), Math.max(max, high ?? 0)] } };
    if (stack) { // each band is filled down to the next one
      options.series.forEach((s, k) => { if (k) s.fill = s.stroke; });
      options.bands = lines.slice(1).map((_, k) => ({ series: [k + 2, k + 1] }));
    }
    this.plot = new Plot(options, [Array.from(frame.times, (t) => origin + t), ...lines], this.box);
    this.plot.over.addEventListener("dblclick", () => this.events.reset());
    this.legend(drawn);
  }

  /** @param {number} i */
  colour(i) { return this.style(`--pcp-scope-series-${(i % 8) + 1}`); }

  /** @param {Drawn[]} drawn @param {string} zone @param {number} origin @returns {uPlot.Options} */
  options(drawn, zone, origin) {
    const grid = { stroke: this.style("--pcp-scope-grid"), width: 1 };
    const axis = { stroke: this.style("--pcp-scope-muted"), grid, ticks: { show: false }, font: `11px ${this.style("font-family")}` };
    const say = clock(zone);
    return {
      ...this.size(),
      tzDate: (t) => Plot.tzDate(new Date(t * 1e3), zone),
      legend: { show: false },
      cursor: { y: false, drag: { x: true, y: false, setScale: false } },
      axes: [{ ...axis, values: (_, splits, __, ___, step) => ticks(splits, zone, step) }, { ...axis, size: 56, values: (_, splits) => splits.map(short) }],
      series: [{}, ...drawn.map((c, i) => ({
        stroke: this.colour(i), width: 1.25, spanGaps: false,
        paths: c.semantics === "discrete" ? Plot.paths.stepped?.({ align: 1 }) : undefined,
      }))],
      hooks: {
        setSelect: [(u) => {
          if (u.select.width < 4) return;
          const [a, b] = [u.select.left, u.select.left + u.select.width].map((x) => u.posToVal(x, "x"));
          u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          this.events.zoom(a, b);
        }],
        setCursor: [(u) => {
          const i = u.cursor.idx ?? null;
          if (i !== this.at) {
            this.at = i;
            this.values();
            this.events.point(i, i === null ? "" : say(u.data[0][i]));
          }
        }],
        drawClear: [(u) => this.marks(u, origin)],
      },
    };
  }

  /**
   * Moments that no line crosses.
   * @param {uPlot} u
   * @param {number} origin
   */
  marks(u, origin) {
    const { ctx, bbox } = u;
    ctx.save();
    ctx.strokeStyle = this.style("--pcp-scope-muted");
    ctx.setLineDash([3, 3]);
    for (const m of this.frame?.marks ?? []) {
      const x = u.valToPos(origin + m, "x", true);
      if (x < bbox.left || x > bbox.left + bbox.width) continue;
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
    }
    ctx.restore();
  }

  /** @param {Drawn[]} drawn */
  legend(drawn) {
    this.legendBox?.remove();
    const several = new Set(drawn.map((c) => c.metric)).size > 1;
    this.cells = [];
    this.legendBox = document.createElement("ul");
    this.legendBox.setAttribute("part", "legend");
    for (const [i, c] of drawn.entries()) {
      const item = document.createElement("li"), dot = document.createElement("i"), value = document.createElement("b");
      dot.style.background = this.colour(i); // through CSSOM, which a policy without unsafe-inline allows
      dot.style.setProperty("forced-color-adjust", "none");
      item.append(dot, title(c, several), " ", value);
      this.cells.push([c, value]);
      this.legendBox.append(item);
    }
    this.box.after(this.legendBox);
    this.values();
  }

  /** The values at the cursor, or without one the last values. */
  values() {
    for (const [c, cell] of this.cells) {
      let v = this.at == null ? NaN : c.values[this.at];
      for (let i = c.values.length - 1; this.at == null && i >= 0 && Number.isNaN(v); i--) v = c.values[i];
      cell.textContent = `${short(v)}${c.units && !Number.isNaN(v) ? ` ${c.units}` : ""}`;
    }
  }

  size() { return { width: Math.max(80, this.box.clientWidth), height: Math.max(60, this.box.clientHeight) }; }
  fit() { this.plot?.setSize(this.size()); }

  destroy() {
    this.sized.disconnect();
    this.plot?.destroy();
    this.legendBox?.remove();
    this.plot = null;
  }
}

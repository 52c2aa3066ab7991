// One panel: a uPlot chart on the page's time axis, and the legend cells that
// follow the cursor.

import { marked } from "../marks.js";
import { axisTexts, gap, gutter } from "./axis.js";
import { drawBands } from "./band.js";
import { brief, decimalsIn, short } from "./number.js";
import { colour, contextOf, fontFamily, hatched, hatching, isDark, mix, thin } from "./paint.js";
import { alone, marks, nearest, peak, pile, points, reach } from "./reduce.js";
import { decades, levels, powers, range } from "./scale.js";
import { clockText, ticks, timeline } from "./time.js";

/** @import { Gap, Line, Panel as Spec } from "../../canvas/canvas.d.ts" */
/** @import { Hear } from "./sync.js" */

/** Margin between the plot and the left and right edges of its element, in CSS pixels. */
export const margin = 12;

const maxDots = 40;

/** Shown in place of a missing value; the reason is its title. */
const dash = "–";

export class Panel {
  /** @type {uPlot | null} */
  plot = null;
  /** @type {HTMLCanvasElement | null} the cursor, over the plot */
  over = null;
  /** @type {{ w: number, h: number } | null} in CSS pixels; null while hidden */
  room = null;
  /** @type {number | null} where the cursor is */
  at = null;
  /** @type {number | null} where the pointer went down */
  pressed = null;
  /** Whether the cursor is being moved by code rather than by the user. */
  led = false;
  marked = false;
  wide = false;
  /** The settings that the present plot was made for. */
  shape = "";
  look = "";
  /** @type {Line[]} both drawn and legend-only */
  all = [];
  /** @type {Map<Line, number>} */
  last = new Map();
  /** @type {{ of: string, y: [number, number] | null, right: [number, number] | null } | null} the extent of the bands in the window */
  extremes = null;
  /** @type {Map<number, Line>} */
  byIndex = new Map();

  /**
   * @param {Spec} spec
   * @param {Hear} tell
   */
  constructor(spec, tell) {
    this.spec = spec;
    this.tell = tell;
    this.root = document.createElement("div");
    this.root.className = "fill";
    this.resized = new ResizeObserver(() => this.fit());
    this.resized.observe(this.root);
    this.set(spec);
  }

  /** @param {Spec} spec */
  set(spec) {
    this.spec = spec;
    this.all = [...spec.lines, ...spec.legendOnly];
    this.last = new Map(this.all.map((s) => [s, s.last]));
    this.extremes = null;
    this.byIndex = new Map(this.all.map((s) => [s.index, s]));
    const shape = JSON.stringify([spec.stack, spec.style, spec.log, spec.share, spec.rows, spec.times.length === 1, spec.lines.some((s) => s.right) && spec.lines.map((s) => s.right)]);
    const lines = JSON.stringify(spec.lines.map((s) => [s.colour, s.stepped, s.below, s.bold, s.hatched]));
    const plot = shape === this.shape ? this.plot : null, others = lines !== this.look;
    this.shape = shape;
    this.look = lines;
    if (!plot) return this.rebuild();
    if (others) this.exchange(plot);
    const data = this.data(), none = new Array(data[0].length).fill(null);
    plot.setData([...data, ...new Array(Math.max(0, plot.series.length - data.length)).fill(none)], false);
    this.follow();
  }

  /** Replaces the lines of the plot. A new plot would cost a layout of its part of the page. @param {uPlot} u */
  exchange(u) {
    const list = this.strokes(), f = (/** @type {unknown} */ v) => (typeof v === "function" ? v : () => v);
    list.forEach((s, i) => {
      const has = u.series[i + 1];
      if (!has) return u.addSeries(s);
      Object.assign(has, { ...s, show: true, stroke: f(s.stroke), fill: f(s.fill), points: has.points });
      if (has.points) Object.assign(has.points, { fill: f(s.points?.fill), stroke: f(s.stroke) });
    });
    for (const more of u.series.slice(list.length + 1)) more.show = false; // uPlot cannot remove them
  }

  /** The values in uPlot's form. This is the only copy made of them. @returns {uPlot.AlignedData} */
  data() {
    const { times, lines, log } = this.spec;
    const columns = lines.map((s) => {
      const by = this.by(s);
      return points(s.values, by, log);
    });
    if (this.piled()) {
      pile(columns.filter((_, i) => !lines[i].below));
      pile(columns.filter((_, i) => lines[i].below));
    }
    return [times, ...columns];
  }

  /** The factor from the values of a line to those on the plot. @param {Line} s */
  by(s) { return (s.below ? -1 : 1) * (this.spec.share ? 100 / peak(s.high.length ? s.high : s.values) : s.factor); }

  /** Whether the areas are stacked. */
  piled() { return this.spec.stack && !this.spec.log && !this.spec.share; }

  /**
   * The extent of a scale's bands within the window.
   * @param {"y" | "right"} scale
   */
  reach(scale) {
    const of = `${timeline.start} ${timeline.end}`;
    if (this.extremes?.of !== of) {
      const { lines, times, total } = this.spec, piled = this.piled() && lines.length > 1;
      const all = (/** @type {boolean} */ right) => {
        const lists = lines.filter((s) => s.right === right && s.high.length && !piled).map((s) => ({ low: s.low, high: s.high, by: this.by(s) }));
        if (piled && !right && total.length) lists.push({ low: total, high: total, by: lines[0]?.factor ?? 1 });
        return reach(times, lists, timeline.start, timeline.end);
      };
      this.extremes = { of, y: all(false), right: all(true) };
    }
    return this.extremes[scale];
  }

  rebuild() {
    this.plot?.destroy();
    this.plot = this.over = null;
    const room = this.room ?? this.measure();
    if (!room) return; // fit is called again when it is shown
    this.plot = new uPlot(this.options(room.w, room.h), this.data(), this.root);
    this.listen(this.plot);
    this.follow();
  }

  isWide() { return (this.root.closest(".centre")?.clientWidth ?? 0) >= 900 && !this.root.closest(".two-columns"); }

  /** Measures the element. Only called when its size may have changed, because measuring forces a layout of the whole page. */
  measure() {
    const w = this.root.clientWidth, h = this.root.clientHeight;
    this.wide = this.isWide();
    return (this.room = w && h ? { w, h } : null);
  }

  fit() {
    const wide = this.wide, room = this.measure();
    if (!room) return;
    if (!this.plot || this.wide !== wide) return this.rebuild();
    if (this.plot.width !== room.w || this.plot.height !== room.h) this.plot.setSize({ width: room.w, height: room.h });
  }

  /** @param {number} width @param {number} height @returns {uPlot.Options} */
  options(width, height) {
    const self = this;
    const font = `11px ${fontFamily()}`;
    const grid = { stroke: colour("grid"), width: 1 };
    return {
      width, height, ms: 1,
      padding: [12, margin, this.wide ? 10 : 0, 0],
      legend: { show: false },
      cursor: {
        x: false, y: false,
        drag: { x: true, y: false, setScale: false, dist: 4 },
        points: { show: false }, // mark draws the points, like the cursor's line
      },
      scales: {
        x: { time: false, range: () => [timeline.start, timeline.end] },
        y: this.spec.log ? { distr: 3, log: 10, range: (_, low, high) => decades(...self.with("y", low, high)) } : { range: (_, low, high) => self.range(...self.with("y", low, high)) },
        right: { range: (_, low, high) => range(...self.with("right", low, high), "") },
      },
      axes: [
        {
          show: true, size: this.wide ? 0 : 22, gap: 4, font, stroke: colour("text3"), grid, ticks: { show: false },
          splits: (u) => ticks(timeline.start, timeline.end, u.bbox.width / devicePixelRatio).map((t) => t.at),
          values: (u) => (self.wide ? [] : ticks(timeline.start, timeline.end, u.bbox.width / devicePixelRatio).map((t) => (u.valToPos(t.at, "x") > u.bbox.width / devicePixelRatio - 18 ? "" : t.text))),
          border: { show: true, stroke: colour("line2"), width: 1 },
        },
        {
          size: gutter, gap, font, stroke: colour("text3"), grid, ticks: { show: false }, filter: (u, splits) => splits,
          splits: (u, _, low, high) => (self.spec.log ? powers(low, high) : self.splits(u, low, high)),
          values: (u, splits) => self.axis(splits),
        },
      ],
      series: [{}, ...this.strokes()],
      hooks: {
        drawAxes: [(u) => self.holes(u), (u) => drawBands(u, self)],
        draw: [(u) => self.veil(u), (u) => self.lines(u), (u) => drawNotes(u), () => self.place()], // the scale under the cursor may have changed
        setSelect: [(u) => self.selected(u)],
        setCursor: [(u) => self.pointed(u)],
      },
    };
  }

  /**
   * The ends of the lines' values, widened to include their bands.
   * @param {"y" | "right"} scale
   * @param {number | null} low
   * @param {number | null} high
   * @returns {[number | null, number | null]}
   */
  with(scale, low, high) {
    const r = this.reach(scale);
    return r ? [Math.min(low ?? Infinity, r[0]), Math.max(high ?? -Infinity, r[1])] : [low, high];
  }

  /** The uPlot series of the lines. @returns {uPlot.Series[]} */
  strokes() {
    const one = this.spec.lines.length === 1;
    const lone = this.spec.times.length === 1;
    const stack = this.piled();
    return this.spec.lines.map((s) => ({
      stroke: colour(`s${s.colour}`), width: stack ? 0.9 : s.bold ? 2 : 1.3, spanGaps: false, scale: s.right ? "right" : "y",
      fill: s.hatched ? (u) => hatched(u.ctx) : stack ? mix(colour(`s${s.colour}`), colour("surface"), isDark() ? 0.5 : 0.42) : one && !lone && !this.spec.log && !s.high.length ? (u) => (Number(u.scales.y.min) > 0 || Number(u.scales.y.max) < 0 ? "transparent" : thin(colour(`s${s.colour}`), 0.16)) : undefined,
      paths: this.spec.style === "bar" ? uPlot.paths.bars?.({ size: [0.8, 60], align: 0 }) : s.stepped ? uPlot.paths.stepped?.({ align: 1 }) : uPlot.paths.linear?.(),
      points: { show: this.spec.style !== "bar", size: lone ? 6 : 4, fill: colour(`s${s.colour}`), filter: (u, series) => alone(u.data[series]) },
    }));
  }

  /**
   * The ends of the value axis, extended to thresholds that are close to the
   * values.
   * @param {number | null} low
   * @param {number | null} high
   * @returns {[number, number]}
   */
  range(low, high) {
    const { unit, max, levels, fixed, share } = this.spec;
    if (fixed) return [fixed.low, fixed.high];
    if (share) return range(low, high, "");
    for (const l of levels) if (high != null && l.value > high && l.value <= 3 * high) high = l.value;
    if (max > 0 && high != null) return [Math.min(0, low ?? 0), high > max * 1.02 ? high * 1.05 : max];
    if (this.spec.stack && low != null && low > 0) low = 0; // areas start at zero
    return range(low, high, unit);
  }

  /** @param {uPlot} u @param {number} low @param {number} high */
  splits(u, low, high) {
    const list = levels(low, high, u.bbox.height / devicePixelRatio, 34);
    if (this.spec.decimals !== 0 || this.spec.share) return list;
    const whole = list.filter((v) => Math.abs(v - Math.round(v)) < 1e-9); // half a process does not exist
    return whole.length > 1 ? whole : list;
  }

  /** @param {number[]} splits */
  axis(splits) {
    const texts = axisTexts(splits, this.spec.share ? "%" : this.spec.unit, this.spec.log);
    return this.spec.mirror ? texts.map((t) => t.replace(/^\u2212/, "")) : texts;
  }

  /**
   * Draws thresholds, observations, and the maximum of the right-hand scale over the
   * lines.
   * @param {uPlot} u
   */
  lines(u) {
    const { ctx, bbox } = u, scale = devicePixelRatio || 1;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top - 12 * scale, bbox.width, bbox.height + 12 * scale);
    ctx.clip();
    ctx.font = `${11 * scale}px ${fontFamily()}`;
    ctx.lineWidth = scale;
    if (!this.spec.share && !this.spec.rows.length) {
      for (const { value, label } of this.spec.levels) {
        if (value > Number(u.scales.y.max) || value < Number(u.scales.y.min)) continue;
        const y = Math.round(u.valToPos(value, "y", true)) + 0.5;
        ctx.strokeStyle = ctx.fillStyle = colour("text3");
        ctx.setLineDash([4 * scale, 3 * scale]);
        ctx.beginPath();
        ctx.moveTo(bbox.left, y);
        ctx.lineTo(bbox.left + bbox.width, y);
        ctx.stroke();
        ctx.textAlign = "right";
        ctx.textBaseline = "bottom";
        ctx.setLineDash([]);
        const right = bbox.left + bbox.width, wide = ctx.measureText(label).width + 6 * scale;
        ctx.fillStyle = colour("surface"); // keeps the text readable over lines
        ctx.globalAlpha = 0.85;
        ctx.fillRect(right - wide, y - 14 * scale, wide, 13 * scale);
        ctx.globalAlpha = 1;
        ctx.fillStyle = colour("text3");
        ctx.fillText(label, right - 2 * scale, y - 1);
      }
    }
    const right = this.spec.lines.find((s) => s.right);
    if (right && u.scales.right?.max != null && this.spec.lines.some((s) => s.right && s.values.some((v) => v))) {
      ctx.fillStyle = colour("text3");
      ctx.textAlign = "right";
      ctx.textBaseline = "top";
      ctx.fillText(`${brief(u.scales.right.max, 1)} ${right.unit} `, bbox.left + bbox.width, bbox.top + 2);
    }
    for (const s of this.spec.lines) {
      const { dots } = s;
      if (!dots) continue;
      ctx.fillStyle = colour("surface");
      ctx.strokeStyle = colour(`s${s.colour}`);
      dots.times.forEach((t, i) => {
        const v = dots.values[i];
        if (Number.isNaN(v) || t < timeline.start || t > timeline.end) return;
        ctx.beginPath();
        ctx.arc(u.valToPos(t, "x", true), u.valToPos(s.below ? -v : v, s.right ? "right" : "y", true), 2.5 * scale, 0, 2 * Math.PI);
        ctx.fill();
        ctx.stroke();
      });
    }
    ctx.restore();
  }

  /** Hatches the time ranges for which there can be no value, and labels them. @param {Pick<uPlot, "ctx" | "bbox" | "valToPos">} u */
  holes(u) {
    const { ctx, bbox } = u, scale = devicePixelRatio || 1;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    /** @type {number[]} where a line breaks for a single moment */
    const moments = [];
    for (const gap of [...timeline.gaps, ...this.unread()]) {
      const a = u.valToPos(gap.start, "x", true), b = u.valToPos(gap.end, "x", true);
      if (b < bbox.left || a > bbox.left + bbox.width) continue;
      if (b - a < 2 * scale) {
        moments.push(a);
        continue;
      }
      this.hatch(u, gap.label, Math.max(a, bbox.left), Math.min(b, bbox.left + bbox.width), colour("bg"));
    }
    // Breaks that no line crosses: a dashed line where they are few, a tick at the bottom where they are many.
    ctx.strokeStyle = colour("ctl");
    ctx.lineWidth = scale;
    for (const { at, dense } of marks(moments, moments.length > 12 ? Infinity : 12 * scale, 2 * scale)) {
      ctx.setLineDash(dense ? [] : [3 * scale, 3 * scale]);
      ctx.beginPath();
      ctx.moveTo(at, dense ? bbox.top + bbox.height - 5 * scale : bbox.top);
      ctx.lineTo(at, bbox.top + bbox.height);
      ctx.stroke();
    }
    ctx.restore();
  }

  /**
   * Makes lines pale where they cross a time range without records: PCP interpolates over it unless it is marked.
   * @param {Pick<uPlot, "ctx" | "bbox" | "valToPos">} u
   */
  veil(u) {
    const { ctx, bbox } = u, scale = devicePixelRatio || 1;
    for (const gap of timeline.gaps) {
      const a = Math.max(bbox.left, u.valToPos(gap.start, "x", true)), b = Math.min(bbox.left + bbox.width, u.valToPos(gap.end, "x", true));
      if (b - a < 2 * scale) continue;
      ctx.save();
      this.hatch(u, gap.label, a, b, thin(colour("bg"), 0.7));
      ctx.restore();
    }
  }

  /**
   * Covers the plot between two horizontal positions with a colour and hatching, and labels it.
   * @param {Pick<uPlot, "ctx" | "bbox">} u
   * @param {string} text
   * @param {number} a
   * @param {number} b
   * @param {string} cover
   */
  hatch({ ctx, bbox }, text, a, b, cover) {
    for (const fill of [cover, hatching(ctx)]) {
      ctx.fillStyle = fill;
      ctx.fillRect(a, bbox.top, b - a, bbox.height);
    }
    this.label(ctx, text, a, b, bbox.top + bbox.height / 2, devicePixelRatio || 1);
  }

  /**
   * @param {CanvasRenderingContext2D} ctx
   * @param {string} text
   * @param {number} a
   * @param {number} b
   * @param {number} y
   * @param {number} scale
   */
  label(ctx, text, a, b, y, scale) {
    ctx.font = `${11 * scale}px ${fontFamily()}`;
    const w = ctx.measureText(text).width + 16 * scale, h = 20 * scale, x = (a + b) / 2;
    if (w > b - a - 8 * scale) return;
    ctx.setLineDash([]);
    ctx.fillStyle = colour("surface");
    ctx.strokeStyle = colour("line2");
    ctx.lineWidth = scale;
    ctx.fillRect(x - w / 2, y - h / 2, w, h);
    ctx.strokeRect(x - w / 2, y - h / 2, w, h);
    ctx.fillStyle = colour("text2");
    ctx.textAlign = "center";
    ctx.textBaseline = "middle";
    ctx.fillText(text, x, y);
  }

  /** The range at the end that has not been read yet, if any; it is drawn from a few sampled records. @returns {Gap[]} */
  unread() {
    const { readTo } = this.spec, end = Math.min(timeline.end, timeline.to);
    return readTo == null || readTo >= end ? [] : [{ start: readTo, end, label: "not read yet", lost: false }];
  }

  /** @param {uPlot} u */
  listen(u) {
    const over = u.over;
    over.dataset.testid = `plot-${this.spec.id}`;
    over.addEventListener("dblclick", () => this.tell("unzoom", {}));
    over.addEventListener("mouseleave", () => this.tell("leave", {}));
    over.addEventListener("pointerdown", (e) => { // a drag may continue and end outside the chart
      if (e.pointerType === "mouse" && e.button === 0) over.setPointerCapture(e.pointerId);
    });
    over.addEventListener("mousedown", (e) => {
      this.pressed = e.button === 0 ? e.clientX : null;
      addEventListener("mouseup", () => {
        this.pressed = null;
        this.place();
      }, { once: true });
      this.tell("activate", { panel: this.spec.id });
    });
    over.addEventListener("mouseup", (e) => { // uPlot swallows clicks if the cursor moved in between
      if (this.pressed != null && Math.abs(e.clientX - this.pressed) < 4) this.tell("pin", { at: this.timeAt(u, e.offsetX) });
    });
    over.addEventListener("wheel", (e) => {
      if (!e.ctrlKey && !e.metaKey && !e.shiftKey) return; // a plain wheel scrolls the page
      e.preventDefault();
      const d = e.deltaY || e.deltaX;
      if (e.shiftKey) this.tell("pan", { share: Math.sign(d) * 0.1 });
      else this.tell("zoomby", { factor: d > 0 ? 1.25 : 0.8, at: u.posToVal(e.offsetX, "x") });
    }, { passive: false });
  }

  /** @param {uPlot} u */
  selected(u) {
    if (u.select.width < 4) return;
    const width = u.bbox.width / devicePixelRatio, left = Math.max(0, u.select.left), right = Math.min(width, u.select.left + u.select.width);
    const a = u.posToVal(left, "x"), b = u.posToVal(right, "x");
    u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    this.tell("zoom", { start: a, end: b });
  }

  /** @param {uPlot} u */
  pointed(u) {
    if (this.led) return;
    if (timeline.pinned) return this.place(); // uPlot's own cursor moves with the pointer
    if (u.cursor.left == null || u.cursor.left < 0 || !this.spec.times.length) return;
    this.tell("point", { at: this.timeAt(u, u.cursor.left) });
  }

  /**
   * The time of the grid point nearest to a horizontal position on the
   * plot.
   * @param {uPlot} u
   * @param {number} left
   */
  timeAt(u, left) { return this.spec.times[u.posToIdx(left)] ?? u.posToVal(left, "x"); }

  /** Shows the present window. */
  follow() { this.plot?.setScale("x", { min: timeline.start, max: timeline.end }); }

  /**
   * Shows the cursor at a time; null removes it.
   * @param {number | null} t
   */
  point(t) {
    this.at = t;
    this.place();
    this.write();
  }

  place() {
    const u = this.plot, t = this.at;
    if (!u || this.pressed != null) return; // a selection starts where the pointer is
    this.led = true; // not a move by the user
    const inside = t != null && t >= timeline.start && t <= timeline.end;
    u.setCursor(inside ? { left: u.valToPos(t, "x"), top: u.bbox.height / 2 / devicePixelRatio } : { left: -10, top: -10 }, false);
    this.led = false;
    this.mark(u, inside ? t : null);
  }

  /**
   * Draws the cursor: a line, and a dot on each line of the chart. Everything
   * is on one canvas: with moving elements, as uPlot has them, the browser
   * recomputes the page's layers in each frame, which takes longer than
   * everything else together.
   * @param {uPlot} u
   * @param {number | null} t
   */
  mark(u, t) {
    if (t == null && !this.marked) return;
    this.marked = t != null;
    const scale = devicePixelRatio || 1, width = Math.round(u.bbox.width), height = Math.round(u.bbox.height);
    if (!this.over) {
      this.over = document.createElement("canvas");
      this.over.className = "cursor";
      u.over.append(this.over);
    }
    if (this.over.width !== width || this.over.height !== height) {
      this.over.width = width;
      this.over.height = height;
      this.over.style.setProperty("width", `${width / scale}px`);
      this.over.style.setProperty("height", `${height / scale}px`);
    }
    const ctx = contextOf(this.over), at = u.cursor.idx;
    ctx.clearRect(0, 0, width, height);
    if (t == null) return;
    ctx.fillStyle = colour("accent");
    ctx.fillRect(Math.round(u.valToPos(t, "x")) * scale, 0, (timeline.pinned ? 2 : 1) * scale, height);
    if (at == null || !this.dotted()) return;
    const x = u.valToPos(u.data[0][at], "x") * scale;
    this.spec.lines.forEach((s, i) => {
      const v = u.data[i + 1][at];
      if (v == null) return;
      const y = u.valToPos(v, s.right ? "right" : "y") * scale;
      for (const [r, css] of /** @type {[number, string][]} */ ([[5.5, "surface"], [3.5, `s${s.colour}`]])) {
        ctx.fillStyle = colour(css);
        ctx.beginPath();
        ctx.arc(x, y, r * scale, 0, 2 * Math.PI);
        ctx.fill();
      }
    });
  }

  /** Whether the cursor has dots; with too many lines they would only clutter. */
  dotted() { return this.spec.lines.length <= maxDots; }

  /** The index of the point nearest to the cursor; -1 if none is within a step. */
  index() { return nearest(this.spec.times, this.at); }

  /** Shows the values at the cursor in the legend. */
  write() {
    const { id } = this.spec;
    const i = this.index();
    for (const cell of marked("data-now", id)) {
      const s = cell.dataset.i === "" ? null : this.byIndex.get(Number(cell.dataset.i));
      const v = (s && (this.at == null ? this.last.get(s) : s.values[i] * s.factor)) ?? NaN;
      put(cell, !s ? dash : this.spec.style === "state" ? this.spec.states[v] ?? dash : short(v, decimalsIn(v, s.decimals)));
    }
    /** @type {Set<string>} */
    const reasons = new Set();
    const reason = (/** @type {Line | undefined} */ s) => {
      if (!s || this.at == null || i < 0 || !Number.isNaN(s.values[i])) return "";
      return this.spec.words[s.why[i] ?? 0] || "no value";
    };
    for (const s of this.all) reasons.add(reason(s));
    for (const cell of marked("data-why", id)) {
      const text = reason(this.byIndex.get(Number(cell.dataset.i)));
      put(cell, text && `${dash} ${text}`);
    }
    // If all values are missing for one reason, it is given once, where there is room
    // to read it.
    const all = reasons.size === 1 ? [...reasons][0] : "";
    for (const cell of marked("data-reason", id)) put(cell, all && `${dash} ${all}`);
    for (const cell of marked("data-head", id)) put(cell, this.at == null ? "last" : clockText(this.at));
  }

  destroy() {
    for (const what of ["data-now", "data-why", "data-reason"]) { // a message instead of the chart may keep its legend
      for (const cell of marked(what, this.spec.id)) put(cell, what === "data-now" ? dash : "");
    }
    this.resized.disconnect();
    this.plot?.destroy();
    this.root.remove();
  }
}

/**
 * Sets the text of an element that contains nothing else. An existing text
 * node is changed rather than replaced, since replacing children makes the
 * browser recompute styles around them.
 * @param {Element} cell
 * @param {string} text
 */
export function put(cell, text) {
  const node = cell.firstChild;
  if (!node || !text) {
    if (cell.textContent !== text) cell.textContent = text;
  } else if (node instanceof Text && node.data !== text) node.data = text;
}

/**
 * The user's notes: dashed lines with their numbers. Only the first panel also shows the text, where there is room up
 * to the next note; repeating it in each panel would cover data.
 * @param {uPlot} u
 */
function drawNotes(u) {
  const first = !u.root.closest(".panel")?.previousElementSibling?.matches(".panel");
  const { ctx, bbox } = u, scale = devicePixelRatio || 1, end = bbox.left + bbox.width;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.font = `${11 * scale}px ${fontFamily()}`;
  ctx.textBaseline = "top";
  ctx.textAlign = "left";
  const places = timeline.notes.map(({ at }) => u.valToPos(at, "x", true));
  timeline.notes.forEach(({ n, text }, i) => {
    const x = Math.round(places[i]);
    if (x < bbox.left || x > end) return;
    ctx.strokeStyle = colour("accent");
    ctx.lineWidth = scale;
    ctx.setLineDash([3 * scale, 3 * scale]);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    const room = Math.min(places.slice(i + 1).find((p) => p > x) ?? end, end) - x - 12 * scale;
    let words = first ? `${n} ${text.split("\n")[0]}` : String(n);
    while (words.length > 2 && ctx.measureText(words).width > Math.min(room, 240 * scale)) words = `${words.slice(0, -2).trimEnd()}…`;
    ctx.setLineDash([]);
    ctx.lineJoin = "round";
    ctx.lineWidth = 3 * scale;
    ctx.strokeStyle = colour("surface");
    ctx.strokeText(words, x + 5 * scale, bbox.top + 2 * scale); // drawn without a box, so that the data shows between the letters
    ctx.fillStyle = colour("accent");
    ctx.fillText(words, x + 5 * scale, bbox.top + 2 * scale);
  });
  ctx.restore();
}

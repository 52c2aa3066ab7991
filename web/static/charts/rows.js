// Panels with one row per instance: heat maps, and lanes of states. The one
// for events is in events.js.

/** @typedef {Pick<uPlot, "ctx" | "bbox" | "valToPos">} Drawing what rows are painted on */

import { gutter } from "./axis.js";
import { Panel } from "./panel.js";
import { canvasOf, colour, fontFamily, isDark, wide } from "./paint.js";
import { ramp } from "./ramp.js";
import { stretches } from "./reduce.js";

export class Rows extends Panel {
  /** @type {string[] | undefined} the rows that the cached labels belong to */
  named = undefined;
  /** @type {string[]} */
  texts = [];

  /** @returns {uPlot.AlignedData} */
  data() { return [this.spec.times, new Array(this.spec.times.length).fill(null)]; }

  /** @param {number} width @param {number} height @returns {uPlot.Options} */
  options(width, height) {
    const o = super.options(width, height), self = this, n = this.spec.rows.length, [, names = {}] = o.axes ?? [];
    o.scales = { ...o.scales, y: { dir: -1, range: () => [0, n] } };
    o.series = [{}, { points: { show: false } }];
    const every = Math.max(1, Math.ceil((11 * n) / Math.max(1, height - 30)));
    names.splits = () => self.spec.rows.map((_, i) => i + 0.5).filter((_, i) => i % every === 0);
    names.values = (u, splits) => splits.map((v) => self.name(Math.floor(v)));
    names.grid = { show: false };
    o.hooks = { ...o.hooks, drawAxes: [(u) => self.paint(u), (u) => self.holes(u)] };
    return o;
  }

  exchange() {} // it draws its own lines, not uPlot's

  /** Paints the rows. @param {Drawing} _ */
  paint(_) {}

  dotted() { return false; }

  /** The row labels. Long ones are cut at the end, or at the beginning if they all begin alike. */
  names() {
    const { rows } = this.spec, room = gutter - 9;
    if (this.named === rows) return this.texts;
    /** @type {(fewer: (text: string) => string, marked: (text: string) => string) => string[]} */
    const cut = (fewer, marked) => rows.map((whole) => {
      if (whole.length <= 5 || wide(whole) <= room) return whole;
      let text = whole;
      do text = fewer(text); while (text.length > 1 && wide(marked(text)) > room);
      return marked(text);
    });
    const heads = cut((t) => t.slice(0, -1), (t) => t.trimEnd() + "…"), tails = cut((t) => t.slice(1), (t) => "…" + t.trimStart());
    this.named = rows;
    return (this.texts = new Set(heads).size < new Set(tails).size ? tails : heads);
  }

  /** @param {number} i */
  name(i) { return this.names()[i] ?? ""; }

  /** @param {Drawing} u @param {(ctx: CanvasRenderingContext2D, bbox: uPlot.BBox) => void} draw */
  clip(u, draw) {
    const { ctx, bbox } = u;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    draw(ctx, bbox);
    ctx.restore();
  }
}

export class Heat extends Rows {
  /** @type {{ of: object, canvas: HTMLCanvasElement } | undefined} */
  kept = undefined;

  /** An image with one pixel per value, scaled up to the plot. */
  picture() {
    const { times, lines, peak } = this.spec;
    if (this.kept?.of === this.spec) return this.kept.canvas;
    const image = new ImageData(Math.max(1, times.length), Math.max(1, lines.length));
    lines.forEach((s, row) => {
      for (let i = 0; i < times.length; i++) {
        const v = s.values[i] * s.factor;
        if (Number.isNaN(v)) continue;
        const [r, g, b] = ramp[Math.max(0, Math.min(255, Math.round((v / (peak || 1)) * 255)))];
        image.data.set([r, g, b, 255], 4 * (row * times.length + i));
      }
    });
    const { canvas, ctx } = canvasOf(image.width, image.height);
    ctx.putImageData(image, 0, 0);
    this.kept = { of: this.spec, canvas };
    return canvas;
  }

  /** @param {Drawing} u */
  paint(u) {
    const { times } = this.spec;
    if (times.length < 2) return;
    this.clip(u, (ctx, bbox) => {
      const step = (times[times.length - 1] - times[0]) / (times.length - 1);
      // The value of a rate belongs to the interval before its time.
      const a = u.valToPos(times[0] - step, "x", true), b = u.valToPos(times[times.length - 1], "x", true);
      ctx.imageSmoothingEnabled = false;
      ctx.drawImage(this.picture(), a, bbox.top, b - a, bbox.height);
    });
  }
}

export class Lanes extends Rows {
  /** @param {Drawing} u */
  paint(u) {
    const { times, lines, states } = this.spec, scale = devicePixelRatio || 1;
    this.clip(u, (ctx, bbox) => {
      const high = bbox.height / Math.max(1, lines.length), inset = Math.min(3 * scale, high / 6);
      ctx.font = `${11 * scale}px ${fontFamily()}`;
      ctx.textBaseline = "middle";
      ctx.textAlign = "left"; // uPlot's axis sets another alignment
      const right = bbox.left + bbox.width;
      lines.forEach((s, row) => {
        const y = bbox.top + row * high + inset, h = high - 2 * inset;
        let named = false;
        for (const [from, to, state] of stretches(s.values, times.length)) {
          const begin = u.valToPos(times[from], "x", true), end = u.valToPos(times[Math.min(to, times.length - 1)], "x", true);
          if (begin > right || end < bbox.left) continue;
          // One that begins where the window ends is seen, too.
          const a = Math.min(right - 2 * scale, Math.max(bbox.left, begin)), b = Math.min(right, end);
          ctx.globalAlpha = isDark() ? 0.5 : 0.35;
          ctx.fillStyle = colour(`s${[1, 4, 6, 5, 3, 7, 8, 10, 2][state % 9]}`);
          ctx.fillRect(a, y, Math.max(2 * scale, b - a), h);
          ctx.globalAlpha = 1;
          ctx.fillRect(a, y, scale, h);
          let text = states[state] ?? "";
          if (!named && this.name(row) !== this.spec.rows[row]) text = `${this.spec.rows[row]}: ${text}`; // in full, since the axis had to shorten it
          if (h >= 11 * scale && ctx.measureText(text).width < b - a - 8 * scale) {
            ctx.fillStyle = colour("text");
            ctx.fillText(text, a + 5 * scale, y + h / 2);
            named = true;
          }
        }
      });
    });
  }
}

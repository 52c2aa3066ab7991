// The strip over the whole time span: the envelope of one series, what was
// read and lost, the problems, and the window as a brush.

import { ticks, timeline } from "./time.js";
import { canvasOf, colour, fit, hatching, thin } from "./paint.js";
import { envelope } from "./reduce.js";

/** @import { Pulse as Spec } from "../../canvas/canvas.d.ts" */
/** @import { Hear } from "./sync.js" */
/** @typedef {{ zone: string, from: number, x: number, a: number | null, b: number | null }} Drag */

const pad = 12;      // left and right
const handle = 6;

export class Pulse {
  /** @type {Spec} */
  spec = { times: new Float64Array(), values: new Float64Array(), high: new Float64Array(), readTo: null };
  /** @type {Drag | null} */
  drag = null;
  /** @type {number | null} */
  cursor = null;
  /** @type {HTMLCanvasElement | null} everything except the cursor */
  picture = null;
  /** @type {{ of: unknown[], picture: HTMLCanvasElement } | null} the cached envelope, and what it was drawn from */
  kept = null;

  /** @param {HTMLCanvasElement} canvas @param {Hear} tell */
  constructor(canvas, tell) {
    this.canvas = canvas;
    this.tell = tell;
    new ResizeObserver(() => this.draw()).observe(canvas);
    canvas.addEventListener("pointerdown", (e) => this.down(e));
    canvas.addEventListener("pointermove", (e) => this.move(e));
    canvas.addEventListener("pointerup", () => this.up());
    canvas.addEventListener("pointercancel", () => { this.drag = null; this.draw(); });
    canvas.addEventListener("dblclick", () => tell("zoom", { start: timeline.from, end: timeline.to }));
  }

  /** @param {Spec} spec */
  set(spec) {
    this.spec = spec;
    this.draw();
  }

  /** @param {number} t */
  x(t) { return pad + ((t - timeline.from) / (timeline.to - timeline.from)) * (this.canvas.clientWidth - 2 * pad); }
  /** @param {number} x */
  t(x) {
    const share = (x - pad) / (this.canvas.clientWidth - 2 * pad);
    return timeline.from + Math.max(0, Math.min(1, share)) * (timeline.to - timeline.from);
  }

  /** @returns {[number, number]} */
  brush() {
    const a = this.drag?.a, b = this.drag?.b;
    return a == null || b == null ? [timeline.start, timeline.end] : [Math.min(a, b), Math.max(a, b)];
  }

  /** @param {number | null} cursor */
  draw(cursor = this.cursor) {
    this.cursor = cursor;
    this.picture = null;
    const view = fit(this.canvas);
    if (!view || !(timeline.to > timeline.from)) return;
    const { ctx, w, h } = view;
    const base = h - 26, top = 6;
    const { readTo } = this.spec;
    for (const { start, end } of readTo == null ? timeline.gaps : [...timeline.gaps, { start: readTo, end: timeline.to }]) {
      const a = this.x(start), b = this.x(end);
      if (b - a < 1) continue;
      ctx.fillStyle = hatching(ctx);
      ctx.fillRect(a, top, b - a, base - top);
    }
    this.values(ctx, w, top, base);
    ctx.fillStyle = colour("line2");
    ctx.fillRect(pad, base, w - 2 * pad, 1);

    // Coverage: grey for data, red for losses.
    ctx.fillStyle = colour("ctl");
    ctx.fillRect(pad, base + 3, w - 2 * pad, 3);
    if (readTo != null) {
      ctx.fillStyle = colour("line2");
      ctx.fillRect(this.x(readTo), base + 3, this.x(timeline.to) - this.x(readTo), 3);
    }
    for (const gap of timeline.gaps) {
      ctx.fillStyle = gap.lost ? colour("broken-fill") : colour("bg");
      ctx.fillRect(this.x(gap.start), base + 3, Math.max(1.5, this.x(gap.end) - this.x(gap.start)), 3);
    }

    // Findings: amber for what deserves attention, grey for information.
    for (const [level, css] of [["know", "ctl"], ["look", "look-fill"], ["broken", "broken-fill"]]) {
      for (const f of timeline.findings) {
        if (f.level !== level) continue;
        ctx.fillStyle = colour(css);
        ctx.fillRect(this.x(f.start), base + 8, Math.max(3, this.x(f.end) - this.x(f.start)), 3);
      }
    }

    ctx.fillStyle = colour("text3");
    ctx.textBaseline = "alphabetic";
    ctx.textAlign = "center";
    for (const { at, text } of ticks(timeline.from, timeline.to, (w - 2 * pad) / 1.8)) {
      const half = ctx.measureText(text).width / 2;
      ctx.fillText(text, Math.max(half + 2, Math.min(w - half - 2, this.x(at))), h - 5);
    }
    this.window(ctx, w, base);
    this.pins(ctx, base);
    this.notes(ctx, base);
    this.line(ctx, h);
  }

  /** @param {CanvasRenderingContext2D} ctx @param {number} h */
  line(ctx, h) {
    if (this.cursor == null) return;
    ctx.fillStyle = colour("accent");
    ctx.fillRect(Math.round(this.x(this.cursor)), 0, 1, h - 20);
  }

  /**
   * Moves the cursor over the cached picture of everything else.
   * @param {number | null} cursor
   */
  point(cursor) {
    if (!this.picture) {
      this.draw(null);
      if (!this.canvas.width || !this.canvas.height) return;
      const { canvas, ctx } = canvasOf(this.canvas.width, this.canvas.height);
      ctx.drawImage(this.canvas, 0, 0);
      this.picture = canvas;
    }
    this.cursor = cursor;
    const view = fit(this.canvas);
    if (!view) return;
    view.ctx.drawImage(this.picture, 0, 0, view.w, view.h);
    this.line(view.ctx, view.h);
  }

  /**
   * Draws the envelope from a cached picture: its columns take longest to draw, and the window changes more often
   * than they do.
   * @param {CanvasRenderingContext2D} ctx
   * @param {number} w
   * @param {number} top
   * @param {number} base
   */
  values(ctx, w, top, base) {
    const of = [this.spec, timeline.from, timeline.to, this.canvas.width, this.canvas.height, colour("ctl")];
    const same = this.kept?.of.every((v, i) => v === of[i]) ? this.kept : null;
    const { picture } = (this.kept = same ?? { of, picture: this.envelopeOf(ctx, w, top, base) });
    ctx.save();
    ctx.resetTransform(); // in device pixels
    ctx.drawImage(picture, 0, 0);
    ctx.restore();
  }

  /** A picture of the envelope. @param {CanvasRenderingContext2D} like @param {number} w @param {number} top @param {number} base */
  envelopeOf(like, w, top, base) {
    const { canvas, ctx } = canvasOf(this.canvas.width, this.canvas.height);
    ctx.setTransform(like.getTransform());
    this.envelope(ctx, w, top, base);
    return canvas;
  }

  /**
   * The mean dark and the maximum light, one column per pixel.
   * @param {CanvasRenderingContext2D} ctx
   * @param {number} w
   * @param {number} top
   * @param {number} base
   */
  envelope(ctx, w, top, base) {
    const { times, values, high } = this.spec;
    let peak = 0;
    for (const v of high.length ? high : values) if (v > peak) peak = v;
    if (!peak) return;
    const span = timeline.to - timeline.from, columns = Math.max(1, Math.floor(w - 2 * pad));
    const { sum, count, max } = envelope(times, values, high, timeline.from, timeline.to, columns);
    const wide = times.length > 1 ? Math.max(1, Math.ceil(((times[1] - times[0]) / span) * columns)) : 1;
    const y = (/** @type {number} */ v) => (v / peak) * (base - top);
    const dark = colour("ctl"), light = thin(dark, 0.45);
    for (let c = 0; c < columns; c++) {
      if (!count[c]) continue;
      const width = Math.min(wide, columns - c);
      ctx.fillStyle = light;
      ctx.fillRect(pad + c, base - y(max[c]), width, y(max[c]));
      ctx.fillStyle = dark;
      ctx.fillRect(pad + c, base - y(sum[c] / count[c]), width, y(sum[c] / count[c]));
    }
  }

  /**
   * Draws the compared windows in place of the visible one.
   * @param {CanvasRenderingContext2D} ctx
   * @param {number} w
   * @param {number} base
   */
  compared(ctx, w, base) {
    ctx.fillStyle = thin(colour("surface"), 0.6);
    ctx.fillRect(0, 0, w, base);
    timeline.compared.forEach(({ start, end }, i) => {
      const a = this.x(start), b = this.x(end), css = colour(i ? "s1" : "text2");
      ctx.fillStyle = thin(css, 0.14);
      ctx.fillRect(a, 0, b - a, base);
      ctx.fillStyle = css;
      ctx.fillRect(a - 1, 0, 2, base);
      ctx.fillRect(b - 1, 0, 2, base);
      ctx.fillRect(a, 0, 16, 16);
      ctx.fillStyle = colour("surface");
      ctx.textAlign = "center";
      ctx.textBaseline = "middle";
      ctx.fillText("AB"[i], a + 8, 8.5);
    });
    const [start, end] = this.brush();
    if (this.drag?.a != null) {
      ctx.fillStyle = thin(colour("accent"), 0.2);
      ctx.fillRect(this.x(start), 0, this.x(end) - this.x(start), base);
    }
  }

  /** @param {CanvasRenderingContext2D} ctx @param {number} w @param {number} base */
  window(ctx, w, base) {
    if (timeline.compared.length) return this.compared(ctx, w, base);
    const [start, end] = this.brush();
    const a = this.x(start), b = this.x(end);
    ctx.fillStyle = thin(colour("surface"), 0.6);
    ctx.fillRect(0, 0, a, base);
    ctx.fillRect(b, 0, w - b, base);
    if (start > timeline.from || end < timeline.to) {
      ctx.fillStyle = thin(colour("accent"), 0.1);
      ctx.fillRect(a, 0, b - a, base);
    }
    ctx.fillStyle = colour("accent");
    for (const x of [a, b]) {
      ctx.fillRect(x - 1, 0, 2, base);
      ctx.beginPath();
      ctx.roundRect(x - handle / 2, base / 2 - 8, handle, 16, 2);
      ctx.fill();
    }
  }

  /** @param {CanvasRenderingContext2D} ctx @param {number} base */
  pins(ctx, base) {
    ctx.textAlign = "center";
    ctx.textBaseline = "middle";
    for (const { at, n } of timeline.problems) {
      const x = Math.max(9, Math.min(this.canvas.clientWidth - 9, this.x(at)));
      ctx.fillStyle = colour("pin");
      ctx.fillRect(x - 0.5, 8, 1, base + 6 - 8);
      ctx.beginPath();
      ctx.arc(x, 9, 7.5, 0, 2 * Math.PI);
      ctx.fill();
      ctx.fillStyle = "#fff";
      ctx.fillText(String(n), x, 9.5);
    }
  }

  /**
   * The user's notes: violet flags with their numbers.
   * @param {CanvasRenderingContext2D} ctx
   * @param {number} base
   */
  notes(ctx, base) {
    ctx.textAlign = "center";
    ctx.textBaseline = "middle";
    for (const { at, n } of timeline.notes) {
      if (at < timeline.from || at > timeline.to) continue; // belongs to another source; the list of notes has it
      const x = Math.max(9, Math.min(this.canvas.clientWidth - 9, this.x(at)));
      ctx.fillStyle = colour("accent");
      ctx.fillRect(x - 0.5, 8, 1, base + 6 - 8);
      ctx.beginPath();
      ctx.roundRect(x - 7, 2, 14, 14, 3);
      ctx.fill();
      ctx.fillStyle = colour("on-accent");
      ctx.fillText(String(n), x, 9.5);
    }
  }

  /** @param {number} x */
  zone(x) {
    if (timeline.compared.length) return "new";
    const a = this.x(timeline.start), b = this.x(timeline.end);
    if (Math.abs(x - a) <= handle) return "start";
    if (Math.abs(x - b) <= handle) return "end";
    if (x > a && x < b && (timeline.start > timeline.from || timeline.end < timeline.to)) return "move";
    return "new";
  }

  /** @param {any} e */
  down(e) {
    if (e.button !== 0) return;
    this.canvas.setPointerCapture(e.pointerId);
    this.drag = { zone: this.zone(e.offsetX), from: this.t(e.offsetX), x: e.offsetX, a: null, b: null };
  }

  /** @param {any} e */
  move(e) {
    const d = this.drag, t = this.t(e.offsetX);
    if (!d) {
      const zone = this.zone(e.offsetX);
      this.canvas.style.setProperty("cursor", zone === "move" ? "grab" : zone === "new" ? "crosshair" : "ew-resize");
      return;
    }
    if (d.a == null && Math.abs(e.offsetX - d.x) < 3) return;
    switch (d.zone) {
      case "start": [d.a, d.b] = [t, timeline.end]; break;
      case "end": [d.a, d.b] = [timeline.start, t]; break;
      case "new": [d.a, d.b] = [d.from, t]; break;
      case "move": {
        const long = timeline.end - timeline.start;
        d.a = Math.max(timeline.from, Math.min(timeline.to - long, timeline.start + t - d.from));
        d.b = d.a + long;
      }
    }
    this.draw();
  }

  up() {
    const d = this.drag;
    if (!d) return;
    const [a, b] = this.brush();
    this.drag = null;
    if (d.a != null) this.tell("zoom", { start: a, end: b });
    else this.tell("point", { at: d.from });
    this.draw();
  }
}

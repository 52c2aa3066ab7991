// The matrix of hosts over time: a canvas the size of the visible part, redrawn on
// scrolling.

import { colour, fit, fontFamily, hatching } from "../charts/paint.js";
import { ramp } from "../charts/ramp.js";
import { hours as dayLength } from "./data.js";
import { highest, hoursOfColumn } from "./order.js";

/** @typedef {import("./order.js").Row & { recorded: Float32Array, known: boolean[] }} Line hosts: recorded seconds by hour, and which days are known */
/** @typedef {{ head: string } | { row: Line }} Drawn */

const head = 22, line = 16, right = 12;

export class Matrix {
  /** @type {Drawn[]} */
  lines = [];
  /** @type {number} of the first hour, in milliseconds */
  start = 0;
  days = 0;
  low = 0;
  high = 1;
  /** @type {{ line: number, hour: number } | null} */
  over = null;
  /** @type {{ host: string, hour: number } | null} */
  picked = null;
  frame = 0;

  /**
   * @param {HTMLElement} box that scrolls
   * @param {HTMLCanvasElement} canvas
   * @param {HTMLElement} room as high as all lines
   * @param {{ point: (row: Line | null, hour: number) => void, pick: (row: Line, hour: number) => void, open: () => void }} tell
   */
  constructor(box, canvas, room, tell) {
    this.box = box;
    this.canvas = canvas;
    this.room = room;
    this.tell = tell;
    new ResizeObserver(() => this.later()).observe(box);
    box.addEventListener("scroll", () => this.later());
    canvas.addEventListener("pointermove", (e) => this.point(this.cellAt(e)));
    canvas.addEventListener("pointerleave", () => this.point(null));
    canvas.addEventListener("click", (e) => {
      const cell = this.cellAt(e), at = cell && this.lines[cell.line];
      if (cell && at && "row" in at) this.pick(at.row, this.best(at.row, cell.hour));
    });
    box.addEventListener("keydown", (e) => this.key(e));
  }

  /** @param {Drawn[]} lines @param {number} start @param {number} days */
  show(lines, start, days) {
    this.lines = lines;
    this.start = start;
    this.days = days;
    this.low = Infinity;
    this.high = -Infinity;
    for (const l of lines) {
      if (!("row" in l)) continue;
      for (const v of l.row.values) {
        if (!Number.isFinite(v)) continue;
        if (v < this.low) this.low = v;
        if (v > this.high) this.high = v;
      }
    }
    if (this.low > 0 && this.low < 0.5 * this.high) this.low = 0;
    this.room.style.setProperty("height", `${head + lines.length * line}px`);
    this.draw();
  }

  later() { this.frame ||= requestAnimationFrame(() => { this.frame = 0; this.draw(); }); }

  /** Computes the width of the names and of a column, and the hours per column. */
  measure() {
    const w = this.box.clientWidth, gutter = w < 600 ? 84 : 132, plot = Math.max(1, w - gutter - right), hours = this.days * dayLength;
    const each = hoursOfColumn(hours, plot), columns = Math.max(1, Math.ceil(hours / each));
    return { gutter, plot, hours, each, columns, width: plot / columns };
  }

  /** @param {MouseEvent} e */
  cellAt(e) {
    const { gutter, each, width, hours } = this.measure(), x = e.offsetX - gutter, y = e.offsetY - head + this.box.scrollTop;
    if (x < 0 || e.offsetY < head || !this.days) return null;
    const hour = Math.floor(x / width) * each, at = Math.floor(y / line);
    return hour < hours && this.lines[at] ? { line: at, hour } : null;
  }

  /** The hour that represents a column: the highest. @param {Line} row @param {number} hour */
  best(row, hour) {
    const { each } = this.measure(), at = highest(row.values, hour, each);
    return at < 0 ? hour : at;
  }

  /** @param {{ line: number, hour: number } | null} cell */
  point(cell) {
    if (cell?.line === this.over?.line && cell?.hour === this.over?.hour) return;
    this.over = cell;
    const at = cell && this.lines[cell.line];
    this.canvas.style.setProperty("cursor", at && "row" in at ? "pointer" : "default");
    this.tell.point(at && "row" in at ? at.row : null, cell && at && "row" in at ? this.best(at.row, cell.hour) : 0);
    this.later();
  }

  /** @param {Line} row @param {number} hour */
  pick(row, hour) {
    this.picked = { host: row.host, hour };
    this.tell.pick(row, hour);
    this.reveal();
    this.later();
  }

  /** Scrolls to the selected host. */
  reveal() {
    const at = this.lines.findIndex((l) => "row" in l && l.row.host === this.picked?.host);
    if (at < 0) return;
    const top = at * line, seen = this.box.clientHeight - head;
    if (top < this.box.scrollTop) this.box.scrollTop = top;
    else if (top + line > this.box.scrollTop + seen) this.box.scrollTop = top + line - seen;
  }

  /** @param {KeyboardEvent} e */
  key(e) {
    const rows = this.lines.flatMap((l) => ("row" in l ? [l.row] : []));
    if (!rows.length || e.ctrlKey || e.metaKey || e.altKey) return;
    const { each, hours } = this.measure(), column = Math.floor((this.picked?.hour ?? 0) / each) * each;
    let at = rows.findIndex((r) => r.host === this.picked?.host), hour = column;
    switch (e.key) {
      case "ArrowDown": at++; break;
      case "ArrowUp": at = Math.max(0, at - 1); break;
      case "PageDown": at += 20; break;
      case "PageUp": at = Math.max(0, at - 20); break;
      case "ArrowRight": hour += each; break;
      case "ArrowLeft": hour -= each; break;
      case "Home": hour = 0; break;
      case "End": hour = hours - each; break;
      case "Enter":
        if (this.picked) {
          e.preventDefault();
          this.tell.open();
        }
        return;
      default: return;
    }
    e.preventDefault();
    const row = rows[Math.max(0, Math.min(rows.length - 1, at))];
    this.pick(row, this.best(row, Math.max(0, Math.min(hours - 1, hour))));
  }

  draw() {
    this.canvas.style.setProperty("height", `${this.box.clientHeight}px`);
    const view = fit(this.canvas);
    if (!view) return;
    const { ctx, w, h } = view, { gutter, each, columns, width, hours, plot } = this.measure();
    if (!this.days) return;
    const top = this.box.scrollTop, span = this.high - this.low || 1, gapX = width > 5 ? 1 : 0;
    const first = Math.max(0, Math.floor(top / line)), last = Math.min(this.lines.length - 1, Math.ceil((top + h - head) / line));
    const hatch = hatching(ctx);
    ctx.textBaseline = "middle";
    for (let i = first; i <= last; i++) {
      const at = this.lines[i], y = head + i * line - top;
      ctx.textAlign = "left";
      if ("head" in at) {
        ctx.font = `600 11px ${fontFamily()}`;
        ctx.fillStyle = colour("text2");
        ctx.fillText(at.head, 4, y + line / 2 + 1, w - 8);
        continue;
      }
      const { row } = at;
      ctx.font = `11px ${fontFamily()}`;
      ctx.fillStyle = colour(row.host === this.picked?.host ? "text" : "text2");
      ctx.fillText(shortened(ctx, row.host, gutter - 12), 4, y + line / 2);
      for (let c = 0; c < columns; c++) {
        const hour = c * each, best = highest(row.values, hour, each);
        if (best >= 0) {
          const [r, g, b] = ramp[Math.max(0, Math.min(255, Math.round(((row.values[best] - this.low) / span) * 255)))];
          ctx.fillStyle = `rgb(${r}, ${g}, ${b})`;
        } else if (row.known[Math.floor(hour / dayLength)]) {
          ctx.fillStyle = hatch;
        } else continue; // not loaded yet
        const x = Math.round(gutter + c * width); // whole pixels, or columns blur into each other
        ctx.fillRect(x, y, Math.max(1, Math.round(gutter + (c + 1) * width) - x - gapX), line - 1);
      }
    }
    const mark = (/** @type {number} */ i, /** @type {number} */ hour, /** @type {string} */ token) => {
      if (i < first || i > last) return;
      ctx.strokeStyle = colour(token);
      ctx.lineWidth = 2;
      ctx.strokeRect(gutter + Math.floor(hour / each) * width - 1, head + i * line - top - 1, Math.max(4, width - gapX) + 2, line + 1);
    };
    if (this.over) mark(this.over.line, this.over.hour, "text");
    if (this.picked) mark(this.lines.findIndex((l) => "row" in l && l.row.host === this.picked?.host), this.picked.hour, "accent");
    // The dates, drawn over rows scrolled below them.
    ctx.fillStyle = colour("surface");
    ctx.fillRect(0, 0, w, head);
    ctx.font = `11px ${fontFamily()}`;
    ctx.textAlign = "left";
    const dayWidth = (plot / hours) * dayLength, every = Math.max(1, Math.ceil(46 / dayWidth));
    for (let day = 0; day < this.days; day += every) {
      const x = gutter + day * dayWidth, date = new Date(this.start + day * 86400e3);
      ctx.fillStyle = colour("line2");
      ctx.fillRect(Math.round(x), head - 6, 1, 5);
      ctx.fillStyle = colour("text3");
      const text = date.toLocaleDateString("en-GB", { timeZone: "UTC", day: "numeric", month: "short" });
      if (x + ctx.measureText(text).width < w) ctx.fillText(text, x + 2, head / 2 - 1);
    }
  }
}

/** A name truncated to a given width. @param {CanvasRenderingContext2D} ctx @param {string} text @param {number} room */
function shortened(ctx, text, room) {
  if (ctx.measureText(text).width <= room) return text;
  let n = 1;
  for (let step = 256; step; step >>= 1) if (n + step < text.length && ctx.measureText(`${text.slice(0, n + step)}…`).width <= room) n += step;
  return `${text.slice(0, n)}…`;
}

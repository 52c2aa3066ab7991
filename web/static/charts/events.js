// Event panels: a lane per line, a mark for each event, and at the cursor a
// description of it.

import { marked } from "../marks.js";
import { clockText, timeline } from "./time.js";
import { colour } from "./paint.js";
import { put } from "./panel.js";
import { Rows } from "./rows.js";

/** @import { Line, Marks, Panel as Spec } from "../../canvas/canvas.d.ts" */
/** @import { Drawing } from "./rows.js" */

/** @type {Marks} */
const nothing = { at: new Float64Array(), flags: [], texts: [] };
const marksOf = (/** @type {Line} */ s) => s.marks ?? nothing;

const reach = 8; // how near the cursor must be to an event, in pixels
const maxDescribed = 3; // events at once

export class Events extends Rows {
  /** @param {Spec} spec */
  set(spec) {
    const all = spec.lines.flatMap((s) => Array.from(marksOf(s).at)).sort((a, b) => a - b);
    super.set({ ...spec, times: Float64Array.from(all.filter((t, i) => t !== all[i - 1])) }); // the cursor moves from event to event
  }

  /** A line for a point event; a wedge that opens where something starts, or closes where it ends. @param {Drawing} u */
  paint(u) {
    const { lines } = this.spec, scale = devicePixelRatio || 1;
    this.clip(u, (ctx, bbox) => {
      const high = bbox.height / Math.max(1, lines.length), inset = Math.min(4 * scale, high / 6);
      lines.forEach((s, row) => {
        const { at, flags } = marksOf(s);
        const top = bbox.top + row * high + inset, h = high - 2 * inset;
        ctx.strokeStyle = colour("grid");
        ctx.lineWidth = scale;
        ctx.beginPath();
        ctx.moveTo(bbox.left, top + h / 2);
        ctx.lineTo(bbox.left + bbox.width, top + h / 2);
        ctx.stroke();
        let before = -Infinity;
        at.forEach((t, i) => {
          const x = Math.round(u.valToPos(t, "x", true)), lost = flags[i] === "missed";
          if (x < bbox.left - 1 || x > bbox.left + bbox.width + 1 || (x === before && !lost)) return;
          before = x;
          ctx.fillStyle = colour(lost ? "look-fill" : `s${s.colour}`);
          ctx.fillRect(Math.round(x - scale / 2), top, lost ? 2 * scale : scale, h);
          const crowd = (/** @type {number} */ k) => at[k] !== t && Math.abs(u.valToPos(at[k] ?? Infinity, "x", true) - x) < 8 * scale;
          if (!lost && (crowd(i - 1) || crowd(i + 1))) return;
          const way = flags[i].includes("start") ? 1 : flags[i].includes("end") ? -1 : 0, size = Math.min(6 * scale, h / 2);
          ctx.beginPath();
          if (way) {
            ctx.moveTo(x, top);
            ctx.lineTo(x + way * size, top + size / 2);
            ctx.lineTo(x, top + size);
          } else ctx.arc(x, top + h / 2, Math.min(3.5 * scale, h / 3), 0, 2 * Math.PI);
          ctx.fill();
        });
      });
    });
  }

  /**
   * The events of a line near the cursor, as indices into its lists.
   * @param {Line} s
   */
  near(s) {
    const { at } = marksOf(s);
    if (this.at == null || !this.plot) return [];
    const within = (reach * (timeline.end - timeline.start)) / (this.plot.bbox.width / (devicePixelRatio || 1));
    let low = 0, high = at.length; // the first within reach
    while (low < high) {
      const mid = (low + high) >> 1;
      if (at[mid] < this.at - within) low = mid + 1;
      else high = mid;
    }
    let best = within;
    /** @type {number[]} */
    let list = [];
    for (let i = low; i < at.length && at[i] <= this.at + within; i++) {
      const d = Math.abs(at[i] - this.at);
      if (d < best) {
        best = d;
        list = [i];
      } else if (d === best && list.length) list.push(i);
    }
    return list;
  }

  write() {
    const { id, lines } = this.spec, words = [];
    const found = new Map(lines.map((s) => [s.index, this.near(s)]));
    for (const s of lines) {
      const list = found.get(s.index) ?? [], { at, texts } = marksOf(s);
      for (const i of list.slice(0, maxDescribed)) words.push(`${clockText(at[i])} ${lines.length > 1 ? `${s.label}: ` : ""}${texts[i]}`);
      if (list.length > maxDescribed) words.push(`and ${list.length - maxDescribed} more`);
    }
    for (const cell of marked("data-now", id)) put(cell, cell.dataset.i === "" ? "" : String(found.get(Number(cell.dataset.i))?.length || ""));
    for (const cell of marked("data-why", id)) put(cell, "");
    for (const cell of marked("data-reason", id)) put(cell, words.join(" · "));
    for (const cell of marked("data-head", id)) put(cell, this.at == null ? "" : clockText(this.at));
  }
}

// A frame as a table: one row per time, one column per series.

/** @import { Column, Frame } from "../pcpscope.js" */

import { short, title, clock } from "./words.js";

const maxRows = 500;

/** @param {Frame} frame @param {string} zone */
export function table(frame, zone) {
  const out = document.createElement("table");
  out.setAttribute("part", "table");
  const several = new Set(frame.columns.map((c) => c.metric)).size > 1;
  const head = row("th", [`Time (${zone})`, ...frame.columns.map((c) => title(c, several) + (c.units ? ` [${c.units}]` : ""))]);
  const thead = document.createElement("thead"), tbody = document.createElement("tbody");
  thead.append(head);
  const say = clock(zone), origin = Number(frame.start) / 1e9;
  const from = Math.max(0, frame.times.length - maxRows);
  for (let i = from; i < frame.times.length; i++) {
    tbody.append(row("td", [say(origin + frame.times[i]), ...frame.columns.map((c) => cell(c, i))]));
  }
  if (from > 0) {
    const caption = document.createElement("caption");
    caption.textContent = `The last ${maxRows} of ${frame.times.length} times.`;
    out.append(caption);
  }
  out.append(thead, tbody);
  return out;
}

/** @param {Column} column @param {number} i */
function cell(column, i) {
  if (column.exact && !Number.isNaN(column.values[i])) return String(column.exact[i]);
  const v = column.values[i];
  return typeof v === "string" ? v : short(v);
}

/**
 * A row. All cells are set as text, whatever they look like.
 * @param {string} kind
 * @param {string[]} texts
 */
function row(kind, texts) {
  const tr = document.createElement("tr");
  for (const text of texts) {
    const e = document.createElement(kind);
    e.textContent = text;
    tr.append(e);
  }
  return tr;
}

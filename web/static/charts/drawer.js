// The table in the drawer. Numbers in columns of kind "time" are seconds
// after the origin of the timeline; a column that has texts as well shows
// those.

/** @import { Column, Table, Tell } from "../../canvas/canvas.d.ts" */

import { VirtualTable } from "./table.js";

/** @type {VirtualTable | null} */
let table = null;
let page = "";
/** @type {string[]} of the columns */
let names = [];
/** @type {Tell} */
let tell = () => {};

/** @param {Tell} fn */
export function listenDrawer(fn) { tell = fn; }

/** @type {Table | null} of a long table: the parts received so far */
let parts = null;

/** Appends the rows of a part. @param {Table} to @param {Table} part */
function append(to, part) {
  to.marks?.push(...part.marks ?? []);
  part.columns.forEach((c, i) => {
    /** @type {[Column | null, Column | null]} */
    const below = [to.columns[i].under, c.under];
    for (const [old, more] of [[to.columns[i], c], below]) {
      if (!old || !more) continue;
      old.texts?.push(...more.texts ?? []);
      old.tags?.push(...more.tags ?? []);
      if (old.numbers && more.numbers) old.numbers = joined(old.numbers, more.numbers);
    }
  });
}

/** @param {Float64Array} a @param {Float64Array} b */
function joined(a, b) {
  const all = new Float64Array(a.length + b.length);
  all.set(a);
  all.set(b, a.length);
  return all;
}

/** @param {Table} part */
export function showDrawer(part) {
  for (const c of part.columns) {
    const { words, word } = c;
    if (words && word) c.texts = Array.from(word, (i) => words[i]);
  }
  if (part.from === 0) parts = part;
  else if (parts) append(parts, part);
  if (part.more || !parts) return;
  const spec = parts;
  parts = null;
  const el = document.getElementById("drawer-table");
  if (!el) return;
  if (!table || table.host !== el || page !== spec.page) {
    table?.destroy();
    const picks = spec.page === "problems" || spec.page === "metrics";
    table = new VirtualTable(el, {
      testid: `${spec.page}-rows`, row: spec.page === "problems" ? "problem" : undefined,
      onPick: picks ? (row) => tell("row", { row }) : undefined,
      onView: (column, down, filter) => tell("view", { page: spec.page, sort: names[column] ?? "", down, filter }),
      onColumn: spec.page === "problems" ? undefined : (i, shown) => tell("column", { page: spec.page, name: names[i], shown }), // problems open on the page itself
    });
    page = spec.page;
  }
  names = spec.columns.map((c) => c.name);
  const columns = spec.columns.map((c) => ({ ...c, tags: c.tags?.map((t) => t.split(" ").filter(Boolean)), opens: spec.opens, under: c.under ?? undefined }));
  const { marks } = spec;
  const text = (/** @type {number} */ r, /** @type {number} */ c) => spec.columns[c].texts?.[r];
  const numeral = (/** @type {number} */ r, /** @type {number} */ c) => spec.columns[c].numbers?.[r];
  const plain = (/** @type {number} */ c) => !spec.columns[c].numbers || spec.columns[c].kind === "exact";
  table.set({
    title: spec.title, note: spec.note, name: spec.name, empty: spec.empty, wraps: true, rows: spec.rows, full: spec.full, columns,
    sort: spec.sort < 0 ? null : { column: spec.sort, down: spec.down }, filter: spec.filter, chosen: spec.chosen,
    value: (r, c) => (plain(c) ? text(r, c) : numeral(r, c)),
    key: (r, c) => {
      const { kind, texts } = spec.columns[c], v = numeral(r, c);
      return (kind === "exact" && v !== undefined && !Number.isNaN(v)) || !texts ? v : plain(c) ? text(r, c) : v;
    },
    said: (r, c) => text(r, c),
    below: (r, c) => columns[c].under?.texts?.[r] ?? "",
    mark: marks ? (r) => marks[r] : undefined,
  });
}

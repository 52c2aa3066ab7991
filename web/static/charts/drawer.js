// @ts-nocheck its types come with those of the calls between Go and the canvases
// The table in the drawer. Its columns come as arrays: {head, group, kind,
// width, decimals, texts, numbers, under}; texts are joined by NUL, numbers of
// kind "time" are seconds after the origin of the timeline. Where there are
// both, the texts are shown. Tags are texts too: words with spaces between.

import { VirtualTable } from "./table.js";

let table = null, page = "", names = [], tell = () => {};

export function listenDrawer(fn) { tell = fn; }

const apart = (texts) => texts?.split("\0");

export function showDrawer(spec) {
  const el = document.getElementById("drawer-table");
  if (!el) return;
  if (!table || table.host !== el || page !== spec.page) {
    table?.destroy();
    const view = (column, down, filter) => tell("view", spec.page, names[column] ?? "", filter, down ? 1 : 0);
    const column = (i, on) => tell("column", spec.page, names[i], on ? 1 : 0);
    table = new VirtualTable(el, {
      testid: `${spec.page}-rows`, row: spec.page === "problems" ? "problem" : undefined,
      onPick: spec.page === "problems" || spec.page === "metrics" ? (r) => tell("row", r) : undefined,
      onView: view, onColumn: spec.page === "problems" ? undefined : column, // those have their place on the page
    });
    page = spec.page;
  }
  names = spec.columns.map((c) => c.name);
  const columns = spec.columns.map((c) => ({ ...c, texts: apart(c.texts), tags: apart(c.tags)?.map((t) => t.split(" ").filter(Boolean)), opens: spec.opens, under: c.under && { ...c.under, texts: apart(c.under.texts) } }));
  const marks = apart(spec.marks);
  const plain = (c) => !c.numbers || c.kind === "exact";
  table.set({
    title: spec.title, note: spec.note, name: spec.name, empty: spec.empty, wraps: true, rows: spec.rows, full: spec.full, columns,
    sort: spec.sort < 0 ? null : { column: spec.sort, down: spec.down }, filter: spec.filter, chosen: spec.chosen,
    value: (r, c) => (plain(columns[c]) ? columns[c].texts[r] : columns[c].numbers[r]),
    key: (r, c) => (columns[c].kind === "exact" && !Number.isNaN(columns[c].numbers[r]) || !columns[c].texts ? columns[c].numbers[r] : plain(columns[c]) ? columns[c].texts[r] : columns[c].numbers[r]),
    said: (r, c) => columns[c].texts?.[r],
    below: (r, c) => columns[c].under?.texts[r] ?? "",
    mark: marks ? (r) => marks[r] : undefined,
  });
}

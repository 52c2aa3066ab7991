// The table in the drawer. Its columns come as arrays: {head, group, kind,
// width, decimals, texts or numbers}; texts are joined by NUL, numbers of kind "time" are seconds after
// the origin of the timeline.

import { VirtualTable } from "./table.js";

let table = null, page = "";

export function showDrawer(spec) {
  const el = document.getElementById("drawer-table");
  if (!el) return;
  if (!table || table.host !== el || page !== spec.page) {
    table?.destroy();
    table = new VirtualTable(el, { testid: `${spec.page}-rows` });
    page = spec.page;
  }
  const columns = spec.columns.map((c) => (c.texts == null ? c : { ...c, texts: c.texts.split("\0") }));
  const marks = spec.marks?.split("\0");
  table.set({
    title: spec.title, note: spec.note, name: spec.name, empty: spec.empty, rows: spec.rows, full: spec.full, columns,
    sort: spec.sort < 0 ? null : { column: spec.sort, down: true },
    value: (r, c) => (columns[c].texts ? columns[c].texts[r] : columns[c].numbers[r]),
    mark: marks ? (r) => marks[r] : undefined,
  });
}

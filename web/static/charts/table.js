// Tables of any length: only the rows on screen are in the page. Sorted by a
// click on a head, filtered, copied as TSV, saved as CSV.

import { clockText, timeline } from "./time.js";
import { number } from "./paint.js";

const rowHeight = 24;

/** Texts and times stand at the left; numbers, and figures that are texts already, at the right. */
const left = (c) => c.kind === "text" || c.kind === "time";

function element(tag, className, text) {
  const e = document.createElement(tag);
  if (className) e.className = className;
  if (text != null) e.textContent = text;
  return e;
}

/** How many decimals a number by itself needs. */
function needed(v) {
  const a = Math.abs(v);
  if (Number.isInteger(v) || a >= 1000) return 0;
  if (a >= 100) return 1;
  return a >= 0.1 ? 2 : Math.min(9, 2 - Math.ceil(Math.log10(a || 1)));
}

/**
 * columns: [{head, group, kind: "text" | "number" | "bar" | "time" | "id" | "figure", width, decimals}]
 * value(row, column) is a number, a text or null; text(row, column) says it.
 */
export class VirtualTable {
  constructor(host, { testid, onPick } = {}) {
    this.host = host;
    const root = (this.root = element("div", "vt")); // of its own: Vugu takes classes and properties away from the host
    this.onPick = onPick;
    host.replaceChildren(root);
    this.bar = element("div", "vt-bar");
    this.title = element("span", "vt-title");
    this.note = element("span", "t3 ellipsis");
    this.filter = element("input");
    this.filter.type = "text";
    this.filter.placeholder = "Filter";
    this.filter.setAttribute("aria-label", "Filter the rows");
    this.filter.dataset.testid = `${testid}-filter`;
    this.filter.spellcheck = false;
    const field = element("label", "field small");
    field.append(this.filter);
    this.copyButton = element("button", "", "Copy");
    this.copyButton.type = "button";
    this.copyButton.title = "Copy as text with tabs, as a spreadsheet takes it";
    this.copyButton.dataset.testid = `${testid}-copy`;
    this.saveButton = element("button", "", "Save CSV");
    this.saveButton.type = "button";
    this.saveButton.dataset.testid = `${testid}-csv`;
    this.bar.append(this.title, this.note, element("span", "grow"), field, this.copyButton, this.saveButton);
    this.scroller = element("div", "vt-scroll");
    this.scroller.tabIndex = 0;
    this.scroller.setAttribute("role", "table");
    this.head = element("div", "vt-head");
    this.head.setAttribute("role", "row");
    this.space = element("div", "vt-space");
    this.body = element("div", "vt-rows");
    this.space.append(this.body);
    this.scroller.append(this.head, this.space);
    this.empty = element("p", "empty");
    root.append(this.bar, this.scroller, this.empty);
    this.scroller.dataset.testid = testid;
    this.filter.addEventListener("input", () => this.arrange());
    this.copyButton.addEventListener("click", () => this.copy());
    this.saveButton.addEventListener("click", () => this.save());
    this.scroller.addEventListener("scroll", () => this.draw(), { passive: true });
    this.resized = new ResizeObserver(() => this.draw());
    this.resized.observe(this.scroller);
    this.sorted = null;
    this.shape = "";
  }

  set(spec) {
    this.spec = spec;
    this.title.textContent = spec.title ?? "";
    this.note.textContent = spec.note ?? "";
    const shape = JSON.stringify(spec.columns.map((c) => [c.head, c.group, c.kind, c.width]));
    if (shape !== this.shape) {
      this.shape = shape;
      this.sorted = spec.sort ?? null;
      this.scroller.scrollTop = 0;
      this.heads();
    }
    this.arrange();
  }

  heads() {
    const { columns } = this.spec;
    const tracks = columns.map((c) => c.width ?? (c.kind === "text" ? "minmax(90px, 1fr)" : "84px")).join(" ");
    this.root.style.setProperty("--vt-tracks", tracks);
    this.head.replaceChildren(...columns.map((c, i) => {
      const b = element("button", left(c) ? "" : "right");
      b.type = "button";
      b.dataset.testid = "vt-head";
      if (c.group) b.append(element("small", "", c.group));
      b.append(element("span", "", c.head));
      b.title = c.head + (c.group ? `, ${c.group}` : "");
      b.addEventListener("click", () => {
        const now = this.sorted;
        this.sorted = now?.column === i ? { column: i, down: !now.down } : { column: i, down: c.kind !== "text" };
        this.arrange();
      });
      const cell = element("div", ""); // a button cannot be the head of a column itself
      cell.setAttribute("role", "columnheader");
      cell.append(b);
      return cell;
    }));
  }

  text(row, i) {
    const c = this.spec.columns[i], v = this.spec.value(row, i);
    if (v == null || (typeof v === "number" && Number.isNaN(v))) return left(c) || c.kind === "figure" || c.kind === "id" ? "" : "–";
    if (c.kind === "id") return String(v);
    if (c.kind === "time") return clockText(v);
    if (typeof v === "number") return number(v, c.decimals < 0 ? needed(v) : c.decimals ?? 2);
    return v;
  }

  arrange() {
    const { columns, rows, value } = this.spec, needle = this.filter.value.trim().toLowerCase();
    let order = Array.from({ length: rows }, (_, i) => i);
    if (needle) {
      const words = columns.map((c, i) => (c.kind === "text" || c.kind === "figure" ? i : -1)).filter((i) => i >= 0);
      let match = (t) => t.toLowerCase().includes(needle);
      try {
        const re = new RegExp(needle, "i");
        match = (t) => re.test(t);
      } catch { /* not a regular expression: as it stands */ }
      order = order.filter((r) => (words.length ? words : columns.map((_, i) => i)).some((i) => match(String(this.text(r, i)))));
    }
    if (this.sorted) {
      const { column, down } = this.sorted, sign = down ? -1 : 1;
      const key = order.map((r) => value(r, column));
      const by = new Map(order.map((r, k) => [r, key[k]]));
      const none = (v) => v == null || (typeof v === "number" && Number.isNaN(v));
      order.sort((a, b) => {
        const x = by.get(a), y = by.get(b);
        if (none(x) || none(y)) return none(x) - none(y) || a - b;
        return (typeof x === "number" ? x - y : x < y ? -1 : x > y ? 1 : 0) * sign || a - b;
      });
    }
    this.order = order;
    [...this.head.children].forEach((cell, i) => {
      const on = this.sorted?.column === i;
      cell.firstChild.classList.toggle("on", on);
      cell.setAttribute("aria-sort", on ? (this.sorted.down ? "descending" : "ascending") : "none");
    });
    this.peaks = columns.map((c, i) => (c.kind === "bar" ? order.reduce((m, r) => Math.max(m, value(r, i) || 0), this.spec.full ?? 0) : 0));
    this.empty.hidden = order.length > 0;
    this.scroller.hidden = rows === 0;
    this.empty.textContent = rows ? `No row matches “${this.filter.value}”.` : this.spec.empty ?? "Nothing here.";
    this.space.style.setProperty("height", `${order.length * rowHeight}px`);
    this.drawn = "";
    this.draw();
  }

  draw() {
    if (!this.spec) return;
    const first = Math.max(0, Math.floor(this.scroller.scrollTop / rowHeight) - 4);
    const count = Math.min(this.order.length - first, Math.ceil(this.scroller.clientHeight / rowHeight) + 8);
    const state = `${first}:${count}`;
    if (state === this.drawn) return;
    this.drawn = state;
    this.body.style.setProperty("transform", `translateY(${first * rowHeight}px)`);
    const rows = [];
    for (let k = first; k < first + count; k++) rows.push(this.row(this.order[k]));
    this.body.replaceChildren(...rows);
  }

  row(r) {
    const { columns, value, mark } = this.spec;
    const e = element("div", "vt-row" + (mark?.(r) ? ` ${mark(r)}` : ""));
    e.setAttribute("role", "row");
    e.dataset.testid = "vt-row";
    columns.forEach((c, i) => {
      const text = this.text(r, i);
      const cell = element("span", (left(c) ? "" : "right") + (c.strong ? " strong" : "") + (c.faint ? " t3" : ""), text);
      cell.setAttribute("role", "cell");
      if (c.kind === "text" && text.length > 12) cell.title = text;
      if (text === "0") cell.classList.add("t3");
      if (c.kind === "bar") {
        const bar = element("i");
        bar.style.setProperty("width", `${(100 * Math.max(0, value(r, i) || 0)) / (this.peaks[i] || 1)}%`);
        cell.classList.add("bar");
        cell.append(bar);
      }
      c.paint?.(cell, r);
      e.append(cell);
    });
    if (this.onPick) e.addEventListener("click", () => this.onPick(r));
    return e;
  }

  lines(separator, quote) {
    const { columns } = this.spec;
    const list = [columns.map((c) => quote(c.group ? `${c.head} (${c.group})` : c.head)).join(separator)];
    for (const r of this.order) list.push(columns.map((c, i) => {
      const v = this.spec.value(r, i);
      if (v == null || (typeof v === "number" && Number.isNaN(v))) return "";
      return quote(c.kind === "time" ? new Date((timeline.origin + v) * 1000).toISOString() : String(v));
    }).join(separator));
    return list.join("\n") + "\n";
  }

  tsv() { return this.lines("\t", (v) => v.replace(/[\t\n\r]/g, " ")); }

  async copy() {
    const text = this.tsv();
    try {
      await navigator.clipboard.writeText(text);
    } catch { // not allowed here: the old way
      const area = element("textarea", "visually-hidden");
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    this.copyButton.textContent = `Copied ${this.order.length} rows`;
    setTimeout(() => { this.copyButton.textContent = "Copy"; }, 1500);
  }

  save() {
    // A cell that begins like a formula is text to a spreadsheet with a mark before it.
    const quote = (v) => {
      const safe = /^[=+@\t]|^-(?![\d.])/.test(v) ? `'${v}` : v;
      return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
    };
    const url = URL.createObjectURL(new Blob([this.lines(",", quote)], { type: "text/csv" }));
    const a = element("a");
    a.href = url;
    a.download = `${this.spec.name ?? "table"}.csv`;
    a.click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  }

  destroy() { this.resized.disconnect(); }
}

/**
 * A panel as a table. style "rows": a row for each time; "table": a row for
 * each instance, at the cursor. Series have label, instance, line, decimals,
 * and values or texts.
 */
export class TablePanel {
  constructor(spec, tell) {
    this.tell = tell;
    this.root = element("div", "fill");
    this.table = new VirtualTable(this.root, { testid: `table-${spec.id}`, onPick: (r) => this.pick(r) });
    this.set(spec);
  }

  set(spec) {
    this.spec = spec;
    this.show();
  }

  show() {
    if (this.spec.style === "rows") this.showTimes();
    else this.showInstances();
  }

  at(s, i) {
    if (i < 0) return null;
    return s.texts ? s.texts[i] : s.values[i];
  }

  showTimes() {
    const { series, times, title } = this.spec;
    const first = times.findIndex((t) => t >= timeline.start - 1e-6);
    let last = times.length - 1;
    while (last >= 0 && times[last] > timeline.end + 1e-6) last--;
    const from = first < 0 ? 0 : first;
    this.from = from;
    this.table.set({
      name: title, rows: first < 0 ? 0 : last - from + 1, empty: "No value in this window.",
      columns: [{ head: "time", kind: "time", width: "92px", faint: true }, ...series.map((s) => ({ head: s.label, group: s.unit, kind: s.texts ? "text" : "number", decimals: s.decimals, width: s.texts ? undefined : "minmax(56px, 1fr)" }))],
      value: (r, c) => (c === 0 ? times[from + r] : this.at(series[c - 1], from + r)),
    });
  }

  showInstances() {
    const { series, times, title } = this.spec;
    const i = this.index();
    const lines = [], rows = new Map();
    for (const s of series) {
      if (!lines.some((l) => l.line === s.line)) lines.push(s);
      if (!rows.has(s.instance)) rows.set(s.instance, new Map());
      rows.get(s.instance).set(s.line, s);
    }
    const named = [...rows].filter(([, cells]) => [...cells.values()].some((s) => { const v = this.at(s, i); return v != null && !Number.isNaN(v); }));
    this.table.set({
      name: title, rows: named.length, empty: "No value at this time.",
      note: i >= 0 ? `at ${clockText(times[i])}` : "",
      columns: [...(rows.size === 1 && rows.has("") ? [] : [{ head: "instance", kind: "text", strong: true }]), ...lines.map((l) => ({ head: l.column, group: l.unit, kind: l.texts ? "text" : "number", decimals: l.decimals, width: l.texts ? undefined : "minmax(56px, 1fr)" }))],
      value: (r, c) => {
        if (!(rows.size === 1 && rows.has("")) && c-- === 0) return named[r][0];
        const s = named[r][1].get(lines[c].line);
        return s ? this.at(s, i) : null;
      },
    });
  }

  /** The last observation at or before the cursor; without it, of the window. */
  index() {
    const { times } = this.spec, t = (this.cursor ?? timeline.end) + 1e-6;
    let i = times.length - 1;
    while (i >= 0 && times[i] > t) i--;
    return i;
  }

  pick(r) {
    if (this.spec.style === "rows") this.tell("point", this.spec.times[this.from + r] ?? null);
  }

  follow() { this.show(); }
  fit() {}
  rebuild() {}

  point(t) {
    if (t === this.cursor) return;
    this.cursor = t;
    if (this.spec.style === "table") this.show();
  }

  destroy() {
    this.table.destroy();
    this.root.remove();
  }
}

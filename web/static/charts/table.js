// Tables of any length: only the rows on screen are in the page. They can be
// sorted by a click on a header, filtered, copied as TSV, and saved as CSV
// and JSON.

import { clockText, dated, stamp, timeline } from "./time.js";
import { decimalsOf, number } from "./number.js";
import { isTame } from "./pattern.js";
import { placePopup } from "../popup.js";
import { csvCell, pastedCell } from "../cells.js";

/** @import { Line, Panel } from "../../canvas/canvas.d.ts" */
/** @import { Hear } from "./sync.js" */

/** @typedef {string | number | null | undefined} Value */
/**
 * kind is one of
 *   text; number; bar: a number with a bar in proportion; time: decimals are those of its seconds; id: not formatted;
 *   figure: a number given as formatted text; exact: the same, exported as that text; badge; action: a button.
 * tags is a list of words for each row, shown before its text.
 * each line of an action's text is a button; opens is the line that opens the file dialog.
 * under is a column of texts shown as a second line, and as the name for exports; in a table that wraps, both take two lines on a
 * narrow page.
 * @typedef {object} Column
 * @property {string} head
 * @property {string} [group]
 * @property {string} kind
 * @property {string} [width]
 * @property {number} [decimals] negative: as many as each number needs
 * @property {boolean} [strong]
 * @property {boolean} [faint]
 * @property {boolean} [mono]
 * @property {string} [as] the name for exports
 * @property {Pick<Column, "head" | "kind" | "as" | "texts">} [under]
 * @property {(row: number) => string} [whole] the tooltip of an abbreviated cell
 * @property {boolean} [hidden]
 * @property {string} [name]
 * @property {string[]} [texts]
 * @property {string[][]} [tags]
 * @property {string} [opens]
 * @property {(cell: HTMLElement, row: number) => void} [paint] adds content to a cell
 */
/**
 * @typedef {object} Spec
 * @property {string} [title]
 * @property {string} [label]
 * @property {string} [name] base name of exported files
 * @property {string} [note]
 * @property {string} [empty]
 * @property {number} rows
 * @property {number} [full] the value of a full bar
 * @property {Column[]} columns
 * @property {Sorted | null} [sort]
 * @property {string} [filter]
 * @property {boolean} [chosen] sort, filter or columns have changed
 * @property {boolean} [wraps]
 * @property {boolean} [each] every header shows its group
 * @property {(row: number, column: number) => Value} value a number, a text or null, for sorting and export
 * @property {(row: number, column: number) => Value} [key] the sort key, if it differs from value
 * @property {(row: number, column: number) => string | null | undefined} [said] the text on screen, if it differs from value
 * @property {(row: number, column: number) => string} [below] the second line
 * @property {(row: number) => string} [mark] a class for a row
 */
/** @typedef {{ column: number, down: boolean }} Sorted */
/**
 * onPick acts on a row; onView receives the order and filter (column -1: unsorted); onColumn the columns to show; row
 * is the data-testid of the rows.
 * @typedef {object} Options
 * @property {string} [testid]
 * @property {string} [row]
 * @property {(row: number) => void} [onPick]
 * @property {(column: number, down: boolean, filter: string) => void} [onView]
 * @property {(column: number, shown: boolean) => void} [onColumn]
 */

const narrow = matchMedia("(max-width: 1023px)");

/** Texts and times are aligned left; numbers, figures, and times with tags are aligned right. */
const left = (/** @type {Column} */ c) => ["text", "time", "badge"].includes(c.kind) && !c.tags;
const none = (/** @type {Value} */ v) => v == null || (typeof v === "number" && Number.isNaN(v));

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {string} [className]
 * @param {string} [text]
 * @returns {HTMLElementTagNameMap[K]}
 */
function element(tag, className, text) {
  const e = document.createElement(tag);
  if (className) e.className = className;
  if (text != null) e.textContent = text;
  return e;
}

/** A table of any length. */
export class VirtualTable {
  /** @type {Spec} */
  spec = { rows: 0, columns: [], value: () => null };
  /** @type {Sorted | null} */
  sorted = null;
  /** @type {number[]} the rows that match the filter, in order */
  order = [];
  /** @type {number | undefined} the row selected with arrow keys, as an index into order */
  at = undefined;
  /** @type {number[]} the visible columns */
  shown = [];
  /** @type {number[]} the largest value of each column with bars */
  peaks = [];
  shape = "";
  drawn = "";
  tall = false;
  /** @type {{ button: HTMLButtonElement, list: HTMLElement } | null} the column chooser */
  choice = null;
  /** @type {((e: FocusEvent | PointerEvent) => void) | null} closes it when something else gets the focus */
  left = null;

  /** @param {HTMLElement} host @param {Options} options */
  constructor(host, { testid, row, onPick, onView, onColumn } = {}) {
    this.host = host;
    const root = (this.root = element("div", "vt")); // an element of our own: Vugu removes classes and properties from the host
    this.onPick = onPick;
    this.onView = onView;
    this.onColumn = onColumn;
    this.testid = testid;
    this.rowid = row ?? "vt-row";
    this.rowHeight = 24;
    host.replaceChildren(root);
    this.bar = element("div", "vt-bar");
    this.title = element("span", "vt-title");
    this.note = element("span", "t3 vt-note");
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
    this.copyButton.title = "Copy as tab-separated text, for a spreadsheet";
    this.copyButton.dataset.testid = `${testid}-copy`;
    const save = (/** @type {"csv" | "json"} */ kind) => {
      const b = element("button", "", `Save ${kind.toUpperCase()}`);
      b.type = "button";
      b.dataset.testid = `${testid}-${kind}`;
      b.addEventListener("click", () => this.save(kind));
      return b;
    };
    const choice = (this.choice = onColumn ? this.chooser(testid) : null);
    this.tools = element("div", "vt-tools");
    this.tools.append(field, ...(choice ? [choice.button] : []), this.copyButton, save("csv"), save("json"));
    this.bar.append(this.title, this.note, element("span", "grow"), this.tools, ...(choice ? [choice.list] : []));
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
    if (testid) this.scroller.dataset.testid = testid;
    this.filter.addEventListener("input", () => this.chosen());
    this.copyButton.addEventListener("click", () => this.copy());
    this.scroller.addEventListener("scroll", () => this.draw(), { passive: true });
    this.scroller.addEventListener("keydown", (e) => this.key(e));
    this.resized = new ResizeObserver(() => this.draw());
    this.resized.observe(this.scroller);
  }

  /** @param {Spec} spec */
  set(spec) {
    this.spec = spec;
    this.title.textContent = spec.title ?? "";
    this.scroller.setAttribute("aria-label", spec.label ?? spec.title ?? spec.name ?? "");
    this.note.textContent = spec.note ?? "";
    this.note.title = spec.note ?? "";
    const shape = JSON.stringify(spec.columns.map((c) => [c.head, c.group, c.kind, trackOf(c), c.hidden]));
    if (shape !== this.shape || spec.chosen) {
      this.shape = shape;
      this.sorted = spec.sort ?? null;
      this.scroller.scrollTop = 0;
      if (spec.filter != null) this.filter.value = spec.filter;
      this.heads();
    }
    this.arrange();
  }

  /** The button that opens the list of columns, and that list. @param {string} [testid] */
  chooser(testid) {
    const b = element("button", "");
    b.type = "button";
    b.dataset.testid = `${testid}-columns`;
    b.setAttribute("aria-haspopup", "true");
    const list = element("div", "menu columns");
    list.dataset.testid = `${testid}-column-list`;
    list.setAttribute("role", "group");
    list.setAttribute("aria-label", "Columns");
    list.hidden = true;
    const open = (/** @type {boolean} */ on) => {
      list.hidden = !on;
      b.setAttribute("aria-expanded", String(on));
      if (!on) return;
      placePopup(list, b);
      list.querySelector("input")?.focus();
    };
    open(false);
    b.addEventListener("click", () => open(list.hidden === true));
    const parts = [b, list];
    /** @type {(e: FocusEvent | PointerEvent) => void} */
    const left = (e) => {
      const to = (e instanceof FocusEvent ? e.relatedTarget : null) ?? e.target;
      if (!list.hidden && !parts.some((p) => to instanceof Node && p.contains(to))) open(false);
    };
    list.addEventListener("focusout", (e) => { if (e.relatedTarget) left(e); });
    document.addEventListener("pointerdown", (this.left = left), true);
    list.addEventListener("keydown", (e) => {
      const boxes = [.../** @type {NodeListOf<HTMLInputElement>} */ (list.querySelectorAll("input:not(:disabled)"))], by = steps[e.key];
      if (by) boxes.at((boxes.findIndex((box) => box === document.activeElement) + by) % boxes.length)?.focus();
      else if (e.key === "Escape") {
        open(false);
        b.focus();
      } else return e.stopPropagation(); // shortcuts of the page must not fire
      e.preventDefault();
      e.stopPropagation();
    });
    return { button: b, list };
  }

  /** Fills the list of columns. */
  listColumns() {
    if (!this.choice) return;
    const { columns } = this.spec, { button, list } = this.choice;
    button.textContent = `Columns ${this.shown.length} of ${columns.length}`;
    if (list.children.length !== columns.length) {
      list.replaceChildren(...columns.map(() => {
        const line = element("label", "column"), box = element("input");
        box.type = "checkbox";
        box.dataset.testid = `${this.testid}-column`;
        line.append(box, element("span"), element("small", "t3"));
        return line;
      }));
    }
    columns.forEach((c, i) => {
      const [input, head, group] = list.children[i].children, box = /** @type {HTMLInputElement} */ (input);
      head.textContent = c.head;
      group.textContent = c.group ?? "";
      box.checked = !c.hidden;
      box.disabled = !c.hidden && this.shown.length === 1; // at least one column stays visible
      box.dataset.column = c.name ?? c.head;
      box.onchange = () => {
        c.hidden = !box.checked;
        this.heads();
        this.arrange();
        this.onColumn?.(i, box.checked);
      };
    });
  }

  /** Called when the user has changed the order or the filter. */
  chosen() {
    this.arrange();
    this.onView?.(this.sorted?.column ?? -1, Boolean(this.sorted?.down), this.filter.value);
  }

  heads() {
    const { columns } = this.spec;
    this.shown = columns.flatMap((c, i) => (c.hidden ? [] : [i]));
    const tracks = this.shown.map((i) => trackOf(columns[i])).join(" ");
    this.root.style.setProperty("--vt-tracks", tracks);
    this.tall = columns.some((c) => c.under);
    this.root.classList.toggle("tall", this.tall);
    this.root.classList.toggle("wraps", this.spec.wraps === true);
    this.head.replaceChildren(...this.shown.map((i, k) => this.headOf(i, k)));
    this.listColumns();
  }

  /**
   * The header of column i, the k-th visible one. A group shared by neighbours is shown once, over the last of them;
   * with spec.each, over each.
   * @param {number} i
   * @param {number} k
   */
  headOf(i, k) {
    const { columns } = this.spec, c = columns[i], group = (/** @type {number} */ at) => columns[this.shown[at]]?.group;
    const cell = element("div", ""); // a button itself cannot have the role of a column header
    cell.setAttribute("role", "columnheader");
    if (c.kind === "badge" || c.kind === "action") {
      cell.append(element("span", "visually-hidden", c.as || "what can be done"));
      return cell;
    }
    const b = element("button", left(c) ? "" : "right");
    b.type = "button";
    b.dataset.testid = "vt-head";
    if (c.group) {
      const last = this.spec.each || group(k + 1) !== c.group, label = element("small", "", last ? c.group : "\u00a0");
      let from = k;
      while (last && !this.spec.each && from > 0 && group(from - 1) === c.group) from--;
      if (from < k) label.style.setProperty("max-width", `${100 * (k - from + 1)}%`);
      b.append(label);
    }
    b.append(element("span", "", c.head));
    b.title = c.head + (c.group ? `, ${c.group}` : "");
    b.setAttribute("aria-label", b.title);
    b.addEventListener("click", () => {
      const now = this.sorted;
      this.sorted = now?.column === i ? { column: i, down: !now.down } : { column: i, down: c.kind !== "text" };
      this.chosen();
    });
    cell.append(b);
    return cell;
  }

  /** @param {number} row @param {number} i */
  text(row, i) {
    const c = this.spec.columns[i], said = this.spec.said?.(row, i);
    if (said != null) return said;
    const v = this.spec.value(row, i);
    if (none(v)) return left(c) || c.kind === "figure" || c.kind === "id" ? "" : "–";
    if (c.kind === "id" || c.kind === "badge") return String(v);
    if (c.kind === "time") return clockText(Number(v), c.decimals);
    if (typeof v === "number") return number(v, (c.decimals ?? 2) < 0 ? decimalsOf(v) : c.decimals ?? 2);
    return String(v);
  }

  arrange() {
    const { columns, rows, value, below = () => "" } = this.spec, needle = this.filter.value.trim();
    let order = Array.from({ length: rows }, (_, i) => i);
    if (needle) {
      const words = columns.map((c, i) => (["text", "figure", "exact"].includes(c.kind) ? i : -1)).filter((i) => i >= 0);
      let match = (/** @type {string} */ t) => t.toLowerCase().includes(needle.toLowerCase());
      try {
        if (!isTame(needle)) throw new SyntaxError(needle);
        const re = new RegExp(needle, "i");
        match = (t) => re.test(t);
      } catch { /* not a regular expression: as it stands */ }
      order = order.filter((r) => (words.length ? words : columns.map((_, i) => i)).some((i) => match(String(this.text(r, i))) || (columns[i].under && match(below(r, i)))));
    }
    if (this.sorted) {
      const { column, down } = this.sorted, sign = down ? -1 : 1, sorts = this.spec.key ?? value;
      const by = new Map(order.map((r) => [r, sorts(r, column)]));
      order.sort((a, b) => {
        const x = by.get(a), y = by.get(b);
        if (x == null || y == null || none(x) || none(y)) return Number(none(x)) - Number(none(y)) || a - b;
        return (typeof x === "number" && typeof y === "number" ? x - y : x < y ? -1 : x > y ? 1 : 0) * sign || a - b;
      });
    }
    this.order = order;
    this.at = undefined;
    [...this.head.children].forEach((cell, k) => {
      const i = this.shown[k];
      const sorted = this.sorted?.column === i ? this.sorted : null;
      if (columns[i].kind === "badge" || columns[i].kind === "action") return;
      cell.firstElementChild?.classList.toggle("on", sorted !== null);
      cell.setAttribute("aria-sort", sorted ? (sorted.down ? "descending" : "ascending") : "none");
    });
    this.peaks = columns.map((c, i) => { // of all rows, so that bars keep their length under a filter
      let peak = this.spec.full ?? 0;
      for (let r = 0; c.kind === "bar" && r < rows; r++) peak = Math.max(peak, Number(value(r, i)) || 0);
      return peak;
    });
    this.empty.hidden = order.length > 0;
    this.scroller.hidden = rows === 0;
    this.tools.hidden = rows === 0; // nothing to filter, choose or save
    this.bar.hidden = rows === 0 && !this.title.textContent && !this.note.textContent;
    this.empty.textContent = rows ? `No row matches “${this.filter.value}”.` : this.spec.empty ?? "Nothing here.";
    this.rowHeight = this.tall ? (narrow.matches && this.spec.wraps ? 96 : 44) : 24;
    this.space.style.setProperty("height", `${order.length * this.rowHeight}px`);
    this.drawn = "";
    this.draw();
  }

  draw() {
    const { rowHeight } = this;
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

  /**
   * In tables whose rows have an action, arrow keys move between rows and
   * Enter runs it.
   * @param {any} e
   */
  key(e) {
    if (!this.onPick || e.target !== this.scroller || !this.order.length) return;
    const by = steps[e.key];
    if (by) {
      this.at = Math.max(0, Math.min(this.order.length - 1, (this.at ?? -1) + by));
      const top = this.at * this.rowHeight, room = this.scroller.clientHeight - this.head.offsetHeight;
      this.scroller.scrollTop = Math.max(top + this.rowHeight - room, Math.min(top, this.scroller.scrollTop));
      this.drawn = "";
      this.draw();
    } else if (e.key === "Enter" && this.at !== undefined && this.order[this.at] != null) this.onPick(this.order[this.at]);
    else return;
    e.preventDefault();
    e.stopPropagation();
  }

  /** @param {number} r */
  row(r) {
    const { columns, value, mark, below = () => "" } = this.spec;
    const e = element("div", "vt-row" + (mark?.(r) ? ` ${mark(r)}` : ""));
    e.setAttribute("role", "row");
    if (this.onPick && this.at !== undefined && r === this.order[this.at]) e.classList.add("picked");
    e.dataset.testid = this.rowid;
    for (const i of this.shown) {
      const c = columns[i], text = this.text(r, i);
      const cell = element("span", (left(c) ? "" : "right") + (c.strong && !c.under ? " strong" : "") + (c.faint ? " t3" : "") + (c.mono ? " mono" : ""), c.under || c.kind === "badge" || c.kind === "action" ? "" : text);
      cell.setAttribute("role", "cell");
      if (c.under) {
        cell.classList.add("two");
        cell.append(element("span", "strong", text), element("span", "t2", below(r, i)));
        cell.title = `${text} ${below(r, i)}`;
      }
      if (c.kind === "badge") cell.append(element("b", "badge" + (mark?.(r) ? ` ${mark(r)}` : ""), text));
      if (c.kind === "action" && !text) e.classList.add("still");
      for (const words of c.kind === "action" && text ? text.split("\n") : []) {
        const b = element("button", "link", words), opens = words === c.opens;
        b.type = "button";
        b.dataset.testid = `${opens ? "open" : "show"}-${this.rowid}`;
        if (opens) b.dataset.boot = "files"; // boot.js asks for them
        else b.addEventListener("click", () => this.onPick?.(r));
        cell.classList.add("acts");
        cell.append(b);
      }
      if (c.kind === "text" && text.length > 12) cell.title = c.whole?.(r) ?? text;
      if (text === "0") cell.classList.add("t3");
      for (const word of [...c.tags?.[r] ?? []].reverse()) cell.prepend(element("b", `tag ${word}`, word), " ");
      if (c.kind === "bar") {
        const bar = element("i");
        bar.style.setProperty("width", `${(100 * Math.max(0, Number(value(r, i)) || 0)) / (this.peaks[i] || 1)}%`);
        cell.classList.add("bar");
        cell.append(bar);
      }
      c.paint?.(cell, r);
      e.append(cell);
    }
    if (this.onPick && !columns.some((c) => c.kind === "action")) e.addEventListener("click", () => this.onPick?.(r));
    return e;
  }

  /** The table to export: names of visible columns, and the rows that match the filter, in order. */
  out() {
    const { columns, value, below = () => "" } = this.spec;
    /** @type {{ name: string, of: (row: number) => Value }[]} */
    const parts = [];
    this.shown.forEach((i) => {
      const c = columns[i];
      if (c.kind === "action") return;
      parts.push({ name: c.as || (c.group ? `${c.head} (${c.group})` : c.head), of: (r) => (c.kind === "time" && !none(value(r, i)) ? stamp(Number(value(r, i))) : value(r, i)) });
      if (c.under) parts.push({ name: c.under.as || c.under.head, of: (r) => below(r, i) });
    });
    return { names: parts.map((p) => p.name), rows: this.order.map((r) => parts.map((p) => { const v = p.of(r); return none(v) || v === "" ? null : v; })) };
  }

  /** @param {string} separator @param {(text:string)=>string} quote */
  lines(separator, quote) {
    const { names, rows } = this.out();
    return [names, ...rows].map((row) => row.map((v) => (v == null ? "" : quote(String(v)))).join(separator)).join("\n") + "\n";
  }

  /** A list of objects, with null where there is no value. */
  json() {
    const { names, rows } = this.out();
    return JSON.stringify(rows.map((row) => Object.fromEntries(row.map((v, i) => [names[i], v]))), null, 1) + "\n";
  }

  tsv() { return this.lines("\t", pastedCell); }

  async copy() {
    const text = this.tsv();
    try {
      await navigator.clipboard.writeText(text);
    } catch { // clipboard API not allowed: fall back to execCommand
      const area = element("textarea", "visually-hidden");
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    this.copyButton.textContent = `Copied ${this.order.length} ${this.order.length === 1 ? "row" : "rows"}`;
    setTimeout(() => { this.copyButton.textContent = "Copy"; }, 1500);
  }

  /** @param {string} kind */
  save(kind) {
    const text = kind === "json" ? this.json() : this.lines(",", csvCell);
    const url = URL.createObjectURL(new Blob([text], { type: kind === "json" ? "application/json" : "text/csv" }));
    const a = element("a");
    a.href = url;
    a.download = `${this.spec.name ?? "table"}.${kind}`;
    a.click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  }

  destroy() {
    this.resized.disconnect();
    if (this.left) document.removeEventListener("pointerdown", this.left, true);
  }
}

/** @type {Record<string, number>} */
const steps = { ArrowDown: 1, ArrowUp: -1 };

/**
 * The width of a column; times include the date if the window is long.
 * @param {Column} c
 */
function trackOf(c) {
  if (c.kind === "time" && !c.texts && dated()) return `calc(${c.width} + ${clockText(0).length > 16 ? 74 : 44}px)`; // with the year, or without
  return c.width ?? (c.kind === "text" ? "minmax(90px, 1fr)" : "84px");
}

/** The width of a column of numbers, so that none is cut off. @param {Line[]} list */
function roomFor(list) {
  let lowest = 0, highest = 0;
  for (const { values, factor } of list) for (const v of values) { if (v * factor > highest) highest = v * factor; if (v * factor < lowest) lowest = v * factor; }
  const signs = Math.max(...[lowest, highest].map((v) => number(v, list[0].decimals ?? 2).length));
  return `minmax(${Math.max(56, Math.ceil(7.6 * signs))}px, 1fr)`;
}

/**
 * A panel shown as a table. Style "rows": a row per time; "table": a row
 * per instance, at the cursor.
 */
export class TablePanel {
  /** @type {number | null} */
  cursor = null;
  /** Index of the first row among the times. */
  from = 0;

  /** @param {Panel} spec @param {Hear} tell */
  constructor(spec, tell) {
    this.spec = spec;
    this.tell = tell;
    this.root = element("div", "fill");
    this.table = new VirtualTable(this.root, { testid: `table-${spec.id}`, onPick: (r) => this.pick(r) });
    this.set(spec);
  }

  /** @param {Panel} spec */
  set(spec) {
    this.spec = spec;
    this.show();
  }

  show() {
    if (this.spec.style === "rows") this.showTimes();
    else this.showInstances();
  }

  /** @param {Line} s @param {number} i @returns {Value} */
  at(s, i) {
    if (i < 0) return null;
    return s.texts ? s.texts[i] : s.values[i] * s.factor;
  }

  showTimes() {
    const { lines: series, times, title } = this.spec;
    const first = times.findIndex((t) => t >= timeline.start - 1e-6);
    let last = times.length - 1;
    while (last >= 0 && times[last] > timeline.end + 1e-6) last--;
    const from = first < 0 ? 0 : first;
    this.from = from;
    this.table.set({
      name: title, rows: first < 0 ? 0 : last - from + 1, empty: "No value in this window.", each: true,
      columns: [{ head: "time", kind: "time", width: "92px", faint: true }, ...series.map((s) => ({ head: s.label, group: s.unit, kind: s.texts ? "text" : "number", decimals: s.decimals, width: s.texts ? undefined : roomFor([s]) }))],
      value: (r, c) => (c === 0 ? times[from + r] : this.at(series[c - 1], from + r)),
    });
  }

  showInstances() {
    const { lines: series, times, title, near, reduced } = this.spec;
    const i = this.index();
    /** @type {Line[]} one line per metric */
    const lines = [];
    /** @type {Map<string, Map<string, Line>>} lines by instance, then by metric */
    const rows = new Map();
    for (const s of series) {
      if (!lines.some((l) => l.metric === s.metric)) lines.push(s);
      rows.set(s.instance, (rows.get(s.instance) ?? new Map()).set(s.metric, s));
    }
    const named = [...rows].filter(([, cells]) => [...cells.values()].some((s) => { const v = this.at(s, i); return v != null && !Number.isNaN(v); }));
    this.table.set({
      name: title, rows: named.length, empty: "No value at this time.", each: true,
      note: i >= 0 ? `${near && reduced === "last" ? "last logged by" : "at"} ${clockText(times[i])}` : "",
      columns: [...(rows.size === 1 && rows.has("") ? [] : [{ head: "instance", kind: "text", strong: true }]), ...lines.map((l) => ({ head: l.column, group: l.unit, kind: l.texts ? "text" : "number", decimals: l.decimals, width: l.texts ? undefined : roomFor(series.filter((s) => s.metric === l.metric)) }))],
      value: (r, c) => {
        if (!(rows.size === 1 && rows.has("")) && c-- === 0) return named[r][1].values().next().value?.called || named[r][0];
        const s = named[r][1].get(lines[c].metric);
        return s ? this.at(s, i) : null;
      },
    });
  }

  /**
   * The last observation at or before the cursor, or without a cursor the last in the window that has a value.
   * Tables on screen load the values around the cursor; until these arrive they show those of another moment.
   */
  index() {
    const { times, lines: series, near } = this.spec, t = (this.cursor ?? timeline.end) + 1e-6;
    let i = times.length - 1;
    while (i >= 0 && times[i] > t) i--;
    if (near && i < 0) i = times.length - 1;
    if (this.cursor != null && !near) return i;
    const some = (/** @type {number} */ k) => series.some((s) => { const v = this.at(s, k); return v != null && !Number.isNaN(v); });
    let k = i;
    while (k >= 0 && !some(k)) k--;
    return k < 0 ? i : k;
  }

  /** @param {number} r */
  pick(r) {
    if (this.spec.style === "rows") this.tell("point", { at: this.spec.times[this.from + r] ?? null });
  }

  follow() { this.show(); }
  fit() {}
  rebuild() {}

  /** @param {number | null} t */
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

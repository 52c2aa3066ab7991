// <pcp-scope>: shows values of an archive as an element of any page.
//
//   <script type="module" src="pcpscope/pcp-scope.js"></script>
//   <pcp-scope src="/archives/web01" metrics="kernel.all.load" start="-5min"></pcp-scope>
//
// Attributes: src (URLs separated by spaces, as for openURL), metrics and
// instances (comma-separated lists), start, end, interval, zone (PCP's time
// syntax), convert ("rate", the default, or "none"), view ("chart", "table",
// "dashboard:ID", "explain" or "story"). All of them may change at any time.
// Events: progress, loaded, window, selection, error. docs/embedding.md has
// examples, and the custom properties for styling.

/** @import { Column, DashboardPanel, Fault, Frame, Nanos, Opened, Pcpscope, Progress, Query, Source } from "./pcpscope.js" */
/** @typedef {{ start: bigint, end: bigint }} Span */

import { acquire, forget, pcpscope, settings } from "./scope/shared.js";
import { Chart, chartLook, maxLines } from "./scope/chart.js";
import { table } from "./scope/table.js";
import { list, zoneOf } from "./scope/words.js";

const look = new CSSStyleSheet();
look.replaceSync(`
:host { display: block; height: 16rem; contain: content;
  --pcp-scope-text: light-dark(#15181c, #e7eaee); --pcp-scope-muted: light-dark(#5f6873, #8e98a4);
  --pcp-scope-background: transparent; --pcp-scope-grid: light-dark(#e4e8ec, #20252b); --pcp-scope-broken: light-dark(#b42318, #ff8d80);
  --pcp-scope-series-1: light-dark(#2349c6, #3e8bf6); --pcp-scope-series-2: light-dark(#d42317, #da4637);
  --pcp-scope-series-3: light-dark(#049fb8, #70eef8); --pcp-scope-series-4: light-dark(#b58c00, #fbda6c);
  --pcp-scope-series-5: light-dark(#952e7e, #f78fdb); --pcp-scope-series-6: light-dark(#00865b, #8acf92);
  --pcp-scope-series-7: light-dark(#662f05, #bc9276); --pcp-scope-series-8: light-dark(#132a60, #707994); }
:host([hidden]) { display: none; }
.all { display: flex; flex-direction: column; height: 100%; font: 12px/1.4 system-ui, sans-serif; font-variant-numeric: tabular-nums;
  color: var(--pcp-scope-text); background: var(--pcp-scope-background); }
.view { flex: 1; min-height: 0; display: flex; flex-direction: column; overflow: auto; }
.chart { flex: 1 1 8rem; min-height: 6rem; min-width: 0; overflow: hidden; }
.of-several { flex: 0 0 10rem; }
h3 { font: inherit; font-weight: 600; margin: 0.4em 0 0.1em; }
.status:empty { display: none; }
.status button { font: inherit; }
.status.broken { color: var(--pcp-scope-broken); }
ul { display: flex; flex-wrap: wrap; gap: 0 1.2em; margin: 0; padding: 0.2em 0.5em; list-style: none; max-height: 4.5em; overflow: auto; flex: none; }
li i { display: inline-block; width: 0.7em; height: 0.7em; border-radius: 2px; margin-right: 0.4em; }
li b { font-weight: 600; }
p { margin: 0; padding: 0.2em 0.5em; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: right; padding: 0.15em 0.6em; white-space: nowrap; }
th { position: sticky; top: 0; background: Canvas; border-bottom: 1px solid var(--pcp-scope-grid); }
th:first-child, td:first-child { text-align: left; }
caption { text-align: left; color: var(--pcp-scope-muted); }
`);

const maxStatus = 1000; // characters: a message may quote an attribute

export class PcpScope extends HTMLElement {
  static observedAttributes = ["src", "metrics", "instances", "start", "end", "interval", "zone", "convert", "view", "read"];

  /** The engine shared by all elements on this page. @returns {Promise<Pcpscope>} */
  static engine() { return pcpscope(); }

  /** Location of the program's files, if not next to this one, and headers for requests of archives. To be set before the first element is shown. */
  static settings = settings;

  #view; #status;    // elements of the shadow tree
  /** @type {ReturnType<typeof acquire> | null} */
  #held = null; // the opened source
  /** @type {Promise<Opened> | null} */
  #given = null; // after open() was given files
  /** @type {Parameters<Pcpscope["open"]>[0] | null} */
  #files = null; // the files
  #announced = false; // the loaded event has been sent
  #exact = false; // the user asked to read everything
  /** @type {Chart[]} */
  #charts = [];
  #turn = 0; // number of the latest update; older ones are abandoned
  /** @type {AbortController | null} */
  #stop = null; // aborts the current update
  /** @type {Span | null} */
  #window = null;    // set by zooming, {start, end} in nanoseconds
  #planned = false;

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [look];
    const all = document.createElement("div"), view = document.createElement("div"), status = document.createElement("div");
    all.className = "all";
    view.className = "view";
    view.setAttribute("part", "view");
    status.className = "status";
    status.setAttribute("part", "status");
    status.setAttribute("role", "status");
    all.append(status, view);
    root.append(all);
    this.#view = view;
    this.#status = status;
    /** @type {Frame | null} the frame shown; null before */
    this.frame = null;
    /** @type {Source | null} */
    this.source = null;
    /** Settles when the latest update has been shown or refused. @type {Promise<void>} */
    this.settled = Promise.resolve();
  }

  connectedCallback() { this.#plan(); }

  disconnectedCallback() {
    queueMicrotask(() => { // moved within the page: it is re-attached immediately
      if (!this.isConnected) this.#letGo();
    });
  }

  /** @param {string} name @param {string | null} before @param {string | null} after */
  attributeChangedCallback(name, before, after) {
    if (before === after) return;
    if (name === "src") {
      this.#files = null;
      this.#letGo();
    }
    if (name === "start" || name === "end") this.#window = null;
    this.#plan();
  }

  /** Shows files provided by the page, in place of src, as for Pcpscope.open. @param {Parameters<Pcpscope["open"]>[0]} files */
  open(files) {
    this.#letGo();
    this.#files = [...files]; // in case the element is removed and re-attached
    this.#plan();
    return this.settled;
  }

  /** The visible time range in nanoseconds, as bigints; null for that of the attributes. */
  get window() { return this.#window; }
  set window(value) {
    this.#window = value;
    this.#plan();
  }

  /** Combines changes in one turn of the event loop into one update. */
  #plan() {
    if (!this.isConnected || this.#planned) return;
    this.#planned = true;
    this.settled = Promise.resolve().then(() => {
      this.#planned = false;
      return this.#update();
    });
  }

  #letGo() {
    this.#turn++;
    this.#stop?.abort();
    this.#held?.release();
    this.#given?.then(async ({ sources }) => {
      const p = await pcpscope();
      for (const s of sources) await p.close(s.id);
    }).catch(() => {});
    this.#held = this.#given = this.#window = null;
    this.#announced = this.#exact = false;
    this.source = this.frame = null;
    this.#clear();
    this.#say("");
  }

  #clear() {
    for (const c of this.#charts) c.destroy();
    this.#charts = [];
    this.#view.replaceChildren();
  }

  /** @param {string} text */
  #say(text, broken = false) {
    this.#status.textContent = text.length > maxStatus ? `${text.slice(0, maxStatus)}…` : text;
    this.#status.classList.toggle("broken", broken);
  }

  /** @param {string} type @param {unknown} detail */
  #tell(type, detail) {
    // A bubbling "error" event would look like a script error to the window.
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: type !== "error", composed: true }));
  }

  /** @returns {Promise<void>} */
  async #update(again = true) {
    const turn = ++this.#turn;
    const src = (this.getAttribute("src") ?? "").split(/\s+/).filter(Boolean);
    if (!src.length && !this.#files) return this.#say("");
    this.#stop?.abort();
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    /** @type {NonNullable<Progress["onProgress"]>} */
    const onProgress = (p) => {
      if (turn !== this.#turn) return;
      if (!this.frame) this.#say(p.phase + (p.total ? `, ${Math.round((100 * p.done) / p.total)} %` : ""));
      this.#tell("progress", p);
    };
    try {
      if (!this.frame) this.#say("opening…");
      const files = this.#files;
      if (files) this.#given ??= pcpscope().then((p) => p.open(files, { signal }));
      const opened = this.#given ?? (this.#held ??= acquire(src, { onProgress })).opened;
      const { sources, rejected } = await opened;
      if (turn !== this.#turn) return;
      if (!sources.length) throw faulty(rejected[0]?.fault ?? { kind: "argument", message: "There is nothing to show." });
      this.source = sources[0];
      const zone = zoneOf(this.source, this.getAttribute("zone"));
      await this.#show(await pcpscope(), this.source, zone, turn, { signal, onProgress });
      if (turn !== this.#turn) return;
      if (!this.#announced) {
        this.#announced = true;
        this.#tell("loaded", { source: this.source, rejected });
      }
    } catch (thrown) {
      if (turn !== this.#turn) return;
      const e = /** @type {Error & { fault?: Fault }} */ (thrown);
      if (again && this.#held && e.fault?.kind === "argument" && /no open source/.test(e.message)) {
        forget(this.#held.opened); // the engine crashed: reopen, once
        this.#held = null;
        return this.#update(false);
      }
      this.#clear();
      this.#say(e.message, true);
      this.#tell("error", e.fault ?? { kind: "internal", message: e.message });
    }
  }

  /** @param {Source} source @param {string[]} metrics @param {Query["convert"]} convert */
  #query(source, metrics, convert) {
    /** @type {Query} */
    const q = { source: source.id, metrics, convert };
    for (const name of /** @type {const} */ (["start", "end", "interval", "zone"])) {
      const value = this.getAttribute(name);
      if (value) q[name] = value;
    }
    if (this.#window) Object.assign(q, this.#window);
    q.read = /** @type {Query["read"]} */ (this.getAttribute("read")) || (!source.onDemand || q.start || q.end || this.#exact ? "window" : "preview");
    const instances = list(this.getAttribute("instances"));
    if (instances.length) q.instances = instances;
    return q;
  }

  /**
   * One point per pixel, but at most one per second. The engine resolves the window, however it was written.
   * @param {Pcpscope} p
   * @param {Query} query
   * @param {Progress} options
   */
  async #fetch(p, query, options) {
    if (!query.interval) {
      const { times } = await p.fetch({ ...query, metrics: [], pixels: 2 }, options);
      const seconds = times[times.length - 1] / Math.max(50, Math.min(1000, this.#view.clientWidth || 400));
      query.interval = BigInt(Math.max(1, Math.ceil(seconds))) * 1000000000n;
    }
    return p.fetch(query, options);
  }

  /** @param {Pcpscope} p @param {Source} source @param {string} zone @param {number} turn @param {Progress} options */
  async #show(p, source, zone, turn, options) {
    const view = this.getAttribute("view") || "chart";
    const convert = /** @type {Query["convert"]} */ (this.getAttribute("convert") || "rate");
    if (view.startsWith("dashboard:")) return this.#dashboard(p, source, view.slice(10), zone, turn, options);
    if (view === "explain" || view === "story") return this.#sentences(p, source, view, turn, options);
    if (view !== "chart" && view !== "table") throw faulty({ kind: "argument", message: `There is no view "${view}": use chart, table, dashboard:ID, explain or story.` });
    const metrics = list(this.getAttribute("metrics"));
    if (!metrics.length) throw faulty({ kind: "argument", message: "The metrics attribute is empty." });
    const frame = await this.#fetch(p, this.#query(source, metrics, convert), options);
    if (turn !== this.#turn) return;
    const missing = frame.columns.flatMap((c) => (c.fault ? [c.fault] : []));
    if (missing.length === frame.columns.length && missing.length) throw faulty(missing[0]);
    const said = missing.map((fault) => fault.message);
    if (view === "table") {
      this.#clear();
      this.#view.append(table(frame, zone));
    } else {
      said.push(...undrawn(frame));
      await this.#library();
      if (turn !== this.#turn) return;
      if (this.#charts.length !== 1) {
        this.#clear();
        this.#panel();
      }
      await this.#charts[0].show(frame, zone);
    }
    this.frame = frame;
    this.#say(said.join(" "));
    if (frame.preview) this.#sayPreview();
  }

  /**
   * What was unusual in the window, or what happened in all of it, in sentences.
   * @param {Pcpscope} p @param {Source} source @param {"explain" | "story"} view @param {number} turn @param {Progress} options
   */
  async #sentences(p, source, view, turn, options) {
    const { source: id, start, end, zone } = this.#query(source, [], "none");
    const { text, why } = await p[view]({ source: id, start, end, zone }, options);
    if (turn !== this.#turn) return;
    this.#clear();
    for (const line of text) {
      const sentence = document.createElement("p");
      sentence.setAttribute("part", "sentence");
      sentence.textContent = line;
      this.#view.append(sentence);
    }
    this.frame = null;
    this.#say(why);
  }

  /** Marks a preview as such. */
  #sayPreview() {
    const all = document.createElement("button");
    all.type = "button";
    all.textContent = "Read everything";
    all.setAttribute("part", "read-all");
    all.onclick = () => {
      this.#exact = true;
      this.#plan();
    };
    this.#status.append(this.#status.textContent ? " " : "", "A preview from a sample of the logged values: peaks in between may be missing. ", all);
  }

  /** @param {Pcpscope} p @param {Source} source @param {string} id @param {string} zone @param {number} turn @param {Progress} options */
  async #dashboard(p, source, id, zone, turn, options) {
    const dashboard = await p.dashboard(source.id, id);
    /** @type {[DashboardPanel, Frame][]} */
    const frames = [];
    for (const panel of dashboard.panels) {
      if (!panel.series.length || panel.style === "table" || panel.style === "rows") continue;
      const frame = await this.#fetch(p, this.#query(source, panel.series.map((s) => s.expression), "none"), options);
      frame.columns = frame.columns.filter((c) => !c.fault && c.values instanceof Float64Array);
      if (frame.columns.length) frames.push([panel, frame]);
    }
    await this.#library();
    if (turn !== this.#turn) return;
    this.#clear();
    for (const [panel, frame] of frames) {
      const names = new Map(panel.series.map((s) => [s.expression, s.name]));
      for (const c of frame.columns) {
        c.metric = names.get(c.metric) || c.metric;
        if (panel.unit) c.units = panel.unit;
      }
      if (panel.top) frame.columns = largest(frame.columns, panel.top);
      const head = document.createElement("h3");
      head.textContent = panel.title + (panel.unit ? ` (${panel.unit})` : "");
      this.#view.append(head);
      await this.#panel(panel.title).show(frame, zone, { stack: panel.style === "stack" || panel.style === "utilisation", max: panel.max });
      if (turn !== this.#turn) return;
    }
    this.frame = frames[0]?.[1] ?? null;
    this.#say(frames.length ? "" : `Nothing was logged for the dashboard ${dashboard.title}.`);
    if (frames.some(([, frame]) => frame.preview)) this.#sayPreview();
  }

  /** Loads the chart library, during which the element may change or go. */
  async #library() {
    const root = /** @type {ShadowRoot} */ (this.shadowRoot);
    root.adoptedStyleSheets = [await chartLook(), look];
  }

  /** @param {string} [name] */
  #panel(name) {
    const box = document.createElement("div");
    box.className = name ? "chart of-several" : "chart";
    box.setAttribute("part", "chart");
    box.setAttribute("role", "img");
    this.#view.append(box);
    const style = getComputedStyle(box);
    const probe = document.createElement("span");
    probe.style.setProperty("forced-color-adjust", "none"); // lines of one colour cannot be told apart
    box.append(probe);
    const read = (/** @type {string} */ name) => {
      if (!name.startsWith("--")) return style.getPropertyValue(name);
      probe.style.color = `var(${name})`;
      return getComputedStyle(probe).color;
    };
    const chart = new Chart(box, read, {
      zoom: (a, b) => {
        const nanos = (/** @type {number} */ s) => BigInt(Math.round(s * 1e6)) * 1000n;
        this.window = { start: nanos(a), end: nanos(b) };
        this.#tell("window", this.#window);
      },
      reset: () => {
        this.window = null;
        this.#tell("window", null);
      },
      point: (index, time) => this.#tell("selection", { index, time }),
    });
    box.setAttribute("aria-label", `Chart of ${name || this.getAttribute("aria-label") || this.getAttribute("metrics")}`);
    this.#charts.push(chart);
    return chart;
  }
}

/**
 * What a chart does not show of a frame, in sentences, so that it is never just
 * blank.
 * @param {Frame} frame
 */
function undrawn(frame) {
  const texts = new Set();
  /** @type {Float64Array[]} */
  const numbers = [];
  for (const c of frame.columns) {
    if (c.fault) continue;
    if (c.values instanceof Float64Array) numbers.push(c.values);
    else texts.add(c.metric);
  }
  const said = [...texts].map((metric) => `${metric} is not a number; view="table" shows it.`);
  if (numbers.length && numbers.every((values) => values.every(Number.isNaN))) said.push("There is no value in this window.");
  if (numbers.length > maxLines) said.push(`${maxLines} of ${numbers.length} lines are drawn.`);
  return said;
}

/** The columns with the largest sums; all columns must be numeric. @param {Column[]} columns @param {number} limit */
function largest(columns, limit) {
  const sum = (/** @type {Column} */ c) => /** @type {Float64Array} */ (c.values).reduce((a, v) => (Number.isNaN(v) ? a : a + Math.abs(v)), 0);
  return [...columns].sort((a, b) => sum(b) - sum(a)).slice(0, limit);
}

/** @param {Pick<Fault, "kind" | "message">} fault */
function faulty(fault) {
  return Object.assign(new Error(fault.message), { fault });
}

customElements.define("pcp-scope", PcpScope);

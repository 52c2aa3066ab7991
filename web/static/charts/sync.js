// The canvases' half of the protocol with Go (web/canvas). Go renders the page
// with Vugu and then calls sync. The templates leave the elements that hold
// canvases empty, so that neither side disturbs the other.

/** @import { Calls, Drawn, Events as GoEvents, Panel as Spec, PanelRev, Pulse as PulseSpec, TreeRows } from "../../canvas/canvas.d.ts" */
/** @import { Wire } from "../../scripts/page.js" */
/**
 * The events of the canvases: those that Go receives, and the pointer's
 * position.
 * @typedef {GoEvents & { point: { at: number | null }, leave: object }} Heard
 */
/** @typedef {<K extends keyof Heard>(kind: K, event: Heard[K]) => void} Hear */

import { pngOf, svgOf } from "./export.js";
import { forgetColours } from "./paint.js";
import { Panel, put } from "./panel.js";
import { Heat, Lanes } from "./rows.js";
import { Events } from "./events.js";
import { TablePanel } from "./table.js";
import { listenCompare, showCompare } from "./compare.js";
import { drawDays, listenDays, mountDays, showDays } from "./days.js";
import { listenDrawer, showDrawer } from "./drawer.js";
import { drawRuler } from "./ruler.js";
import { Pulse } from "./pulse.js";
import { clockText, timeline } from "./time.js";
import { fromWire, toWire } from "../pcpscope.js";
import { followDialogs, leaveField } from "../dialogs.js";
import { placeEditor } from "../editor.js";
import { placePopup } from "../popup.js";
import { allMarked, marked, touched } from "../marks.js";
import { drawSparks, forgetSparks, setSparks } from "./spark.js";

/** @type {Map<number, Panel | TablePanel>} */
const panels = new Map();
/** @type {(() => void) | null} stops keeping the last revealed panel in view */
let revealing = null;
/** @type {(kind: keyof GoEvents, event: Wire) => void} */
let listener = () => {};
/** @type {Pulse | null} */
let pulse = null;
/** @type {PulseSpec | null} */
let pulseSpec = null;
let sticky = false;
/** @type {number | null} */
let cursor = null;
let cursorRev = 0, pointing = false;
let moved = false; // whether the window has moved since the last drawing

/** Sends an event to Go. @type {<K extends keyof GoEvents>(kind: K, event: GoEvents[K]) => void} */
const report = (kind, event) => listener(kind, toWire(event));

/** @type {Hear} */
function tell(kind, event) {
  switch (kind) {
    case "point": return timeline.pinned ? undefined : point(/** @type {Heard["point"]} */ (event).at);
    case "leave": return sticky || timeline.pinned ? undefined : point(null);
    case "pin": return pin(/** @type {GoEvents["pin"]} */ (event).at);
  }
  report(/** @type {keyof GoEvents} */ (kind), /** @type {GoEvents[keyof GoEvents]} */ (event));
}

/** @param {number | null} t */
function point(t) {
  if (t === cursor) return;
  cursor = t;
  if (pointing) return;
  pointing = true;
  requestAnimationFrame(() => {
    pointing = false;
    showCursor();
    report("cursor", { at: cursor });
  });
}

/** Pins the cursor, or lets it follow the pointer again. @param {number | null} t */
function pin(t) {
  timeline.pinned = !timeline.pinned;
  cursor = t;
  showCursor();
  if (timeline.pinned) report("pin", { at: t });
  else {
    report("pin", { at: null });
    report("cursor", { at: cursor });
  }
}

function showCursor() {
  overlays(true); // first: overlays measure elements, and the panels' writes would force another layout
  for (const [id, p] of panels) {
    // Panels out of sight show the cursor once they come into view: see
    // mount.
    if (near.has(id) || cursor == null) p.point(cursor);
  }
}

/** @param {string} id */
function canvas(id) { return /** @type {HTMLCanvasElement | null} */ (document.getElementById(id)); }

function overlays(still = false) {
  const ruler = canvas("ruler");
  if (ruler) drawRuler(ruler, cursor);
  document.documentElement.classList.toggle("pinned", timeline.pinned);
  if (still) pulse?.point(cursor);
  else pulse?.draw(cursor);
  const head = document.getElementById("ruler-head");
  if (head) put(head, cursor == null ? "last" : clockText(cursor));
}

/** The class for a panel style. @param {Spec} spec */
function kindOf(spec) {
  switch (spec.style) {
    case "heatmap": return Heat;
    case "state": return Lanes;
    case "event": return Events;
    case "table": case "rows": return TablePanel;
  }
  return Panel;
}

/** Reports which panels are on screen or near it. */
/** @type {Set<number>} */
const near = new Set();
/** @type {WeakMap<Element, string | undefined>} observed elements, with the panel they showed at the time */
const watched = new WeakMap();
const watcher = new IntersectionObserver((entries) => {
  for (const e of entries) {
    const id = Number(/** @type {HTMLElement} */ (e.target).dataset.panel);
    if (e.isIntersecting) {
      if (!near.has(id)) {
        bring(id);
        panels.get(id)?.point(cursor);
      }
      near.add(id);
    } else near.delete(id);
  }
  tellSeen();
  requestAnimationFrame(() => { // by then the page has been updated
    looking?.();
    looking = null;
  });
}, { rootMargin: "300px" });
/** Panels out of sight that do not show the present window yet. They are updated when they come near. */
/** @type {Set<number>} */
const late = new Set();
/** @param {number} id */
function bring(id) {
  if (late.delete(id)) panels.get(id)?.follow();
}

/** @type {(() => void) | null} */
let looking = null; // releases the hold on idle, which lasts until it is known what is visible

let reported = "";
function tellSeen() {
  const there = new Set(allMarked("data-panel").map((e) => Number(e.dataset.panel)));
  for (const id of near) if (!there.has(id)) near.delete(id);
  const text = [...near].sort().join();
  if (text === reported) return;
  reported = text;
  report("see", { panels: [...near] });
}

function watch() {
  for (const e of allMarked("data-panel")) {
    if (watched.has(e) && watched.get(e) === e.dataset.panel) continue; // elements are reused for other panels
    watched.set(e, e.dataset.panel);
    looking ??= globalThis.pcpscope?.hold() ?? null;
    watcher.unobserve(e);
    watcher.observe(e);
  }
}

/** @type {Calls["sync"]} */
function sync({ panels: list, cursor: at, cursorRev: rev, pinned, tree }) {
  const led = rev !== cursorRev; // the cursor was moved by something other than the charts
  if (led) {
    cursorRev = rev;
    cursor = at;
    timeline.pinned = pinned;
  }
  const state = JSON.stringify(list), wanted = state === settled ? [] : compare(list);
  settled = wanted.length ? null : state;
  mount(led);
  follow(tree);
  if (tree) watchHits();
  drawSparks();
  followDialogs();
  showTab();
  placeEditor();
  placeMenus();
  return { panels: wanted };
}

/** @type {string | null} */
let settled = null; // the list of panels once all of them have data

/** Removes panels that are not listed, and reports which of the others lack data. @param {PanelRev[]} list */
function compare(list) {
  const wanted = [], ids = new Set();
  for (const { id, rev } of list) {
    ids.add(id);
    if (panels.get(id)?.spec.rev !== rev) wanted.push(id);
  }
  for (const [id, p] of panels) {
    if (ids.has(id)) continue;
    p.destroy();
    panels.delete(id);
    late.delete(id);
  }
  return wanted;
}

/** @type {Element | null} */
let tab = null;

/** Scrolls the open tab of the drawer into view; on a phone they do not all fit. */
function showTab() {
  const on = document.querySelector(".bottom.open .tab.on");
  if (on === tab) return;
  tab = on;
  if (on && matchMedia("(max-width: 1023px)").matches) on.scrollIntoView({ block: "nearest", inline: "center" });
}

/** Keeps a panel's menu next to its button and inside the page. */
function placeMenus() {
  for (const menu of marked("data-testid", "panel-menu-items")) {
    const button = menu.closest("[data-panel]")?.querySelector('[data-testid="panel-menu"]');
    if (button) placePopup(menu, button);
  }
}
addEventListener("resize", placeMenus);
addEventListener("scroll", (e) => { if (e.target instanceof Element && e.target.classList.contains("panels")) placeMenus(); }, { capture: true, passive: true });

/** Attaches every canvas to its present element. @param {boolean} led */
function mount(led) {
  const fresh = touched();
  if (fresh.size) watch();
  mountDays();
  const strip = canvas("pulse");
  if (strip && pulse?.canvas !== strip) {
    pulse = new Pulse(strip, tell);
    if (pulseSpec) pulse.set(pulseSpec);
    led = true;
  }
  const ruler = document.getElementById("ruler");
  if (ruler && !watched.has(ruler)) {
    watched.set(ruler, undefined);
    new ResizeObserver(() => overlays()).observe(ruler);
    led = true;
  }
  if (led) overlays(); // before the panels write: see showCursor
  const written = led || moved; // legends depend on the window too
  moved = false;
  for (const [id, p] of panels) {
    // Panels out of sight are not written. A drawing that does not change a
    // panel also leaves its legend alone.
    if (seat(id, p) || near.has(id) && (written || fresh.has(String(id))) || led && cursor == null) p.point(cursor);
  }
}

/** Attaches a panel to its present element; reports whether it moved. @param {number} id @param {Panel | TablePanel} p */
function seat(id, p) {
  const name = `chart-${id}`;
  if (p.root.isConnected && p.root.parentElement?.id === name) return false;
  const el = document.getElementById(name);
  if (!el) return false;
  el.replaceChildren(p.root);
  return true;
}

/** State of the tree's element. */
const tree = {
  /** @type {HTMLElement | null} */
  element: null,
  /** @type {TreeRows | null} the rows it shows */
  rows: null,
  rowHeight: 24,
  room: 0,
  /** Whether it is being scrolled by code, so that Go knows already. */
  scrolling: false,
  waiting: false,
};

/** Keeps the scroll position of the tree and its rows in step with Go. @param {TreeRows | null} rows */
function follow(rows) {
  const el = document.getElementById("tree");
  if (!el || !rows || el.closest("[hidden]")) return;
  if (tree.element === el && tree.rows?.first === rows.first && tree.rows.count === rows.count) return;
  const fresh = tree.element !== el;
  Object.assign(tree, { element: el, rows });
  const { first, count } = rows;
  tree.rowHeight = /** @type {HTMLElement | null} */ (el.querySelector(".row"))?.offsetHeight || 24;
  const space = /** @type {HTMLElement} */ (el.querySelector(".space")), lines = /** @type {HTMLElement} */ (el.querySelector(".rows"));
  space.style.setProperty("height", `${count * tree.rowHeight}px`);
  lines.style.setProperty("transform", `translateY(${first * tree.rowHeight}px)`);
  const top = () => Math.floor(el.scrollTop / tree.rowHeight);
  if (top() !== first) {
    tree.scrolling = true;
    el.scrollTop = first * tree.rowHeight;
  }
  if (!fresh) return;
  const scrolled = () => report("scroll", { first: top(), rows: tree.room });
  el.addEventListener("scroll", () => {
    if (tree.scrolling) {
      tree.scrolling = false;
      return;
    }
    if (!tree.waiting) {
      tree.waiting = true;
      requestAnimationFrame(() => {
        tree.waiting = false;
        scrolled();
      });
    }
  }, { passive: true });
  new ResizeObserver(() => { // also called when the tree is hidden, and when it is shown again at its old size
    const room = Math.ceil(el.clientHeight / tree.rowHeight) + 1;
    if (!el.clientHeight || (room === tree.room && top() === tree.rows?.first)) return;
    tree.room = room;
    scrolled();
  }).observe(el);
}

/** The search list holds only visible lines; scrolling requests more. */
function watchHits() {
  const list = document.getElementById("search-list");
  if (!list || watched.has(list)) return;
  watched.set(list, undefined);
  const least = 28; // minimum height of a line, see search.css
  const room = () => report("room", { rows: Math.ceil(innerHeight * 0.72 / least) });
  list.addEventListener("scroll", () => { if (list.scrollTop + 2 * list.clientHeight > list.scrollHeight) report("further", {}); }, { passive: true });
  addEventListener("resize", room);
  room();
}

function redraw() {
  forgetColours();
  forgetSparks();
  drawSparks();
  for (const p of panels.values()) p.rebuild();
  if (pulse) pulse.picture = null;
  drawDays();
  showCursor();
}
addEventListener("pcpscope-theme", redraw);

/** @param {string} testid */
function focus(testid) {
  if (testid === "page" || testid === "back") return leaveField(testid === "back");
  const el = document.querySelector(`[data-testid="${testid}"]`);
  if (el instanceof HTMLElement) el.focus();
  if (el instanceof HTMLInputElement || el instanceof HTMLTextAreaElement) el.select();
}

/** @type {Calls} */
const calls = {
  timeline(spec) {
    Object.assign(timeline, spec);
    moved = true;
    for (const [id, p] of panels) {
      if (near.has(id) || !marked("data-panel", id).size) p.follow(); // the editor's panel is always visible
      else late.add(id);
    }
    overlays();
    drawDays();
  },
  sync,
  panel(spec) {
    const { id } = spec, old = panels.get(id), Kind = kindOf(spec);
    late.delete(id);
    /** @type {Panel | TablePanel} */
    let p;
    if (old && old.constructor === /** @type {Function} */ (Kind)) {
      p = old;
      p.set(spec);
    } else {
      old?.destroy();
      p = new Kind(spec, tell);
      panels.set(id, p);
    }
    seat(id, p); // all others are in place already
    p.point(cursor);
  },
  pulse(spec) {
    pulseSpec = spec;
    pulse?.set(spec);
  },
  sparks: ({ lines }) => setSparks(lines),
  drawer: showDrawer,
  compare: showCompare,
  days: showDays,
  sticky({ on }) {
    if (sticky && !on) point(null);
    sticky = on;
  },
  top() { document.querySelector(".panels")?.scrollTo(0, 0); },
  focus: ({ name }) => focus(name),
  focusSoon({ name }) {
    const done = globalThis.pcpscope?.hold(), before = document.activeElement;
    setTimeout(() => {
      if (document.activeElement === before) focus(name);
      done?.();
    });
  },
  reveal({ name }) {
    revealing?.();
    const el = document.getElementById(name);
    if (!el) return;
    // Its values and the details beside it arrive later: keep it in view while it grows, until the user scrolls.
    const show = () => el.scrollIntoView({ block: "nearest" }), watch = new ResizeObserver(show), left = new AbortController();
    show();
    for (const e of [el, el.parentElement]) if (e) watch.observe(e);
    const timer = setTimeout(() => revealing?.(), 3000);
    revealing = () => {
      watch.disconnect();
      left.abort();
      clearTimeout(timer);
      revealing = null;
    };
    for (const kind of ["wheel", "pointerdown", "keydown", "touchmove"]) addEventListener(kind, () => revealing?.(), { signal: left.signal, capture: true, passive: true });
  },
  refused: ({ list }) => pcpscopePage.intake.refused(list),
  recent: (entry) => pcpscopePage.recent.add(entry),
  missing: ({ list }) => pcpscopePage.recent.showMissing(list),
  async picture({ panel: id, kind, ...about }) {
    bring(id);
    const panel = panels.get(id);
    if (!(panel instanceof Panel)) throw new Error("a table has no picture");
    const svg = svgOf(panel, about, timeline.pinned ? cursor : null);
    return { file: kind === "png" ? await pngOf(svg) : new Blob([svg], { type: "image/svg+xml" }) };
  },
};

pcpscopePage.charts = {
  call(name, request) {
    const reply = /** @type {(request: unknown) => unknown} */ (calls[name])(fromWire(request, true));
    return reply instanceof Promise ? reply.then(toWire) : toWire(reply ?? {});
  },
  listen(fn) {
    listener = fn;
    listenCompare(report);
    listenDrawer(report);
    listenDays(report);
  },
  later(fn) {
    const held = globalThis.pcpscope?.hold();
    /** @type {(() => void) | null} */
    let todo = fn;
    const call = () => {
      clearTimeout(anyhow);
      todo?.();
      todo = null;
      held?.();
    };
    const anyhow = setTimeout(call, 200);
    requestAnimationFrame(() => setTimeout(call));
  },
};

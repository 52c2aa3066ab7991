// The page's half of the protocol with Go (web/canvas). Go draws the page with
// Vugu and then calls sync; elements that canvases live in are left empty by
// the templates, so that neither disturbs the other.

/** @import { Calls, Drawn, Events as Told, Panel as Spec, PanelRev, Pulse as PulseSpec, TreeRows } from "../../canvas/canvas.d.ts" */
/** @import { Wire } from "../../scripts/page.js" */
/**
 * What canvases tell: besides what Go hears, where the pointer is.
 * @typedef {Told & { point: { at: number | null }, leave: object }} Heard
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
import { followDialogs } from "../dialogs.js";
import { placeEditor } from "../editor.js";
import { placePopup } from "../popup.js";
import { allMarked, marked, touched } from "../marks.js";
import { drawSparks, forgetSparks, setSparks } from "./spark.js";

/** @type {Map<number, Panel | TablePanel>} */
const panels = new Map();
/** @type {(() => void) | null} ends looking after the panel that was scrolled to last */
let revealing = null;
/** @type {(kind: keyof Told, event: Wire) => void} */
let listener = () => {};
/** @type {Pulse | null} */
let pulse = null;
/** @type {PulseSpec | null} */
let pulseSpec = null;
let sticky = false;
/** @type {number | null} */
let cursor = null;
let cursorRev = 0, pointing = false;
let moved = false; // the window, since the last drawing

/** Tells Go. @type {<K extends keyof Told>(kind: K, event: Told[K]) => void} */
const report = (kind, event) => listener(kind, toWire(event));

/** @type {Hear} */
function tell(kind, event) {
  switch (kind) {
    case "point": return timeline.pinned ? undefined : point(/** @type {Heard["point"]} */ (event).at);
    case "leave": return sticky || timeline.pinned ? undefined : point(null);
    case "pin": return pin(/** @type {Told["pin"]} */ (event).at);
  }
  report(/** @type {keyof Told} */ (kind), /** @type {Told[keyof Told]} */ (event));
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

/** Keeps the cursor where it is, or lets it follow the pointer again. @param {number | null} t */
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
  overlays(true); // first: they ask for sizes, which what the panels write would make the browser work out again
  for (const [id, p] of panels) {
    // Where nobody looks the cursor is shown when somebody does: see mount.
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

/** The class that draws a style. @param {Spec} spec */
function kindOf(spec) {
  switch (spec.style) {
    case "heatmap": return Heat;
    case "state": return Lanes;
    case "event": return Events;
    case "table": case "rows": return TablePanel;
  }
  return Panel;
}

/** Tells which panels are on the screen or near it. */
/** @type {Set<number>} */
const near = new Set();
/** @type {WeakMap<Element, string | undefined>} elements that are watched, with the panel that they were of then */
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
  requestAnimationFrame(() => { // by then the page has taken note
    looking?.();
    looking = null;
  });
}, { rootMargin: "300px" });
/** The panels out of sight that do not show the window yet: they do when they come near. */
/** @type {Set<number>} */
const late = new Set();
/** @param {number} id */
function bring(id) {
  if (late.delete(id)) panels.get(id)?.follow();
}

/** @type {(() => void) | null} */
let looking = null; // ends the hold on idle while it is not known what can be seen

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
    if (watched.has(e) && watched.get(e) === e.dataset.panel) continue; // elements are used again for other panels
    watched.set(e, e.dataset.panel);
    looking ??= globalThis.pcpscope?.hold() ?? null;
    watcher.unobserve(e);
    watcher.observe(e);
  }
}

/** @type {Calls["sync"]} */
function sync({ panels: list, cursor: at, cursorRev: rev, pinned, tree }) {
  const led = rev !== cursorRev; // the cursor was moved by anything but the charts
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
let settled = null; // the list of panels, once all of them have their data

/** Drops the panels that are not listed, and says which of the others lack data. @param {PanelRev[]} list */
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

/** The drawer's tabs do not all fit on a phone: the one that was opened is among those that are seen. */
function showTab() {
  const on = document.querySelector(".bottom.open .tab.on");
  if (on === tab) return;
  tab = on;
  if (on && matchMedia("(max-width: 1023px)").matches) on.scrollIntoView({ block: "nearest", inline: "center" });
}

/** The menu of a panel stays by its button, and on the page. */
function placeMenus() {
  for (const menu of marked("data-testid", "panel-menu-items")) {
    const button = menu.closest("[data-panel]")?.querySelector('[data-testid="panel-menu"]');
    if (button) placePopup(menu, button);
  }
}
addEventListener("resize", placeMenus);
addEventListener("scroll", (e) => { if (e.target instanceof Element && e.target.classList.contains("panels")) placeMenus(); }, { capture: true, passive: true });

/** Puts every canvas where the page has a place for it now. @param {boolean} led */
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
  const written = led || moved; // texts depend on the window, too
  moved = false;
  for (const [id, p] of panels) {
    // Where nobody looks nothing is written again. A drawing that leaves a panel
    // as it is leaves what is written in it, too.
    if (seat(id, p) || near.has(id) && (written || fresh.has(String(id))) || led && cursor == null) p.point(cursor);
  }
}

/** Puts a panel where the page has a place for it now; says whether it was elsewhere. @param {number} id @param {Panel | TablePanel} p */
function seat(id, p) {
  const name = `chart-${id}`;
  if (p.root.isConnected && p.root.parentElement?.id === name) return false;
  const el = document.getElementById(name);
  if (!el) return false;
  el.replaceChildren(p.root);
  return true;
}

/** What is known of the element of the tree. */
const tree = {
  /** @type {HTMLElement | null} */
  element: null,
  /** @type {TreeRows | null} that it shows */
  rows: null,
  rowHeight: 24,
  room: 0,
  /** Whether it is scrolled from here: Go knows already. */
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
  new ResizeObserver(() => { // called too when the tree is put away, and when it is shown again as it was
    const room = Math.ceil(el.clientHeight / tree.rowHeight) + 1;
    if (!el.clientHeight || (room === tree.room && top() === tree.rows?.first)) return;
    tree.room = room;
    scrolled();
  }).observe(el);
}

/** The search's list has the lines that can be seen; as it is scrolled, more are asked for. */
function watchHits() {
  const list = document.getElementById("search-list");
  if (!list || watched.has(list)) return;
  watched.set(list, undefined);
  const least = 28; // the height of a line, see search.css
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
  if (testid === "page") {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    return;
  }
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
      if (near.has(id) || !marked("data-panel", id).size) p.follow(); // that of the editor is always seen
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
    seat(id, p); // all others have theirs
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
    const done = globalThis.pcpscope?.hold();
    setTimeout(() => {
      focus(name);
      done?.();
    });
  },
  reveal({ name }) {
    revealing?.();
    const el = document.getElementById(name);
    if (!el) return;
    // Its values are still to come, and the details beside it: whatever it grows by is shown as well, until the user moves.
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
  recent: (entry) => pcpscopePage.recent.note(entry),
  wants: ({ list }) => pcpscopePage.recent.wants(list),
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

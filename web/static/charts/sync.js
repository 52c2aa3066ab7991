// @ts-nocheck its types come with those of the calls between Go and the canvases
// The bridge between the Go page and its canvases. Go draws the page with
// Vugu and then calls pcpcharts.sync; elements that canvases live in are left
// empty by the templates, so that neither disturbs the other.
//
//   listen(fn)         fn(kind, ...) for what the user does on a canvas:
//                      zoom(start, end), unzoom, zoomby(factor, at), pan(share),
//                      cursor(t or null), pin(t or null), activate(panel), scroll(first, rows),
//                      room(lines) that fit the search's list, further: its end is near,
//                      view(page, column, filter, down) of the drawer's table, column(page, name, shown),
//                      row(n) picked in it
//   timeline(spec)     the window and all that lies on the time axis (time.js)
//   sync(panels, cursor, cursorRev, tree, pinned)
//                      after each drawing: panels is a text "id:rev,id:rev";
//                      returns the ids, as a text, whose data are wanted
//   panel(spec)        {id, rev, unit, decimals, style, stack, words, readTo, times, series:
//                      [{index, colour, stepped, values, why}]}, values scaled;
//                      what a style needs besides is said in panel.js, rows.js, table.js
//   pulse(spec)        {times, values, readTo}: readTo is null, or up to when all has been read
//   sparks(lines)      {name: values}, for canvases with data-spark="name"
// Times are seconds after the origin.

import { timeline } from "./time.js";
import { pngOf, svgOf } from "./export.js";
import { forgetColours } from "./paint.js";
import { Panel, put } from "./panel.js";
import { Heat, Lanes } from "./rows.js";
import { Events } from "./events.js";
import { TablePanel } from "./table.js";
import { listenCompare, showCompare } from "./compare.js";
import { listenDrawer, showDrawer } from "./drawer.js";
import { drawRuler } from "./ruler.js";
import { Pulse } from "./pulse.js";
import { clockText } from "./time.js";
import { followDialogs } from "../dialogs.js";
import { placeEditor } from "../editor.js";
import { placePopup } from "../popup.js";
import { allMarked, marked, touched } from "../marks.js";
import { drawSparks, forgetSparks, setSparks } from "./spark.js";

const panels = new Map();
let revealing = null; // ends looking after the panel that was scrolled to last
let listener = () => {};
let pulse = null, pulseSpec = null;
let sticky = false;
let cursor = null, cursorRev = 0, pointing = false;
let moved = false; // the window, since the last drawing

function tell(kind, ...args) {
  switch (kind) {
    case "point": return timeline.pinned ? undefined : point(args[0]);
    case "leave": return sticky || timeline.pinned ? undefined : point(null);
    case "pin": return pin(args[0]);
  }
  listener(kind, ...args);
}

function point(t) {
  if (t === cursor) return;
  cursor = t;
  if (pointing) return;
  pointing = true;
  requestAnimationFrame(() => {
    pointing = false;
    showCursor();
    listener("cursor", cursor);
  });
}

/** Keeps the cursor where it is, or lets it follow the pointer again. */
function pin(t) {
  timeline.pinned = !timeline.pinned;
  cursor = t;
  showCursor();
  if (timeline.pinned) listener("pin", t);
  else {
    listener("pin", null);
    listener("cursor", t);
  }
}

function showCursor() {
  overlays(true); // first: they ask for sizes, which what the panels write would make the browser work out anew
  for (const [id, p] of panels) {
    // Where nobody looks the cursor is shown when somebody does: see mount.
    if (near.has(Number(id)) || cursor == null) p.point(cursor);
  }
}

function overlays(still = false) {
  const ruler = document.getElementById("ruler");
  if (ruler) drawRuler(ruler, cursor);
  document.documentElement.classList.toggle("pinned", timeline.pinned);
  if (still) pulse?.point(cursor);
  else pulse?.draw(cursor);
  const head = document.getElementById("ruler-head");
  if (head) put(head, cursor == null ? "last" : clockText(cursor));
}

/** The class that draws a style. */
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
const near = new Set();
const watcher = new IntersectionObserver((entries) => {
  for (const e of entries) {
    const id = Number(e.target.dataset.panel);
    if (e.isIntersecting) {
      if (!near.has(id)) {
        bring(String(id));
        panels.get(String(id))?.point(cursor);
      }
      near.add(id);
    }
    else near.delete(id);
    e.target.lastSeen = id;
  }
  report();
  requestAnimationFrame(() => { // by then the page has taken note
    looking?.();
    looking = null;
  });
}, { rootMargin: "300px" });
/** The panels out of sight that do not show the window yet: they do when they come near. */
const late = new Set();
function bring(id) {
  if (late.delete(id)) panels.get(id)?.follow();
}

let looking = null; // ends the hold on idle while it is not known what can be seen

let reported = "";
function report() {
  const there = new Set(allMarked("data-panel").map((e) => Number(e.dataset.panel)));
  for (const id of near) if (!there.has(id)) near.delete(id);
  const text = [...near].sort().join();
  if (text === reported) return;
  reported = text;
  listener("see", ...near);
}

function watch() {
  for (const e of allMarked("data-panel")) {
    if (e.watched === e.dataset.panel) continue; // elements are used again for other panels
    e.watched = e.dataset.panel;
    looking ??= window.pcpscope?.hold();
    watcher.unobserve(e);
    watcher.observe(e);
  }
}

function sync(list, at, rev, tree, pin) {
  const led = rev !== cursorRev; // the cursor was moved by anything but the charts
  if (led) {
    cursorRev = rev;
    cursor = at;
    timeline.pinned = !!pin;
  }
  const wanted = list === settled ? [] : compare(list);
  settled = wanted.length ? null : list;
  mount(led);
  follow(tree);
  if (tree) watchHits();
  drawSparks();
  followDialogs();
  showTab();
  placeEditor();
  placeMenus();
  return wanted.join(",");
}

let settled = null; // the list of panels, once all of them have their data

/** Drops the panels that are not listed, and says which of the others lack data. */
function compare(list) {
  const wanted = [], ids = new Set();
  for (const [id, version] of list ? list.split(",").map((s) => s.split(":")) : []) {
    ids.add(id);
    if (panels.get(id)?.spec.rev !== Number(version)) wanted.push(id);
  }
  for (const [id, p] of panels) {
    if (ids.has(id)) continue;
    p.destroy();
    panels.delete(id);
    late.delete(id);
  }
  return wanted;
}

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
addEventListener("scroll", (e) => { if (e.target.classList?.contains("panels")) placeMenus(); }, { capture: true, passive: true });

/** Puts every canvas where the page has a place for it now. */
function mount(led) {
  const fresh = touched();
  if (fresh.size) watch();
  const strip = document.getElementById("pulse");
  if (strip && pulse?.canvas !== strip) {
    pulse = new Pulse(strip, tell);
    if (pulseSpec) pulse.set(pulseSpec);
    led = true;
  }
  const ruler = document.getElementById("ruler");
  if (ruler && !ruler.watched) {
    ruler.watched = new ResizeObserver(() => overlays());
    ruler.watched.observe(ruler);
    led = true;
  }
  if (led) overlays(); // before the panels write: see showCursor
  const written = led || moved; // texts depend on the window, too
  moved = false;
  for (const [id, p] of panels) {
    // Where nobody looks nothing is written anew. A drawing that leaves a panel
    // as it is leaves what is written in it, too.
    if (seat(id, p) || near.has(Number(id)) && (written || fresh.has(id)) || led && cursor == null) p.point(cursor);
  }
}

/** Puts a panel where the page has a place for it now; says whether it was elsewhere. */
function seat(id, p) {
  const name = `chart-${id}`;
  if (p.root.isConnected && p.root.parentNode.id === name) return false;
  const el = document.getElementById(name);
  if (!el) return false;
  el.replaceChildren(p.root);
  return true;
}

/** Keeps the scroll position of the tree and its rows in step with Go. */
function follow(tree) {
  const el = document.getElementById("tree");
  if (!el || !tree || el.followed === tree || el.closest("[hidden]")) return;
  el.followed = tree;
  const { first, count } = JSON.parse(tree);
  const row = el.querySelector(".row")?.offsetHeight || 24;
  const space = el.querySelector(".space"), rows = el.querySelector(".rows");
  space.style.setProperty("height", `${count * row}px`);
  rows.style.setProperty("transform", `translateY(${first * row}px)`);
  el.rowHeight = row;
  if (Math.floor(el.scrollTop / row) !== first) {
    el.scrolling = true; // Go knows already
    el.scrollTop = first * row;
  }
  if (el.watched) return;
  el.watched = true;
  const top = () => Math.floor(el.scrollTop / el.rowHeight);
  const report = () => listener("scroll", top(), el.room);
  el.addEventListener("scroll", () => {
    if (el.scrolling) {
      el.scrolling = false;
      return;
    }
    if (!el.waiting) {
      el.waiting = true;
      requestAnimationFrame(() => {
        el.waiting = false;
        report();
      });
    }
  }, { passive: true });
  new ResizeObserver(() => { // called too when the tree is put away, and when it is shown again as it was
    const room = Math.ceil(el.clientHeight / el.rowHeight) + 1;
    if (!el.clientHeight || (room === el.room && top() === JSON.parse(el.followed).first)) return;
    el.room = room;
    report();
  }).observe(el);
}

/** The search's list has the lines that can be seen; as it is scrolled, more are asked for. */
function watchHits() {
  const list = document.getElementById("search-list");
  if (!list || list.watched) return;
  list.watched = true;
  const least = 28; // the height of a line, see search.css
  const room = () => listener("room", Math.ceil(innerHeight * 0.72 / least));
  list.addEventListener("scroll", () => { if (list.scrollTop + 2 * list.clientHeight > list.scrollHeight) listener("further"); }, { passive: true });
  addEventListener("resize", room);
  room();
}

function redraw() {
  forgetColours();
  forgetSparks();
  drawSparks();
  for (const p of panels.values()) p.rebuild();
  if (pulse) pulse.picture = null;
  showCursor();
}
addEventListener("pcpscope-theme", redraw);

window.pcpcharts = {
  listen(fn) {
    listener = fn;
    listenCompare(fn);
    listenDrawer(fn);
  },
  compare: showCompare,
  timeline(spec) {
    Object.assign(timeline, spec);
    moved = true;
    for (const [id, p] of panels) {
      if (near.has(Number(id)) || !marked("data-panel", id).size) p.follow(); // that of the editor is always seen
      else late.add(id);
    }
    overlays();
  },
  sync,
  panel(spec) {
    const id = String(spec.id);
    const p = panels.get(id), kind = kindOf(spec);
    late.delete(id);
    if (p?.constructor === kind) p.set(spec);
    else {
      p?.destroy();
      panels.set(id, new kind(spec, tell));
    }
    seat(id, panels.get(id)); // all others have theirs
    panels.get(id).point(cursor);
  },
  pulse(spec) {
    pulseSpec = spec;
    pulse?.set(spec);
  },
  // picture(id, about, kind) promises a Blob: see export.js
  async picture(id, about, kind) {
    bring(String(id));
    const svg = svgOf(panels.get(String(id)), about, timeline.pinned ? cursor : null);
    return kind === "png" ? pngOf(svg) : new Blob([svg], { type: "image/svg+xml" });
  },
  sparks: setSparks,
  // drawer(spec) shows the table below; sticky: the cursor stays where the pointer leaves the charts.
  drawer: showDrawer,
  sticky(on) {
    if (sticky && !on) point(null);
    sticky = on;
  },
  // later(fn) calls it once the next frame is on the screen; a page that nobody looks at has none.
  later(fn) {
    const held = window.pcpscope?.hold();
    const call = () => {
      clearTimeout(anyhow);
      fn?.();
      fn = null;
      held?.();
    };
    const anyhow = setTimeout(call, 200);
    requestAnimationFrame(() => setTimeout(call));
  },
  top() { document.querySelector(".panels")?.scrollTo(0, 0); },
  focus(testid) {
    if (testid === "page") return document.activeElement?.blur();
    const el = document.querySelector(`[data-testid="${testid}"]`);
    el?.focus();
    el?.select?.();
  },
  focusSoon(testid) {
    const done = window.pcpscope?.hold();
    setTimeout(() => {
      this.focus(testid);
      done?.();
    });
  },
  reveal(id) {
    revealing?.();
    const el = document.getElementById(id);
    if (!el) return;
    // Its values are still to come, and the details beside it: whatever it grows by is shown as well, until the user moves.
    const show = () => el.scrollIntoView({ block: "nearest" }), watch = new ResizeObserver(show), left = new AbortController();
    show();
    for (const e of [el, el.parentElement]) watch.observe(e);
    const timer = setTimeout(() => revealing?.(), 3000);
    revealing = () => {
      watch.disconnect();
      left.abort();
      clearTimeout(timer);
      revealing = null;
    };
    for (const kind of ["wheel", "pointerdown", "keydown", "touchmove"]) addEventListener(kind, () => revealing?.(), { signal: left.signal, capture: true, passive: true });
  },
};

// Dividers between panes: they can be dragged, moved with the arrow keys, and collapsed
// with Enter or a double click. The layout is remembered.

/** @import { Edge, Layout } from "../scripts/page.js" */

const root = document.documentElement;

// For each edge: the custom property with the size of its part, how the size
// follows the pointer, the ends, and the size that it starts with.
/** @type {Record<string, Edge>} */
const edges = {
  rail: { property: "--rail", size: (e) => e.clientX, min: 200, max: 640, start: 280, wider: "ArrowRight", narrower: "ArrowLeft" },
  details: { property: "--details", size: (e) => innerWidth - e.clientX, min: 260, max: 720, start: 360, wider: "ArrowLeft", narrower: "ArrowRight" },
  drawer: { property: "--drawer", size: (e) => innerHeight - 32 - e.clientY, min: 96, max: 640, start: 344, wider: "ArrowUp", narrower: "ArrowDown" },
};

/** @type {Layout} the size of each part, and, by the same name with "-folded", whether it is folded away */
const layout = pcpscopePage.storage.object("pcpscope.layout");
const keep = () => pcpscopePage.storage.set("pcpscope.layout", JSON.stringify(layout));

/**
 * Gives a part a size; 0 folds it away. Anything that is not a number gives the initial size.
 * @param {string} name
 * @param {number} size
 */
function resize(name, size) {
  const edge = edges[name];
  const pixels = size === 0 ? 0 : Math.round(Math.max(edge.min, Math.min(edge.max, Number(size) || edge.start)));
  if (pixels) layout[name] = pixels;
  layout[`${name}-folded`] = pixels === 0;
  root.style.setProperty(edge.property, `${pixels}px`);
  root.classList.toggle(`${name}-folded`, pixels === 0);
  const el = document.querySelector(`[data-edge="${name}"]`);
  el?.setAttribute("aria-valuenow", String(pixels));
}

const fold = (/** @type {string} */ name) => resize(name, layout[`${name}-folded`] ? layout[name] : 0);

/** @param {HTMLElement} el */
function watch(el) {
  const name = el.dataset.edge ?? "", edge = edges[name];
  let dragging = false, before = edge.start;
  el.setAttribute("aria-valuemin", "0");
  el.setAttribute("aria-valuemax", String(edge.max));
  el.addEventListener("pointerdown", (e) => {
    if (e.button !== 0) return;
    e.preventDefault();
    el.focus({ preventScroll: true });
    el.setPointerCapture(e.pointerId);
    dragging = true;
    before = layout[name];
  });
  el.addEventListener("pointermove", (e) => {
    if (!dragging) return;
    const size = edge.size(e);
    resize(name, size < edge.min / 2 ? 0 : size);
  });
  for (const end of ["pointerup", "pointercancel"]) {
    el.addEventListener(end, () => {
      if (dragging && layout[`${name}-folded`]) layout[name] = before; // restore the size from before dragging
      dragging = false;
      keep();
    });
  }
  el.addEventListener("dblclick", () => {
    fold(name);
    keep();
  });
  el.addEventListener("keydown", (e) => {
    const now = layout[`${name}-folded`] ? 0 : layout[name] ?? edge.start;
    switch (e.key) {
      case "Enter": fold(name); break;
      case "Home": resize(name, edge.min); break;
      case "End": resize(name, edge.max); break;
      case edge.wider: resize(name, now + 16); break;
      case edge.narrower: resize(name, now - 16 < edge.min ? 0 : now - 16); break;
      default: return;
    }
    e.preventDefault();
    e.stopPropagation(); // elsewhere, arrow keys move the cursor
    keep();
  });
}

for (const name in edges) resize(name, layout[`${name}-folded`] ? 0 : layout[name]);
for (const el of document.querySelectorAll("[data-edge]")) if (el instanceof HTMLElement) watch(el);

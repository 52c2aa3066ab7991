// Applies what Go's components draw to the page. web/render computes the difference to the
// last drawing; elements are identified by number.

/** @import { DOMEvent } from "../canvas/canvas.d.ts" */
/** @import { Wire } from "../scripts/page.js" */

import { mark, unmark } from "./marks.js";
import { toWire } from "./pcpscope.js";

/** @type {Record<string, string>} */
const spaces = { svg: "http://www.w3.org/2000/svg", math: "http://www.w3.org/1998/Math/MathML" };
/** @type {Map<number, Node>} */
const nodes = new Map();
/** @type {WeakMap<EventTarget, number>} */
const numbers = new WeakMap();
/** @type {(number: number, type: string, event: Wire) => void} */
let handle = () => {};
/** @type {Event | null} being handled */
let active = null;

/** The node and the element with a number: Go refers only to existing ones. @param {number} id */
function node(id) { return /** @type {ChildNode} */ (nodes.get(id)); }
/** @param {number} id */
function element(id) { return /** @type {HTMLElement} */ (nodes.get(id)); }

/** @param {Event} event */
function heard(event) {
  const before = active;
  active = event;
  try {
    const number = event.currentTarget && numbers.get(event.currentTarget);
    if (number != null) handle(number, event.type, toWire(about(event)));
  } finally {
    active = before;
  }
}
/**
 * The properties of an event that components use.
 * @param {Event} event
 * @returns {DOMEvent}
 */
function about(event) {
  const { shiftKey = false, ctrlKey = false, metaKey = false, target } = /** @type {Partial<MouseEvent>} */ (event);
  const { value, selectionStart } = /** @type {Partial<HTMLInputElement>} */ (target ?? {});
  return {
    shiftKey, ctrlKey, metaKey,
    target: { value: typeof value === "string" ? value : null, selectionStart: typeof selectionStart === "number" ? selectionStart : null },
  };
}

/** @param {number} id @param {Node} node */
function know(id, node) {
  nodes.set(id, node);
  numbers.set(node, id);
}

// Each takes a node's number and further arguments, which next() returns.
/** @type {Record<string, (id: number, next: () => any) => void>} */
const steps = {
  element(id, next) {
    const name = next(), space = spaces[next()];
    know(id, space ? document.createElementNS(space, name) : document.createElement(name));
  },
  text(id, next) { know(id, document.createTextNode(next())); },
  comment(id, next) { know(id, document.createComment(next())); },
  // attributes sets all attributes that the element has from now on
  attributes(id, next) {
    const el = element(id), keep = new Set();
    for (let n = next(); n > 0; n--) {
      const name = next(), value = next();
      keep.add(name);
      if (el.getAttribute(name) !== value) el.setAttribute(name, value);
      mark(el, name, value);
    }
    if (el.attributes.length === keep.size) return;
    for (const { name } of [...el.attributes]) {
      if (keep.has(name)) continue;
      el.removeAttribute(name);
      unmark(el, name);
    }
  },
  property(id, next) {
    const el = /** @type {any} */ (element(id)), name = next(), value = next();
    if (el[name] !== value) el[name] = value;
  },
  content(id, next) { element(id).textContent = next(); },
  markup(id, next) { element(id).innerHTML = next(); },
  listen(id, next) { element(id).addEventListener(next(), heard); },
  ignore(id, next) { element(id).removeEventListener(next(), heard); },
  insert(id, next) { // a node, before another one or (0) at the end
    const inner = node(next()), before = next();
    node(id).insertBefore(inner, before ? node(before) : null);
  },
  replace(id, next) { node(id).replaceWith(node(next())); nodes.delete(id); },
  remove(id, next) {
    node(id).remove();
    steps.forget(id, next);
  },
  forget(id) {
    unmark(element(id));
    nodes.delete(id);
  },
};

pcpscopePage.drawing = {
  listen(fn) { handle = fn; },
  preventDefault: () => active?.preventDefault(),
  stopPropagation: () => active?.stopPropagation(),
  mount(id) { know(0, /** @type {HTMLElement} */ (document.getElementById(id))); },
  apply(text) {
    const list = JSON.parse(text);
    let at = 0;
    const next = () => list[at++];
    while (at < list.length) steps[list[at++]](list[at++], next);
  },
};

// What Go's components draw, done to the page. web/render works out what is
// different from the last drawing; the elements are known by number.
//
//   pcpdrawing.listen(fn)  fn(number, type, event) for an event that a template handles
//   pcpdrawing.mount(id)   the element that the first drawing takes the place of
//   pcpdrawing.apply(text) an array of steps as JSON, see below

import { mark, unmark } from "./marks.js";

const spaces = { svg: "http://www.w3.org/2000/svg", math: "http://www.w3.org/1998/Math/MathML" };
const nodes = new Map(), numbers = new WeakMap();
let handle = () => {}, active = null;

function heard(event) {
  const before = active;
  active = event;
  try {
    handle(numbers.get(event.currentTarget), event.type, event);
  } finally {
    active = before;
  }
}
// By these names the event that Vugu gives to a handler reaches the real one.
window.vuguActiveEventPreventDefault = () => active?.preventDefault();
window.vuguActiveEventStopPropagation = () => active?.stopPropagation();

function know(id, node) {
  nodes.set(id, node);
  numbers.set(node, id);
}

// Each takes a node's number and what follows: next() is the next argument.
const steps = {
  element(id, next) {
    const name = next(), space = spaces[next()];
    know(id, space ? document.createElementNS(space, name) : document.createElement(name));
  },
  text(id, next) { know(id, document.createTextNode(next())); },
  comment(id, next) { know(id, document.createComment(next())); },
  // attributes: all that the element has from now on
  attributes(id, next) {
    const el = nodes.get(id), keep = new Set();
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
    const el = nodes.get(id), name = next(), value = next();
    if (el[name] !== value) el[name] = value;
  },
  content(id, next) { nodes.get(id).textContent = next(); },
  markup(id, next) { nodes.get(id).innerHTML = next(); },
  listen(id, next) { nodes.get(id).addEventListener(next(), heard); },
  ignore(id, next) { nodes.get(id).removeEventListener(next(), heard); },
  insert(id, next) { // a node, before another or (0) at the end
    const node = nodes.get(next()), before = next();
    nodes.get(id).insertBefore(node, before ? nodes.get(before) : null);
  },
  replace(id, next) { nodes.get(id).replaceWith(nodes.get(next())); nodes.delete(id); },
  remove(id) {
    nodes.get(id).remove();
    steps.forget(id);
  },
  forget(id) {
    unmark(nodes.get(id));
    nodes.delete(id);
  },
};

window.pcpdrawing = {
  listen(fn) { handle = fn; },
  mount(id) { know(0, document.getElementById(id)); },
  apply(text) {
    const list = JSON.parse(text);
    let at = 0;
    const next = () => list[at++];
    while (at < list.length) steps[list[at++]](list[at++], next);
  },
};

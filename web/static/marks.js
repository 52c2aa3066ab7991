// Registers the elements that scripts look up by attribute, as drawing.js creates and
// removes them: with thousands of rows, querying the page would take longer than most
// drawings.

// Names of attributes; the values that matter, or null for all.
/** @type {Record<string, string[] | null>} */
const wanted = {
  "data-panel": null, "data-spark": null, "data-now": null, "data-why": null, "data-reason": null, "data-head": null,
  "data-testid": ["panel-menu-items", "compare"], role: ["dialog"],
};
/** @typedef {Map<string, Set<HTMLElement>>} Values the elements, by value */
const found = new Map(Object.keys(wanted).map((name) => [name, /** @type {Values} */ (new Map())]));
/** @type {WeakMap<Element, Record<string, string>>} the values under which an element was noted, by name */
const marks = new WeakMap();
/** @type {Set<HTMLElement>} */
const nothing = new Set();
/** @type {Set<string>} */
let changed = new Set();

const valuesOf = (/** @type {string} */ name) => /** @type {Values} */ (found.get(name));

/**
 * Notes an element of which an attribute is set.
 * @param {HTMLElement} el
 * @param {string} name
 * @param {string} value
 */
export function mark(el, name, value) {
  if (!(name in wanted)) return;
  const own = marks.get(el) ?? {};
  marks.set(el, own);
  if (own[name] !== value) drop(el, name);
  else changed.add(value); // a different attribute may have changed
  if (own[name] === value || (wanted[name] && !wanted[name].includes(value))) return;
  const values = valuesOf(name), elements = values.get(value) ?? new Set();
  values.set(value, elements.add(el));
  own[name] = value;
  changed.add(value);
}

/**
 * Notes that an element has lost an attribute, or, without a name, that it has left the page.
 * @param {HTMLElement} el
 * @param {string} [name]
 */
export function unmark(el, name) {
  for (const n of name ? [name] : Object.keys(marks.get(el) ?? {})) drop(el, n);
}

/** @param {HTMLElement} el @param {string} name */
function drop(el, name) {
  const own = marks.get(el), value = own?.[name];
  if (!own || value === undefined) return;
  const values = valuesOf(name);
  values.get(value)?.delete(el);
  if (!values.get(value)?.size) values.delete(value);
  delete own[name];
}

/**
 * The elements on the page that have an attribute of this value.
 * @param {string} name
 * @param {string | number} value
 */
export function marked(name, value) { return valuesOf(name).get(String(value)) ?? nothing; }

/**
 * The elements on the page that have the attribute, whatever its value.
 * @param {string} name
 */
export function allMarked(name) { return [...valuesOf(name).values()].flatMap((set) => [...set]); }

/** The values whose elements are new or have changed since the last call. */
export function touched() {
  const values = changed;
  changed = new Set();
  return values;
}

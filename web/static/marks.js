// The elements that scripts look for by an attribute, as drawing.js makes and
// drops them: to look through the page for them would take longer, with
// thousands of rows on it, than most drawings.

// Names of attributes; the values that matter, or null for all.
const wanted = {
  "data-panel": null, "data-spark": null, "data-now": null, "data-why": null, "data-reason": null, "data-head": null,
  "data-testid": ["panel-menu-items"], role: ["dialog"],
};
const found = new Map(Object.keys(wanted).map((name) => [name, new Map()])); // by name: by value, the elements
const nothing = new Set();
let changed = new Set();

/** Notes an element of which an attribute is set. */
export function mark(el, name, value) {
  if (!(name in wanted)) return;
  const marks = (el.marks ??= {});
  if (marks[name] !== value) drop(el, name);
  else changed.add(value); // another attribute of it may be another one
  if (marks[name] === value || (wanted[name] && !wanted[name].includes(value))) return;
  const values = found.get(name);
  if (!values.has(value)) values.set(value, new Set());
  values.get(value).add(el);
  marks[name] = value;
  changed.add(value);
}

/** Notes that an element has lost an attribute, or, without a name, that it has left the page. */
export function unmark(el, name) {
  if (!el.marks) return;
  for (const n of name ? [name] : Object.keys(el.marks)) drop(el, n);
}

function drop(el, name) {
  const value = el.marks?.[name], values = found.get(name);
  if (value === undefined) return;
  values.get(value)?.delete(el);
  if (!values.get(value)?.size) values.delete(value);
  delete el.marks[name];
}

/** The elements on the page that have an attribute of this value. */
export function marked(name, value) { return found.get(name).get(String(value)) ?? nothing; }

/** The elements on the page that have the attribute, whatever its value. */
export function allMarked(name) { return [...found.get(name).values()].flatMap((set) => [...set]); }

/** The values of which elements are new, or were changed, since this was last asked. */
export function touched() {
  const values = changed;
  changed = new Set();
  return values;
}

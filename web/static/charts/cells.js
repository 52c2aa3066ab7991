// The elements that show values at the cursor, by what they show and for which
// panel: an attribute such as data-now="12". They are looked for when a panel
// is first to write into them after a drawing of the page, and only in its own
// part of it, not at each movement of the pointer.

const kinds = ["now", "why", "reason", "head"];
const found = new Map(); // by panel: by kind, the elements

/** The page has been drawn: elements may be others now. */
export function forgetCells() {
  found.clear();
}

/** The elements of a kind for a panel. */
export function cells(kind, id) {
  if (!found.has(id)) {
    const mine = Object.fromEntries(kinds.map((k) => [k, []]));
    const within = document.getElementById(`panel-${id}`) ?? document;
    for (const el of within.querySelectorAll(kinds.map((k) => `[data-${k}="${id}"]`).join())) {
      for (const k of kinds) if (el.dataset[k] !== undefined) mine[k].push(el);
    }
    found.set(id, mine);
  }
  return found.get(id)[kind];
}

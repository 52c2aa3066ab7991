// The elements that show values at the cursor, by what they show and for which
// panel: an attribute such as data-now="12". They are looked for once after
// each drawing of the page, not at each movement of the pointer.

const kinds = ["now", "why", "reason", "head"];
let found = null;

/** The page has been drawn: elements may be others now. */
export function forgetCells() {
  found = null;
}

/** The elements of a kind for a panel. */
export function cells(kind, id) {
  if (!found) {
    found = new Map();
    for (const el of document.querySelectorAll(kinds.map((k) => `[data-${k}]`).join())) {
      for (const k of kinds) {
        const of = el.dataset[k];
        if (of === undefined) continue;
        const key = `${k} ${of}`;
        if (!found.has(key)) found.set(key, []);
        found.get(key).push(el);
      }
    }
  }
  return found.get(`${kind} ${id}`) ?? [];
}

// Which pages may talk to this one, and open URLs in it, without asking: those of this
// site, and those that the operator lists in embed.json.

/** @type {Promise<string[]> | null} */
let list = null;

/** @returns {Promise<string[]>} */
async function operators() {
  try {
    const response = await fetch(new URL("../embed.json", import.meta.url), { cache: "no-cache" });
    const { origins } = await response.json();
    return Array.isArray(origins) ? origins : [];
  } catch {
    return []; // no list: ask the user
  }
}

/** @param {string} origin */
export async function listed(origin) {
  if (origin === location.origin) return true;
  return (await (list ??= operators())).includes(origin);
}

/** Whether all enclosing pages are trusted; false if the browser does not tell which they are. */
export async function amongOwn() {
  if (parent === window) return true;
  const around = location.ancestorOrigins;
  if (!around?.length) return false;
  return (await Promise.all([...around].map(listed))).every(Boolean);
}

// The page as those outside of it see it.

/** The page's own functions (web/outside_js.go), once they are there. */
export const view = globalThis.pcpview ? Promise.resolve(globalThis.pcpview)
  : new Promise((done) => addEventListener("pcpview", () => done(globalThis.pcpview), { once: true }));

/** Addresses as the page takes files. */
export function byURL(addresses) {
  return addresses.map((url) => ({ name: nameOf(url), data: { url, size: 0 } }));
}

function nameOf(url) {
  const path = new URL(url).pathname.replace(/^\//, "");
  try {
    return decodeURI(path) || url;
  } catch {
    return path; // its escapes are none
  }
}

// The page's interface for links and enclosing pages.

/** @import { NamedFile, View } from "../../scripts/page.js" */

/**
 * The page's own functions (web/page/embedding_js.go), once they are available.
 * @type {Promise<View>}
 */
export const view = pcpscopePage.view ? Promise.resolve(pcpscopePage.view)
  : new Promise((done) => addEventListener("pcpscope-view", () => { if (pcpscopePage.view) done(pcpscopePage.view); }, { once: true }));

/** URLs in the form that the page opens. @param {string[]} addresses @returns {NamedFile[]} */
export function byURL(addresses) {
  return addresses.map((url) => ({ name: nameOf(url), data: { url, size: 0 } }));
}

/** The page's name for a file on a server. @param {string} url */
export function nameOf(url) {
  const path = new URL(url).pathname.replace(/^\//, "");
  try {
    return decodeURI(path) || url;
  } catch {
    return path; // invalid escapes
  }
}

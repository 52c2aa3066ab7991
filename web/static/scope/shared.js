// Shared by all elements of a page: one engine, and each source only once.

import { start } from "../pcpscope.js";

/** @import { FromServer, Opened, Pcpscope, StartOptions } from "../pcpscope.js" */

/** @type {Promise<Pcpscope> | null} */
let engine = null;
/** @type {Map<string, { opened: Promise<Opened>, users: number, stop: AbortController }>} */
const sources = new Map(); // by URL
/** @type {StartOptions & { headers?: Record<string, string> }} */
export const settings = {};

/** The Pcpscope shared by the elements on this page. */
export function pcpscope() {
  const { headers: _, ...options } = settings;
  engine ??= start(options).catch((e) => {
    engine = null; // let the next element try again
    throw e;
  });
  return engine;
}

/**
 * Opens URLs, or reuses the open source. release gives it up; the last user to do so closes
 * it.
 * @param {string[]} addresses
 * @param {FromServer} options
 */
export function acquire(addresses, options) {
  const key = JSON.stringify(addresses.map((a) => new URL(a, document.baseURI).href));
  let entry = sources.get(key);
  if (!entry) {
    const stop = new AbortController();
    const all = { ...options, signal: stop.signal, ...(settings.headers ? { headers: settings.headers } : {}) };
    const made = { users: 0, stop, opened: pcpscope().then((p) => p.openURL(addresses, all)) };
    entry = made;
    sources.set(key, made);
    made.opened.catch(() => { if (sources.get(key) === made) sources.delete(key); });
  }
  entry.users++;
  let held = true;
  return {
    opened: entry.opened,
    release() {
      if (!held) return;
      held = false;
      if (--entry.users > 0) return;
      if (sources.get(key) === entry) sources.delete(key);
      entry.stop.abort(); // stop fetching what no element needs
      entry.opened.then(async ({ sources }) => {
        const p = await pcpscope();
        for (const s of sources) await p.close(s.id);
      }).catch(() => { /* the engine is gone, and so are its sources */ });
    },
  };
}

/**
 * Forgets a source lost by a crashed engine, so that the next acquire
 * reopens it.
 * @param {Promise<Opened>} opened
 */
export function forget(opened) {
  for (const [key, entry] of sources) if (entry.opened === opened) sources.delete(key);
}

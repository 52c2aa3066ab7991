// storage.js is the one place that reads and writes local storage. A browser
// may deny it (blocked cookies, a frame of another site in a private window):
// then the mere mention of it throws, which would end the program. Texts of
// earlier versions, or of nobody, may be in it: who reads them checks them.
"use strict";
(() => {
  /** @type {<T>(act: () => T) => T | null} */
  const quietly = (act) => { try { return act(); } catch { return null; } };
  const get = (/** @type {string} */ key) => quietly(() => localStorage.getItem(key));
  // What is denied to storage is denied to service workers.
  pcpscopePage.workers = quietly(() => navigator.serviceWorker) ?? null;
  pcpscopePage.storage = {
    get,
    set(key, text) { quietly(() => localStorage.setItem(key, text)); },
    remove(key) { quietly(() => localStorage.removeItem(key)); },
    object(key) {
      const value = quietly(() => JSON.parse(get(key) ?? "null"));
      return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
    },
  };
})();

// storage.js is the only code that reads and writes local storage. A browser may deny
// access (blocked cookies, a third-party frame in a private window): then even mentioning
// it throws, which would end the program. It may contain values from earlier versions or
// anyone else: readers must validate them.
"use strict";
(() => {
  /** @type {<T>(act: () => T) => T | null} */
  const quietly = (act) => { try { return act(); } catch { return null; } };
  const get = (/** @type {string} */ key) => quietly(() => localStorage.getItem(key));
  // Where storage is denied, so are service workers.
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

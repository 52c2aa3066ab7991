// Starts what takes longest, before the page is parsed: the program is
// fetched and compiled while it arrives, and the engine's worker begins.
//
// For what comes later: pcpscopeReady promises the Pcpscope, and
// pcpscopePage.mounted() is called once the first picture stands; until then
// idle() does not settle.
import { start } from "./pcpscope.js";

const mounted = new Promise((/** @type {(v?: undefined) => void} */ done) => {
  // This script may come before the first one, which makes the object else.
  (globalThis.pcpscopePage ??= /** @type {import("../scripts/page.js").Page} */ ({})).mounted = done;
});

globalThis.pcpscopeReady = start().then((pcpscope) => {
  mounted.then(pcpscope.hold());
  return (window.pcpscope = pcpscope);
});
Promise.all([mounted, globalThis.pcpscopeReady]).then(() => performance.mark("pcpscope usable"), () => {});

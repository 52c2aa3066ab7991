// Starts what takes longest before the page is parsed: the program is
// compiled while it downloads, and the engine's worker starts.
//
// For later scripts: pcpscopeReady promises the Pcpscope, and
// pcpscopePage.mounted() is called after the first drawing; until then idle()
// does not settle.
import { start } from "./pcpscope.js";

const mounted = new Promise((/** @type {(v?: undefined) => void} */ done) => {
  // This script may run before object.js, which otherwise creates the object.
  (globalThis.pcpscopePage ??= /** @type {import("../scripts/page.js").Page} */ ({})).mounted = done;
});

globalThis.pcpscopeReady = start().then((pcpscope) => {
  mounted.then(pcpscope.hold());
  return (window.pcpscope = pcpscope);
});
Promise.all([mounted, globalThis.pcpscopeReady]).then(() => performance.mark("pcpscope usable"), () => {});

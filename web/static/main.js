// The page's modules; starts the program as the user interface.
import { compile } from "./pcpscope.js";
import { keep } from "./offline.js";
import "./start.js";
import "./layout.js";
import "./drafts.js";
import "./longpress.js";
import "./welcome.js";
import "./drawing.js";
import "./charts/sync.js";

const say = (/** @type {string} */ text) => pcpscopePage.intake?.status(text);
const failed = (/** @type {any} */ e) => {
  console.error(e);
  say(`pcpscope cannot start in this browser: ${e.message ?? e}`);
};
globalThis.pcpscopeReady.then((pcpscope) => {
  import("./embed/requests.js").catch(failed).finally(pcpscope.hold()); // a link may have more to open
}, failed);
if (pcpscopePage.test !== true && !pcpscopePage.inside && pcpscopePage.workers && isSecureContext) {
  // Deferred: what the user came for goes first.
  globalThis.pcpscopeReady.then(() => setTimeout(() => {
    keep().catch(() => { /* private mode, say: then the page needs the network */ });
  }, 2000), () => {});
}

// Browser features: those that the page requires, and those that it can do without.
/** @type {Record<string, boolean>} */
const needs = {
  WebAssembly: typeof WebAssembly === "object",
  "Web Workers": typeof Worker === "function",
  "64-bit integers (BigInt64Array)": typeof BigInt64Array === "function",
  "constructed style sheets": typeof CSSStyleSheet === "function" && "replaceSync" in CSSStyleSheet.prototype,
};
const lacks = Object.keys(needs).filter((n) => !needs[n]);
if (lacks.length) say(`This browser lacks ${lacks.join(", ")}, which pcpscope needs. Firefox, Chromium and WebKit have had it since 2023.`);
else if (typeof DecompressionStream !== "function") say("This browser has no built-in gzip decoder; archives compressed with gzip open more slowly.");

try {
  const program = await compile();
  const go = new Go();
  await go.run(await WebAssembly.instantiate(program, go.importObject));
  say("The user interface has crashed. Reload the page to continue.");
} catch (e) {
  failed(e);
}

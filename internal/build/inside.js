// In the single-file edition, the page contains what are separate files on the site:
// the program as gzip in base64, and the script of the worker.
const text = (/** @type {string} */ id) => document.getElementById(id)?.textContent ?? "";
const script = (/** @type {string} */ text) => URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
/** @type {Promise<WebAssembly.Module>} */
let program;
/** @type {Promise<boolean>} */
let reads;

/** @type {import("../../web/scripts/page.js").Inside} */
const inside = {
  program() {
    program ??= (async () => {
      const packed = Uint8Array.from(atob(text("pcpscope-program")), (c) => c.charCodeAt(0));
      const plain = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
      return WebAssembly.compileStreaming(new Response(plain, { headers: { "Content-Type": "application/wasm" } }));
    })();
    return program;
  },
  worker: script(text("pcpscope-worker")),
  // WebKit does not let the worker of a page from a disk read the page's
  // files; it then gets their contents.
  workersReadBlobs() {
    reads ??= new Promise((done) => {
      const worker = new Worker(script("onmessage = ({ data }) => data.arrayBuffer().then(() => postMessage(true), () => postMessage(false))"));
      worker.onmessage = ({ data }) => {
        worker.terminate();
        done(data);
      };
      worker.onerror = () => done(false);
      worker.postMessage(new Blob(["x"]));
    });
    return reads;
  },
};
globalThis.pcpscopePage = Object.assign(globalThis.pcpscopePage ?? {}, { inside });

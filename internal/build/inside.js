// In the edition that is one file, what the site has as files of its own lies
// in the page: the program as gzip in base64, and the worker's script.
const text = (/** @type {string} */ id) => document.getElementById(id)?.textContent ?? "";
const script = (/** @type {string} */ text) => URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
/** @type {Map<string, Promise<WebAssembly.Module>>} */
const programs = new Map();
/** @type {Promise<boolean>} */
let reads;

/** @param {string} id */
function compiled(id) {
  let program = programs.get(id);
  if (!program) {
    const packed = Uint8Array.from(atob(text(id)), (c) => c.charCodeAt(0));
    const plain = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    program = WebAssembly.compileStreaming(new Response(plain, { headers: { "Content-Type": "application/wasm" } }));
    programs.set(id, program);
  }
  return program;
}

/** @type {import("../../web/scripts/page.js").Inside} */
const inside = {
  program: () => compiled("pcpscope-program"),
  writer: () => compiled("pcpscope-writer"),
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

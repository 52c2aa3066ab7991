// In the edition that is one file, what the site has as files of its own lies
// in the page: the program as gzip in base64, and the worker's script.
const text = (id) => document.getElementById(id).textContent;
let program;

globalThis.pcpscopeInside = {
  program() {
    program ??= (async () => {
      const packed = Uint8Array.from(atob(text("pcpscope-program")), (c) => c.charCodeAt(0));
      const plain = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
      return WebAssembly.compileStreaming(new Response(plain, { headers: { "Content-Type": "application/wasm" } }));
    })();
    return program;
  },
  worker: URL.createObjectURL(new Blob([text("pcpscope-worker")], { type: "text/javascript" })),
};

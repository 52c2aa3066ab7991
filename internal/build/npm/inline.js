// pcpscope with its program and its worker inside the script, for bundlers
// that know no files beside a module (esbuild has this for "pcpscope"), and for
// pages that are one file.
// A policy has to allow worker-src blob:.

import { start as begin, trusted } from "./pcpscope.js";
import { program as packed, worker as script } from "./inlined.js";

export { compile } from "./pcpscope.js";

/** @type {Promise<WebAssembly.Module> | null} */
let program = null;

function compiled() {
  return (program ??= (async () => {
    const bytes = Uint8Array.from(atob(packed), (c) => c.charCodeAt(0));
    const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return WebAssembly.compile(await new Response(plain).arrayBuffer());
  })());
}

export function parts() {
  return {
    program: compiled(),
    worker: () => new Worker(trusted(URL.createObjectURL(new Blob([script], { type: "text/javascript" }))), { name: "pcpscope engine" }),
  };
}

/** @param {import("./pcpscope.js").StartOptions} [options] */
export function start(options) { return begin({ ...options, ...parts() }); }

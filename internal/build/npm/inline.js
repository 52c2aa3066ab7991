// pcpscope with its program and its worker inside the script, for bundlers
// that know no files beside a module (esbuild has this for "pcpscope"), and for
// pages that are one file.
// A policy has to allow worker-src blob:.

import { start as begin, trusted } from "./pcpscope.js";
import { program, worker as script, writer } from "./inlined.js";

export { compile } from "./pcpscope.js";

/** @type {Map<string, Promise<WebAssembly.Module>>} */
const programs = new Map();

/** @param {string} packed */
function compiled(packed) {
  let module = programs.get(packed);
  if (!module) {
    const bytes = Uint8Array.from(atob(packed), (c) => c.charCodeAt(0));
    const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    module = new Response(plain).arrayBuffer().then((text) => WebAssembly.compile(text));
    programs.set(packed, module);
  }
  return module;
}

export function parts() {
  return {
    program: compiled(program),
    writer: () => compiled(writer),
    worker: () => new Worker(trusted(URL.createObjectURL(new Blob([script], { type: "text/javascript" }))), { name: "pcpscope engine" }),
  };
}

/** @param {import("./pcpscope.js").StartOptions} [options] */
export function start(options) { return begin({ ...options, ...parts() }); }

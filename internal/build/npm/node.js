// pcpscope in Node: the same API, with the engine in a thread.
//
//   import { files, start } from "pcpscope/node";
//   const pcp = await start();
//   const { sources: [web01] } = await pcp.open(await files("web01.meta", "web01.index", "web01.0"));
//   …
//   pcp.terminate(); // else Node waits for the engine

import { openAsBlob } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { Worker as Thread } from "node:worker_threads";
import { start as begin } from "./pcpscope.js";

/** @import { Pcpscope, StartOptions } from "./pcpscope.js" */

/** Where a Blob of files lies: such Blobs cannot go to another thread, which opens them itself. @type {WeakMap<Blob, string>} */
const paths = new WeakMap();

/** A thread that looks like a browser's worker. */
class Engine {
  /** @type {((event: { data: any }) => void) | null} */
  onmessage = null;
  /** @type {((event: any) => void) | null} */
  onerror = null;
  #thread = new Thread(new URL("./thread.js", import.meta.url), { name: "pcpscope engine" });

  constructor() {
    this.#thread.on("message", (data) => this.onmessage?.({ data }));
    this.#thread.on("error", (e) => this.onerror?.({ message: e.message, preventDefault() {} }));
  }

  /** @param {any} data @param {any} [transfer] */
  postMessage(data, transfer) {
    const blobs = data.wire?.blobs?.map((/** @type {any} */ blob) => paths.get(blob) ?? blob);
    this.#thread.postMessage(blobs ? { ...data, wire: { ...data.wire, blobs } } : data, transfer);
  }

  terminate() { this.#thread.terminate(); }
}

/** @type {Promise<WebAssembly.Module> | null} */
let program = null;

/** The compiled program. @returns {Promise<WebAssembly.Module>} */
export function compile() {
  return (program ??= readFile(new URL("./app.wasm", import.meta.url)).then((bytes) => WebAssembly.compile(bytes)));
}

/** @param {StartOptions} [options] @returns {Promise<Pcpscope>} */
export function start(options) {
  return begin({ ...options, program: compile(), worker: () => new Engine(), workers: 1 });
}

/** Files on disk, as open takes them: nothing of them is read before it is needed. @param {...string} names */
export function files(...names) {
  return Promise.all(names.map(async (name) => {
    const data = await openAsBlob(name);
    paths.set(data, resolve(name));
    return { name: basename(name), data };
  }));
}

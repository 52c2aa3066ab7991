// pcpscope as an ES module: reads Performance Co-Pilot archives and MMV files
// in this browser, in a worker of its own. See pcpscope.d.ts for its API.
//
// This file starts the worker and numbers the calls; wire.js encodes their
// values. All knowledge of archives is in the worker.

/** @import { EngineWorker, Fault, Pcpscope as Api, Progress, StartOptions } from "./pcpscope.js" */
/** @import { Wire } from "../scripts/page.js" */
/** @typedef {{ worker: EngineWorker, ready: Promise<void>, failed: (e: Error) => void }} Engine */
/**
 * A pending call.
 * @typedef {object} Call
 * @property {(wire: Wire) => void} resolve
 * @property {(e: Error) => void} reject
 * @property {Progress["onProgress"]} onProgress
 * @property {boolean} sent
 * @property {() => void} done
 */
/** @typedef {Pick<Fault, "kind" | "message">} Said a fault of this script, which concerns no file */

import { decoded, fromWire, warmUp, toWire } from "./wire.js";

export { fromWire, toWire }; // for the page's own scripts

const apiVersion = 1;
/** @type {Map<string, Promise<WebAssembly.Module>>} */
const programs = new Map();

// Files next to this module. The URLs are written out literally because bundlers look for
// this pattern to include the files.
const beside = { program: () => new URL("./app.wasm", import.meta.url), tables: () => new URL("./tables.wasm", import.meta.url), worker: () => new URL("./worker.js", import.meta.url) };

/**
 * The URL of one of the program's files, if base is not the folder of this module.
 * @param {"app.wasm" | "tables.wasm" | "worker.js"} name
 * @param {string | URL} base
 */
function below(name, base) {
  // Some bundlers replace the module's URL with a path on their own disk.
  const here = /^(?!file:)./.test(import.meta.url ?? "") ? import.meta.url : globalThis.document?.baseURI ?? globalThis.location?.href ?? import.meta.url;
  return new URL(name, addressOf(base, here));
}

/**
 * The compiled program, compiled once per URL.
 * @param {string | URL} [base]
 * @returns {Promise<WebAssembly.Module>}
 */
export function compile(base) {
  const page = globalThis.pcpscopePage; // only on the program's own page
  if (page?.inside) return page.inside.program(); // the single-file edition
  return loaded((base === undefined ? beside.program() : below("app.wasm", base)).href, page);
}

/** @param {string} url @param {any} [page] @returns {Promise<WebAssembly.Module>} */
function loaded(url, page) {
  if (!programs.has(url)) {
    const early = page?.early; // started early by the page itself
    delete page?.early;
    const load = () => fetch(url).then(async (response) => {
      if (!response.ok) throw new Error(`${url}: the server answers ${response.status}`);
      if (response.headers.get("Content-Type")?.startsWith("application/wasm")) return WebAssembly.compileStreaming(response);
      return WebAssembly.compile(await response.arrayBuffer()); // a server that sends the wrong media type
    });
    const program = early?.url === url ? early.program.catch(load) : load();
    program.catch(() => programs.delete(url)); // let the next start try again
    programs.set(url, program);
  }
  return /** @type {Promise<WebAssembly.Module>} */ (programs.get(url));
}

/** @param {StartOptions} [options] @returns {Promise<Api>} */
export async function start(options) {
  const { base, workers, program, worker } = optionsOf(options);
  if (workers !== undefined && !(Number.isInteger(workers) && workers > 0)) throw argument("workers is a whole number above 0.");
  if (worker !== undefined && typeof worker !== "function") throw argument("worker is not a function.");
  const cores = globalThis.navigator?.hardwareConcurrency ?? 2;
  const script = () => globalThis.pcpscopePage?.inside?.worker ?? (base === undefined ? beside.worker() : below("worker.js", base));
  const alone = !worker && typeof Worker === "undefined"; // for example in a SharedWorker
  const make = worker ?? (() => (alone ? new SameThread(script()) : new Worker(trusted(script()), { name: "pcpscope engine" })));
  const compiled = program === undefined ? compile(base) : Promise.resolve(program);
  // The program that writes tables and compresses, loaded when it is needed: only where the engine can start
  // workers.
  const tables = () => (alone || worker || globalThis.pcpscopePage?.inside ? undefined : loaded((base === undefined ? beside.tables() : below("tables.wasm", base)).href));
  const pcpscope = new Pcpscope(compiled, make, alone, workers ?? Math.min(5, Math.max(2, cores)), tables);
  await pcpscope.ready();
  setTimeout(warmUp, 300);
  return pcpscope;
}

/** @implements {Api} */
class Pcpscope {
  #program; #make; #alone; #workers; #tables;
  /** @type {Engine | null} */
  #engine = null;          // the worker in use; null after it ended
  #version = "";
  /** @type {Map<number, Call>} */
  #calls = new Map(); // pending calls by number
  #last = 0; // number of the last call
  #lastSource = 0; // a new engine continues from here, so that IDs are not reused
  #stirred = 0; // incremented by every event; idle() watches it
  #holds = new Set();
  #ended = false;

  /** @param {Promise<WebAssembly.Module>} program @param {() => EngineWorker} make @param {boolean} alone @param {number} workers @param {() => Promise<WebAssembly.Module> | undefined} tables */
  constructor(program, make, alone, workers, tables) {
    this.#tables = tables;
    this.#program = program;
    this.#make = make;
    this.#alone = alone; // in this thread, so it cannot be terminated
    this.#workers = workers;
  }

  get apiVersion() { return /** @type {1} */ (apiVersion); }
  get version() { return this.#version; }

  /** @type {Api["open"]} */
  async open(files, options) {
    const list = listOf(files, "open takes a list of files.").map((file, i) => ({
      name: String((file instanceof File ? file.webkitRelativePath || file.name : file?.name) ?? `file ${i + 1}`),
      data: blobOf(file),
      modified: modifiedOf(file),
    }));
    return this.#call("open", { files: list }, options);
  }

  /** @type {Api["openURL"]} */
  async openURL(urls, options) {
    const from = globalThis.document?.baseURI ?? globalThis.location?.href;
    const list = listOf(urls instanceof URL ? [urls] : urls, "openURL takes a list of addresses.").map((url) => addressOf(url, from).href);
    return this.#call("openURL", { urls: list, headers: headersOf(optionsOf(options).headers), origin: globalThis.location?.origin ?? "null" }, options);
  }

  sources() { return this.#call("sources", {}); }
  /** @type {Api["loaded"]} */
  loaded(source, options) { return this.#call("loaded", { source }, options); }

  /** @type {Api["halt"]} */
  halt(source) { return this.#call("halt", { source }); }
  /** @type {Api["files"]} */
  files(source) { return this.#call("files", { source }); }

  /** @type {Api["close"]} */
  async close(source) {
    const { open, memory } = await this.#call("close", { source });
    // WebAssembly memory never shrinks. When nothing is open and no call is pending, a new
    // worker releases it.
    if (!open && memory > 128 << 20 && !this.#calls.size && !this.#alone) this.#replace();
  }

  /** @type {Api["metrics"]} */
  async metrics(source, options) { return this.#call("metrics", { source, prefix: optionsOf(options).prefix }); }
  /** @type {Api["search"]} */
  async search(source, text, options) { return this.#call("search", { source, text, limit: optionsOf(options).limit }); }
  /** @type {Api["instances"]} */
  async instances(source, indom) {
    /** @type {Awaited<ReturnType<Api["instances"]>>} */
    const all = [];
    for (;;) { // read in parts, so that no message blocks the page for long
      const part = await this.#call("instancePart", { source, indom, from: all.length });
      for (const one of part.instances) all.push(one);
      if (!part.instances.length || all.length >= part.total) return all;
    }
  }
  /** @type {Api["fetch"]} */
  fetch(query, options) { return this.#call("fetch", query, options); }
  /** @type {Api["derive"]} */
  derive(source, name, expression) { return this.#call("derive", { source, name, expression }); }
  /** @type {Api["inspect"]} */
  inspect(source, options) { return this.#call("inspect", { source }, options); }
  /** @param {any} source @param {any} [expression] @returns {Promise<any>} */
  check(source, expression) {
    if (typeof source === "object") return this.checkRule(source, expression);
    return this.#call("check", { source, expression });
  }
  /** @type {Api["checkRule"]} */
  checkRule(query, options) { return this.#call("checkRule", query, options); }
  /** @type {Api["summary"]} */
  async summary(query, options) {
    /** @type {Awaited<ReturnType<Api["summary"]>>} */
    const all = [];
    for (let from = 0; ;) { // read in parts: there may be as many series as the data has values
      const part = await this.#call("summaryPart", { query, from }, options);
      for (const one of part.series) all.push(one);
      from = part.next;
      if (!from) return all;
    }
  }
  /** @type {Api["overview"]} */
  overview(source, options) { return this.#call("overview", { source }, options); }
  /** @type {Api["findings"]} */
  findings(source, options) { return this.#call("findings", { source }, options); }
  /** @param {any} source @param {any} [options] @returns {Promise<any>} */
  rules(source, options) {
    if (typeof source === "object") return this.runRules(source, options);
    return this.#call("rules", { source });
  }
  /** @type {Api["runRules"]} */
  runRules(query, options) { return this.#call("runRules", query, options); }
  /** @type {Api["setRule"]} */
  setRule(source, name, value) { return this.#call("setRule", { source, name, value }); }
  /** @type {Api["dashboards"]} */
  dashboards(source, options) { return this.#call("dashboards", { source }, options); }
  /** @type {Api["dashboard"]} */
  dashboard(source, id) { return this.#call("dashboard", { source, id }); }
  /** @type {Api["importDashboards"]} */
  importDashboards(source, name, text) { return this.#call("importDashboards", { source, name, text }); }
  /** @type {Api["processes"]} */
  processes(query, options) { return this.#call("processes", query, options); }
  /** @type {Api["consumers"]} */
  consumers(query, options) { return this.#call("consumers", query, options); }
  /** @type {Api["compare"]} */
  compare(query, options) { return this.#call("compare", query, options); }
  /** @type {Api["days"]} */
  days(query, options) { return this.#call("days", query, options); }
  /** @type {Api["unusualDays"]} */
  unusualDays(query, options) { return this.#call("unusualDays", query, options); }

  /** @type {Api["explain"]} */
  explain(query, options) { return this.#call("explain", query, options); }
  /** @type {Api["story"]} */
  story(query, options) { return this.#call("story", query, options); }
  /** @type {Api["moves"]} */
  moves(query, options) { return this.#call("moves", query, options); }
  /** @type {Api["save"]} */
  save(query, options) { return this.#call("save", query, options); }
  /** @type {Api["exportTables"]} */
  exportTables(query, options) { return this.#call("exportTables", query, options); }
  /** @type {Api["redaction"]} */
  redaction(query, options) { return this.#call("redaction", query, options); }
  /** @type {Api["redactText"]} */
  async redactText(query, texts, options) {
    return this.#call("redactText", { query, texts: listOf(texts, "redactText takes a list of texts.") }, options);
  }

  /** @type {Api["definitions"]} */
  definitions(source) { return this.#call("definitions", { source }); }
  /** @type {Api["define"]} */
  define(source, text, file) { return this.#call("define", { source, text, file }); }
  /** @type {Api["undefine"]} */
  undefine(source, name) { return this.#call("undefine", { source, name }); }
  /** @type {Api["config"]} */
  config(source) { return this.#call("config", { source }); }
  /** @type {Api["complete"]} */
  complete(source, text, at) { return this.#call("complete", { source, text, at }); }
  /** @type {Api["describe"]} */
  describe(source, expression) { return this.#call("describe", { source, expression }); }
  /** @type {Api["activity"]} */
  activity(source, options) { return this.#call("activity", { source }, options); }
  /** @type {Api["sparklines"]} */
  async sparklines(source, names, points, options) {
    return this.#call("sparklines", { source, names: listOf(names, "sparklines takes a list of names."), points }, options);
  }
  /** @type {Api["update"]} */
  update(source, file) {
    return this.#call("update", { source, file: { name: String(file?.name ?? "file"), data: blobOf(file), modified: modifiedOf(file) } });
  }

  hold() {
    const held = {};
    this.#holds.add(held);
    this.#stirred++;
    return () => {
      this.#holds.delete(held);
      this.#stirred++;
    };
  }

  async idle() {
    for (let before = -1; ;) {
      before = this.#stirred;
      await drawn();
      if (!this.#calls.size && !this.#holds.size && before === this.#stirred) return;
    }
  }

  terminate() {
    this.#ended = true;
    this.#stop({ kind: "cancelled", message: "The engine was terminated." });
  }

  /** Settles once the engine responds. */
  async ready() { await this.#start().ready; }

  // The same calls for the Go program in the page, which uses encoded
  // messages directly.
  /** @param {string} method @param {Wire} wire @param {any} options */
  callWire(method, wire, options) { return this.#send(method, wire, options); }

  /** @param {string} method @param {object} params @param {Progress} [options] */
  async #call(method, params, options) {
    let wire;
    try {
      wire = toWire(params);
    } catch (e) { // a circular structure, for example
      throw argument(`The arguments cannot be sent to the engine (${/** @type {Error} */ (e).message}).`);
    }
    return decoded(await this.#send(method, wire, options));
  }

  /** @param {string} method @param {Wire} wire @param {Progress} [options] @returns {Promise<Wire>} */
  #send(method, wire, options) {
    /** @type {Progress} */
    const { signal, onProgress } = optionsOf(options);
    if (signal && !(signal instanceof AbortSignal)) throw argument("signal is not an AbortSignal.");
    if (onProgress && typeof onProgress !== "function") throw argument("onProgress is not a function.");
    const sent = new Promise((/** @type {(wire: Wire) => void} */ resolve, reject) => {
      if (this.#ended) return reject(errorOf({ kind: "cancelled", message: "The engine was terminated." }));
      const cancelled = () => errorOf({ kind: "cancelled", message: "The call was cancelled." });
      if (signal?.aborted) return reject(cancelled());
      const id = ++this.#last;
      const engine = this.#start();
      // The caller is notified of a cancellation at once; for idle(), the call ends when
      // the engine has stopped it.
      const abort = () => {
        call.reject(cancelled());
        call.onProgress = undefined;
        // If the reply was already on its way, close the sources that nobody will use.
        if (method === "open" || method === "openURL") {
          call.resolve = async (reply) => { for (const { id } of (await decoded(reply)).sources) this.close(id).catch(() => {}); };
        }
        if (call.sent) engine.worker.postMessage({ cancel: id });
        else this.#settle(id, () => {});
      };
      /** @type {Call} */
      const call = { resolve, reject, onProgress, sent: false, done: () => signal?.removeEventListener("abort", abort) };
      signal?.addEventListener("abort", abort);
      this.#calls.set(id, call);
      this.#stirred++;
      engine.ready.then(async () => {
        const inside = globalThis.pcpscopePage?.inside;
        if (method === "open" && inside && !await inside.workersReadBlobs()) {
          wire.blobs = await Promise.all((wire.blobs ?? []).map((b) => /** @type {Blob} */ (b).arrayBuffer()));
        }
        if (method === "openURL") want(JSON.parse(wire.text).urls);
        let tables;
        try {
          if (method === "exportTables" || method === "save" && JSON.parse(wire.text).compress === "zstd") tables = await this.#tables();
        } catch (e) {
          this.#settle(id, (call) => call.reject(errorOf({ kind: "internal", message: `The program that writes these files could not be loaded (${/** @type {Error} */ (e).message}).` })));
        }
        if (!this.#calls.has(id)) return;
        call.sent = true;
        try {
          engine.worker.postMessage({ id, method, wire, tables }, wire.data ? [wire.data] : []);
        } catch (e) { // not transferable to the worker
          this.#settle(id, (call) => call.reject(argument(`The files cannot be sent to the engine (${/** @type {Error} */ (e).message}).`)));
        }
      }, (e) => this.#settle(id, (call) => call.reject(e)));
    });
    return method === "open" || method === "openURL" ? sent.then((reply) => this.#opened(reply)) : sent;
  }

  /** @param {Wire} reply */
  async #opened(reply) {
    for (const { id, onDemand } of (await decoded(reply)).sources) {
      this.#lastSource = Math.max(this.#lastSource, id);
      if (!onDemand) this.loaded(id).catch(() => {}); // reading continues: idle() waits for it
    }
    return reply;
  }

  /** @returns {Engine} */
  #start() {
    if (this.#engine) return this.#engine;
    let worker;
    try {
      worker = this.#make();
    } catch (e) { // a different origin
      this.#program.catch(() => {});
      throw errorOf({ kind: "internal", message: `The engine cannot be started (${/** @type {Error} */ (e).message}).` });
    }
    const engine = /** @type {Engine} */ ({ worker });
    engine.ready = new Promise((/** @type {(v?: undefined) => void} */ resolve, reject) => {
      engine.failed = reject;
      worker.onmessage = ({ data }) => {
        if (this.#engine !== engine) return;
        if ("ready" in data) {
          this.#version = data.ready;
          resolve();
        } else if ("stopped" in data) {
          this.#crash(data.stopped);
        } else if ("progress" in data) {
          this.#calls.get(data.id)?.onProgress?.(data.progress);
        } else {
          this.#settle(data.id, (call) => {
            if ("fault" in data) call.reject(errorOf(fromWire(data.fault), data.fault));
            else call.resolve(data.wire);
          });
        }
      };
    });
    engine.ready.catch(() => {}); // reported to those who wait
    worker.onerror = (event) => {
      event.preventDefault();
      if (this.#engine === engine) this.#crash(event.message || "its script could not be loaded");
    };
    // The worker loads its own script while the program is still being compiled.
    this.#program.then((program) => worker.postMessage({ program, env: { AFTER: String(this.#lastSource), WORKERS: String(this.#workers - 1) } }), (e) => {
      if (this.#engine === engine) this.#stop({ kind: "internal", message: `The program could not be loaded (${e.message}).` });
    });
    return (this.#engine = engine);
  }

  /** @param {number} id @param {(call: Call) => void} how */
  #settle(id, how) {
    const call = this.#calls.get(id);
    if (!call) return;
    this.#calls.delete(id);
    this.#stirred++;
    call.done();
    how(call);
  }

  /** @param {string} why */
  #crash(why) {
    const memory = /out of memory|cannot allocate/i.test(why); // messages of Go and the browsers
    const again = this.#lastSource ? " What was open must be opened again." : "";
    this.#stop({
      kind: memory ? "memory" : "internal",
      message: memory ? "The engine needed more memory than the browser allows. What was open must be opened again, less at a time."
        : `The engine stopped (${why}).${again}`,
    });
  }

  /** @param {Said} fault */
  #stop(fault) {
    const engine = this.#engine;
    if (!engine) return;
    this.#engine = null;
    engine.worker.terminate();
    engine.failed(errorOf(fault));
    for (const id of [...this.#calls.keys()]) this.#settle(id, (call) => call.reject(errorOf(fault)));
  }

  #replace() {
    this.#engine?.worker.terminate();
    this.#engine = null;
    this.#start();
  }
}

/**
 * The engine in this thread, if workers are unavailable, as in a SharedWorker. It cannot be
 * terminated.
 * @implements {EngineWorker}
 */
class SameThread {
  /** @type {((event: { data: any }) => void) | null} */
  onmessage = null;
  /** @type {((event: any) => void) | null} */
  onerror = null;
  /** @type {Promise<unknown>} */
  #loaded;

  /** @param {string | URL} script */
  constructor(script) {
    const scope = /** @type {any} */ (globalThis);
    scope.postMessage = (/** @type {any} */ data) => setTimeout(() => this.onmessage?.({ data }), 0);
    this.#loaded = import(/* @vite-ignore */ /* webpackIgnore: true */ String(script));
    this.#loaded.catch((message) => this.onerror?.({ message: String(message), preventDefault() {} }));
  }

  /** @param {any} data */
  postMessage(data) { this.#loaded.then(() => setTimeout(() => /** @type {any} */ (globalThis).onmessage?.({ data }), 0), () => {}); }
  terminate() { this.onmessage = null; }
}

/** @type {Set<string>} */
const wanted = new Set(); // origins that the user asked for
let wanting = false; // the service worker is answered

/**
 * Remembers that the user asked for these URLs, for the page's service worker, which asks before it lets requests to
 * other hosts through.
 * @param {string[]} addresses
 */
function want(addresses) {
  if (!wanting) {
    wanting = true;
    try {
      globalThis.navigator?.serviceWorker?.addEventListener("message", ({ data, ports }) => {
        if (data?.wanted) ports[0]?.postMessage([...wanted]);
      });
    } catch { /* a browser that lets nothing be stored throws at the mention of it */ }
  }
  for (const address of addresses) {
    try {
      wanted.add(new URL(address, globalThis.location?.href).origin);
    } catch { /* not a URL: the engine says so */ }
  }
}

/**
 * The URL of the worker's script, for pages that enforce Trusted Types: their policy must allow one called
 * "pcpscope".
 * @param {string | URL} address
 * @returns {string | URL}
 */
export function trusted(address) {
  const types = /** @type {any} */ (globalThis).trustedTypes;
  if (!types) return address;
  policy ??= types.createPolicy("pcpscope", { createScriptURL: (/** @type {string} */ url) => url });
  return policy.createScriptURL(String(address));
}
/** @type {any} */
let policy = null;

/** @param {string} message */
function argument(message) { return errorOf({ kind: "argument", message }); }

/** @param {any} options */
function optionsOf(options) {
  if (options === undefined || options === null) return {};
  if (typeof options !== "object") throw argument("The options are not an object.");
  return options;
}

/** @param {string | URL} text @param {string | URL} [from] */
function addressOf(text, from) {
  try {
    return new URL(text, from);
  } catch {
    throw argument(`${text} is not a URL.`);
  }
}

/**
 * Lists any iterable; a string counts as a single item.
 * @param {any} what
 * @param {string} sentence
 */
function listOf(what, sentence) {
  if (typeof what === "string") return [what];
  if (typeof what?.[Symbol.iterator] !== "function") throw argument(sentence);
  return [...what];
}

/** @param {Record<string, string> | undefined} headers */
function headersOf(headers) {
  const pairs = Object.entries(headers ?? {}).map(([name, value]) => ({ name, value: String(value) }));
  for (const { name, value } of pairs) {
    try {
      new Headers([[name, value]]);
    } catch {
      throw argument(`${name}: ${value} is not a header.`);
    }
  }
  return pairs;
}

/** A file's modification time in milliseconds since 1970; 0 if unknown. @param {any} file */
function modifiedOf(file) { return (file?.data ?? file)?.lastModified ?? 0; }

/**
 * An argument of open as a Blob. Anything else is left for the engine to
 * reject.
 * @param {any} file
 */
function blobOf(file) {
  const data = file instanceof Blob ? file : file?.data;
  return data instanceof ArrayBuffer || ArrayBuffer.isView(data) ? new Blob([/** @type {BlobPart} */ (data)]) : data;
}

/**
 * The Error with which a call rejects. wire is the encoded fault, if it came from the engine.
 * @param {Said} fault
 * @param {Wire} [wire]
 */
function errorOf(fault, wire) {
  const error = new Error(fault.message);
  error.name = fault.kind === "cancelled" ? "AbortError" : "PcpscopeError";
  Object.defineProperty(error, "wire", { value: wire ?? toWire(fault) });
  return Object.assign(error, { fault });
}

/** Waits two animation frames, after which the present state has been drawn, or without drawing one turn of the event loop. */
function drawn() {
  const turn = new Promise((/** @type {(v?: undefined) => void} */ done) => setTimeout(done, 0));
  if (typeof document === "undefined" || document.hidden) return turn;
  const frame = () => new Promise((/** @type {(v?: undefined) => void} */ done) => {
    requestAnimationFrame(() => done());
    setTimeout(done, 250); // a hidden page gets no animation frames
  });
  return turn.then(frame).then(frame);
}

// The page in a frame of another page: a versioned protocol over postMessage,
// described in docs/embedding.md.
//
// Every message is an object with pcpscope: 1 and a type. The other page says
// "hello"; this page checks its origin, answers "ready" or "refused", and
// then handles "call"s with "reply"s and sends "event"s.

import { fromWire } from "../pcpscope.js";
import { ask } from "./ask.js";
import { csv } from "./csv.js";
import { byURL, view } from "./page.js";
import { listed } from "./trust.js";

const protocol = 1;
const pcpscope = await globalThis.pcpscopeReady;
const page = await view;

/** @import { Fault, Progress, Query } from "../pcpscope.js" */
/** @import { Wire } from "../../scripts/page.js" */

/** @type {string | null} */
let peer = null; // the origin that may talk to this page, once allowed
let trusted = false; // peer is this site, or in the operator's list
/** @type {Map<string, Promise<{ allowed: boolean, trusted: boolean }>>} */
const decided = new Map(); // maps origins to promises of the user's decision
/** @type {Map<unknown, AbortController>} */
const running = new Map(); // pending calls by ID

/** @param {string} origin */
async function decide(origin) {
  if (await listed(origin)) return { allowed: true, trusted: true };
  return { trusted: false, allowed: await ask({
    title: "Let this page use pcpscope?",
    text: `The page around this frame, from ${origin}, wants to open archives here and read what is opened here, including what you drop into this frame.`,
    yes: `Allow ${origin}`, no: "Refuse",
  }) };
}

/** @param {object} message @param {Transferable[]} transfer */
function send(message, transfer = []) { if (peer) parent.postMessage({ pcpscope: protocol, ...message }, { targetOrigin: peer, transfer }); }
/** @param {string} event @param {unknown} detail */
function tell(event, detail) { if (peer) send({ type: "event", event, detail }); }

/** @type {(message: string, kind?: string) => Error} */
const fault = (message, kind = "argument") => Object.assign(new Error(message), { fault: { kind, message } });

/** A time in nanoseconds; undefined for anything else. @param {unknown} v @returns {bigint | undefined} */
function nanosOf(v) {
  if (typeof v === "bigint") return v;
  if (typeof v === "string" && /^-?\d{1,19}$/.test(v)) return BigInt(v);
  const at = v instanceof Date ? Number(v) : typeof v === "string" && /^\d{4}-\d\d-\d\dT/.test(v) ? Date.parse(v) : NaN;
  return Number.isNaN(at) ? undefined : BigInt(at) * 1000000n;
}

/** @param {any} what @param {string} sentence */
function listOf(what, sentence) {
  if (typeof what === "string" || typeof what?.[Symbol.iterator] !== "function") throw fault(sentence);
  return [...what];
}

/**
 * A frame, or a fault if none of its metrics exist, as for a summary.
 * @param {Query} query
 * @param {Options} options
 */
async function fetched(query, options) {
  const frame = await pcpscope.fetch(query, options);
  const wrong = frame.columns.every((c) => c.fault) && frame.columns[0]?.fault;
  if (wrong) throw Object.assign(new Error(wrong.message), { fault: wrong });
  return frame;
}

/** @typedef {{ signal: AbortSignal, onProgress: NonNullable<Progress["onProgress"]> }} Options */

// params comes from the other page and is untrusted.
/** @type {Record<string, (params: any, options: Options) => unknown>} */
const commands = {
  async open({ files, urls }, options) {
    if (urls !== undefined) {
      const addresses = listOf(urls, "urls is a list of addresses.").map((u) => new URL(String(u), document.baseURI).href);
      if (addresses.length > 500 && !trusted) throw fault("Too many URLs to ask the user about: at most 500.");
      if (!trusted && !await ask({
        title: "Open these?", text: `The page from ${peer} wants to open archives with your credentials on their servers, and to read them.`, list: addresses, yes: "Open", no: "Do not open",
      })) throw fault("The user did not allow it.", "cancelled");
      return opened(await page.open(byURL(addresses)));
    }
    /** @type {{ name: string, data: Blob }[]} */
    const list = [];
    for (const f of listOf(files ?? [], "files is a list of files.")) {
      const given = f?.data ?? f?.handle ?? f;
      const data = given instanceof FileSystemFileHandle ? await given.getFile() : given;
      if (!(data instanceof Blob || data instanceof ArrayBuffer || ArrayBuffer.isView(data))) throw fault("A file is a File, a FileSystemFileHandle, or {name, data} with a Blob or ArrayBuffer.");
      list.push({ name: String(f.name ?? (data instanceof File ? data.name : "file")), data: data instanceof Blob ? data : new Blob([/** @type {BlobPart} */ (data)]) });
    }
    if (!list.length) throw fault("open needs files or urls.");
    return opened(await page.open(list));
  },
  sources: () => pcpscope.sources(),
  metrics: ({ source, prefix }) => pcpscope.metrics(source, { prefix }),
  fetch: fetched,
  async close({ source }) {
    // If the page shows the source, the page closes it; otherwise only the module may
    // have it open.
    if (await page.close(Number(source))) await pcpscope.idle();
    else await pcpscope.close(source);
  },
  summary: (/** @type {any} */ query, /** @type {any} */ options) => pcpscope.summary(query, options),
  check: (/** @type {any} */ query, /** @type {any} */ options) => pcpscope.checkRule(query, options),
  findings: (/** @type {any} */ { source }, /** @type {any} */ options) => pcpscope.findings(source, options),
  explain: (/** @type {any} */ query, /** @type {any} */ options) => pcpscope.explain(query, options),
  story: (/** @type {any} */ query, /** @type {any} */ options) => pcpscope.story(query, options),
  moves: (/** @type {any} */ query, /** @type {any} */ options) => pcpscope.moves(query, options),
  rules: (/** @type {any} */ query, /** @type {any} */ options) => pcpscope.runRules(query, options),
  dashboards: (/** @type {any} */ { source }, /** @type {any} */ options) => pcpscope.dashboards(source, options),
  dashboard: (/** @type {any} */ { source, id }) => pcpscope.dashboard(source, id),
  derive: (/** @type {any} */ { source, name, expression }) => pcpscope.derive(source, name, expression),
  async window({ start, end }) {
    const from = nanosOf(start), to = nanosOf(end);
    if (from === undefined || to === undefined) throw fault("window needs start and end: bigints of nanoseconds since 1970, texts of them, Dates, or times of ISO 8601.");
    if (from >= to) throw fault("The window ends before it starts.");
    if (!await page.window(String(from), String(to))) throw fault("No source is open whose window could be set.");
  },
  async view({ source, panels }) {
    if (source !== undefined && !await page.source(Number(source))) throw fault(`There is no open source with the ID ${source}.`);
    if (panels === undefined) return;
    const list = listOf(panels, "panels is a list of panels.").map((/** @type {unknown} */ p) => listOf(p, "A panel is a list of metrics.").map(String));
    const { source: shown } = JSON.parse(await page.state()) ?? {};
    for (const metric of shown === undefined ? [] : new Set(list.flat())) {
      const [wrong] = await pcpscope.check(shown, metric);
      if (wrong) throw Object.assign(new Error(`${metric}: ${wrong.message}`), { fault: { ...wrong, message: `${metric}: ${wrong.message}` } });
    }
    if (!await page.panels(JSON.stringify(list))) throw fault("No source is open whose panels could be set.");
  },
  state: async () => JSON.parse(await page.state()),
  session: async () => JSON.parse(await page.session()),
  async restore({ session }) {
    const { fault: wrong, missing } = JSON.parse(await page.restore(typeof session === "string" ? session : JSON.stringify(session ?? null)));
    if (wrong) throw Object.assign(new Error(wrong.message), { fault: wrong });
    return { missing };
  },
  async export({ query, format = "csv" }, options) {
    if (format !== "csv") throw fault(`There is no format ${format}; use csv.`);
    return { type: "text/csv", text: csv(await fetched(query, options)) };
  },
  idle: () => pcpscope.idle(),
};

/** @param {Wire} wire */
function opened(wire) {
  const result = fromWire(wire);
  const broken = result.rejected.find((/** @type {{ name: string }} */ r) => !r.name); // the open itself failed
  if (broken) throw Object.assign(new Error(broken.fault.message), { fault: broken.fault });
  return result;
}

/** @param {{ id: unknown, command: string, params?: any }} message */
async function call({ id, command, params }) {
  if (command === "cancel") {
    running.get(params?.id)?.abort();
    return send({ type: "reply", id });
  }
  const stop = new AbortController();
  running.set(id, stop);
  try {
    if (!Object.hasOwn(commands, command)) throw fault(`There is no command ${command}.`);
    /** @type {Options["onProgress"]} */
    const onProgress = (p) => tell("progress", { id, ...p });
    const result = await commands[command](params ?? {}, { signal: stop.signal, onProgress });
    send({ type: "reply", id, result }, buffers(result));
  } catch (e) {
    const error = /** @type {Error & { fault?: Fault }} */ (e);
    send({ type: "reply", id, fault: error.fault ?? { kind: "argument", message: String(error.message ?? e) } });
  } finally {
    running.delete(id);
  }
}

/**
 * The buffers of a frame, which are transferred rather than copied.
 * @param {any} result of any command
 * @returns {Transferable[]}
 */
function buffers(result) {
  const found = new Set();
  for (const v of [result?.times, result?.marks]) if (ArrayBuffer.isView(v)) found.add(v.buffer);
  for (const c of Array.isArray(result?.columns) ? result.columns : []) {
    for (const v of [c.values, c.exact, c.low, c.high, c.why]) if (ArrayBuffer.isView(v)) found.add(v.buffer);
  }
  return [...found];
}

addEventListener("message", async ({ source, origin, data }) => {
  // Accept only the parent page, and never an opaque origin: that is a sandboxed frame or
  // a file, and could be anyone.
  if (source !== parent || origin === "null" || !origin || typeof data !== "object" || data?.pcpscope !== protocol) return;
  if (data.type === "hello") {
    if (peer && peer !== origin) return;
    const verdict = decided.get(origin) ?? decide(origin);
    decided.set(origin, verdict);
    const { allowed, trusted: isTrusted } = await verdict;
    if (!allowed) {
      parent.postMessage({ pcpscope: protocol, type: "refused", reason: "The user did not allow it." }, { targetOrigin: origin });
      return;
    }
    peer = origin;
    trusted = isTrusted;
    send({
      type: "ready", version: pcpscope.version, apiVersion: pcpscope.apiVersion,
      commands: [...Object.keys(commands), "cancel"], events: ["progress", "loaded", "window", "selection", "error"],
    });
    return;
  }
  if (data.type === "call" && origin === peer) call(data);
});

// Sends what the page shows whenever it changes.
/** @type {any} as web/page/embedding_js.go writes it */
let before = null;
page.changed = (text) => {
  const now = JSON.parse(text);
  if (now?.reading && JSON.stringify(now.reading) !== JSON.stringify(before?.reading)) tell("progress", now.reading);
  if (now?.source !== before?.source) {
    tell("loaded", now);
  } else if (now && before && (now.start !== before.start || now.end !== before.end)) {
    tell("window", { start: now.start, end: now.end });
  }
  if (now?.cursor !== before?.cursor || now?.metric !== before?.metric) tell("selection", { cursor: now?.cursor ?? null, metric: now?.metric ?? null });
  before = now;
};
addEventListener("error", (e) => tell("error", { kind: "internal", message: e.message }));

// Revealing that the frame exists is harmless.
parent.postMessage({ pcpscope: protocol, type: "available", versions: [protocol] }, { targetOrigin: "*" });

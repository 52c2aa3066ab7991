// Reads a fleet dataset (docs/spec/fleet.md): the manifest, and one range of a file for
// each day shown. Nothing else is requested.

import { manifestOf } from "./check.js";
import { Pace, parse } from "../pace.js";

/** @typedef {{ name: string, bytes: number }} File */
/** @typedef {{ day: string, hosts: number, rows: number, found: number, hourly: File, findings: File, coverage: File, page: File, lengths: number[] }} Day */
/** @typedef {{ id: string, name: string, unit?: string, dashboard: string }} Measure */
/** @typedef {{ host: string, name?: string, timezone?: string, labels?: Record<string, unknown>, last: string, said: string }} Host: what the filter looks in */
/** @typedef {{ version: number, archives: string, measures: Measure[], metrics: string[], sections: string[], hosts: Host[], days: Day[] }} Manifest */
/** @typedef {{ host: string, recorded: number[], archives: string[], problem?: string }} HostDay */
/** @typedef {{ host: number, level: string, resource: string, text: string, start: number, end: number, dashboard: string, times: number }} Found */

export const hours = 24;

/** The error if the server requires authentication. */
export class Locked extends Error {}

/**
 * The position of consecutive sections in a file.
 * @param {Manifest} manifest
 * @param {Day} day
 * @param {string} first
 * @param {string} [last]
 * @returns {{ offset: number, lengths: number[] } | null} null if the file does not have them
 */
export function placeOf(manifest, day, first, last = first) {
  const from = manifest.sections.indexOf(first), to = manifest.sections.indexOf(last);
  if (from < 0 || to < from || to >= day.lengths.length) return null;
  const sum = (/** @type {number[]} */ list) => list.reduce((a, b) => a + b, 0);
  return { offset: sum(day.lengths.slice(0, from)), lengths: day.lengths.slice(from, to + 1) };
}

const piece = 8 << 10, maxUnpacked = 32 << 20, maxManifest = 64 << 20; // bytes given to the decoder at once; bytes of a decompressed section; of manifest.json
export const maxRequest = 64 << 20; // bytes of sections requested together

/**
 * Reads some bytes of a response, and no more of it.
 * @param {Response} response @param {number} from @param {number} length
 */
async function bytesOf(response, from, length) {
  const reader = response.body?.getReader(), out = new Uint8Array(length);
  let at = -from; // of what comes next
  while (reader && at < length) {
    const { done, value } = await reader.read();
    if (done) break;
    const some = value.subarray(Math.max(0, -at), Math.max(0, length - at));
    if (some.length) out.set(some, Math.max(0, at));
    at += value.length;
  }
  reader?.cancel().catch(() => {});
  return out.subarray(0, Math.max(0, Math.min(at, length)));
}

/** All bytes of a response; undefined if there are more than so many. @param {Response} response @param {number} max */
async function contentOf(response, max) {
  const reader = response.body?.getReader(), parts = [];
  for (let size = 0; reader;) {
    const { done, value } = await reader.read();
    if (done) break;
    if ((size += value.length) > max) return void reader.cancel().catch(() => {});
    parts.push(value);
  }
  return new Blob(parts).arrayBuffer();
}

/**
 * Decompresses a section; undefined if it is empty. It is given in small pieces, since a browser unpacks each at once, and many of them in one task.
 * @param {Uint8Array} data @returns {Promise<ArrayBuffer | undefined>}
 */
export async function unpack(data) {
  if (!data.length) return undefined;
  const pace = new Pace();
  let at = 0, size = 0;
  const pieces = new ReadableStream({
    pull(c) {
      if (at >= data.length) c.close();
      else c.enqueue(data.subarray(at, at += piece));
    },
  });
  const reader = pieces.pipeThrough(new DecompressionStream("gzip")).getReader(), parts = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Blob(parts).arrayBuffer();
    if ((size += value.length) > maxUnpacked) {
      reader.cancel().catch(() => {});
      throw new Error(`a section is larger than ${maxUnpacked >> 20} MiB`);
    }
    parts.push(value);
    if (pace.due()) await pace.rest();
  }
}

export class Dataset {
  /** @type {Manifest} */
  manifest = { version: 1, archives: "../", measures: [], metrics: [], sections: [], hosts: [], days: [] };
  token = "";
  requests = 0;

  /** @param {string} address of the folder, or of its manifest @param {string} base */
  constructor(address, base) {
    const url = new URL(address, base);
    if (!url.pathname.endsWith("/") && !url.pathname.endsWith(".json")) url.pathname += "/";
    this.url = new URL(url.pathname.endsWith("/") ? "manifest.json" : "", url);
  }

  /** @param {string} name @param {Record<string, string>} headers @param {RequestCache} cache */
  async ask(name, headers, cache) {
    this.requests++;
    const url = new URL(name, this.url);
    if (this.token && url.origin === location.origin) headers.Authorization = `Bearer ${this.token}`;
    const response = await fetch(url, { headers, cache, credentials: "same-origin", referrerPolicy: "no-referrer" });
    if (response.status === 401) throw new Locked("The server requires a token.");
    if (response.status === 403) throw new Error("The server denies access: the dataset covers all hosts.");
    if (!response.ok) throw new Error(`the server answers ${response.status}`);
    return response;
  }

  async open() {
    const name = this.url.href, pace = new Pace(), response = await this.ask(name, {}, "no-cache");
    const bytes = await contentOf(response, maxManifest);
    if (!bytes) throw new Error(`manifest.json is larger than ${maxManifest >> 20} MiB`);
    const text = new TextDecoder().decode(bytes);
    /** @type {Manifest} */
    let m;
    try {
      m = await parse(text, pace);
    } catch {
      throw new Error("manifest.json is no JSON");
    }
    if (m?.version !== 1) throw new Error(`the dataset has version ${m?.version}, and this page reads version 1`);
    this.manifest = await manifestOf(m, pace);
  }

  /**
   * Consecutive sections of a day, compressed: see unpack.
   * @param {Day} day @param {string} first @param {string} [last]
   * @returns {Promise<Uint8Array[]>}
   */
  async sections(day, first, last) {
    const place = placeOf(this.manifest, day, first, last);
    if (!place) throw new Error("the manifest does not say where it lies");
    const { offset, lengths } = place, length = lengths.reduce((a, b) => a + b, 0);
    if (length > maxRequest) throw new Error(`its sections have more than ${maxRequest >> 20} MiB`);
    if (!length) return lengths.map(() => new Uint8Array());
    const response = await this.ask(day.page.name, { Range: `bytes=${offset}-${offset + length - 1}` }, "default");
    const data = await bytesOf(response, response.status === 200 ? offset : 0, length); // of the whole file if the server does not support ranges
    if (data.length !== length) throw new Error(`its file has ${data.length} of ${length} bytes`);
    let at = 0;
    return lengths.map((n) => data.subarray(at, at += n));
  }
}

/** The values of a section for a number of hosts. @param {ArrayBuffer | undefined} data @param {number} hosts */
export function cellsOf(data, hosts) {
  if (!data) return new Float32Array(hosts * hours).fill(NaN);
  if (data.byteLength !== 4 * hosts * hours) throw new Error(`a section has ${data.byteLength} bytes, not ${4 * hosts * hours}`);
  if (littleEndian) return new Float32Array(data);
  const view = new DataView(data);
  return Float32Array.from({ length: hosts * hours }, (_, i) => view.getFloat32(4 * i, true));
}

const littleEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

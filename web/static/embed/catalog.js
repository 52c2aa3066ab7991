// The server's catalogue: which days of which hosts it has (catalog.json next to the page,
// docs/operators.md). If it requires a token, that is kept here while the page is open,
// and sent only to this page's own server.

import { nameOf } from "./page.js";

/** @import { NamedFile } from "../../scripts/page.js" */
/** @typedef {{ host: string, days?: number, first?: string, last?: string }} Line */
/** @typedef {{ name: string, size: number, v?: string }} Part */
/** @typedef {{ day: string, start?: string, end?: string, bytes: number, fingerprint: string, files: Part[] }} Day */

let token = "";
/** @type {string | null} */
let archives = null; // URL of the folder with the hosts
let fleet = ""; // URL of the fleet index; "" if there is none

/** Sets the token for further requests to the server. @param {string} text */
export function use(text) { token = text.trim(); }

/** @param {URL} url */
async function ask(url) {
  /** @type {Record<string, string>} */
  const headers = token && url.origin === location.origin ? { Authorization: `Bearer ${token}` } : {};
  const response = await fetch(url, { headers, cache: "no-cache", credentials: "same-origin", referrerPolicy: "no-referrer" });
  if (!response.ok) throw new Error(`${url.pathname}: the server answers ${response.status}`);
  return response.json();
}

/** The hosts, or that the server requires a token. @returns {Promise<{ archives: string, hosts: Line[], token: boolean }>} */
export async function index() {
  const url = new URL("../catalog.json", import.meta.url), { hosts, needs, archives: at, fleet: all } = (await ask(url)) ?? {};
  archives = new URL(typeof at === "string" ? at : "./", url).href;
  fleet = typeof all === "string" ? new URL(all, archives).href : "";
  return { archives, hosts: listOf(hosts).filter((h) => isText(h?.host)).map((h) => ({ host: h.host, days: Number(h.days) || 0, first: textOf(h.first), last: textOf(h.last) })), token: needs === "token" };
}

// A catalogue may lie among archives from anyone: values of the wrong type are left out.
/** @param {unknown} v @returns {any[]} */
const listOf = (v) => (Array.isArray(v) ? v : []);
/** @param {unknown} v @returns {v is string} */
const isText = (v) => typeof v === "string" && v !== "" && v.length <= 300;
/** @param {unknown} v */
const textOf = (v) => (isText(v) ? v : "");

/** The link to the fleet page; "" if the server has no index of all hosts. */
export function fleetLink() {
  const here = new URL("./", location.href).href;
  return fleet && `?${new URLSearchParams({ fleet: fleet.startsWith(here) ? fleet.slice(here.length) : fleet })}`;
}

/** The days of a host, in order. @param {string} host @returns {Promise<Day[]>} */
export async function days(host) {
  if (archives === null) await index();
  return listOf((await ask(folder(host, "catalog.json")))?.days).filter((d) => /^\d{4}-\d\d-\d\d$/.test(d?.day) && Array.isArray(d.files)).map((d) => ({
    day: d.day, start: textOf(d.start), end: textOf(d.end), bytes: Number(d.bytes) || 0, fingerprint: textOf(d.fingerprint),
    files: listOf(d.files).filter((f) => isText(f?.name)).map((f) => ({ name: f.name, size: Number(f.size) || 0, v: textOf(f.v) })),
  }));
}

/** @param {string} host @param {string} name */
function folder(host, name) {
  return new URL(`${encodeURIComponent(host)}/${encodeURIComponent(name)}`, archives ?? undefined);
}

/**
 * The files to open for days of a host. URLs that identify the exact bytes
 * need no revalidation.
 * @param {string} host
 * @param {Day[]} list
 * @returns {NamedFile[]}
 */
export function given(host, list) {
  return list.flatMap((d) => d.files).map(({ name, size, v }) => {
    const url = folder(host, name);
    if (v) url.searchParams.set("v", v);
    return one(url.href, size);
  });
}

/** A file on the server, in the form that the page opens. @param {string} url @param {number} size @returns {NamedFile} */
export function one(url, size) {
  return { name: nameOf(url), data: { url, size, ...(token && new URL(url).origin === location.origin ? { token } : {}) } };
}

/** A time with a UTC offset, in milliseconds; NaN for other texts. @param {string} text */
export function moment(text) { return /T.*(Z|[+-]\d\d:?\d\d)$/.test(text) ? Date.parse(text) : NaN; }

/**
 * The days that overlap a time range: by their time spans if both are known, otherwise by date. A missing end
 * is unlimited; without both, it is the last day.
 * @param {Day[]} list
 * @param {string} from
 * @param {string} to
 */
export function within(list, from, to) {
  if (!from && !to) return list.slice(-1);
  const since = moment(from), until = moment(to);
  return list.filter((d) => {
    const starts = Date.parse(d.start ?? ""), ends = Date.parse(d.end ?? "");
    const late = !to || (Number.isNaN(until) || Number.isNaN(starts) ? d.day <= to.slice(0, 10) : starts <= until);
    const early = !from || (Number.isNaN(since) || Number.isNaN(ends) ? d.day >= from.slice(0, 10) : ends >= since);
    return late && early;
  });
}

/** The link that opens days of a host. @param {string} host @param {string} [from] @param {string} [to] */
export function link(host, from, to) {
  const q = new URLSearchParams({ host });
  if (from) q.set("from", from);
  if (to) q.set("to", to);
  return `?${q}`;
}

// A dataset may come from anyone: values of the wrong type are left out, and texts and lists
// end at what can be shown.

import { mapped } from "../pace.js";

/** @import { Day, Found, Host, HostDay, Manifest, Measure } from "./data.js" */
/** @import { Pace } from "../pace.js" */

/** The maximum number of hosts shown over a number of days: what the page can sort and keep in memory. @param {number} days */
export const maxHosts = (days) => Math.min(10_000, Math.floor(500_000 / Math.max(1, days)));
const maxText = 300, maxMeasures = 100, maxLabels = 50, latest = 8.64e15;

/** @param {unknown} v */
const textOf = (v) => (typeof v === "string" ? v.slice(0, maxText) : "");
/** @param {unknown} v @returns {any[]} */
const listOf = (v) => (Array.isArray(v) ? v : []);
/** @param {unknown} v */
const isCount = (v) => Number.isSafeInteger(v) && /** @type {number} */ (v) >= 0;
/** @param {any} d */
const isDay = (d) => /^\d{4}-\d\d-\d\d$/.test(d?.day) && !Number.isNaN(Date.parse(d.day)) && typeof d.page?.name === "string" && Array.isArray(d.lengths) && d.lengths.every(isCount);

/** The manifest, without invalid parts. @param {any} m @param {Pace} pace @returns {Promise<Manifest>} */
export async function manifestOf(m, pace) {
  if (![m.measures, m.sections, m.hosts, m.days].every(Array.isArray)) throw new Error("manifest.json lacks parts");
  /** @type {Measure[]} */
  const measures = m.measures.filter((/** @type {any} */ x) => x && typeof x.id === "string").slice(0, maxMeasures)
    .map((/** @type {any} */ x) => ({ id: x.id, name: textOf(x.name) || textOf(x.id), unit: textOf(x.unit), dashboard: textOf(x.dashboard) }));
  if (!measures.length) throw new Error("manifest.json has no measures");
  return {
    version: 1, archives: typeof m.archives === "string" ? m.archives : "../", measures, metrics: [], sections: m.sections.map(String),
    hosts: await mapped(m.hosts.filter((/** @type {any} */ h) => textOf(h?.host)), hostOf, pace), days: m.days.filter(isDay),
  };
}

/** @param {any} h @returns {Host} */
function hostOf(h) {
  const labels = Object.entries(h.labels && typeof h.labels === "object" ? h.labels : {}).slice(0, maxLabels).map(([key, value]) => [textOf(key), textOf(String(value))]);
  const host = textOf(h.host), name = textOf(h.name);
  return { host, name, labels: Object.fromEntries(labels), last: textOf(h.last), said: [host, name, ...labels.map(([, value]) => value)].join(" ").toLowerCase() };
}

/** The hosts of a day, in the order of their values. @param {any} v @param {Pace} pace @returns {Promise<HostDay[]>} */
export function hostsOfDay(v, pace) {
  return mapped(listOf(v), (h) => ({
    host: textOf(h?.host), recorded: listOf(h?.recorded).filter(Number.isFinite),
    archives: listOf(h?.archives).filter((a) => typeof a === "string"), problem: textOf(h?.problem),
  }), pace);
}

/** The findings of a day with a number of hosts. @param {any} v @param {number} hosts @param {Pace} pace @returns {Promise<Found[]>} */
export function findingsOfDay(v, hosts, pace) {
  return mapped(listOf(v).filter((f) => isCount(f?.host) && f.host < hosts && Math.abs(f.start) <= latest && Math.abs(f.end) <= latest),
    (f) => ({ host: f.host, level: textOf(f.level), resource: textOf(f.resource), text: textOf(f.text), start: Number(f.start), end: Number(f.end), dashboard: textOf(f.dashboard), times: Number(f.times) }), pace);
}

// Formatting of values and times. Times are UTC, since hosts are in many zones.

import { number, short } from "../charts/number.js";

/**
 * A value with its unit. The measures have few units, and no Go code runs on this page (web/format has the page's).
 * @param {number} v @param {string} unit
 */
export function valueText(v, unit) {
  if (Number.isNaN(v)) return "–";
  if (unit === "%") return `${number(v, 1)} %`;
  if (unit === "byte / sec") {
    const step = [["GiB/s", 2 ** 30], ["MiB/s", 2 ** 20], ["KiB/s", 1024]].find(([, n]) => v >= Number(n));
    return step ? `${number(v / Number(step[1]), 1)} ${step[0]}` : `${number(v, 0)} B/s`;
  }
  return unit ? `${short(v, 2)} ${unit}` : short(v, 2);
}

/** @param {number} ms */
export function timeText(ms) { return new Date(ms).toISOString().slice(0, 16).replace("T", " "); }

/** @param {number} n @param {string} one @param {string} [many] */
export function counted(n, one, many = `${one}s`) { return `${n.toLocaleString("en-US")} ${n === 1 ? one : many}`; }

// A frame as comma-separated values: RFC 4180, times in ISO 8601 and UTC.

/** @import { Column, Frame } from "../pcpscope.js" */

import { csvCell } from "../cells.js";

/** @param {Frame} frame */
export function csv(frame) {
  const head = ["time", ...frame.columns.map((/** @type {Column} */ c) => c.metric + (c.instance ? `[${c.instance.name}]` : "") + (c.units ? ` (${c.units})` : ""))];
  const lines = [head.map(csvCell).join(",")];
  for (let i = 0; i < frame.times.length; i++) {
    lines.push([stamp(frame.start, frame.times[i]), ...frame.columns.map((/** @type {Column} */ c) => csvCell(value(c, i)))].join(","));
  }
  return lines.join("\r\n") + "\r\n";
}

/** @param {Column} c @param {number} i */
function value(c, i) {
  const v = c.values[i];
  if (v === null || v === undefined || Number.isNaN(v)) return "";
  return String(c.exact ? c.exact[i] : v);
}

/**
 * A time to the nanosecond.
 * @param {bigint} start
 * @param {number} seconds
 */
function stamp(start, seconds) {
  const t = start + BigInt(Math.round(seconds * 1e9));
  const second = t >= 0n ? t / 1000000000n : (t - 999999999n) / 1000000000n;
  const fraction = String(t - second * 1000000000n).padStart(9, "0").replace(/0{3}(0{3})?(0{3})?$/, "");
  return new Date(Number(second) * 1000).toISOString().replace(".000Z", `${fraction ? "." + fraction : ""}Z`);
}

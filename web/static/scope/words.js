// Formatting of numbers, times and lists for the elements.

/**
 * Splits a list at commas outside brackets and quotes, since expressions may contain commas.
 * @param {string | null} text
 */
export function list(text) {
  const out = [];
  let depth = 0, quote = "", from = 0;
  const s = text ?? "";
  for (let i = 0; i <= s.length; i++) {
    const c = s[i];
    if (quote) quote = c === quote || c === undefined ? "" : quote;
    else if (c === '"' || c === "'") quote = c;
    else if (c === "(" || c === "[") depth++;
    else if (c === ")" || c === "]") depth--;
    if (c === undefined || (c === "," && depth <= 0 && !quote)) {
      const item = s.slice(from, i).trim();
      if (item) out.push(item);
      from = i + 1;
    }
  }
  return out;
}

/** @import { Column, Source } from "../pcpscope.js" */

/** @type {[number, string][]} */
const sizes = [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e4, "k"]];

/**
 * A number with three or four significant digits. Unlike the page's (charts/number.js), each stands alone: it has
 * no column whose decimals and unit it could share.
 * @param {number | null | undefined} v
 */
export function short(v) {
  if (v === null || v === undefined || Number.isNaN(v)) return "–";
  const a = Math.abs(v);
  if (a !== 0 && (a < 1e-3 || a >= 1e15)) return v.toExponential(2);
  for (const [size, suffix] of sizes) {
    if (a >= size) return figures(v / (suffix === "k" ? 1e3 : size)) + " " + suffix;
  }
  return figures(v);
}

/** @param {number} v */
function figures(v) {
  const a = Math.abs(v);
  return Number.isInteger(v) ? String(v) : v.toFixed(a >= 100 ? 1 : a >= 1 ? 2 : 3);
}

/**
 * The name of a column: the instance if there is one, preceded by the metric if there
 * are several.
 * @param {Column} column
 * @param {boolean} several
 */
export function title(column, several) {
  if (!column.instance) return column.metric;
  return several ? `${column.metric} ${column.instance.name}` : column.instance.name;
}

/**
 * The time zone of a source, if the browser knows it; otherwise UTC.
 * @param {Source} source
 * @param {string | null} wanted
 */
export function zoneOf(source, wanted) {
  for (const name of [wanted, source.zoneinfo?.replace(/^:/, ""), source.timezone?.replace(/^:/, "")]) {
    if (!name) continue;
    try {
      new Intl.DateTimeFormat("en", { timeZone: name });
      return name;
    } catch { /* a POSIX zone, say: not the browser's */ }
  }
  return "UTC";
}

/**
 * Labels of the time axis: times as precise as the step requires, with the date where it changes.
 * @param {number[]} seconds
 * @param {string} zone
 * @param {number} step
 */
export function ticks(seconds, zone, step) {
  const locale = document.documentElement.lang || undefined;
  const day = new Intl.DateTimeFormat(locale, { timeZone: zone, day: "numeric", month: "short" });
  const time = new Intl.DateTimeFormat(locale, {
    timeZone: zone, hour: "2-digit", minute: "2-digit", second: step < 60 ? "2-digit" : undefined, fractionalSecondDigits: step < 1 ? 3 : undefined, hourCycle: "h23",
  });
  let before = "";
  return seconds.map((s) => {
    const date = day.format(new Date(s * 1000)), changed = date !== before;
    before = date;
    if (step >= 86400) return date;
    return time.format(new Date(s * 1000)) + (changed ? `\n${date}` : "");
  });
}

/**
 * Returns a function that formats times in a zone, in the page's language.
 * @param {string} zone
 */
export function clock(zone) {
  const format = new Intl.DateTimeFormat(document.documentElement.lang || undefined, {
    timeZone: zone, year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23",
  });
  return (/** @type {number} */ seconds) => format.format(new Date(seconds * 1000));
}

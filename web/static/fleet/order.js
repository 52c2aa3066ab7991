// The matrix's arithmetic: which hours form a column, the order of hosts, and outliers at
// a given time. Independent of page and canvas.

/** @typedef {{ host: string, values: Float32Array, label: string }} Row values by hours; NaN for none */

/** The number of hours per column for a maximum number of columns. @param {number} hours @param {number} room */
export function hoursOfColumn(hours, room) {
  return [1, 2, 3, 4, 6, 12, 24].find((n) => hours / n <= room) ?? 24;
}

/** The highest value among hours, and its index. @param {Float32Array} values @param {number} from @param {number} count */
export function highest(values, from, count) {
  let at = -1;
  for (let i = from; i < Math.min(from + count, values.length); i++) {
    if (!Number.isNaN(values[i]) && (at < 0 || values[i] > values[at])) at = i;
  }
  return at;
}

/** @param {Float32Array} values @param {number} from @param {number} to */
function mean(values, from, to) {
  let sum = 0, n = 0;
  for (let i = from; i < to; i++) {
    if (!Number.isNaN(values[i])) {
      sum += values[i];
      n++;
    }
  }
  return n ? sum / n : NaN;
}

/** The increase of the mean from the first half to the second. @param {Float32Array} values */
export function change(values) {
  const middle = values.length >> 1;
  return mean(values, middle, values.length) - mean(values, 0, middle);
}

/** @type {Record<string, (r: Row) => number>} sort keys of hosts, largest first */
const keys = {
  worst: (r) => { const at = highest(r.values, 0, r.values.length); return at < 0 ? NaN : r.values[at]; },
  mean: (r) => mean(r.values, 0, r.values.length),
  change: (r) => change(r.values),
};

/**
 * Sorted hosts: those without a value last, ties by name.
 * @template {Row} R
 * @param {R[]} rows
 * @param {string} by
 * @returns {R[]}
 */
export function sorted(rows, by) {
  const byName = (/** @type {Row} */ a, /** @type {Row} */ b) => (a.host < b.host ? -1 : a.host > b.host ? 1 : 0), key = keys[by];
  if (!key) return [...rows].sort(byName);
  const known = new Map(rows.map((r) => [r, key(r)])), of = (/** @type {R} */ r) => known.get(r) ?? NaN;
  return [...rows].sort((a, b) => {
    const x = of(a), y = of(b);
    if (Number.isNaN(x) || Number.isNaN(y)) return Number(Number.isNaN(x)) - Number(Number.isNaN(y)) || byName(a, b);
    return y - x || byName(a, b);
  });
}

/**
 * Groups by label, in the order of their first hosts; those without the label last.
 * @template {Row} R
 * @param {R[]} rows
 * @returns {{ label: string, rows: R[] }[]}
 */
export function grouped(rows) {
  /** @type {Map<string, R[]>} */
  const groups = new Map();
  for (const r of rows) {
    const group = groups.get(r.label);
    if (group) group.push(r);
    else groups.set(r.label, [r]);
  }
  return [...groups].map(([label, list]) => ({ label, rows: list })).sort((a, b) => Number(a.label === "") - Number(b.label === ""));
}

/** @param {Float64Array} list sorted */
function median(list) {
  const n = list.length;
  return n % 2 ? list[n >> 1] : (list[n / 2 - 1] + list[n / 2]) / 2;
}

/** With fewer hosts than this there is no usual value. */
export const fewest = 5;
const far = 5;

/**
 * The outliers of a measure at one time: hosts further from the median than five times the median absolute deviation,
 * the furthest first. Distances below a twentieth of the median, or of the largest value, do not count.
 * @param {(number | undefined)[]} values by host
 * @returns {{ host: number, value: number, usual: number, distance: number }[]}
 */
export function outliers(values) {
  const known = Float64Array.from(/** @type {number[]} */ (values.filter((v) => v !== undefined && Number.isFinite(v)))).sort();
  if (known.length < fewest) return [];
  const usual = median(known), spread = median(known.map((v) => Math.abs(v - usual)).sort());
  const least = Math.max(spread, 0.05 * Math.abs(usual), 0.02 * Math.abs(known[known.length - 1]));
  if (!least) return [];
  return values.flatMap((value, host) => {
    const distance = value === undefined ? NaN : Math.abs(value - usual) / least;
    return value !== undefined && distance >= far ? [{ host, value, usual, distance }] : [];
  }).sort((a, b) => b.distance - a.distance || a.host - b.host);
}

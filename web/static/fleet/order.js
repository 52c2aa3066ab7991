// The matrix's arithmetic: which hours form a column, the order of hosts, and outliers at
// a given time. Independent of page and canvas.

/** @typedef {{ host: string, values: Float32Array, label: string }} Row values by hours; NaN for none */

/** How many hours make one column, where there is room for so many columns. @param {number} hours @param {number} room */
export function hoursOfColumn(hours, room) {
  return [1, 2, 3, 4, 6, 12, 24].find((n) => hours / n <= room) ?? 24;
}

/** The highest value from one hour on, and where it is. @param {Float32Array} values @param {number} from @param {number} count */
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

/** By how much the mean of the second half is above that of the first. @param {Float32Array} values */
export function change(values) {
  const middle = values.length >> 1;
  return mean(values, middle, values.length) - mean(values, 0, middle);
}

/** @type {Record<string, (r: Row) => number>} what hosts are sorted by, the largest first */
const keys = {
  worst: (r) => { const at = highest(r.values, 0, r.values.length); return at < 0 ? NaN : r.values[at]; },
  mean: (r) => mean(r.values, 0, r.values.length),
  change: (r) => change(r.values),
};

/**
 * Hosts in order: those without a value last, and those that are equal by name.
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
 * Groups by label, in the order in which their first hosts stand; those without the label last.
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

/** @param {number[]} list in order */
function median(list) {
  const n = list.length;
  return n % 2 ? list[n >> 1] : (list[n / 2 - 1] + list[n / 2]) / 2;
}

/** Fewer hosts than this tell nothing of what is usual. */
export const fewest = 5;
const far = 5;

/**
 * The hosts that stand out by one measure at one moment: those further from the median of all than five times the
 * median distance from it, the furthest first. A distance of a twentieth of the median, or of the largest value, counts for none.
 * @param {(number | undefined)[]} values by host
 * @returns {{ host: number, value: number, usual: number, distance: number }[]}
 */
export function outliers(values) {
  const known = /** @type {number[]} */ (values.filter((v) => v !== undefined && Number.isFinite(v))).sort((a, b) => a - b);
  if (known.length < fewest) return [];
  const usual = median(known), spread = median(known.map((v) => Math.abs(v - usual)).sort((a, b) => a - b));
  const least = Math.max(spread, 0.05 * Math.abs(usual), 0.02 * Math.abs(known[known.length - 1]));
  if (!least) return [];
  return values.flatMap((value, host) => {
    const distance = value === undefined ? NaN : Math.abs(value - usual) / least;
    return value !== undefined && distance >= far ? [{ host, value, usual, distance }] : [];
  }).sort((a, b) => b.distance - a.distance || a.host - b.host);
}

// Reductions of values before they are drawn.

/** @typedef {ArrayLike<number>} Values NaN where there is none */
/** @typedef {(number | null | undefined)[]} Points as uPlot takes them: null where there is none */

/** The largest magnitude, or 1 if there is none, so that it can be a divisor. @param {Float64Array} values */
export function peak(values) {
  let largest = 0;
  for (const v of values) if (Number.isFinite(v) && Math.abs(v) > largest) largest = Math.abs(v);
  return largest || 1;
}

/**
 * Values for uPlot, multiplied by a factor; a logarithmic axis only takes the positive ones.
 * @param {Float64Array} values
 * @param {number} by
 * @param {boolean} log
 * @returns {(number | null)[]}
 */
export function points(values, by, log) {
  return Array.from(values, (v) => (!Number.isFinite(v) || (log && !(v > 0)) ? null : v * by));
}

/**
 * Stacks columns: the last one starts at zero; the first holds the total and is drawn first.
 * @param {Points[]} columns
 */
export function pile(columns) {
  for (let c = columns.length - 2; c >= 0; c--) {
    const below = columns[c + 1], column = columns[c];
    for (let i = 0; i < column.length; i++) {
      const under = below[i];
      if (under != null) column[i] = (column[i] ?? 0) + under;
    }
  }
}

/**
 * The minimum and maximum of several bands between two times; null if they have no value there.
 * @param {Float64Array} times
 * @param {{ low: Float64Array, high: Float64Array, by: number }[]} bands
 * @param {number} from
 * @param {number} to
 * @returns {[number, number] | null}
 */
export function reach(times, bands, from, to) {
  let low = Infinity, high = -Infinity;
  for (let i = 0; i < times.length; i++) {
    if (times[i] < from) continue;
    for (const band of bands) {
      const a = band.low[i] * band.by, b = band.high[i] * band.by;
      if (!Number.isFinite(a) || !Number.isFinite(b)) continue;
      low = Math.min(low, a, b);
      high = Math.max(high, a, b);
    }
    if (times[i] >= to) break; // the step in which the window ends
  }
  return high >= low ? [low, high] : null;
}

/**
 * Positions of marks for moments such as restarts, thinned so that thousands
 * of them leave a chart readable. Moments closer together than apart count as
 * dense; of these, each mark is at least least away from the previous one.
 * @param {number[]} places
 * @param {number} apart
 * @param {number} least
 * @returns {{ at: number, dense: boolean }[]}
 */
export function marks(places, apart, least) {
  const sorted = [...places].sort((a, b) => a - b);
  /** @type {{ at: number, dense: boolean }[]} */
  const list = [];
  sorted.forEach((at, i) => {
    const dense = at - (sorted[i - 1] ?? -Infinity) < apart || (sorted[i + 1] ?? Infinity) - at < apart;
    if (!dense || !list.length || at - list[list.length - 1].at >= least) list.push({ at, dense });
  });
  return list;
}

/**
 * The points that no line reaches because both neighbours lack a value. They are drawn as dots.
 * @param {ArrayLike<number | null | undefined>} values
 */
export function alone(values) {
  const list = [];
  for (let i = 0; i < values.length; i++) {
    if (values[i] != null && values[i - 1] == null && values[i + 1] == null) list.push(i);
  }
  return list;
}

/**
 * The index of the time nearest to a moment; -1 if none is within a step of it.
 * @param {Float64Array} times ascending
 * @param {number | null | undefined} at
 */
export function nearest(times, at) {
  if (at == null || !times.length) return -1;
  let low = 0, high = times.length - 1;
  while (low < high) {
    const mid = (low + high) >> 1;
    if (times[mid] < at) low = mid + 1;
    else high = mid;
  }
  if (low > 0 && at - times[low - 1] < times[low] - at) low--;
  const step = times.length > 1 ? (times[times.length - 1] - times[0]) / (times.length - 1) : Infinity;
  return Math.abs(times[low] - at) <= step ? low : -1;
}

/**
 * The range of two lists of values that share a scale starting at zero.
 * @param {Float64Array} a
 * @param {Float64Array} b
 * @returns {[number, number]}
 */
export function bounds(a, b) {
  let low = 0, high = -Infinity;
  for (const list of [a, b]) for (const v of list) {
    if (v > high) high = v;
    if (v < low) low = v;
  }
  return [low, high > low ? high : low + 1];
}

/**
 * The envelope of positive values between two times, for a given number of
 * pixel columns: for each the count, the sum and the maximum. What stands for a step, which has a maximum, is at its
 * start: it lasts until its time, which may lie beyond the end.
 * @param {Float64Array} times
 * @param {Float64Array} values
 * @param {Float64Array} high the maximum of each step; empty if values says it all
 * @param {number} from
 * @param {number} to
 * @param {number} columns
 */
export function envelope(times, values, high, from, to, columns) {
  const sum = new Float64Array(columns), count = new Uint32Array(columns), max = new Float64Array(columns);
  const step = high.length > 1 ? times[1] - times[0] : 0;
  for (let i = 0; i < times.length; i++) {
    const v = values[i], t = times[i], top = high.length ? high[i] : v, start = Math.max(from, t - step);
    if (!(top > 0) || t < from || start > to) continue;
    const k = Math.min(Math.floor(((start - from) / (to - from)) * columns), columns - 1);
    if (top > max[k]) max[k] = top;
    if (step && t <= from && values[i + 1] >= 0) continue; // a single record; the step behind it is drawn here
    sum[k] += v;
    count[k]++;
  }
  return { sum, count, max };
}

/**
 * The runs of equal values: [index of the first, index after the last, value].
 * @param {Float64Array} values
 * @param {number} length
 * @returns {[from: number, to: number, value: number][]}
 */
export function stretches(values, length) {
  /** @type {[number, number, number][]} */
  const list = [];
  for (let i = 0; i < length;) {
    let k = i + 1;
    while (k < length && (values[k] === values[i] || (Number.isNaN(values[k]) && Number.isNaN(values[i])))) k++;
    if (!Number.isNaN(values[i])) list.push([i, k, values[i]]);
    i = k;
  }
  return list;
}

/**
 * The runs of values without a gap between two times, as index pairs [first, last]. The values just outside are
 * included, so that lines reach the edges.
 * @param {ArrayLike<number>} times
 * @param {Values} values
 * @param {number} from @param {number} to
 * @returns {[number, number][]}
 */
export function runs(times, values, from, to) {
  /** @type {[number, number][]} */
  const list = [];
  for (let i = 0; i < times.length; i++) {
    if (Number.isNaN(values[i]) || (times[i + 1] ?? times[i]) < from || (times[i - 1] ?? times[i]) > to) continue;
    const last = list[list.length - 1];
    if (last && last[1] === i - 1) last[1] = i;
    else list.push([i, i]);
  }
  return list;
}

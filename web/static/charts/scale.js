// Value scales: their ends and their ticks.

/**
 * The ends of the value axis. It starts at zero unless that would squeeze all values into a line
 * at the top.
 * @param {number | null} low
 * @param {number | null} high
 * @param {string} unit
 * @returns {[number, number]}
 */
export function range(low, high, unit) {
  if (low == null || high == null) return [0, 1];
  if (low === high) {
    if (low === 0) return [0, 1];
    return low > 0 ? [0, low * 1.2] : [low * 1.2, 0];
  }
  if (unit === "%" && low >= 0 && high > 50 && high <= 100.5) return [0, 100];
  const span = high - low;
  let bottom = low - span * 0.05, top = high + span * 0.05;
  if (low >= 0 && span > 0.1 * high) bottom = 0;
  if (high <= 0 && span > -0.1 * low) top = 0;
  return [bottom, top];
}

/**
 * The ends of a logarithmic axis: whole powers of ten. Zero cannot be shown.
 * @param {number | null} low
 * @param {number | null} high
 * @returns {[number, number]}
 */
export function decades(low, high) {
  if (high == null || !(high > 0)) return [0.1, 1];
  const top = Math.ceil(Math.log10(high) - 1e-9), bottom = low != null && low > 0 ? Math.floor(Math.log10(low) + 1e-9) : top - 3;
  return [10 ** Math.max(bottom, top - 12), 10 ** Math.max(top, bottom + 1)];
}

/**
 * The ticks of a logarithmic axis: powers of ten, only every second or third if there are many, and always the
 * topmost.
 * @param {number} low
 * @param {number} high
 */
export function powers(low, high) {
  const list = [];
  for (let e = Math.round(Math.log10(low)); e <= Math.log10(high) + 1e-9; e++) list.push(10 ** e);
  const every = Math.ceil(list.length / 7);
  return list.filter((_, i) => (list.length - 1 - i) % every === 0);
}

/**
 * Round values between two ends, about one for each given number of pixels; closer where that
 * would leave only one, which does not make a scale.
 * @param {number} low
 * @param {number} high
 * @param {number} pixels
 * @param {number} apart
 * @returns {number[]}
 */
export function levels(low, high, pixels, apart) {
  const rough = (high - low) / Math.max(1, pixels / apart);
  if (!(rough > 0)) return [low];
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = unit * ([1, 2, 2.5, 5, 10].find((f) => f * unit >= rough * 0.999) ?? 10);
  const list = [];
  for (let n = Math.ceil(low / step - 1e-9); n * step <= high + step * 1e-9; n++) list.push(n * step);
  return list.length < 2 && apart > 20 ? levels(low, high, pixels, apart / 2) : list;
}

// Numbers as the page shows them. web/format does the same in Go.

/** @type {Map<number, Intl.NumberFormat>} */
const formats = new Map();

/** @param {number} decimals */
function formatOf(decimals) {
  const known = formats.get(decimals);
  if (known) return known;
  const made = new Intl.NumberFormat("en-US", { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
  formats.set(decimals, made);
  return made;
}

/**
 * A number with the given number of decimals.
 * @param {number | null | undefined} v
 * @param {number} decimals
 */
export function number(v, decimals) {
  if (v == null || Number.isNaN(v)) return "–";
  if (v === 0) return "0";
  if (!Number.isFinite(v)) return v < 0 ? "\u2212\u221e" : "\u221e";
  if (Math.abs(v) >= 1e15) return String(v.toPrecision(4)).replace("-", "\u2212");
  const f = formatOf(decimals), s = f.format(Math.abs(v));
  if (Number(s.replaceAll(",", "")) === 0) return (v < 0 ? ">\u2212" : "<") + f.format(10 ** -decimals);
  return (v < 0 ? "\u2212" : "") + s;
}

/**
 * The sizes from which on a number is abbreviated, with their letters.
 * @type {[size: number, letter: string][]}
 */
export const sizes = [[1e18, "E"], [1e15, "P"], [1e12, "T"], [1e9, "G"], [1e6, "M"], [1e4, "k"]];

/**
 * A number abbreviated by a letter once it has many digits: "57k".
 * @param {number} v
 * @param {number} decimals
 */
export function brief(v, decimals) {
  const a = Math.abs(v);
  if (a === Infinity) return number(v, decimals);
  for (const [size, letter] of sizes) {
    if (a >= size) return number(v / (letter === "k" ? 1e3 : size), a / size < 10 && letter !== "k" ? 1 : 0) + letter;
  }
  return v === 0 ? "0" : number(v, decimals);
}

/**
 * A number for a column of the legend: abbreviated once there is no room for all its digits,
 * "469.6k".
 * web/format.Brief is the same in Go, for the columns beside it; a test compares them.
 * @param {number | null | undefined} v
 * @param {number} decimals
 */
export function short(v, decimals) {
  const room = 6, text = number(v, decimals);
  if (v == null || [...text].length <= room || !Number.isFinite(v)) return text;
  const a = Math.abs(v);
  if (a >= 0.99995e21) return v.toExponential(1).replaceAll("-", "\u2212").replace("+", "");
  for (const [size, letter] of sizes) {
    if (a < size * 0.99995) continue;
    const by = letter === "k" ? 1e3 : size;
    return number(v / by, a / by >= 1000 ? 0 : 1) + letter;
  }
  if (a < 1e-3) return v.toExponential(1).replaceAll("-", "\u2212");
  return number(v, Math.max(0, decimals - ([...text].length - room)));
}

/** The decimals of a number that stands alone in a column of so many: beside thousands its fraction matters. @param {number} v @param {number} decimals */
export function decimalsIn(v, decimals) {
  return decimals || Math.abs(v) >= 100 ? decimals : decimalsOf(v);
}

/** The number of decimals that a number needs for two significant digits or more; none for whole numbers. @param {number} v */
export function decimalsOf(v) {
  const a = Math.abs(v);
  if (Number.isInteger(v) || a >= 1000) return 0;
  if (a >= 100) return 1;
  return a >= 0.1 ? 2 : Math.min(9, 2 - Math.ceil(Math.log10(a || 1)));
}

// Labels of the value axis. Every chart gives them the same narrow 48 pixels,
// so that the plots line up exactly.

import { brief, number, sizes } from "./number.js";
import { wide } from "./paint.js";

/** The width of the axis, in CSS pixels, and the gap to the chart. */
export const gutter = 48, gap = 6;

const room = gutter - gap - 1;

/** @typedef {(text: string) => number} Measure the width of a text in CSS pixels */

const order = (/** @type {number} */ v) => Math.floor(Math.log10(v) + 1e-9);

/**
 * The tick labels. Only the topmost one carries the unit.
 * @param {number[]} splits
 * @param {string} unit
 * @param {boolean} [log]
 * @param {Measure} [measure]
 */
export function axisTexts(splits, unit, log = false, measure = wide) {
  const fits = (/** @type {string} */ text) => text.length <= 4 || measure(text) <= room;
  const texts = log ? splits.map((v) => brief(v, Math.max(0, -order(v)))) : levelTexts(splits, fits);
  const last = texts.length - 1;
  if (unit && texts.length && fits(texts[last] + "\u2009" + unit)) texts[last] += "\u2009" + unit;
  return texts;
}

/**
 * Labels for equally spaced ticks: all in one notation, no two alike. Where
 * the numbers are too long for the axis, only the tick nearest zero shows its
 * value and the others show their distance from it.
 * @param {number[]} splits
 * @param {(text: string) => boolean} fits
 */
function levelTexts(splits, fits) {
  const step = splits.length > 1 ? Math.abs(splits[1] - splits[0]) : Math.abs(splits[0] || 1);
  const good = (/** @type {string[]} */ texts) => (new Set(texts).size === texts.length && texts.every(fits) ? texts : null);
  if (order(step) < -3) return powers(splits, step);
  const plain = written(splits, step, 1, "");
  if (good(plain) && Math.max(...splits.map(Math.abs)) < 1e4) return plain;
  const [by, letter] = scale(splits);
  return good(written(splits, step, by, letter)) ?? good(plain) ?? good(plain.map((t) => t.replaceAll(",", ""))) ?? apart(splits, step, by, letter, fits);
}

/** @param {number[]} values @returns {[by: number, letter: string]} */
function scale(values) {
  const [size, letter] = sizes.find(([size]) => values.some((v) => Math.abs(v) >= size)) ?? [1, ""];
  return [letter === "k" ? 1e3 : size, letter];
}

/** Numbers on one scale, with as many decimals as the step between them needs. @param {number[]} values @param {number} step @param {number} by @param {string} letter */
function written(values, step, by, letter) {
  const part = step / by;
  const decimals = Math.max(0, -order(part)) + (part < 10 ? halves(part) : 0);
  return values.map((v) => (v ? number(v / by, decimals) + letter : "0"));
}

/** A step such as 25 or 75 needs one digit more than its order of magnitude suggests. @param {number} step */
const halves = (step) => (/^[27]\.5/.test((step / 10 ** order(step)).toPrecision(4)) ? 1 : 0);

/** @param {number[]} values @param {number} step */
function powers(values, step) {
  return values.map((v) => (v ? v.toExponential(Math.max(0, order(Math.abs(v)) - order(step) + halves(step))).replace(/\.?0*e/, "e").replaceAll("-", "\u2212") : "0"));
}

/** @param {number[]} splits @param {number} step @param {number} by @param {string} letter @param {(text: string) => boolean} fits */
function apart(splits, step, by, letter, fits) {
  const from = splits.reduce((a, b) => (Math.abs(b) < Math.abs(a) ? b : a));
  const base = [3, 2, 1, 0].map((d) => number(from / by, d) + letter).find(fits) ?? brief(from, 0);
  const ways = splits.map((v) => v - from), far = written(ways, step, ...scale(ways));
  return far.map((t, i) => (splits[i] === from ? base : ways[i] > 0 ? "+" + t : t));
}

import assert from "node:assert/strict";
import test from "node:test";
import { axisTexts } from "../static/charts/axis.js";
import { decades, levels, powers, range } from "../static/charts/scale.js";

const near = (/** @type {number[]} */ got, /** @type {number[]} */ want) => {
  assert.equal(got.length, want.length);
  got.forEach((v, i) => assert.ok(Math.abs(v - want[i]) < 1e-9 * Math.max(1, Math.abs(want[i])), `${got} is not ${want}`));
};

test("an axis begins at zero, unless values are far from it", () => {
  near(range(10, 90, ""), [0, 94]);
  near(range(1000, 1001, ""), [999.95, 1001.05]);
  near(range(-10, -1, ""), [-10.45, 0]);
  near(range(-5, 5, ""), [-5.5, 5.5]);
});

test("one value, and none, have an axis too", () => {
  assert.deepEqual(range(null, null, ""), [0, 1]);
  assert.deepEqual(range(0, 0, ""), [0, 1]);
  near(range(5, 5, ""), [0, 6]);
  near(range(-5, -5, ""), [-6, 0]);
});

test("a share that is large is one of 100 %", () => {
  assert.deepEqual(range(3, 80, "%"), [0, 100]);
  near(range(3, 40, "%"), [0, 41.85]);
});

test("a logarithmic axis ends at powers of ten", () => {
  near(decades(1, 1000), [1, 1000]);
  near(decades(3, 700), [1, 1000]);
  near(decades(0, 50), [0.1, 100]); // zero has no place: three decades
  near(decades(null, null), [0.1, 1]);
  near(decades(1e-30, 1), [1e-12, 1]);
  near(decades(10, 10), [10, 100]);
});

test("there are at most seven ticks for powers of ten, the topmost among them", () => {
  near(powers(0.1, 100), [0.1, 1, 10, 100]);
  near(powers(1e-5, 1e5), [1e-5, 1e-3, 1e-1, 1e1, 1e3, 1e5]);
});

test("ticks stand at round values, as far apart as is asked", () => {
  near(levels(0, 100, 200, 50), [0, 25, 50, 75, 100]);
  near(levels(-1, 1, 100, 30), [-1, 0, 1]);
  near(levels(0, 0.3, 102, 34), [0, 0.1, 0.2, 0.3]);
  near(levels(246441, 246449, 107, 34), [246442, 246444, 246446, 246448]); // not 246445 alone
  assert.deepEqual(levels(7, 7, 100, 30), [7]);
});

// Six pixels a character: 41 pixels have room for six of them.
const texts = (/** @type {number[]} */ splits, unit = "", log = false) => axisTexts(splits, unit, log, (text) => 6 * text.length);

test("the topmost tick carries the unit", () => {
  assert.deepEqual(texts([0, 25, 50, 75, 100], "%"), ["0", "25", "50", "75", "100\u2009%"]);
  assert.deepEqual(texts([0, 5], "count/s"), ["0", "5"]); // no room
});

test("ticks have as many decimals as their distance needs", () => {
  assert.deepEqual(texts([0, 0.25, 0.5]), ["0", "0.25", "0.50"]);
  assert.deepEqual(texts([0, 2.5, 5]), ["0", "2.5", "5.0"]);
});

test("long numbers have a letter for their size", () => {
  assert.deepEqual(texts([0, 2e6, 4e6], "byte"), ["0", "2M", "4M"]);
  assert.deepEqual(texts([0, 20e3, 40e3]), ["0", "20k", "40k"]);
});

test("where numbers are too long, ticks say how far they are from one", () => {
  assert.deepEqual(texts([1_000_000, 1_000_001, 1_000_002]), ["1.000M", "+1", "+2"]);
});

test("the ticks of a logarithmic axis are powers of ten", () => {
  assert.deepEqual(texts([0.1, 1, 10, 100, 1000], "", true), ["0.1", "1", "10", "100", "1,000"]);
});

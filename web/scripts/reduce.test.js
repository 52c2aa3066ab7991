import assert from "node:assert/strict";
import test from "node:test";
import { alone, bounds, envelope, marks, nearest, peak, pile, points, reach, runs, stretches } from "../static/charts/reduce.js";
import { shape } from "../static/charts/spark.js";

const floats = (/** @type {number[]} */ ...v) => Float64Array.from(v);

test("areas lie upon each other, the last on zero, with gaps where none has a value", () => {
  const columns = [[1, null, 3, null], [10, 20, null, null]];
  pile(columns);
  assert.deepEqual(columns, [[11, 20, 3, null], [10, 20, null, null]]);
});

test("a point without neighbours is alone", () => {
  assert.deepEqual(alone([1, null, 2, 3, null, 4]), [0, 5]);
  assert.deepEqual(alone([]), []);
});

test("the cursor is at the nearest time, within a step", () => {
  const times = floats(0, 10, 20, 30);
  assert.equal(nearest(times, 14), 1);
  assert.equal(nearest(times, 16), 2);
  assert.equal(nearest(times, -9), 0);
  assert.equal(nearest(times, 41), -1);
  assert.equal(nearest(times, null), -1);
  assert.equal(nearest(floats(), 1), -1);
  assert.equal(nearest(floats(5), 1e9), 0); // a source of one moment
});

test("peaks and ends leave out what is no value", () => {
  assert.equal(peak(floats(NaN, -7, 3, Infinity)), 7);
  assert.equal(peak(floats(NaN)), 1);
  assert.deepEqual(bounds(floats(NaN, 3), floats(-2, 5)), [-2, 5]);
  assert.deepEqual(bounds(floats(NaN), floats()), [0, 1]);
});

test("an envelope has the sum and the largest of each column of pixels", () => {
  const { sum, count, max } = envelope(floats(0, 1, 5, 9, 10, 11), floats(2, 4, NaN, 6, 8, 100), floats(), 0, 10, 2);
  assert.deepEqual([...sum], [6, 14]); // the end of the span belongs to the last column
  assert.deepEqual([...count], [2, 2]);
  assert.deepEqual([...max], [4, 8]);
});

test("the largest of a column is the largest that its steps saw", () => {
  const { sum, max } = envelope(floats(0, 1, 9), floats(2, 4, 0), floats(2, 126.58, 7), 0, 10, 2);
  assert.deepEqual([...sum], [4, 0]); // the record at 0 stands for no time
  assert.deepEqual([...max], [126.58, 7]);
});

test("a step is drawn from its start on, the one that the recording ends in, too", () => {
  const { sum, max } = envelope(floats(0, 64, 128), floats(0, 4, 50), floats(0, 5, 95), 0, 110, 11);
  assert.deepEqual([...sum], [4, 0, 0, 0, 0, 0, 50, 0, 0, 0, 0]);
  assert.deepEqual([...max], [5, 0, 0, 0, 0, 0, 95, 0, 0, 0, 0]);
});

test("bands reach as far as their steps in the window, the one that its end lies in included", () => {
  const band = { low: floats(-9, 1, 2, NaN, 0), high: floats(99, 5, 126.58, NaN, 300), by: 2 };
  assert.deepEqual(reach(floats(0, 10, 20, 30, 40), [band], 5, 25), [2, 253.16]);
  assert.deepEqual(reach(floats(0, 10, 20, 30, 40), [{ ...band, by: -1 }], 5, 15), [-126.58, -1]);
  assert.equal(reach(floats(0, 10, 20, 30, 40), [band], 21, 29), null);
});

test("a mark by itself is a line, many of them are ticks apart from each other", () => {
  assert.deepEqual(marks([500, 100], 12, 2), [{ at: 100, dense: false }, { at: 500, dense: false }]);
  assert.deepEqual(marks([100, 105, 106, 200], 12, 2), [{ at: 100, dense: true }, { at: 105, dense: true }, { at: 200, dense: false }]);
  const many = marks(Array.from({ length: 1600 }, (_, i) => i / 2), 12, 2);
  assert.equal(many.length, 400);
  assert.ok(many.every((m) => m.dense));
});

test("states are stretches of one value", () => {
  assert.deepEqual(stretches(floats(1, 1, NaN, NaN, 2), 5), [[0, 2, 1], [4, 5, 2]]);
});

test("a small chart is a path: lines, dots for what stands alone", () => {
  assert.equal(shape(floats(0, 10), 11, 12), "M0.500 10.000L10.500 2.000");
  assert.equal(shape(floats(5, NaN, 5), 21, 12), "M0.500 10.000H1.500M20.500 10.000H21.500");
  assert.equal(shape(floats(NaN), 10, 10), "");
});

test("a chart takes finite values, and a logarithmic axis positive ones", () => {
  assert.deepEqual(points(floats(2, NaN, -3, 0, Infinity), 10, false), [20, null, -30, 0, null]);
  assert.deepEqual(points(floats(2, NaN, -3, 0, Infinity), 10, true), [20, null, null, null, null]);
});

test("a band has a run between two gaps, and reaches to the values just outside the window", () => {
  const times = floats(0, 10, 20, 30, 40, 50);
  assert.deepEqual(runs(times, floats(1, 2, NaN, 4, 5, 6), 0, 50), [[0, 1], [3, 5]]);
  assert.deepEqual(runs(times, floats(1, 2, 3, 4, 5, 6), 15, 25), [[1, 3]]);
  assert.deepEqual(runs(times, floats(NaN, NaN, 3, NaN, NaN, NaN), 0, 50), [[2, 2]]);
  assert.deepEqual(runs(times, floats(1, 2, 3, 4, 5, 6), 60, 70), []);
});

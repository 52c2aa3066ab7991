import assert from "node:assert/strict";
import test from "node:test";
import { brief, decimalsIn, decimalsOf, number, short } from "../static/charts/number.js";

test("numbers have so many decimals, a real minus sign and commas", () => {
  assert.equal(number(1234.5, 1), "1,234.5");
  assert.equal(number(-3, 0), "\u22123");
  assert.equal(number(0, 2), "0");
});

test("what rounds to nothing says so, with its sign", () => {
  assert.equal(number(0.004, 2), "<0.01");
  assert.equal(number(-0.004, 2), ">\u22120.01");
});

test("what is no number has a sign of its own", () => {
  assert.equal(number(NaN, 2), "–");
  assert.equal(number(undefined, 2), "–");
  assert.equal(number(Infinity, 2), "\u221e");
  assert.equal(number(-Infinity, 2), "\u2212\u221e");
  assert.equal(number(-1.5e15, 0), "\u22121.500e+15");
});

test("a letter stands for the size of long numbers", () => {
  assert.equal(brief(9999, 0), "9,999");
  assert.equal(brief(57000, 0), "57k");
  assert.equal(brief(999_000, 2), "999k");
  assert.equal(brief(1.5e6, 0), "1.5M");
  assert.equal(brief(-12e9, 0), "\u221212G");
});

test("the legend has room for six characters", () => {
  assert.equal(short(12.345, 2), "12.35");
  assert.equal(short(12345.678, 2), "12.3k");
  assert.equal(short(123456.78, 2), "123.5k");
  assert.equal(short(0.000123, 6), "1.2e\u22124");
  assert.equal(short(null, 2), "–");
});

test("a number has two significant digits or more, and no decimals if it is whole", () => {
  assert.deepEqual([7, 1234.5, 123.45, 12.345, 0.1234, 0.01234, 0.00001234, 1e-12, -0.5].map(decimalsOf), [0, 0, 1, 2, 2, 3, 6, 9, 2]);
});

test("a number beside thousands has digits of its own", () => {
  assert.deepEqual([0.4, 99.7, 5000, 4999.6, 7, 0, -0.03].map((v) => short(v, decimalsIn(v, 0))), ["0.40", "99.70", "5,000", "5,000", "7", "0", "\u22120.030"]);
  assert.equal(short(0.44, decimalsIn(0.44, 1)), "0.4");
  assert.equal(short(NaN, decimalsIn(NaN, 0)), "–");
});

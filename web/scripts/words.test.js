import assert from "node:assert/strict";
import test from "node:test";
import { csv } from "../static/embed/csv.js";
import { fromWire, toWire } from "../static/wire.js";
import { list, short } from "../static/scope/words.js";

test("a list is split at commas outside brackets and quotes", () => {
  assert.deepEqual(list('a.b, rate(c, d) , x["1,2"],, "p,q"'), ["a.b", "rate(c, d)", 'x["1,2"]', '"p,q"']);
  assert.deepEqual(list(null), []);
});

test("numbers of the elements have three or four figures", () => {
  assert.deepEqual([0, 12, 1.5, 123.456, 0.1234, 12345, 2.5e6, 1e-4, NaN].map(short),
    ["0", "12", "1.50", "123.5", "0.123", "12.35 k", "2.50 M", "1.00e-4", "–"]);
});

test("a frame is a table with times in UTC, exact values and nothing for a gap", () => {
  const column = { metric: "a", instance: { id: 1, name: "x,y" }, units: "count", values: Float64Array.of(1, NaN), exact: BigInt64Array.of(9007199254740993n, 0n) };
  const text = csv(/** @type {any} */ ({ start: 1_700_000_000_000_000_000n, times: Float64Array.of(0, 0.5), columns: [column] }));
  assert.equal(text, 'time,"a[x,y] (count)"\r\n2023-11-14T22:13:20Z,9007199254740993\r\n2023-11-14T22:13:20.500Z,\r\n');
});

test("messages hold what JSON lacks", () => {
  const data = new ArrayBuffer(32);
  new Float64Array(data).set([1.5, NaN]);
  new BigInt64Array(data, 16).set([-5n]);
  new Uint8Array(data, 24).set([7, 8]);
  const text = '{"t":{"#":"-9223372036854775808"},"n":{"~":"NaN"},"f":{"@f":[0,2]},"i":{"@i":[16,1]},"b":{"@b":[24,2]},"l":{"$":{"#":"as it is"}}}';
  assert.deepEqual(fromWire({ text, data }), {
    t: -9223372036854775808n, n: NaN, f: Float64Array.of(1.5, NaN), i: BigInt64Array.of(-5n), b: Uint8Array.of(7, 8), l: { "#": "as it is" },
  });
});

test("arrays may be parts of the message's data, or of another's, without a copy", () => {
  const data = new ArrayBuffer(16), other = new ArrayBuffer(24);
  new Float64Array(other).set([1, 2, 3]);
  const read = fromWire({ text: '{"a":{"@f":[0,2]},"b":{"@f":[8,2,0]}}', data, blobs: [other] }, true);
  assert.equal(read.a.buffer, data);
  assert.equal(read.b.buffer, other);
  assert.deepEqual([...read.b], [2, 3]);
  assert.notEqual(fromWire({ text: '{"@f":[0,2]}', data }).buffer, data);
});

test("what this side sends has texts for what JSON lacks", () => {
  assert.deepEqual(toWire({ t: 5n, n: -Infinity }), { text: '{"t":{"#":"5"},"n":{"~":"-Infinity"}}', data: null, blobs: [] });
});

test("an invalid Date is not taken for a time that is left out", () => {
  const { text } = toWire({ start: new Date("x"), end: new Date(0), zone: null, at: undefined });
  assert.equal(text, '{"start":{"~":"NaN"},"end":"1970-01-01T00:00:00.000Z","zone":null}');
});

test("tables are lists of objects, without the optional fields that a row has not", () => {
  const data = new ArrayBuffer(32);
  new Float64Array(data).set([3, 4, 0, 1]);
  const text = '{"%":[2,{"n":{"@f":[0,2]},"?s":{"&":[["x",null],{"@f":[16,2]}]}}]}';
  assert.deepEqual(fromWire({ text, data }), [{ n: 3, s: "x" }, { n: 4 }]);
});

import assert from "node:assert/strict";
import test from "node:test";
import { cellsOf, Dataset, placeOf } from "../static/fleet/data.js";
import { Kept } from "../static/fleet/kept.js";
import { change, grouped, highest, hoursOfColumn, outliers, sorted } from "../static/fleet/order.js";
import { mapped, Pace, parse } from "../static/pace.js";
import { sql } from "../static/fleet/sql.js";

const row = (/** @type {string} */ host, /** @type {number[]} */ values, label = "") => ({ host, values: Float32Array.from(values), label });
const names = (/** @type {{ host: string }[]} */ rows) => rows.map((r) => r.host).join(" ");

test("a section lies where the lengths before it end", () => {
  const manifest = /** @type {any} */ ({ sections: ["hosts", "findings", "mean/a", "mean/b"] }), day = /** @type {any} */ ({ lengths: [10, 0, 7, 5] });
  assert.deepEqual(placeOf(manifest, day, "mean/b"), { offset: 17, lengths: [5] });
  assert.deepEqual(placeOf(manifest, day, "hosts", "mean/a"), { offset: 0, lengths: [10, 0, 7] });
  assert.equal(placeOf(manifest, day, "max/a"), null);
  assert.equal(placeOf(manifest, /** @type {any} */ ({ lengths: [10] }), "mean/a"), null);
});

test("cells are floats, little-endian; a section of another size is none", () => {
  const data = new ArrayBuffer(96);
  new DataView(data).setFloat32(4, 1.5, true);
  assert.equal(cellsOf(data, 1)[1], 1.5);
  assert.ok(Number.isNaN(cellsOf(undefined, 2)[47]));
  assert.throws(() => cellsOf(data, 2));
});

test("hours are put together until they have room", () => {
  assert.equal(hoursOfColumn(720, 900), 1);
  assert.equal(hoursOfColumn(720, 260), 3);
  assert.equal(hoursOfColumn(8760, 260), 24);
  assert.equal(highest(Float32Array.from([1, 5, NaN, 7]), 0, 3), 1);
  assert.equal(highest(Float32Array.from([NaN]), 0, 3), -1);
});

test("hosts by their worst hour, their change and their name; those without values last", () => {
  const rows = [row("c", [1, 1, 9, 9]), row("a", [20, 1, 1, 1]), row("b", [NaN, NaN, NaN, NaN]), row("d", [9, NaN, 1, 1])];
  assert.equal(names(sorted(rows, "worst")), "a c d b");
  assert.equal(names(sorted(rows, "change")), "c d a b");
  assert.equal(names(sorted(rows, "name")), "a b c d");
  assert.equal(change(Float32Array.from([1, 3, 5, 5])), 3);
  assert.deepEqual(grouped([row("x", [], ""), row("y", [], "db"), row("z", [], "web"), row("w", [], "db")]).map((g) => `${g.label}:${names(g.rows)}`), ["db:y w", "web:z", ":x"]);
});

test("who is far from the median of all stands out", () => {
  assert.deepEqual(outliers([10, 11, 12, 11, 10, 90, undefined]).map((o) => [o.host, o.value, o.usual]), [[5, 90, 11]]);
  assert.deepEqual(outliers([10, 11, 12, 90]), [], "of too few nothing is usual");
  assert.deepEqual(outliers([0, 0, 0, 0, 0, 0]), []);
  assert.deepEqual(outliers([50, 50, 50, 50, 51, 50]), [], "a fiftieth is no distance");
  assert.equal(outliers([50, 52, 48, 51, 49, 2])[0].host, 5, "and who is far below");
});

test("names in the SQL are quoted", () => {
  assert.match(sql({ urls: ["https://x/it's"], measure: "cpu.busy", statistic: "p95", from: "2026-11-01", to: "2026-11-02", filter: "O'b" }), /max\(p95\)[\s\S]*'https:\/\/x\/it''s'[\s\S]*contains\(lower\(host\), 'o''b'\)/);
});

test("long JSON is parsed in parts, as the browser parses it", async () => {
  const many = (/** @type {(i: number) => unknown} */ f, n = 30_000) => Array.from({ length: n }, (_, i) => f(i)), long = "a\\\"]},".repeat(20_000);
  for (const v of [
    many((i) => i), many((i) => ({ host: `h${i}`, deep: [[{ a: "]" }], "}"] })), { hosts: many((i) => [i, `"${i}\\`]), days: [], n: null, more: { x: many(String) } },
    { [long]: long, "a:b": many(String), __proto__: 1, "": [] }, [long, [long, 1], {}], many(() => long, 5), JSON.parse(`{"__proto__": ${JSON.stringify(many(String))}}`), long,
  ]) {
    for (const space of [0, 1]) {
      const text = ` ${JSON.stringify(v, null, space)}\n`;
      assert.deepEqual(await parse(text, new Pace()), JSON.parse(text));
    }
  }
  const list = JSON.stringify(many(String)), inside = list.slice(1, -1);
  for (const bad of [`[${inside},]`, `[,${inside}]`, `[${inside}}`, `{${inside}]`, `[${inside}]]`, `[[${inside}]`, `[${inside},,${inside}]`, `{"a":${list},}`, `{"a" ${list}}`, `{a:${list}}`, `{:${list}}`, `{${list}}`,
    `[${list} 1]`, `[1 ${list}]`, `["${inside}`, `[${inside}],[${inside}]`, "[".repeat(200_000), `${"[".repeat(50_000)}${inside}${"]".repeat(50_000)}`, `${list}x`, `nul${long}`]) {
    await assert.rejects(parse(bad, new Pace()), SyntaxError, bad.slice(0, 20));
  }
  assert.deepEqual(await mapped(many(Number), (v, i) => Number(v) - i, new Pace()), many(() => 0));
});

test("what was used longest ago is forgotten for what is new, but nothing that is needed", () => {
  const kept = new Kept(100), gone = /** @type {string[]} */ ([]), none = () => false;
  const add = (/** @type {string} */ key, /** @type {number} */ bytes, needed = none) => kept.add(key, bytes, () => gone.push(key), needed);
  assert.ok(add("a", 40) && add("b", 40) && add("c", 20));
  kept.use("a");
  assert.ok(add("d", 30));
  assert.deepEqual([gone.join(" "), kept.bytes], ["b", 90]);
  assert.ok(!add("e", 61, (key) => key === "a"), "a and what is new are more than there is room for");
  assert.deepEqual([gone.join(" "), kept.bytes], ["b", 90]);
  assert.ok(add("e", 60, (key) => key === "c" || key === "d") === false && add("e", 50, (key) => key === "c" || key === "d"));
  assert.deepEqual([gone.join(" "), kept.bytes], ["b a", 100]);
  assert.ok(!add("f", 101));
  assert.ok(add("e", 10), "kept anew, with another size");
  kept.drop("c");
  kept.drop("nothing of the kind");
  assert.deepEqual([gone.join(" "), kept.bytes], ["b a e c", 40]);
});

test("of a response as many bytes are read as are wanted", async () => {
  const set = new Dataset("set/", "http://127.0.0.1/"), bytes = Uint8Array.from({ length: 100 }, (_, i) => i);
  Object.assign(set.manifest, { sections: ["hosts", "findings", "mean/a"] });
  const day = /** @type {any} */ ({ page: { name: "page" }, lengths: [10, 20, 5] });
  let left = 0;
  for (const [status, each, length] of [[200, 7, 100], [206, 3, 25], [200, 100, 100], [200, 1, 33]]) {
    set.ask = async () => {
      let at = status === 200 ? 0 : 10;
      const end = status === 200 ? length : 10 + length;
      const body = new ReadableStream({
        pull(c) {
          if (at < end) c.enqueue(bytes.subarray(at, at = Math.min(end, at + each)));
          else c.close();
        },
      }, { highWaterMark: 0 });
      left = 0;
      return /** @type {any} */ ({ status, body: { getReader: () => { const r = body.getReader(); return { read: () => (left = end - at, r.read()), cancel: () => r.cancel() }; } } });
    };
    const read = set.sections(day, "findings", "mean/a");
    if (length < 35 && status === 200) await assert.rejects(read, /has 23 of 25 bytes/);
    else assert.deepEqual((await read).map((p) => [p[0], p.length]), [[10, 20], [30, 5]]);
    if (status === 200 && each === 7) assert.ok(left > 60, `${left} bytes are left unread`);
  }
  day.lengths = [10, 2 ** 31, 2 ** 31];
  await assert.rejects(set.sections(day, "findings", "mean/a"), /more than 64 MiB/);
});

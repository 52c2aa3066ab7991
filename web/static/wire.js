// Messages to and from the engine: how values are encoded for them and
// decoded. wasm/rpc is the other side.

/** @import { Wire } from "../scripts/page.js" */
import { Pace, parse } from "./pace.js";

/**
 * Encodes a value as a message: see wasm/rpc, Message. The page's own scripts use it too.
 * @param {unknown} value
 * @returns {Wire}
 */
export function toWire(value) {
  /** @type {Blob[]} */
  const blobs = [];
  const text = JSON.stringify(value, /** @this {any} @param {string} key @param {unknown} v */ function (key, v) {
    if (v === null && this[key] !== null) return { "~": "NaN" }; // an invalid Date: as null, it would be no limit
    if (typeof v === "bigint") return { "#": String(v) };
    if (typeof v === "number" && !Number.isFinite(v)) return { "~": String(v) };
    if (v instanceof Blob) return { "@": blobs.push(v) - 1 };
    return v;
  });
  return { text, data: null, blobs };
}

/**
 * The rows of a summary. There may be tens of thousands, and browsers create
 * object literals many times faster than they set properties by name.
 * @param {object[]} rows
 * @param {number} from @param {number} to
 * @param {any[][]} distinct the values of the first four columns
 * @param {any[]} columns arrays of numbers
 */
function summaries(rows, from, to, distinct, columns) {
  const [metrics, instances, units, semantics] = distinct;
  const [metric, instance, unit, sem, timeAverage, stochasticAverage, sum, count, minimum, minimumAt, maximum, maximumAt,
    median, p95, p99, stddev, covered] = columns;
  for (let i = from; i < to; i++) {
    rows[i] = {
      metric: metrics[metric[i]], instance: instances[instance[i]], units: units[unit[i]], semantics: semantics[sem[i]],
      timeAverage: timeAverage[i], stochasticAverage: stochasticAverage[i], sum: sum[i], count: count[i],
      minimum: minimum[i], minimumAt: minimumAt[i], maximum: maximum[i], maximumAt: maximumAt[i],
      median: median[i], p95: p95[i], p99: p99[i], stddev: stddev[i], covered: covered[i],
    };
  }
}

const summaryFields = "metric,instance,units,semantics,timeAverage,stochasticAverage,sum,count,minimum,minimumAt,maximum,maximumAt,"
  + "median,p95,p99,stddev,covered"; // without bins

/**
 * Decodes a generated summary a few times, for some milliseconds, while the
 * page waits for files: JavaScript runs slowly at first, and the first real
 * summary is as long as any. The engine does likewise (wasm/engine, warm).
 */
export function warmUp() {
  const count = 1000, data = new ArrayBuffer(8 * count);
  const columns = summaryFields.split(",").map((name, i) => {
    const numbers = { [name.endsWith("At") ? "@i" : "@f"]: [0, count] };
    return [name, i < 4 ? { "&": [[""], numbers] } : numbers];
  });
  const text = JSON.stringify({ "%": [count, Object.fromEntries(columns)] });
  for (let i = 0; i < 8; i++) fromWire({ text, data });
}

/**
 * Decodes a message. The page's own scripts may leave arrays in the
 * message's data, so that nothing is copied.
 * @param {Wire} wire
 * @param {boolean} [parts]
 * @returns {any}
 */
export function fromWire(wire, parts = false) { return decoder(wire, parts).revive(JSON.parse(wire.text)); }

const long = 256 << 10; // characters of a message that is decoded in several tasks

/** Decodes a reply; a long one in short tasks, so that the page responds meanwhile. @param {Wire} wire @returns {Promise<any>} */
export async function decoded(wire) {
  if (wire.text.length <= long) return fromWire(wire);
  const pace = new Pace(), { revive, table } = decoder(wire, false);
  // Only tables, and lists that are the reply itself or one of its fields, can be long.
  const inside = async (/** @type {any} */ v, /** @type {number} */ levels) => {
    if (v === null || typeof v !== "object" || levels === 0) return revive(v);
    if ("%" in v) {
      const { rows, fill } = table(v["%"]), some = 1000;
      for (let i = 0; i < rows.length; i += some) {
        if (pace.due()) await pace.rest();
        fill(i, Math.min(i + some, rows.length));
      }
      return rows;
    }
    if (!Array.isArray(v) && Object.keys(v).length === 1 && markers.has(Object.keys(v)[0])) return revive(v);
    for (const key of Array.isArray(v) ? v.keys() : Object.keys(v)) {
      if (pace.due()) await pace.rest();
      v[key] = levels === 1 ? revive(v[key]) : await inside(v[key], levels - 1);
    }
    return v;
  };
  return inside(await parse(wire.text, pace, Infinity), 2);
}

const markers = new Set(["#", "~", "$", "@f", "@i", "@u", "@b", "@"]);

/** Decodes the values of a message. @param {Wire} wire @param {boolean} parts */
function decoder({ data, blobs }, parts) {
  /** @type {<T>(type: { new (buffer: ArrayBuffer, from?: number, count?: number): T, BYTES_PER_ELEMENT: number }, place: [number, number, number?]) => T} */
  const array = (type, [from, count, blob]) => {
    const buffer = blob === undefined ? data ?? new ArrayBuffer(0) : /** @type {ArrayBuffer} */ (blobs?.[blob]);
    return parts ? new type(buffer, from, count) : new type(buffer.slice(from, from + type.BYTES_PER_ELEMENT * count));
  };
  const revive = (/** @type {any} */ v) => {
    if (v === null || typeof v !== "object") return v;
    if (Array.isArray(v)) {
      for (let i = 0; i < v.length; i++) v[i] = revive(v[i]);
      return v;
    }
    for (const key in v) {
      switch (key) { // a marker object has exactly one field, and no other field has such a name
        case "#": return BigInt(v[key]);
        case "~": return Number(v[key]);
        case "$": return v[key];
        case "@f": return array(Float64Array, v[key]);
        case "@i": return array(BigInt64Array, v[key]);
        case "@u": return array(BigUint64Array, v[key]);
        case "@b": return array(Uint8Array, v[key]);
        case "@": return blobs?.[v[key]];
        case "%": {
          const { rows, fill } = table(v[key]);
          fill(0, rows.length);
          return rows;
        }
      }
      const x = v[key];
      if (x !== null && typeof x === "object") v[key] = revive(x);
    }
    return v;
  };
  const cells = (/** @type {any} */ marker) => { // of a column: only read here, so not copied
    const [at, count] = marker["@f"] ?? marker["@i"], bytes = data ?? new ArrayBuffer(0);
    return "@f" in marker ? new Float64Array(bytes, at, count) : new BigInt64Array(bytes, at, count);
  };
  const table = (/** @type {[number, any]} */ [count, columns]) => {
    const names = Object.keys(columns);
    /** @type {any[]} */
    const rows = new Array(count);
    const distinct = names.map((name) => columns[name]["&"]?.[0].map(revive));
    const at = names.map((name, i) => cells(distinct[i] ? columns[name]["&"][1] : columns[name]));
    const fill = (/** @type {number} */ from, /** @type {number} */ to) => { // some of the rows
      if (names.join() === summaryFields) return summaries(rows, from, to, distinct, at);
      for (let i = from; i < to; i++) rows[i] = {};
      names.forEach((key, k) => {
        const optional = key[0] === "?", name = optional ? key.slice(1) : key, values = distinct[k], column = at[k];
        for (let i = from; i < to; i++) {
          const value = values ? values[Number(column[i])] : column[i];
          if (!optional || value !== null) rows[i][name] = value;
        }
      });
    };
    return { rows, fill };
  };
  return { revive, table };
}

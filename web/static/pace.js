// Long work in short tasks, between which the page responds.

const maxTask = 15; // milliseconds

/** The pace of one piece of work: `if (pace.due()) await pace.rest()`. Short work is done at once. */
export class Pace {
  since = performance.now();

  due() { return performance.now() - this.since > maxTask; }

  async rest() {
    const { port1, port2 } = new MessageChannel(); // setTimeout would wait for 4 ms
    await new Promise((done) => {
      port1.onmessage = done;
      port2.postMessage(0);
    });
    port1.close();
    this.since = performance.now();
  }
}

/** Array.map. @template T, R @param {T[]} list @param {(one: T, i: number) => R} act @param {Pace} pace @returns {Promise<R[]>} */
export async function mapped(list, act, pace) {
  const out = [];
  for (let i = 0; i < list.length; i++) {
    if (i % 64 === 0 && pace.due()) await pace.rest();
    out.push(act(list[i], i));
  }
  return out;
}

const whole = 64 << 10; // characters that are parsed at once

/**
 * JSON.parse. Of long lists and objects, a few members are parsed at a time.
 * @param {string} json @param {Pace} pace @param {number} [levels] how deep long ones may be nested @returns {Promise<any>}
 */
export async function parse(json, pace, levels = 4) {
  const text = json.trim(), list = text[0] === "[", end = text.length - 1;
  if (text.length <= whole || (!list && text[0] !== "{")) return JSON.parse(text);
  if (levels === 0) throw new SyntaxError("the JSON is nested too deeply");
  if (text[end] !== (list ? "]" : "}")) throw new SyntaxError("the JSON does not end");
  /** @type {any[]} */
  const out = []; // elements, or [key, value]
  let open = 0, from = 1, start = 1, checked = 0; // of the piece, and of the member in it
  const take = (/** @type {number} */ to) => {
    const some = JSON.parse(list ? `[${text.slice(from, to)}]` : `{${text.slice(from, to)}}`), members = list ? some : Object.entries(some);
    if (!members.length && (to < end || from > 1)) throw new SyntaxError("a member is missing");
    for (const m of members) out.push(m);
    from = to + 1;
  };
  for (let i = 1; i <= end; i++) {
    if (i > checked) {
      if (pace.due()) await pace.rest();
      checked = i + whole;
    }
    switch (text[i]) {
      case '"':
        i = closing(text, i);
        break;
      case "[": case "{":
        open++;
        break;
      case "]": case "}":
        if (open-- > 0) break;
        if (i < end) throw new SyntaxError("something follows the end"); // falls through
      case ",":
        if (open > 0) break;
        if (i - start > whole) { // a member that is long itself
          if (start > from) take(start - 1);
          const key = list ? -1 : closing(text, text.indexOf('"', start)), colon = text.indexOf(":", key);
          const value = await parse(text.slice(list ? start : colon + 1, i), pace, levels - 1);
          out.push(list ? value : [JSON.parse(text.slice(start, colon)), value]);
          from = i + 1;
        } else if (i - from > whole || i === end) take(i);
        start = i + 1;
    }
  }
  if (open >= 0) throw new SyntaxError("the JSON does not end");
  return list ? out : Object.fromEntries(out);
}

/** Where the string that begins at a position ends. @param {string} text @param {number} at */
function closing(text, at) {
  for (;;) {
    at = text.indexOf('"', at + 1);
    if (at < 0) throw new SyntaxError("a string does not end");
    let slashes = 0;
    while (text[at - 1 - slashes] === "\\") slashes++;
    if (slashes % 2 === 0) return at;
  }
}

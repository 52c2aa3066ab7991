import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { runInNewContext } from "node:vm";

const script = readFileSync(new URL("../static/names.js", import.meta.url), "utf8");

/** What is printed of a text, and what is asked for: names are of functions 0 to 17, if there are any. */
const printed = (/** @type {string} */ text, /** @type {boolean} */ there) => {
  let out = "";
  /** @type {string[]} */
  const asked = [];
  const fs = { writeSync: (/** @type {number} */ fd, /** @type {Uint8Array} */ bytes) => { out += new TextDecoder().decode(bytes); return bytes.length; } };
  class XMLHttpRequest {
    status = there ? 200 : 404;
    responseText = Array.from({ length: 18 }, (_, n) => `main.f${n}`).join("\n");
    open(/** @type {string} */ method, /** @type {string} */ name) { asked.push(name); }
    send() {}
  }
  runInNewContext(script, { fs, XMLHttpRequest, TextDecoder, TextEncoder });
  const bytes = new TextEncoder().encode(text);
  assert.equal(fs.writeSync(2, bytes), bytes.length);
  return { out, asked };
};

test("numbered functions are named in what a program prints", () => {
  assert.deepEqual(printed("f.aaba(0x1)\nmain.main()\n\tf.aaab, f.abcz\n", true), { out: "main.f16(0x1)\nmain.main()\n\tmain.f1, f.abcz\n", asked: ["app.names.txt"] });
});

test("functions of the runtime are numbered, too", () => {
  assert.deepEqual(printed("runtime.f.aaac(...)\n", true), { out: "main.f2(...)\n", asked: ["app.names.txt"] });
});

test("without their names they keep their numbers", () => {
  assert.deepEqual(printed("f.aaba()\n", false), { out: "f.aaba()\n", asked: ["app.names.txt"] });
});

test("nothing is loaded for other output", () => {
  assert.deepEqual(printed("µ: if.aaaa is none\n", true), { out: "µ: if.aaaa is none\n", asked: [] });
});

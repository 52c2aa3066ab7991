// The engine's worker: receives the compiled program from pcpscope.js and runs it. From
// then on the program answers messages itself (wasm/engine). The engine's own workers run
// this script, too, and run the program while they have jobs.
"use strict";
importScripts("wasm_exec.js");

// Go's last output before it exits says why.
let printed = "";
const { writeSync } = fs;
const decoder = new TextDecoder();
fs.writeSync = (/** @type {number} */ fd, /** @type {Uint8Array} */ bytes) => {
  printed = (printed + decoder.decode(bytes)).slice(-20000);
  return writeSync(fd, bytes);
};

self.onmessage = run;

let kept = 0; // memories of the programs run here, including those that have ended
const watched = new FinalizationRegistry(() => kept--);

/**
 * Has the browser take back the memory of a program that has ended. A worker that does
 * nothing may not be collected for minutes, and browsers collect by what is allocated:
 * so buffers are allocated, which take no memory as long as nobody writes to them.
 */
async function collect() {
  for (let i = 0; i < 64 && kept > 0 && self.onmessage === run; i++) {
    new ArrayBuffer(16 << 20);
    await new Promise((done) => setTimeout(done, 20));
  }
}

/**
 * Reads a part of a file for the engine. A browser delivers it in many small steps to the
 * thread that asks, for which the engine has no time.
 * @typedef {{ program?: undefined, read: Blob, from: number, to: number, number: number }} Part
 * @param {Part} part
 */
async function read({ read, from, to, number }) {
  try {
    const bytes = await read.slice(from, to).arrayBuffer();
    postMessage({ number, bytes }, [bytes]);
  } catch {
    postMessage({ number }); // the engine tries it itself, and says why not
  }
}

/** @param {MessageEvent<{ program: WebAssembly.Module, job?: unknown, env: Record<string, string>, read?: undefined } | Part>} event */
async function run({ data }) {
  if (data.read) return read(data);
  if (!data.program) return; // for a program that has exited
  self.onmessage = null;
  self.pcpscopeProgram = data.program; // for workers that it starts
  self.pcpscopeJob = data.job;
  const go = new Go();
  Object.assign(go.env, data.env);
  let why = "it ended";
  try {
    const instance = await WebAssembly.instantiate(data.program, go.importObject);
    watched.register(/** @type {WebAssembly.Memory} */ (instance.exports.mem), null);
    kept++;
    await go.run(instance);
  } catch (e) {
    why = String(e);
  }
  if (data.job) {
    self.onmessage = run;
    postMessage({ idle: true });
    collect().catch(() => { /* where not even this can be had, the browser collects anyway */ });
    return;
  }
  postMessage({ stopped: printed.match(/^(panic|fatal error|runtime): .*$/m)?.[0] ?? why });
}

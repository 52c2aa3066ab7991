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

/** @param {MessageEvent<{ program: WebAssembly.Module, job?: unknown, env: Record<string, string> }>} event */
async function run({ data }) {
  if (!data.program) return; // for a program that has exited
  self.onmessage = null;
  self.pcpscopeProgram = data.program; // for workers that it starts
  self.pcpscopeJob = data.job;
  const go = new Go();
  Object.assign(go.env, data.env);
  let why = "it ended";
  try {
    await go.run(await WebAssembly.instantiate(data.program, go.importObject));
  } catch (e) {
    why = String(e);
  }
  if (data.job) {
    self.onmessage = run;
    postMessage({ idle: true });
    return;
  }
  postMessage({ stopped: printed.match(/^(panic|fatal error|runtime): .*$/m)?.[0] ?? why });
}

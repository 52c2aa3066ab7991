// The engine's worker: gets the compiled program from pcpscope.js and runs
// it. From then on the program answers messages itself (wasm/engine).
"use strict";
importScripts("wasm_exec.js");

onmessage = async ({ data }) => {
  onmessage = null;
  const go = new Go();
  Object.assign(go.env, data.env);
  let why;
  try {
    await go.run(await WebAssembly.instantiate(data.program, go.importObject));
    why = "it ended";
  } catch (e) {
    why = String(e);
  }
  postMessage({ stopped: why });
};

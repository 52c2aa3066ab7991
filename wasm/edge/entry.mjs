// The Worker's entry: one Go program answers all requests of an isolate,
// concurrently. Starting one takes as long as answering several requests.

import "./wasm_exec.js";
import module from "./app.wasm";

globalThis.tryCatch = (act) => {
  try {
    return { result: act() };
  } catch (error) {
    return { error };
  }
};

const most = 10_000; // requests after which a program is replaced by a new one

let program = null;

async function start(env, ctx) {
  const go = new Go(), binding = {};
  const answers = { handle: null, hear: null, left: most };
  await new Promise((ready, failed) => {
    const instance = new WebAssembly.Instance(module, { ...go.importObject, workers: { ready } });
    const ended = () => {
      if (program === answers) program = null;
      failed(new Error("the program ended"));
    };
    go.run(instance, { env, ctx, binding }).then(ended, ended);
  });
  answers.handle = binding.handleRequest;
  answers.hear = binding.handleQueueMessageBatch;
  return answers;
}

async function running(env, ctx) {
  // A request must only await promises of its own, so this is not shared
  // across requests.
  const answers = program ?? await start(env, ctx);
  program ??= answers;
  if (--answers.left <= 0) program = null;
  return answers;
}

export default {
  async fetch(request, env, ctx) { return (await running(env, ctx)).handle(request); },
  // Objects added to or removed from the bucket, for the catalogue.
  async queue(batch, env, ctx) { return (await running(env, ctx)).hear(batch); },
};

// Runs the Worker in workerd as it is deployed, with the files of a folder in
// its bucket:
//   node edge.mjs '{"worker", "entry", "dist", "archives", "vars", "first", "html", "date"}'
// first and html are what wrangler.toml calls run_worker_first and
// html_handling. Prints its address and ends when its input does. A line of
// input is a file for the bucket, {"key", "bytes" in base64}, of which the Worker
// is told as R2's event notifications tell.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Miniflare } from "miniflare";

const { worker, entry, dist, archives, vars, first, html, date } = JSON.parse(process.argv[2]);

const module = (type, path) => ({ type, path: join(worker, path), contents: readFileSync(join(worker, path)) });
const mf = new Miniflare({
  port: 0,
  host: "127.0.0.1",
  modulesRoot: worker,
  modules: [module("ESModule", entry), module("ESModule", "wasm_exec.js"), module("CompiledWasm", "app.wasm")],
  compatibilityDate: date,
  bindings: vars,
  assets: {
    directory: dist,
    binding: "ASSETS",
    routerConfig: { has_user_worker: true, invoke_user_worker_ahead_of_assets: first },
    assetConfig: { html_handling: html },
  },
  r2Buckets: ["ARCHIVES"],
  queueProducers: { TOLD: "pcp-archives" },
  queueConsumers: { "pcp-archives": { maxBatchTimeout: 1 } },
});
const bucket = await mf.getR2Bucket("ARCHIVES");
for (const name of readdirSync(archives)) {
  const bytes = readFileSync(join(archives, name)); // not as a Buffer: the proxy knows plain ones only
  await bucket.put(`web01/20261121.${name}`, bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}
console.log(String(await mf.ready));

const told = await mf.getQueueProducer("TOLD");
for await (const line of createInterface(process.stdin)) {
  const { key, bytes } = JSON.parse(line);
  const data = Buffer.from(bytes, "base64");
  await bucket.put(key, data.buffer.slice(data.byteOffset, data.byteOffset + data.length));
  await told.send({ account: "a", bucket: "pcp-archives", eventTime: new Date().toISOString(), action: "PutObject", object: { key, size: data.length } });
}
await mf.dispose();
process.exit();

// Runs the Worker in workerd as it is deployed, with the files of a folder in
// its bucket:
//   node edge.mjs '{"worker", "entry", "dist", "archives", "vars", "first", "html", "date"}'
// first and html are what wrangler.toml calls run_worker_first and
// html_handling. Prints its address and ends when its input does.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
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
});
const bucket = await mf.getR2Bucket("ARCHIVES");
for (const name of readdirSync(archives)) {
  const bytes = readFileSync(join(archives, name)); // not as a Buffer: the proxy knows plain ones only
  await bucket.put(`web01/20261121.${name}`, bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}
console.log(String(await mf.ready));

process.stdin.resume().on("end", async () => {
  await mf.dispose();
  process.exit();
});

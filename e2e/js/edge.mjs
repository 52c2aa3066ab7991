// Runs the Worker in workerd, with the files of a folder in its bucket:
//   node edge.mjs WORKER DIST ARCHIVES TOKEN
// Prints its address and ends when its input does.
import { createReadStream, readFileSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { Miniflare } from "miniflare";

const [worker, dist, archives, token] = process.argv.slice(2);

// What Cloudflare's asset server does, as far as the Worker asks for it.
const assets = createServer((request, response) => {
  const file = createReadStream(join(dist, new URL(request.url, "http://assets").pathname));
  file.on("open", () => response.writeHead(200, { "Content-Type": "application/octet-stream", ETag: '"asset"' }));
  file.on("error", () => response.writeHead(404).end());
  file.pipe(response);
}).listen(0, "127.0.0.1");
await new Promise((done) => assets.on("listening", done));

const module = (type, path) => ({ type, path: join(worker, path), contents: readFileSync(join(worker, path)) });
const mf = new Miniflare({
  port: 0,
  host: "127.0.0.1",
  modulesRoot: worker,
  modules: [module("ESModule", "worker.mjs"), module("ESModule", "wasm_exec.js"), module("ESModule", "runtime.mjs"), module("CompiledWasm", "app.wasm")],
  compatibilityDate: "2026-04-01",
  bindings: { READ_TOKEN: token },
  serviceBindings: { ASSETS: { external: { address: `127.0.0.1:${assets.address().port}`, http: {} } } },
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
  assets.close();
  process.exit();
});

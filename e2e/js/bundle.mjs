// Bundles an application with one of the bundlers, as it comes:
//   node bundle.mjs '{"tool": "vite", "dir": "…", "inline": false}'
// leaves the page in dir/out. "vite dev" serves it instead, prints the address,
// and ends when its input does.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

const { tool, dir, inline, line, copied } = JSON.parse(process.argv[2]);
const out = join(dir, "out"), define = { INLINE: String(inline) };
const page = () => {
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, "index.html"), readFileSync(join(dir, "index.html"), "utf8"));
};

switch (tool) {
  case "vite": {
    const { build } = await import("vite");
    await build({ root: dir, configFile: false, logLevel: "warn", define, build: { outDir: out, target: "esnext" } });
    break;
  }
  case "vite dev": {
    const { createServer } = await import("vite");
    const server = await createServer({ root: dir, configFile: false, logLevel: "warn", define, server: { port: 0, host: "127.0.0.1", hmr: false } });
    await server.listen();
    console.log(`http://127.0.0.1:${server.httpServer.address().port}/`);
    for await (const _ of process.stdin) { /* until it ends */ }
    await server.close();
    process.exit();
    break;
  }
  case "webpack": {
    const { default: webpack } = await import("webpack");
    const stats = await new Promise((done, failed) => webpack({
      mode: "production", context: dir, entry: "./main.js", output: { path: out, filename: "main.js", module: true }, experiments: { outputModule: true },
      plugins: [new webpack.DefinePlugin(define)], performance: false,
    }, (e, s) => (e ? failed(e) : done(s))));
    const { errors, warnings } = stats.toJson({ all: false, errors: true, warnings: true });
    if (errors.length + warnings.length) throw new Error([...errors, ...warnings].map((e) => e.message).join("\n"));
    page();
    break;
  }
  case "esbuild": { // its command line, from a guide
    const { execFileSync } = await import("node:child_process");
    page();
    execFileSync(join(import.meta.dirname, "node_modules/.bin/esbuild"), [...line.split(" ").slice(1), `--define:INLINE=${inline}`, "--log-level=warning"], { cwd: dir, stdio: ["ignore", "inherit", "inherit"] });
    for (const name of copied ?? []) copyFileSync(fileURLToPath(import.meta.resolve(name)), join(out, basename(name)));
    break;
  }
}
console.log("done");

// Checks archives in Node, without a browser: node node.mjs web01.meta web01.index web01.0
import { files, start } from "pcpscope/node";

const pcp = await start();
const { sources: [source], rejected: [refused] } = await pcp.open(await files(...process.argv.slice(2)));
if (!source) throw new Error(refused.fault.message);
const { ok, sentence } = await pcp.check({ source: source.id, expression: "kernel.all.load", above: 100, for: "1min" });
pcp.terminate(); // else Node waits for the engine
console.log(ok ? "ok" : "FAILED", sentence);
process.exitCode = ok ? 0 : 1;

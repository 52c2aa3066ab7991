// In Node: archives on a server, and what goes wrong.
import { openAsBlob } from "node:fs";
import { start } from "pcpscope";

const [server, file] = process.argv.slice(2);
const pcp = await start();
const said = (e) => console.log((e.fault.kind === "cancelled" ? "cancelled" : e.message).replace(/ \(.*/, ""));
const { sources: [source] } = await pcp.openURL([`${server}/archives/web01`]);
const frame = await pcp.fetch({ source: source.id, metrics: ["kernel.all.load"], mode: "raw" });
console.log(frame.columns.map((c) => c.values[0].toFixed(2)).join());
await pcp.open([{ name: "web01.meta", data: await openAsBlob(file) }]).catch(said); // such a Blob stays in its thread
await pcp.fetch({ source: 9, metrics: ["a"] }).catch(said);
await pcp.fetch({ source: source.id, metrics: ["kernel.all.load"] }, { signal: AbortSignal.abort() }).catch(said);
pcp.terminate();

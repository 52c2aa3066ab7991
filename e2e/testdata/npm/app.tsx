// The package's types, in React and in TypeScript: --strict has nothing to say.
import { start, type Frame } from "pcpscope";
import { PcpScope } from "pcpscope/element";
import type {} from "pcpscope/react";
import { files } from "pcpscope/node";
import { parts } from "pcpscope/inline";

export function Load({ host }: { host: string }) {
  return <pcp-scope src={`/archives/${host}`} metrics="kernel.all.load" view="table" read="window"
    onerror={(e) => console.error(e.detail.message)} onwindow={(e) => console.log(e.detail?.start)} className="load" />;
}

// @ts-expect-error there is no such view
export const wrong = <pcp-scope view="pie" />;

const heard = ({ detail }: CustomEvent<unknown>) => console.log(detail);
const element = document.createElement("pcp-scope");
element.addEventListener("loaded", heard);
element.removeEventListener("loaded", heard);
element.open([{ name: "a.0", data: new Uint8Array(8) }]);
Object.assign(PcpScope.settings, parts());

const pcp = await start({ worker: () => new Worker("worker.js") });
const opened = await pcp.open(await files("web01.meta"));
const frame: Frame = await pcp.fetch({ source: opened.sources[0]?.id ?? 0, metrics: ["kernel.all.load"], start: "2026-11-21T03:50:00Z" });
export const shared: Promise<typeof pcp> = PcpScope.engine();
export const last: number | undefined = frame.times.at(-1);

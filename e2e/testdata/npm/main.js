// An application of somebody's: the module and the element, with one engine.
import { PcpScope } from "pcpscope/element";

async function show() {
  if (INLINE) Object.assign(PcpScope.settings, (await import("pcpscope/inline")).parts());
  const at = new URLSearchParams(location.search).get("archives");
  const pcp = await PcpScope.engine();
  const { sources: [source] } = await pcp.openURL([at]);
  const frame = await pcp.fetch({ source: source.id, metrics: ["kernel.all.load"], mode: "raw" });
  const element = document.createElement("pcp-scope");
  element.setAttribute("src", at);
  element.setAttribute("metrics", "kernel.all.load");
  document.body.append(element);
  for (let s; s !== element.settled;) await (s = element.settled);
  document.title = `${frame.columns.map((c) => c.values[0].toFixed(2))} ${element.shadowRoot.querySelectorAll("canvas").length}`;
}

show();

// The user chooses an archive's files; the table says how busy each CPU was.
import { start } from "/pcpscope/pcpscope.js";

const engine = start(); // files may be chosen before it is there
document.getElementById("files").onchange = async ({ target }) => {
  const pcp = await engine;
  const { sources, rejected } = await pcp.open(target.files);
  if (!sources.length) return alert(rejected.map((r) => `${r.name}: ${r.fault.message}`).join("\n"));
  const list = await pcp.summary({ source: sources[0].id, metrics: ["kernel.percpu.cpu.user"] });
  for (const s of list) {
    const row = document.getElementById("out").insertRow();
    row.insertCell().textContent = s.instance.name; // text, whatever an archive calls its instances
    row.insertCell().textContent = `${s.timeAverage.toFixed(3)} ${s.units}`;
  }
};

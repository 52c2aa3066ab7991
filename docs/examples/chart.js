import { start } from "/pcpscope/pcpscope.js";

const pcp = await start();
const { sources: [source] } = await pcp.openURL(["/archives/web01"]);
const frame = await pcp.fetch({ source: source.id, metrics: ["kernel.all.load"], interval: "5sec" });
const lines = frame.columns.map((c, i) => ({ label: c.instance?.name ?? c.metric, stroke: ["navy", "crimson", "teal"][i % 3] }));
const start0 = Number(frame.start) / 1e9;
const gap = (v) => (Number.isNaN(v) ? null : v); // uPlot draws no line across null
new uPlot(
  { title: `Load of ${source.host}`, width: 800, height: 300, series: [{}, ...lines] },
  [Array.from(frame.times, (t) => start0 + t), ...frame.columns.map((c) => Array.from(c.values, gap))],
  document.body,
);
document.title = "drawn";

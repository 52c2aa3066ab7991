// The API under tsc --strict: progress, cancellation, faults, derived metrics.
import { start, type Frame, type PcpscopeError } from "../../web/static/pcpscope.js";
import "../../web/static/pcp-scope.js";

const pcp = await start({ base: "/pcpscope/" });

/** The busiest disk of an archive, by utilisation. */
export async function busiest(files: FileList, report: (percent: number) => void): Promise<string | undefined> {
  const patience = AbortSignal.timeout(30_000);
  const { sources, rejected } = await pcp.open(files, {
    signal: patience,
    onProgress: ({ done, total }) => report((100 * done) / total),
  });
  for (const { name, fault } of rejected) console.warn(name, fault.message, fault.offset ?? "");
  const source = sources[0];
  if (!source) return undefined;
  await pcp.derive(source.id, "mine.busy", "100 * rate(disk.dev.avactive)");
  let frame: Frame;
  try {
    frame = await pcp.fetch({ source: source.id, metrics: ["mine.busy"], start: "-1hour", interval: "10sec" }, { signal: patience });
  } catch (e) {
    const { fault } = e as PcpscopeError;
    if (fault.kind === "cancelled") return undefined;
    throw e;
  }
  let best = -Infinity, name: string | undefined;
  for (const column of frame.columns) {
    if (!(column.values instanceof Float64Array)) continue;
    const most = column.values.reduce((a, v) => (v > a ? v : a), -Infinity); // NaN is greater than nothing
    if (most > best) [best, name] = [most, column.instance?.name];
  }
  return name;
}

/** From a server, with a token; only what is shown is fetched. */
export async function latest(token: string): Promise<bigint> {
  const { sources: [source] } = await pcp.openURL(["/archives/web01/20261121/"], { headers: { Authorization: `Bearer ${token}` } });
  if (!source) throw new Error("nothing there");
  const preview = await pcp.fetch({ source: source.id, metrics: ["kernel.all.load"], partial: true });
  if (preview.preview) await pcp.loaded(source.id);
  const [load] = await pcp.summary({ source: source.id, metrics: ["kernel.all.load"] });
  return load?.maximumAt ?? source.end;
}

const element = document.createElement("pcp-scope");
element.addEventListener("error", ({ detail: fault }) => console.error(fault.kind, fault.message));
element.window = { start: 0n, end: 1_000_000_000n };
const points: number = element.frame?.times.length ?? 0;
console.log(points, pcp.version);

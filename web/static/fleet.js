// The fleet page (?fleet=URL): hosts over time for one measure, outliers and findings,
// from a dataset written by "pcpscope index" (docs/fleet.md). It does not load the
// program: cells link to the page that opens the archive.

import { forgetColours } from "./charts/paint.js";
import { ramp } from "./charts/ramp.js";
import { findingsOfDay, hostsOfDay, maxHosts } from "./fleet/check.js";
import { cellsOf, Dataset, hours, Locked, maxRequest, placeOf, unpack } from "./fleet/data.js";
import { Kept } from "./fleet/kept.js";
import { Matrix } from "./fleet/matrix.js";
import { mapped, Pace, parse } from "./pace.js";
import { fewest, grouped, outliers, sorted } from "./fleet/order.js";
import { sql } from "./fleet/sql.js";
import { counted, timeText, valueText } from "./fleet/words.js";

/** @import { Day, Found, HostDay, Measure } from "./fleet/data.js" */
/** @import { Drawn, Line } from "./fleet/matrix.js" */
/** @typedef {{ day: Day, hosts: HostDay[], at: Map<string, number>, found: Found[], cells: Map<string, Float32Array>, failed: string, beyond: boolean }} Shown what is there of a day; beyond if that does not fit */

/** @type {(id: string) => HTMLElement} */
const part = (id) => /** @type {HTMLElement} */ (document.getElementById(`fleet-${id}`));
/** @type {(id: string) => HTMLInputElement} */
const field = (id) => /** @type {HTMLInputElement} */ (part(id));

const usualDays = 30, maxDays = 92, maxKept = 512 << 20, atOnce = 6, maxFindings = 200, maxOutliers = 30, maxLabels = 100;
/** @type {Record<string, string>} */
const levels = { broken: "Broken", look: "Warning", know: "Note" };

const asked = new URLSearchParams(location.search);
const data = new Dataset(asked.get("fleet") ?? "", location.href);

/** @type {Shown[]} */
let days = [];
let turn = 0;
const kept = new Kept(maxKept);
/** A text as JavaScript keeps what it says: strings and objects take about twice its bytes. */
const perByte = 2;
/** @type {Line[]} */
let lines = [];
let beyond = 0; // hosts that are not shown, since there are so many
/** @type {{ days: Shown[], name: string }} what the lines are of */
let composed = { days: [], name: "" };
/** @type {Set<string>} */
let problems = new Set();

const statistic = () => /** @type {HTMLButtonElement} */ (part("statistics").querySelector(".on")).value;
/** @returns {Measure} */
const measure = () => data.manifest.measures.find((m) => m.id === field("measure").value) ?? data.manifest.measures[0];
const section = () => `${statistic()}/${measure().id}`;
const start = () => (days.length ? Date.parse(`${days[0].day.day}T00:00:00Z`) : 0);

/** @param {string} tag @param {(Node | string)[]} children */
function element(tag, ...children) {
  const e = document.createElement(tag);
  e.append(...children);
  return e;
}

const matrix = new Matrix(part("matrix"), /** @type {HTMLCanvasElement} */ (part("canvas")), part("room"), {
  point(row, hour) { part("said").textContent = row ? sentence(row, hour) : said(); },
  pick(row, hour) { show(row, hour); },
  open() { linked.then(() => part("open").click()); },
});

/** @param {number} hour counted from the first one shown */
const momentOf = (hour) => start() + hour * 3600e3;

/** @param {Line} row @param {number} hour */
function sentence(row, hour) {
  const m = measure(), v = row.values[hour], at = timeText(momentOf(hour)), d = days[Math.floor(hour / hours)];
  if (d?.failed && !d.cells.has(section())) return `${row.host}, ${at}: ${d.failed}`;
  if (composed.days !== days || composed.name !== section() || !row.known[Math.floor(hour / hours)]) return `${row.host}, ${at}: not read yet`;
  const kept = row.recorded[hour], part = kept < 0.95 * 3600 ? `, ${Math.round(kept / 60)} min of it recorded` : "";
  if (Number.isNaN(v)) return `${row.host}, ${at}: ${kept > 0 ? `no value of ${m.name}` : "nothing recorded"}`;
  return `${row.host}, ${at}: ${m.name} ${valueText(v, m.unit ?? "")} (${words[statistic()]} of the hour${part})`;
}
/** @type {Record<string, string>} */
const words = { mean: "mean", max: "highest", p95: "95th percentile" };

function said() {
  if (!days.length) return "";
  const name = section(), reading = days.filter((d) => !d.failed && !d.cells.has(name)).length, { each } = matrix.measure();
  const column = each > 1 ? ` A column is ${each} hours, by the highest of them.` : "";
  return `${counted(lines.length, "host")}${beyond ? ` of ${(lines.length + beyond).toLocaleString("en-US")} (filter for others)` : ""}, ${counted(days.length, "day")}, UTC.${reading > 0 ? ` Reading: ${counted(reading, "day")} to go.` : column}`;
}

/** Reports what could not be read, once each. @param {string} text */
function complain(text) {
  if (problems.has(text)) return;
  problems.add(text);
  const box = part("problems"), more = problems.size - 5;
  if (more <= 0) box.append(element("p", text));
  else (box.children[5] ?? box.appendChild(element("p"))).textContent = `And ${more} more.`;
  box.hidden = false;
}

/** @param {Shown} d */
const unreadable = (d) => `${d.day.day} could not be read: ${d.failed}.`;

/** Gets ready to read again what a server did not send, for example because it was away. */
function tryAgain() {
  const before = problems.size;
  for (const d of days) if (problems.delete(unreadable(d))) d.failed = "";
  if (problems.size === before) return;
  const left = [...problems];
  problems.clear();
  part("problems").replaceChildren();
  part("problems").hidden = true;
  left.forEach(complain);
}

/** Runs a limited number at a time. @template T @param {T[]} list @param {(one: T) => Promise<void>} act */
async function each(list, act) {
  const rest = [...list];
  await Promise.all(Array.from({ length: atOnce }, async () => {
    for (let one = rest.shift(); one !== undefined; one = rest.shift()) await act(one);
  }));
}

/** Whether something kept belongs to what is shown: hosts and findings of a day, or its cells. @param {string} key */
const needed = (key) => days.some((d) => key === d.day.day || key === `${d.day.day} ${section()}`);

/** Keeps a section of a day, if there is room. @param {Shown} d @param {string} name @param {Float32Array} cells */
function keepCells(d, name, cells) {
  const key = `${d.day.day} ${name}`;
  if (!kept.add(key, cells.byteLength, () => d.cells.delete(name), needed)) return false;
  d.cells.set(name, cells);
  return true;
}

/** @type {Promise<void>} */
let unpacked = Promise.resolve();
/** Runs one after the other: each holds whole sections. @param {() => Promise<void>} act */
function alone(act) {
  const done = unpacked.then(act);
  unpacked = done.catch(() => {});
  return done;
}

/** Reads what is missing of a day for a section. @param {Shown} d @param {string} name @param {Pace} pace @param {() => boolean} wanted */
async function readDay(d, name, pace, wanted) {
  const m = data.manifest, full = () => { throw Object.assign(new Error("the days after it fill what this page may keep, so choose fewer"), { beyond: true }); };
  // The first time, hosts and findings are stored next to the first measure.
  const first = !d.hosts.length, together = first && name === m.sections[2], parts = first ? await data.sections(d.day, "hosts", together ? name : "findings") : [];
  if (!together) parts[2] = (await data.sections(d.day, name))[0];
  await alone(async () => {
    if (!wanted()) return;
    if (first) {
      const [hostList, foundList] = [await unpack(parts[0]), await unpack(parts[1])], text = (/** @type {ArrayBuffer | undefined} */ p) => parse(new TextDecoder().decode(p), pace);
      const hosts = (await text(hostList))?.hosts, found = await text(foundList);
      if (!Array.isArray(hosts) || !Array.isArray(found)) throw new Error("its file is not what it should be");
      const bytes = perByte * ((hostList?.byteLength ?? 0) + (foundList?.byteLength ?? 0)) + 64 * hosts.length;
      if (!kept.add(d.day.day, bytes, () => Object.assign(d, { hosts: [], found: [], at: new Map() }), needed)) full();
      d.found = await findingsOfDay(found, hosts.length, pace);
      d.hosts = await hostsOfDay(hosts, pace);
      await mapped(d.hosts, (h, k) => d.at.set(h.host, k), pace);
    }
    if (!keepCells(d, name, cellsOf(await unpack(parts[2]), d.hosts.length))) full();
  });
}

/** Reads missing data of the days shown, the latest first. */
async function read() {
  const mine = ++turn, name = section(), pace = new Pace(), wanted = () => mine === turn;
  document.documentElement.dataset.fleet = "reading";
  tryAgain();
  for (const d of days) if (d.beyond) Object.assign(d, { beyond: false, failed: "" }); // another measure may have fewer values, other days may be fewer
  for (const d of days) [d.day.day, `${d.day.day} ${name}`].forEach((key) => kept.use(key));
  compose(); // the old view is of another measure or other days
  let full = "";
  await each([...days].reverse(), async (d) => {
    if (mine !== turn || d.failed || d.cells.has(name)) return;
    try {
      if (full) throw Object.assign(new Error(full), { beyond: true });
      await readDay(d, name, pace, wanted);
      await mapped(d.hosts, (h) => { if (h.problem) complain(`${h.host}, ${d.day.day}: ${h.problem}`); }, pace);
    } catch (e) {
      const error = /** @type {Error & { beyond?: boolean }} */ (e);
      if (error.beyond) full = error.message;
      d.beyond = Boolean(error.beyond);
      d.failed = error.message;
      complain(unreadable(d));
    }
    if (mine === turn) later();
  });
  if (mine !== turn) return;
  await compose();
  await list();
  if (mine !== turn) return;
  const { picked } = matrix, row = picked && lines.find((r) => r.host === picked.host);
  if (picked && row) await show(row, picked.hour);
  document.documentElement.dataset.fleet = "ready";
  performance.mark("fleet ready");
}

let waiting = 0;
function later() { waiting ||= setTimeout(() => { waiting = 0; compose(); }, 100); }

let composing = 0;
/** Composes rows from what has been read, and draws them: at once, unless they are many. */
async function compose() {
  clearTimeout(waiting);
  waiting = 0;
  const mine = ++composing, pace = new Pace(), of = days;
  const name = section(), key = field("group").value, wanted = field("filter").value.toLowerCase().split(/\s+/).filter(Boolean);
  /** @type {Map<string, Line>} */
  const byHost = new Map();
  let more = 0;
  for (const h of data.manifest.hosts) {
    if (pace.due() && (await pace.rest(), mine !== composing)) return;
    if (!wanted.every((w) => h.said.includes(w))) continue;
    if (byHost.size >= maxHosts(days.length) && ++more) continue;
    const label = key ? String(h.labels?.[key] ?? "") : "";
    byHost.set(h.host, { host: h.host, label, values: new Float32Array(days.length * hours).fill(NaN), recorded: new Float32Array(days.length * hours), known: days.map((d) => d.cells.has(name) || d.failed !== "") });
  }
  for (const row of byHost.values()) {
    if (pace.due() && (await pace.rest(), mine !== composing)) return;
    days.forEach((d, i) => {
      const k = d.at.get(row.host), cells = d.cells.get(name);
      if (k === undefined) return;
      row.recorded.set(d.hosts[k].recorded.slice(0, hours), i * hours);
      if (cells) row.values.set(cells.subarray(k * hours, (k + 1) * hours), i * hours);
    });
  }
  lines = sorted([...byHost.values()], field("sort").value);
  beyond = more;
  composed = { days: of, name };
  if (pace.due() && (await pace.rest(), mine !== composing)) return;
  /** @type {Drawn[]} */
  const drawn = key
    ? grouped(lines).flatMap(({ label, rows }) => [{ head: `${label ? `${key}: ${label}` : `without ${key}`} (${rows.length})` }, ...rows.map((row) => ({ row }))])
    : lines.map((row) => ({ row }));
  matrix.show(drawn, start(), days.length);
  scale();
  part("said").textContent = said();
  part("empty").hidden = lines.length > 0 || !data.manifest.hosts.length;
}

/** Draws the colour scale. */
function scale() {
  const m = measure(), canvas = /** @type {HTMLCanvasElement} */ (part("scale")), ctx = canvas.getContext("2d");
  const some = Number.isFinite(matrix.high);
  part("low").textContent = some ? valueText(matrix.low, m.unit ?? "") : "";
  part("high").textContent = some ? valueText(matrix.high, m.unit ?? "") : "";
  canvas.hidden = !some;
  for (let i = 0; ctx && i < canvas.width; i++) {
    ctx.fillStyle = `rgb(${ramp[Math.round((i / (canvas.width - 1)) * 255)].join(", ")})`;
    ctx.fillRect(i, 0, 1, canvas.height);
  }
}

/** @type {Promise<Set<string>> | null} hosts that this page's own server opens by name */
let catalog = null;
/** The link that opens a host's archives. @param {string} host @param {string[]} archives @param {number} from @param {number} to */
async function linkTo(host, archives, from, to) {
  const { index, link } = await import("./embed/catalog.js"), folder = new URL(data.manifest.archives, data.url);
  catalog ??= folder.origin === location.origin ? index().then(({ hosts, archives: at }) => new Set(at === folder.href ? hosts.map((h) => h.host) : []), () => new Set()) : Promise.resolve(new Set());
  const since = new Date(from).toISOString(), until = new Date(to).toISOString();
  if ((await catalog).has(host)) return link(host, since, until);
  const q = new URLSearchParams({ from: since, to: until });
  for (const a of archives) q.append("src", new URL(a.split("/").map(encodeURIComponent).join("/"), folder).href);
  return `?${q}`;
}

let looking = 0;
/** Settles once the selected cell has its link, if there is one: Enter may be pressed earlier. */
let linked = Promise.resolve();
/** Describes a cell: its value, a link to its archive, and the outliers of that hour. @param {Line} row @param {number} hour */
async function show(row, hour) {
  const mine = ++looking, d = days[Math.floor(hour / hours)], from = momentOf(hour);
  part("said").textContent = sentence(row, hour);
  part("cell").hidden = false;
  part("cell-said").textContent = sentence(row, hour);
  const open = /** @type {HTMLAnchorElement} */ (part("open"));
  open.removeAttribute("href");
  open.textContent = `Open ${row.host} at this hour`;
  part("outliers").replaceChildren();
  part("outliers-said").textContent = "";
  if (!d) return;
  const archives = d.hosts.find((h) => h.host === row.host)?.archives ?? [];
  if (archives.length) {
    linked = linkTo(row.host, archives, from, from + 3600e3).then((href) => { if (mine === looking) open.href = href; });
    await linked;
  } else {
    open.textContent = `There is no archive of ${row.host} here`;
  }
  await standOut(d, hour % hours, () => mine === looking);
}

/** Lists the outliers at an hour of a day, by any measure. @param {Shown} d @param {number} hour @param {() => boolean} wanted */
async function standOut(d, hour, wanted) {
  const { measures } = data.manifest, which = statistic(), names = measures.map((m) => `${which}/${m.id}`);
  if (d.failed || !d.hosts.length) return;
  if (d.hosts.length < fewest) {
    part("outliers-said").textContent = `With fewer than ${fewest} hosts, outliers are not reported.`;
    return;
  }
  /** @type {{ host: number, value: number, usual: number, distance: number, m: Measure }[]} */
  const found = [], pace = new Pace();
  const look = async (/** @type {Measure} */ m, /** @type {Float32Array} */ cells) => {
    for (const o of outliers(d.hosts.map((_, k) => cells[k * hours + hour])).slice(0, maxOutliers)) found.push({ ...o, m });
    if (pace.due()) await pace.rest();
  };
  try {
    const missing = names.some((n) => !d.cells.has(n)), size = placeOf(data.manifest, d.day, names[0], names[names.length - 1])?.lengths.reduce((a, b) => a + b, 0) ?? 0;
    const parts = missing && size <= maxRequest ? await data.sections(d.day, names[0], names[names.length - 1]) : null;
    for (const [i, m] of measures.entries()) {
      if (!wanted()) return;
      const name = names[i], there = d.cells.get(name);
      kept.use(`${d.day.day} ${name}`);
      if (there) {
        await look(m, there);
        continue;
      }
      const part = parts?.[i] ?? (await data.sections(d.day, name))[0];
      await alone(async () => {
        const cells = cellsOf(await unpack(part), d.hosts.length);
        keepCells(d, name, cells);
        await look(m, cells);
      });
    }
  } catch (e) {
    complain(`${d.day.day} could not be read: ${/** @type {Error} */ (e).message}.`);
  }
  if (!wanted()) return;
  found.sort((a, b) => b.distance - a.distance);
  part("outliers-said").textContent = found.length ? "" : "No outliers at this hour.";
  part("outliers").replaceChildren(...found.slice(0, maxOutliers).map(({ host, value, usual, m }) => {
    const name = d.hosts[host].host, button = element("button", element("b", name), element("em", m.name), element("small", `${valueText(value, m.unit ?? "")}, median ${valueText(usual, m.unit ?? "")}`));
    button.setAttribute("type", "button");
    button.dataset.testid = "fleet-outlier";
    button.onclick = async () => {
      field("measure").value = m.id;
      await change();
      const row = lines.find((r) => r.host === name), day = days.indexOf(d);
      if (row && day >= 0) matrix.pick(row, day * hours + hour);
    };
    return element("li", button);
  }));
}

/** Says that there are none, of the days that were read. */
function noFindings() {
  const failed = days.filter((d) => d.failed && !d.hosts.length).length;
  if (!failed) return "No findings in these days.";
  return failed < days.length ? "No findings in the days that could be read." : "";
}

let listing = 0;
/** The findings of all hosts, the worst level first, then the latest. */
async function list() {
  const mine = ++listing, pace = new Pace(), level = field("level").value, shown = new Set(lines.map((l) => l.host)), order = Object.keys(levels);
  const hosts = new Set();
  /** @type {(Found & { d: Shown, name: string })[]} */
  let all = [], count = 0;
  const first = () => all.sort((a, b) => order.indexOf(a.level) - order.indexOf(b.level) || b.start - a.start).slice(0, maxFindings);
  for (const d of days) {
    for (const f of d.found) {
      if (pace.due() && (await pace.rest(), mine !== listing)) return;
      const name = d.hosts[f.host]?.host ?? "";
      if (!shown.has(name) || (level && f.level !== level)) continue;
      count++;
      hosts.add(name);
      if (all.push({ ...f, d, name }) > 10 * maxFindings) all = first();
    }
  }
  all = first();
  part("findings-said").textContent = count ? `${counted(count, "finding")} of ${counted(hosts.size, "host")}${count > maxFindings ? `; the first ${maxFindings}` : ""}.` : noFindings();
  part("findings").replaceChildren(...all.map((f) => {
    const a = /** @type {HTMLAnchorElement} */ (element("a", element("i", levels[f.level] ?? f.level), element("b", f.name), element("time", timeText(f.start)), element("span", f.text)));
    a.className = `level-${order.includes(f.level) ? f.level : "know"}`;
    a.dataset.testid = "fleet-finding";
    a.href = "#";
    a.onclick = async (e) => {
      if (a.getAttribute("href") !== "#") return;
      e.preventDefault();
      // Add some context: a finding may be momentary.
      const around = Math.max(600e3, (f.end - f.start) / 4);
      a.href = await linkTo(f.name, f.d.hosts[f.host]?.archives ?? [], f.start - around, f.end + around);
      a.click();
    };
    return element("li", a);
  }));
}

/** Puts the view into the URL, so that it can be shared. */
function note() {
  const q = new URLSearchParams({ fleet: asked.get("fleet") ?? "" });
  for (const [name, usual] of /** @type {const} */ ([["measure", data.manifest.measures[0]?.id], ["sort", "worst"], ["group", ""], ["filter", ""]])) if (field(name).value !== usual) q.set(name, field(name).value);
  if (statistic() !== "mean") q.set("statistic", statistic());
  const [from, to] = usual();
  if (field("from").value !== from || field("to").value !== to) {
    q.set("from", field("from").value);
    q.set("to", field("to").value);
  }
  if (asked.get("test") === "1") q.set("test", "1");
  history.replaceState(null, "", `?${q}`);
}

/** The days shown by default: the last ones. */
function usual() {
  const all = data.manifest.days, last = all.at(-1)?.day ?? "";
  return [all[Math.max(0, all.length - usualDays)]?.day ?? last, last];
}

async function change() {
  note();
  await read();
}

/** Selects the days between the two dates, up to the maximum. */
async function range() {
  let from = field("from").value, to = field("to").value;
  if (from > to) [from, to] = [to, from];
  let chosen = data.manifest.days.filter((d) => d.day >= from && d.day <= to);
  part("range-said").textContent = chosen.length > maxDays ? `The page shows the last ${maxDays} of ${chosen.length} days; for more, use the SQL.` : "";
  chosen = chosen.slice(-maxDays);
  // A day without any host still has its column.
  /** @type {Shown[]} */
  const next = [], one = 86400e3;
  if (chosen.length) {
    for (let t = Date.parse(chosen[0].day); t <= Date.parse(chosen[chosen.length - 1].day) && next.length < 2 * maxDays; t += one) {
      const day = new Date(t).toISOString().slice(0, 10), known = chosen.find((d) => d.day === day), had = days.find((d) => d.day.day === day);
      const none = { day, hosts: 0, rows: 0, found: 0, lengths: [] };
      next.push(had ?? { day: known ?? /** @type {any} */ (none), hosts: [], at: new Map(), found: [], cells: new Map(), failed: known ? "" : "no archive is of that day", beyond: false });
    }
  }
  for (const d of days.filter((x) => !next.includes(x))) [d.day.day, ...[...d.cells.keys()].map((name) => `${d.day.day} ${name}`)].forEach((key) => kept.drop(key));
  days = next;
  matrix.picked = null;
  part("cell").hidden = true;
  note();
  await read();
}

async function controls() {
  const pace = new Pace(), m = data.manifest, option = (/** @type {string} */ value, /** @type {string} */ text) => new Option(text, value);
  field("measure").replaceChildren(...m.measures.map((x) => option(x.id, x.name)));
  /** @type {Map<string, Set<string>>} */
  const labels = new Map();
  for (const h of m.hosts) {
    if (pace.due()) await pace.rest();
    for (const [key, value] of Object.entries(h.labels ?? {})) {
      if (labels.size < maxLabels || labels.has(key)) labels.set(key, (labels.get(key) ?? new Set()).add(String(value)));
    }
  }
  // A label with a different value for every host is useless for grouping.
  field("group").replaceChildren(option("", "none"), ...[...labels].filter(([, values]) => values.size < Math.max(2, m.hosts.length)).map(([key]) => option(key, key)).sort((a, b) => (a.value < b.value ? -1 : 1)));
  for (const name of ["measure", "group", "sort", "filter"]) {
    const given = asked.get(name), e = field(name), before = e.value;
    if (given !== null) e.value = given;
    if (e instanceof HTMLSelectElement && e.selectedIndex < 0) e.value = before;
  }
  for (const b of part("statistics").querySelectorAll("button")) {
    const set = (/** @type {string} */ value) => {
      for (const x of part("statistics").querySelectorAll("button")) {
        x.classList.toggle("on", x.value === value);
        x.setAttribute("aria-pressed", String(x.value === value));
      }
    };
    if (asked.get("statistic") === b.value) set(b.value);
    b.onclick = () => { set(b.value); change(); };
  }
  const [from, to] = usual(), day = /^\d{4}-\d\d-\d\d$/;
  for (const [name, value] of [["from", from], ["to", to]]) {
    const given = asked.get(name) ?? "";
    field(name).value = day.test(given) ? given : value;
    field(name).min = m.days[0]?.day ?? "";
    field(name).max = m.days.at(-1)?.day ?? "";
    field(name).onchange = range;
  }
  field("measure").onchange = change;
  for (const name of ["group", "sort"]) field(name).onchange = () => { note(); compose(); };
  field("filter").oninput = () => { note(); compose().then(list); };
  field("level").onchange = list;
  part("sql").onclick = async () => {
    const text = sql({ urls: days.filter((d) => typeof d.day.hourly?.name === "string").map((d) => new URL(d.day.hourly.name, data.url).href), measure: measure().id, statistic: statistic(), from: field("from").value, to: field("to").value, filter: field("filter").value });
    part("sql-text").textContent = text;
    part("sql-box").hidden = false;
    try {
      await navigator.clipboard.writeText(text);
      part("sql-said").textContent = "Copied.";
    } catch {
      part("sql-said").textContent = "The browser does not allow copying; the text is below.";
    }
  };
  part("sql-close").onclick = () => { part("sql-box").hidden = true; };
}

async function begin() {
  if (!asked.get("fleet")) {
    complain("The URL does not say where the dataset is: ?fleet=archives/pcpscope-fleet/");
    return;
  }
  for (;;) {
    try {
      await data.open();
      break;
    } catch (e) {
      if (!(e instanceof Locked)) throw e;
      part("access").hidden = false;
      part("access-said").textContent = data.token ? "The server rejects this token." : "";
      await /** @type {Promise<void>} */ (new Promise((done) => {
        part("access").onsubmit = (event) => {
          event.preventDefault();
          data.token = field("token").value.trim();
          if (data.token) done();
        };
      }));
    }
  }
  part("access").hidden = true;
  if (data.token) (await import("./embed/catalog.js")).use(data.token);
  await controls();
  if (!data.manifest.days.length) complain("The dataset has no days: no archive was found when it was written.");
  part("body").hidden = false;
  await range();
}

addEventListener("pcpscope-theme", () => {
  forgetColours();
  matrix.draw();
});
addEventListener("keydown", (e) => {
  const typing = e.target instanceof Element && e.target.closest("input, select, textarea");
  if (e.key === "/" && !typing && !e.ctrlKey && !e.metaKey && !e.altKey) {
    e.preventDefault();
    field("filter").focus();
  }
});

begin().catch((e) => {
  complain(`The dataset at ${data.url} cannot be read: ${e.message}.`);
  document.documentElement.dataset.fleet = "failed";
});

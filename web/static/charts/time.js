// Times on the axis: where ticks are and their labels, in the host's local
// time. Times are seconds after the origin of the timeline.

const Minus = "\u2212";

const minute = 60, hour = 3600, day = 86400;
const steps = [
  0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30,
  minute, 2 * minute, 5 * minute, 10 * minute, 15 * minute, 30 * minute,
  hour, 2 * hour, 3 * hour, 6 * hour, 12 * hour, day, 2 * day, 7 * day, 14 * day, 28 * day, 56 * day, 112 * day, 182 * day, 364 * day,
];

const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** @import { Timeline } from "../../canvas/canvas.d.ts" */

/**
 * What the whole page shows, and whether the cursor is pinned.
 * @type {Timeline & { pinned: boolean }}
 */
export const timeline = { origin: 0, start: 0, end: 1, from: 0, to: 1, gaps: [], problems: [], findings: [], notes: [], compared: [], zone: [], pinned: false };

/**
 * Seconds east of UTC at t.
 * @param {number} t
 */
export function offset(t) {
  let at = timeline.zone[0]?.east ?? 0;
  for (const { from, east } of timeline.zone) {
    if (from > t) break;
    at = east;
  }
  return at;
}

/**
 * What the clock shows at t, in hours since the midnight of the day that begins at start: on a
 * day on which it is set, not the hours that have passed.
 * @param {number} start
 * @param {number} t
 */
export function clockHours(start, t) {
  const first = (timeline.origin + start + offset(start)) % day; // 01:00 where midnight is left out
  return (first + t - start + offset(t) - offset(start)) / hour;
}

/** @param {number} t */
function wall(t) {
  return new Date(Math.round((timeline.origin + t + offset(t)) * 1000));
}

/**
 * "UTC−4"
 * @param {number} t
 */
export function zoneName(t) {
  const east = offset(t);
  if (!east) return "UTC";
  const m = Math.round((Math.abs(east) % hour) / minute);
  return `UTC${east < 0 ? Minus : "+"}${Math.floor(Math.abs(east) / hour)}${m ? ":" + two(m) : ""}`;
}

/**
 * The distance from UTC, after a space, of a local time that occurs twice because the
 * clock is set back; as Clock.which in Go.
 * @param {number} t
 */
function which(t) {
  const { zone } = timeline;
  const twice = zone.some(({ from, east }, i) => i && from - (zone[i - 1].east - east) <= t && t < from + zone[i - 1].east - east);
  return twice ? ` ${zoneName(t)}` : "";
}

/**
 * A local time as in RFC 3339, down to the nanosecond as far as the resolution allows.
 * @param {number} t
 */
export function stamp(t) {
  const east = offset(t), whole = Math.floor(t + 5e-10), d = new Date((timeline.origin + whole + east) * 1000);
  const digits = String(Math.round((t - whole) * 1e9)).padStart(9, "0").replace(/0+$/, "");
  const m = Math.abs(Math.round(east / minute));
  return d.toISOString().slice(0, 19) + (digits && `.${digits}`) + (east ? `${east < 0 ? "-" : "+"}${two(Math.floor(m / 60))}:${two(m % 60)}` : "Z");
}

/** Whether the source is so long that times need a date. */
export const dated = () => timeline.to - timeline.from > day;

/**
 * The day of a time, with the year where two times that are shown together differ in it.
 * @param {Date} d
 * @param {number} from
 * @param {number} to
 */
function dayText(d, from, to) {
  return `${d.getUTCDate()} ${months[d.getUTCMonth()]}${wall(from).getUTCFullYear() === wall(to).getUTCFullYear() ? "" : ` ${d.getUTCFullYear()}`}`;
}

/**
 * HH:MM:SS with the given number of decimals, or with milliseconds if the window is so short that they matter;
 * preceded by the date where needed, followed by the distance from UTC if it occurs twice.
 * @param {number} t
 */
export function clockText(t, decimals = 0) {
  const d = wall(decimals ? Math.floor(t + 5e-7) : t);
  const date = dated() ? `${dayText(d, timeline.from, timeline.to)} ` : "";
  const s = `${date}${two(d.getUTCHours())}:${two(d.getUTCMinutes())}:${two(d.getUTCSeconds())}`;
  if (decimals) return s + "." + String(Math.floor((t - Math.floor(t + 5e-7)) * 10 ** decimals + 0.5)).padStart(decimals, "0") + which(t);
  if (timeline.end - timeline.start < 20) return s + "." + String(d.getUTCMilliseconds()).padStart(3, "0") + which(t);
  return s + which(t);
}

/** @param {number} t @param {number} step @param {number} start @param {number} end */
function tickText(t, step, start, end) {
  const d = wall(t);
  const h = two(d.getUTCHours()), m = two(d.getUTCMinutes()), s = two(d.getUTCSeconds());
  if (step >= day || (h === "00" && m === "00" && s === "00" && step >= hour)) return dayText(d, start, end);
  if (step >= minute) return `${h}:${m}`;
  if (step >= 1) return `${h}:${m}:${s}`;
  return `${m}:${s}.${String(d.getUTCMilliseconds()).padStart(3, "0").slice(0, step >= 0.1 ? 1 : step >= 0.01 ? 2 : 3)}`;
}

/**
 * Ticks between two times on an axis of the given width: [{at, text}], at round local
 * times. The first after a change of the clock says its distance from UTC.
 * @param {number} start
 * @param {number} end
 * @param {number} pixels
 */
export function ticks(start, end, pixels) {
  const maxTicks = Math.max(2, pixels / (end - start < 600 || wall(start).getUTCFullYear() !== wall(end).getUTCFullYear() ? 92 : 70));
  const i = steps.findIndex((s) => (end - start) / s <= maxTicks);
  const list = ticksOf(start, end, steps.at(i));
  if (list.length > 1 || i < 1) return list;
  const closer = ticksOf(start, end, steps[i - 1]); // one time does not tell how long the axis is
  return closer.length <= 1.5 * maxTicks ? closer : list;
}

/** @param {number} start @param {number} end @param {number | undefined} step */
function ticksOf(start, end, step = steps[steps.length - 1]) {
  /** @type {{at: number, text: string}[]} */
  const list = [];
  const base = timeline.origin + offset(start);
  for (let n = Math.ceil((start + base) / step); list.length < 200; n++) {
    const at = n * step - base - (offset(n * step - base) - offset(start)) * (step > hour ? 1 : 0);
    if (at > end) break;
    if (at < start) continue;
    const text = tickText(at, step, start, end), before = list[list.length - 1]?.at ?? start;
    list.push({ at, text: step < day && offset(at) !== offset(before) ? `${text} ${zoneName(at)}` : text });
  }
  return list;
}

// Days at a glance: a calendar with a column per day and a cell per hour, and
// one day overlaid on the same weekday of other weeks.

import { axisTexts, gutter } from "./axis.js";
import { short } from "./number.js";
import { colour, fit, fontFamily, hatching, isDark, thin } from "./paint.js";
import { put } from "./panel.js";
import { ramp } from "./ramp.js";
import { levels, range } from "./scale.js";
import { clockHours, timeline } from "./time.js";

/** @import { Days, Events } from "../../canvas/canvas.d.ts" */
/** @typedef {<K extends keyof Events>(kind: K, event: Events[K]) => void} Tell */

/** @type {Days | null} */
let days = null;
/** @type {Tell} */
let tell = () => {};
/** @type {WeakSet<Element>} canvases that have their listeners */
const heard = new WeakSet();
/** @type {{ day: number, hour: number } | null} under the pointer */
let over = null;

const foot = 20, right = 12, head = 4;
const canvas = (/** @type {string} */ id) => /** @type {HTMLCanvasElement | null} */ (document.getElementById(id));

/** @param {Tell} fn */
export function listenDays(fn) { tell = fn; }

/** @param {Days} spec */
export function showDays(spec) {
  days = spec;
  over = null;
  drawDays();
}

/** Draws into canvases that have just been added to the page. */
export function mountDays() {
  for (const id of ["days-map", "day-line"]) {
    const el = canvas(id);
    if (el && !heard.has(el)) return drawDays();
  }
}

/** Draws both charts, if the page shows them. */
export function drawDays() {
  const map = canvas("days-map"), line = canvas("day-line");
  for (const el of [map, line]) if (el) listen(el, el === map);
  if (map) drawMap(map);
  if (line) drawLine(line);
  say();
}

/** @param {HTMLCanvasElement} el @param {boolean} map */
function listen(el, map) {
  if (heard.has(el)) return;
  heard.add(el);
  new ResizeObserver(() => (map ? drawMap(el) : drawLine(el))).observe(el);
  el.addEventListener("pointermove", (e) => point(cellAt(el, e, map)));
  el.addEventListener("pointerleave", () => point(null));
  el.addEventListener("click", (e) => {
    const cell = cellAt(el, e, map);
    if (cell) tell("hour", cell);
  });
}

/** @param {{ day: number, hour: number } | null} cell */
function point(cell) {
  if (over?.day === cell?.day && over?.hour === cell?.hour) return;
  over = cell;
  const map = canvas("days-map");
  if (map) {
    map.style.setProperty("cursor", cell ? "pointer" : "default");
    drawMap(map);
  }
  say();
}

/**
 * The cell under the pointer; below the cells, the whole day.
 * @param {HTMLCanvasElement} el @param {MouseEvent} e @param {boolean} map
 */
function cellAt(el, e, map) {
  if (!days?.starts.length) return null;
  const w = el.clientWidth - gutter - right, h = el.clientHeight - foot - head, x = (e.offsetX - gutter) / w;
  if (x < 0 || x >= 1) return null;
  if (!map) return days.picked < 0 ? null : { day: days.picked, hour: Math.floor(x * 24) };
  const hour = Math.floor(((e.offsetY - head) / h) * 24);
  return { day: Math.floor(x * days.starts.length), hour: hour < 0 || hour > 23 ? -1 : hour };
}

/** What is under the pointer, in words. */
function say() {
  const el = document.getElementById("days-said");
  if (!el) return;
  if (!days || !over) return put(el, days?.starts.length ? "Click an hour to go there, a date to see its day." : "");
  put(el, cellText(days, over.day, over.hour));
}

/**
 * An hour of a day in words; -1 is the whole day.
 * @param {Days} d @param {number} day @param {number} hour
 */
export function cellText(d, day, hour) {
  const k = 24 * day + hour, name = d.names[day] ?? "";
  if (hour < 0) return name;
  const value = (/** @type {number} */ v) => short(v * d.factor, d.decimals), at = `${name} ${String(hour).padStart(2, "0")}:00`;
  if (Number.isNaN(d.covered[k])) return `${at}: no such hour, the clock was put forward`;
  if (!(d.covered[k] > 0) || Number.isNaN(d.average[k])) return `${at}: nothing recorded`;
  const week = 24 * (d.weekdays[day] ?? 0) + hour, low = d.p10[week], high = d.p90[week];
  let text = `${at}: mean ${value(d.average[k])} ${d.unit}, ${value(d.minimum[k])} to ${value(d.maximum[k])}`;
  if (d.covered[k] < 0.95) text += `, ${Math.round(60 * d.covered[k])} min of it recorded`;
  if (!Number.isNaN(low)) text += `; usually ${value(low)} to ${value(high)}`;
  return text;
}

/** @param {HTMLCanvasElement} el */
function drawMap(el) {
  const view = fit(el);
  if (!view || !days?.starts.length) return;
  const { ctx, w, h } = view, d = days, n = d.starts.length, width = (w - gutter - right) / n, height = (h - foot - head) / 24;
  const values = d.highest ? d.maximum : d.average;
  let low = Infinity, peak = -Infinity;
  for (const v of values) {
    if (!Number.isFinite(v)) continue;
    low = Math.min(low, v);
    peak = Math.max(peak, v);
  }
  if (low > 0 && low < 0.5 * peak) low = 0;
  const span = peak - low || 1, gap = width > 6 ? 1 : 0;
  const x = (/** @type {number} */ day) => gutter + day * width, y = (/** @type {number} */ hour) => head + hour * height;
  for (let day = 0; day < n; day++) {
    for (let hour = 0; hour < 24; hour++) {
      const v = values[24 * day + hour], left = x(day), top = y(hour);
      if (Number.isNaN(v)) {
        const start = d.starts[day] + 3600 * hour;
        if (Number.isNaN(d.covered[24 * day + hour])) continue; // no such hour
        if (start + 3600 <= timeline.from || start >= timeline.to) continue; // outside the source
        ctx.fillStyle = hatching(ctx);
      } else {
        const [r, g, b] = ramp[Math.max(0, Math.min(255, Math.round(((v - low) / span) * 255)))];
        ctx.fillStyle = `rgb(${r}, ${g}, ${b})`;
      }
      ctx.fillRect(left, top, Math.max(1, width - gap), height - gap);
    }
  }
  // Reboots: a bar across the hour.
  for (const boot of d.boots) {
    const day = d.starts.findLastIndex((t) => t <= boot);
    if (day < 0 || boot - d.starts[day] > 25 * 3600) continue;
    const top = y(clockHours(d.starts[day], boot));
    ctx.fillStyle = colour("surface");
    ctx.fillRect(x(day), top - 2, Math.max(2, width - gap), 4);
    ctx.fillStyle = colour("broken-fill");
    ctx.fillRect(x(day), top - 1, Math.max(2, width - gap), 2);
  }
  // The window, the overlaid day, and the cell under the pointer.
  ctx.lineWidth = 1.5;
  if (d.picked >= 0) {
    ctx.strokeStyle = colour("text");
    ctx.strokeRect(x(d.picked) - 0.5, head - 1, Math.max(2, width - gap) + 1, 24 * height + 1);
  }
  if (timeline.start > timeline.from || timeline.end < timeline.to) {
    ctx.strokeStyle = colour("accent");
    ctx.lineWidth = 2;
    for (let day = 0; day < n; day++) {
      const a = Math.max(0, clockHours(d.starts[day], timeline.start)), b = Math.min(24, clockHours(d.starts[day], timeline.end));
      if (b > a) ctx.strokeRect(x(day), y(a), Math.max(2, width - gap), Math.max(3, (b - a) * height));
    }
  }
  if (over && over.hour >= 0) {
    ctx.strokeStyle = colour("text");
    ctx.strokeRect(x(over.day) - 0.5, y(over.hour) - 0.5, Math.max(3, width - gap) + 1, height - gap + 1);
  }
  ctx.font = `11px ${fontFamily()}`;
  ctx.fillStyle = colour("text3");
  ctx.textBaseline = "middle";
  ctx.textAlign = "right";
  for (const hour of [0, 6, 12, 18]) ctx.fillText(`${String(hour).padStart(2, "0")}:00`, gutter - 6, y(hour) + 6);
  ctx.textAlign = "center";
  const wide = Math.max(...d.labels.map((t) => ctx.measureText(t).width)) + 10, every = Math.max(1, Math.ceil(wide / width));
  let end = 0; // of the previous text
  d.labels.forEach((text, day) => {
    if (day % every) return;
    const half = ctx.measureText(text).width / 2, middle = Math.max(gutter + half, Math.min(w - half, x(day) + width / 2));
    if (middle - half < end + 4) return;
    ctx.fillText(text, middle, h - 8);
    end = middle + half;
  });
  ctx.fillStyle = colour("look-fill");
  for (const day of d.unusual) { // a mark above the date
    ctx.beginPath();
    ctx.arc(x(day) + width / 2, h - foot + 4, 2, 0, 2 * Math.PI);
    ctx.fill();
  }
}

/** @param {HTMLCanvasElement} el */
function drawLine(el) {
  const view = fit(el);
  if (!view || !days || days.picked < 0 || days.picked >= days.starts.length) return;
  const { ctx, w, h } = view, d = days, picked = d.picked, weekday = d.weekdays[picked], plot = w - gutter - right, bottom = h - foot, by = d.factor;
  const row = (/** @type {Float64Array} */ of, /** @type {number} */ at) => Array.from(of.subarray(24 * at, 24 * at + 24), (v) => v * by);
  const band = d.median.length >= 168 && d.median.subarray(24 * weekday, 24 * weekday + 24).some((v) => !Number.isNaN(v));
  const others = [...d.starts.keys()].filter((i) => i !== picked && d.weekdays[i] === weekday).map((i) => row(d.average, i));
  const own = row(d.average, picked), highest = row(d.maximum, picked), lowest = row(d.minimum, picked);
  const p10 = row(d.p10, weekday), p90 = row(d.p90, weekday), median = row(d.median, weekday);
  let low = Infinity, high = -Infinity;
  for (const v of [...own, ...highest, ...lowest, ...others.flat(), ...(band ? [...p10, ...p90] : [])]) {
    if (!Number.isFinite(v)) continue;
    low = Math.min(low, v);
    high = Math.max(high, v);
  }
  const [from, to] = range(Number.isFinite(low) ? low : null, Number.isFinite(high) ? high : null, d.unit);
  const x = (/** @type {number} */ hour) => gutter + (hour / 24) * plot, y = (/** @type {number} */ v) => head + (1 - (v - from) / (to - from || 1)) * (bottom - head);
  ctx.font = `11px ${fontFamily()}`;
  ctx.textBaseline = "middle";
  const splits = levels(from, to, bottom - head, 34), texts = axisTexts(splits, d.unit);
  splits.forEach((v, i) => {
    ctx.fillStyle = colour("grid");
    ctx.fillRect(gutter, Math.round(y(v)), plot, 1);
    ctx.fillStyle = colour("text3");
    ctx.textAlign = "right";
    ctx.fillText(texts[i], gutter - 6, Math.max(6, y(v)));
  });
  ctx.textAlign = "center";
  for (let hour = 0; hour <= 24; hour += 6) ctx.fillText(`${String(hour % 24).padStart(2, "0")}:00`, Math.min(w - 16, x(hour)), h - 8);
  /** @type {(top: number[], under: number[], css: string) => void} */
  const area = (top, under, css) => {
    ctx.fillStyle = css;
    for (let hour = 0; hour < 24; hour++) {
      if (Number.isNaN(top[hour]) || Number.isNaN(under[hour])) continue;
      ctx.fillRect(x(hour), y(top[hour]), plot / 24 + 0.5, Math.max(1, y(under[hour]) - y(top[hour])));
    }
  };
  /** @type {(values: number[], css: string, width: number, dash?: number[]) => void} */
  const steps = (values, css, width, dash = []) => {
    ctx.strokeStyle = css;
    ctx.lineWidth = width;
    ctx.setLineDash(dash);
    ctx.beginPath();
    let on = false;
    for (let hour = 0; hour < 24; hour++) {
      if (Number.isNaN(values[hour])) {
        on = false;
        continue;
      }
      if (on) ctx.lineTo(x(hour), y(values[hour]));
      else ctx.moveTo(x(hour), y(values[hour]));
      ctx.lineTo(x(hour + 1), y(values[hour]));
      on = true;
    }
    ctx.stroke();
    ctx.setLineDash([]);
  };
  if (band) area(p90, p10, thin(colour("text3"), isDark() ? 0.3 : 0.22));
  for (const other of others) steps(other, thin(colour("text3"), 0.45), 0.75);
  if (band) steps(median, colour("text3"), 1, [3, 3]);
  area(highest, lowest, thin(colour("s1"), isDark() ? 0.28 : 0.18));
  steps(own, colour("s1"), 2);
}

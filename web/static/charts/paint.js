// What the canvases share: colours of the present theme, hatching, numbers.

const probe = document.createElement("span");
probe.hidden = true;
let colours = new Map();

/** The colour that a token has now: canvases know no custom properties. */
export function colour(token) {
  if (!colours.has(token)) {
    if (!probe.isConnected) document.body.append(probe);
    probe.style.color = `var(--${token})`;
    colours.set(token, getComputedStyle(probe).color);
  }
  return colours.get(token);
}

let family = "";

/** The page's font: asking for it again and again would make the browser work out all styles at once. */
export function fontFamily() { return (family ||= getComputedStyle(document.body).fontFamily); }

export function forgetColours() {
  colours = new Map();
  hatch = null;
}

/** The same colour, let through by the share alpha. */
export function thin(css, alpha) {
  return css.replace(/^rgb\((.*)\)$/, (_, rgb) => `rgba(${rgb}, ${alpha})`);
}

/** Two colours mixed: so much of the first. */
export function mix(a, b, share) {
  const [x, y] = [a, b].map((c) => c.match(/[\d.]+/g).map(Number));
  return `rgb(${[0, 1, 2].map((i) => Math.round(x[i] * share + y[i] * (1 - share))).join(", ")})`;
}

/** Whether the present theme is the dark one. */
export function isDark() {
  return Number(colour("surface").match(/[\d.]+/)[0]) < 128;
}

let hatch = null;

/** Diagonal lines, for what is not there. */
export function hatching(ctx) {
  if (hatch) return hatch;
  const scale = devicePixelRatio || 1, size = Math.round(6 * scale);
  const tile = document.createElement("canvas");
  tile.width = tile.height = size;
  const c = tile.getContext("2d");
  c.strokeStyle = colour("line2");
  c.lineWidth = scale;
  c.beginPath();
  for (const d of [-size, 0, size]) {
    c.moveTo(d, size);
    c.lineTo(d + size, 0);
  }
  c.stroke();
  return (hatch = ctx.createPattern(tile, "repeat"));
}

/** The same for what is known only as a difference: an area that is there, but not whose it is. */
export function hatched(ctx) {
  const scale = devicePixelRatio || 1, size = Math.round(6 * scale);
  const tile = document.createElement("canvas");
  tile.width = tile.height = size;
  const c = tile.getContext("2d");
  c.fillStyle = colour("surface");
  c.fillRect(0, 0, size, size);
  c.strokeStyle = colour("ctl");
  c.lineWidth = scale;
  c.beginPath();
  for (const d of [-size, 0, size]) {
    c.moveTo(d, size);
    c.lineTo(d + size, 0);
  }
  c.stroke();
  return ctx.createPattern(tile, "repeat");
}

/** Fits a canvas to its element; returns its context in CSS pixels, or null while it is not shown. */
export function fit(canvas) {
  const w = canvas.clientWidth, h = canvas.clientHeight, scale = devicePixelRatio || 1;
  if (!w || !h) return null;
  if (canvas.width !== Math.round(w * scale) || canvas.height !== Math.round(h * scale)) {
    canvas.width = Math.round(w * scale);
    canvas.height = Math.round(h * scale);
  }
  const ctx = canvas.getContext("2d");
  ctx.setTransform(scale, 0, 0, scale, 0, 0);
  ctx.clearRect(0, 0, w, h);
  ctx.font = `11px ${fontFamily()}`;
  return { ctx, w, h };
}

let ruler = null;

/** How wide a text of the axes is, in CSS pixels. */
export function wide(text) {
  ruler ??= document.createElement("canvas").getContext("2d");
  ruler.font = `11px ${fontFamily()}`;
  return ruler.measureText(text).width;
}

const formats = new Map();

/** A number as web/format writes it. */
export function number(v, decimals) {
  if (v == null || Number.isNaN(v)) return "–";
  if (v === 0) return "0";
  if (!Number.isFinite(v)) return v < 0 ? "\u2212\u221e" : "\u221e";
  if (Math.abs(v) >= 1e15) return String(v.toPrecision(4)).replace("-", "\u2212");
  if (!formats.has(decimals)) formats.set(decimals, new Intl.NumberFormat("en-US", { minimumFractionDigits: decimals, maximumFractionDigits: decimals }));
  const f = formats.get(decimals);
  const s = f.format(Math.abs(v));
  if (Number(s.replaceAll(",", "")) === 0) return (v < 0 ? ">\u2212" : "<") + f.format(10 ** -decimals);
  return (v < 0 ? "\u2212" : "") + s;
}

/** From which size on a number gets which letter. */
export const sizes = [[1e18, "E"], [1e15, "P"], [1e12, "T"], [1e9, "G"], [1e6, "M"], [1e4, "k"]];

/** A number with a letter for its size where it has many digits: "57k". */
export function brief(v, decimals) {
  const a = Math.abs(v);
  if (a === Infinity) return number(v, decimals);
  for (const [size, letter] of sizes) {
    if (a >= size) return number(v / (letter === "k" ? 1e3 : size), a / size < 10 && letter !== "k" ? 1 : 0) + letter;
  }
  return v === 0 ? "0" : number(v, decimals);
}

/** Round values between two ends, about one every so many pixels. */
export function levels(low, high, pixels, apart) {
  const rough = (high - low) / Math.max(1, pixels / apart);
  if (!(rough > 0)) return [low];
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = unit * ([1, 2, 2.5, 5, 10].find((f) => f * unit >= rough * 0.999) ?? 10);
  const list = [];
  for (let n = Math.ceil(low / step - 1e-9); n * step <= high + step * 1e-9; n++) list.push(n * step);
  return list;
}

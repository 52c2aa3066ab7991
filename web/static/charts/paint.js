// What all canvases share: theme colours, hatching, sizes.

/** @type {HTMLElement | null} the element whose computed style resolves a token */
let probe = null;
/** @type {Map<string, string>} */
let colours = new Map();

/**
 * The present colour of a token: a canvas cannot resolve custom properties.
 * @param {string} token
 */
export function colour(token) {
  const known = colours.get(token);
  if (known !== undefined) return known;
  if (!probe) {
    probe = document.createElement("span");
    probe.hidden = true;
    probe.style.setProperty("forced-color-adjust", "none"); // lines of one colour cannot be told apart
  }
  if (!probe.isConnected) document.body.append(probe);
  probe.style.color = `var(--${token})`;
  const css = getComputedStyle(probe).color;
  colours.set(token, css);
  return css;
}

let family = "";

/** The page's font: cached, because each look-up makes the browser recompute styles. */
export function fontFamily() { return (family ||= getComputedStyle(document.body).fontFamily); }

export function forgetColours() {
  colours = new Map();
  hatch = null;
}

/**
 * The same colour with the given opacity.
 * @param {string} css
 * @param {number} alpha
 */
export function thin(css, alpha) {
  return css.replace(/^rgb\((.*)\)$/, (_, rgb) => `rgba(${rgb}, ${alpha})`);
}

/**
 * A mix of two colours, with the given share of the first.
 * @param {string} a
 * @param {string} b
 * @param {number} share
 */
export function mix(a, b, share) {
  const [x, y] = [a, b].map((c) => (c.match(/[\d.]+/g) ?? []).map(Number));
  return `rgb(${[0, 1, 2].map((i) => Math.round(x[i] * share + y[i] * (1 - share))).join(", ")})`;
}

/** Whether the present theme is the dark one. */
export function isDark() {
  return Number(colour("surface").match(/[\d.]+/)?.[0]) < 128;
}

/** A canvas for drawing off screen. @param {number} width @param {number} height */
export function canvasOf(width, height) {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  return { canvas, ctx: contextOf(canvas) };
}

/** The 2D context of a canvas. Throws if the browser provides none, for example because there are thousands of canvases. @param {HTMLCanvasElement} canvas */
export function contextOf(canvas) {
  const ctx = canvas.getContext("2d");
  if (!ctx) throw new Error("the browser gives no more canvases to draw on");
  return ctx;
}

/** @type {CanvasPattern | null} */
let hatch = null;

/** Diagonal lines, for missing data. @param {CanvasRenderingContext2D} ctx */
export function hatching(ctx) { return (hatch ??= diagonals(ctx, "line2", null)); }

/** The same for an area that is known only as a difference: it exists, but not whose it is. @param {CanvasRenderingContext2D} ctx */
export function hatched(ctx) { return diagonals(ctx, "ctl", "surface"); }

/** @param {CanvasRenderingContext2D} onto @param {string} line @param {string | null} ground */
function diagonals(onto, line, ground) {
  const scale = devicePixelRatio || 1, size = Math.round(6 * scale), { canvas, ctx } = canvasOf(size, size);
  if (ground) {
    ctx.fillStyle = colour(ground);
    ctx.fillRect(0, 0, size, size);
  }
  ctx.strokeStyle = colour(line);
  ctx.lineWidth = scale;
  ctx.beginPath();
  for (const d of [-size, 0, size]) {
    ctx.moveTo(d, size);
    ctx.lineTo(d + size, 0);
  }
  ctx.stroke();
  return /** @type {CanvasPattern} */ (onto.createPattern(canvas, "repeat"));
}

/**
 * Fits a canvas to its element and returns its context, scaled to CSS pixels; null while it is hidden.
 * @param {HTMLCanvasElement} canvas
 */
export function fit(canvas) {
  const w = canvas.clientWidth, h = canvas.clientHeight, scale = devicePixelRatio || 1;
  if (!w || !h) return null;
  if (canvas.width !== Math.round(w * scale) || canvas.height !== Math.round(h * scale)) {
    canvas.width = Math.round(w * scale);
    canvas.height = Math.round(h * scale);
  }
  const ctx = contextOf(canvas);
  ctx.setTransform(scale, 0, 0, scale, 0, 0);
  ctx.clearRect(0, 0, w, h);
  ctx.font = `11px ${fontFamily()}`;
  return { ctx, w, h };
}

/** @type {CanvasRenderingContext2D | null} */
let ruler = null;

/**
 * The width of an axis label in CSS pixels.
 * @param {string} text
 */
export function wide(text) {
  ruler ??= canvasOf(1, 1).ctx;
  ruler.font = `11px ${fontFamily()}`;
  return ruler.measureText(text).width;
}

// The expression editor: a transparent text area over a rendering of its text. Faults are
// shown below their line, where a text area has no room: so the text area is shifted to
// align the line with the caret, and while lines are apart the rendering handles pointer
// and selection.

const picked = globalThis.Highlight && CSS.highlights ? new Highlight() : null;
if (picked) CSS.highlights.set("picked", picked);

let split = false; // a fault is shown between two lines
/** @type {number | null} */
let anchor = null; // where the pointer was pressed

const area = () => /** @type {HTMLTextAreaElement | null} */ (document.getElementById("derive-text"));
const lines = () => [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".code-line"))];
/** @type {WeakSet<HTMLTextAreaElement>} */
const followed = new WeakSet();

/** Aligns the editor with its text, faults and caret; also called after each drawing. */
export function placeEditor() {
  const field = area();
  if (!field || field.closest("[hidden]") || !field.checkVisibility()) return; // checkVisibility forces a layout of the page
  if (!followed.has(field)) follow(field);
  const before = field.value.slice(0, field.selectionDirection === "backward" ? field.selectionStart : field.selectionEnd);
  const caret = before.split("\n").length - 1;
  const rows = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".code-row"))];
  let shift = 0;
  split = false;
  rows.forEach((row, i) => {
    const line = /** @type {HTMLElement} */ (row.firstElementChild), room = row.clientWidth;
    const wrong = /** @type {HTMLElement | null} */ (line.querySelector(".wavy"));
    for (const fault of /** @type {NodeListOf<HTMLElement>} */ (row.querySelectorAll(".code-fault"))) { // below the first faulty line, if there is room
      fault.style.setProperty("padding-left", `${31 + (wrong && room > 480 ? Math.min(wrong.offsetLeft, room / 3) : -20)}px`);
    }
    const below = row.offsetHeight - line.offsetHeight;
    if (i < caret) shift += below;
    split ||= below > 0 && i < rows.length - 1;
  });
  const set = (/** @type {string} */ name, /** @type {string | false | 0 | null} */ value) => (value ? field.style.setProperty(name, value) : field.style.removeProperty(name));
  set("transform", shift && `translateY(${shift}px)`);
  set("pointer-events", split && "none");
  set("--picked", split && picked && "transparent");
  field.parentElement?.style.setProperty("cursor", split ? "text" : "auto");
  pick(field);
  const popup = document.getElementById("derive-popup"), at = rows[caret]?.firstElementChild;
  if (popup && at) popup.style.setProperty("top", `${at.getBoundingClientRect().bottom - (popup.offsetParent?.getBoundingClientRect().top ?? 0) + 4}px`);
}

/**
 * Shows the selection in the rendering while lines are apart.
 * @param {HTMLTextAreaElement} field
 */
function pick(field) {
  picked?.clear();
  if (!split || !picked) return;
  let from = 0;
  for (const line of lines()) {
    const long = lengthOf(field, from);
    const a = Math.max(field.selectionStart, from) - from, b = Math.min(field.selectionEnd, from + long) - from;
    if (a < b) {
      const range = new Range();
      range.setStart(...pointIn(line, a));
      range.setEnd(...pointIn(line, b));
      picked.add(range);
    }
    from += long + 1;
  }
}

/** @param {HTMLTextAreaElement} field @param {number} from */
function lengthOf(field, from) {
  const end = field.value.indexOf("\n", from);
  return (end < 0 ? field.value.length : end) - from;
}

/**
 * The node and the offset in it that correspond to a position in a line's
 * text.
 * @param {HTMLElement} line
 * @param {number} at
 * @returns {[Node, number]}
 */
function pointIn(line, at) {
  const walk = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
  for (let node; (node = /** @type {Text | null} */ (walk.nextNode())); at -= node.length) if (at <= node.length) return [node, at];
  return [line, line.childNodes.length];
}

/**
 * The position in the text at a point of the page.
 * @param {HTMLTextAreaElement} field
 * @param {number} x
 * @param {number} y
 */
function placeAt(field, x, y) {
  const all = lines();
  let i = all.findIndex((line) => (line.parentElement?.getBoundingClientRect().bottom ?? 0) > y);
  if (i < 0) i = all.length - 1;
  let from = 0;
  for (let k = 0; k < i; k++) from += lengthOf(field, from) + 1;
  const line = all[i], box = line.getBoundingClientRect();
  y = Math.max(box.top + 1, Math.min(y, box.bottom - 2));
  const hit = hitAt(x, y);
  const long = lengthOf(field, from);
  if (!hit || !line.contains(hit.node)) return from + (x <= box.left ? 0 : long);
  const range = new Range();
  range.setStart(line, 0);
  range.setEnd(hit.node, hit.offset);
  return from + Math.min(long, range.toString().length);
}

/** The node and the offset at a point. Older WebKit versions have only the second function. @param {number} x @param {number} y */
function hitAt(x, y) {
  const place = document.caretPositionFromPoint?.(x, y);
  if (place) return { node: place.offsetNode, offset: place.offset };
  const range = document.caretRangeFromPoint?.(x, y);
  return range ? { node: range.startContainer, offset: range.startOffset } : null;
}

/** @param {HTMLTextAreaElement} field */
function follow(field) {
  followed.add(field);
  const text = /** @type {HTMLElement} */ (field.parentElement);
  text.addEventListener("mousedown", (e) => {
    if (!split || e.button !== 0 || e.target instanceof Element && e.target.closest("button")) return;
    e.preventDefault();
    const at = placeAt(field, e.clientX, e.clientY);
    field.focus();
    if (e.detail > 1) return word(field, at);
    anchor = e.shiftKey ? field.selectionStart : at;
    select(field, at);
  });
  document.addEventListener("mousemove", (e) => {
    if (anchor != null) select(field, placeAt(field, e.clientX, e.clientY));
  });
  document.addEventListener("mouseup", () => { anchor = null; });
  document.addEventListener("selectionchange", placeEditor);
  new ResizeObserver(placeEditor).observe(text);
}

/** @param {HTMLTextAreaElement} field @param {number} at */
function select(field, at) {
  const from = anchor ?? at;
  field.setSelectionRange(Math.min(from, at), Math.max(from, at), at < from ? "backward" : "forward");
  placeEditor();
}

/** @param {HTMLTextAreaElement} field @param {number} at */
function word(field, at) {
  const part = /[\w.]/;
  let a = at, b = at;
  while (a > 0 && part.test(field.value[a - 1])) a--;
  while (b < field.value.length && part.test(field.value[b])) b++;
  field.setSelectionRange(a, b);
  placeEditor();
}

// The editor of expressions: a text area without colours over a drawing of its
// text. What is wrong stands beneath its line, where a text area has no room:
// it is moved so that its caret stands in the line that it is in, and while
// lines lie apart the pointer and the selection are those of the drawing.

const picked = globalThis.Highlight && CSS.highlights ? new Highlight() : null;
if (picked) CSS.highlights.set("picked", picked);

let split = false; // something is told between two lines
let anchor = null; // where the pointer went down

const area = () => document.getElementById("derive-text");
const lines = () => [...document.querySelectorAll(".code-line")];

/** Follows the text, its faults and the caret; called after each drawing too. */
export function placeEditor() {
  const field = area();
  if (!field || field.closest("[hidden]") || !field.checkVisibility()) return; // the second asks for a layout of the page
  if (!field.followed) follow(field);
  const before = field.value.slice(0, field.selectionDirection === "backward" ? field.selectionStart : field.selectionEnd);
  const caret = before.split("\n").length - 1;
  const rows = [...document.querySelectorAll(".code-row")];
  let shift = 0;
  split = false;
  rows.forEach((row, i) => {
    const line = row.firstElementChild, wrong = line.querySelector(".wavy"), room = row.clientWidth;
    for (const fault of row.querySelectorAll(".code-fault")) { // below the first thing that is wrong, where there is room
      fault.style.setProperty("padding-left", `${31 + (wrong && room > 480 ? Math.min(wrong.offsetLeft, room / 3) : -20)}px`);
    }
    const below = row.offsetHeight - line.offsetHeight;
    if (i < caret) shift += below;
    split ||= below > 0 && i < rows.length - 1;
  });
  const set = (name, value) => (value ? field.style.setProperty(name, value) : field.style.removeProperty(name));
  set("transform", shift && `translateY(${shift}px)`);
  set("pointer-events", split && "none");
  set("--picked", split && picked && "transparent");
  field.parentNode.style.setProperty("cursor", split ? "text" : "auto");
  pick(field);
  const popup = document.getElementById("derive-popup"), at = rows[caret]?.firstElementChild;
  if (popup && at) popup.style.setProperty("top", `${at.getBoundingClientRect().bottom - popup.offsetParent?.getBoundingClientRect().top + 4}px`);
}

/** Shows in the drawing what is selected, while lines lie apart. */
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

function lengthOf(field, from) {
  const end = field.value.indexOf("\n", from);
  return (end < 0 ? field.value.length : end) - from;
}

/** The node and the place in it where a line's text has come so far. */
function pointIn(line, at) {
  const walk = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
  for (let node; (node = walk.nextNode()); at -= node.length) if (at <= node.length) return [node, at];
  return [line, line.childNodes.length];
}

/** The place in the text that lies under a point of the page. */
function placeAt(field, x, y) {
  const all = lines();
  let i = all.findIndex((line) => line.parentNode.getBoundingClientRect().bottom > y);
  if (i < 0) i = all.length - 1;
  let from = 0;
  for (let k = 0; k < i; k++) from += lengthOf(field, from) + 1;
  const line = all[i], box = line.getBoundingClientRect();
  y = Math.max(box.top + 1, Math.min(y, box.bottom - 2));
  const hit = document.caretPositionFromPoint?.(x, y) ?? document.caretRangeFromPoint?.(x, y);
  const node = hit?.offsetNode ?? hit?.startContainer;
  const long = lengthOf(field, from);
  if (!node || !line.contains(node)) return from + (x <= box.left ? 0 : long);
  const range = new Range();
  range.setStart(line, 0);
  range.setEnd(node, hit.offset ?? hit.startOffset);
  return from + Math.min(long, range.toString().length);
}

function follow(field) {
  field.followed = true;
  const text = field.parentNode;
  text.addEventListener("mousedown", (e) => {
    if (!split || e.button !== 0 || e.target.closest("button")) return;
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

function select(field, at) {
  field.setSelectionRange(Math.min(anchor, at), Math.max(anchor, at), at < anchor ? "backward" : "forward");
  placeEditor();
}

function word(field, at) {
  const part = /[\w.]/;
  let a = at, b = at;
  while (a > 0 && part.test(field.value[a - 1])) a--;
  while (b < field.value.length && part.test(field.value[b])) b++;
  field.setSelectionRange(a, b);
  placeEditor();
}

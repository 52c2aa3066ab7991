// A long press on a search result acts as a click with Shift: it adds a new panel.

const long = 500; // milliseconds
const far = 10; // pixels that the finger may move

let timer = 0, held = false;
/** @type {PointerEvent | null} where the finger went down */
let at = null;

const stop = () => { clearTimeout(timer); at = null; };

addEventListener("pointerdown", (e) => {
  stop();
  held = false;
  const line = e.pointerType !== "mouse" && e.isPrimary && e.target instanceof Element && e.target.closest('[data-testid="search-hit"]');
  if (!line) return;
  at = e;
  timer = setTimeout(() => {
    stop();
    held = true;
    line.dispatchEvent(new MouseEvent("click", { bubbles: true, shiftKey: true }));
  }, long);
}, { passive: true });
addEventListener("pointermove", (e) => {
  if (at && Math.hypot(e.clientX - at.clientX, e.clientY - at.clientY) > far) stop();
}, { passive: true });
for (const end of ["pointerup", "pointercancel"]) addEventListener(end, stop, { passive: true });

// The click that follows lifting the finger, or the context menu instead of it, is
// suppressed.
addEventListener("click", (e) => {
  if (!held || !e.isTrusted) return;
  held = false;
  e.stopPropagation();
  e.preventDefault();
}, true);
addEventListener("contextmenu", (e) => {
  if ((at || held) && e.target instanceof Element && e.target.closest('.hits')) e.preventDefault();
});

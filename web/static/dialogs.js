// Keyboard focus of dialogs: opening one moves the focus into it, Tab stays inside, and
// closing it returns the focus to where it was.

import { marked } from "./marks.js";

const focusable = 'a[href], button:not(:disabled), input:not(:disabled), select, textarea, [tabindex="0"]';
/** @type {HTMLElement | null} */
let open = null;
/** @type {Element | null} that had the focus before */
let before = null;

const visible = (/** @type {Iterable<Element>} */ list) => [...list].filter((e) => e instanceof HTMLElement && e.checkVisibility()).map((e) => /** @type {HTMLElement} */ (e));

/** Checks which dialog is open. Called after each drawing of the page. */
export function followDialogs() {
  // Checking visibility forces a layout of the page; checking the hidden attribute does
  // not.
  const there = [...marked("role", "dialog")].filter((e) => !e.closest("[hidden]"));
  const dialog = visible(there).at(-1) ?? null;
  if (dialog === open) return;
  if (dialog) {
    if (!open) before = document.activeElement;
    if (!dialog.contains(document.activeElement)) {
      const inside = visible(dialog.querySelectorAll(focusable));
      const field = inside.find((e) => e.matches("input, textarea"));
      (field ?? inside[0])?.focus({ preventScroll: !field }); // show a long text from its beginning
    }
  } else if (before instanceof HTMLElement && before.isConnected && (document.activeElement === document.body || open?.contains(document.activeElement))) {
    before.focus({ preventScroll: true });
  }
  open = dialog;
}

addEventListener("keydown", (e) => {
  if (e.key !== "Tab" || !open?.checkVisibility()) return;
  const inside = visible(open.querySelectorAll(focusable));
  if (!inside.length) return;
  const at = inside.findIndex((e) => e === document.activeElement), next = e.shiftKey ? at - 1 : at + 1;
  if (at >= 0 && next >= 0 && next < inside.length) return;
  e.preventDefault();
  inside.at(e.shiftKey ? -1 : 0)?.focus();
});

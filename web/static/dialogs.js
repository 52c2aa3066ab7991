// Keyboard focus of dialogs: opening one moves the focus into it, Tab stays inside, and
// closing it returns the focus to where it was. Menus leave it on their button: Tab goes
// on into the menu, wherever that is in the page.

import { marked } from "./marks.js";

const focusable = 'a[href], button:not(:disabled), input:not(:disabled), select, textarea, [tabindex="0"]';
/** @type {HTMLElement | null} */
let open = null;
/** @type {Element | null} that had the focus before */
let before = null;

const visible = (/** @type {Iterable<Element>} */ list) => [...list].filter((e) => e instanceof HTMLElement && e.checkVisibility()).map((e) => /** @type {HTMLElement} */ (e));

/** Those open: closed ones are not in the page. */
const menus = document.getElementsByClassName("menu");
/** @type {Element | null} */
let menu = null;
/** @type {HTMLElement | null} the button of the menu */
let opener = null;

function followMenus() {
  const shown = menus[0] ?? null, at = document.activeElement;
  if (shown === menu) return;
  if (shown) opener = at instanceof HTMLElement && at.ariaExpanded === "true" ? at : null;
  else if (opener?.isConnected && at === document.body) opener.focus({ preventScroll: true });
  menu = shown;
}

/** Checks which dialog is open, and which menu. Called after each drawing of the page. */
export function followDialogs() {
  followMenus();
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
  if (e.key !== "Tab") return;
  if (!open && menu?.isConnected) return tabInMenu(e, menu);
  if (!open?.checkVisibility()) return;
  const inside = visible(open.querySelectorAll(focusable));
  if (!inside.length) return;
  const at = inside.findIndex((e) => e === document.activeElement), next = e.shiftKey ? at - 1 : at + 1;
  if (at >= 0 && next >= 0 && next < inside.length) return;
  e.preventDefault();
  inside.at(e.shiftKey ? -1 : 0)?.focus();
});

/** @param {KeyboardEvent} e @param {Element} menu */
function tabInMenu(e, menu) {
  const inside = visible(menu.querySelectorAll(focusable)), list = opener?.isConnected ? [opener, ...inside] : inside;
  const at = list.findIndex((e) => e === document.activeElement);
  if (at < 0 && document.activeElement !== document.body) return;
  e.preventDefault();
  list.at(at < 0 ? (e.shiftKey ? -1 : 0) : (at + (e.shiftKey ? -1 : 1)) % list.length)?.focus();
}

// Keyboard focus of dialogs: opening one moves the focus into it, Tab stays inside, and
// closing it returns the focus to where it was. Menus leave it on their button: Tab goes
// on into the menu, wherever that is in the page. What else had the focus and is closed
// gives it back to where it came from or, if that is gone, to the main part of the page.

import { marked } from "./marks.js";

const focusable = 'a[href], button:not(:disabled), input:not(:disabled), select, textarea, [tabindex="0"]';
/** @type {HTMLElement | null} */
let open = null;
/** @type {Element | null} that had the focus before */
let before = null;

const visible = (/** @type {Iterable<Element>} */ list) => [...list].filter((e) => e instanceof HTMLElement && e.checkVisibility()).map((e) => /** @type {HTMLElement} */ (e));

/** The focus is on no control: Tab goes on from the beginning of the page, or of its main part. @param {Element | null} at */
const idle = (at) => at === document.body || at?.localName === "main";

/** @param {Element | null} to what had the focus before */
function giveBack(to) {
  const there = to instanceof HTMLElement && to.isConnected && to.checkVisibility() ? to : document.querySelector("main.centre"); // the welcome page has another
  if (there instanceof HTMLElement) there.focus({ preventScroll: true });
}

/** @type {Element | null} that had the focus before the search */
let searchedFrom = null;
addEventListener("focusin", (e) => {
  const field = e.target instanceof Element ? e.target.closest('[role="search"]') : null;
  if (field && !(e.relatedTarget instanceof Node && field.contains(e.relatedTarget))) searchedFrom = /** @type {Element | null} */ (e.relatedTarget);
});

/** Takes the focus out of a field. @param {boolean} back to where it was before the search */
export function leaveField(back) {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  giveBack(back ? searchedFrom : null);
}

let comparing = false;
/** @type {Element | null} that had the focus before the comparison */
let comparedFrom = null;

function followComparison() {
  const now = [...marked("data-testid", "compare")].some((e) => !e.hidden), at = document.activeElement;
  if (now === comparing) return;
  comparing = now;
  if (now) comparedFrom = at;
  if (idle(at) || !at?.checkVisibility()) giveBack(now ? null : comparedFrom);
}

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
  else if (opener?.isConnected && idle(at)) opener.focus({ preventScroll: true });
  menu = shown;
}

/** Checks which dialog is open, and which menu. Called after each drawing of the page. */
export function followDialogs() {
  followMenus();
  followComparison();
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
  } else if (before instanceof HTMLElement && before.isConnected && (idle(document.activeElement) || open?.contains(document.activeElement))) {
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
  if (at < 0 && !idle(document.activeElement)) return;
  e.preventDefault();
  list.at(at < 0 ? (e.shiftKey ? -1 : 0) : (at + (e.shiftKey ? -1 : 1)) % list.length)?.focus();
}

// Keeps popups inside the window: below what opened them if there is room, otherwise as
// low as possible.

const gap = 8;

/**
 * Places a popup next to what opened it. To be called again whenever either
 * moves.
 * @param {HTMLElement} popup
 * @param {Element} opener
 */
export function placePopup(popup, opener) {
  const set = (/** @type {string} */ name, /** @type {string} */ value) => popup.style.setProperty(name, value);
  for (const [name, value] of [["position", "fixed"], ["inset", "0 auto auto 0"], ["translate", "none"], ["overflow", "auto"]]) set(name, value);
  const bar = document.querySelector(".phone-nav");
  const floor = (bar?.checkVisibility() ? bar.getBoundingClientRect().top : innerHeight) - gap;
  set("max-height", `${floor - gap}px`);
  const at = opener.getBoundingClientRect(), box = popup.getBoundingClientRect(); // its current offset from where it is fixed
  const top = Math.max(gap, Math.min(at.bottom + 4, floor - box.height));
  const left = Math.max(gap, Math.min(at.right - box.width, innerWidth - gap - box.width));
  set("translate", `${left - box.left}px ${top - box.top}px`); // unlike left and top, this needs no second layout
}

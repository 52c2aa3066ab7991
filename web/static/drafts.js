// A field marked data-draft takes effect when it is left. Every drawing of the page sets
// all fields to the current values, which would overwrite what is being typed: so such a
// field keeps its own value from the first keystroke until it is left.
const native = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value");

/**
 * @param {EventTarget | null} target
 * @returns {target is HTMLInputElement}
 */
function isDraft(target) { return target instanceof HTMLInputElement && target.matches("[data-draft]"); }

addEventListener("input", ({ target }) => {
  if (!isDraft(target)) return;
  Object.defineProperty(target, "value", { get: native?.get, set() {}, configurable: true });
}, true);
for (const end of ["change", "blur"]) {
  addEventListener(end, ({ target }) => { if (isDraft(target)) Reflect.deleteProperty(target, "value"); }, true);
}

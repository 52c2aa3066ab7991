// A field marked data-draft takes effect when it is left. Each drawing of the
// page sets all fields to what is in force, which would take away what is
// being typed: from the first letter on until the field is left, such a field
// keeps its own.
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

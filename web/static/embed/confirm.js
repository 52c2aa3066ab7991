// A question of a framed page, asked in a separate window.

import { afterAWhile, fill } from "./ask.js";

const box = /** @type {HTMLElement} */ (document.getElementById("question"));
if (opener && parent === window) {
  addEventListener("message", ({ source, origin, data }) => {
    if (source !== opener || origin !== location.origin || !data?.question || box.childElementCount) return;
    const { refuse, accept } = fill(box, data.question);
    afterAWhile(box, () => { accept.disabled = false; });
    const answer = (/** @type {boolean} */ said) => (/** @type {MouseEvent} */ e) => {
      if (!e.isTrusted) return;
      opener.postMessage({ answer: said }, location.origin);
      close();
    };
    accept.onclick = answer(true);
    refuse.onclick = answer(false);
    refuse.focus();
  });
  opener.postMessage({ ready: true }, location.origin);
} else {
  box.textContent = "The page that asked cannot be reached from this window. Open the archives in pcpscope itself.";
}

// Makes the page usable offline, and reports new versions. The version never changes under
// a page in use.

/** @type {(text: string, button: string, act: (words: HTMLElement) => void) => void} */
const box = (text, button, act) => {
  document.querySelector("[data-testid=update]")?.remove();
  const p = document.createElement("div");
  p.className = "update banner";
  p.dataset.testid = "update";
  p.setAttribute("role", "status");
  const words = document.createElement("span"), yes = document.createElement("button"), no = document.createElement("button");
  words.textContent = text;
  yes.type = no.type = "button";
  yes.textContent = button;
  yes.dataset.testid = "update-now";
  no.textContent = "Later";
  no.dataset.testid = "update-later";
  yes.onclick = () => act(words);
  no.onclick = () => p.remove();
  p.append(words, " ", yes, " ", no);
  document.body.append(p);
};

/**
 * Sends a message to a service worker and resolves with its answer; undefined if none comes.
 * @param {ServiceWorker} worker
 * @param {object} message
 * @returns {Promise<any>}
 */
export function send(worker, message) {
  return new Promise((done) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = ({ data }) => done(data);
    worker.postMessage(message, [channel.port2]);
    setTimeout(() => done(undefined), 1000);
  });
}

/** @param {ServiceWorker} waiting */
function offer(waiting) {
  box("A new version of pcpscope is ready. It starts once all its pages are closed; or reload now, which closes what is open here.", "Reload now", async (words) => {
    const others = await send(waiting, { change: true });
    if (others > 0) words.textContent = `pcpscope is open in ${others} more ${others === 1 ? "page" : "pages"}; close ${others === 1 ? "it" : "them"} first.`;
  });
}

export async function keep() {
  const registration = await navigator.serviceWorker.register(new URL("sw.js", import.meta.url), { updateViaCache: "none" });
  const watch = () => {
    const next = registration.waiting;
    if (next && navigator.serviceWorker.controller) offer(next);
  };
  watch();
  registration.addEventListener("updatefound", () => {
    registration.installing?.addEventListener("statechange", watch);
  });
  const had = Boolean(navigator.serviceWorker.controller);
  navigator.serviceWorker.addEventListener("controllerchange", () => {
    if (had) location.reload(); // at the user's request
  });
}

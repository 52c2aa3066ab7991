// Asks the user for consent. Texts are never interpreted as markup.
//
// In a frame of another page, the user must really see the question: that page
// could make the frame transparent, or cover it, to get a click on something
// invisible (clickjacking). If the browser can tell that the question is
// visible as drawn (IntersectionObserver version 2), it can be answered in the
// frame once it has been visible for a while; otherwise it is asked in a
// separate window.

/** @typedef {{ title: string, text: string, list?: string[], yes: string, no: string }} Question */
/** @typedef {(box: HTMLElement, say: (visible: boolean) => void) => () => void} Watch says when a box can be seen, until it is stopped */

const settle = 800; // milliseconds before a question can be answered
const maxListed = 500; // URLs in one question

const canSee = typeof IntersectionObserverEntry === "function" && "isVisible" in IntersectionObserverEntry.prototype;

/** Whether this page, or one that contains it, is in a frame of another site. */
function framed() {
  try {
    for (let w = /** @type {Window} */ (window); w !== w.parent; w = w.parent) if (w.parent.location.origin !== location.origin) return true;
    return false;
  } catch {
    return true;
  }
}

/** @type {Promise<unknown>} */
let before = Promise.resolve();

/**
 * Resolves with true only if the user presses the confirming button. Only one question is shown at a
 * time.
 * @param {Question} question
 * @returns {Promise<boolean>}
 */
export function ask(question) {
  const answer = before.then(() => put(question));
  before = answer.catch(() => {});
  return answer;
}

/** @param {Question} question */
async function put(question) {
  if ((question.list?.length ?? 0) > maxListed) return false; // more than anyone would read
  if (!framed()) return dialog(question);
  return dialog(question, canSee ? watch : never);
}

/** Fills a box with a question. accept is disabled at first. @param {HTMLElement} box @param {Question} question */
export function fill(box, { title, text, list = [], yes, no }) {
  const head = document.createElement("h2"), p = document.createElement("p"), ul = document.createElement("ul");
  head.textContent = title;
  p.textContent = text;
  for (const line of list) {
    const li = document.createElement("li");
    li.className = "mono";
    li.textContent = line;
    ul.append(li);
  }
  const buttons = document.createElement("p");
  const refuse = button(no, "ask-no"), accept = button(yes, "ask-yes");
  accept.disabled = true;
  buttons.append(refuse, " ", accept);
  box.append(head, p, ...(list.length ? [ul] : []), buttons);
  return { refuse, accept, buttons };
}

/** A button must have been visible for a while before it works, since a question could appear under a pointer that is about to click. @type {Watch} */
export function afterAWhile(_, say) {
  const timer = setTimeout(() => say(true), settle);
  return () => clearTimeout(timer);
}

/** Reports whether all parts of the box have been visible for a while; in a small frame some are scrolled out of view. @type {Watch} */
function watch(box, say) {
  let timer = 0;
  /** @type {Set<Element>} */
  const unseen = new Set(box.children);
  const observer = new IntersectionObserver((entries) => {
    for (const { target, isVisible, intersectionRatio } of entries) {
      if (isVisible && intersectionRatio > 0.98) unseen.delete(target);
      else unseen.add(target);
    }
    clearTimeout(timer);
    if (unseen.size) say(false);
    else timer = setTimeout(() => say(true), settle);
  }, { threshold: [0, 0.5, 0.98, 1], trackVisibility: true, delay: 100 });
  for (const part of box.children) observer.observe(part);
  return () => (observer.disconnect(), clearTimeout(timer));
}

/** @type {Watch} */
const never = () => () => {};

/** @param {Question} question @param {Watch} seen @returns {Promise<boolean>} */
function dialog(question, seen = afterAWhile) {
  return new Promise((done) => {
    const box = document.createElement("dialog");
    box.className = "card ask";
    box.dataset.testid = "ask";
    const { refuse, accept, buttons } = fill(box, question);
    let answer = false;
    /** @type {(() => void) | null} closes the separate window */
    let other = null;
    const stop = seen(box, (visible) => { accept.disabled = !visible; });
    accept.onclick = (e) => {
      if (!e.isTrusted) return;
      answer = true;
      box.close();
    };
    refuse.onclick = () => box.close();
    if (seen !== afterAWhile) { // always offered, since a frame may be too small, or the browser may lack support
      const apart = button("Answer in a separate window…", "ask-apart");
      apart.onclick = () => {
        other?.();
        other = askInWindow(question, (said) => {
          answer = said;
          box.close();
        });
        if (!other) apart.replaceWith("This frame may not open a window. Open the archives in pcpscope itself.");
      };
      buttons.append(" ", apart);
      accept.hidden = seen === never;
    }
    box.onclose = () => {
      stop();
      other?.();
      box.remove();
      done(answer);
    };
    document.body.append(box);
    box.showModal();
    refuse.focus();
  });
}

/** Shows the question in a window of this site, which no other page can cover. @param {Question} question @param {(said: boolean) => void} answered */
function askInWindow(question, answered) {
  const page = window.open(new URL("../confirm.html", import.meta.url), "_blank", "popup,width=560,height=520");
  if (!page) return null;
  const hear = (/** @type {MessageEvent} */ { source, origin, data }) => {
    if (source !== page || origin !== location.origin) return;
    if (data?.ready) page.postMessage({ question }, location.origin);
    if (typeof data?.answer === "boolean") answered(data.answer);
  };
  addEventListener("message", hear);
  return () => {
    removeEventListener("message", hear);
    page.close();
  };
}

/** @param {string} text @param {string} testid */
function button(text, testid) {
  const b = document.createElement("button");
  b.type = "button";
  b.textContent = text;
  b.dataset.testid = testid;
  return b;
}

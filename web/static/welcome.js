// The command field on the empty page. It lists the page's buttons and links, and clicks
// them: a command does nothing that they do not.

const page = part("welcome"), field = /** @type {HTMLInputElement} */ (part("welcome-command"));
const box = part("welcome-hits"), list = part("welcome-commands");

/** @typedef {[words: string, button: HTMLElement, keys: string]} Command */
/** @type {Command[]} */
let shown = [];
let at = 0;

/** A part of the page that index.html has. @param {string} id */
function part(id) { return /** @type {HTMLElement} */ (document.getElementById(id)); }

/** What can be done now. @type {() => Command[]} */
const commands = () => ["main", "footer", ".topbar"].flatMap((part) => [.../** @type {NodeListOf<HTMLElement>} */ (page.querySelectorAll(`${part} [data-command], ${part} [data-testid="recent-open"]`))]).filter((e) => e.checkVisibility())
  .map((e) => [e.dataset.command ?? e.ariaLabel ?? "", e, e.dataset.keys ?? ""]);

/** @param {string} tag @param {string} className @param {(Node | string)[]} children */
function element(tag, className, ...children) {
  const e = document.createElement(tag);
  e.className = className;
  e.append(...children);
  return e;
}

function draw() {
  list.replaceChildren(...shown.map(([words, button, keys], i) => {
    const line = element("div", `line command${i === at ? " on" : ""}`, element("span", "texts", element("span", "name", words)), element("span", "last", keys));
    line.id = `welcome-command-${i}`;
    line.setAttribute("role", "option");
    line.setAttribute("aria-selected", String(i === at));
    line.dataset.testid = "welcome-command-line";
    line.addEventListener("mousedown", (e) => e.preventDefault()); // the field keeps the focus until the click
    line.addEventListener("click", () => act(button));
    return line;
  }));
  if (!shown.length) list.append(element("p", "empty", `No command matches “${field.value.trim()}”.`));
  field.setAttribute("aria-activedescendant", shown.length ? `welcome-command-${at}` : "");
  list.children[at]?.scrollIntoView?.({ block: "nearest" });
}

function open() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  shown = commands().filter(([text]) => words.every((w) => text.toLowerCase().includes(w)));
  at = 0;
  box.hidden = false;
  field.setAttribute("aria-expanded", "true");
  draw();
}

function close() {
  box.hidden = true;
  field.value = "";
  field.setAttribute("aria-expanded", "false");
  field.removeAttribute("aria-activedescendant");
}

/** @param {HTMLElement} button */
function act(button) {
  close();
  field.blur();
  button.click();
}

field.addEventListener("focus", open);
field.addEventListener("input", open);
field.addEventListener("blur", close);
field.addEventListener("keydown", (e) => {
  const by = e.key === "ArrowDown" ? 1 : e.key === "ArrowUp" ? -1 : 0;
  if (by && shown.length) at = (at + by + shown.length) % shown.length;
  else if (e.key === "Enter" && shown[at]) return e.preventDefault(), act(shown[at][1]);
  else if (e.key === "Escape") return field.blur();
  else return;
  e.preventDefault();
  draw();
});

// Runs before the program's own keys, which apply when an archive is open.
addEventListener("keydown", (e) => {
  if (page.hidden) return;
  const typing = e.target instanceof Element && e.target.closest("input, textarea"), plain = !e.ctrlKey && !e.metaKey && !e.altKey;
  if ((e.key === "k" && (e.ctrlKey || e.metaKey)) || (e.key === "/" && plain && !typing)) field.focus();
  else if (e.key === "?" && plain && !typing) part("welcome-help").togglePopover();
  else return;
  e.preventDefault();
  e.stopImmediatePropagation();
}, true);

if (!pcpscopePage.test && pcpscopePage.workers) {
  pcpscopePage.workers.ready.then(() => { part("works-offline").textContent = "works offline"; });
}

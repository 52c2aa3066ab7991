// The server's hosts and their days, on the empty page. All names are set as text.

import { days, fleetLink, index, link, use, within } from "./catalog.js";

/** @import { Day, Line } from "./catalog.js" */

/** @type {(id: string) => HTMLElement} */
const part = (id) => /** @type {HTMLElement} */ (document.getElementById(`catalog${id}`));
/** @type {(id: string) => HTMLInputElement} */
const field = (id) => /** @type {HTMLInputElement} */ (part(id));

/** @param {string} tag @param {string} testid @param {(Node | string)[]} children */
function element(tag, testid, ...children) {
  const e = document.createElement(tag);
  if (testid) e.dataset.testid = testid;
  e.append(...children);
  return e;
}

/** @param {number} n */
const size = (n) => (n >= 2 ** 30 ? `${(n / 2 ** 30).toFixed(1)} GiB` : n >= 2 ** 20 ? `${(n / 2 ** 20).toFixed(1)} MiB` : `${(n / 1024).toFixed(1)} KiB`);
/** @param {number} n */
const counted = (n) => `${n} ${n === 1 ? "day" : "days"}`;

/** The time span of a day's data, in UTC. @param {Day} d */
function span({ day, start, end }) {
  if (!start || !end) return "";
  const at = (/** @type {string} */ t) => (t.slice(0, 10) === day ? "" : `${t.slice(5, 10)} `) + t.slice(11, 16);
  return `${at(start)} – ${at(end)}`;
}

const maxHosts = 1000, maxDays = 4000; // listed; others are found by name, and by date

/** @type {ReturnType<typeof index> | null} */
let first = null;
/** @type {Promise<Line[]> | null} */
let all = null;

/** The server's response without a token: its hosts, or that a token is required. */
export function asked() { return (first ??= index()); }

/** The server's hosts, if necessary after the user has entered a valid token. */
export function hosts() { return (all ??= unlock()); }

async function unlock() {
  let { hosts, token } = await asked();
  const form = /** @type {HTMLFormElement} */ (part("-access"));
  form.hidden = !token;
  if (token) part("").hidden = false;
  while (token) {
    use(await new Promise((/** @type {(text: string) => void} */ done) => {
      form.onsubmit = (e) => {
        e.preventDefault();
        if (field("-token").value.trim()) done(field("-token").value);
      };
    }));
    const release = window.pcpscope?.hold(); // keeps idle() from settling until the hosts are listed
    let said = "";
    try {
      ({ hosts, token } = await index());
      if (token) said = "The server rejects this token.";
    } catch (e) {
      said = `The catalogue of this server cannot be read (${/** @type {Error} */ (e).message}).`;
    }
    part("-said").textContent = said;
    if (token) part("").hidden = false;
    release?.();
  }
  form.hidden = true;
  return hosts;
}

/**
 * Shows the hosts. open opens days of one.
 * @param {Line[]} list
 * @param {(host: string, chosen: Day[], from: string, to: string) => void} open
 */
export function show(list, open) {
  /** @type {{ host: string, days: Day[] } | null} */
  let chosen = null;
  let turn = 0, chosenHost = "";
  const pressed = () => { for (const b of part("-hosts").querySelectorAll("button")) b.setAttribute("aria-pressed", String(b.dataset.host === chosenHost)); };
  const filter = () => {
    const words = field("-filter").value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = list.filter(({ host }) => words.every((w) => host.toLowerCase().includes(w)));
    part("-hosts").replaceChildren(...found.slice(0, maxHosts).map(item));
    pressed();
    part("-none").hidden = found.length > 0 && found.length <= maxHosts;
    part("-none").textContent = found.length ? `${(found.length - maxHosts).toLocaleString("en-US")} more hosts: find them by name.` : "No host name matches.";
  };
  field("-filter").oninput = filter;

  /** @param {Line} line */
  function item(line) {
    const about = line.days ? `${counted(line.days)}, to ${line.last}` : "";
    const button = element("button", "catalog-host", element("b", "", line.host), element("small", "", about));
    button.setAttribute("type", "button");
    button.dataset.host = line.host;
    button.onclick = () => choose(line.host);
    return element("li", "", button);
  }

  /** @param {string} host */
  async function choose(host) {
    const now = ++turn;
    chosenHost = host;
    pressed();
    part("-said").textContent = "";
    const release = window.pcpscope?.hold();
    try {
      const found = await days(host);
      if (now !== turn) return;
      chosen = { host, days: found };
      const last = found.at(-1)?.day ?? "";
      for (const id of ["-from", "-to"]) {
        field(id).min = found[0]?.day ?? "";
        field(id).max = field(id).value = last;
      }
      part("-days").replaceChildren(...found.slice(-maxDays).reverse().map((d) => row(host, d)));
      part("-chosen").hidden = false;
      sum();
    } catch (e) {
      if (now === turn) part("-said").textContent = `The catalogue of ${host} cannot be read (${/** @type {Error} */ (e).message}).`;
    } finally {
      release?.();
    }
  }

  /** @param {string} host @param {Day} d */
  function row(host, d) {
    const a = /** @type {HTMLAnchorElement} */ (element("a", "catalog-day", d.day));
    a.className = "link";
    a.href = link(host, d.day, d.day);
    a.onclick = (e) => {
      if (e.ctrlKey || e.metaKey || e.shiftKey || e.altKey) return; // opens elsewhere, as with any link
      e.preventDefault();
      open(host, [d], d.day, d.day);
    };
    const tr = element("div", "", a, ...[span(d), String(d.files.length), size(d.bytes)].map((t) => element("span", "", t)));
    tr.className = "tr";
    return tr;
  }

  const between = () => (chosen ? within(chosen.days, field("-from").value, field("-to").value) : []);
  function sum() {
    const list = between();
    part("-sum").textContent = `${counted(list.length)}, ${size(list.reduce((n, d) => n + d.bytes, 0))}`;
    /** @type {HTMLButtonElement} */ (part("-open")).disabled = !list.length;
  }
  field("-from").oninput = field("-to").oninput = sum;
  part("-open").onclick = () => { if (chosen) open(chosen.host, between(), field("-from").value, field("-to").value); };

  filter();
  const all = /** @type {HTMLAnchorElement} */ (part("-fleet"));
  all.href = fleetLink();
  all.hidden = !fleetLink();
  part("").hidden = part("-body").hidden = !list.length;
}

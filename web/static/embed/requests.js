// Requests from outside the page: a link that names archives, and the page that frames
// this one. Neither does anything without the user's consent, an operator's list, or the
// same origin.

import { fromWire } from "../pcpscope.js";
import { ask } from "./ask.js";
import { days, given, link, one, within } from "./catalog.js";
import { byURL, view } from "./page.js";
import { asked, hosts, show } from "./picker.js";
import { amongOwn } from "./trust.js";

/** @import { Day } from "./catalog.js" */

const parameters = new URLSearchParams(location.search);
export const framed = parameters.get("embed") === "1" || /\/embed(\.html)?$/.test(location.pathname);

/** The URLs of ?src=, separated by spaces. */
function linked() {
  const out = [];
  for (const text of parameters.getAll("src").flatMap((s) => s.split(/\s+/)).filter(Boolean)) {
    let url;
    try {
      url = new URL(text, document.baseURI);
    } catch {
      continue;
    }
    if (url.protocol === "http:" || url.protocol === "https:") out.push(url.href);
  }
  return out;
}

/**
 * Asks the user, if necessary, to confirm what an enclosing page, or a link, wants to open.
 * @param {string[]} list
 * @param {string[]} strange URLs of other servers among them
 */
async function mayOpen(list, strange) {
  // The enclosing page can read what it named in the frame's URL, if the user consents.
  if (!await amongOwn()) {
    const who = location.ancestorOrigins?.[0];
    return ask({
      title: "Open these?",
      text: `The page ${who ? `of ${who}, around this frame,` : "around this frame"} wants to open archives with your credentials on their servers. If you let it use pcpscope, it can read them.`,
      list, yes: "Open", no: "Do not open",
    });
  }
  // A link may name this site's own archives; other servers would learn who follows it,
  // and when.
  return !strange.length || ask({
    title: "Open from another server?",
    text: `The link that led here wants to open archives from ${strange.join(", ")}. That server will see the request.`,
    list, yes: "Open", no: "Do not open",
  });
}

async function openLinked() {
  const addresses = linked();
  if (!addresses.length) return;
  const page = await view;
  const strange = [...new Set(addresses.map((a) => new URL(a).origin))].filter((o) => o !== location.origin);
  if (!await mayOpen(addresses, strange)) return;
  const { sources } = fromWire(await page.open(byURL(addresses)));
  if (sources.length || strange.length || pcpscopePage.inside) return;
  // This server may require a token first.
  await unlocked(() => page.open(addresses.map((a) => one(a, 0))), false);
}

const hostsAsked = parameters.getAll("host").filter(Boolean);
const from = moments("from"), to = moments("to");

/** A time in the URL. An unescaped plus sign has been decoded as a space. @param {string} name */
function moments(name) { return (parameters.get(name) ?? "").replace(/(T.*) (?=\d\d:?\d\d$)/, "$1+"); }

/**
 * Calls then once the server lists its contents. If the server requires a token, only then waits for it: perhaps
 * nobody enters one.
 * @param {() => Promise<unknown>} then
 * @param {boolean} always call it even if no token is required
 */
async function unlocked(then, always) {
  const { token } = await asked();
  if (token) hosts().then(() => held(then()));
  else if (always) await then();
}

/** The days of ?host=web01&from=…&to=… */
async function openHosts() {
  if (!await mayOpen(hostsAsked.map((h) => [h, from, to].filter(Boolean).join(" ")), [])) return;
  await unlocked(async () => {
    for (const host of hostsAsked) {
      const chosen = within(await days(host), from, to);
      if (chosen.length) await openDays(host, chosen, from, to);
      else pcpscopePage.intake.status(`This server has no archives of ${host}${from ? ` from ${from}` : ""}${to ? ` until ${to}` : ""}.`);
    }
  }, true);
}

/** @param {string} host @param {Day[]} chosen @param {string} from @param {string} to */
async function openDays(host, chosen, from, to) {
  const page = await view;
  const { sources: [source] } = fromWire(await page.open(given(host, chosen)));
  if (!source || !from.includes("T") && !to.includes("T")) return;
  // The engine parses the times in the archive's zone.
  const { start, times } = await pcpscope.fetch({ source: source.id, metrics: [], pixels: 2, ...(from ? { start: from } : {}), ...(to ? { end: to } : {}) });
  await page.window(String(start), String(start + BigInt(Math.round(times[times.length - 1] * 1e9))));
}

/** Offers the server's hosts on the empty page. */
async function offer() {
  await unlocked(async () => show(await hosts(), (host, chosen, from, to) => {
    // Keep the URL shareable.
    if (!framed) history.replaceState(history.state, "", link(host, from, to) + location.hash);
    held(openDays(host, chosen, from, to));
  }), true);
}

const pcpscope = await globalThis.pcpscopeReady;
/** @param {Promise<unknown>} work */
function held(work) {
  work.catch((e) => pcpscopePage.intake.status(`The requested archives cannot be opened (${e.message}).`)).finally(pcpscope.hold());
}
held(hostsAsked.length ? openHosts() : openLinked());
if (!pcpscopePage.inside && await amongOwn()) offer().catch(() => { /* no catalogue */ }).finally(pcpscope.hold());
if (framed && parent !== window) import("./frame.js");

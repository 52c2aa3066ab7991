// What reaches the page from outside: a link that names archives, and the
// page that holds this one in a frame. Neither does anything without the
// user, an operator's list, or the same origin.

import { ask } from "./ask.js";
import { byURL, view } from "./page.js";
import { amongOwn } from "./trust.js";

const parameters = new URLSearchParams(location.search);
export const framed = parameters.get("embed") === "1" || /\/embed(\.html)?$/.test(location.pathname);

/** The addresses of ?src=, one or several, with blanks between. */
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

async function openLinked() {
  const addresses = linked();
  if (!addresses.length) return;
  const page = await view;
  const strange = [...new Set(addresses.map((a) => new URL(a).origin))].filter((o) => o !== location.origin);
  // Who holds this page in a frame could read, once the user lets it talk,
  // what it named itself in the frame's address.
  if (!await amongOwn()) {
    const who = location.ancestorOrigins?.[0];
    if (!await ask({
      title: "Open these?",
      text: `The page ${who ? `of ${who}, around this frame,` : "around this frame"} wants to open archives with your rights on their servers. If you let it use pcpscope, it reads them.`,
      list: addresses, yes: "Open", no: "Do not open",
    })) return;
  } else if (strange.length && !await ask({ // a link may name this site's own archives; others would learn who follows it, and when
    title: "Open from another server?",
    text: `The link that led here wants to open archives from ${strange.join(", ")}. That server will learn that you did.`,
    list: addresses, yes: "Open", no: "Do not open",
  })) return;
  await page.open(byURL(addresses));
}

const release = (await globalThis.pcpscopeReady).hold();
openLinked().finally(release);
if (framed && parent !== window) import("./frame.js");

// Caches one build of the page for offline use, and restricts what the page
// can fetch to that build and what the user asked for.
//
// The build inserts its version and its files, with their hashes, into the
// next line, so that this file changes whenever one of them does, and the
// browser notices.
/** @type {{ version: string, files: Record<string, string> }} */
const build = { version: "", files: {} };

/** The global scope of this script, with its type. */
const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const prefix = "pcpscope-", name = prefix + build.version;
const scope = new URL("./", location.href);
/** @type {Set<string>} */
const wanted = new Set(); // origins that the user asked for, as far as the pages have said

const pathOf = (/** @type {string} */ file) => new URL(file, scope).pathname;
const files = new Map(Object.keys(build.files).map((f) => [pathOf(f), f]));
files.set(scope.pathname, "index.html");

/**
 * Fetches a file of exactly this build, never of another one while a server is being
 * updated.
 * @param {string} file
 */
async function own(file) {
  const response = await fetch(new URL(file, scope), { cache: "no-cache" });
  if (!response.ok) throw new Error(`${file}: ${response.status}`);
  const sum = new Uint8Array(await crypto.subtle.digest("SHA-256", await response.clone().arrayBuffer()));
  if (btoa(String.fromCharCode(...sum)) !== build.files[file]) throw new Error(`${file} is not of this build`);
  return response;
}

worker.addEventListener("install", (event) => event.waitUntil((async () => {
  const cache = await caches.open(name);
  await Promise.all(Object.keys(build.files).map(async (file) => cache.put(new URL(file, scope), await own(file))));
})()));

// A new version becomes active when no page uses the old one any more, or at the user's
// request: see the message handler below.
worker.addEventListener("activate", (event) => event.waitUntil((async () => {
  const before = (await caches.keys()).filter((n) => n.startsWith(prefix) && n !== name);
  for (const n of before) await caches.delete(n);
  if (!before.length) await worker.clients.claim(); // first version: the page that registered it works offline, too
})()));

worker.addEventListener("message", (event) => event.waitUntil((async () => {
  const reply = (/** @type {number} */ v) => event.ports[0]?.postMessage(v);
  if (event.data?.change) { // to this version, from the current one
    const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
    if (pages.length > 1) return reply(pages.length - 1);
    await worker.skipWaiting();
    reply(0);
  }
})()));

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== location.origin) {
    if (request.method !== "GET" && request.method !== "HEAD") event.respondWith(Response.error());
    else if (!wanted.has(url.origin)) event.respondWith(askPages(url.origin).then((yes) => (yes ? fetch(request) : Response.error())));
    return; // default handling, including ranges
  }
  if (request.method !== "GET" || request.headers.has("Range")) return;
  if (url.pathname === pathOf("catalog.json")) { // offline, there are no hosts to choose from
    event.respondWith(fetch(request).catch(() => new Response('{"version":1,"hosts":[]}', { headers: { "Content-Type": "application/json" } })));
    return;
  }
  let file = files.get(url.pathname);
  if (file === "index.html" && url.searchParams.get("embed") === "1") file = "embed.html";
  else if (file === "index.html" && url.searchParams.has("fleet")) file = "fleet.html";
  if (file) event.respondWith(kept(file, request));
});

/**
 * Whether the user asked one of the pages for something of an origin. The pages remember it: the browser stops this
 * worker when it has been idle for half a minute, and a page may have started before this worker was there.
 * @param {string} origin
 * @returns {Promise<boolean>}
 */
async function askPages(origin) {
  const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  return Promise.any(pages.map((page) => new Promise((/** @type {(v: true) => void} */ yes, no) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = ({ data }) => {
      for (const o of data) wanted.add(o);
      if (wanted.has(origin)) yes(true);
      else no();
    };
    page.postMessage({ wanted: true }, [channel.port2]);
    setTimeout(no, 10000); // a page that the browser has frozen does not answer
  }))).catch(() => false);
}

/** @param {string} file @param {Request} request */
async function kept(file, request) {
  const cache = await caches.open(name);
  return (await cache.match(new URL(file, scope))) ?? fetch(request); // the browser may have evicted it
}

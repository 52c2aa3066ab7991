// recent.js remembers in this browser what was opened, and lists it on the
// empty page, together with the files that a link needs. All names come from
// files or links: they are set as text, never as markup.
//
// The list is in localStorage; file handles, if the browser provides them, in
// IndexedDB. "Forget all" clears both.
"use strict";

/** @import { NamedFile, RecentEntry } from "../scripts/page.js" */

(() => {
  const key = "pcpscope.recent", maxEntries = 10;
  /** @type {() => RecentEntry[]} */
  const read = () => {
    let list = [];
    try { list = JSON.parse(pcpscopePage.storage.get(key) ?? "[]"); } catch { /* nothing of ours */ }
    return Array.isArray(list) ? list.filter((e) => typeof e?.fingerprint === "string").slice(0, maxEntries) : [];
  };
  const write = (/** @type {RecentEntry[]} */ list) => pcpscopePage.storage.set(key, JSON.stringify(list));

  /** @type {<T>(mode: IDBTransactionMode, act: (s: IDBObjectStore) => IDBRequest<T>) => Promise<T>} */
  const store = (mode, act) => new Promise((done, failed) => {
    const open = indexedDB.open("pcpscope", 1);
    open.onupgradeneeded = () => open.result.createObjectStore("handles");
    open.onerror = () => failed(open.error);
    open.onsuccess = () => {
      const request = act(open.result.transaction("handles", mode).objectStore("handles"));
      request.onsuccess = () => { done(request.result); open.result.close(); };
      request.onerror = () => { failed(request.error); open.result.close(); };
    };
  });
  /** @type {<T>(promise: Promise<T>) => Promise<T | undefined>} */
  const quietly = (promise) => promise.catch(() => undefined);

  /** @type {(tag: string, properties: object, ...children: (Node | string)[]) => HTMLElement} */
  const element = (tag, properties, ...children) => {
    const e = Object.assign(document.createElement(tag), properties);
    e.append(...children);
    return e;
  };
  const sheet = () => {
    const at = "http://www.w3.org/2000/svg", svg = document.createElementNS(at, "svg"), path = document.createElementNS(at, "path");
    for (const [name, value] of [["viewBox", "0 0 24 24"], ["aria-hidden", "true"]]) svg.setAttribute(name, value);
    path.setAttribute("d", "M7 4h7l4 4v12H7zM13.5 4v4.5H18");
    svg.append(path);
    return svg;
  };
  const named = (/** @type {string} */ name) => element("span", { className: "named" }, sheet(), element("b", { className: "strong ellipsis", textContent: name }));
  const text = (/** @type {unknown} */ v) => (typeof v === "string" ? v : "");
  const size = (/** @type {number} */ n) => (n >= 1 << 30 ? `${(n / (1 << 30)).toFixed(1)} GiB` : n >= 1 << 20 ? `${(n / (1 << 20)).toFixed(1)} MiB` : `${(n / 1024).toFixed(1)} KiB`);
  const when = (/** @type {number} */ at) => {
    const d = new Date(at), today = new Date();
    const days = Math.round((new Date(today).setHours(0, 0, 0, 0) - new Date(d).setHours(0, 0, 0, 0)) / 86400e3);
    const clock = `${String(d.getHours()).padStart(2, "0")}:${String(d.getMinutes()).padStart(2, "0")}`;
    return days === 0 ? `today ${clock}` : days === 1 ? `yesterday ${clock}` : `${d.getDate()} ${d.toLocaleString("en", { month: "short" })} ${d.getFullYear()}`;
  };

  /** Adds the file, or the files of the folder, of a handle. @type {(handle: FileSystemHandle, path: string, out: NamedFile[]) => Promise<void>} */
  const walk = async (handle, path, out) => {
    if (handle.kind === "file") {
      out.push({ name: path + handle.name, data: await /** @type {FileSystemFileHandle} */ (handle).getFile() });
      return;
    }
    for await (const inner of /** @type {FileSystemDirectoryHandle} */ (handle).values()) await walk(inner, `${path}${handle.name}/`, out);
  };

  /**
   * Reopens an entry by its handles if there are any, otherwise by asking for its
   * files.
   * @param {RecentEntry} entry
   */
  async function again(entry) {
    /** @type {FileSystemHandle[] | undefined} */
    const handles = await quietly(store("readonly", (s) => s.get(entry.fingerprint)));
    try {
      if (!handles?.length) throw new Error("no handles");
      /** @type {NamedFile[]} */
      const files = [];
      for (const handle of handles) {
        if (await handle.queryPermission({ mode: "read" }) !== "granted" && await handle.requestPermission({ mode: "read" }) !== "granted") throw new Error("not allowed");
        await walk(handle, "", files);
      }
      pcpscopePage.handles.keep(handles);
      pcpscopePage.intake.add(files);
    } catch {
      const names = (Array.isArray(entry.files) ? entry.files : []).map(text);
      pcpscopePage.intake.status(`This browser does not remember files. Choose them again: ${names.slice(0, 6).join(", ")}${names.length > 6 ? " and others" : ""}.`);
      document.getElementById("file-input")?.click();
    }
  }

  function draw() {
    const section = document.getElementById("recent");
    if (!section) return;
    const list = read();
    section.hidden = !list.length;
    const row = (/** @type {RecentEntry} */ entry) => {
      const open = element("button", { type: "button", className: "link", textContent: "Open again" });
      open.dataset.testid = "recent-open";
      open.setAttribute("aria-label", `Open ${text(entry.name)} again`);
      open.addEventListener("click", () => again(entry));
      const cells = [named(text(entry.name)), text(entry.host), text(entry.span), size(Number(entry.bytes) || 0), when(Number(entry.at) || 0)]
        .map((c) => element("span", {}, c));
      const tr = element("div", { className: "tr" }, ...cells, element("span", { className: "right" }, open));
      tr.dataset.testid = "recent-row";
      return tr;
    };
    document.getElementById("recent-rows")?.replaceChildren(...list.map(row));
  }

  function forget() {
    pcpscopePage.storage.remove(key);
    quietly(store("readwrite", (s) => s.clear()));
    draw();
  }

  pcpscopePage.recent = {
    add(entry) {
      const list = read().filter((e) => e.fingerprint !== entry.fingerprint);
      list.unshift({ ...entry, at: Date.now() });
      for (const gone of list.splice(maxEntries)) quietly(store("readwrite", (s) => s.delete(gone.fingerprint)));
      write(list);
      draw();
      const handles = pcpscopePage.handles.all(entry.files);
      if (handles.length) quietly(store("readwrite", (s) => s.put(handles, entry.fingerprint)));
    },
    showMissing(list) {
      const box = document.getElementById("wanted");
      if (box) box.hidden = !list?.length;
      document.getElementById("wanted-list")?.replaceChildren(...(list ?? []).map(({ title, text: about }) =>
        element("li", {}, element("b", { className: "strong", textContent: text(title) }), " ", text(about))));
    },
  };

  addEventListener("DOMContentLoaded", () => {
    document.getElementById("forget-recent")?.addEventListener("click", forget);
    draw();
  });
})();

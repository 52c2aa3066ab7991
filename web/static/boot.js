// boot.js runs before anything else on the page: it accepts dropped or chosen files from
// the start, keeps them until the program asks for them, and applies the theme before the
// first paint.
"use strict";

/** @import { NamedFile } from "../scripts/page.js" */

(() => {
  const root = document.documentElement;

  // ?test=1 makes the page look the same everywhere and at any time, for tests that take
  // screenshots: English, UTC, a fixed clock (only timers advance), no animation, and no
  // service worker.
  if (new URLSearchParams(location.search).get("test") === "1") {
    pcpscopePage.test = true;
    root.lang = "en-GB";
    root.dataset.theme = "light";
    const Real = Date, now = Real.UTC(2026, 0, 2, 3, 4, 5);
    // @ts-expect-error Date can also be called without new, which a class does not offer and nothing here does
    globalThis.Date = class extends Real {
      /** @param {any[]} a */
      constructor(...a) { super(...(/** @type {[any]} */ (a.length ? a : [now]))); }
      static now() { return now; }
    };
    const formats = /** @type {Record<string, any>} */ (Intl);
    for (const name of ["DateTimeFormat", "NumberFormat", "RelativeTimeFormat"]) {
      const Format = formats[name];
      formats[name] = class extends Format {
        constructor(locale = "en-GB", options = {}) { super(locale, name === "DateTimeFormat" ? { timeZone: "UTC", ...options } : options); }
      };
    }
    const still = new CSSStyleSheet();
    still.replaceSync("*, *::before, *::after { animation: none !important; transition: none !important; scroll-behavior: auto !important; caret-color: transparent !important; }");
    document.adoptedStyleSheets = [still];
  }

  // WebKit reports an invalid locale for LANG=C and the like, which makes Intl throw, for
  // example in the chart library.
  try {
    Intl.getCanonicalLocales(navigator.language); // as all of Intl does internally
  } catch {
    Object.defineProperty(navigator, "language", { value: "en" });
  }

  // The theme is the system's unless the user chose one.
  const stored = () => { const theme = pcpscopePage.storage.get("pcpscope.theme") ?? ""; return ["light", "dark"].includes(theme) ? theme : null; };
  const dark = () => root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  const chosen = stored();
  if (chosen && !pcpscopePage.test) root.dataset.theme = chosen;
  const toggleTheme = () => {
    root.dataset.theme = dark() ? "light" : "dark";
    pcpscopePage.storage.set("pcpscope.theme", root.dataset.theme);
    dispatchEvent(new Event("pcpscope-theme"));
  };

  /** @type {NamedFile[][]} */
  const waiting = [];
  /** @type {((files: NamedFile[]) => void) | null} */
  let receiver = null;
  /** @type {((files: NamedFile[]) => void) | null} */
  let replace = null;
  const status = (/** @type {string} */ text) => {
    for (const e of document.querySelectorAll(".drop-status")) e.textContent = text;
  };
  const add = (/** @type {NamedFile[]} */ files) => {
    if (!files.length) return;
    if (receiver) return receiver(files);
    waiting.push(files);
    status(`${files.length} ${files.length === 1 ? "file" : "files"} received: ${files.slice(0, 3).map((f) => f.name).join(", ")}${files.length > 3 ? ", …" : ""}. They open as soon as the program is loaded.`);
  };

  // The page is not idle while files are being passed on.
  const hold = () => (window.pcpscope ? window.pcpscope.hold() : () => {});

  const named = (/** @type {File} */ f) => ({ name: f.webkitRelativePath || f.name, data: f });
  // A folder that was chosen may have a hundred thousand files.
  const fromList = async (/** @type {FileList} */ list) => {
    /** @type {NamedFile[]} */
    const out = [];
    for (let i = 0; i < list.length; i++) {
      if (i % 500 === 499) await new Promise((done) => setTimeout(done));
      out.push(named(list[i]));
    }
    return out;
  };

  // Entries must be taken from a drop before the first await: the browser
  // empties the transfer when the handler returns.
  /** @type {(entry: FileSystemEntry) => Promise<NamedFile | null>} null for a folder, and for a file that cannot be read */
  const fileOf = async (entry) => {
    if (!entry.isFile) return null;
    const one = /** @type {FileSystemFileEntry} */ (entry);
    const data = await new Promise((/** @type {(file: File) => void} */ ok, no) => one.file(ok, no)).catch(() => null);
    return data && { name: entry.fullPath.replace(/^\//, ""), data };
  };
  /** @type {(entry: FileSystemEntry, out: NamedFile[]) => Promise<void>} */
  const readAll = async (entry, out) => {
    if (!entry.isDirectory) return;
    const reader = /** @type {FileSystemDirectoryEntry} */ (entry).createReader();
    for (;;) {
      const entries = await new Promise((/** @type {(entries: FileSystemEntry[]) => void} */ ok, no) => reader.readEntries(ok, no)).catch(() => []);
      if (!entries.length) return;
      for (let at = 0; at < entries.length; at += atOnce) {
        const some = entries.slice(at, at + atOnce), files = await Promise.all(some.map(fileOf));
        for (const [i, e] of some.entries()) {
          const file = files[i];
          if (file) out.push(file);
          else await readAll(e, out);
        }
        if (out.length > 500 && performance.now() > said + 200) { // drawing each step would take as long as looking
          said = performance.now();
          looking(out.length);
        }
        await new Promise((done) => setTimeout(done)); // the browser passes on what is asked for at once in one task
      }
    }
  };
  let said = 0; // when the number of files was
  const atOnce = 20; // files
  // Folders of tens of thousands of files take seconds. Says how many files were found so far, or nothing any more.
  const looking = (/** @type {number} */ files) => {
    const text = files ? `Looking through the folder: ${files.toLocaleString("en-US")} files so far…` : "";
    status(text);
    root.classList.toggle("dropping", text !== "");
    for (const e of document.querySelectorAll(".dropveil")) e.textContent = text || "Drop to open";
  };
  const dropped = async (/** @type {DataTransfer} */ transfer) => {
    // Take plain files directly: a page opened from disk may not read directory entries.
    const items = [...(transfer.items || [])].filter((i) => i.kind === "file" && i.webkitGetAsEntry)
      .flatMap((i) => {
        const entry = i.webkitGetAsEntry();
        return entry ? [{ entry, file: i.getAsFile() }] : [];
      });
    if (!items.length) return add([...transfer.files].map(named)); // the browser empties the transfer afterwards
    const release = hold();
    /** @type {NamedFile[]} */
    const out = [];
    for (const { entry, file } of items) {
      const before = out.length;
      const one = file && entry.isFile ? { name: file.name, data: file } : await fileOf(entry);
      if (one) out.push(one);
      else {
        await readAll(entry, out);
        looking(0);
      }
      if (out.length === before && location.protocol === "file:") status("A page opened from disk cannot read dropped folders. Choose the folder with the button, or drop its files.");
    }
    if (!out.length && location.protocol !== "file:") status("No files were dropped.");
    add(out);
    release();
  };

  const pick = async (/** @type {HTMLInputElement} */ input) => {
    const release = hold(), files = input.files ? await fromList(input.files) : [];
    input.value = ""; // so that choosing the same files again fires an event
    if (input.id === "again-input") replace?.(files);
    else add(files);
    release();
  };

  const sample = async (/** @type {HTMLElement} */ button) => {
    const paths = (button.dataset.sample ?? "").split(" "), release = hold();
    status("Fetching the sample…");
    try {
      const files = await Promise.all(paths.map(async (p) => {
        const r = await fetch(p);
        if (!r.ok) throw new Error(`${p}: the server answers ${r.status}`);
        return { name: p.slice(p.lastIndexOf("/") + 1), data: await r.blob() };
      }));
      status("");
      add(files);
    } catch (e) {
      status(`The sample could not be fetched (${e instanceof Error ? e.message : e}).`);
    }
    release();
  };

  /** @type {(e: DragEvent) => DataTransfer | null} what is dragged, where that is files */
  const files = (e) => (e.dataTransfer && [...e.dataTransfer.types].includes("Files") ? e.dataTransfer : null);
  let depth = 0;
  const over = (/** @type {boolean} */ on) => root.classList.toggle("dropping", on);
  addEventListener("dragenter", (e) => { if (files(e)) { e.preventDefault(); depth++; over(true); } });
  addEventListener("dragover", (e) => {
    const dragged = files(e);
    if (!dragged) return;
    e.preventDefault();
    dragged.dropEffect = "copy";
  });
  addEventListener("dragleave", (e) => { if (files(e) && --depth <= 0) { depth = 0; over(false); } });
  addEventListener("drop", (e) => {
    const given = files(e);
    if (!given) return;
    e.preventDefault();
    depth = 0;
    over(false);
    dropped(given);
  });
  addEventListener("change", (e) => {
    const input = e.target;
    if (!(input instanceof HTMLInputElement) || input.type !== "file") return;
    pick(input);
  });
  /** @type {(id: string) => void} */
  const press = (id) => document.getElementById(id)?.click();
  addEventListener("click", (e) => {
    const b = e.target instanceof Element ? e.target.closest("[data-boot]") : null;
    if (!(b instanceof HTMLElement)) return;
    switch (b.dataset.boot) {
      case "files": press("file-input"); break;
      case "again": press("again-input"); break;
      case "folder": press("folder-input"); break;
      case "sample": sample(b); break;
      case "theme": toggleTheme(); break;
    }
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => dispatchEvent(new Event("pcpscope-theme")));

  pcpscopePage.intake = {
    onFiles(fn) {
      receiver = fn;
      status("");
      for (const files of waiting.splice(0)) fn(files);
    },
    // add handles files as if they had been dropped.
    add,
    // onReplacement calls fn with a file that the user chose to re-read one that is open.
    onReplacement(fn) { replace = fn; },
    // refused lists files that could not be opened, on the empty page.
    refused(list) {
      const element = (/** @type {string} */ name, /** @type {(Node | string)[]} */ ...inside) => {
        const e = document.createElement(name);
        e.append(...inside);
        return e;
      };
      for (const box of document.querySelectorAll(".drop-status")) {
        box.replaceChildren(...list.map(({ names, reason, all }) => {
          const line = [element("b", names), " ", reason];
          return all ? element("details", element("summary", ...line), element("p", all)) : element("p", ...line);
        }));
      }
    },
    status,
  };
})();

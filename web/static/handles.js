// handles.js keeps file handles of dropped and chosen files, if the browser provides them:
// a handle can re-read a file later, whereas the File from a drop becomes unreadable once
// the file has changed.
"use strict";
(() => {
  /** @type {Map<string, FileSystemHandle>} */
  const known = new Map(), folders = new Map();
  const keep = (/** @type {FileSystemHandle} */ handle) => (handle.kind === "file" ? known : folders).set(handle.name, handle);
  addEventListener("drop", (e) => {
    for (const item of e.dataTransfer?.items ?? []) {
      if (item.kind !== "file" || !item.getAsFileSystemHandle) continue;
      item.getAsFileSystemHandle().then((handle) => {
        if (handle) keep(handle);
      }, () => { /* a browser that has the function but not the handle */ });
    }
  }, true);

  pcpscopePage.handles = {
    canPick: typeof showOpenFilePicker === "function",
    of: (name) => known.get(name.slice(name.lastIndexOf("/") + 1)) ?? null,
    all(names) {
      const list = names.map((name) => (name.includes("/") ? folders.get(name.split("/")[0]) : known.get(name)));
      return list.every((handle) => handle !== undefined) ? [...new Set(list)] : [];
    },
    keep(list) { list.forEach(keep); },
    async pick() {
      try {
        const [handle] = await showOpenFilePicker();
        known.set(handle.name, handle);
        return { name: handle.name, handle };
      } catch (e) {
        if (e instanceof Error && e.name === "AbortError") return null;
        throw e;
      }
    },
  };
})();

// handles.js keeps, where the browser has them, the handles of dropped and
// picked files: with one a file can be read again later, which the File that
// a drop gives cannot once it has changed.
//
//   pcphandles.of(name)   the handle of a file, by the name it was given with; null where there is none
//   pcphandles.pick()     asks the user for one file: {name, handle}, or null when the user changes their mind
//   pcphandles.canPick    whether the browser can do that
"use strict";
(() => {
  const known = new Map();
  addEventListener("drop", (e) => {
    for (const item of e.dataTransfer?.items ?? []) {
      if (item.kind !== "file" || !item.getAsFileSystemHandle) continue;
      item.getAsFileSystemHandle().then((handle) => {
        if (handle?.kind === "file") known.set(handle.name, handle);
      }, () => { /* a browser that has the function but not the handle */ });
    }
  }, true);

  window.pcphandles = {
    canPick: typeof showOpenFilePicker === "function",
    of: (name) => known.get(name.split("/").pop()) ?? null,
    async pick() {
      try {
        const [handle] = await showOpenFilePicker();
        known.set(handle.name, handle);
        return { name: handle.name, handle };
      } catch (e) {
        if (e.name === "AbortError") return null;
        throw e;
      }
    },
  };
})();

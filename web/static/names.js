// Names the functions in what the program prints when it panics: in the program
// they are numbered (internal/shrink/tables.go), and their names are in a file
// that nobody else needs. Part of wasm_exec.js.
"use strict";
{
  /** @type {string[] | undefined} */
  let names;
  const load = () => {
    try {
      const request = new XMLHttpRequest();
      request.open("GET", "app.names.txt", false); // the program waits until it is printed
      request.send();
      return request.status === 200 ? request.responseText.split("\n") : [];
    } catch { // no network; or Node, or a page in one file, which have no such file
      return [];
    }
  };
  const { writeSync } = fs;
  fs.writeSync = (/** @type {number} */ fd, /** @type {Uint8Array} */ bytes) => {
    const text = new TextDecoder().decode(bytes);
    const named = text.replace(/\b(?:runtime\.)?f\.([a-p]{4})\b/g, (code, digits) => {
      names ??= load();
      return names[[...digits].reduce((n, d) => 16 * n + d.charCodeAt(0) - 97, 0)] || code;
    });
    writeSync(fd, named === text ? bytes : new TextEncoder().encode(named));
    return bytes.length;
  };
}

// program.js starts compiling the program while it downloads, before the modules that run
// it are there. pcpscope.js takes it from pcpscopePage.early, or starts over if that
// failed. In the single-file edition nothing is downloaded.
"use strict";
(() => {
  /** @type {HTMLLinkElement | null} */
  const link = document.querySelector('link[rel="preload"][as="fetch"]');
  if (!link) return;
  const program = fetch(link.href).then((response) => {
    if (!response.ok) throw new Error(`the server answers ${response.status}`);
    return WebAssembly.compileStreaming(response);
  });
  program.catch(() => { /* pcpscope.js says why */ });
  pcpscopePage.early = { url: link.href, program };
})();

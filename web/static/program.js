// program.js has the program compiled while it arrives, from the first moment
// on: the modules that run it come later. pcpscope.js takes it from
// pcpscopePage.early, or starts over where that failed. Where the program is part
// of the page, no link asks for it.
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

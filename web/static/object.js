// The only object that the page's scripts and the program share on window:
// window.pcpscopePage, to which each script adds its part (listed in
// web/scripts/page.d.ts). It is internal; the public objects are the documented pcpscope
// and pcpscopeReady.
"use strict";
globalThis.pcpscopePage ??= /** @type {import("../scripts/page.js").Page} */ ({});

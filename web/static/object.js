// The one object that the page's scripts and the program share on window:
// window.pcpscopePage, whose parts each script adds (web/scripts/page.d.ts
// lists them). It is nobody else's; what is for others are the documented
// pcpscope and pcpscopeReady.
"use strict";
globalThis.pcpscopePage ??= /** @type {import("../scripts/page.js").Page} */ ({});

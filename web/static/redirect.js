// redirect.js sends URLs meant for another page there: "?fleet=" goes to fleet.html.
// pcpscope's own servers do this themselves; plain file servers do not.
"use strict";
(() => {
  const asked = new URLSearchParams(location.search);
  if (asked.has("fleet") && asked.get("embed") !== "1" && document.documentElement.dataset.page !== "fleet") location.replace(new URL(`fleet.html${location.search}`, location.href));
})();

// elsewhere.js sends what is another page's there: "?fleet=" is fleet.html's.
// Servers that know the site answer with it at once; others send files only.
"use strict";
(() => {
  const asked = new URLSearchParams(location.search);
  if (asked.has("fleet") && asked.get("embed") !== "1" && document.documentElement.dataset.page !== "fleet") location.replace(new URL(`fleet.html${location.search}`, location.href));
})();

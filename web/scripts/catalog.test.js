import assert from "node:assert/strict";
import test from "node:test";

Object.assign(globalThis, { pcpscopePage: { view: {} } }); // what the page has by then
const { days, index, one, use } = await import("../static/embed/catalog.js");

test("a token goes to the page's own server alone", async () => {
  /** @type {[string, string | undefined][]} */
  const asked = [];
  let archives = "";
  Object.assign(globalThis, {
    location: new URL("https://pcp.example/"),
    fetch: async (/** @type {URL} */ url, /** @type {{ headers: Record<string, string> }} */ { headers }) => {
      asked.push([url.href, headers.Authorization]);
      return { ok: true, json: async () => ({ archives, hosts: [{ host: "web01" }], days: [] }) };
    },
  });
  use(" sixteen characters ");
  for (const [host, token] of /** @type {const} */ ([["pcp.example", "sixteen characters"], ["other.example", undefined], ["pcp.example.other.example", undefined], ["pcp.example:8443", undefined]])) {
    archives = `https://${host}/archives/`;
    await index();
    asked.length = 0;
    await days("web01");
    assert.deepEqual(asked, [[`https://${host}/archives/web01/catalog.json`, token && `Bearer ${token}`]]);
    const file = `https://${host}/archives/web01/a.0`;
    assert.deepEqual(one(file, 5).data, token ? { url: file, size: 5, token } : { url: file, size: 5 });
  }
});

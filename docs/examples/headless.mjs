// A headless test with playwright-core: opens an archive on the page and asks
// for values.
//   PCPSCOPE_URL=http://localhost:8080 node headless.mjs web01.meta web01.index web01.0
import assert from "node:assert/strict";
import { chromium } from "playwright-core";

const browser = await chromium.launch({ executablePath: process.env.CHROME_PATH ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
const page = await browser.newPage();
await page.goto(`${process.env.PCPSCOPE_URL}/?test=1`);
await page.getByTestId("file-input").setInputFiles(process.argv.slice(2));
await page.evaluate(async () => (await globalThis.pcpscopeReady).idle());

// What the page shows...
assert.equal(await page.getByTestId("source-title").textContent(), "pcp-testhost");

// ...and exact values.
const load = await page.evaluate(async () => {
  const [source] = await pcpscope.sources();
  const frame = await pcpscope.fetch({ source: source.id, metrics: ["kernel.all.load"], mode: "raw" });
  return frame.columns.map((c) => [c.instance.name, c.values[0].toFixed(2)]);
});
assert.deepEqual(load, [["1 minute", "0.84"], ["5 minute", "2.20"], ["15 minute", "1.88"]]);
await browser.close();
console.log("ok");

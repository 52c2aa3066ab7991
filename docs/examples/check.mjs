// Checks archives on a page of pcpscope: PCPSCOPE_URL=... node check.mjs FILE...
import { chromium } from "playwright-core";

const browser = await chromium.launch({ executablePath: process.env.CHROME_PATH, args: ["--no-sandbox"] });
const page = await browser.newPage();
await page.goto(`${process.env.PCPSCOPE_URL}/?test=1`);
await page.setInputFiles("[data-testid=file-input]", process.argv.slice(2));
const { ok, sentence } = await page.evaluate(async () => {
  const pcp = await pcpscopeReady;
  await pcp.idle();
  const [source] = await pcp.sources();
  return pcp.check({ source: source.id, expression: "kernel.all.load", above: 100, for: "1min" }).then(({ ok, sentence }) => ({ ok, sentence }));
});
await browser.close();
console.log(ok ? "ok" : "FAILED", sentence);
process.exitCode = ok ? 0 : 1;

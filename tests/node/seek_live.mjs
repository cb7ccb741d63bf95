// Opens the page of a replay in headless Chromium and moves its slider of time, forth and back. Prints what it saw as JSON.
//   node seek_live.mjs ADDRESS picture.png
import { chromium } from "playwright-core";

const [address, picture] = process.argv.slice(2), errors = [], seen = {};
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist", "--disable-quic", "--no-first-run", "--disable-background-networking"],
});
try {
  const page = await browser.newPage({ viewport: { width: 800, height: 600 } });
  page.on("pageerror", (e) => errors.push(String(e)));
  page.on("console", (m) => m.type() === "error" && errors.push(m.text()));
  await page.goto(address, { waitUntil: "load", timeout: 60000 });
  await page.waitForFunction(() => window.tycho?.state?.replay && !document.getElementById("seek_label").hidden, null, { timeout: 60000, polling: 100 });
  for (const t of [3, 1.5, 3]) {
    await page.locator("#seek").fill(String(t));
    await page.waitForFunction((t) => Math.abs(window.tycho.state.time - t) < 1e-6, t, { timeout: 60000, polling: 100 });
    (seen.at ??= []).push(await page.evaluate(() => ({ time: window.tycho.state.time, x: window.tycho.state.rovers[0].p[0], paused: window.tycho.state.paused })));
  }
  if (picture) await page.screenshot({ path: picture });
} finally { await browser.close(); }
console.log(JSON.stringify({ ...seen, errors }));

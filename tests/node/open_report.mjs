// Opens a report in headless Chromium, as a person would, and checks that every picture is there, that nothing was asked for
// over a network and that no script failed; prints what it saw as JSON and takes a picture of the page.
//   node open_report.mjs report.html screenshot.png
import { chromium } from "playwright-core";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [report, screenshot] = process.argv.slice(2);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
try {
  const page = await browser.newPage({ viewport: { width: 1200, height: 900 } });
  const errors = [], outside = [];
  page.on("pageerror", (e) => errors.push(String(e)));
  page.on("console", (m) => m.type() === "error" && errors.push(m.text()));
  page.on("request", (r) => !/^(file|data):/.test(r.url()) && outside.push(r.url()));
  await page.goto(pathToFileURL(resolve(report)).href, { waitUntil: "load", timeout: 60000 });
  const seen = await page.evaluate(async () => {
    const pictures = [...document.images];
    await Promise.all(pictures.map((p) => p.decode().catch(() => {})));
    return {
      title: document.title,
      headings: [...document.querySelectorAll("h1,h2,h3")].map((h) => h.textContent.trim()),
      pictures: pictures.length,
      empty: pictures.filter((p) => p.naturalWidth < 16 || p.naturalHeight < 16).map((p) => p.alt || p.src.slice(0, 60)),
      unnamed: pictures.filter((p) => !p.alt).length,
      rows: document.querySelectorAll("tr").length,
      wide: document.documentElement.scrollWidth > window.innerWidth,
    };
  });
  await page.screenshot({ path: screenshot, fullPage: true });
  await page.setViewportSize({ width: 390, height: 800 }); // a phone
  const widePhone = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
  console.log(JSON.stringify({ ...seen, widePhone, errors, outside }));
} finally {
  await browser.close();
}

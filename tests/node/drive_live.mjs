// Opens the page of a live run in headless Chromium and uses it as a person would: drives with keys, pauses, steps, moves the Sun, clicks a
// waypoint, opens a camera's picture; at a desktop's and at a phone's width. Prints what it saw as JSON.
//   node drive_live.mjs ADDRESS desktop.png phone.png
import { chromium } from "playwright-core";

const [address, desktop, phone] = process.argv.slice(2);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
const errors = [], outside = [], seen = {};
const state = (page) => page.evaluate(() => { const s = window.tycho?.state; return s && { time: s.time, paused: s.paused, way: s.rovers[0].way, mode: s.rovers[0].mode, sun: s.sun, shift: s.shift, epoch: s.epoch, p: s.rovers[0].p, spin: s.rovers[0].wheels[0].angle }; });
const until = (page, condition, ms = 60000, value = null) => page.waitForFunction(condition, value, { timeout: ms, polling: 100 });
async function open(width, height) {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme: "dark" });
  page.on("pageerror", (e) => errors.push(String(e)));
  page.on("console", (m) => m.type() === "error" && errors.push(m.text()));
  page.on("request", (r) => !r.url().startsWith(new URL(address).origin) && !/^(data|blob):/.test(r.url()) && outside.push(r.url()));
  await page.goto(address, { waitUntil: "load", timeout: 60000 });
  await until(page, () => window.tycho?.state && window.tycho.quality.drawn > 2);
  return page;
}
try {
  const page = await open(1280, 800);
  await until(page, () => window.tycho.quality.tiles > 60 && window.tycho.ground.height(0, 0) !== null, 90000);
  seen.start = await state(page);
  // keys
  await page.locator("#view").focus();
  await page.keyboard.down("w");
  await until(page, (w) => window.tycho.state.rovers[0].way > w + 0.15, 60000, seen.start.way);
  await page.keyboard.up("w");
  seen.driven = await state(page);
  seen.driver = await page.locator("#driver").textContent();
  // a key that is let go stops it
  await until(page, () => Math.hypot(...window.tycho.state.rovers[0].v) < 0.02, 30000);
  // pause and step
  await page.keyboard.press("p");
  await until(page, () => window.tycho.state.paused);
  await page.waitForTimeout(500);
  seen.paused = await state(page);
  await page.keyboard.press("n");
  await until(page, (t) => window.tycho.state.time > t, 60000, seen.paused.time);
  await page.waitForTimeout(500);
  seen.stepped = await state(page);
  // the Sun's time
  await page.locator("#sun").focus();
  for (let i = 0; i < 12; i++) await page.keyboard.press("ArrowRight");
  await until(page, () => window.tycho.state.shift === 12 * 3600, 20000);
  seen.sun = await state(page);
  await page.locator("#sun").evaluate((e) => { e.value = 0; e.dispatchEvent(new Event("input")); });
  await until(page, () => window.tycho.state.shift === 0, 20000);
  // a waypoint by a click in the middle of the view
  await page.locator("#run").click();
  await page.locator("#view").focus();
  await page.keyboard.press("2");
  await page.keyboard.press("g");
  await page.waitForTimeout(300);
  const before = (await state(page)).way;
  await page.mouse.click(560, 620);
  await until(page, (w) => window.tycho.state.rovers[0].mode === 3 || window.tycho.state.rovers[0].way > w + 0.1, 20000, before);
  await until(page, (w) => window.tycho.state.rovers[0].way > w + 0.1, 60000, before);
  seen.waypoint = await state(page);
  // what a camera sees, full size
  await until(page, () => document.querySelector(".shot img:not([hidden])")?.naturalWidth > 0, 120000);
  await page.locator(".shot").first().click();
  seen.full = await page.locator("#full img").evaluate((e) => ({ open: e.closest("dialog").open, width: e.naturalWidth, shown: e.clientWidth }));
  await page.keyboard.press("Escape");
  seen.events = await page.locator("#log li").count();
  seen.wheels = await page.locator("#wheels tbody tr").count();
  // tiles come anew after their ruts, on a busy machine some seconds later
  await until(page, () => [...window.tycho.ground.nodes.values()].some((n) => n.tile?.trace), 30000).catch(() => {});
  seen.ruts = await page.evaluate(() => [...window.tycho.ground.nodes.values()].filter((n) => n.tile?.trace).length);
  await page.keyboard.press("1");
  await page.waitForTimeout(1500);
  await page.screenshot({ path: desktop });
  // back to the start
  await page.locator("#view").focus();
  await page.keyboard.press("Shift+R");
  await until(page, () => window.tycho.state.epoch === 1, 20000);
  seen.reset = await state(page);
  seen.quality = await page.evaluate(() => window.tycho.quality);
  seen.wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  await page.close();

  const small = await open(390, 800);
  await until(small, () => window.tycho.quality.tiles > 40, 90000);
  await small.getByRole("button", { name: "Drive" }).click();
  const stick = await small.locator("#stick").boundingBox(), way = (await state(small)).way;
  await small.mouse.move(stick.x + stick.width / 2, stick.y + stick.height / 2);
  await small.mouse.down();
  await small.mouse.move(stick.x + stick.width / 2, stick.y + 10, { steps: 4 });
  await until(small, (w) => window.tycho.state.rovers[0].way > w + 0.1, 60000, way);
  await small.screenshot({ path: phone });
  await small.mouse.up();
  seen.phone = { wide: await small.evaluate(() => document.documentElement.scrollWidth > innerWidth), way: (await state(small)).way - way };
  for (const tab of ["Wheels", "Cameras", "Events", "View"]) { await small.locator("#tabs").getByRole("button", { name: tab }).click(); }
  seen.cards = await small.evaluate(() => [...document.querySelectorAll(".card")].filter((c) => c.offsetParent !== null || getComputedStyle(c).display !== "none").length);
  console.log(JSON.stringify({ ...seen, errors, outside }));
} finally {
  await browser.close();
}

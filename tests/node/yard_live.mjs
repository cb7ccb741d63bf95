// Opens the page of a live run with things to put down: a rock before the wheel, hit by driving; a ball and a rover, put down and taken away; at a
// desktop's and at a phone's width. Prints what it saw as JSON.
//   node yard_live.mjs ADDRESS desktop.png phone.png
import { chromium } from "playwright-core";

const [address, desktop, phone] = process.argv.slice(2);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
const errors = [], seen = {};
const until = (page, condition, ms = 60000, value = null) => page.waitForFunction(condition, value, { timeout: ms, polling: 100 });
async function open(width, height) {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme: "dark" });
  page.on("pageerror", (e) => errors.push(String(e)));
  page.on("console", (m) => m.type() === "error" && errors.push(m.text()));
  await page.goto(address, { waitUntil: "load", timeout: 60000 });
  await until(page, () => window.tycho?.state && window.tycho.quality.drawn > 2 && window.tycho.cast.away.length > 0);
  await until(page, () => window.tycho.quality.tiles > 40 && window.tycho.ground.height(0, 0) !== null, 90000);
  return page;
}
// where a place of the ground is on the screen, with the view from above
const spot = (page, x, y) => page.evaluate(([x, y]) => {
  const t = window.tycho; t.camera.updateMatrixWorld();
  const v = t.view.target.clone().set(x, y, t.ground.height(x, y)).project(t.camera);
  return [0.5 * (v.x + 1) * innerWidth, 0.5 * (1 - v.y) * innerHeight];
}, [x, y]);
async function above(page, x, y, distance) {
  await page.evaluate(([x, y, d]) => { const t = window.tycho; t.setCam("free"); t.view.target.set(x, y, t.ground.height(x, y) + 0.5); t.view.yaw = -2.4; t.view.pitch = 1.0; t.view.distance = d; }, [x, y, distance]);
  await page.waitForTimeout(1200);
}
const click = async (page, x, y) => { const [a, b] = await spot(page, x, y); await page.mouse.click(a, b); };
const things = (page) => page.evaluate(() => window.tycho.cast.things.map((t) => t.kind));
try {
  const page = await open(1280, 800);
  seen.kinds = await page.locator("#what option").allTextContents();
  const at = await page.evaluate(() => window.tycho.state.rovers[0].p), front = [at[0] + 1.6, at[1] + 0.61];
  // a rock before the left front wheel
  await above(page, at[0] + 1, at[1], 9);
  await page.keyboard.press("b");
  await page.locator("#large").selectOption("0.2");
  await click(page, ...front);
  await until(page, () => window.tycho.cast.things.some((t) => t.kind === "rock"), 20000);
  seen.rock = await page.evaluate(() => window.tycho.cast.things[0]);
  // a ball and a rover beside it
  await page.locator("#what").selectOption("ball");
  await page.locator("#large").selectOption("0.8");
  await click(page, at[0] + 2, at[1] - 2.2);
  await until(page, () => window.tycho.cast.things.some((t) => t.kind === "object"), 20000);
  await page.locator("#what").selectOption("second");
  await above(page, at[0] - 1, at[1] + 2, 11);
  await click(page, at[0] - 0.5, at[1] + 3.5);
  await until(page, () => window.tycho.cast.away[1] === false, 20000);
  // one inside another is refused with both names
  await page.locator("#what").selectOption("ball");
  await click(page, at[0], at[1]);
  await until(page, () => /would be inside/.test(document.querySelector("#note").textContent), 20000);
  seen.refused = await page.locator("#note").textContent();
  await page.keyboard.press("Escape");
  await page.waitForTimeout(1500);
  seen.things = await things(page);
  await page.screenshot({ path: desktop });
  // driven over the rock
  await page.locator("#view").focus();
  await page.keyboard.press("1");
  await page.keyboard.down("w");
  await until(page, () => [...document.querySelectorAll("#log li")].some((e) => /meets a rock/.test(e.textContent)), 120000);
  await page.keyboard.up("w");
  seen.log = await page.locator("#log li").allTextContents();
  // taken away again
  await above(page, at[0] + 1, at[1], 9);
  await page.keyboard.press("x");
  await click(page, at[0] + 2, at[1] - 2.2);
  await until(page, () => !window.tycho.cast.things.some((t) => t.kind === "object"), 20000);
  await above(page, at[0] - 1, at[1] + 2, 11);
  await click(page, at[0] - 0.5, at[1] + 3.5);
  await until(page, () => window.tycho.cast.away[1] === true, 20000);
  await page.keyboard.press("Escape");
  seen.left = await things(page);
  await page.locator("#view").focus();
  await page.keyboard.press("Shift+R");
  await until(page, () => window.tycho.state.epoch === 1 && window.tycho.cast.things.length === 0, 20000);
  seen.wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  await page.close();

  const small = await open(390, 800);
  await above(small, at[0] + 3, at[1] - 2, 9);
  await small.locator("#put").click();
  await click(small, at[0] + 3, at[1] - 1.5);
  await until(small, () => window.tycho.cast.things.some((t) => t.kind === "rock"), 20000);
  await small.waitForTimeout(2500);
  await small.screenshot({ path: phone });
  seen.phone = { wide: await small.evaluate(() => document.documentElement.scrollWidth > innerWidth), things: await things(small) };
  console.log(JSON.stringify({ ...seen, errors }));
} finally {
  await browser.close();
}

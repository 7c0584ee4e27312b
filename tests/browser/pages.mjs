/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pages.mjs - pages to look at: programs are compiled, run and reported once each. */
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tmpdir } from "node:os";
import { test } from "node:test";
import assert from "node:assert/strict";
import { chromium } from "playwright-core";

const source = process.env.HEDDLE_SOURCE;
const here = join(source, "tests/browser/programs");
const litmus = join(source, "tests/litmus");
export const work = mkdtempSync(join(tmpdir(), "heddle-browser-"));

const HOSTILE = "<img src=x onerror=alert(1)>'&quot;.c";

/* name: [source file, options, exit code, verb, libraries] */
const programs = {
  bank: [join(source, "examples/bank.c"), []],
  deadlock: [join(litmus, "basic/abba_bug.c"), []],
  ring: [join(litmus, "locks/ring.c"), []],
  signal: [join(litmus, "basic/missed_signal_bug.c"), []],
  race: [join(here, "race.c"), []],
  uaf: [join(litmus, "heap/atomic_uaf_bug.c"), ["--races", "off"]],
  leak: [join(litmus, "heap/leak_bug.c"), []],
  livelock: [join(litmus, "basic/polling_forever.c"), []],
  misuse: [join(source, "tests/conformance/misuse/barrier_after_destroy.c"), []],
  several: [join(here, "several.c"), ["--keep-going", "--executions", "500"]],
  clean: [join(source, "examples/bank_fixed.c"), [], 0],
  spin: [join(here, "spin.c"), []],
  circle: [join(here, "circle.c"), []],
  pool: [join(source, "tests/report/programs/pool.cc"), []],
  buckets: [join(source, "tests/report/programs/hashmap.c"), []],
  loop: [join(source, "tests/report/programs/event_loop.c"), []],
  late: [join(source, "tests/cplusplus/bug_uncaught.cc"), []],
  exit: [join(here, "exit.c"), []],
  crowd: [join(here, "crowd.c"), ["--strategy", "random"]],
  endurance: [join(here, "endurance.c"), ["--strategy", "random"]],
  hostile: [join(here, "hostile.c"), []],
  linear: [join(source, "examples/cache_linear.c"), [], 2, "linearize"],
  messages: [join(source, "examples/counter_actors.c"), [], 2, "verify", ["-lheddle-actor"]],
  crash: [join(source, "tests/actor/nodes.c"), ["--faults", "crash=1"], 2, "verify", ["-lheddle-actor"]],
  peers: [join(here, "peers.c"), ["--strategy", "random", "--minimize", "off"], 2, "run", ["-lheddle-actor"]],
};
const made = new Map();

/* The page of that program's finding. */
export function pageOf(name) {
  if (made.has(name))
    return made.get(name);
  const [file, options, code = 2, verb = code === 0 ? "verify" : "run", libraries = []] = programs[name];
  const folder = join(work, name), page = join(folder, "report.html");
  mkdirSync(folder);
  let compiled = file;
  if (file.startsWith(join(source, "examples"))) {
    compiled = file.slice(join(source, "examples").length + 1); /* as a person would type it */
    copyFileSync(file, join(folder, compiled));
  }
  if (name === "hostile") {
    compiled = join(folder, HOSTILE);
    writeFileSync(compiled, readFileSync(file, "utf8").replace(/\{([0-9a-f]{4})\}/g, (_, code) => String.fromCodePoint(parseInt(code, 16))));
  }
  execFileSync(process.env.HEDDLE, [file.endsWith(".cc") ? "c++" : "cc", "-g", "-O1", "-o", name, compiled, ...libraries], { cwd: folder });
  const run = spawnSync(process.env.HEDDLE, [verb, "--progress", "none", "--html", page, ...options, `./${name}`],
                        { cwd: folder, encoding: "utf8", timeout: 600000 });
  assert.equal(run.status, code, run.stdout + run.stderr);
  assert.ok(existsSync(page));
  made.set(name, page);
  return page;
}

/* A page that was made in another way. */
export function addPage(name, page) {
  made.set(name, page);
}

let browser;

export async function startBrowser() {
  browser = await chromium.launch({ executablePath: process.env.BROWSER,
                                    args: process.getuid() === 0 ? ["--no-sandbox"] : [] });
}

export async function stopBrowser() {
  await browser?.close();
}

/* The page, opened; what must not happen to any page is looked for here. */
export async function openPage(name, { hash = "", ...options } = {}) {
  const address = `file://${encodeURI(pageOf(name))}`;
  return openAddress(`${address}${hash}`, (url) => url.split("#")[0] === address, options);
}

/* isOwn: which addresses the page may ask for. */
export async function openAddress(address, isOwn, { init = null, ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, colorScheme: "light", ...options });
  const page = await context.newPage();
  const trouble = [];
  page.on("console", (message) => trouble.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => trouble.push(`error: ${error.stack}`));
  page.on("dialog", (dialog) => { trouble.push("dialog"); dialog.dismiss(); });
  page.on("request", (request) => { if (!isOwn(request.url())) trouble.push(`request: ${request.url()}`); });
  if (init)
    await page.addInitScript(init);
  await page.goto(address);
  if (options.javaScriptEnabled !== false) { /* otherwise nothing would ever mark the page as ready */
    await page.locator("html[data-ready]").waitFor({ timeout: 30000 }).catch(() => {});
    /* Rows are made in a frame, and counting them does not wait for it. */
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  }
  page.trouble = trouble;
  page.close_checked = async () => {
    assert.deepEqual(trouble, []);
    await context.close();
  };
  return page;
}

export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/* A test that gets the page of that program; at its end nothing must have gone wrong. */
export function onPage(title, name, body, options) {
  test(title, { timeout: 600000 }, async () => {
    const page = await openPage(name, options);
    await body(page);
    await page.close_checked();
  });
}

export const text = (page, selector) => page.locator(selector).first().innerText();
export const data = (page) => page.evaluate(() => JSON.parse(document.getElementById("data").textContent));

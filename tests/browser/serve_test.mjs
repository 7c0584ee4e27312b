/* SPDX-License-Identifier: BSD-2-Clause
 *
 * serve_test.mjs - the dashboard, in a browser: what it shows of campaigns in different states, that it stays up to date by
 * itself, that texts of the database are only texts, and that it works on a phone, in the dark and without scripts. */
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { openAddress, PHONE, startBrowser, stopBrowser, text, work } from "./pages.mjs";

const source = process.env.HEDDLE_SOURCE, heddle = process.env.HEDDLE;
const HOSTILE = `<img src=x onerror="alert(1)">'&\u202e/..`;
const store = join(work, "store"), empty = join(work, "empty");
const servers = [];

/* Starts the dashboard of a file. */
async function serve(file, listen = "127.0.0.1:0") {
  const child = spawn(heddle, ["serve", "--store", `sqlite:${file}`, "--listen", listen], { stdio: ["ignore", "pipe", "inherit"] });
  servers.push(child);
  const line = await new Promise((done, failed) => { child.stdout.once("data", (data) => done(String(data))); child.once("exit", failed); });
  return { child, base: /http:\S+/.exec(line)[0] };
}

/* Changes the store as workers would.  now is the clock of the database. */
function sql(...statements) {
  const script = "import sqlite3, sys\ndb = sqlite3.connect(sys.argv[1], timeout=60)\nfor s in sys.argv[2:]:\n  db.execute(s)\ndb.commit()";
  execFileSync("python3", ["-IS", "-c", script, store, ...statements.map((s) =>
    s.replaceAll("$now", "((julianday('now') - 2440587.5) * 86400.0)").replaceAll("$hostile", `'${HOSTILE.replaceAll("'", "''")}'`))]);
}

/* A campaign with a worker that is alive, one that is lost, one that has left, and results of 50 slices. */
function makeRunning(id, name) {
  sql(`INSERT INTO campaign (id, name, state, outcome, kind, pass, valid_from, bound, flags, next_index, index_limit, spec, hash, created, deadline)
       VALUES (${id}, ${name}, 'open', '', 0, 1, 1, 0, 0, 100000, 100000, 'verb\trun\n--strategy\tpct\n', 'abc', $now - 600, $now + 1200)`,
      `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 49) INSERT INTO work
       (id, campaign, pass, ord, depth, known, state, first_index, end_index, fence, expires) SELECT ${id} * 1000 + i, ${id}, 1, 0, 0, 1, 1, i * 100, i * 100 + 100, 1, 0 FROM n`,
      `INSERT INTO work (id, campaign, pass, ord, depth, known, state, first_index, end_index, holder, fence, expires)
       VALUES (${id} * 1000 + 50, ${id}, 1, 0, 0, 1, 0, 5000, 5100, 'host:1:a-${id}', 1, $now + 3600)`,
      `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 49) INSERT INTO result
       (work, fence, campaign, pass, worker, at, seconds, executions, redundant, buggy) SELECT ${id} * 1000 + i, 1, ${id}, 1, 'host:1:a-${id}', $now - 600 + 12 * i, 5, 50 + i, 0, 0 FROM n`,
      `INSERT INTO worker VALUES ('host:1:a-${id}', ${id}, 0, $now), ('host:2:b-${id}', ${id}, 0, $now - 100), ('host:3:c-${id}', ${id}, 2, $now - 50)`);
}

before(async () => {
  const folder = join(work, "mutex");
  mkdirSync(folder);
  copyFileSync(join(source, "tests/cluster/mutex.c"), join(folder, "mutex.c"));
  execFileSync(heddle, ["cc", "-g", "-o", "mutex", "mutex.c"], { cwd: folder });
  for (const [name, ...words] of [["clean", "3", "2"], ["wrong", "2", "2", "wrong"]])
    spawnSync(heddle, ["verify", "-q", "--keep-going", "--store", `sqlite:${store}`, "--campaign", name, "./mutex", ...words], { cwd: folder });
  execFileSync(heddle, ["campaign", "list", "--store", `sqlite:${empty}`]);
  makeRunning(100, "'running'");
  makeRunning(200, "$hostile");
  sql(`INSERT INTO finding (campaign, signature, kind, message, found_index, worker, at) VALUES (200, 'aa', $hostile, $hostile, 0, $hostile, $now - 300)`);
  await startBrowser();
});
after(async () => {
  await stopBrowser();
  servers.forEach((child) => child.kill());
  rmSync(work, { recursive: true, force: true });
});

let shared;

/* A test that gets a page of the dashboard; at its end nothing must have gone wrong. */
function onDashboard(title, path, body, options) {
  test(title, { timeout: 600000 }, async () => {
    shared ??= await serve(store);
    const page = await openAddress(shared.base + path, (url) => url.startsWith(shared.base), options);
    await body(page);
    if (process.env.SHOTS) {
      mkdirSync(process.env.SHOTS, { recursive: true });
      await page.screenshot({ path: join(process.env.SHOTS, `serve-${title.replaceAll(/\W+/g, "-")}.png`), fullPage: true });
    }
    await page.close_checked();
  });
}

const row = (page, name) => page.locator("tbody tr", { has: page.getByRole("link", { name, exact: true }) });
const findingOfWrong = (page) => page.locator("#findings tbody tr");
/* Nothing is wider than the page. */
const fits = async (page) => assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));

onDashboard("the list shows each campaign with its numbers", "", async (page) => {
  assert.equal(await page.locator("tbody tr").count(), 4);
  assert.match(await row(page, "running").innerText(), /running[\s\S]*run, strategy pct[\s\S]*3% of 100,000[\s\S]*3,725[\s\S]*1\s+alive, 1 lost/);
  assert.match(await row(page, "clean").innerText(), /complete[\s\S]*CLEAN[\s\S]*nothing is left[\s\S]*90/);
  assert.match(await row(page, "wrong").innerText(), /complete[\s\S]*FAILED[\s\S]*70[\s\S]*1/);
  assert.equal(await page.locator("svg.spark").count(), 4);
  await fits(page);
});

onDashboard("a page of a campaign that runs", "campaign/running/", async (page) => {
  assert.match(await text(page, "#claim"), /Nothing is claimed while the campaign runs: 3,725 executions/); /* 50 * 50 + 49 * 50 / 2 */
  assert.match(await text(page, "#budget"), /(3[3-9]|[4-9]\d)% of a budget of 30 min/);
  const states = await page.locator("#workers tbody tr").evaluateAll((all) => all.map((tr) => tr.innerText.split(/\s+/).slice(0, 2)));
  assert.deepEqual(states, [["host:2:b-100", "lost"], ["host:1:a-100", "alive"], ["host:3:c-100", "left"]]);
  /* 605 seconds and those since then, in parts that are at least as long as two slices of five */
  const parts = await page.locator("#rate .column").count();
  assert.ok(parts >= 60 && parts <= 100, parts);
  /* The highest bar is the last one but those without a result; the axis ends at a round number above it. */
  const shown = await page.locator("#rate rect.rate").evaluateAll((all) => all.map((r) => Number(r.getAttribute("height"))));
  assert.ok(shown.every((h) => h >= 0 && h <= 100) && Math.max(...shown) > 50);
  await fits(page);
});

onDashboard("a finding leads to its report and back", "campaign/wrong/", async (page) => {
  assert.match(await text(page, "#claim"), /FAILED 64 of 70 executions fail/);
  await findingOfWrong(page).getByRole("link").first().click();
  assert.match(await text(page, "h1"), /assertion[\s\S]*failed at mutex.c:40/);
  assert.match(await text(page, "#reproduce pre"), /heddle replay [0-9a-f]{12}\.heddle -- PROGRAM/);
  const address = page.url();
  await page.getByRole("link", { name: "Open the report" }).click();
  await page.locator("html[data-ready]").waitFor();
  assert.match(await text(page, "#headline"), /assertion/);
  assert.ok(await page.locator(".row").count() > 5);
  await page.goto(`${address}report#step=3`); /* a deep link */
  await page.locator("html[data-ready]").waitFor();
  assert.match(await text(page, "#position"), /^step 3 of/);
  await page.getByRole("link", { name: "Campaign" }).click();
  assert.match(await text(page, "h1"), /wrong/);
});

onDashboard("texts of the database are texts", "", async (page) => {
  const shown = HOSTILE.replace("\u202e", "\u27e8202e\u27e9");
  await page.getByRole("link", { name: shown, exact: true }).click();
  assert.ok((await text(page, "h1")).startsWith(shown));
  assert.equal(await page.locator("img").count(), 0);
  assert.ok((await findingOfWrong(page).innerText()).includes(shown));
  await findingOfWrong(page).getByRole("link").first().click();
  assert.ok((await text(page, "h1")).includes(shown));
  assert.match(await text(page, "#report"), /no report of this finding/);
});

onDashboard("it follows the store, and what the reader does stays", "campaign/running/", async (page) => {
  await page.locator("summary").click();
  await page.evaluate(() => { window.same = true; document.querySelector("#search a").focus(); });
  const before = await text(page, "#executions dd");
  assert.match(before, /^3,725/);
  sql("INSERT INTO work (id, campaign, pass, ord, depth, known, state, fence, expires) VALUES (100900, 100, 1, 0, 0, 1, 1, 1, 0)",
      "INSERT INTO result (work, fence, campaign, pass, worker, at, seconds, executions, redundant, buggy) VALUES (100900, 1, 100, 1, 'host:1:a-100', $now, 5, 1000, 0, 0)");
  await page.locator("#executions dd", { hasText: "4,725" }).waitFor({ timeout: 60000 });
  assert.equal(await page.evaluate(() => window.same), true, "the page was not loaded again");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "JSON");
  assert.equal(await page.locator("#options").getAttribute("open"), "");
  sql("DELETE FROM result WHERE work = 100900", "DELETE FROM work WHERE id = 100900");
  await page.locator("#executions dd", { hasText: "3,725" }).waitFor({ timeout: 60000 });
});

test("a campaign that is begun appears, one that is deleted is said to be gone", { timeout: 600000 }, async () => {
  shared ??= await serve(store);
  const page = await openAddress(shared.base, () => true);
  makeRunning(300, "'late'");
  await row(page, "late").waitFor({ timeout: 60000 });
  await row(page, "late").getByRole("link").click();
  await page.locator("#claim").waitFor();
  sql("DELETE FROM result WHERE campaign = 300", "DELETE FROM work WHERE campaign = 300", "DELETE FROM worker WHERE campaign = 300",
      "DELETE FROM campaign WHERE id = 300");
  await page.locator("#trouble", { hasText: "nothing at this address" }).waitFor({ timeout: 60000 });
  await page.context().close();
});

test("an empty store says how to begin", { timeout: 600000 }, async () => {
  const { base } = await serve(empty);
  const page = await openAddress(base, (url) => url.startsWith(base));
  assert.match(await text(page, "#nothing"), /heddle verify --store URL --campaign NAME/);
  if (process.env.SHOTS)
    await page.screenshot({ path: join(process.env.SHOTS, "serve-empty.png") });
  await page.close_checked();
});

test("a page says when the dashboard is gone, and goes on when it is back", { timeout: 600000 }, async () => {
  const { child, base } = await serve(store);
  const page = await openAddress(base, () => true);
  child.kill();
  await page.locator("#trouble", { hasText: "Not up to date since" }).waitFor({ timeout: 60000 });
  assert.equal(await page.locator("tbody tr").count(), 4, "what was known is still there");
  if (process.env.SHOTS)
    await page.screenshot({ path: join(process.env.SHOTS, "serve-gone.png") });
  await serve(store, new URL(base).host);
  await page.locator("#trouble").waitFor({ state: "hidden", timeout: 60000 });
  await page.context().close();
});

onDashboard("dark pages are dark, and the choice holds for reports", "", async (page) => {
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assert.equal(await paper(), "rgb(21, 23, 28)");
  await page.locator("#theme").click();
  assert.equal(await paper(), "rgb(251, 250, 247)");
  await page.goto(`${shared.base}campaign/wrong/`);
  await findingOfWrong(page).getByRole("link", { name: "step by step" }).click();
  await page.locator("html[data-ready]").waitFor();
  assert.equal(await paper(), "rgb(251, 250, 247)");
}, { colorScheme: "dark" });

onDashboard("dark list", "", fits, { colorScheme: "dark" });
onDashboard("dark campaign", "campaign/running/", fits, { colorScheme: "dark" });
onDashboard("the list on a phone", "", async (page) => {
  await fits(page);
  assert.ok(await row(page, "running").locator("td[data-name=Findings]").isVisible());
}, PHONE);
onDashboard("a campaign on a phone", "campaign/running/", fits, PHONE);
onDashboard("a finding on a phone", "campaign/wrong/", async (page) => {
  await findingOfWrong(page).getByRole("link").first().click();
  await page.locator("#reproduce").waitFor();
  await fits(page);
}, PHONE);

onDashboard("without scripts everything is there but the button", "campaign/wrong/", async (page) => {
  assert.match(await text(page, "#claim"), /64 of 70/);
  assert.equal(await page.locator("#theme").isVisible(), false);
  /* The page loads itself again every ten seconds.  So this waits for a column instead of counting them at once. */
  await page.locator("#rate .column").first().waitFor({ state: "attached" });
  await findingOfWrong(page).getByRole("link", { name: "step by step" }).click();
  assert.match(await text(page, "pre.plain"), /assertion/);
}, { javaScriptEnabled: false });

/* SPDX-License-Identifier: BSD-2-Clause
 *
 * study_test.mjs - the page of `heddle study`, in a browser: plots are where their data says,
 * the lists of strategies work, and nothing needs the script but them. */
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { addPage, openPage, startBrowser, stopBrowser, work } from "./pages.mjs";

const source = process.env.HEDDLE_SOURCE;
/* One name is hostile, one program is correct (no strategy finds a bug), one does not compile. */
const HOSTILE = "</script><b>x & 'y' |";
const programs = [["account", "study/account.c"], [HOSTILE, "study/lazy01.c"], ["carter01", "study/carter01.c"],
                  ["reorder_3", "study/reorder_3.c"], ["fixed", "study/account_fixed.c"],
                  ["broken", "study/nothing.c"]];
const strategies = ["dfs", "random", "pct:d=3", "dpor-optimal"];

before(async () => {
  const list = join(work, "list.tsv"), page = join(work, "study.html");
  writeFileSync(list, "name\tsource\n" + programs.map(([name, file]) => `${name}\t${join(source, "tests/litmus", file)}\n`).join(""));
  writeFileSync(join(work, "published.tsv"),
                "program\ttechnique\tbound\tfirst\ttotal\tnew\tbuggy\treadable\naccount\tdfs\t-\t3\t28\t-\t4\tclean\n" +
                "fixed\tdfs\t-\t3\t28\t-\t4\tclean\n");
  try {
    execFileSync(process.env.HEDDLE, ["study", "-q", list, "--strategies", strategies.join(","), "--seeds", "2",
                                      "--executions", "3000", "--keep-going", "--db", join(work, "study.db"),
                                      "--html", page], { stdio: "ignore" });
    assert.fail("a program that does not compile was not told");
  } catch (error) {
    assert.equal(error.status, 1);
  }
  addPage("study", page);
  await startBrowser();
});
after(async () => { await stopBrowser(); rmSync(work, { recursive: true, force: true }); });

function onPage(title, body, options) {
  test(title, { timeout: 600000 }, async () => {
    const page = await openPage("study", options);
    await body(page);
    await page.close_checked();
  });
}

const data = (page) => page.evaluate(() => JSON.parse(document.getElementById("data").textContent));
const points = (page) => page.locator("#scatter-points circle").evaluateAll((all) =>
  all.map((c) => ({ x: Number(c.getAttribute("cx")), y: Number(c.getAttribute("cy")), name: c.textContent })));
const count = async (page, bits) => Number(await page.locator(`#venn-${bits}`).textContent());

onPage("the page says what was found, and what failed", async (page) => {
  const { programs: names, first } = await data(page);
  assert.deepEqual(names, programs.map(([name]) => name));
  assert.deepEqual(first[0][0], 3, "dfs finds account at its third execution");
  assert.deepEqual(first[4], ["never", "never", "never", "never"]);
  assert.deepEqual(first[5], [null, null, null, null]);
  const row = page.locator("#counts tbody tr", { has: page.locator("th", { hasText: "account" }) }).first();
  assert.match(await row.locator("td").first().innerText(), /^3\/28\/4\s+= 3\/28\/4$/);
  assert.equal(await page.locator("#counts td.bad", { hasText: "does not compile" }).count(), 4);
  assert.match(await page.locator(".alarm").first().innerText(), /6 cells failed/);
  assert.equal(await page.locator("#differences tbody tr").count(), 1, "fixed is not account");
  assert.equal(await page.getByText(HOSTILE, { exact: true }).first().isVisible(), true);
  assert.equal(await page.locator("b").count(), 0, "a name is no markup");
});

onPage("a point of the scatter is where its numbers are, for any two strategies", async (page) => {
  const { first, strategies: names } = await data(page);
  const frame = await page.locator("#scatter-points").evaluate((g) => ({ ...g.dataset }));
  const [left, bottom, size, decades, never] = ["left", "bottom", "size", "decades", "never"].map((k) => Number(frame[k]));
  const along = (n) => n === "never" ? size + never : size * Math.log10(n) / decades;
  for (const [a, b] of [[0, 1], [2, 0], [3, 3]]) {
    await page.locator("#pick-x").selectOption(String(a));
    await page.locator("#pick-y").selectOption(String(b));
    const shown = await points(page);
    assert.equal(shown.length, 5, "one for each program with results");
    assert.equal(await page.locator("#scatter-x").textContent(), names[a]);
    assert.equal(await page.locator("#scatter-y").textContent(), names[b]);
    for (const [p, [name]] of programs.slice(0, 5).entries()) {
      const point = shown.find((q) => q.name.startsWith(`${name}: `));
      const off = Math.hypot(point.x - left - along(first[p][a]), point.y - bottom + along(first[p][b]));
      assert.ok(off < 9, `${name} is ${off} pixels from its place`);
    }
  }
});

onPage("without the script the same points are there", async (page) => {
  const [scripted, names] = [await points(page), (await data(page)).strategies];
  const bare = await openPage("study", { javaScriptEnabled: false });
  const html = await bare.content();
  const drawn = [...html.slice(html.indexOf('id="scatter-points"')).matchAll(/<circle class="point" cx="([\d.]+)" cy="([\d.]+)"/g)];
  assert.deepEqual(drawn.slice(0, 5).map((m) => [Number(m[1]), Number(m[2])]), scripted.map((q) => [q.x, q.y]));
  assert.equal(names.length, 4);
  await bare.close();
});

onPage("the circles add up, for any three strategies", async (page) => {
  const all = (await data(page)).found, found = all.filter((f) => f.some((s) => s !== null));
  assert.equal(found.length, all.length - 1); // a program that does not compile has no result
  for (const three of [[0, 1, 2], [3, 1, 0], [1, 1, 1]]) {
    for (const [i, strategy] of three.entries())
      await page.locator(`#pick-${i}`).selectOption(String(strategy));
    for (let bits = 0; bits < 8; bits++) {
      const expected = found.filter((f) => three.every((s, i) => Boolean(f[s]) === Boolean(bits >> i & 1))).length;
      assert.equal(await count(page, bits), expected, `${three} ${bits}`);
    }
  }
});

onPage("every plot has a name, is inside its picture, and fits the page", async (page) => {
  for (const id of ["cumulative", "upset", "venn", "scatter", "classes", "rates"]) {
    const svg = page.locator(`#plot-${id}`);
    assert.ok((await svg.locator("title").first().textContent()).length > 10, id);
    const outside = await svg.evaluate((s) => {
      const frame = s.getBoundingClientRect();
      return [...s.querySelectorAll("text, circle, path, rect")].filter((e) => {
        const r = e.getBoundingClientRect();
        return r.width > 0 && (r.left < frame.left - 1 || r.right > frame.right + 1 || r.top < frame.top - 1 || r.bottom > frame.bottom + 1);
      }).map((e) => e.outerHTML.slice(0, 120));
    });
    assert.deepEqual(outside, [], id);
  }
  for (const width of [1400, 700, 390]) {
    await page.setViewportSize({ width, height: 900 });
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${width} wide`);
  }
});

onPage("curves end at what the table says", async (page) => {
  const { found, strategies: names } = await data(page);
  const labels = await page.locator("#plot-cumulative .name").allTextContents();
  for (const [s, name] of names.entries()) {
    const within = found.filter((f) => f[s]).length;
    assert.ok(labels.includes(`${name}  ${within}`), `${name}: ${labels}`);
  }
});

onPage("the theme changes by the button, and ink is readable on paper in both", async (page) => {
  const contrast = () => page.evaluate(() => {
    const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const light = (css) => {
      canvas.fillStyle = css;
      canvas.fillRect(0, 0, 1, 1);
      const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const paper = light(getComputedStyle(document.body).backgroundColor);
    const of = (element, key) => { const v = light(getComputedStyle(element)[key]); return (Math.max(v, paper) + 0.05) / (Math.min(v, paper) + 0.05); };
    return { text: of(document.body, "color"), note: of(document.querySelector(".note"), "color"),
             names: Math.min(...[...document.querySelectorAll("#plot-cumulative .name")].map((e) => of(e, "fill"))) };
  });
  for (const name of ["Dark", "Light"]) {
    assert.equal(await page.locator("#theme").innerText(), name);
    const c = await contrast();
    assert.ok(c.text > 7 && c.note > 4.5 && c.names > 4.5, JSON.stringify(c));
    await page.locator("#theme").click();
  }
});

onPage("on paper there is nothing to press, and all rows", async (page) => {
  await page.emulateMedia({ media: "print" });
  for (const hidden of ["#theme", "#pick-x", "#pick-0", "nav"])
    assert.equal(await page.locator(hidden).isVisible(), false, hidden);
  assert.equal(await page.locator("#plot-scatter").isVisible(), true);
  assert.ok(await page.locator(".wide").evaluateAll((all) => all.every((e) => e.scrollHeight <= e.clientHeight + 1)));
});

test("pictures for people", { skip: !process.env.SHOTS, timeout: 600000 }, async () => {
  mkdirSync(process.env.SHOTS, { recursive: true });
  for (const colorScheme of ["light", "dark"]) {
    const page = await openPage("study", { colorScheme });
    await page.screenshot({ path: join(process.env.SHOTS, `study-${colorScheme}.png`), fullPage: true });
    await page.close_checked();
  }
});

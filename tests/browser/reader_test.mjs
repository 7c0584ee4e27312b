/* SPDX-License-Identifier: BSD-2-Clause
 *
 * reader_test.mjs - what a reader who opens the page sees: everything can be read, nothing covers anything else, and it
 * is the same as in the text report, which the page contains for browsers without scripts. */
import { after, before } from "node:test";
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { data, onPage, PHONE, startBrowser, stopBrowser, text, work } from "./pages.mjs";

before(startBrowser);
after(async () => { await stopBrowser(); rmSync(work, { recursive: true, force: true }); });

const PAGES = ["bank", "race", "buckets", "loop", "late", "exit"];
const DESK = { viewport: { width: 1280, height: 800 } };

const textReport = async (page) => (await page.evaluate(() => document.querySelector("body > noscript").textContent))
  .split('<pre class="plain">')[1].split("</pre>")[0].replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&");
const oneLine = (s) => s.replace(/\s+/g, " ").trim();

/* ---- contrast ---- */

for (const name of ["bank", "race", "buckets"])
  onPage(`${name}: every text has contrast, in both themes, in all tabs, before and after a step`, name, async (page) => {
    for (const theme of ["light", "dark"]) {
      await page.evaluate((t) => { document.documentElement.dataset.theme = t; }, theme);
      for (const key of ["End", "p", "k"]) {
        await page.keyboard.press(key);
        for (const tab of await page.locator("#tabs button").all()) {
          await tab.click();
          assert.deepEqual(await page.evaluate(weakTexts), [], theme);
        }
      }
    }
  }, { ...DESK, reducedMotion: "reduce" }); /* colours change at once */

/* In the page: texts whose colour is too near to what is behind them (WCAG AA, 4.5:1). */
function weakTexts() {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const known = new Map();
  const rgba = (css) => {
    if (!known.has(css)) {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = css;
      canvas.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
      known.set(css, { r, g, b, a: a / 255 });
    }
    return known.get(css);
  };
  const over = (top, below, a) => ({ r: top.r * a + below.r * (1 - a), g: top.g * a + below.g * (1 - a), b: top.b * a + below.b * (1 - a) });
  const light = ({ r, g, b }) => [r, g, b].map((c) => c / 255).map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = (node) => {
    for (let n = node; n; n = n.parentElement) {
      const colour = rgba(n instanceof SVGGElement && n.querySelector("rect") ? getComputedStyle(n.querySelector("rect")).fill
                                                                              : getComputedStyle(n).backgroundColor);
      if (colour.a > 0.99) return colour;
    }
    return rgba("white");
  };
  const opacity = (node) => node ? Number(getComputedStyle(node).opacity) * opacity(node.parentElement) : 1;
  const weak = new Set(), walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let n = walk.nextNode(); n; n = walk.nextNode()) {
    const node = n.parentElement;
    if (!n.data.trim() || !node.checkVisibility() || node.closest("script, title, option, #card, .unseen, .skip")) continue;
    const back = behind(node), style = getComputedStyle(node), ink = rgba(node instanceof SVGElement ? style.fill : style.color);
    const a = light(over(ink, back, ink.a * opacity(node))), b = light(back);
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) weak.add(`${node.tagName}.${node.getAttribute("class")} "${n.data.slice(0, 20)}" ${ratio.toFixed(2)}`);
  }
  return [...weak];
}

/* ---- the same as the text ---- */

for (const name of [...PAGES, "uaf", "ring", "leak"])
  onPage(`${name}: marks, buttons and tinted lines are those of the text report`, name, async (page) => {
    const table = (await textReport(page)).split("\nInterleaving")[1].split("\n\n")[0];
    const lines = table.split("\n").filter((line) => line.startsWith(">"));
    const all = await data(page), { rows } = all.findings[0], marked = rows.flags.flatMap((f, i) => f & 64 ? [i] : []);
    const place = (i) => all.strings[all.sites[rows.site[i]][3]];
    assert.ok(lines.length > 0);
    assert.deepEqual(marked.map((i) => `${rows.step[i] || ""} ${place(i)}`),
                     lines.map((line) => `${line.match(/^>\s*(\d*)/)[1]} ${line.match(/\s(\S+|end of main)$/)[1]}`), table);
    assert.equal(await page.locator(".jump").count(), marked.length);
    const says = (i) => ["verb", "object", "value"].map((c) => all.strings[rows[c][i]]).join(" ");
    for (const [k, i] of marked.entries())
      assert.ok(oneLine((await page.locator(".jump").nth(k).textContent()).replace("waits: ", "").replace("next: ", "")).endsWith(oneLine(says(i)).replace(" = ", " = ")));
    const tinted = new Set(marked.map((i) => all.sites[rows.site[i]]).filter(([file]) => file === all.sites[rows.site[marked.at(-1)]][0] && file >= 0)
      .map(([, line]) => line));
    for (const line of tinted) {
      await page.locator("#code").evaluate((code, n) => { code.scrollTop = (n - 5) * 20; }, line);
      await page.waitForFunction((n) => document.querySelector(`.line[data-line="${n}"]:is(.key, .bad, .now)`), line);
    }
  }, DESK);

for (const name of PAGES)
  onPage(`${name}: the sentences on top are those of the text report`, name, async (page) => {
    const report = oneLine(await textReport(page));
    assert.ok(await page.locator("#cause p").count() > 0);
    for (const line of await page.locator("#cause p").allInnerTexts())
      assert.ok(report.includes(oneLine(line)), line);
  }, DESK);

onPage("what has not happened is a row", "late", async (page) => {
  assert.match(await page.locator(".row.pending .cell").textContent(), /^4next: store x$/);
  assert.match(await page.locator(".row.now .cell").textContent(), /abort$/, "the failure is selected");
  assert.equal((await page.locator(".row.pending .site").textContent()), "bug_uncaught.cc:20");
}, DESK);

onPage("the end of main is a place", "exit", async (page) => {
  assert.equal(await page.locator(".row.failure .site").textContent(), "end of main");
  assert.match(await text(page, "#tab-body"), /place\s+end of main/);
}, DESK);

onPage("the block has its name", "loop", async (page) => {
  assert.match((await page.locator(".jump").first().textContent()), /main frees session$/);
}, DESK);

onPage("locks of a race, and what its status means, are on top", "race", async (page) => {
  assert.match(await text(page, "#cause"), /first: .*holding no lock\s+second: /);
  assert.match(await text(page, "#facts"), /candidate: one order was seen$/);
}, DESK);

/* ---- the first screen ---- */

for (const name of [...PAGES, "circle"])
  onPage(`${name}: on a phone the first screen has the rows, their places and the source`, name, async (page) => {
    const box = (selector) => page.locator(selector).first().evaluate((n) => n.getBoundingClientRect().toJSON());
    const time = await box("#timeline"), now = await box(".row.now");
    assert.ok(time.top <= 844 / 3, `the first row begins at ${time.top}`);
    assert.ok(now.top >= time.top - 1 && now.bottom <= Math.min(844, time.bottom) + 1, "the row that fails is visible");
    assert.ok((await box("#code")).top <= 844 - 3 * 20, "and some lines of the source");
    const rows = await page.locator(".row:not(.folded)").evaluateAll((all) => all.map((row) => ({
      verb: row.querySelector(".verb").textContent, site: row.querySelector(".site")?.checkVisibility() ? row.querySelector(".site").textContent : "" })));
    assert.deepEqual(rows.filter(({ verb, site }) => !/:\d+$|end of main/.test(site) && verb.trim() !== "end"), []);
    const cut = await page.locator(".row .verb, .row .value, .row .mark, #cause *, #why").evaluateAll((all) => all.filter((n) => n.checkVisibility() &&
      (n.getBoundingClientRect().right > innerWidth || n.getBoundingClientRect().left < 2 || n.scrollWidth > n.clientWidth + 1 && n.clientWidth > 0)).map((n) => n.textContent));
    assert.deepEqual(cut, []);
    if (await page.locator("#more").isVisible())
      await page.locator("#more").click();
    assert.equal(await page.locator(".later").evaluateAll((all) => all.filter((n) => !n.hidden && !n.checkVisibility()).length), 0, "the rest is one touch away");
  }, PHONE);

for (const [name, options] of [["buckets", PHONE], ["buckets", DESK], ["loop", PHONE]])
  onPage(`${name}, ${options.viewport.width} wide: no line breaks within an arrow of C`, name, async (page) => {
    const broken = await page.evaluate(() => {
      const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = [];
      for (let n = walk.nextNode(); n; n = walk.nextNode())
        for (let at = n.parentElement.closest(".unseen") ? -1 : n.data.indexOf("->"); at >= 0; at = n.data.indexOf("->", at + 1)) {
          const range = document.createRange();
          range.setStart(n, at);
          range.setEnd(n, at + 2);
          if (new Set([...range.getClientRects()].map((r) => Math.round(r.top))).size > 1) found.push(n.data);
        }
      return found;
    });
    assert.deepEqual(broken, []);
  }, options);

for (const name of [...PAGES, "pool"])
  onPage(`${name}: the first row is whole, marked rows are on the screen, names are names`, name, async (page) => {
    const top = await page.locator("#timeline").evaluate((n) => n.getBoundingClientRect().top);
    const tops = await page.locator(".row").evaluateAll((all) => all.map((row) => row.getBoundingClientRect().top));
    assert.ok(tops.some((y) => Math.abs(y - top) < 1), `a row begins at ${top}: ${tops}`);
    const bottom = await page.locator("#timeline").evaluate((n) => n.getBoundingClientRect().bottom);
    for (const y of await page.locator(".row.key").evaluateAll((all) => all.map((row) => row.getBoundingClientRect().top)))
      assert.ok(y >= top - 1 && y < bottom, "a marked row is not on the screen");
    assert.deepEqual((await page.locator(".row .cell b").allInnerTexts()).filter((noun) => /\+0x/.test(noun)), []);
  }, DESK);

onPage("lines go behind texts", "buckets", async (page) => {
  const clear = await page.locator(".row .verb, .row .cell b").evaluateAll((all) => all.filter((n) => {
    const [, , , a = "1"] = getComputedStyle(n).backgroundColor.match(/[\d.]+/g);
    return Number(a) < 1;
  }).length);
  assert.equal(clear, 0);
}, DESK);

/* ---- controls and source ---- */

onPage("controls say what they do", "bank", async (page) => {
  for (const button of await page.locator("#bar button:visible, #bar summary").all()) {
    assert.match(await button.innerText(), /[A-Za-z]{4}/);
    assert.ok(await button.getAttribute("title"));
  }
  const seen = await page.locator("#bar > .group:first-child > button").allInnerTexts();
  assert.equal(new Set(seen).size, seen.length);
  assert.match(await text(page, "#position"), /^(after )?step \d+ of (\d+)$/);
  const steps = Math.max(...(await data(page)).findings[0].rows.step);
  assert.ok((await text(page, "#position")).endsWith(`of ${steps}`) && (await text(page, "#facts")).includes(`${steps} steps`), "one total");
}, DESK);

onPage("source code begins near the edge", "buckets", async (page) => {
  const [edge, code] = await page.evaluate(() => [document.getElementById("code"), document.querySelector(".line code")].map((n) => n.getBoundingClientRect().left));
  assert.ok(code - edge <= 90, `${code - edge} px`);
  const width = await page.locator("#code").evaluate((n) => n.clientWidth);
  assert.ok(width - (code - edge) >= 72 * 7.3, `${width} px: no room for 72 columns`);
}, DESK);

/* ---- the graph ---- */

for (const [name, options] of [["buckets", DESK], ["buckets", PHONE], ["ring", DESK], ["circle", DESK], ["circle", PHONE], ["signal", DESK]])
  onPage(`${name}, ${options.viewport.width} wide: in the graph nothing covers anything`, name, async (page) => {
    const { boxes, out, lengths } = await page.locator(".waits").evaluate((graph) => {
      const box = (n) => { const { left, right, top, bottom } = n.getBoundingClientRect(); return { left, right, top, bottom, text: n.textContent }; };
      const inside = (a, b) => a.left >= b.left + 3 && a.right <= b.right - 3 && a.top >= b.top && a.bottom <= b.bottom;
      const nodes = [...graph.querySelectorAll(".node")], labels = [...graph.querySelectorAll(".wait-label tspan")];
      return { boxes: [...nodes.map((n) => box(n.querySelector("rect"))), ...labels.map(box)],
               out: [...nodes.filter((n) => !inside(box(n.querySelector("text")), box(n.querySelector("rect")))),
                     ...labels.filter((n) => !inside(box(n), { ...box(graph), left: box(graph).left - 3, right: box(graph).right + 3 }))].map((n) => n.textContent),
               lengths: [...graph.querySelectorAll(".wait")].map((path) => path.getTotalLength()) };
    });
    const covers = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
    assert.deepEqual(boxes.filter((a, i) => boxes.some((b, k) => k > i && covers(a, b))), []);
    assert.deepEqual(out, [], "texts are in their boxes and in the picture");
    assert.ok(Math.min(...lengths) >= 16, `arrows are ${lengths} long`);
    const all = (await page.locator(".waits .wait-label").evaluateAll((labels) => labels.map((l) => [...l.querySelectorAll("tspan")].map((t) => t.textContent).join("")))).join(" ");
    for (const { what, on } of (await data(page)).findings[0].waits)
      assert.ok(on < 0 || all.replaceAll(" ", "").includes(what.replaceAll(" ", "")), `${what} is whole`);
  }, options);

/* SPDX-License-Identifier: BSD-2-Clause
 *
 * report_test.mjs - the HTML report, used as a person would.  What is expected follows from
 * the programs, whose interleavings are known, or from the data in the page itself. */
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { data, onPage, openPage, pageOf, PHONE, startBrowser, stopBrowser, text, work } from "./pages.mjs";

before(startBrowser);
after(async () => { await stopBrowser(); rmSync(work, { recursive: true, force: true }); });

const nowRow = (page) => page.locator(".row.now");
const nowText = async (page) => (await nowRow(page).locator(".cell").textContent()).trim();
/* "3 of 14": the row that one stands on, among those that are shown. */
const position = (page) => page.locator("#slider").evaluate((s) => document.querySelector(".row") ? `${Number(s.value) + 1} of ${Number(s.max) + 1}` : "nothing");

/* ---- moving ---- */

onPage("keys go forward and back, one step each", "bank", async (page) => {
  await page.keyboard.press("Home");
  assert.match(await position(page), /^1 of \d+$/);
  assert.equal(await nowText(page), "create T1");
  const seen = [];
  for (const key of ["ArrowDown", "j", "ArrowRight", "j"]) {
    await page.keyboard.press(key);
    seen.push(await nowText(page));
  }
  assert.match(await position(page), /^5 of/);
  for (const key of ["ArrowUp", "k", "ArrowLeft"]) {
    seen.pop();
    await page.keyboard.press(key);
    assert.equal(await nowText(page), seen.at(-1));
  }
  await page.keyboard.press("k");
  await page.keyboard.press("k");
  assert.match(await position(page), /^1 of/, "before the first row there is none");
  await page.keyboard.press("End");
  assert.match(await nowText(page), /assertion$/);
});

onPage("n and p go from switch to switch", "bank", async (page) => {
  const rows = (await data(page)).findings[0].rows;
  const switches = rows.why.map((why, i) => why ? i + 1 : 0).filter(Boolean);
  assert.ok(switches.length >= 2, "the bug of the bank needs two preemptions");
  await page.keyboard.press("f"); /* all rows: the position is the row */
  await page.keyboard.press("Home");
  for (const at of switches) {
    await page.keyboard.press("n");
    assert.equal(await position(page), `${at} of ${rows.n}`);
  }
  for (const at of switches.slice(0, -1).reverse()) {
    await page.keyboard.press("p");
    assert.equal(await position(page), `${at} of ${rows.n}`);
  }
});

onPage("the slider goes anywhere, and follows", "bank", async (page) => {
  const slider = page.locator("#slider");
  await slider.fill("4");
  assert.match(await position(page), /^5 of/);
  await page.locator("#timeline").click({ position: { x: 200, y: 36 } }); /* the second row */
  assert.equal(await slider.inputValue(), "1");
  await slider.focus();
  await page.keyboard.press("ArrowRight");
  assert.equal(await slider.inputValue(), "2");
  assert.match(await position(page), /^3 of/);
});

/* ---- source, state, arrows ---- */

onPage("the source shows the line of the step and where the others stand", "bank", async (page) => {
  const lines = readFileSync(join(process.env.HEDDLE_SOURCE, "examples/bank.c"), "utf8").split("\n");
  await page.keyboard.press("End");
  const now = page.locator(".line.now");
  assert.equal((await now.locator("code").innerText()).trim(), lines.find((l) => l.includes("assert(")).trim());
  assert.equal(await now.locator(".chip").innerText(), "main");
  await page.keyboard.press("Home"); /* main has created T1, which has not begun: it stands nowhere */
  assert.equal(await page.locator(".line .chip").count(), 1);
  await page.keyboard.press("n"); /* T1's first step; main stands before its next one */
  await page.waitForFunction(() => [...document.querySelectorAll(".line .chip")].some((c) => c.textContent === "main"));
});

onPage("hovering tells value and locks; and so does the panel", "bank", async (page) => {
  await page.keyboard.press("Home");
  const lock = page.locator(".row", { hasText: "lock bob.lock" }).first();
  await lock.hover();
  const card = await text(page, "#card");
  assert.match(card, /main\s+lock bob\.lock\s+step 2/);
  assert.match(card, /holds\s+bob\.lock/);
  assert.match(card, /place\s+bank\.c:22 in balance/);
  await page.mouse.move(5, 5);
  assert.equal(await page.locator("#card").isVisible(), false);
  await lock.click();
  assert.match(await text(page, "#tab-body"), /holds\s+bob\.lock/);
});

onPage("arrows join an unlock and the lock after it", "bank", async (page) => {
  const { rows, edges, objects } = (await data(page)).findings[0];
  const strings = (await data(page)).strings, pairs = [];
  for (let e = 0; e < edges.length; e += 2)
    pairs.push([edges[e], edges[e + 1]]);
  const says = (i) => strings[rows.verb[i]];
  assert.ok(pairs.every(([a, b]) => a < b && rows.tid[a] !== rows.tid[b]));
  const handed = pairs.filter(([a, b]) => says(a) === "unlock" && says(b) === "lock");
  assert.ok(handed.length >= 2);
  assert.ok(handed.every(([a, b]) => rows.obj[a] === rows.obj[b] && rows.obj[a] > 0 && objects[rows.obj[a]]));
  assert.ok(pairs.some(([a, b]) => says(a) === "create" && says(b) === "start"));
  assert.ok(pairs.some(([a, b]) => says(a) === "end" && says(b) === "join"));
  await page.keyboard.press("f");
  await page.locator("#slider").fill(String(handed[0][1]));
  assert.equal(await page.locator(".edge.strong").count(), pairs.filter((p) => p.includes(handed[0][1])).length);
  await page.keyboard.press("a");
  assert.equal(await page.locator(".edge.faint").count(), 0);
});

onPage("a race: both accesses are marked, and nothing orders them", "race", async (page) => {
  assert.equal(await page.locator(".row.access").count(), 2);
  assert.equal(await page.locator("line.race").count(), 1);
  assert.equal(await page.locator(".line.bad").count() + await page.locator(".line.bad.now").count() > 0, true);
  await page.locator(".jump").first().click();
  const first = await nowText(page);
  await page.locator(".jump").nth(1).click();
  const second = await nowText(page);
  /* 100 until the deposit of 10, whichever thread is first */
  const accesses = [first, second].map((t) => t.replace(/^\d\s*/, ""));
  assert.deepEqual(accesses.sort(), ["reads balance = " + (first.includes("reads") ? 100 : 110), "writes balance = 110"]);
  /* the second access does not know of the first, with which its thread begins: nothing of that thread happens before */
  await page.locator("#tab-threads").click();
  const trace = (await data(page)).findings[0].rows;
  const [a] = trace.flags.map((f, i) => f & 512 ? trace.tid[i] : -1).filter((t) => t >= 0);
  assert.equal(await page.locator("#tab-body tbody tr").nth(a).locator("td").last().innerText(), "nothing of it");
});

onPage("the sentence that says why, and its events", "bank", async (page) => {
  const { rows } = (await data(page)).findings[0], marked = rows.flags.flatMap((f, i) => f & 64 ? [i] : []);
  assert.match(await text(page, "#why"), /^fails because .* came between .*/);
  assert.equal(await page.locator(".jump").count(), marked.length);
  for (let i = 0; i < marked.length; i++) {
    await page.locator(".jump").nth(i).click();
    assert.equal(Number(await nowRow(page).locator(".step").innerText()), rows.step[marked[i]]);
    assert.match(await nowText(page), new RegExp(`^${i + 1}`));
  }
});

onPage("marked rows are reached by d", "uaf", async (page) => {
  await page.keyboard.press("Home");
  if (!await nowRow(page).evaluate((row) => row.classList.contains("key")))
    await page.keyboard.press("d");
  const seen = [await nowText(page)];
  while (!seen.at(-1).endsWith("use-after-free") && seen.length < 9) {
    await page.keyboard.press("d");
    seen.push((await nowText(page)));
  }
  const texts = seen.map((t) => t.replace(/^\d\s*/, ""));
  assert.equal(texts.at(-1), "use-after-free");
  // before it what a comparison found decisive, and who has freed it
  assert.ok(texts.some((t) => t.startsWith("frees ")) && new Set(texts).size === texts.length, texts.join("; "));
});

/* ---- addresses ---- */

onPage("an address leads to a step, and follows", "bank", async (page) => {
  await page.keyboard.press("f"); /* no step is in a fold */
  await page.evaluate(() => { location.hash = "#step=9"; });
  await page.waitForFunction(() => document.querySelector(".row.now .step")?.textContent === "9");
  await page.locator(".row .step", { hasText: /^10$/ }).click();
  await page.waitForFunction(() => location.hash === "#step=10");
  await page.evaluate(() => { location.hash = "#step=99999"; });
  assert.equal(await nowRow(page).locator(".step").innerText(), "10", "a step that does not exist changes nothing");
});

test("an address with a step opens there", { timeout: 120000 }, async () => {
  const page = await openPage("several", { hash: "#finding=2&step=2" });
  assert.equal(await page.locator("#pick").inputValue(), "1");
  assert.equal(await text(page, "#headline .badge"), (await data(page)).findings[1].kind);
  assert.equal(await nowRow(page).locator(".step").innerText(), "2");
  await page.close_checked();
});

/* ---- filter and fold ---- */

onPage("the filter leaves what matches, and Escape brings all back", "bank", async (page) => {
  const before = await position(page);
  await page.keyboard.press("/");
  await page.keyboard.type("alice");
  const rows = await page.locator(".row .cell").allInnerTexts();
  assert.ok(rows.length >= 8 && rows.every((r) => r.includes("alice")), rows.join("; "));
  await page.keyboard.type(" nothing-like-that");
  assert.equal(await page.locator(".row").count(), 0);
  assert.equal(await position(page), "nothing");
  assert.equal(await text(page, "#position"), "nothing to show");
  await page.keyboard.press("Escape");
  assert.equal((await position(page)).split(" of ")[1], before.split(" of ")[1]);
});

onPage("filtering by object and by thread", "bank", async (page) => {
  const options = await page.locator("#object option").allInnerTexts();
  const at = options.findIndex((o) => o.startsWith("alice.lock (mutex, 8"));
  assert.ok(at > 0, "four operations of each thread on alice.lock: " + options);
  await page.locator("#object").selectOption({ index: at });
  assert.equal((await page.locator(".row .cell", { hasText: "alice.lock" }).count()), 8);
  assert.equal(await page.locator(".row").count(), 9, "and the failure stays");
  await page.keyboard.press("Escape");
  await page.locator("#threads-menu summary").click();
  await page.locator("#threads-list input[data-tid='1']").uncheck();
  const lanes = await page.locator(".lane-name").allInnerTexts();
  assert.deepEqual(lanes, ["main"]);
});

onPage("a loop that polls is one line until it is opened", "spin", async (page) => {
  const total = (await data(page)).findings[0].rows.n;
  assert.ok(total > 200);
  const fold = page.locator(".row.folded", { hasText: "more rounds of the same" });
  assert.equal(await fold.count(), 1);
  assert.ok(Number((await position(page)).split(" of ")[1]) < 20);
  const label = await fold.innerText();
  const rounds = Number(label.match(/(\d+) more rounds/)[1]);
  const loads = await page.evaluate(() => {
    const d = JSON.parse(document.getElementById("data").textContent), rows = d.findings[0].rows;
    return rows.verb.filter((v, i) => d.strings[v] === "load" && rows.tid[i] === 1).length;
  });
  assert.equal(rounds, loads - 1);
  await fold.click();
  assert.equal(await position(page).then((p) => p.split(" of ")[1]), String(total));
  await page.keyboard.press("f");
  await page.keyboard.press("f");
  assert.ok(Number((await position(page)).split(" of ")[1].replace(",", "")) < total);
});

/* ---- kinds of findings ---- */

onPage("a deadlock has its graph", "ring", async (page) => {
  assert.equal(await page.locator("#tab-waits").getAttribute("aria-selected"), "true");
  assert.equal(await page.locator(".waits .node.thread").count(), 4);
  assert.equal(await page.locator(".waits .wait.cycle").count(), 3, "three threads in a circle");
  assert.equal(await page.locator(".waits .wait").count(), 4, "and main waits for one of them");
  assert.deepEqual((await page.locator(".waits .wait-label tspan").allTextContents()).sort(),
                   ["mutex a", "mutex b", "mutex c", "the end of T1"]);
  assert.match(await page.locator(".waits").getAttribute("aria-label"), /T1 waits at .* for mutex b, held by T2/);
});

onPage("operations that are not linearizable are bars, and those that overlap do so", "linear", async (page) => {
  assert.equal(await page.locator("#tab-history").getAttribute("aria-selected"), "true");
  const bars = page.locator(".history .operation");
  assert.deepEqual(await bars.allTextContents(), ["get() → 1", "put(2) → done"]);
  const [get, put] = await bars.evaluateAll((all) => all.map((b) => b.getBoundingClientRect().toJSON()));
  assert.ok(get.left < put.left && put.right < get.right, "the bug needs put within get");
  assert.ok(get.top < put.top, "one line for each client");
  await bars.nth(1).click();
  assert.equal(await nowText(page), "call put(2)");
});

onPage("messages have a chart, which names the decisive ones", "messages", async (page) => {
  assert.equal(await page.locator("#tab-messages").getAttribute("aria-selected"), "true");
  assert.deepEqual(await page.locator(".messages .lane text").allTextContents(), ["main", "left", "right", "adds", "doubles"]);
  assert.equal(await page.locator(".messages .message").count(), 6, "two orders to go, each with two changes");
  assert.deepEqual((await page.locator(".messages .message.key text").allTextContents()).sort(), ["add", "twice"]);
  assert.match(await text(page, "#tab-body"), /Decisive, in this order: (twice, add|add, twice)/);
  await page.locator(".messages .message").first().click();
  assert.match(await nowText(page), /send go to/);
});

onPage("of 100 actors the idle ones have no lane, and most others share one", "peers", async (page) => {
  const lanes = await page.locator(".messages .lane text").allTextContents();
  assert.equal(lanes.length, 12);
  assert.match(lanes.at(-1), /^\d+ others$/);
  assert.ok(await page.locator(".messages .message:not(.key)").count() <= 60);
  const all = await page.locator(".messages .message").count(), left = await page.locator(".messages .gap text").allTextContents();
  assert.ok(left.length > 0 && left.every((line) => /\d+ messages? left out$/.test(line)), "what is not shown is counted");
  await page.getByRole("button", { name: /earlier messages/ }).click();
  assert.equal(await page.locator(".messages .gap").count(), 0);
  assert.ok(await page.locator(".messages .message").count() > all);
});

onPage("a crash is a cross in the lane of each actor that it ends", "crash", async (page) => {
  const crash = page.locator(".messages .message.fails");
  assert.deepEqual(await crash.locator("text").allTextContents(), ["crash"]);
  assert.match(await text(page, "#tab-body"), /Decisive, in this order: .*crash/);
  const lanes = await page.locator(".messages .lane").evaluateAll((all) => all.map((g) =>
    [g.querySelector("text").textContent, g.querySelector("line").getBoundingClientRect().x]));
  const crosses = await crash.locator(".cross").evaluateAll((all) => all.map((x) => {
    const box = x.getBoundingClientRect();
    return box.x + box.width / 2;
  }));
  assert.ok(crosses.length > 0);
  for (const x of crosses)
    assert.ok(lanes.some(([name, at]) => Math.abs(at - x) < 2 && !/^(main|crash)$/.test(name)), "in the lane of an actor");
});

onPage("a deadlock has no history", "ring", async (page) => {
  assert.equal(await page.locator("#tab-history").count(), 0);
});

onPage("a circle of 12 threads: every name can be read, and none covers another", "circle", async (page) => {
  assert.equal(await page.locator(".waits .node.thread").count(), 13, "twelve in the circle, and main");
  assert.equal(await page.locator(".waits .wait.cycle").count(), 12);
  const heights = await page.locator(".waits .wait-label tspan").evaluateAll((all) => all.map((t) => t.getBoundingClientRect().height));
  assert.ok(Math.min(...heights) >= 10, `letters are ${Math.min(...heights)} px high`);
  assert.match(await text(page, "#cause"), /and \d+ more$/, "what the sentence leaves out is counted");
});

onPage("what nobody will do is in the graph, too", "signal", async (page) => {
  assert.equal(await page.locator(".waits .node.resource").count(), 1);
  assert.match(await text(page, "#cause"), /nobody did then, so it was lost/);
});

for (const [name, kind, stack] of [["bank", "assertion", "main"], ["deadlock", "deadlock", "work"], ["race", "data-race", "deposit"],
                                   ["uaf", "use-after-free", "release"], ["leak", "leak", ""], ["livelock", "livelock", "main"],
                                   ["misuse", "lock-misuse", "main"]])
  onPage(`${kind}: headline, source, stacks, commands`, name, async (page) => {
    assert.equal(await text(page, "#headline .badge"), kind);
    assert.ok(await page.locator(".row").count() > 1);
    assert.ok(await page.locator(".line").count() > 3);
    for (const tab of await page.locator("#tabs button").all())
      await tab.click();
    await page.locator("#tab-stacks").click();
    if (stack)
      assert.ok((await page.locator(".stack li code").allInnerTexts()).includes(stack));
    await page.locator("#tab-finding").click();
    assert.match(await text(page, "#tab-body"), /heddle replay \S*\.heddle\/[0-9a-f]{12}\.heddle/);
  });

onPage("several findings are a list", "several", async (page) => {
  const findings = (await data(page)).findings;
  assert.deepEqual(findings.map((f) => f.kind).sort(), ["assertion", "deadlock"]);
  assert.equal(await page.locator("#pick option").count(), findings.length);
  for (let i = 0; i < findings.length; i++) {
    await page.locator("#pick").selectOption({ index: i });
    assert.equal(await text(page, "#headline .badge"), findings[i].kind);
    assert.ok(await page.locator(".row").count() > 1);
  }
});

onPage("a clean result says so", "clean", async (page) => {
  assert.equal(await text(page, "#headline .badge"), "clean");
  assert.match(await text(page, "#cause"), /all interleavings/);
  assert.equal(await page.locator("#panes").isVisible(), false);
});

/* ---- the page ---- */

for (const name of ["bank", "circle"])
  onPage(`${name}: the headline is whole on a small screen`, name, async (page) => {
    const cut = await page.evaluate(() => [...document.querySelectorAll("#headline, #headline *, #cause, #why, #why *, #facts")]
      .filter((n) => n.scrollWidth > n.clientWidth + 1 && n.clientWidth > 0 || getComputedStyle(n).overflowY !== "visible" && n.scrollHeight > n.clientHeight + 1)
      .map((n) => n.outerHTML.slice(0, 60)));
    assert.deepEqual(cut, []);
    assert.ok(await page.locator("#panes").evaluate((n) => n.clientHeight) >= 380, "and the panes are still useful");
  }, { viewport: { width: 900, height: 500 } });

onPage("on a phone the controls take a third at most, and filters open", "bank", async (page) => {
  const height = () => page.locator("#bar").evaluate((bar) => bar.getBoundingClientRect().height);
  assert.ok(await height() <= 844 / 3, `${await height()} px`);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing is wider than the screen");
  assert.equal(await page.locator("#filter").isVisible(), false);
  await page.locator("#filters-open").click();
  assert.equal(await page.locator("#filter").isVisible(), true);
  assert.ok(await height() <= 844 / 3, `${await height()} px with filters`);
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  const top = await page.locator("#bar").evaluate((bar) => bar.getBoundingClientRect().top);
  assert.ok(top >= -1 && top < 800, `they stay in reach: ${top}`);
}, PHONE);

for (const name of ["bank", "circle"])
  onPage(`${name}: on a phone every row is whole`, name, async (page) => {
    assert.ok(await page.locator("#timeline").evaluate((n) => n.scrollWidth <= n.clientWidth), "nothing is beside the screen");
    const cut = await page.evaluate(() => [...document.querySelectorAll(".row .cell, .row .cell > *, .row .below")]
      .filter((n) => n.scrollWidth > n.clientWidth + 1 || n.getBoundingClientRect().right > innerWidth + 1)
      .map((n) => n.textContent));
    assert.deepEqual(cut, []);
  }, PHONE);

test("the first picture has everything", { timeout: 120000 }, async () => {
  /* rows are counted in every frame until the page is ready and after it: none is ever empty again */
  const page = await openPage("bank", { init: () => {
    globalThis.frames_seen = [];
    const look = () => { globalThis.frames_seen.push([document.documentElement.dataset.ready ?? "", document.querySelectorAll(".row").length,
                                                      document.querySelectorAll(".line").length]); requestAnimationFrame(look); };
    requestAnimationFrame(look);
  } });
  await page.waitForTimeout(300);
  const seen = (await page.evaluate(() => globalThis.frames_seen)).filter(([ready]) => ready);
  assert.ok(seen.length > 2);
  assert.deepEqual(seen.filter(([, rows, lines]) => rows === 0 || lines === 0), []);
  await page.close_checked();
});

for (const [name, expected] of [["bank", /FOUND assertion in \.\/bank[\s\S]*lock bob\.lock[\s\S]*FAILED: 1 of/], ["clean", /CLEAN: all interleavings/]])
  onPage(`${name}: without scripts there is the text`, name, async (page) => {
    assert.match(await text(page, ".plain"), expected);
    assert.equal(await page.locator("#panes").isVisible(), false);
    assert.equal(await page.locator("#bar").isVisible(), false);
  }, { javaScriptEnabled: false });

onPage("frames of libraries are folded, and open", "pool", async (page) => {
  await page.locator("#tab-stacks").click();
  const fold = page.locator(".folded-frames").first();
  assert.match(await fold.locator("summary").innerText(), /^#\d+-\d+ \u22ef \d+ frames of .*/);
  assert.equal(await fold.locator("li").first().isVisible(), false);
  await fold.locator("summary").click();
  assert.equal(await fold.locator("li").first().isVisible(), true);
  assert.ok((await page.locator(".stack > ol > li > code").allInnerTexts()).includes("main"), "the user's frames are shown");
});

onPage("dark and light, by the system and by the switch", "deadlock", async (page) => {
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await background();
  await page.keyboard.press("t");
  const light = await background();
  assert.notEqual(dark, light);
  await page.locator("#theme").click();
  assert.equal(await background(), dark);
  await page.emulateMedia({ colorScheme: "light" });
  assert.equal(await background(), dark, "the switch counts more than the system");
}, { colorScheme: "dark" });

onPage("help lists the keys, and closes", "deadlock", async (page) => {
  await page.keyboard.press("?");
  assert.match(await text(page, "#help"), /Home \/ End/);
  await page.keyboard.press("j"); /* not while the list is open */
  const at = await position(page);
  await page.keyboard.press("Escape");
  assert.equal(await page.locator("#help").isVisible(), false);
  assert.equal(await position(page), at);
});

onPage("names, roles and focus", "deadlock", async (page) => {
  const nameless = await page.evaluate(() => [...document.querySelectorAll("button, select, input, [role]")]
    .filter((n) => n.checkVisibility() && !["option", "presentation"].includes(n.getAttribute("role")))
    .filter((n) => !(n.getAttribute("aria-label") || n.getAttribute("aria-labelledby") || n.textContent.trim() || n.labels?.length))
    .map((n) => n.outerHTML.slice(0, 80)));
  assert.deepEqual(nameless, []);
  await page.locator("#timeline").focus();
  await page.keyboard.press("Home");
  const active = await page.locator("#timeline").getAttribute("aria-activedescendant");
  assert.equal(await page.locator(`#${active}`).getAttribute("aria-selected"), "true");
  assert.match(await page.locator("#live").innerText(), /^main: create T1/);
  await page.keyboard.press("Tab");
  const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
  assert.notEqual(outline, "none");
});

onPage("prints everything as a table", "bank", async (page) => {
  const pdf = await page.pdf({ format: "A4" });
  assert.equal(pdf.subarray(0, 5).toString(), "%PDF-");
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  await page.emulateMedia({ media: "print" });
  const rows = (await data(page)).findings[0].rows;
  assert.equal(await page.locator("#paper tbody tr").count(), rows.n);
  assert.equal(await page.locator("#panes").isVisible(), false);
  assert.match(await text(page, "#paper"), /lock bob\.lock[\s\S]*heddle replay/);
});

/* ---- large ones ---- */

onPage("100 threads have a lane each", "crowd", async (page) => {
  assert.equal((await data(page)).findings[0].threads.length, 100);
  assert.match(await text(page, "#lanes-head"), /100 threads/);
  await page.keyboard.press("Home");
  for (let i = 0; i < 60; i++)
    await page.keyboard.press("n");
  const dots = await page.locator(".weave circle").count();
  assert.ok(dots > 20 && dots < 120, `${dots} dots`);
  assert.ok(await page.locator(".row").count() < 120, "only what is visible is in the document");
});

/* Processor time of the page's main thread, which no other program of the machine adds to. */
async function processorTime(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  return async () => 1000 * (await session.send("Performance.getMetrics")).metrics.find((m) => m.name === "TaskDuration").value;
}

onPage("50,000 events: open in 3 s, step in 50 ms", "endurance", async (page) => {
  const { n } = (await data(page)).findings[0].rows;
  assert.ok(n >= 50000, `${n} rows`);
  const spent = await processorTime(page), before = await spent();
  await page.reload();
  await page.locator("html[data-ready]").waitFor();
  const opened = await spent() - before, steps = await page.evaluate(makeSteps);
  const step = (await spent() - before - opened) / steps;
  console.log(`# ${n} rows, ${statSync(pageOf("endurance")).size} bytes: open in ${Math.round(opened)} ms; ` +
              `a step takes ${step.toFixed(1)} ms`);
  assert.ok(opened > 0 && opened < 3000, `opened in ${opened} ms`);
  assert.ok(step > 0 && step < 50, `a step takes ${step} ms`);
  assert.ok(await page.locator(".row").count() < 120, "only what is visible is in the document");
  await page.keyboard.press("/");
  await page.keyboard.type("nothing");
  await page.keyboard.press("Escape");
  await page.keyboard.press("End");
  assert.match(await nowText(page), /assertion$/);
});

/* In the page: steps all over the trace and both ways, each on the screen before the next; returns
 * how many. */
async function makeSteps() {
  const slider = document.getElementById("slider"), keys = ["j", "j", "j", "k", "k", "n", "n", "p", "j", "k"];
  const painted = () => new Promise((done) => requestAnimationFrame(() => { const c = new MessageChannel(); c.port1.onmessage = done; c.port2.postMessage(0); }));
  let steps = 0;
  for (const share of [0, 0.25, 0.5, 0.75, 1]) {
    slider.value = String(Math.round(share * slider.max));
    slider.dispatchEvent(new Event("input"));
    for (const key of keys) {
      await painted();
      document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
      steps++;
    }
  }
  await painted();
  return steps;
}

/* ---- hostile strings ---- */

onPage("names and texts of the program are text", "hostile", async (page) => {
  assert.match(await page.title(), /^assertion in /);
  assert.equal(await page.locator("img, iframe, b script").count(), 0);
  assert.equal(await page.locator("script").count(), 2, "the data and our own");
  assert.match(await text(page, "#cause"), /<img src=x onerror=\\"document\.title='taken'\\">/);
  assert.match(await text(page, "#lanes-head"), /<\/script><b>&/);
  assert.match(await page.locator("#file").innerText(), /<img src=x onerror=alert\(1\)>'&quot;\.c/);
  await page.locator("#tab-output").click();
  assert.match(await text(page, "#tab-body"), /<\/script><img src=x onerror="document\.title='taken'"><!-- \ufffd+ \u27e801\u27e9 &amp;/);
  await page.locator("#code").evaluate((code) => { code.scrollTop = 0; });
  await page.waitForFunction(() => document.getElementById("code").innerText.includes("</script><script>"));
  const code = await page.locator("#code").innerText();
  assert.match(code, /U\+2028: \u27e82028\u27e9/);
  assert.match(code, /turned around: \u27e8202e\u27e9txet\u27e8202c\u27e9/);
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  assert.equal(await page.locator("img").count(), 0);
  assert.match(await page.evaluate(() => document.querySelector("body > noscript").textContent), /&lt;img src=x/, "the text is escaped");
  const html = readFileSync(pageOf("hostile"), "utf8");
  assert.equal(html.match(/<\/script/g).length, 2, "no string of the program ends a script");
});

/* ---- pictures, for people ---- */

test("pictures", { skip: !process.env.SHOTS && "SHOTS=DIR makes them" }, async () => {
  mkdirSync(process.env.SHOTS, { recursive: true });
  for (const name of ["bank", "deadlock", "ring", "signal", "race", "uaf", "leak", "livelock", "misuse", "several", "clean", "spin",
                      "crowd", "endurance", "hostile"])
    for (const colorScheme of ["light", "dark"]) {
      const page = await openPage(name, { colorScheme });
      await page.screenshot({ path: join(process.env.SHOTS, `${name}-${colorScheme}.png`) });
      if (colorScheme === "light")
        await page.pdf({ path: join(process.env.SHOTS, `${name}.pdf`), format: "A4" });
      await page.close_checked();
    }
  if (process.env.UPDATE_README) {
    const page = await openPage("bank", { viewport: { width: 1280, height: 760 } });
    await page.keyboard.press("Home");
    for (let i = 0; i < 3; i++)
      await page.keyboard.press("n"); /* T1 is about to change what main has read */
    await page.screenshot({ path: join(process.env.HEDDLE_SOURCE, "docs/images/report.png") });
    await page.close_checked();
  }
});

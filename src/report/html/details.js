/* SPDX-License-Identifier: BSD-2-Clause
 *
 * details.js - facts about the selected moment and about the finding, beside the time line: the operation and its
 * locks, all threads, stacks, output, commands. */

/* A link to a row. */
function link(app, i, text) {
  return el("button", { type: "button", class: "link", onclick: () => app.goRow(i) }, text);
}

function placeText(trace, site) {
  const text = trace.siteText(site), fn = trace.placeOf(site).function;
  return text ? visible(text) + (fn && fn !== "?" ? ` in ${visible(fn)}` : "") : "an unknown place";
}

function lockNames(app, rows) {
  const trace = app.trace;
  if (rows.length === 0)
    return ["none"];
  return rows.flatMap((i, k) => [k > 0 ? ", " : "",
    link(app, i, prose(trace.objectName(trace.obj[i]) + (trace.flags[i] & SHARES ? " (shared)" : "")))]);
}

/* How many of a thread's rows happen before the moment with that clock, as text: "up to step 4". */
function orderedText(trace, tid, clock) {
  if (clock[tid] === 0)
    return "nothing of it";
  const i = trace.rowsOf[tid][clock[tid] - 1];
  return i === trace.rowsOf[tid].at(-1) ? "all of it" : `up to ${trace.stepText(i)}`;
}

/* Number of earlier rows of other threads that are not ordered before row i and not marked. */
function countUnordered(trace, i, clock) {
  let n = 0;
  for (let k = 0; k < i; k++)
    if (trace.nth[k] > clock[trace.tid[k]] && !(trace.flags[k] & (PENDING | KEY)))
      n++;
  return n;
}

function switchText(trace, i) {
  const before = i > 0 ? trace.shortName(trace.tid[i - 1]) : "";
  return { 1: `${before} was preempted`, 2: `${before} could not go on`, 3: `${before} yielded`,
           4: `${before} had finished` }[trace.why[i]] ?? "";
}

const fact = (name, ...value) => [el("dt", {}, name), el("dd", {}, ...value)];

/* The text about row i, in the panel and on the card. */
function rowFacts(app, i, brief) {
  const trace = app.trace, flags = trace.flags[i], clock = i === app.row ? app.clock : trace.clockOf(i), facts = [];
  const held = trace.locksAt(i)[trace.tid[i]] ?? [];
  if (flags & FAILURE && !(flags & ACCESS) && !brief)
    facts.push(...fact("what", prose(app.causeLines()[0] ?? trace.finding.message)));
  facts.push(...fact("place", placeText(trace, trace.site[i])));
  if (trace.valueOf(i).trim())
    facts.push(...fact("value", el("code", {}, visible(trace.valueOf(i).replace(/^ = /, "").trim()))));
  if (trace.why[i])
    facts.push(...fact("switch", visible(switchText(trace, i))));
  facts.push(...fact("holds", lockNames(app, held)));
  const before = trace.before(i);
  if (before.length > 0)
    facts.push(...fact("after", before.flatMap((k, n) => [n ? ", " : "", link(app, k,
      prose(`${trace.shortName(trace.tid[k])}'s ${trace.says(k)}`))])));
  const loose = brief || !app.moved ? 0 : countUnordered(trace, i, clock);
  if (loose > 0)
    facts.push(...fact("unordered", `${plural(loose, "earlier row")} of other threads, shown in grey: nothing orders them before this one`));
  return el("dl", {}, facts);
}

function rowTitle(trace, i) {
  const flags = trace.flags[i];
  return el("h3", {}, chip(trace, trace.tid[i], true), " ",
            prose(trace.says(i)),
            el("small", {}, flags & PENDING ? "" : " " + trace.stepText(i)));
}

/* The card at the pointer. */
class Card {
  constructor(app) {
    this.app = app;
    this.node = byId("card");
  }

  show(item, event) {
    if (item !== this.item) {
      this.item = item;
      const trace = this.app.trace;
      this.node.replaceChildren(...(item.label
        ? [el("h3", {}, chip(trace, trace.tid[item.row], true), ` ${item.label}`),
           el("p", {}, `${visible(trace.says(item.row))} \u2026 ${visible(trace.says(item.last))}`)]
        : [rowTitle(trace, item.row), rowFacts(this.app, item.row, true)]));
    }
    this.node.hidden = false;
    const box = this.node.getBoundingClientRect();
    const x = Math.min(event.clientX + 18, innerWidth - box.width - 8);
    const below = event.clientY + 22 + box.height < innerHeight;
    this.node.style.left = `${Math.max(8, x)}px`;
    this.node.style.top = `${Math.max(8, below ? event.clientY + 22 : event.clientY - box.height - 14)}px`;
  }

  hide() {
    this.node.hidden = true;
    this.item = null;
  }
}

/* ---- the tabs ---- */

function nowPanel(app) {
  const trace = app.trace, i = app.row;
  return [rowTitle(trace, i), rowFacts(app, i, false)];
}

function threadState(trace, tid, i) {
  const { last, next } = trace.present(tid, i);
  if (next >= 0 && last < 0)
    return trace.verbOf(next) === "start" ? "not yet begun" : "before " + trace.says(next);
  if (next >= 0)
    return (trace.flags[next] & PENDING ? "" : "before ") + trace.says(next);
  return { finished: "ended", failed: "failed", stopped: "stopped" }[trace.threads[tid].state] ?? "";
}

function threadsPanel(app) {
  const trace = app.trace, held = trace.locksAt(app.row);
  const rows = trace.threads.map((thread, tid) => {
    const { last, next } = trace.present(tid, app.row), i = next >= 0 ? next : last;
    return el("tr", { class: tid === trace.tid[app.row] ? "now" : "" },
      el("th", { scope: "row" }, chip(trace, tid, true)),
      el("td", {}, prose(threadState(trace, tid, app.row))),
      el("td", {}, i >= 0 ? link(app, i, visible(trace.siteText(trace.site[i]) || "?")) : ""),
      el("td", {}, (held[tid] ?? []).length ? lockNames(app, held[tid]) : ""),
      el("td", {}, tid === trace.tid[app.row] ? "" : orderedText(trace, tid, app.clock)));
  });
  return [el("table", {}, el("thead", {}, el("tr", {}, ["thread", "stands", "at", "holds", "happens before this row"].map((h) =>
            el("th", { scope: "col" }, h)))), el("tbody", {}, rows))];
}

function frameNode(app, [fn, where, file, line, inlined], n) {
  const data = app.data, text = visible(data.strings[where]);
  return el("li", {}, el("span", { class: "frame" }, `#${n}`), el("code", {}, visible(data.strings[fn])),
            inlined ? el("small", {}, " inlined") : null, " ",
            file >= 0 ? el("button", { type: "button", class: "link", onclick: () => app.source.open(file, line) }, text)
                      : el("span", { class: "dim" }, text));
}

function stackNode(app, stack) {
  return el("section", { class: "stack" }, el("h3", {}, visible(stack.title)),
            el("ol", {}, foldedFrames(app, stack)));
}

/* Frames of libraries are folded into one line that can be opened. */
function foldedFrames(app, stack) {
  const nodes = [], folds = new Map(stack.folds.map((fold) => [fold[0], fold]));
  for (let n = 0; n < stack.frames.length; n++) {
    const [, count, text] = folds.get(n) ?? [n, 0, 0];
    if (count === 0) {
      nodes.push(frameNode(app, stack.frames[n], n));
      continue;
    }
    const inside = stack.frames.slice(n, n + count).map((frame, k) => frameNode(app, frame, n + k));
    nodes.push(el("li", {}, el("details", { class: "folded-frames" },
                               el("summary", {}, `#${n}-${n + count - 1} \u22ef ${visible(app.data.strings[text])}`), el("ol", {}, inside))));
    n += count - 1;
  }
  return nodes;
}

function stacksPanel(app) {
  return app.finding.stacks.map((stack) => stackNode(app, stack));
}

function outputPanel(app) {
  const text = app.finding.output;
  return [text ? el("pre", {}, visible(text)) : el("p", { class: "dim" }, "The program has printed nothing.")];
}

function commandNode(label, command) {
  const button = el("button", { type: "button", class: "copy" }, "Copy");
  button.addEventListener("click", async () => {
    await navigator.clipboard?.writeText(command).catch(() => {});
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 1200);
  });
  return el("div", { class: "command" }, el("span", {}, label), el("code", {}, visible(command)), button);
}

function commandsOf(finding) {
  const file = finding.schedule;
  if (!file)
    return [];
  return [["run it again", `heddle replay ${quoted(file)}`], ["debug it", `heddle replay --gdb ${quoted(file)}`],
          ["go on past it", `heddle suppress ${quoted(file)} >>known`]];
}

function findingPanel(app) {
  const { run, finding } = app;
  return [
    el("h3", {}, "What went wrong"), el("pre", { class: "cause" }, visible(finding.cause)),
    el("h3", {}, "Commands"), ...commandsOf(finding).map(([label, command]) => commandNode(label, command)),
    ...uncontrolledNodes(finding.uncontrolled), ...warningNodes(run),
    el("h3", {}, "The search"), el("p", {}, visible(run.guarantee)),
    el("p", { class: "dim" }, `${effort(run)}, seed ${run.seed}; Heddle ${app.data.heddle}`)];
}

const effort = (run) => `${plural(run.executions, "execution")} in ${run.seconds} s, strategy ${run.strategy}`;

function uncontrolledNodes(list) {
  return list.length === 0 ? [] : [el("h3", {}, "Not controlled"), el("ul", {}, list.map((u) => el("li", {}, visible(u))))];
}

function warningNodes(run) {
  return run.warnings.length === 0 ? [] : [el("h3", {}, "Warnings"), ...run.warnings.map((w) =>
    el("div", { class: "warning" }, el("p", {}, visible(w.message)), w.details ? el("pre", {}, visible(w.details)) : null))];
}

class Details {
  constructor(app) {
    this.app = app;
    this.panels = [["now", "Now", nowPanel], ["waits", "Who waits", waitsPanel], ["messages", "Messages", messagesPanel],
                   ["history", "History", historyPanel], ["finding", "Finding", findingPanel],
                   ["threads", "Threads", threadsPanel], ["stacks", "Stacks", stacksPanel],
                   ["output", "Output", outputPanel]];
    byId("tabs").addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      event.stopPropagation();
      const here = this.shown(), at = here.findIndex(([id]) => id === this.open);
      this.select(here[(at + step + here.length) % here.length][0]);
      byId("tab-" + this.open).focus();
    });
  }

  shown() {
    const finding = this.app.finding;
    return this.panels.filter(([id]) => (id !== "waits" || finding.waits.length > 0) &&
                                        (id !== "messages" || finding.messages.length > 0) &&
                                        (id !== "history" || finding.kind === "not-linearizable"));
  }

  show() {
    const finding = this.app.finding;
    this.select(finding.waits.length > 0 ? "waits" : finding.messages.length > 0 ? "messages" : finding.kind === "not-linearizable" ? "history" : "now");
  }

  select(id) {
    this.open = id;
    byId("tabs").replaceChildren(...this.shown().map(([name, title]) =>
      el("button", { type: "button", role: "tab", id: "tab-" + name, "aria-selected": String(name === id),
                     "aria-controls": "tab-body", tabindex: name === id ? 0 : -1,
                     onclick: () => this.select(name) }, title)));
    byId("tab-body").setAttribute("aria-labelledby", "tab-" + id);
    this.render();
    byId("tab-body").scrollTop = 0;
  }

  render() {
    const [, , panel] = this.panels.find(([id]) => id === this.open);
    byId("tab-body").replaceChildren(...panel(this.app));
  }

  /* Called when the moment has changed. */
  update() {
    if (this.open === "now" || this.open === "threads")
      this.render();
  }
}

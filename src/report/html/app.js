/* SPDX-License-Identifier: BSD-2-Clause
 *
 * app.js - the state of the page (finding, rows shown, selected row), and its controls: keys, buttons, slider. */

const KEYS = [["\u2193 \u2192 j", "one step forward"], ["\u2191 \u2190 k", "one step back"], ["n / p", "next switch, switch before"],
              ["d / D", "next marked row, marked row before"], ["Home / End", "first, last"],
              ["PageDown / PageUp", "twenty steps"], ["Enter", "open a fold"], ["f", "fold, unfold all"],
              ["/", "filter"], ["o", "only the object of this row"], ["a", "all arrows, or those of this row"],
              ["Esc", "clear the filter"], ["t", "dark, light"], ["?", "this list"]];
const MARKS_MAX = 9;  /* number of marked rows that get a button at the top */
const ITEMS_MAX = 4;  /* lines at the top below the first sentence */

class App {
  constructor(data) {
    this.data = data;
    this.filter = new Filter();
    this.open = new Set();
    this.arrows = true;
    this.at = -1;
    this.card = new Card(this);
    this.lanes = new Lanes(this);
    this.source = new Source(this);
    this.details = new Details(this);
    this.listen();
    this.listFindings();
    this.choose(clamp(hashNumber("finding", 1), 1, Math.max(1, data.findings.length)) - 1);
    this.goHash();
  }

  get item() { return this.view[this.at]; }
  /* The row whose moment is shown: for a fold, its last row. */
  get row() { return this.at >= 0 ? this.item.last ?? this.item.row : -1; }

  /* The selected search.  If there are several (--each) and none has a finding: the first that is not clean. */
  get run() {
    const { runs } = this.data;
    return this.finding ? runs[this.finding.run] : runs.find((run) => run.verdict !== "clean") ?? runs[0];
  }

  /* ---- findings ---- */

  listFindings() {
    const findings = this.data.findings;
    byId("pick-label").hidden = findings.length < 2;
    byId("pick").replaceChildren(...findings.map((f, i) =>
      el("option", { value: i }, visible(`${i + 1}. ${this.data.runs[f.run].test} ${f.kind}: ${f.message}`.replace(/ +/g, " ").slice(0, 90)))));
  }

  choose(k) {
    const finding = this.finding = this.data.findings[k];
    byId("pick").value = String(k);
    this.trace = finding?.rows ? new Trace(this.data, finding) : null;
    this.headline();
    byId("panes").hidden = byId("bar").hidden = !this.trace;
    byId("empty").hidden = Boolean(this.trace);
    if (!this.trace) {
      this.showNothing();
      return;
    }
    this.filter = new Filter();
    this.open.clear();
    byId("filter").value = "";
    this.listObjects();
    this.listThreads();
    this.source.show(this.trace);
    this.fitPage();
    this.chooseLevel();
    this.refresh(this.trace.end);
    this.moved = false; /* unordered rows look different only after the reader has moved */
    this.details.show();
    this.lanes.list.render();
  }

  /* Folds as much as needed to show all marked rows and the end on one screen, if that is possible. */
  chooseLevel() {
    const { trace } = this, rows = this.filter.rows(trace), first = trace.keys[0] ?? trace.end;
    this.lanes.assign(trace, this.filter);
    this.lanes.measure();
    const fits = Math.floor(byId("timeline").clientHeight / this.lanes.height);
    for (this.level = 0; this.level < LEVELS.length - 1; this.level++) {
      this.view = foldRows(trace, rows, this.open, this.level);
      if (this.view.length - this.itemOf(first) <= fits)
        break;
    }
  }

  /* The sentences about the cause: one, or one with lines below it. */
  causeLines() {
    const lines = (this.finding?.cause ?? "").split("\n").filter((line) => line !== ""), end = lines.findIndex((line, i) => i > 0 && !line.startsWith(" "));
    return end > 0 ? lines.slice(0, end) : lines;
  }

  headline() {
    const { data, run, finding } = this;
    document.title = finding ? `${finding.kind} in ${visible(data.program)} - Heddle` : `${visible(data.program)} - Heddle`;
    byId("headline").replaceChildren(el("span", { class: "badge " + (finding ? "bad" : run.verdict) },
                                        finding ? finding.kind : run.verdict), " ", el("code", {}, visible(data.program)),
                                     run.test ? ` ${visible(run.test)}` : "");
    this.showCause();
    this.showWhy();
    const facts = !finding ? [] : [finding.execution ? `execution ${number(finding.execution)}` : "replayed",
      plural(finding.preemptions, "preemption"), this.trace && plural(this.trace.threads.length, "thread"),
      this.trace && plural(this.trace.steps, "step"), finding.status && `race: ${finding.status}`];
    byId("facts").textContent = visible(facts.filter(Boolean).join(" \u00b7 "));
  }

  showCause() {
    const { run, finding } = this, [first, ...items] = this.causeLines(), more = items.length - ITEMS_MAX;
    byId("cause").replaceChildren(el("p", {}, prose(first ?? (finding ? finding.message : run.guarantee))),
      ...items.slice(0, ITEMS_MAX).map((line) => el("p", { class: "item" }, prose(line.trim()))),
      more > 0 ? el("p", { class: "item" }, `and ${number(more)} more`) : "");
  }

  /* The sentence that says why the execution fails, and the marked rows. */
  showWhy() {
    const sentence = this.finding?.why?.sentence ?? "", rows = this.trace?.keys ?? [], more = rows.length - MARKS_MAX;
    const repair = this.finding?.why?.suggestion ?? "";
    byId("repair").hidden = !repair;
    byId("repair").replaceChildren(...(repair ? prose(`Suggestion: ${repair}`) : []));
    byId("why").hidden = !sentence;
    byId("why").replaceChildren(...prose(sentence));
    byId("marks").hidden = rows.length === 0;
    byId("marks").replaceChildren(
      ...rows.slice(0, MARKS_MAX).map((i, k) => el("button", { type: "button", class: "jump", title: `Go to marked row ${k + 1} (d: to the next one)`,
        "aria-label": `Go to marked row ${k + 1}: ${visible(this.trace.says(i))}`, onclick: () => this.goRow(i) },
        el("b", {}, k + 1), " ", prose(`${this.trace.shortName(this.trace.tid[i])} ${this.trace.says(i)}`))),
      more > 0 ? el("span", { class: "dim" }, `and ${number(more)} more (d)`) : "");
  }

  /* On a phone the time line begins in the upper third of the screen; text that does not fit above it is behind a
   * button.  Elsewhere the time line is as wide as its texts. */
  fitPage() {
    const small = innerWidth < SMALL, parts = [...byId("cause").children].slice(1).concat(...["why", "repair", "marks", "facts"].map(byId));
    const top = () => byId("timeline").getBoundingClientRect().top + scrollY;
    parts.forEach((part) => part.classList.remove("later"));
    byId("more").hidden = true;
    if (small && this.trace) {
      for (let k = parts.length - 1; k >= 0 && top() > innerHeight / 3; k--) {
        byId("more").hidden = false;
        parts[k].classList.add("later");
      }
      byId("panes").style.setProperty("--above", `${Math.ceil(top())}px`);
    } else if (this.trace && !byId("panes").dataset.moved) {
      this.lanes.assign(this.trace, this.filter);
      byId("panes").style.setProperty("--left", `${clamp(100 * Math.max(SMALL + 12, this.lanes.widthWanted()) / innerWidth, 42, 58)}%`);
    }
  }

  showNothing() {
    byId("why").hidden = byId("repair").hidden = byId("marks").hidden = byId("more").hidden = true;
    byId("empty").replaceChildren(el("div", { class: "quiet" }, ...(this.finding
      ? [el("p", {}, "There are too many findings to show each in full; this one is described by its message."),
         ...commandsOf(this.finding).map(([label, command]) => commandNode(label, command))]
      : this.data.runs.flatMap((run) => [el("p", {}, visible(run.test ? `${run.test}: ${run.verdict}; ` : ""), effort(run)),
                                         ...uncontrolledNodes(run.uncontrolled), ...warningNodes(run)]))));
  }

  /* ---- filters ---- */

  listObjects() {
    const { trace } = this, uses = new Map();
    for (let i = 0; i < trace.n; i++)
      for (const obj of new Set([trace.obj[i], trace.obj2[i]]))
        if (obj) uses.set(obj, (uses.get(obj) ?? 0) + 1);
    const most = [...uses].sort((a, b) => b[1] - a[1]).slice(0, 500);
    byId("object").replaceChildren(el("option", { value: 0 }, "All objects"), ...most.map(([obj, n]) =>
      el("option", { value: obj }, visible(`${trace.objectName(obj)} (${trace.objectType(obj)}, ${n})`))));
  }

  listThreads() {
    const box = (tid) => el("label", { class: "check" },
      el("input", { type: "checkbox", checked: true, "data-tid": tid,
                    onchange: (event) => this.hideThread(tid, !event.target.checked) }), chip(this.trace, tid, true));
    const all = (hide) => () => {
      this.trace.threads.forEach((_, tid) => hide ? this.filter.hidden.add(tid) : this.filter.hidden.delete(tid));
      byId("threads-list").querySelectorAll("input").forEach((input) => { input.checked = !hide; });
      this.refresh();
    };
    byId("threads-list").replaceChildren(
      el("div", { class: "group" }, el("button", { type: "button", onclick: all(false) }, "All"),
         el("button", { type: "button", onclick: all(true) }, "None")),
      ...this.trace.threads.map((_, tid) => box(tid)));
  }

  hideThread(tid, hide) {
    if (hide) this.filter.hidden.add(tid);
    else this.filter.hidden.delete(tid);
    this.refresh();
  }

  /* The set of visible rows has changed: stay at the row, or at the last visible one before it. */
  refresh(row = this.row) {
    const rows = this.filter.rows(this.trace);
    this.view = byId("fold").checked ? foldRows(this.trace, rows, this.open, this.filter.active ? 0 : this.level) : plainRows(rows);
    this.at = -1;
    this.lanes.show(this.trace, this.filter);
    byId("slider").max = String(Math.max(0, this.view.length - 1));
    byId("filter").classList.toggle("vain", this.view.length === 0);
    byId("threads-menu").classList.toggle("on", this.filter.hidden.size > 0);
    if (this.view.length > 0)
      this.go(this.itemOf(row));
    else
      this.showPosition();
    this.lanes.list.render();
  }

  unfold(at) {
    this.open.add(this.view[at].row);
    this.refresh(this.view[at].row);
  }

  /* ---- moving ---- */

  /* The item that shows a row, or the last one before it. */
  itemOf(row) {
    let low = 0, high = this.view.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.view[middle].row <= row) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }

  /* The row of the step that the address names: #step=5, or #finding=2&step=5. */
  goHash() {
    const finding = this.data.findings[hashNumber("finding", 0) - 1], step = hashNumber("step", 0);
    if (finding && finding !== this.finding)
      this.choose(this.data.findings.indexOf(finding));
    const row = this.trace && step > 0 ? this.trace.step.indexOf(step) : -1;
    if (row >= 0)
      this.goRow(row);
  }

  /* Keeps the selected row in the address, so that the address can be copied.  Browsers reject frequent changes. */
  keepHash() {
    clearTimeout(this.hashTimer);
    this.hashTimer = setTimeout(() => {
      const step = this.trace?.step[this.row] ?? 0, k = this.data.findings.indexOf(this.finding);
      if (step > 0)
        history.replaceState(null, "", (k > 0 ? `#finding=${k + 1}&` : "#") + `step=${step}`);
    }, 250);
  }

  goRow(row) {
    const at = this.itemOf(row);
    if (this.view[at].label && this.view[at].row <= row)
      this.unfold(at);
    this.go(this.itemOf(row));
  }

  go(at) {
    if (this.view.length === 0)
      return;
    this.at = clamp(at, 0, this.view.length - 1);
    this.clock = this.trace.clockOf(this.row);
    this.card.hide();
    this.moved = true;
    this.lanes.list.reveal(this.at, 4);
    this.lanes.drawStrong();
    this.source.update(this.row);
    this.details.update();
    this.showPosition();
    if (this.ready) this.keepHash();
  }

  showPosition() {
    const slider = byId("slider"), { trace } = this;
    slider.value = String(Math.max(0, this.at));
    byId("timeline").setAttribute("aria-activedescendant", this.at >= 0 ? `row-${this.at}` : "");
    if (this.at < 0) {
      byId("position").textContent = "nothing to show";
      return;
    }
    const said = `${trace.shortName(trace.tid[this.row])}: ${trace.says(this.row)}`;
    byId("position").textContent = `${trace.stepText(this.row)} of ${number(trace.steps)}`;
    slider.setAttribute("aria-valuetext", `row ${number(this.at + 1)} of ${number(this.view.length)}, ${visible(said)}`);
    byId("live").textContent = visible(said);
  }

  /* Moves to the next item in that direction for which the test is true. */
  seek(step, test) {
    for (let at = this.at + step; at >= 0 && at < this.view.length; at += step)
      if (test(this.view[at].row)) {
        this.go(at);
        return;
      }
  }

  /* ---- input ---- */

  listen() {
    const click = (id, action) => byId(id).addEventListener("click", action);
    const isSwitch = (i) => this.trace.why[i] !== 0;
    const isMarked = (i) => (this.trace.flags[i] & KEY) !== 0;
    this.actions = {
      forward: () => this.go(this.at + 1), back: () => this.go(this.at - 1),
      pageDown: () => this.go(this.at + 20), pageUp: () => this.go(this.at - 20),
      first: () => this.go(0), last: () => this.go(this.view.length - 1),
      nextSwitch: () => this.seek(1, isSwitch), previousSwitch: () => this.seek(-1, isSwitch),
      nextMark: () => this.seek(1, isMarked), previousMark: () => this.seek(-1, isMarked),
      enter: () => { if (this.item?.label) this.unfold(this.at); },
      fold: () => { byId("fold").checked = !byId("fold").checked; this.open.clear(); this.refresh(); },
      arrows: () => this.setArrows(!this.arrows),
      find: () => byId("filter").focus(), object: () => this.onlyObject(),
      clear: () => this.clearFilter(), theme: () => toggleTheme(), help: () => showHelp(),
    };
    for (const [id, name] of [["first", "first"], ["prev-switch", "previousSwitch"], ["prev", "back"], ["next", "forward"],
                              ["next-switch", "nextSwitch"], ["last", "last"], ["theme", "theme"], ["help-open", "help"]])
      click(id, this.actions[name]);
    this.listenToFields();
    document.addEventListener("keydown", (event) => this.key(event));
    addEventListener("beforeprint", () => fillPaper(this));
    listenToSplit(() => this.lanes.resized());
    click("more", () => byId("more").textContent = document.querySelector(".top").classList.toggle("open") ? "Less" : "More");
    addEventListener("resize", () => this.fitPage());
    click("filters-open", () => byId("filters-open").setAttribute("aria-expanded", byId("bar").classList.toggle("open")));
    addEventListener("hashchange", () => this.goHash());
  }

  listenToFields() {
    byId("slider").addEventListener("input", (event) => this.go(Number(event.target.value)));
    byId("pick").addEventListener("change", (event) => this.choose(Number(event.target.value)));
    byId("fold").addEventListener("change", () => { this.open.clear(); this.refresh(); });
    byId("arrows").addEventListener("change", (event) => this.setArrows(event.target.checked));
    byId("object").addEventListener("change", (event) => { this.filter.object = Number(event.target.value); this.refresh(); });
    byId("filter").addEventListener("input", (event) => { this.filter.type(event.target.value); this.refresh(); });
    byId("filter").addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === "ArrowDown") byId("timeline").focus();
    });
  }

  setArrows(all) {
    byId("arrows").checked = this.arrows = all;
    this.lanes.list.redrawBackdrop();
  }

  onlyObject() {
    const obj = this.filter.object ? 0 : this.trace.obj2[this.row] || this.trace.obj[this.row];
    byId("object").value = String(obj);
    this.filter.object = obj;
    this.refresh();
  }

  clearFilter() {
    this.filter = new Filter();
    byId("filter").value = "";
    byId("object").value = "0";
    byId("threads-menu").open = false;
    byId("threads-list").querySelectorAll("input").forEach((input) => { input.checked = true; });
    this.refresh();
    byId("timeline").focus();
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || byId("help").open || !this.trace)
      return;
    if (isTakenBy(event.target, event.key))
      return;
    const name = { ArrowDown: "forward", ArrowRight: "forward", j: "forward", ArrowUp: "back", ArrowLeft: "back", k: "back",
                   PageDown: "pageDown", PageUp: "pageUp", Home: "first", End: "last", n: "nextSwitch", p: "previousSwitch",
                   d: "nextMark", D: "previousMark", Enter: "enter", f: "fold", a: "arrows", "/": "find", o: "object",
                   Escape: "clear", t: "theme", "?": "help" }[event.key];
    if (!name)
      return;
    event.preventDefault();
    this.actions[name]();
  }
}

function hashNumber(name, otherwise) {
  const found = new RegExp(`[#&]${name}=(\\d+)`).exec(location.hash);
  return found ? Number(found[1]) : otherwise;
}

/* True if the focused field uses that key itself. */
function isTakenBy(target, key) {
  if (key === "Escape")
    return false;
  if (target.closest?.("input[type=range]"))
    return /^(Arrow|Page|Home|End)/.test(key);
  return Boolean(target.closest?.("input:not([type=checkbox]), select")) ||
         (key === "Enter" && Boolean(target.closest?.("button, summary, input")));
}

/* ---- the rest of the page ---- */

const isDark = () => (document.documentElement.dataset.theme ??
  (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";

function setTheme(theme) {
  if (theme)
    document.documentElement.dataset.theme = theme;
  byId("theme").textContent = isDark() ? "Light" : "Dark";
}

function toggleTheme() {
  setTheme(isDark() ? "light" : "dark");
  try { localStorage.setItem("heddle-theme", document.documentElement.dataset.theme); } catch { /* storage is
                                                                                                 * disabled: the
                                                                                                 * choice is not
                                                                                                 * kept */ }
}

function recallTheme() {
  try { setTheme(localStorage.getItem("heddle-theme")); } catch { setTheme(null); }
}

function showHelp() {
  const help = byId("help"), close = el("button", { type: "button", onclick: () => help.close() }, "Close");
  help.replaceChildren(el("h2", {}, "Keys"), el("dl", { class: "keys" }, KEYS.flatMap(([keys, what]) =>
    [el("dt", {}, keys), el("dd", {}, what)])),
    el("p", {}, "Time runs downwards. A line from lane to lane is a switch, orange where a thread was preempted that could have gone on. " +
                "An arrow says that one operation happens before another, by synchronisation; rows in grey are not ordered " +
                "before the one you stand on, and the tab Threads tells up to where each thread is."), close);
  help.showModal();
  close.focus();
}

function listenToSplit(changed) {
  const split = byId("split"), panes = byId("panes");
  const set = (share) => { panes.dataset.moved = "true"; panes.style.setProperty("--left", `${clamp(share, 25, 80)}%`); changed(); };
  split.addEventListener("pointerdown", (event) => split.setPointerCapture(event.pointerId));
  split.addEventListener("pointermove", (event) => {
    if (split.hasPointerCapture(event.pointerId)) set((100 * event.clientX) / innerWidth);
  });
  split.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -3, ArrowRight: 3 }[event.key];
    if (!step) return;
    event.stopPropagation();
    event.preventDefault();
    set((100 * split.getBoundingClientRect().left) / innerWidth + step);
  });
}

recallTheme();
const app = new App(JSON.parse(byId("data").textContent));
app.ready = true; /* from now on the address follows the selected row */
document.documentElement.dataset.ready = "true";
performance.mark("ready");

/* SPDX-License-Identifier: BSD-2-Clause
 *
 * lanes.js - the time line: time runs downwards, each thread is a vertical line, and one line goes from each row
 * to the next.  With few threads each lane has room for its operations; with many, or on a phone, the lanes are
 * narrow and the operations are beside them.  On a phone a row has two lines: the operation, and below it thread,
 * step and place. */

const ROW = 24, ROW_SMALL = 37;
const STEP_WIDTH = 66, STEP_SMALL = 4;
const SMALL = 560;        /* narrower screens are phones */
const LETTER = 7.6;       /* maximum width of a letter */
const WIDE_MAX = 6;       /* with more threads, lanes are narrow */
const SITE_MIN = 90, SITE_MAX = 190; /* width of the column with places */
const LABEL_PITCH = 26;   /* lanes of at least this width show the thread's name */
const PITCH_SMALL = 16;   /* distance of lanes on a phone, where they show no name */
const TEXT_MIN = 150;     /* minimum width for operations beside the lanes on a phone */

/* A path to another lane between two rows, where there is no text. */
function crossing(x1, y1, x2, y2) {
  const side = Math.sign(x2 - x1), r = Math.min(6, Math.abs(x2 - x1) / 2), middle = (y1 + y2) / 2;
  return `M${x1} ${y1}V${middle - r}Q${x1} ${middle} ${x1 + side * r} ${middle}H${x2 - side * r}` +
         `Q${x2} ${middle} ${x2} ${middle + r}V${y2}`;
}

class Lanes {
  constructor(app) {
    this.app = app;
    this.scroll = byId("timeline");
    this.head = byId("lanes-head");
    this.list = new LongList(this.scroll, byId("sheet"), ROW, {
      make: (at) => this.row(at), paint: (node, at) => this.paint(node, at), backdrop: (from, to) => this.backdrop(from, to) });
    this.listen();
    new ResizeObserver(() => this.resized()).observe(this.scroll);
    this.scroll.addEventListener("scroll", () => { this.head.style.transform = `translateX(${-this.scroll.scrollLeft}px)`; });
  }

  listen() {
    const itemAt = (event) => {
      const row = event.target.closest?.(".row");
      return row ? Number(row.dataset.at) : -1;
    };
    this.scroll.addEventListener("click", (event) => {
      const at = itemAt(event);
      if (at >= 0) {
        if (this.app.view[at].label) this.app.unfold(at);
        else this.app.go(at);
      }
    });
    this.scroll.addEventListener("pointermove", (event) => this.hover(itemAt(event), event));
    this.scroll.addEventListener("pointerleave", () => this.hover(-1, null));
  }

  hover(at, event) {
    if (at !== this.hovered) {
      this.hovered = at;
      this.drawStrong();
    }
    if (at >= 0 && event.pointerType !== "touch") this.app.card.show(this.app.view[at], event);
    else this.app.card.hide();
  }

  /* ---- positions ---- */

  show(trace, filter) {
    this.assign(trace, filter);
    this.redraw();
  }

  assign(trace, filter) {
    this.trace = trace;
    this.lane = new Map(); /* lane of each thread that is shown */
    trace.rowsOf.forEach((rows, tid) => {
      if (rows.length > 0 && !filter.hidden.has(tid))
        this.lane.set(tid, this.lane.size);
    });
  }

  /* All positions have changed; the caller draws. */
  redraw() {
    this.measure();
    this.list.clear(this.app.view.length);
  }

  /* Draws at once: the observer is called after layout and before painting. */
  resized() {
    if (!this.lane || this.app.at < 0)
      return;
    if (this.scroll.clientWidth !== this.measured)
      this.redraw();
    this.list.render();
  }

  widthOfSites() {
    let longest = 0;
    for (const site of new Set(this.trace.site))
      longest = Math.max(longest, this.trace.siteText(site).length);
    return clamp(longest * 7 + 18, SITE_MIN, SITE_MAX);
  }

  /* The width at which no text must be truncated. */
  widthWanted() {
    const { trace } = this, most = [...this.lane].map(([tid, lane]) => lane * (this.lane.size <= WIDE_MAX ? 130 : 34) + LETTER *
      (trace.rowsOf[tid].slice(-400).reduce((n, i) => Math.max(n, trace.says(i).length), 0) + 4));
    return STEP_WIDTH + 30 + Math.max(0, ...most) + this.widthOfSites();
  }

  measure() {
    this.measured = this.scroll.clientWidth;
    const small = this.small = this.measured < SMALL, n = Math.max(1, this.lane.size);
    this.list.height = this.height = small ? ROW_SMALL : ROW;
    this.wide = this.lane.size <= WIDE_MAX && !small;
    this.stepWidth = small ? STEP_SMALL : STEP_WIDTH;
    this.siteWidth = small ? 0 : this.widthOfSites();
    this.scroll.style.setProperty("--site", `${this.siteWidth}px`);
    this.scroll.parentElement.classList.toggle("small", small);
    const room = this.measured - this.stepWidth;
    this.pitch = this.wide ? this.widePitch(room - this.siteWidth, n)
                           : clamp((room - 230 - this.siteWidth) / n, 3, small ? PITCH_SMALL : 34);
    this.textAt = this.stepWidth + (small ? 6 : 12) + n * this.pitch;
    const width = Math.floor(this.wide ? Math.max(this.stepWidth + n * this.pitch + this.siteWidth, this.measured)
                                       : this.textAt + (small ? TEXT_MIN : 210) + this.siteWidth);
    byId("sheet").style.minWidth = `${width}px`;
    this.width = Math.max(width, this.scroll.clientWidth);
    this.drawHead();
  }

  /* A text may extend over the lanes to its right, except in the last lane, which gets the width that its texts
   * need. */
  widePitch(room, n) {
    const last = [...this.lane.keys()].at(-1), trace = this.trace;
    let longest = 0;
    for (const i of trace.rowsOf[last]?.slice(-400) ?? [])
      longest = Math.max(longest, trace.says(i).length + (trace.flags[i] & KEY ? 3 : 0));
    const wanted = Math.min(longest * LETTER + 40, room - (n - 1) * 120);
    return n === 1 ? Math.max(110, room) : Math.max(110, (room - Math.max(wanted, room / n)) / (n - 1));
  }

  x(tid) {
    const lane = this.lane.get(tid);
    return lane === undefined ? -1 : this.stepWidth + lane * this.pitch + (this.wide ? 12 : this.pitch / 2);
  }

  drawHead() {
    const names = [];
    for (const tid of this.lane.keys())
      if (this.pitch >= LABEL_PITCH) {
        const name = el("span", { class: "lane-name", style: inkOf(tid), title: visible(this.trace.threadName(tid)) },
                        visible(this.wide ? this.trace.threadName(tid) : this.trace.shortName(tid)));
        name.style.left = `${this.x(tid) - (this.wide ? 6 : 0)}px`;
        name.classList.toggle("narrow", !this.wide);
        names.push(name);
      }
    if (names.length === 0)
      names.push(el("span", { class: "lane-name", style: `left: ${this.stepWidth}px` },
                    `${plural(this.lane.size, "thread")}, one lane each`));
    this.head.replaceChildren(el("span", { class: "lane-step" }, "step"), ...names);
    this.head.style.transform = `translateX(${-this.scroll.scrollLeft}px)`;
  }

  /* ---- rows ---- */

  row(at) {
    const item = this.app.view[at], trace = this.trace, i = item.row;
    const node = el("div", { class: "row", id: `row-${at}`, role: "option", "data-at": at, style: inkOf(trace.tid[i]),
                             "aria-posinset": at + 1, "aria-setsize": this.app.view.length });
    if (item.label)
      return this.foldedRow(node, item);
    for (const [bit, name] of [[KEY, "key"], [FAILURE, "failure"], [PENDING, "pending"], [ACCESS, "access"],
                               [LOCAL, "local"], [VARIABLE, "variable"]])
      if (trace.flags[i] & bit)
        node.classList.add(name);
    if (this.small) {
      node.append(this.cell(i), this.lineBelow(i));
      return node;
    }
    node.append(el("span", { class: "step" }, trace.step[i] ? number(trace.step[i]) : ""));
    node.append(this.cell(i), this.place(i));
    if (trace.why[i])
      this.tellSwitch(node, i);
    return node;
  }

  /* Shows how a row is related to the selected one. */
  paint(node, at) {
    const { app, trace } = this, item = app.view[at], i = item.row, now = at === app.at;
    const steady = item.label || trace.flags[i] & (PENDING | KEY);
    const state = now ? "now" : steady || app.at < 0 || !app.moved ? "" : i > app.row ? "future"
                : trace.nth[i] > app.clock[trace.tid[i]] ? "unordered" : "";
    if (node.dataset.state === state)
      return;
    node.dataset.state = state;
    node.setAttribute("aria-selected", String(now));
    for (const name of ["now", "future", "unordered"])
      node.classList.toggle(name, name === state);
  }

  cell(i) {
    const trace = this.trace;
    const cell = el("span", { class: "cell" }, this.mark(i),
                    this.wide || this.small ? null : chip(trace, trace.tid[i]),
                    el("span", { class: "verb" }, visible(trace.prefixOf(i) + trace.verbOf(i)) + (trace.nounOf(i) ? " " : "")),
                    el("b", {}, visible(trace.nounOf(i))),
                    el("span", { class: "value" }, visible(trace.valueOf(i))));
    cell.style.left = `${this.wide ? this.x(trace.tid[i]) + 14 : this.textAt}px`;
    cell.style.right = `${this.wide ? this.roomAfter(i) : this.siteWidth}px`;
    return cell;
  }

  /* On a phone: thread, step, place, and why the previous thread stopped. */
  lineBelow(i) {
    const { trace } = this, why = trace.why[i] && this.previous(i) >= 0
      ? `${trace.shortName(trace.tid[this.previous(i)])} ${WHY[trace.why[i]]}` : "";
    const line = el("span", { class: "below" }, chip(trace, trace.tid[i]), trace.step[i] ? el("span", { class: "step" }, `step ${number(trace.step[i])}`) : null,
                    this.place(i), why ? el("span", { class: "left why-" + WHY[trace.why[i]] }, why) : null);
    line.style.left = `${this.textAt}px`;
    line.style.maxWidth = `${this.width - this.textAt - 2}px`;
    return line;
  }

  /* A row shows one operation.  It may extend over the lanes to its right, up to a text that says why another
   * thread stopped. */
  roomAfter(i) {
    return this.showsWhy(i) && this.x(this.trace.tid[this.previous(i)]) > this.x(this.trace.tid[i])
      ? this.width - this.x(this.trace.tid[this.previous(i)]) - 6 : this.siteWidth;
  }

  /* The operation is more important than the reason why another thread stopped. */
  showsWhy(i) {
    const before = this.trace.why[i] ? this.previous(i) : -1, from = this.x(this.trace.tid[i]);
    const x = before >= 0 ? this.x(this.trace.tid[before]) : -1;
    return x >= 0 && (x < from || from + 14 + (this.trace.says(i).length + 3) * LETTER < x);
  }

  /* The end of a place is more informative than its start. */
  place(i) {
    const text = visible(this.trace.siteText(this.trace.site[i])), at = text.search(/[:+][^:+]*$/);
    return el("span", { class: "site", title: visible(this.trace.placeOf(this.trace.site[i]).function) },
              el("span", {}, at < 0 ? text : text.slice(0, at)), at < 0 ? "" : text.slice(at));
  }

  /* The number of a marked row, as on its button at the top. */
  mark(i) {
    return this.trace.flags[i] & KEY ? el("span", { class: "mark" }, String(this.trace.keys.indexOf(i) + 1)) : null;
  }

  tellSwitch(node, i) {
    const before = this.previous(i);
    if (!this.wide || !this.showsWhy(i))
      return;
    const why = el("span", { class: "why why-" + WHY[this.trace.why[i]], style: inkOf(this.trace.tid[before]) },
                   WHY[this.trace.why[i]]);
    why.style.left = `${this.x(this.trace.tid[before]) + 14}px`;
    node.append(why);
  }

  /* The last row of an event before row i, whose thread then stopped. */
  previous(i) {
    let k = i - 1;
    while (k >= 0 && this.trace.flags[k] & (ACCESS | FAILURE | PENDING) && !this.trace.step[k])
      k--;
    return k;
  }

  foldedRow(node, item) {
    node.classList.add("folded");
    const text = el("span", { class: "cell" }, el("span", { class: "fold-mark", "aria-hidden": "true" }, "\u22ef"),
                    ` ${item.label}`);
    const x = this.x(this.trace.tid[item.row]);
    text.style.left = `${this.wide && x >= 0 ? x + 14 : this.wide ? this.stepWidth : this.textAt}px`;
    node.title = "Enter or a click opens it";
    node.append(el("span", { class: "step" }), text);
    return node;
  }

  /* ---- lines ---- */

  y(at) { return at * this.height + this.height / 2; }

  sheetOfLines(from, to) {
    const width = this.width, height = (to - from) * this.height, top = from * this.height;
    const picture = svg("svg", { class: "weave", "aria-hidden": "true", width, height,
                                 viewBox: `0 ${top} ${width} ${height}` });
    picture.style.top = `${top}px`;
    return picture;
  }

  /* The backdrop changes only with the visible part of the list; the rest changes with every step. */
  backdrop(from, to) {
    if (!this.lane)
      return [];
    const woven = this.sheetOfLines(from, to);
    this.strong = this.sheetOfLines(from, to);
    if (from < to) {
      this.drawWarp(woven, from, to);
      this.drawWeft(woven, from, to);
      if (this.app.arrows)
        this.drawFaint(woven, from, to);
      if (this.trace.race.length === 2)
        this.drawRace(woven, from, to);
      this.drawStrong();
    }
    return [woven, this.strong];
  }

  /* Draws the line of each thread, from its first row to its last. */
  drawWarp(picture, from, to) {
    const top = this.app.view[from].row, bottom = this.app.view[to - 1];
    for (const tid of this.lane.keys()) {
      const rows = this.trace.rowsOf[tid];
      if (rows[0] > (bottom.last ?? bottom.row) || rows[rows.length - 1] < top)
        continue;
      const y1 = rows[0] < top ? from * this.height : this.y(this.app.itemOf(rows[0]));
      const last = this.app.itemOf(rows[rows.length - 1]);
      picture.append(svg("line", { class: "warp", x1: this.x(tid), x2: this.x(tid), y1, y2: Math.min(to * this.height, this.y(last)),
                                   style: inkOf(tid) }));
    }
  }

  /* Draws the line from each row to the next one: along a lane, or to another. */
  drawWeft(picture, from, to) {
    for (let at = Math.max(1, from); at <= to && at < this.app.view.length; at++) {
      const a = this.app.view[at - 1].row, b = this.app.view[at].row, tid = this.trace.tid[b];
      const x1 = this.x(this.trace.tid[a]), x2 = this.x(tid), y1 = this.y(at - 1), y2 = this.y(at);
      if (x1 < 0 || x2 < 0 || this.trace.flags[b] & PENDING)
        continue;
      picture.append(svg("path", { class: "weft" + (this.trace.why[b] === 1 ? " preempts" : x1 === x2 ? "" : " crosses"),
                                   d: x1 === x2 ? `M${x1} ${y1}V${y2}` : crossing(x1, y1, x2, y2), style: inkOf(tid) }));
    }
    for (let at = from; at < to; at++)
      this.drawDot(picture, at);
  }

  drawDot(picture, at) {
    const i = this.app.view[at].row, x = this.x(this.trace.tid[i]), flags = this.trace.flags[i];
    if (x < 0)
      return;
    const r = flags & KEY ? 6 : this.pitch < 8 ? 2.2 : 4;
    picture.append(svg("circle", { class: "dot" + (flags & KEY ? " key" : "") + (flags & PENDING ? " pending" : "") +
                                          (this.app.view[at].label ? " folded" : ""),
                                   cx: x, cy: this.y(at), r, style: inkOf(this.trace.tid[i]) }));
  }

  /* Happens-before arrows: faint for all rows, strong for the selected one. */
  drawFaint(picture, from, to) {
    for (let at = from; at < to; at++)
      if (!this.app.view[at].label)
        for (const k of this.trace.before(this.app.view[at].row))
          this.drawEdge(picture, k, this.app.view[at].row, "faint");
  }

  drawStrong() {
    if (!this.strong)
      return;
    this.strong.replaceChildren();
    for (const i of new Set([this.app.row, this.app.view[this.hovered]?.row ?? -1]))
      if (i >= 0) {
        for (const k of this.trace.before(i)) this.drawEdge(this.strong, k, i, "strong");
        for (const k of this.trace.after(i)) this.drawEdge(this.strong, i, k, "strong");
      }
    const x = this.app.at >= 0 ? this.x(this.trace.tid[this.app.item.row]) : -1;
    if (x >= 0)
      this.strong.append(svg("circle", { class: "dot here", cx: x, cy: this.y(this.app.at), r: 6,
                                         style: inkOf(this.trace.tid[this.app.item.row]) }));
  }

  drawEdge(picture, a, b, how) {
    const x1 = this.x(this.trace.tid[a]), x2 = this.x(this.trace.tid[b]);
    const y1 = this.y(this.app.itemOf(a)), y2 = this.y(this.app.itemOf(b));
    if (x1 < 0 || x2 < 0 || y1 === y2)
      return;
    /* from below one row to above the other, because there is text to the right of a lane */
    const side = Math.sign(x2 - x1), from = x1 + side * 3, to = x2 - side * 3, end = y2 - 7;
    const bend = clamp((y2 - y1) / 2, 8, 90);
    picture.append(svg("path", { class: `edge ${how}`,
                                 d: `M${from} ${y1 + 4}C${from} ${y1 + bend} ${to} ${end - bend} ${to} ${end}` }));
    picture.append(svg("path", { class: `edge-head ${how}`, d: `M${to} ${end + 4}l-3.5 -7h7z` }));
  }

  drawRace(picture, from, to) {
    const [a, b] = this.trace.race.map((i) => this.app.itemOf(i));
    const x1 = this.x(this.trace.tid[this.trace.race[0]]), x2 = this.x(this.trace.tid[this.trace.race[1]]);
    if (x1 < 0 || x2 < 0 || b < from || a > to)
      return;
    picture.append(svg("line", { class: "race", x1, y1: this.y(a), x2, y2: this.y(b) }));
  }
}

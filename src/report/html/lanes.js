/* SPDX-License-Identifier: BSD-2-Clause
 *
 * lanes.js - the time line: time runs downwards, each thread is a warp thread, and what
 * happens is woven between them.  With few threads each lane has room for its operations;
 * with many the lanes are narrow and the operations stand beside them. */

const ROW = 24;
const STEP_WIDTH = 66;
const WIDE_MAX = 6;       /* threads that get a wide lane */
const SITE_MIN = 90, SITE_MAX = 190; /* width of the column with places */
const LABEL_PITCH = 26;   /* lanes at least so wide have a name */

/* Over to another lane between two rows, where no text is. */
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
    this.list = new LongList(this.scroll, byId("sheet"), ROW, (from, to) => this.draw(from, to));
    this.listen();
    new ResizeObserver(() => { this.measure(); this.list.soon(); }).observe(this.scroll);
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
      this.list.soon();
    }
    if (at >= 0 && event.pointerType !== "touch") this.app.card.show(this.app.view[at], event);
    else this.app.card.hide();
  }

  /* ---- where things are ---- */

  show(trace, filter) {
    this.trace = trace;
    this.lane = new Map(); /* of each thread that is shown */
    trace.rowsOf.forEach((rows, tid) => {
      if (rows.length > 0 && !filter.hidden.has(tid))
        this.lane.set(tid, this.lane.size);
    });
    this.wide = this.lane.size <= WIDE_MAX;
    this.siteWidth = this.widthOfSites();
    this.measure();
    this.list.resize(this.app.view.length);
  }

  widthOfSites() {
    let longest = 0;
    for (const site of new Set(this.trace.site))
      longest = Math.max(longest, this.trace.siteText(site).length);
    const width = clamp(longest * 7 + 18, SITE_MIN, SITE_MAX);
    this.scroll.style.setProperty("--site", `${width}px`);
    return width;
  }

  measure() {
    if (!this.lane)
      return;
    const room = this.scroll.clientWidth - STEP_WIDTH, n = Math.max(1, this.lane.size);
    this.pitch = this.wide ? Math.max(110, (room - this.siteWidth) / n)
                           : clamp((room - 360) / n, 5, 34);
    this.textAt = STEP_WIDTH + 12 + n * this.pitch;
    const width = Math.floor(this.wide ? STEP_WIDTH + n * this.pitch + this.siteWidth : this.textAt + 340);
    byId("sheet").style.minWidth = `${width}px`;
    this.width = Math.max(width, this.scroll.clientWidth);
    this.drawHead();
  }

  x(tid) {
    const lane = this.lane.get(tid);
    return lane === undefined ? -1 : STEP_WIDTH + lane * this.pitch + (this.wide ? 12 : this.pitch / 2);
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
      names.push(el("span", { class: "lane-name", style: `left: ${STEP_WIDTH}px` },
                    `${plural(this.lane.size, "thread")}, one lane each`));
    this.head.replaceChildren(el("span", { class: "lane-step" }, "step"), ...names);
    this.head.style.transform = `translateX(${-this.scroll.scrollLeft}px)`;
  }

  /* ---- rows ---- */

  draw(from, to) {
    this.head.style.transform = `translateX(${-this.scroll.scrollLeft}px)`;
    const nodes = [this.weave(from, to)];
    this.clock = this.app.at >= 0 ? this.app.clock : null;
    for (let at = from; at < to; at++)
      nodes.push(this.list.place(this.row(at), at));
    return nodes;
  }

  row(at) {
    const item = this.app.view[at], trace = this.trace, i = item.row;
    const node = el("div", { class: "row", id: `row-${at}`, role: "option", "data-at": at, style: inkOf(trace.tid[i]),
                             "aria-selected": at === this.app.at ? "true" : "false",
                             "aria-posinset": at + 1, "aria-setsize": this.app.view.length });
    node.classList.toggle("now", at === this.app.at);
    if (item.label)
      return this.foldedRow(node, item);
    this.classify(node, i);
    node.append(el("span", { class: "step" }, trace.step[i] ? number(trace.step[i]) : ""));
    node.append(this.cell(i), this.place(i));
    if (trace.why[i])
      this.tellSwitch(node, i);
    return node;
  }

  classify(node, i) {
    const flags = this.trace.flags[i];
    for (const [bit, name] of [[KEY, "key"], [FAILURE, "failure"], [PENDING, "pending"], [ACCESS, "access"],
                               [LOCAL, "local"]])
      if (flags & bit)
        node.classList.add(name);
    if (flags & (PENDING | KEY))
      return;
    if (this.app.at >= 0 && i < this.app.row && this.clock && this.trace.nth[i] > this.clock[this.trace.tid[i]])
      node.classList.add("unordered");
    if (i > this.app.row)
      node.classList.add("future");
  }

  cell(i) {
    const trace = this.trace;
    const cell = el("span", { class: "cell" }, this.mark(i),
                    this.wide ? null : chip(trace, trace.tid[i]),
                    el("span", { class: "verb" }, visible(trace.verbOf(i)) + " "),
                    el("b", {}, visible(trace.nounOf(i))),
                    el("span", { class: "value" }, visible(trace.valueOf(i))));
    cell.style.left = `${this.wide ? this.x(trace.tid[i]) + 14 : this.textAt}px`;
    if (this.wide)
      cell.style.right = `${this.roomAfter(i)}px`;
    return cell;
  }

  /* A row has one operation: it may go on over the lanes to its right, up to a word that
   * tells why another thread was left. */
  roomAfter(i) {
    const before = this.trace.why[i] ? this.previous(i) : -1;
    const x = before >= 0 ? this.x(this.trace.tid[before]) : -1;
    return x > this.x(this.trace.tid[i]) ? this.width - x - 6 : this.siteWidth;
  }

  /* The end of a place says more than its start. */
  place(i) {
    const text = visible(this.trace.siteText(this.trace.site[i])), at = text.search(/[:+][^:+]*$/);
    return el("span", { class: "site", title: visible(this.trace.placeOf(this.trace.site[i]).function) },
              el("span", {}, at < 0 ? text : text.slice(0, at)), at < 0 ? "" : text.slice(at));
  }

  /* The number of a decisive event, as in the sentence on top. */
  mark(i) {
    const at = this.trace.decisive.indexOf(i);
    if (this.trace.flags[i] & PENDING)
      return el("span", { class: "mark" }, this.trace.finding.kind === "deadlock" ? "waits" : "next");
    return at >= 0 && this.trace.decisive.length <= 9 ? el("span", { class: "mark" }, String(at + 1)) : null;
  }

  tellSwitch(node, i) {
    const before = this.previous(i);
    if (before < 0 || !this.wide || this.x(this.trace.tid[before]) < 0)
      return;
    const why = el("span", { class: "why why-" + WHY[this.trace.why[i]], style: inkOf(this.trace.tid[before]) },
                   WHY[this.trace.why[i]]);
    why.style.left = `${this.x(this.trace.tid[before]) + 14}px`;
    node.append(why);
  }

  /* The row of an event before row i: the one whose thread was left. */
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
    text.style.left = `${this.wide && x >= 0 ? x + 14 : this.wide ? STEP_WIDTH : this.textAt}px`;
    node.title = "Enter or a click opens it";
    node.append(el("span", { class: "step" }), text);
    return node;
  }

  /* ---- lines ---- */

  y(at) { return at * ROW + ROW / 2; }

  weave(from, to) {
    const trace = this.trace, picture = svg("svg", { class: "weave", "aria-hidden": "true",
                                                     height: (to - from) * ROW });
    picture.style.top = `${from * ROW}px`;
    picture.setAttribute("viewBox", `0 ${from * ROW} ${this.scroll.scrollWidth} ${(to - from) * ROW}`);
    picture.setAttribute("width", this.scroll.scrollWidth);
    if (from >= to)
      return picture;
    this.drawWarp(picture, from, to);
    this.drawWeft(picture, from, to);
    this.drawEdges(picture, from, to);
    if (trace.race.length === 2)
      this.drawRace(picture, from, to);
    return picture;
  }

  /* Each thread from its first row to its last. */
  drawWarp(picture, from, to) {
    const top = this.app.view[from].row, bottom = this.app.view[to - 1];
    for (const tid of this.lane.keys()) {
      const rows = this.trace.rowsOf[tid];
      if (rows[0] > (bottom.last ?? bottom.row) || rows[rows.length - 1] < top)
        continue;
      const y1 = rows[0] < top ? from * ROW : this.y(this.app.itemOf(rows[0]));
      const last = this.app.itemOf(rows[rows.length - 1]);
      picture.append(svg("line", { class: "warp", x1: this.x(tid), x2: this.x(tid), y1, y2: Math.min(to * ROW, this.y(last)),
                                   style: inkOf(tid) }));
    }
  }

  /* From each row to the next one: along a lane, or over to another. */
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
    const r = flags & KEY ? 6 : at === this.app.at ? 5.5 : this.pitch < 8 ? 2.5 : 4;
    picture.append(svg("circle", { class: "dot" + (flags & KEY ? " key" : "") + (flags & PENDING ? " pending" : "") +
                                          (this.app.view[at].label ? " folded" : ""),
                                   cx: x, cy: this.y(at), r, style: inkOf(this.trace.tid[i]) }));
  }

  /* What happens before what: of the row that is looked at strongly, of the others faintly. */
  drawEdges(picture, from, to) {
    const strong = new Set([this.app.row, this.hovered >= 0 ? this.app.view[this.hovered]?.row : -1]);
    for (const i of strong)
      if (i >= 0) {
        for (const k of this.trace.before(i)) this.drawEdge(picture, k, i, "strong");
        for (const k of this.trace.after(i)) this.drawEdge(picture, i, k, "strong");
      }
    if (!this.app.arrows)
      return;
    for (let at = from; at < to; at++) {
      const i = this.app.view[at].row;
      if (!this.app.view[at].label && !strong.has(i))
        for (const k of this.trace.before(i))
          if (!strong.has(k)) this.drawEdge(picture, k, i, "faint");
    }
  }

  drawEdge(picture, a, b, how) {
    const x1 = this.x(this.trace.tid[a]), x2 = this.x(this.trace.tid[b]);
    const y1 = this.y(this.app.itemOf(a)), y2 = this.y(this.app.itemOf(b));
    if (x1 < 0 || x2 < 0 || y1 === y2)
      return;
    /* from below the one to above the other: on the right of a lane there is text */
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

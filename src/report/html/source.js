/* SPDX-License-Identifier: BSD-2-Clause
 *
 * source.js - shows the source code: the line of the selected step, the position of every thread, the marked
 * lines. */

const LINE = 20;
const GUTTER = 7; /* number of letters of thread names that fit beside a line */
const WORDS = new Set(("alignas auto bool break case catch char class const constexpr continue decltype default delete do " +
  "double else enum explicit extern false float for friend goto if inline int int16_t int32_t int64_t int8_t long " +
  "namespace new noexcept nullptr NULL operator private protected public register restrict return short signed size_t " +
  "sizeof static static_assert struct switch template this throw true try typedef typename uint16_t uint32_t uint64_t " +
  "uint8_t uintptr_t union unsigned using virtual void volatile while _Atomic _Bool _Noreturn _Thread_local thread_local " +
  "pthread_t pthread_mutex_t pthread_cond_t pthread_rwlock_t sem_t").split(" "));
const TOKEN = /(\/\/.*$|\/\*.*?\*\/|\/\*.*$)|("(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?)|(^\s*#\s*\w+)|(\b\d[\w.']*)|([A-Za-z_]\w*)/g;

/* "work()" for a C function; C++ names already contain their parameters. */
function calledName(name) {
  return name === "?" || name === "" ? "" : visible(name) + (name.endsWith(")") ? "" : "()");
}

/* Splits a line into pieces: [class, text].  inside: the line begins inside a comment. */
function tokens(line, inside) {
  const pieces = [];
  let at = 0;
  if (inside) {
    const end = line.indexOf("*/");
    at = end < 0 ? line.length : end + 2;
    pieces.push(["comment", line.slice(0, at)]);
  }
  TOKEN.lastIndex = at;
  for (let m; (m = TOKEN.exec(line));) {
    if (m.index > at)
      pieces.push(["", line.slice(at, m.index)]);
    at = m.index + m[0].length;
    const kind = m[1] ? "comment" : m[2] ? "string" : m[3] ? "directive" : m[4] ? "number"
               : WORDS.has(m[5]) ? "word" : line[at] === "(" ? "call" : "";
    pieces.push([kind, m[0]]);
  }
  pieces.push(["", line.slice(at)]);
  return pieces;
}

/* For each line: whether it begins inside a comment. */
function commentLines(lines) {
  let inside = false;
  return lines.map((line) => {
    const before = inside;
    for (const [kind, text] of tokens(line, inside))
      if (kind === "comment")
        inside = !text.endsWith("*/") && !text.startsWith("//") && (inside || text.startsWith("/*"));
    return before;
  });
}

/* The length of the common folder of these paths, up to a slash. */
function commonFolder(paths) {
  let n = 0;
  for (let at = 0; at >= 0 && paths.length > 0 && paths.every((p) => p.startsWith(paths[0].slice(0, at)));) {
    n = at;
    at = paths[0].indexOf("/", n) + 1 || -1;
  }
  return n;
}

class Source {
  constructor(app) {
    this.app = app;
    this.file = -1;
    this.cache = new Map();
    this.list = new LongList(byId("code"), byId("code-sheet"), LINE, {
      make: (index) => this.line(index + 1), paint: (node, index) => this.paint(node, index + 1) });
    byId("file").addEventListener("change", (event) => this.open(Number(event.target.value), 1));
    byId("code").addEventListener("click", (event) => {
      const line = event.target.closest?.(".line");
      if (line) this.jump(Number(line.dataset.line));
    });
  }

  show(trace) {
    this.trace = trace;
    this.file = -1;
    this.standing = new Map();
    this.marked = new Map(); /* "file:line" of marked rows */
    for (const i of trace.keys) {
      const { file, line } = trace.placeOf(trace.site[i]);
      this.marked.set(`${file}:${line}`, trace.flags[i] & (FAILURE | ACCESS) ? "bad" : "key");
    }
    const skip = commonFolder(trace.data.files.map((f) => f.path));
    const files = trace.data.files.map((f, i) => el("option", { value: i, title: visible(f.path) }, visible(f.path.slice(skip))));
    byId("file").replaceChildren(...(files.length ? files : [el("option", { value: -1 }, "no source code")]));
  }

  lines(file) {
    if (!this.cache.has(file)) {
      const text = this.trace.data.files[file]?.text;
      const lines = typeof text === "string" ? text.replace(/\r\n?/g, "\n").split("\n") : null;
      this.cache.set(file, lines && { lines, inside: commentLines(lines) });
    }
    return this.cache.get(file);
  }

  open(file, line) {
    if (file !== this.file) {
      this.file = file;
      const known = this.trace.data.files[file];
      byId("file").value = String(file);
      byId("file").title = visible(known?.path ?? "");
      byId("stale").hidden = !known?.newer;
      const n = this.lines(file)?.lines.length ?? 0;
      byId("code").style.setProperty("--digits", String(n).length);
      this.list.clear(n);
      if (!this.lines(file))
        byId("code-sheet").append(el("p", { class: "notice" }, known ? `${visible(known.path)} is not there, or too large to be shown here.`
                                                                     : "No source code is known for this place."));
    }
    this.revealMarked(line);
    this.list.reveal(line - 1, 1);
  }

  /* Reveals as many marked lines around this one as fit on the screen, the nearest first; if there are none, some
   * lines around it. */
  revealMarked(line) {
    const fits = Math.floor(byId("code").clientHeight / LINE) - 3, near = [...this.marked.keys()].filter((key) => key.startsWith(`${this.file}:`))
      .map((key) => Number(key.split(":")[1])).sort((a, b) => Math.abs(a - line) - Math.abs(b - line));
    let low = line, high = line;
    for (const n of near)
      if (Math.max(high, n) - Math.min(low, n) < fits) {
        low = Math.min(low, n);
        high = Math.max(high, n);
      }
    const around = Math.max(1, Math.min(6, Math.floor((fits - (high - low)) / 2)));
    this.list.reveal(Math.max(0, low - 1 - around), 0);
    this.list.reveal(Math.min(this.list.n - 1, high - 1 + around), 0);
  }

  /* Shows the moment after row i. */
  update(i) {
    const place = this.trace.placeOf(this.trace.site[i]);
    this.now = { ...place, tid: this.trace.tid[i] };
    this.standing = this.whereThreadsStand(i);
    byId("function").textContent = calledName(place.function ?? "?");
    if (place.file >= 0)
      this.open(place.file, place.line);
    else if (this.file < 0)
      this.openBefore(i);
    else
      this.list.render();
  }

  /* A failure may have no place, for example the end of main.  Then opens the source at the last marked row before
   * it, or at any other row. */
  openBefore(i) {
    for (const marked of [true, false])
      for (let k = i - 1; k >= 0; k--) {
        const place = this.trace.placeOf(this.trace.site[k]);
        if (place.file >= 0 && (!marked || this.trace.flags[k] & KEY))
          return this.open(place.file, place.line);
      }
    this.open(this.trace.data.files.length > 0 ? 0 : -2, 1); /* if there is no source, shows that */
  }

  /* Computes the position of each thread: it is before its next operation. */
  whereThreadsStand(i) {
    const standing = new Map();
    for (let tid = 0; tid < this.trace.threads.length; tid++) {
      if (tid === this.trace.tid[i])
        continue;
      const { last, next } = this.trace.present(tid, i);
      if (next < 0 || (last < 0 && this.trace.verbOf(next) === "start"))
        continue;
      const { file, line } = this.trace.placeOf(this.trace.site[next]);
      const key = `${file}:${line}`;
      standing.set(key, [...(standing.get(key) ?? []), tid]);
    }
    return standing;
  }

  line(n) {
    const known = this.lines(this.file), node = el("div", { class: "line", "data-line": n }), code = el("code");
    const mark = this.marked.get(`${this.file}:${n}`);
    if (mark) node.classList.add(mark);
    for (const [kind, text] of tokens(known.lines[n - 1], known.inside[n - 1]))
      if (text) code.append(kind ? el("span", { class: "t-" + kind }, visible(text)) : visible(text));
    node.append(el("span", { class: "here" }), el("span", { class: "n" }, n), code);
    return node;
  }

  /* Shows the threads at this line. */
  paint(node, n) {
    const key = `${this.file}:${n}`, now = this.now.file === this.file && this.now.line === n;
    const state = `${now ? this.now.tid : ""}:${this.standing.get(key) ?? ""}`;
    if (node.dataset.state === state)
      return;
    node.dataset.state = state;
    node.classList.toggle("now", now);
    node.setAttribute("style", `top: ${(n - 1) * LINE}px; ${now ? inkOf(this.now.tid) : ""}`);
    if (now) node.setAttribute("aria-current", "step");
    else node.removeAttribute("aria-current");
    node.firstChild.replaceChildren(...this.whoIsHere(key, now));
  }

  whoIsHere(key, now) {
    const threads = [...(now ? [this.now.tid] : []), ...(this.standing.get(key) ?? [])];
    const names = threads.map((tid) => this.trace.shortName(tid)), fit = names.slice(0, 2).join(" ").length <= GUTTER ? 2 : 1;
    const shown = threads.slice(0, threads.length === 2 ? fit : 1);
    return [...shown.map((tid) => chip(this.trace, tid)), shown.length < threads.length
      ? el("span", { class: "more", title: visible(names.join(", ")) }, `+${threads.length - shown.length}`) : ""];
  }

  /* Moves to the next row at that line; after the last one, to the first. */
  jump(line) {
    const here = this.app.view.map((item, at) => ({ at, ...this.trace.placeOf(this.trace.site[item.row]) }))
                     .filter((p) => p.file === this.file && p.line === line);
    if (here.length > 0)
      this.app.go((here.find((p) => p.at > this.app.at) ?? here[0]).at);
  }
}

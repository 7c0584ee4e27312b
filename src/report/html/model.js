/* SPDX-License-Identifier: BSD-2-Clause
 *
 * model.js - one finding: its rows as typed arrays, and functions that the views call.  To answer questions about
 * a moment (which locks are held, which rows happen before), they walk over the rows.  That takes less than a
 * millisecond for 50,000 rows, and needs no memory. */

/* As in src/report/html/html_rows.c. */
const LOCAL = 1, FAILED = 2, POLLS = 4, TAKES = 8, SHARES = 16, GIVES = 32, KEY = 64, FAILURE = 128,
      PENDING = 256, ACCESS = 512, VARIABLE = 1024;
const WHY = ["", "preempted", "blocked", "yielded", "finished"];

class Trace {
  constructor(data, finding) {
    this.data = data;
    this.finding = finding;
    this.threads = finding.threads;
    const rows = finding.rows;
    this.n = rows.n;
    for (const column of ["tid", "why"])
      this[column] = Uint16Array.from(rows[column]);
    for (const column of ["verb", "object", "value", "site", "step", "obj", "obj2", "flags"])
      this[column] = Uint32Array.from(rows[column]);
    this.edges = Uint32Array.from(finding.edges);
    this.indexThreads();
    this.indexEdges();
    this.keys = [];
    for (let i = 0; i < this.n; i++)
      if (this.flags[i] & KEY)
        this.keys.push(i);
    this.steps = this.step.reduce((most, step) => Math.max(most, step), finding.skipped);
    this.end = this.whereItEnds();
    this.race = this.keys.filter((i) => this.flags[i] & ACCESS);
  }

  /* The row that is selected first: the failure, or a pending operation, or a marked row. */
  whereItEnds() {
    const last = this.n - 1, failure = this.flags.findLastIndex((flags) => (flags & FAILURE) !== 0);
    return failure >= 0 ? failure : this.flags[last] & PENDING ? last : this.keys.at(-1) ?? last;
  }

  /* Computes the rows of each thread, and the index of each row among them. */
  indexThreads() {
    this.rowsOf = this.threads.map(() => []);
    this.nth = new Uint32Array(this.n);
    for (let i = 0; i < this.n; i++) {
      while (this.rowsOf.length <= this.tid[i]) {
        this.rowsOf.push([]);
        this.threads.push({ name: "T" + (this.rowsOf.length - 1), parent: -1, site: 0, state: "" });
      }
      this.nth[i] = this.rowsOf[this.tid[i]].push(i);
    }
  }

  /* Edges are ordered by their ends: in[i] .. in[i + 1] are those that end at row i. */
  indexEdges() {
    const edges = this.edges;
    this.into = new Uint32Array(this.n + 1);
    this.outOf = new Map();
    for (let e = 0; e < edges.length; e += 2) {
      this.into[edges[e + 1] + 1]++;
      const out = this.outOf.get(edges[e]);
      if (out) out.push(edges[e + 1]);
      else this.outOf.set(edges[e], [edges[e + 1]]);
    }
    for (let i = 0; i < this.n; i++)
      this.into[i + 1] += this.into[i];
  }

  before(i) {
    const rows = [];
    for (let e = this.into[i]; e < this.into[i + 1]; e++)
      rows.push(this.edges[2 * e]);
    return rows;
  }

  after(i) {
    return this.outOf.get(i) ?? [];
  }

  text(number) { return this.data.strings[number]; }
  verbOf(i) { return this.text(this.verb[i]); }
  nounOf(i) { return this.text(this.object[i]); }
  valueOf(i) { return this.text(this.value[i]); }
  objectName(obj) { return obj ? this.text(this.finding.objects[obj][0]) : ""; }
  objectType(obj) { return obj ? this.text(this.finding.objects[obj][1]) : ""; }
  threadName(tid) { return this.threads[tid]?.name ?? "?"; }
  shortName(tid) { return this.threadName(tid).split(" ")[0]; }

  siteText(site) { return this.text(this.data.sites[site][3]); }
  placeOf(site) {
    const [file, line, fn] = this.data.sites[site];
    return { file, line, function: this.text(fn) };
  }

  /* The text before an operation that the thread has not executed yet. */
  prefixOf(i) {
    return !(this.flags[i] & PENDING) ? "" : this.finding.kind === "deadlock" ? "waits: " : "next: ";
  }

  isNameless(i) { return /\+0x[0-9a-f]+(\+\d+)?$/.test(this.nounOf(i)); }

  /* True if a library does this for itself: at a place without source, or with an object that has no name.
   * Operations on threads are the program's. */
  isElsewhere(i) {
    return (this.data.sites[this.site[i]][0] < 0 || this.isNameless(i)) && !["create", "start", "join"].includes(this.verbOf(i));
  }

  says(i) {
    const object = this.nounOf(i);
    return this.prefixOf(i) + this.verbOf(i) + (object ? " " + object : "") + this.valueOf(i);
  }

  stepText(i) {
    const before = this.step[i] || this.stepBefore(i);
    return this.step[i] ? "step " + number(before) : before ? "after step " + number(before) : "before step 1";
  }

  stepBefore(i) {
    while (i >= 0 && !this.step[i])
      i--;
    return i >= 0 ? this.step[i] : this.finding.skipped;
  }

  /* ---- the state after row i ---- */

  /* For each thread, the rows that acquired the locks that it holds. */
  locksAt(i) {
    const held = this.threads.map(() => []);
    for (let k = 0; k <= i; k++) {
      const flags = this.flags[k];
      if (!(flags & (TAKES | SHARES | GIVES)))
        continue;
      const mine = held[this.tid[k]];
      if (flags & GIVES)
        this.release(mine, this.obj[k]);
      else
        mine.push(k);
    }
    return held;
  }

  release(mine, obj) {
    for (let k = mine.length - 1; k >= 0; k--)
      if (this.obj[mine[k]] === obj) {
        mine.splice(k, 1);
        return;
      }
  }

  /* The thread's last row up to i, and its next one; -1: none.  An operation that is pending at the end is always
   * the next one, because it never happens. */
  present(tid, i) {
    const rows = this.rowsOf[tid];
    let low = 0, high = rows.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (rows[middle] <= i && !(this.flags[rows[middle]] & PENDING)) low = middle + 1;
      else high = middle;
    }
    return { last: low > 0 ? rows[low - 1] : -1, next: low < rows.length ? rows[low] : -1 };
  }

  /* The vector clock of row i: for each thread, how many of its rows happen before row i, including row i itself.
   * Walks backwards, so that all successors of a row are known when the row is reached. */
  clockOf(i) {
    const clock = new Uint32Array(this.threads.length);
    clock[this.tid[i]] = this.nth[i];
    for (let k = i; k >= 0; k--)
      if (this.nth[k] <= clock[this.tid[k]])
        for (let e = this.into[k]; e < this.into[k + 1]; e++) {
          const from = this.edges[2 * e];
          if (clock[this.tid[from]] < this.nth[from])
            clock[this.tid[from]] = this.nth[from];
        }
    return clock;
  }
}

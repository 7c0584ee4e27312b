/* SPDX-License-Identifier: BSD-2-Clause
 *
 * fold.js - which rows are shown.  Filters take rows away; folding puts stretches that say
 * little into one line: rounds of a loop that polls, and the middle of what a thread does
 * without a switch.  Rows that are marked, and switches, are never folded. */

const LOOP_PERIOD = 8;   /* operations of a loop that is recognised, at most */
const LOOP_ROUNDS = 3;   /* from so many on it is folded */
const RUN_MAX = 10, RUN_HEAD = 3, RUN_TAIL = 3;

/* What the user wants to see. */
class Filter {
  constructor() {
    this.words = [];
    this.object = 0;
    this.hidden = new Set(); /* threads */
  }

  get active() { return this.words.length > 0 || this.object > 0 || this.hidden.size > 0; }

  type(text) { this.words = text.toLowerCase().split(/\s+/).filter((w) => w !== ""); }

  accepts(trace, i) {
    if (this.hidden.has(trace.tid[i]))
      return false;
    if (this.object && trace.obj[i] !== this.object && trace.obj2[i] !== this.object)
      return (trace.flags[i] & FAILURE) !== 0;
    if (this.words.length === 0)
      return true;
    const text = [trace.says(i), trace.objectName(trace.obj[i]), trace.objectName(trace.obj2[i]),
                  trace.siteText(trace.site[i]), trace.threadName(trace.tid[i])].join("\n").toLowerCase();
    return this.words.every((word) => text.includes(word));
  }

  rows(trace) {
    const rows = [];
    for (let i = 0; i < trace.n; i++)
      if (!this.active || this.accepts(trace, i))
        rows.push(i);
    return rows;
  }
}

function sameOperation(trace, a, b) {
  return trace.tid[a] === trace.tid[b] && trace.site[a] === trace.site[b] &&
         trace.verb[a] === trace.verb[b] && trace.value[a] === trace.value[b] &&
         trace.obj[a] === trace.obj[b];
}

const isPlain = (trace, i) => !(trace.flags[i] & (KEY | FAILURE | PENDING));
const onlyPolls = (trace, i) => isPlain(trace, i) && (trace.flags[i] & POLLS) !== 0;

/* The end of the rows from `at` on that repeat themselves with that period. */
function repeats(trace, rows, at, period) {
  let end = at;
  while (end + period < rows.length && onlyPolls(trace, rows[end]) && onlyPolls(trace, rows[end + period]) &&
         sameOperation(trace, rows[end], rows[end + period]))
    end++;
  return end + period;
}

/* The loop that begins at `at`: {period, end}, whole rounds only; null: none. */
function loopAt(trace, rows, at) {
  if (!onlyPolls(trace, rows[at]))
    return null;
  for (let period = 1; period <= LOOP_PERIOD; period++) {
    const rounds = Math.floor((repeats(trace, rows, at, period) - at) / period);
    if (rounds >= LOOP_ROUNDS)
      return { period, rounds, end: at + rounds * period };
  }
  return null;
}

/* All loops, by where they begin. */
function findLoops(trace, rows) {
  const loops = new Map();
  for (let at = 0; at < rows.length;) {
    const loop = loopAt(trace, rows, at);
    if (loop) loops.set(at, loop);
    at = loop ? loop.end : at + 1;
  }
  return loops;
}

/* The end of what one thread does from `at` on, without a mark or a loop. */
function runEnd(trace, rows, at, loops) {
  let end = at + 1;
  while (end < rows.length && trace.tid[rows[end]] === trace.tid[rows[at]] && !trace.why[rows[end]] &&
         isPlain(trace, rows[end]) && !loops.has(end))
    end++;
  return end;
}

/* What is shown, from top to bottom: {row} or {row, last, count, label}, where row .. last
 * are folded.  `open` has the first rows of folds that were opened. */
function foldRows(trace, rows, open) {
  const items = [], loops = findLoops(trace, rows);
  const show = (from, to) => { for (let k = from; k < to; k++) items.push({ row: rows[k] }); };
  const hide = (from, to, label) => {
    if (open.has(rows[from])) show(from, to);
    else items.push({ row: rows[from], last: rows[to - 1], count: to - from, label });
  };
  for (let at = 0; at < rows.length;) {
    const loop = loops.get(at);
    if (loop) {
      show(at, at + loop.period);
      hide(at + loop.period, loop.end, `${plural(loop.rounds - 1, "more round")} of the same`);
      at = loop.end;
      continue;
    }
    const end = runEnd(trace, rows, at, loops);
    if (isPlain(trace, rows[at]) && end - at > RUN_MAX) {
      show(at, at + RUN_HEAD);
      hide(at + RUN_HEAD, end - RUN_TAIL, `${number(end - at - RUN_HEAD - RUN_TAIL)} more without a switch`);
      show(end - RUN_TAIL, end);
      at = end;
    } else {
      show(at, at + 1);
      at++;
    }
  }
  return items;
}

function plainRows(rows) {
  return rows.map((row) => ({ row }));
}

/* SPDX-License-Identifier: BSD-2-Clause
 *
 * fold.js - decides which rows are shown.  Filters remove rows; folding replaces uninteresting stretches by one
 * line: rounds of a polling loop, rows before the first thread is created, rows in libraries, and the middle of a
 * long run of one thread.  Rows that are marked, and switches, are never folded. */

const LOOP_PERIOD = 8;   /* maximum number of operations in a round of a loop that is recognised */
const LOOP_ROUNDS = 3;   /* loops with at least this many rounds are folded */
const ELSEWHERE_MIN = 2; /* runs of at least this many operations in libraries are folded */
const BEGINNING_MIN = 3; /* at least this many operations before the first thread are folded */
/* For each level of folding: rows that stay at the beginning and at the end of a run of one thread.  The level is
 * raised if the marked rows would not fit on one screen. */
const LEVELS = [{ head: 3, tail: 3 }, { head: 1, tail: 1 }, { head: 0, tail: 0 }], FOLD_MIN = [5, 2, 2];

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

/* Returns the end of the rows, from `at` on, that repeat with that period. */
function repeats(trace, rows, at, period) {
  let end = at;
  while (end + period < rows.length && onlyPolls(trace, rows[end]) && onlyPolls(trace, rows[end + period]) &&
         sameOperation(trace, rows[end], rows[end + period]))
    end++;
  return end + period;
}

/* Returns the loop that begins at `at`: {period, end}, whole rounds only; null: none. */
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

/* Returns all loops, by their first row. */
function findLoops(trace, rows) {
  const loops = new Map();
  for (let at = 0; at < rows.length;) {
    const loop = loopAt(trace, rows, at);
    if (loop) loops.set(at, loop);
    at = loop ? loop.end : at + 1;
  }
  return loops;
}

/* Returns the stretches of operations whose place is not in the user's source: a map from first row to end. */
function findElsewhere(trace, rows) {
  const ends = new Map(), is = (at) => at < rows.length && isPlain(trace, rows[at]) && trace.isElsewhere(rows[at]);
  for (let at = 0; at < rows.length;) {
    let end = at + 1;
    while (is(at) && is(end) && trace.tid[rows[end]] === trace.tid[rows[at]] && !trace.why[rows[end]])
      end++;
    if (end - at >= ELSEWHERE_MIN || (is(at) && trace.isNameless(rows[at])))
      ends.set(at, end);
    at = end;
  }
  return ends;
}

/* Returns the end of the run of one thread from `at` on, without a mark, a loop or a stretch in a library. */
function runEnd(trace, rows, at, loops, elsewhere) {
  let end = at + 1;
  while (end < rows.length && trace.tid[rows[end]] === trace.tid[rows[at]] && !trace.why[rows[end]] &&
         isPlain(trace, rows[end]) && !loops.has(end) && !elsewhere.has(end))
    end++;
  return end;
}

/* Returns the number of rows before the first thread is created, if none of them matters.  Rows that a filter has
 * selected matter. */
function beginning(trace, rows) {
  if (rows.length < trace.n)
    return 0;
  const at = rows.findIndex((i) => !isPlain(trace, i) || trace.why[i] || trace.verbOf(i) === "create");
  return at >= BEGINNING_MIN || rows.slice(0, at).every((i) => trace.isElsewhere(i)) ? Math.max(0, at) : 0;
}

/* Returns the items to show, from top to bottom: {row} or {row, last, count, label}, where rows row .. last are
 * folded.  open: first rows of folds that were opened; level: how much is folded. */
function foldRows(trace, rows, open, level) {
  const items = [], loops = findLoops(trace, rows), elsewhere = findElsewhere(trace, rows), { head, tail } = LEVELS[level];
  const show = (from, to) => { for (let k = from; k < to; k++) items.push({ row: rows[k] }); };
  const hide = (from, to, label) => {
    if (open.has(rows[from])) show(from, to);
    else items.push({ row: rows[from], last: rows[to - 1], count: to - from, label });
  };
  const first = beginning(trace, rows);
  if (first > 0)
    hide(0, first, `${plural(first, "operation")} before the first thread`);
  for (let at = first; at < rows.length;) {
    const loop = loops.get(at), away = elsewhere.get(at);
    if (loop) {
      show(at, at + loop.period);
      hide(at + loop.period, loop.end, `${plural(loop.rounds - 1, "more round")} of the same`);
      at = loop.end;
      continue;
    }
    if (!isPlain(trace, rows[at])) {
      show(at, at + 1);
      at++;
      continue;
    }
    const end = away ?? runEnd(trace, rows, at, loops, elsewhere), skip = away ? 0 : Math.max(head, trace.why[rows[at]] ? 1 : 0);
    if (away || end - at - skip - tail >= FOLD_MIN[level]) {
      const last = away ? end : end - tail;
      show(at, at + skip);
      hide(at + skip, last, away ? `${number(last - at)} in libraries` : `${number(last - at - skip)} more without a switch`);
      show(last, end);
    } else {
      show(at, end);
    }
    at = end;
  }
  return level > 0 ? joined(trace, items) : items;
}

/* Joins consecutive folds of one thread. */
function joined(trace, items) {
  const all = [];
  for (const item of items) {
    const before = all.at(-1);
    if (item.label && before?.label && trace.tid[item.row] === trace.tid[before.row] && !trace.why[item.row])
      all[all.length - 1] = { row: before.row, last: item.last, count: before.count + item.count,
                              label: `${number(before.count + item.count)} more without a switch` };
    else
      all.push(item);
  }
  return all;
}

function plainRows(rows) {
  return rows.map((row) => ({ row }));
}

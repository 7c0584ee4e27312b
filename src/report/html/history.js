/* SPDX-License-Identifier: BSD-2-Clause
 *
 * history.js - the operations of a test of linearizability as bars, from call to return, one line for each client:
 * overlapping operations may take effect in either order. */

/* The operations of each thread; begin and end are rows of the trace. */
function operationsOf(trace) {
  const open = new Map(), all = [];
  for (let i = 0; i < trace.tid.length; i++) {
    const tid = trace.tid[i], verb = trace.verbOf(i);
    if (verb === "call") {
      open.set(tid, { tid, from: i, to: trace.tid.length - 1, call: trace.nounOf(i), result: "(not returned)" });
      all.push(open.get(tid));
    } else if (verb === "return" && open.has(tid)) {
      Object.assign(open.get(tid), { to: i, result: trace.nounOf(i) });
      open.delete(tid);
    }
  }
  return all;
}

function operationBar(app, op, first, span) {
  const text = `${op.call} → ${op.result}`;
  return el("button", { type: "button", class: "operation", title: visible(text), onclick: () => app.goRow(op.from),
                        style: `${inkOf(op.tid)}; left: ${100 * (op.from - first) / span}%; ` +
                               `width: ${100 * (op.to - op.from) / span}%` }, visible(text));
}

function historyPanel(app) {
  const all = operationsOf(app.trace), first = Math.min(...all.map((op) => op.from));
  const span = Math.max(1, ...all.map((op) => op.to - first));
  const clients = [...new Set(all.map((op) => op.tid))].sort((a, b) => a - b);
  return [
    el("h3", {}, "Operations, from call to return"),
    ...clients.map((tid) => el("div", { class: "history" }, chip(app.trace, tid, true),
      el("div", { class: "track" }, all.filter((op) => op.tid === tid).map((op) => operationBar(app, op, first, span))))),
    el("pre", { class: "cause" }, visible(app.finding.cause))];
}

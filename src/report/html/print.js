/* SPDX-License-Identifier: BSD-2-Clause
 *
 * print.js - the printed page: everything as text and one table, created when the browser is about to print. */

const PAPER_ROWS = 3000; /* maximum; a longer table keeps its first and last rows */

function paperRow(trace, item) {
  const i = item.row, tid = trace.tid[i];
  if (item.label)
    return el("tr", { class: "folded" }, el("td"), el("td", {}, visible(trace.shortName(tid))),
              el("td", { colspan: 3 }, `\u22ef ${item.label}`));
  return el("tr", { class: trace.flags[i] & KEY ? "key" : "" },
            el("td", { class: "num" }, trace.step[i] ? number(trace.step[i]) : ""),
            el("td", {}, visible(trace.shortName(tid))),
            el("td", {}, visible(trace.says(i))),
            el("td", {}, trace.why[i] ? WHY[trace.why[i]] : ""),
            el("td", {}, visible(trace.siteText(trace.site[i]))));
}

function paperTable(app) {
  const { trace } = app, chosen = app.filter.rows(trace), half = PAPER_ROWS / 2; /* paper has room for more than a screen */
  const view = byId("fold").checked ? foldRows(trace, chosen, app.open, 0) : plainRows(chosen);
  const cut = view.length > PAPER_ROWS;
  const rows = (cut ? [...view.slice(0, half), null, ...view.slice(-half)] : view).map((item) => item
    ? paperRow(trace, item)
    : el("tr", { class: "folded" }, el("td", { colspan: 5 }, `\u22ef ${number(view.length - PAPER_ROWS)} more rows, left out here`)));
  return el("table", {}, el("thead", {}, el("tr", {}, ["step", "thread", "operation", "switch", "where"].map((h) =>
            el("th", { scope: "col" }, h)))), el("tbody", {}, rows));
}

function paperSource(app) {
  const near = new Map(); /* file -> lines to be shown */
  for (const i of app.trace.keys.slice(0, 20)) {
    const { file, line } = app.trace.placeOf(app.trace.site[i]);
    if (file < 0) continue;
    const lines = near.get(file) ?? near.set(file, new Set()).get(file);
    for (let n = line - 3; n <= line + 3; n++) lines.add(n);
  }
  return [...near].flatMap(([file, lines]) => {
    const known = app.source.lines(file);
    if (!known) return [];
    const text = [...lines].filter((n) => n >= 1 && n <= known.lines.length).sort((a, b) => a - b)
      .map((n, k, all) => (k > 0 && all[k - 1] < n - 1 ? "    \u22ef\n" : "") + String(n).padStart(5) + "  " +
                          visible(known.lines[n - 1])).join("\n");
    return [el("h3", {}, visible(app.data.files[file].path)), el("pre", {}, text)];
  });
}

function fillPaper(app) {
  const paper = byId("paper");
  if (!app.trace) {
    paper.replaceChildren();
    return;
  }
  const finding = app.finding;
  paper.replaceChildren(
    el("pre", { class: "cause" }, visible(finding.cause)),
    ...(finding.waits.length ? [el("h2", {}, "Who waits for whom"), waitGraph(app.trace, finding.waits).picture] : []),
    el("h2", {}, "Interleaving"), paperTable(app),
    el("h2", {}, "Source"), ...paperSource(app),
    el("h2", {}, "Stacks"), ...stacksPanel(app),
    ...(finding.output ? [el("h2", {}, "Printed by the program"), el("pre", {}, visible(finding.output))] : []),
    el("h2", {}, "Commands"), ...commandsOf(finding).map(([label, command]) => el("p", {}, `${label}: `, el("code", {}, visible(command)))),
    el("p", {}, visible(app.run.guarantee)));
}

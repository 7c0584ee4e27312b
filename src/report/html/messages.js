/* SPDX-License-Identifier: BSD-2-Clause
 *
 * messages.js - a message sequence chart: a lane for each thread, an arrow for each message, a cross for each
 * failure.  Threads without a message have no lane.  If there are many threads, those with a decisive message get
 * lanes first, then those with the most messages.  The others share the last lane, and consecutive messages between
 * them are shown as one line. */

const MESSAGES_SHOWN = 60, MESSAGES_MOST = 3000; /* the last messages are shown; after a click, this many */
const CHART_LANES = 12;                          /* including the common lane */
const LANE_WIDTH = 104, ARROW_HEIGHT = 24, LANE_LETTERS = 13;
const OTHERS = -2; /* stands for the threads in the common lane */

/* The messages of the finding: {row, from, to, name, key}; to is -1 for a failure. */
function messagesOf(trace) {
  const flat = trace.finding.messages, list = [];
  for (let i = 0; i < flat.length; i += 3)
    list.push({ row: flat[i], from: trace.tid[flat[i]], to: flat[i + 1], name: trace.text(flat[i + 2]),
                key: Boolean(trace.flags[flat[i]] & KEY) });
  return list;
}

/* The threads that have a lane of their own, in the order of their numbers, then perhaps OTHERS. */
function lanesOf(list) {
  const weight = new Map();
  for (const m of list)
    for (const tid of m.to < 0 ? [m.from] : [m.from, m.to])
      weight.set(tid, (weight.get(tid) ?? 0) + (m.key ? 1e6 : 1));
  const all = [...weight.keys()];
  if (all.length <= CHART_LANES)
    return { lanes: all.sort((a, b) => a - b), folded: 0 };
  const own = all.sort((a, b) => weight.get(b) - weight.get(a) || a - b).slice(0, CHART_LANES - 1).sort((a, b) => a - b);
  return { lanes: [...own, OTHERS], folded: all.length - own.length };
}

/* Messages with the lanes at which they begin and end; those between others are counted. */
function arrowsOf(list, lanes) {
  const laneOf = (tid) => lanes.includes(tid) ? lanes.indexOf(tid) : lanes.length - 1, arrows = [];
  for (const m of list) {
    const from = laneOf(m.from), to = m.to < 0 ? from : laneOf(m.to), hidden = lanes[from] === OTHERS && lanes[to] === OTHERS && m.to >= 0;
    if (hidden && arrows.at(-1)?.count) arrows.at(-1).count++;
    else arrows.push({ ...m, from, to, fails: m.to < 0, count: hidden ? 1 : 0 });
  }
  return arrows;
}

const cut = (text) => text.length > LANE_LETTERS ? text.slice(0, LANE_LETTERS - 1) + "\u2026" : text;
const laneX = (i) => 52 + i * LANE_WIDTH;

function drawLane(trace, tid, i, folded, height) {
  const full = tid === OTHERS ? plural(folded, "other thread") : trace.threadName(tid), name = /\((.*)\)/.exec(full)?.[1] ?? full;
  return svg("g", { class: "lane", style: tid === OTHERS ? "" : inkOf(tid) },
             svg("line", { x1: laneX(i), x2: laneX(i), y1: 26, y2: height - 6 }),
             svg("text", { x: laneX(i), y: 16, "text-anchor": "middle" }, visible(cut(tid === OTHERS ? `${folded} others` : name))),
             svg("title", {}, visible(full)));
}

/* One line of the chart. */
function drawArrow(app, m, k, tip) {
  const y = 46 + k * ARROW_HEIGHT, x = laneX(m.from), to = laneX(m.to), right = to > x;
  const says = m.count ? `${plural(m.count, "message")} among the others` : m.fails ? "failure" : m.name;
  const parts = m.fails ? [svg("path", { class: "cross", d: `M${x - 6} ${y - 6}L${x + 6} ${y + 6}M${x - 6} ${y + 6}L${x + 6} ${y - 6}` })]
    : m.from === m.to ? [svg("circle", { class: "loop", cx: x, cy: y, r: 4 })]
    : [svg("path", { class: "arrow", "marker-end": tip, d: `M${x} ${y}H${to + (right ? -2 : 2)}` })];
  const beside = m.fails || m.from === m.to, last = m.count > 0;
  const label = svg("text", { x: beside ? x + (last ? -10 : 10) : (x + to) / 2, y: beside ? y + 4 : y - 4,
                              "text-anchor": beside ? (last ? "end" : "start") : "middle" }, visible(says));
  return svg("g", { class: "message" + (m.key ? " key" : "") + (m.fails ? " fails" : "") + (m.row === app.row ? " here" : "") },
             ...parts, label, svg("title", {}, visible(`${says}, ${app.trace.stepText(m.row)}`)));
}

function messageChart(app, list) {
  const { lanes, folded } = lanesOf(list), arrows = arrowsOf(list, lanes), tip = `tip-${++tips}`;
  const width = laneX(lanes.length - 1) + 60, height = 46 + arrows.length * ARROW_HEIGHT;
  const picture = svg("svg", { class: "messages", viewBox: `0 0 ${width} ${height}`, width, height, role: "img",
                               "aria-label": `${plural(list.length, "message")} between ${plural(lanes.length, "lane")}` },
                      svg("defs", {}, svg("marker", { id: tip, viewBox: "0 0 10 10", refX: 9, refY: 5, markerWidth: 8, markerHeight: 8,
                                                      markerUnits: "userSpaceOnUse", orient: "auto" },
                                          svg("path", { d: "M0 0L10 5L0 10z", class: "tip" }))));
  picture.append(...lanes.map((tid, i) => drawLane(app.trace, tid, i, folded, height)));
  arrows.forEach((m, k) => {
    const node = drawArrow(app, m, k, `url(#${tip})`);
    node.addEventListener("click", () => app.goRow(m.row));
    picture.append(node);
  });
  return picture;
}

function messagesPanel(app) {
  const all = messagesOf(app.trace), most = app.allMessages ? MESSAGES_MOST : MESSAGES_SHOWN, list = all.slice(-most);
  const earlier = all.length - list.length, keys = list.filter((m) => m.key).map((m) => m.name);
  const more = el("button", { type: "button", class: "link", onclick: () => {
    app.allMessages = true;
    app.details.select("messages");
  } }, `${plural(earlier, "earlier message")}`);
  return [keys.length > 0 ? el("p", {}, "Decisive, in this order: ", el("b", {}, visible(keys.join(", ")))) : "",
          earlier > 0 ? el("p", { class: "dim" }, more) : "", messageChart(app, list)];
}

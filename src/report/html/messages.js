/* SPDX-License-Identifier: BSD-2-Clause
 *
 * messages.js - a message sequence chart: a lane for each thread, an arrow for each message, a cross for each
 * failure and for each actor that one ends.  Threads without a message have no lane.  If there are many threads, those with a decisive message get
 * lanes first, then those with the most messages.  The others share the last lane, and consecutive messages between
 * them are shown as one line. */

const MESSAGES_SHOWN = 60, MESSAGES_MOST = 3000; /* the last messages are shown, and decisive ones; after a click, this many */
const CHART_LANES = 12;                          /* including the common lane */
const LANE_WIDTH = 104, ARROW_HEIGHT = 24, LANE_LETTERS = 13;
const OTHERS = -2; /* stands for the threads in the common lane */

/* The messages of the finding: {row, from, to, name, key}; to is -1 for a failure.  If it ends actors, `from` is one of them. */
function messagesOf(trace) {
  const flat = trace.finding.messages, list = [];
  for (let i = 0; i < flat.length; i += 3) {
    const to = flat[i + 1];
    list.push({ row: flat[i], from: to < -1 ? -2 - to : trace.tid[flat[i]], to: Math.max(to, -1),
                name: trace.text(flat[i + 2]) || "failure", key: Boolean(trace.flags[flat[i]] & KEY) });
  }
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

/* The last messages, at most this many, and all decisive ones.  `skipped`: how many before it are left out. */
function lastOf(all, most) {
  let skipped = 0;
  return all.flatMap((m, i) => {
    if (!m.key && i < all.length - most) {
      skipped++;
      return [];
    }
    const taken = { ...m, skipped };
    skipped = 0;
    return [taken];
  });
}

/* Messages with the lanes at which they begin and end; those between others are counted.  Actors that one failure ends share
 * a line, with a cross each. */
function arrowsOf(list, lanes) {
  const laneOf = (tid) => lanes.includes(tid) ? lanes.indexOf(tid) : lanes.length - 1, arrows = [];
  for (const m of list) {
    const from = laneOf(m.from), to = m.to < 0 ? from : laneOf(m.to), hidden = lanes[from] === OTHERS && lanes[to] === OTHERS && m.to >= 0;
    if (m.skipped > 0) arrows.push({ gap: m.skipped, from: 0, to: 0, crosses: [] });
    if (hidden && arrows.at(-1)?.count) arrows.at(-1).count++;
    else if (m.to < 0 && arrows.at(-1)?.fails && arrows.at(-1).row === m.row) arrows.at(-1).crosses.push(from);
    else arrows.push({ ...m, from, to, fails: m.to < 0, crosses: [from], count: hidden ? 1 : 0 });
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

function drawGap(m, k) {
  return svg("g", { class: "gap" }, svg("text", { x: laneX(0) + 10, y: 50 + k * ARROW_HEIGHT },
                                        visible(`\u22ee ${plural(m.gap, "message")} left out`)));
}

/* One line of the chart. */
function drawArrow(app, m, k, tip) {
  const y = 46 + k * ARROW_HEIGHT, x = laneX(m.fails ? Math.max(...m.crosses) : m.from), to = laneX(m.to), right = to > x;
  const says = m.count ? `${plural(m.count, "message")} among the others` : m.name;
  const cross = (at) => svg("path", { class: "cross", d: `M${at - 6} ${y - 6}L${at + 6} ${y + 6}M${at - 6} ${y + 6}L${at + 6} ${y - 6}` });
  const parts = m.fails ? [...new Set(m.crosses)].map((lane) => cross(laneX(lane)))
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
    const node = m.gap ? drawGap(m, k) : drawArrow(app, m, k, `url(#${tip})`);
    if (!m.gap) node.addEventListener("click", () => app.goRow(m.row));
    picture.append(node);
  });
  return picture;
}

function messagesPanel(app) {
  const all = messagesOf(app.trace), most = app.allMessages ? MESSAGES_MOST : MESSAGES_SHOWN, list = lastOf(all, most);
  const earlier = all.length - list.length, keys = all.filter((m, i) => m.key && m.row !== all[i - 1]?.row).map((m) => m.name);
  const more = el("button", { type: "button", class: "link", onclick: () => {
    app.allMessages = true;
    app.details.select("messages");
  } }, `${plural(earlier, "earlier message")}`);
  return [keys.length > 0 ? el("p", {}, "Decisive, in this order: ", el("b", {}, visible(keys.join(", ")))) : "",
          earlier > 0 ? el("p", { class: "dim" }, more) : "", messageChart(app, list)];
}

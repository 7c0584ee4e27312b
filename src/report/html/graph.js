/* SPDX-License-Identifier: BSD-2-Clause
 *
 * graph.js - which thread waits for which.  Threads of a cycle are drawn in a circle; threads that wait for
 * them, or for something that will not happen, are in columns to the left of what they wait for. */

const NODE = { w: 92, h: 34 };
const OTHERS_MAX = 14; /* threads outside of a circle that are drawn */

/* Threads in the order of the circle. */
function circleOf(waits) {
  const by = new Map(waits.filter((w) => w.cycle).map((w) => [w.tid, w]));
  const circle = [];
  for (let w = by.values().next().value; w && !circle.includes(w.tid); w = by.get(w.on))
    circle.push(w.tid);
  return circle;
}

/* Nodes by key: threads by number, events that will not happen by name. */
function graphNodes(waits) {
  const circle = circleOf(waits), nodes = new Map();
  circle.forEach((tid) => nodes.set(tid, { tid, depth: 0, circle: true }));
  const others = waits.filter((w) => !circle.includes(w.tid));
  const shown = others.slice(0, OTHERS_MAX);
  for (const w of shown)
    nodes.set(w.tid, { tid: w.tid, depth: 1 });
  for (const w of shown) {
    const key = w.on >= 0 ? w.on : "!" + w.what;
    if (!nodes.has(key))
      nodes.set(key, w.on >= 0 ? { tid: w.on, depth: 0 } : { label: w.what, depth: 0 });
  }
  deepen(shown, nodes);
  return { circle, nodes, left: others.length - shown.length };
}

/* Whoever waits for another one stands a column further to the left. */
function deepen(shown, nodes) {
  for (let round = 0; round < shown.length; round++)
    for (const w of shown) {
      const target = nodes.get(w.on >= 0 ? w.on : "!" + w.what);
      const me = nodes.get(w.tid);
      if (target !== me && me.depth <= target.depth && target.depth < shown.length)
        me.depth = target.depth + 1;
    }
}

const COLUMN = 215;

const LADDER_MIN = 7, RUNG = 60; /* a large circle is two columns: down the left one, up the right one */

/* Labels stand between the columns, each beside its arrow. */
const labelText = (w) => visible(w.what.length > 28 ? w.what.slice(0, 27) + "\u2026" : w.what);
const labelWidth = (w) => labelText(w).length * 6.6 + 14;

function placeLadder(circle, nodes, left, rail) {
  const down = Math.ceil(circle.length / 2);
  circle.forEach((tid, k) => Object.assign(nodes.get(tid), {
    ladder: true, x: left + (k < down ? 0 : rail), y: RUNG * ((k < down ? k : circle.length - 1 - k) + 0.5) }));
}

/* The circle is to the right of those who wait for it. */
function placeCircle(circle, nodes, left, height, radius, rail) {
  if (circle.length >= LADDER_MIN) {
    placeLadder(circle, nodes, left, rail);
    return;
  }
  const turn = circle.length === 2 ? 0 : Math.PI / 2;
  circle.forEach((tid, k) => {
    const angle = (2 * Math.PI * k) / circle.length - Math.PI + turn;
    Object.assign(nodes.get(tid), { x: left + radius * (1 + Math.cos(angle)), y: height / 2 + radius * 0.72 * Math.sin(angle) });
  });
}

function layOut(circle, nodes, waits) {
  const rail = 50 + 2 * Math.max(0, ...waits.filter((w) => w.cycle).map(labelWidth));
  const radius = circle.length < 2 ? 0 : Math.max(110, circle.length * 46), ladder = circle.length >= LADDER_MIN;
  const columns = [];
  for (const node of nodes.values())
    if (!node.circle)
      (columns[node.depth] ??= []).push(node);
  const rows = Math.max(1, ...Array.from(columns, (c) => c?.length ?? 0));
  const height = Math.max(rows * 58, ladder ? Math.ceil(circle.length / 2) * RUNG : circle.length > 2 ? radius * 1.44 + 70 : 110);
  const deepest = columns.length - 1;
  columns.forEach((column, depth) => column?.forEach((node, k) => {
    Object.assign(node, { x: (deepest - depth) * COLUMN, y: (height * (k + 0.5)) / column.length });
  }));
  placeCircle(circle, nodes, columns.length > 0 ? (deepest + (columns[0] ? 1 : 0)) * COLUMN : 0, height, radius, rail);
  return height;
}

function waitPath(a, b) {
  const dx = b.x - a.x, dy = b.y - a.y, length = Math.hypot(dx, dy) || 1;
  /* outwards in a circle; two edges between the same nodes bend to different sides */
  const bend = a.ladder && b.ladder ? 0 : -Math.min(46, length * 0.25);
  const cx = (a.x + b.x) / 2 - (dy / length) * bend, cy = (a.y + b.y) / 2 + (dx / length) * bend;
  return { from: border(a, cx, cy), to: border(b, cx, cy), cx, cy,
           label: { x: (a.x + b.x) / 4 + cx / 2, y: (a.y + b.y) / 4 + cy / 2 } };
}

/* Where the line from the middle of a node to a point leaves the node. */
function border(node, x, y) {
  const dx = x - node.x, dy = y - node.y, w = (node.width ?? NODE.w) / 2 + 4, h = NODE.h / 2 + 4;
  const scale = Math.min(Math.abs(w / (dx || 1e-9)), Math.abs(h / (dy || 1e-9)));
  return { x: node.x + dx * scale, y: node.y + dy * scale };
}

function drawWait(picture, w, a, b, tip) {
  const cycle = w.cycle ? " cycle" : "";
  if (a === b) {
    picture.append(svg("path", { class: "wait" + cycle, "marker-end": tip,
                                 d: `M${a.x - 20} ${a.y - 19}c-30 -52 70 -52 40 0` }),
                   waitLabel(w, a.x, a.y - 62));
    return;
  }
  const p = waitPath(a, b);
  picture.append(svg("path", { class: "wait" + cycle, "marker-end": tip,
                               d: `M${p.from.x} ${p.from.y}Q${p.cx} ${p.cy} ${p.to.x} ${p.to.y}` }));
  const aside = Math.abs(b.x - a.x) < 1 ? Math.sign(b.y - a.y) * (labelWidth(w) / 2 + 12) : 0;
  if (b.tid !== undefined)
    picture.append(waitLabel(w, p.label.x + aside, p.label.y));
}

function waitLabel(w, x, y) {
  const text = labelText(w), width = labelWidth(w);
  return svg("g", { class: "wait-label" },
             svg("rect", { x: x - width / 2, y: y - 11, width, height: 21, rx: 5 }),
             svg("text", { x, y: y + 4, "text-anchor": "middle" }, text),
             svg("title", {}, visible(w.what + w.reason)));
}

function drawNode(picture, trace, node) {
  const text = visible(node.tid !== undefined ? trace.threadName(node.tid) : node.label);
  const short = text.length > 30 ? text.slice(0, 29) + "\u2026" : text;
  node.width = Math.max(NODE.w, short.length * 7.2 + 22);
  picture.append(svg("g", { class: node.tid !== undefined ? "node thread" : "node resource",
                            style: node.tid !== undefined ? inkOf(node.tid) : "" },
                     svg("rect", { x: node.x - node.width / 2, y: node.y - NODE.h / 2, width: node.width, height: NODE.h,
                                   rx: node.tid !== undefined ? 17 : 4 }),
                     svg("text", { x: node.x, y: node.y + 5, "text-anchor": "middle" }, short),
                     svg("title", {}, text)));
}

function waitSentence(trace, w) {
  return `${trace.threadName(w.tid)} waits at ${trace.siteText(w.site) || "?"} for ${w.what}${w.reason}`;
}

let tips = 0; /* a picture on paper must not use the arrow head of one that is not shown */

function waitGraph(trace, waits) {
  const tip = `tip-${++tips}`;
  const { circle, nodes, left } = graphNodes(waits);
  const height = layOut(circle, nodes, waits);
  const xs = [...nodes.values()].map((n) => n.x), low = Math.min(...xs) - 85, high = Math.max(...xs) + 125;
  const picture = svg("svg", { class: "waits", viewBox: `${low} -20 ${high - low} ${height + 40}`, role: "img",
                               style: `max-width: ${Math.round((high - low) * 1.2)}px; max-height: ${Math.round(Math.max(270, height + 40))}px`,
                               "aria-label": waits.map((w) => waitSentence(trace, w)).join("; ") },
                      svg("defs", {}, svg("marker", { id: tip, viewBox: "0 0 10 10", refX: 9, refY: 5, markerWidth: 8,
                                                      markerHeight: 8, orient: "auto-start-reverse" },
                                          svg("path", { d: "M0 0L10 5L0 10z", class: "tip" }))));
  const front = svg("g");
  for (const node of nodes.values())
    drawNode(front, trace, node);
  for (const w of waits) {
    const a = nodes.get(w.tid), b = nodes.get(w.on >= 0 ? w.on : "!" + w.what);
    if (a && b) drawWait(picture, w, a, b, `url(#${tip})`);
  }
  picture.append(front);
  return { picture, left };
}

function waitsPanel(app) {
  const trace = app.trace, waits = app.finding.waits, { picture, left } = waitGraph(trace, waits);
  const said = waits.slice(0, 40).map((w) => el("li", {}, chip(trace, w.tid), " waits at ",
    link(app, trace.rowsOf[w.tid].at(-1), visible(trace.siteText(w.site) || "?")), " for ",
    el("b", {}, visible(w.what)), visible(w.reason)));
  return [picture, left > 0 ? el("p", { class: "dim" }, `and ${plural(left, "more thread")}, not drawn`) : "",
          el("ul", { class: "said" }, said)];
}

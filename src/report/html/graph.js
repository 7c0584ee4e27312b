/* SPDX-License-Identifier: BSD-2-Clause
 *
 * graph.js - draws the wait-for graph.  Each thread waits for another thread, or for something that no thread will
 * do.  So the graph consists of trees, and the roots of one may form a cycle.  The threads of the cycle are placed
 * one below the other, each with an arrow down to the next; the text beside the arrow names the lock.  A thread
 * that waits for one of them is in a column to its left, with an arrow to the right.  Texts never overlap. */

const OTHERS_MAX = 14;    /* maximum number of threads outside of a cycle that are drawn */
const NAME_LETTERS = 20, WHAT_LETTERS = 36, WHAT_LETTERS_SMALL = 24; /* maximum number of letters per line */
const LETTER_NAME = 7.9, LETTER_WHAT = 7.3, LINE_HEIGHT = 16; /* maximum widths of letters */
const DROP = 20;          /* length of an arrow down, without its text */

/* Splits a text into lines: at blanks, inside names, and anywhere if that is not enough. */
function linesOf(text, most) {
  const lines = [""];
  for (const part of visible(text).split(/(?<= |->|\.|::|_|\])/).flatMap((p) => p.match(new RegExp(`.{1,${most}}`, "gu")) ?? []))
    if (lines.at(-1).length + part.trimEnd().length <= most) lines[lines.length - 1] += part;
    else lines.push(part);
  return lines.map((line) => line.trim()).filter((line) => line !== "");
}

const widest = (lines) => Math.max(0, ...lines.map((line) => line.length));

/* Returns the threads of the cycle, in order; several cycles one after the other. */
function circleOf(waits) {
  const by = new Map(waits.map((w) => [w.tid, w])), circle = [];
  for (const first of waits) {
    const path = [];
    for (let w = first; w && !path.includes(w.tid); w = by.get(w.on))
      path.push(w.tid);
    if (by.get(path.at(-1)).on === first.tid && !circle.includes(first.tid))
      circle.push(...path);
  }
  return circle;
}

/* Creates nodes by key: threads by number, other things by name.  Each node lists the threads that wait for it. */
function graphNodes(trace, waits, letters) {
  const circle = circleOf(waits), nodes = new Map(), others = waits.filter((w) => !circle.includes(w.tid));
  const add = (key, text, tid) => {
    const lines = linesOf(text, NAME_LETTERS);
    if (!nodes.has(key))
      nodes.set(key, { key, tid, text, lines, waiters: [], w: Math.max(64, widest(lines) * LETTER_NAME + 28), h: lines.length * LINE_HEIGHT + 14 });
    return nodes.get(key);
  };
  const shown = [...waits.filter((w) => circle.includes(w.tid)), ...others.slice(0, OTHERS_MAX)];
  for (const w of shown)
    add(w.tid, trace.threadName(w.tid), w.tid);
  for (const w of shown) {
    const me = nodes.get(w.tid);
    me.wait = w;
    me.target = w.on >= 0 ? add(w.on, trace.threadName(w.on), w.on) : add("!" + w.what, w.what);
    me.what = w.on >= 0 ? linesOf(w.what, letters) : [];
    if (!circle.includes(w.tid))
      me.target.waiters.push(me);
  }
  return { circle: circle.map((tid) => nodes.get(tid)), nodes, left: others.length - Math.min(OTHERS_MAX, others.length) };
}

/* Computes the columns to the left of the roots: each is as wide as its names and the texts of its arrows need. */
function columnsOf(roots) {
  const columns = [];
  const walk = (node, depth) => {
    node.depth = depth;
    const column = columns[depth] ??= { name: 0, what: 0 };
    column.name = Math.max(column.name, node.w);
    if (depth > 0) column.what = Math.max(column.what, widest(node.what) * LETTER_WHAT + 44);
    node.waiters.forEach((waiter) => walk(waiter, depth + 1));
  };
  roots.forEach((root) => walk(root, 0));
  let x = 0;
  for (let depth = columns.length - 1; depth >= 0; depth--) {
    columns[depth].x = x + columns[depth].name / 2;
    x += columns[depth].name + columns[depth].what;
  }
  return columns;
}

/* Places a tree below y: leaves one below the other, each other node in the middle of the threads that wait for
 * it.  Returns its end. */
function placeTree(node, columns, y) {
  let end = y;
  for (const waiter of node.waiters)
    end = placeTree(waiter, columns, end);
  const own = Math.max(node.h, node.depth > 0 ? node.what.length * LINE_HEIGHT * 2 + 8 : 0) + 8;
  node.x = columns[node.depth].x;
  node.y = (y + Math.max(end, y + own)) / 2;
  return Math.max(end, y + own);
}

function layOut(circle, nodes) {
  const others = [...nodes.values()].filter((node) => !node.wait && !circle.includes(node)), roots = [...circle, ...others];
  const columns = columnsOf(roots);
  let y = 0;
  for (const root of roots) {
    y = placeTree(root, columns, y);
    if (circle.includes(root))
      y += DROP + root.what.length * LINE_HEIGHT;
  }
  const right = columns[0].x + Math.max(columns[0].name / 2, 14 + Math.max(0, ...circle.map((node) => widest(node.what))) * LETTER_WHAT) + 16;
  return { width: right + (circle.length > 0 ? 14 : 0), height: y + 6, rail: right };
}

function waitLabel(lines, x, y, anchor, w) {
  return svg("text", { class: "wait-label", "text-anchor": anchor },
             ...lines.map((line, k) => svg("tspan", { x, y: y + k * LINE_HEIGHT }, line)), svg("title", {}, visible(w.what + w.reason)));
}

/* Draws the arrow from a thread of the cycle to the next one below it, or from the last one back to the first. */
function drawDown(picture, a, b, rail, tip) {
  const from = a.y + a.h / 2, middle = from + (a.what.length * LINE_HEIGHT + DROP) / 2;
  const d = b.y > a.y ? `M${a.x} ${from}V${b.y - b.h / 2 - 3}`
    : `M${a.x} ${from}V${from + a.what.length * LINE_HEIGHT + DROP - 6}H${rail}V${b.y}H${b.x + b.w / 2 + 3}`;
  picture.append(svg("path", { class: "wait cycle", "marker-end": tip, d }),
                 waitLabel(a.what, a.x + 12, middle - (a.what.length - 1) * LINE_HEIGHT / 2 + (b.y > a.y ? 4 : 0), "start", a.wait));
}

/* Draws the arrow from a thread to the node right of it, with the text above the line. */
function drawRight(picture, a, b, tip) {
  const from = a.x + a.w / 2, to = b.x - b.w / 2 - 3, bend = to - 22;
  picture.append(svg("path", { class: "wait", "marker-end": tip, d: `M${from} ${a.y}H${bend}C${bend + 14} ${a.y} ${to - 14} ${b.y} ${to} ${b.y}` }),
                 waitLabel(a.what, from + 8, a.y - 5 - (a.what.length - 1) * LINE_HEIGHT, "start", a.wait));
}

function drawNode(node) {
  const top = node.y - (node.lines.length - 1) * LINE_HEIGHT / 2 + 5;
  return svg("g", { class: node.tid !== undefined ? "node thread" : "node resource", style: node.tid !== undefined ? inkOf(node.tid) : "" },
             svg("rect", { x: node.x - node.w / 2, y: node.y - node.h / 2, width: node.w, height: node.h,
                           rx: node.tid !== undefined ? 15 : 4 }),
             svg("text", { "text-anchor": "middle" }, ...node.lines.map((line, k) => svg("tspan", { x: node.x, y: top + k * LINE_HEIGHT }, line))),
             svg("title", {}, visible(node.text)));
}

function waitSentence(trace, w) {
  return `${trace.threadName(w.tid)} waits at ${trace.siteText(w.site) || "?"} for ${w.what}${w.reason}`;
}

let tips = 0; /* a printed picture must not refer to the arrow head of a hidden one */

function waitGraph(trace, waits) {
  const tip = `tip-${++tips}`, url = `url(#${tip})`;
  const { circle, nodes, left } = graphNodes(trace, waits, innerWidth < SMALL ? WHAT_LETTERS_SMALL : WHAT_LETTERS);
  const { width, height, rail } = layOut(circle, nodes);
  const picture = svg("svg", { class: "waits", viewBox: `-6 -4 ${width + 12} ${height + 8}`, role: "img",
                               width: Math.ceil(width + 12), height: Math.ceil(height + 8),
                               "aria-label": waits.map((w) => waitSentence(trace, w)).join("; ") },
                      svg("defs", {}, svg("marker", { id: tip, viewBox: "0 0 10 10", refX: 9, refY: 5, markerWidth: 8, markerUnits: "userSpaceOnUse",
                                                      markerHeight: 8, orient: "auto-start-reverse" },
                                          svg("path", { d: "M0 0L10 5L0 10z", class: "tip" }))));
  for (const node of nodes.values())
    if (circle.includes(node)) drawDown(picture, node, node.target, rail, url);
    else if (node.target) drawRight(picture, node, node.target, url);
  picture.append(...[...nodes.values()].map(drawNode));
  return { picture, left };
}

function waitsPanel(app) {
  const trace = app.trace, waits = app.finding.waits, { picture, left } = waitGraph(trace, waits);
  /* if all sentences are at the top of the page, they are not repeated here */
  const said = waits.length <= ITEMS_MAX ? [] : waits.slice(0, 40).map((w) => el("li", {}, chip(trace, w.tid), " waits at ",
    link(app, trace.rowsOf[w.tid].at(-1), visible(trace.siteText(w.site) || "?")), " for ",
    el("b", {}, prose(w.what)), prose(w.reason)));
  return [picture, left > 0 ? el("p", { class: "dim" }, `and ${plural(left, "more thread")}, not drawn`) : "",
          el("ul", { class: "said" }, said)];
}

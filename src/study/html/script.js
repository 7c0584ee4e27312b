/* SPDX-License-Identifier: BSD-2-Clause
 *
 * script.js - the theme, and the two plots in which strategies can be chosen.  The page is complete without it;
 * the script only moves points and changes numbers. */

const byId = (id) => document.getElementById(id);
const data = JSON.parse(byId("data").textContent);
const SVG = "http://www.w3.org/2000/svg";

/* ---- theme ---- */

const isDark = () => (document.documentElement.dataset.theme ??
  (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";

function setTheme(theme) {
  if (theme === "dark" || theme === "light")
    document.documentElement.dataset.theme = theme;
  byId("theme").textContent = isDark() ? "Light" : "Dark";
}

byId("theme").addEventListener("click", () => {
  setTheme(isDark() ? "light" : "dark");
  try { localStorage.setItem("heddle-theme", document.documentElement.dataset.theme); } catch { /* storage is
                                                                                                 * disabled: the
                                                                                                 * choice is not
                                                                                                 * kept */ }
});
try { setTheme(localStorage.getItem("heddle-theme")); } catch { setTheme(null); }

/* ---- choosing strategies ---- */

/* A list of all strategies; calls back when another one is chosen. */
function fill(select, chosen, changed) {
  data.strategies.forEach((name, i) => select.append(new Option(name, i, i === chosen, i === chosen)));
  select.addEventListener("change", changed);
}

const chosen = (id) => Number(byId(id).value);

/* ---- two strategies ---- */

/* first[program][strategy]: a number, "never", or null where there is no result */
function scatter() {
  const group = byId("scatter-points"), [a, b] = [chosen("pick-x"), chosen("pick-y")];
  const { left, bottom, size, decades, never } = Object.fromEntries(Object.entries(group.dataset).map(([k, v]) => [k, Number(v)]));
  const along = (first) => first === "never" ? size + never : size * Math.log10(Math.max(first, 1)) / decades;
  const seen = new Map(), points = [];
  data.programs.forEach((name, p) => {
    const [x, y] = [data.first[p][a], data.first[p][b]];
    if (x === null || y === null)
      return;
    const same = seen.get(`${x} ${y}`) ?? 0, radius = 3.4 * Math.sqrt(same);
    seen.set(`${x} ${y}`, same + 1);
    const point = document.createElementNS(SVG, "circle"), title = document.createElementNS(SVG, "title");
    point.setAttribute("class", "point");
    point.setAttribute("cx", (left + along(x) + radius * Math.cos(same * 2.4)).toFixed(1));
    point.setAttribute("cy", (bottom - along(y) + radius * Math.sin(same * 2.4)).toFixed(1));
    point.setAttribute("r", 4.5);
    title.textContent = `${name}: ${data.strategies[a]} ${x}, ${data.strategies[b]} ${y}`;
    point.append(title);
    points.push(point);
  });
  group.replaceChildren(...points);
  byId("scatter-x").textContent = data.strategies[a];
  byId("scatter-y").textContent = data.strategies[b];
}

/* ---- three strategies ---- */

function venn() {
  const three = [0, 1, 2].map((i) => chosen(`pick-${i}`)), count = new Array(8).fill(0);
  for (const found of data.found)
    if (three.some(strategy => found[strategy] !== null)) // otherwise it is unknown
      count[three.reduce((bits, strategy, i) => bits | (found[strategy] ? 1 << i : 0), 0)]++;
  count.forEach((n, bits) => { byId(`venn-${bits}`).textContent = n; });
  three.forEach((strategy, i) => {
    byId(`venn-name-${i}`).textContent = data.strategies[strategy];
    byId(`venn-circle-${i}`).style.setProperty("--hue", String((255 + 137.5 * strategy) % 360));
  });
}

if (byId("scatter-points")) {
  fill(byId("pick-x"), data.pair[0], scatter);
  fill(byId("pick-y"), data.pair[1], scatter);
  scatter();
}
if (byId("venn-0"))
  data.three.forEach((strategy, i) => fill(byId(`pick-${i}`), strategy, venn));
document.documentElement.dataset.ready = "";

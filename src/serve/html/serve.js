/* SPDX-License-Identifier: BSD-2-Clause
 *
 * serve.js - keeps a page of the dashboard up to date: it requests the page again and changes only the elements that
 * differ, so that focus, selection and scroll position stay.  Without scripts the page looks the same, and the
 * browser reloads it as a whole (pages_parts.c). */
"use strict";
(() => {
const byId = (id) => document.getElementById(id);

/* ---- dark and light: the same setting as in reports ---- */

const isDark = () => (document.documentElement.dataset.theme ??
  (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";

function setTheme(theme) {
  if (theme)
    document.documentElement.dataset.theme = theme;
  showTheme();
}

function showTheme() {
  const button = byId("theme");
  button.hidden = false;
  button.textContent = isDark() ? "Light" : "Dark";
}

function recallTheme() {
  try { setTheme(localStorage.getItem("heddle-theme")); } catch { setTheme(null); }
}

document.addEventListener("click", (event) => {
  if (event.target.id !== "theme")
    return;
  setTheme(isDark() ? "light" : "dark");
  try { localStorage.setItem("heddle-theme", document.documentElement.dataset.theme); } catch { /* storage is disabled */ }
});

/* ---- changing only the elements that differ ---- */

const isSame = (a, b) => a.nodeType === b.nodeType && a.nodeName === b.nodeName && a.id === b.id;

function takeAttributes(to, from) {
  for (const { name } of [...to.attributes])
    if (!from.hasAttribute(name) && name !== "open") to.removeAttribute(name); /* only the reader opens and closes a
                                                                                * details element */
  for (const { name, value } of from.attributes)
    if (to.getAttribute(name) !== value) to.setAttribute(name, value);
}

/* Makes `to` equal to `from`.  An element with an id is reused wherever it stands now. */
function take(to, from) {
  if (to.nodeType !== Node.ELEMENT_NODE) {
    if (to.nodeValue !== from.nodeValue) to.nodeValue = from.nodeValue;
    return;
  }
  takeAttributes(to, from);
  let at = to.firstChild;
  for (const child of [...from.childNodes]) {
    const named = child.id ? [...to.children].find((other) => other.id === child.id) : null;
    const old = named ?? (at && isSame(at, child) ? at : null);
    if (!old) {
      to.insertBefore(document.adoptNode(child), at);
      continue;
    }
    if (old !== at) to.insertBefore(old, at);
    take(old, child);
    at = old.nextSibling;
  }
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}

/* ---- requesting the page again ---- */

let every = Number(document.body.dataset.every) * 1000, timer = 0, good = new Date();

function complain(text) {
  byId("trouble").hidden = !text;
  if (byId("trouble").textContent !== text) byId("trouble").textContent = text;
  document.body.classList.toggle("stale", Boolean(text));
}

function show(page) {
  const live = page.getElementById("live");
  if (!live)
    return;
  take(byId("live"), live);
  document.title = page.title;
  every = Number(page.body.dataset.every) * 1000 || every;
  showTheme();
  good = new Date();
  complain("");
}

function answered(request) {
  const page = request.response, sentence = page?.querySelector("#error p")?.textContent;
  const wasError = byId("error") !== null;
  if (page && (request.status === 200 || wasError))
    show(page);
  else
    complain(`Not up to date since ${good.toLocaleTimeString()}: ${sentence ?? "the dashboard does not answer"}`);
}

/* XMLHttpRequest with responseType "document" parses the page but runs no scripts of it. */
function ask() {
  const request = new XMLHttpRequest();
  request.open("GET", location.pathname);
  request.responseType = "document";
  request.timeout = 20000;
  request.addEventListener("loadend", () => { answered(request); wait(); });
  request.send();
}

function wait() {
  clearTimeout(timer);
  if (every > 0 && !document.hidden)
    timer = setTimeout(ask, every);
}

document.addEventListener("visibilitychange", () => {
  clearTimeout(timer);
  if (!document.hidden && every > 0) ask();
});

recallTheme();
wait();
document.documentElement.dataset.ready = "true";
})();

/* SPDX-License-Identifier: BSD-2-Clause
 *
 * dom.js - creates elements.  Text of the program under test reaches the page only as text nodes and attribute
 * values, never as markup. */

const byId = (id) => document.getElementById(id);

function fill(node, children) {
  for (const child of children.flat())
    if (child !== null && child !== undefined && child !== false)
      node.append(child);
  return node;
}

/* el("p", {class: "note", onclick: f}, "text", other) */
function el(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {}))
    if (name.startsWith("on"))
      node.addEventListener(name.slice(2), value);
    else if (value !== false && value !== null && value !== undefined)
      node.setAttribute(name, value === true ? "" : value);
  return fill(node, children);
}

function svg(tag, attributes, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes || {}))
    node.setAttribute(name, value);
  return fill(node, children);
}

/* Characters that would hide the text around them or change its direction. */
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u202a-\u202e\u2028\u2029\u2060-\u2069\ufeff]/g;

function visible(text) {
  return text.replace(HIDDEN, (c) => "\u27e8" + c.codePointAt(0).toString(16).padStart(2, "0") + "\u27e9");
}

/* Text that may contain names of memory: lines may break after a part of a name, but never inside "->". */
function prose(text) {
  return visible(text).split(/(\S*->\S*)/).flatMap((piece, i) => i % 2 === 0 ? [piece]
    : piece.split(/(?<=->|\.|::)(?=\w)/).map((part) => el("span", { class: "whole" }, part)));
}

const number = (n) => n.toLocaleString("en-US");
const plural = (n, word) => `${number(n)} ${word}${n === 1 ? "" : "s"}`;
const clamp = (x, low, high) => Math.max(low, Math.min(high, x));

/* The first hues are far apart, later ones follow the golden angle; red is reserved for failures. */
const HUES = [255, 65, 155, 310, 205, 105, 285, 45];
const hueOf = (tid) => tid < HUES.length ? HUES[tid] : (80 + tid * 137.5) % 360;
const inkOf = (tid) => `--hue: ${hueOf(tid)}`;

/* The name of a thread, in its colour. */
function chip(trace, tid, long) {
  const name = trace.threads[tid]?.name ?? "?";
  return el("span", { class: "chip", style: inkOf(tid), title: visible(name) },
            visible(long ? name : name.split(" ")[0]));
}

/* Quotes only where a shell needs them. */
function quoted(word) {
  return /^[\w\-+=./:,@%^]+$/.test(word) ? word : "'" + word.replaceAll("'", "'\\''") + "'";
}

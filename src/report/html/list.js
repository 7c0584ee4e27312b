/* SPDX-License-Identifier: BSD-2-Clause
 *
 * list.js - a long list of which only the part around the visible rows is in the document.  All rows have the same
 * height, and after a move the first visible row is not cut.  Rows that stay in that part are kept and only
 * painted again, because a step changes little on the screen. */

const BLOCK = 16; /* the part begins and ends at multiples of this, so that it changes rarely */

class LongList {
  /* how: make(index) -> node; paint(node, index), for what changes with every step;
   * backdrop(from, to) -> nodes that lie behind these rows. */
  constructor(scroll, sheet, height, how) {
    this.scroll = scroll;
    this.sheet = sheet;
    this.height = height;
    this.how = how;
    this.waiting = false;
    this.clear(0);
    scroll.addEventListener("scroll", () => this.soon(), { passive: true });
    new ResizeObserver(() => { this.setHeight(); this.render(); }).observe(scroll);
  }

  /* Starts another list, of n rows. */
  clear(n) {
    this.n = n;
    this.nodes = new Map();
    this.from = this.to = -1;
    this.setHeight();
    this.sheet.replaceChildren();
  }

  /* Makes the sheet so high that the first visible row is not cut even at the end of the list. */
  setHeight() {
    const all = this.n * this.height, view = this.scroll.clientHeight;
    this.sheet.style.height = `${all > view ? all + view % this.height : all}px`;
  }

  soon() {
    if (this.waiting)
      return;
    this.waiting = true;
    requestAnimationFrame(() => { this.waiting = false; this.render(); });
  }

  render() {
    const first = this.scroll.scrollTop / this.height, last = first + this.scroll.clientHeight / this.height;
    const from = clamp((Math.floor(first / BLOCK) - 1) * BLOCK, 0, this.n);
    const to = clamp((Math.ceil(last / BLOCK) + 1) * BLOCK, from, this.n);
    if (from !== this.from || to !== this.to)
      this.move(from, to);
    for (const [index, node] of this.nodes)
      this.how.paint(node, index);
  }

  move(from, to) {
    this.from = from;
    this.to = to;
    for (const [index, node] of this.nodes)
      if (index < from || index >= to) {
        node.remove();
        this.nodes.delete(index);
      }
    const fresh = document.createDocumentFragment();
    for (let index = from; index < to; index++)
      if (!this.nodes.has(index)) {
        const node = this.how.make(index);
        node.style.top = `${index * this.height}px`;
        this.nodes.set(index, node);
        fresh.append(node);
      }
    this.sheet.append(fresh);
    this.redrawBackdrop();
  }

  redrawBackdrop() {
    for (const node of this.behind ?? [])
      node.remove();
    this.behind = this.how.backdrop?.(this.from, this.to) ?? [];
    this.sheet.prepend(...this.behind);
  }

  /* Makes a row visible, with some rows around it, and draws. */
  reveal(index, around) {
    const view = Math.max(1, Math.floor(this.scroll.clientHeight / this.height)), at = this.scroll.scrollTop / this.height;
    const room = Math.min(around, Math.floor((view - 1) / 2));
    if (index - room < at)
      this.scroll.scrollTop = (index - room) * this.height;
    else if (index + 1 + room > at + view)
      this.scroll.scrollTop = (Math.min(index + 1 + room, this.n) - view) * this.height;
    this.render();
  }
}

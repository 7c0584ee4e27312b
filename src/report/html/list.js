/* SPDX-License-Identifier: BSD-2-Clause
 *
 * list.js - a long list of which only the visible part is in the document.  All rows have
 * the same height. */

const MARGIN = 12; /* rows kept above and below what is visible */

class LongList {
  /* draw(first, end) returns the nodes of these rows; every one of them is placed here. */
  constructor(scroll, sheet, height, draw) {
    this.scroll = scroll;
    this.sheet = sheet;
    this.height = height;
    this.draw = draw;
    this.n = 0;
    this.waiting = false;
    scroll.addEventListener("scroll", () => this.soon(), { passive: true });
    new ResizeObserver(() => this.soon()).observe(scroll);
  }

  resize(n) {
    this.n = n;
    this.sheet.style.height = `${n * this.height}px`;
  }

  soon() {
    if (this.waiting)
      return;
    this.waiting = true;
    requestAnimationFrame(() => { this.waiting = false; this.render(); });
  }

  render() {
    const first = Math.floor(this.scroll.scrollTop / this.height);
    const rows = Math.ceil(this.scroll.clientHeight / this.height) + 1;
    const from = clamp(first - MARGIN, 0, this.n), to = clamp(first + rows + MARGIN, 0, this.n);
    this.sheet.replaceChildren(...this.draw(from, to));
  }

  place(node, index) {
    node.style.top = `${index * this.height}px`;
    return node;
  }

  /* Make a row visible, with some rows around it, and draw. */
  reveal(index, around) {
    const top = index * this.height, view = this.scroll.clientHeight;
    const room = Math.min(around * this.height, Math.max(0, view / 2 - this.height));
    if (top - room < this.scroll.scrollTop)
      this.scroll.scrollTop = top - room;
    else if (top + this.height + room > this.scroll.scrollTop + view)
      this.scroll.scrollTop = top + this.height + room - view;
    this.render();
  }
}

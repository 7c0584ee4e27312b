/* SPDX-License-Identifier: BSD-2-Clause
 *
 * embed.S - the template of the HTML report, embedded in the tool so that it is always available.  The scripts are
 * concatenated in the order of their dependences. */
        .section .rodata

        .global hd_html_page, hd_html_page_end
hd_html_page:
        .incbin "page.html"
hd_html_page_end:

        .global hd_html_style, hd_html_style_end
hd_html_style:
        .incbin "theme.css"
        .incbin "style.css"
hd_html_style_end:

        .global hd_html_script, hd_html_script_end
hd_html_script:
        .incbin "dom.js"
        .incbin "model.js"
        .incbin "fold.js"
        .incbin "list.js"
        .incbin "lanes.js"
        .incbin "source.js"
        .incbin "history.js"
        .incbin "details.js"
        .incbin "graph.js"
        .incbin "messages.js"
        .incbin "print.js"
        .incbin "app.js"
hd_html_script_end:

        .section .note.GNU-stack, "", %progbits

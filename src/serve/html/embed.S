/* SPDX-License-Identifier: BSD-2-Clause
 *
 * embed.S - style, script and icon of the dashboard, inside the tool. */
        .section .rodata

        .global hd_serve_style, hd_serve_style_end
hd_serve_style:
        .incbin "theme.css"
        .incbin "serve.css"
hd_serve_style_end:

        .global hd_serve_script, hd_serve_script_end
hd_serve_script:
        .incbin "serve.js"
hd_serve_script_end:

        .global hd_serve_icon, hd_serve_icon_end
hd_serve_icon:
        .incbin "icon.svg"
hd_serve_icon_end:

        .section .note.GNU-stack, "", %progbits

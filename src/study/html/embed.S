/* SPDX-License-Identifier: BSD-2-Clause
 *
 * embed.S - the template of a study's page, inside the tool. */
        .section .rodata

        .global hd_study_page, hd_study_page_end
hd_study_page:
        .incbin "page.html"
hd_study_page_end:

        .global hd_study_style, hd_study_style_end
hd_study_style:
        .incbin "theme.css"
        .incbin "style.css"
hd_study_style_end:

        .global hd_study_script, hd_study_script_end
hd_study_script:
        .incbin "script.js"
hd_study_script_end:

        .section .note.GNU-stack, "", %progbits

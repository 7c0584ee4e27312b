/* SPDX-License-Identifier: BSD-2-Clause
 *
 * frame.S - the frame that harness.c expects, as data of the program. */
    .section .rodata
    .global input_zst, input_zst_end
input_zst:
    .incbin "input.zst"
input_zst_end:
    .section .note.GNU-stack, "", @progbits

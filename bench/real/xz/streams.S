/* SPDX-License-Identifier: BSD-2-Clause
 *
 * streams.S - the input of harness.c as data of the program. */
    .section .rodata
    .global input_xz, input_xz_end, corrupt_xz, corrupt_xz_end
input_xz:
    .incbin "input.xz"
input_xz_end:
corrupt_xz:
    .incbin "corrupt.xz"
corrupt_xz_end:
    .section .note.GNU-stack, "", @progbits

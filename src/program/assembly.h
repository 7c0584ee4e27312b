/* SPDX-License-Identifier: BSD-2-Clause
 *
 * assembly.h - inline assembly in the text that a compiler passes to the assembler.
 *
 * Instrumented code contains no atomic instructions, because the compiler emits calls of the runtime instead.  So an
 * atomic instruction, a full fence or a system call in inline assembly is invisible to Heddle. gcc and clang enclose
 * inline assembly in #APP and #NO_APP; gcc also names file and line of each statement.  The scan ignores the rest of
 * the text. */
#ifndef HD_PROGRAM_ASSEMBLY_H
#define HD_PROGRAM_ASSEMBLY_H

#include <stdbool.h>
#include <stddef.h>

struct hd_asm_place {
    const char *function; /* function that contains the code, perhaps by inlining; "": unknown */
    const char *file;
    unsigned line;
    const char *instruction;
    bool synchronises; /* it certainly synchronises; false: it accesses memory, perhaps to
                        * synchronise */
    size_t at; /* offset of the line before the statement */
};

/* Calls `found` for every statement that synchronises or touches memory, once, in order. */
void hd_asm_scan(const char *text, void (*found)(const struct hd_asm_place *, void *), void *arg);

#endif

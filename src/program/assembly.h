/* SPDX-License-Identifier: BSD-2-Clause
 *
 * assembly.h - inline assembly in what a compiler hands to the assembler.
 *
 * Instrumented code has no atomic instruction of its own: the compiler calls the runtime
 * instead.  So an atomic instruction, a full fence or a system call in inline assembly is
 * one that Heddle cannot see.  gcc encloses inline assembly in #APP and #NO_APP and names
 * file and line of each statement; nothing else of the text has to be understood. */
#ifndef HD_PROGRAM_ASSEMBLY_H
#define HD_PROGRAM_ASSEMBLY_H

#include <stdbool.h>
#include <stddef.h>

struct hd_asm_place {
    const char *function; /* that the code is in, perhaps by inlining; "" unknown */
    const char *file;
    unsigned line;
    const char *instruction;
    bool synchronises; /* for sure; else it touches memory, perhaps to the same end */
    size_t at; /* offset of the line before the statement */
};

/* Tell of every statement that synchronises or touches memory, once, in order. */
void hd_asm_scan(const char *text, void (*found)(const struct hd_asm_place *, void *), void *arg);

#endif

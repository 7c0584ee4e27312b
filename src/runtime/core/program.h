/* SPDX-License-Identifier: BSD-2-Clause
 *
 * program.h - facts about the program and its libraries as they are loaded. */
#ifndef HD_RUNTIME_CORE_PROGRAM_H
#define HD_RUNTIME_CORE_PROGRAM_H

#include <link.h>
#include <stdbool.h>
#include <stdint.h>

/* Before the first execution: find libc and the runtime itself, ... */
void hd_program_find(char **argv, const ElfW(auxv_t) *auxv);
/* ... and write the loaded objects into the wire, for reports and for names of objects. */
void hd_program_note_modules(void);

/* argv, envp, the auxiliary vector and the strings behind them. */
void hd_program_argument_area(uintptr_t *lo, uintptr_t *hi);
/* Static TLS and TCB of the process's first thread. */
void hd_program_main_tls(uintptr_t *lo, uintptr_t *hi);
/* Is the object loaded at this bias the runtime itself or the dynamic loader? */
bool hd_program_is_own_or_loader(uintptr_t bias);
/* Does the program, or a library, need code on its stacks (PT_GNU_STACK)? */
bool hd_program_has_code_on_stacks(void);
bool hd_program_is_module(uintptr_t addr); /* inside a loaded object, its .bss included? */
/* Is it libc?  (Its own finalisers are not for us to run.) */
bool hd_program_is_libc(uintptr_t bias);
/* Does this address lie in the dynamic loader? */
bool hd_program_in_loader(uintptr_t pc);
/* The file that the code at pc is from, without its directories, and where in it that is. */
const char *hd_program_file(uint64_t pc);
uint64_t hd_program_offset(uint64_t pc);
/* The library by which OpenMP's threads run and wait; NULL: the program has none. */
const char *hd_program_openmp(void);
bool hd_program_is_openmp(uintptr_t bias);
/* In libc? */
bool hd_program_in_libc(uintptr_t pc);
/* The same without looking for it: true when nobody has yet. */
extern uintptr_t hd_program_loader_lo, hd_program_loader_bytes __attribute__((visibility("hidden")));
static inline bool hd_program_may_be_loader(uintptr_t pc)
{
    return hd_program_loader_bytes == 0 || pc - hd_program_loader_lo < hd_program_loader_bytes;
}
/* Does it lie in code that is instrumented? */
bool hd_program_is_instrumented(uint64_t pc);
/* Does it lie in the standard library of C++, which frees and waits for who calls it? */
bool hd_program_is_cplusplus(uint64_t pc);
static inline bool hd_program_is_targets(uint64_t pc)
{
    return hd_program_is_instrumented(pc) || hd_program_is_cplusplus(pc);
}

#endif

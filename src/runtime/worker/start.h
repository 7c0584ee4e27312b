/* SPDX-License-Identifier: BSD-2-Clause
 *
 * start.h - taking over before main, and facts about the process that only the
 * start knows. */
#ifndef HD_RUNTIME_WORKER_START_H
#define HD_RUNTIME_WORKER_START_H

#include <stdbool.h>
#include <stdint.h>

/* argv, envp, the auxiliary vector and the strings behind them. */
void hd_start_argument_area(uintptr_t *lo, uintptr_t *hi);
/* Static TLS and TCB of the process's first thread. */
void hd_start_main_tls(uintptr_t *lo, uintptr_t *hi);
/* Is the object loaded at this bias the runtime itself or the dynamic loader? */
bool hd_start_is_own_or_loader(uintptr_t bias);
/* Is it libc?  (Its own finalisers are not for us to run.) */
/* Does the program, or a library, need code on its stacks (PT_GNU_STACK)? */
bool hd_start_has_code_on_stacks(void);
bool hd_start_is_module(uintptr_t addr); /* inside a loaded object, its .bss included? */
bool hd_start_is_libc(uintptr_t bias);
/* Does this address lie in the dynamic loader? */
bool hd_start_in_loader(uintptr_t pc);
/* The file that the code at pc is from, without its directories, and where in it that is. */
const char *hd_start_file(uint64_t pc);
uint64_t hd_start_offset(uint64_t pc);
/* The library by which OpenMP's threads run and wait; NULL: the program has none. */
const char *hd_start_openmp(void);
bool hd_start_is_openmp(uintptr_t bias);
/* In libc? */
bool hd_start_in_libc(uintptr_t pc);
/* The same without looking for it: true when nobody has yet. */
extern uintptr_t hd_start_loader_lo, hd_start_loader_bytes __attribute__((visibility("hidden")));
static inline bool hd_start_may_be_loader(uintptr_t pc)
{
    return hd_start_loader_bytes == 0 || pc - hd_start_loader_lo < hd_start_loader_bytes;
}
/* Does it lie in code that is instrumented? */
bool hd_start_is_instrumented(uint64_t pc);
/* Does it lie in the standard library of C++, which frees and waits for who calls it? */
bool hd_start_is_cplusplus(uint64_t pc);
static inline bool hd_start_is_targets(uint64_t pc)
{
    return hd_start_is_instrumented(pc) || hd_start_is_cplusplus(pc);
}
/* Runs the program's main (and exit) on the fiber of thread 0. */
void *hd_start_main_fiber(void *unused);
/* Is the process under Heddle?  Answered also before libc is initialised. */
bool hd_start_under_heddle(void);
/* Attach to the conductor's memory, unless that is done; false when not under Heddle. */
bool hd_start_attach(void);

#endif

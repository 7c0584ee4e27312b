/* SPDX-License-Identifier: BSD-2-Clause
 *
 * program.h - facts about the program and its libraries as they are loaded. */
#ifndef HD_RUNTIME_CORE_PROGRAM_H
#define HD_RUNTIME_CORE_PROGRAM_H

#include <link.h>
#include <stdbool.h>
#include <stdint.h>

/* Finds libc and the runtime itself.  Call before the first execution. */
void hd_program_find(char **argv, const ElfW(auxv_t) *auxv);
/* Writes the list of loaded objects to the wire, for reports and for names of objects.  Call after
 * hd_program_find. */
void hd_program_note_modules(void);

/* Call when the program is about to load a library (dlopen). */
void hd_program_loads(void);
/* Adds libraries that were loaded since.  Returns true if there is a new one.  Called when an
 * address belongs to no known module, because the runtime does not see when dlopen returns. */
bool hd_program_look_at_loaded(void);

/* Returns a hash of the addresses of the modules and of the arguments; never 0. */
uint64_t hd_program_layout(void);

/* Sets the range of argv, envp, the auxiliary vector and the strings that they point to. */
void hd_program_argument_area(uintptr_t *lo, uintptr_t *hi);
/* Sets the range of the static TLS and the TCB of the process's first thread. */
void hd_program_main_tls(uintptr_t *lo, uintptr_t *hi);
/* Returns true if the object with this load bias is the runtime itself or the dynamic loader. */
bool hd_program_is_own_or_loader(uintptr_t bias);
/* Returns true if the program or a library needs executable stacks (PT_GNU_STACK). */
bool hd_program_has_code_on_stacks(void);
bool hd_program_is_module(uintptr_t addr); /* true if addr is inside a loaded object or its .bss */
/* Returns true if the object with this load bias is libc.  (Its finalisers are not for the runtime
 * to run.) */
bool hd_program_is_libc(uintptr_t bias);
/* Returns true if pc is in the dynamic loader. */
bool hd_program_in_loader(uintptr_t pc);
/* Return the name, without directories, of the file from which the code at pc was loaded, and the
 * offset of pc in it. */
const char *hd_program_file(uint64_t pc);
uint64_t hd_program_offset(uint64_t pc);
/* hd_program_openmp returns the name of the program's OpenMP library, NULL if it has none.
 * hd_program_is_openmp returns true if the object with this load bias is that library. */
const char *hd_program_openmp(void);
bool hd_program_is_openmp(uintptr_t bias);
/* Returns true if pc is in libc. */
bool hd_program_in_libc(uintptr_t pc);
/* Like hd_program_in_loader, but does not look for the loader.  Returns true if the loader was not
 * looked up yet. */
extern uintptr_t hd_program_loader_lo, hd_program_loader_bytes __attribute__((visibility("hidden")));
static inline bool hd_program_may_be_loader(uintptr_t pc)
{
    return hd_program_loader_bytes == 0 || pc - hd_program_loader_lo < hd_program_loader_bytes;
}
/* Returns true if pc is in an instrumented object. */
bool hd_program_is_instrumented(uint64_t pc);
/* Returns true if pc is in the C++ standard library, which frees memory and waits on behalf of its
 * callers. */
bool hd_program_is_cplusplus(uint64_t pc);
static inline bool hd_program_is_targets(uint64_t pc)
{
    return hd_program_is_instrumented(pc) || hd_program_is_cplusplus(pc);
}

#endif

/* SPDX-License-Identifier: BSD-2-Clause
 *
 * library_atomics.h - makes atomic instructions of uninstrumented code visible operations.
 *
 * The tool has found the instructions (model/locked.h).  Each is replaced by a detour to a
 * trampoline near its object.  The trampoline calls the runtime, executes the instruction and jumps
 * back to the next one.
 *
 * K1  If the instruction is long enough, a jump replaces it.  Otherwise its first byte becomes a
 *     breakpoint (SIGTRAP), or under a debugger an invalid instruction (SIGILL), and the handler
 *     redirects the thread to the trampoline.  No frame stays on the alternate stack, so the
 *     operation may switch fibers.
 * K2  Registers, flags and the red zone are unchanged when the instruction executes, so its effect is exact.  Threads
 *     switch only before the instruction: announcing, recording and executing it are one step.  The recorded values
 *     are computed from its operands.
 * K3  The operation is sequentially consistent, as it is on this processor.
 * K4  All detours are in place before main, in every process that runs the program, also in a
 *     replay and under a debugger. */
#ifndef HD_RUNTIME_HOOKS_LIBRARY_ATOMICS_H
#define HD_RUNTIME_HOOKS_LIBRARY_ATOMICS_H

#include <stdint.h>

/* Call it before main, when the modules are known and their code is still unmodified. */
void hd_locked_init(void);

/* Call when a breakpoint or an invalid instruction at pc was hit.  Returns the address at which to continue, or 0
 * if library_atomics.c has not put it there. */
uintptr_t hd_locked_trap(uintptr_t pc);

#endif

/* SPDX-License-Identifier: BSD-2-Clause
 *
 * library_atomics.h - atomic instructions of code that is not instrumented become visible operations.
 *
 * The tool has found them (model/locked.h).  Each is led through a piece of code of ours near its
 * object, which calls the runtime, executes the instruction, and goes back behind it.
 *
 * K1  Where the instruction has room for it, a jump leads there.  Otherwise its first byte becomes
 *     a breakpoint (SIGTRAP), for a debugger's sake one that is no instruction (SIGILL), and the
 *     handler leads the thread there: no frame stays on the alternate stack, and the operation may
 *     switch fibers.
 * K2  All registers, flags and the red zone are as they were when the instruction is executed, so
 *     what it does is exact.  Threads are switched before it only: announcing, recording and
 *     executing it is one step.  What is recorded is computed from its operands.
 * K3  It counts as sequentially consistent, which on this processor it is.
 * K4  All of this is in place before main, in every process that runs the program; a replay's
 *     and a debugger's, too. */
#ifndef HD_RUNTIME_HOOKS_LIBRARY_ATOMICS_H
#define HD_RUNTIME_HOOKS_LIBRARY_ATOMICS_H

#include <stdint.h>

/* Before main: the modules are known, and nobody else has changed their code. */
void hd_locked_init(void);

/* A breakpoint or no instruction at pc: where to go on; 0: it is none of ours. */
uintptr_t hd_locked_trap(uintptr_t pc);

#endif

/* SPDX-License-Identifier: BSD-2-Clause
 *
 * float_modes.h - decides whether threads can have different floating-point modes or flags.
 *
 * The register MXCSR (rounding, masks, flags) belongs to a thread, like the x87 control word.
 * Reading it takes a fifth of the time of a switch, so a switch exchanges it only if code of the
 * program can read or write it:
 * N1  Only the libraries of the compiler (libc, libm, libgcc) contain instructions that do so.  (The search compares
 *     bytes: it may find too many instructions, but never too few.)
 * N2  No other object imports a function of these libraries that does so for its caller, or can
 *     look one up at run time.
 * N3  The program makes no code at run time.
 * Unless all three hold, and before hd_float_modes_init, every switch exchanges it. */
#ifndef HD_RUNTIME_CORE_FLOAT_MODES_H
#define HD_RUNTIME_CORE_FLOAT_MODES_H

#include <stdint.h>

/* Decides this.  Call once, before the first fiber runs. */
void hd_float_modes_init(void);
/* Call when the program has made code at run time (N3). */
void hd_float_modes_code_made(void);

/* Returns MXCSR and the x87 control word of the running thread as fibers store them (HD_SAVED_FP). */
uint64_t hd_float_modes(void);

#endif

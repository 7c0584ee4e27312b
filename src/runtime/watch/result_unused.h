/* SPDX-License-Identifier: BSD-2-Clause
 *
 * result_unused.h - does the caller look at what a function has returned?
 *
 * Where POSIX leaves a result open, every value that it may have is one more execution, and
 * most callers do not look.  Whether they do is in their code: the register of the result is
 * written before it is read.  Whatever is not understood counts as a look. */
#ifndef HD_RUNTIME_WATCH_RESULT_UNUSED_H
#define HD_RUNTIME_WATCH_RESULT_UNUSED_H

#include <stdbool.h>
#include <stdint.h>

/* pc: where the call returns to.  True: nothing behind it reads the result. */
bool hd_result_is_unused(uint64_t pc);

#endif

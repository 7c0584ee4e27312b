/* SPDX-License-Identifier: BSD-2-Clause
 *
 * result_unused.h - whether the caller uses the result of a function.
 *
 * Where POSIX leaves a result open, every possible value needs another execution, but most callers ignore the
 * result.  The caller's code shows whether it does: the result register is written before it is read.  Code that
 * cannot be decoded counts as a use. */
#ifndef HD_RUNTIME_WATCH_RESULT_UNUSED_H
#define HD_RUNTIME_WATCH_RESULT_UNUSED_H

#include <stdbool.h>
#include <stdint.h>

/* pc is the return address of the call.  Returns true if no code after it reads the result. */
bool hd_result_is_unused(uint64_t pc);

#endif

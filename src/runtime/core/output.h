/* SPDX-License-Identifier: BSD-2-Clause
 *
 * output.h - standard output and error of the target, captured per execution. */
#ifndef HD_RUNTIME_CORE_OUTPUT_H
#define HD_RUNTIME_CORE_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

/* Descriptors 1 and 2 go to a memory file from now on. */
void hd_output_init(void);
/* Flush what stdio holds; called in the scheduler's context and before findings. */
void hd_output_flush(void);
/* The last cap bytes of what this execution has printed; how many. */
size_t hd_output_read(char *buf, size_t cap);
/* Is libc at work on a stream?  A thread that stops then holds the stream for ever. */
bool hd_output_is_locked(void);
/* Forget it. */
void hd_output_reset(void);
/* The same of what another process has printed, which ended in the middle of an execution. */
void hd_output_empty(void);

#endif

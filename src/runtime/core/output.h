/* SPDX-License-Identifier: BSD-2-Clause
 *
 * output.h - standard output and error of the target, captured per execution. */
#ifndef HD_RUNTIME_CORE_OUTPUT_H
#define HD_RUNTIME_CORE_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

/* Redirects descriptors 1 and 2 to a memory file. */
void hd_output_init(void);
/* Flushes stdio's buffer of standard output.  Called in the scheduler's context and before
 * findings. */
void hd_output_flush(void);
/* Reads the last cap bytes of this execution's output.  Returns their number. */
size_t hd_output_read(char *buf, size_t cap);
/* Reads this execution's output from its beginning, at most cap bytes, without the part that hd_output_ends
 * excludes.  Returns their number. */
size_t hd_output_whole(char *buf, size_t cap);
/* Call when the process ends without flushing stdio: the contents of its buffers are then not
 * output. */
void hd_output_ends(void);
/* Shows the captured output of a replay to the user who asked for it (--output). */
void hd_output_show(void);
/* Returns true if libc holds the lock of stdout or stderr.  A thread that stops then keeps the
 * stream locked for ever. */
bool hd_output_is_locked(void);
/* Discards this execution's output.  io_used: the target has used file descriptors. */
void hd_output_reset(bool io_used);
/* hd_output_size returns the number of bytes of this execution's output so far; hd_output_cut discards everything
 * after that many bytes. */
long hd_output_size(void);
void hd_output_cut(long size);
/* Discards the output of another process, which ended in the middle of an execution. */
void hd_output_empty(void);

#endif

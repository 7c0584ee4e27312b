/* SPDX-License-Identifier: BSD-2-Clause
 *
 * operand.h - finds the expression that a source line uses for the object of its operation. */
#ifndef HD_REPORT_NAMES_OPERAND_H
#define HD_REPORT_NAMES_OPERAND_H

#include <stdbool.h>
#include <stddef.h>

/* Writes a line of a file without the blanks at its end; if the line before it ends with "=", both.
 * Returns false if it cannot be read. */
bool hd_source_line(const char *path, int number, char *buf, size_t cap);

/* Writes the operand of the operations in the line, "j->lock" in "pthread_mutex_lock(&j->lock);".  atomic: the
 * object is an atomic; otherwise a lock, condition or semaphore.  Returns false if there is none, or more than
 * one. */
bool hd_operand_of_line(const char *line, bool atomic, char *buf, size_t cap);

/* Returns the function for input, output or descriptors that the line calls: "epoll_wait".  Returns NULL if
 * it calls none, or more than one. */
const char *hd_io_call_of_line(const char *line);

#endif

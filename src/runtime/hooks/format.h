/* SPDX-License-Identifier: BSD-2-Clause
 *
 * format.h - the memory that printf and scanf access through their arguments. */
#ifndef HD_RUNTIME_HOOKS_FORMAT_H
#define HD_RUNTIME_HOOKS_FORMAT_H

#include <stdarg.h>
#include <stddef.h>
#include <stdbool.h>
#include <stdint.h>

/* Either hd_range or hd_range_of_call. */
typedef void hd_note_fn(const void *p, size_t n, bool write, uint64_t pc);

/* Notes the strings that a printf with these arguments reads, and what %n writes.  Stops at a
 * conversion that it does not know (positional arguments, registered ones). */
void hd_format_printed(hd_note_fn *note, const char *fmt, va_list ap, uint64_t pc);

/* Notes what a scanf has written, after it has returned the number of assigned values. */
void hd_format_scanned(const char *fmt, va_list ap, int assigned, uint64_t pc);

#endif

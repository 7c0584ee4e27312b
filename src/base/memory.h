/* SPDX-License-Identifier: BSD-2-Clause
 *
 * memory.h - allocates memory for the tool.  No function returns NULL for lack of memory; instead the tool ends
 * with a message. (The runtime has its own allocators.) */
#ifndef HD_BASE_MEMORY_H
#define HD_BASE_MEMORY_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

/* Returns p, which is the result of another allocator; ends the tool if it is NULL. */
void *hd_not_null(void *p);

/* Returns zeroed memory for n elements; n may be 0. */
void *hd_zeroed(size_t n, size_t each);

/* Like realloc, for n elements. */
void *hd_resized(void *p, size_t n, size_t each);

/* Returns a copy of the text. */
char *hd_copied(const char *text);

/* Like open_memstream. */
FILE *hd_memory_stream(char **text, size_t *size);

/* Returns the contents of a file, or NULL if it cannot be read or is empty. */
char *hd_text_of_file(const char *path);

/* Returns the formatted text. */
__attribute__((format(printf, 1, 2))) char *hd_formatted(const char *fmt, ...);
__attribute__((format(printf, 1, 0))) char *hd_formatted_list(const char *fmt, va_list ap);

#endif

/* SPDX-License-Identifier: BSD-2-Clause
 *
 * file.h - writing a file that appears only when it is complete. */
#ifndef HD_REPORT_PRINT_FILE_H
#define HD_REPORT_PRINT_FILE_H

#include <stdbool.h>
#include <stdio.h>

/* What write writes, into a file that appears only when it is complete; "-" is standard
 * output.  False with errno set. */
bool hd_file_write(const char *path, void (*write)(FILE *out, const void *what), const void *what);

/* Could hd_file_write write there now?  False with errno set. */
bool hd_file_writable(const char *path);

#endif

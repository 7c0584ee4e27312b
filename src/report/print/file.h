/* SPDX-License-Identifier: BSD-2-Clause
 *
 * file.h - writes a file that appears only when it is complete. */
#ifndef HD_REPORT_PRINT_FILE_H
#define HD_REPORT_PRINT_FILE_H

#include <stdbool.h>
#include <stdio.h>

/* Calls write(out, what) for a temporary file and renames that file to `path`, so that readers
 * never see an incomplete file.  Writes directly to devices and pipes, and to standard output if
 * path is "-".  Returns false with errno set on failure. */
bool hd_file_write(const char *path, void (*write)(FILE *out, const void *what), const void *what);

/* True if hd_file_write can write there now.  Otherwise sets errno. */
bool hd_file_writable(const char *path);

#endif

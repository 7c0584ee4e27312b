/* SPDX-License-Identifier: BSD-2-Clause
 *
 * path.h - readable paths: without the working directory. */
#ifndef HD_REPORT_NAMES_PATH_H
#define HD_REPORT_NAMES_PATH_H

/* The path relative to the working directory, if it lies below it. */
const char *hd_path_shown(const char *path);

/* The same for all paths in a text, in place. */
void hd_path_shorten(char *text);

#endif

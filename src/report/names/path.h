/* SPDX-License-Identifier: BSD-2-Clause
 *
 * path.h - shortens paths for display. */
#ifndef HD_REPORT_NAMES_PATH_H
#define HD_REPORT_NAMES_PATH_H

/* Returns the path relative to the working directory if it is below it, otherwise the path itself.
 * The result points into `path`. */
const char *hd_path_shown(const char *path);

/* Shortens all paths in the text like hd_path_shown, in place. */
void hd_path_shorten(char *text);

#endif

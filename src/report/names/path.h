/* SPDX-License-Identifier: BSD-2-Clause
 *
 * path.h - paths as people want to read them: below the working directory without it. */
#ifndef HD_REPORT_NAMES_PATH_H
#define HD_REPORT_NAMES_PATH_H

/* The end of the path that tells the file to somebody who is here. */
const char *hd_path_shown(const char *path);

/* The same for all paths in a text, in place. */
void hd_path_shorten(char *text);

#endif

/* SPDX-License-Identifier: BSD-2-Clause
 *
 * libraries.h - loads Heddle's runtime, and the library that selects a test, into the program. */
#ifndef HD_CAMPAIGN_SESSION_LIBRARIES_H
#define HD_CAMPAIGN_SESSION_LIBRARIES_H

#include "conductor/launch.h"
#include "program/elf_info.h"

/* Paths to which a launch refers.  They must live as long as the launch. */
struct hd_libraries {
    char runtime[4096];
    char preload[8200];
};

/* Sets the libraries of the launch.  test: name of the test that libheddle-each.so selects; NULL:
 * none.  Returns false, after a message, if a library is missing. */
bool hd_libraries_set(struct hd_libraries *lib, const struct hd_elf_info *elf, const char *test,
                      struct hd_launch *l);

#endif

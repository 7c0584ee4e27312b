/* SPDX-License-Identifier: BSD-2-Clause
 *
 * libraries.h - loads Heddle's runtime, and the library that selects a test, into the program. */
#ifndef HD_CAMPAIGN_LIBRARIES_H
#define HD_CAMPAIGN_LIBRARIES_H

#include "campaign/session.h"
#include "conductor/launch.h"

/* Paths to which a launch refers.  They must live as long as the launch. */
struct hd_libraries {
    char runtime[4096];
    char preload[8200];
};

/* Sets the libraries of the launch.  Returns false, after a message, if a library is missing. */
bool hd_libraries_set(const struct hd_session *s, struct hd_launch *l, struct hd_libraries *lib);

#endif

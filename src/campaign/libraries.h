/* SPDX-License-Identifier: BSD-2-Clause
 *
 * libraries.h - how Heddle's runtime and the library that selects a test get into the
 * program. */
#ifndef HD_CAMPAIGN_LIBRARIES_H
#define HD_CAMPAIGN_LIBRARIES_H

#include "campaign/session.h"
#include "conductor/launch.h"

/* Paths that a launch refers to. */
struct hd_libraries {
    char runtime[4096];
    char preload[8200];
};

/* False, after a message, if a library is missing. */
bool hd_libraries_set(const struct hd_session *s, struct hd_launch *l, struct hd_libraries *lib);

#endif

/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cmd_version.c - `heddle version`. */
#include <stdio.h>

#include "base/check.h"
#include "cli/registry.h"
#include "cli/version.h"

int hd_cmd_version(const struct hd_options *o)
{
    if (o->json)
        printf("{\"name\":\"heddle\",\"version\":\"%s\",\"wire\":%d}\n", HD_VERSION_TEXT,
               HD_WIRE_VERSION);
    else
        printf("heddle %s\n", HD_VERSION_TEXT);
    return HD_EXIT_CLEAN;
}

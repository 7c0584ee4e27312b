/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cmd_recheck.c - `heddle recheck`: runs recorded schedules again after an edit of the program. */
#include "campaign/search/rechecks.h"
#include "cli/registry.h"

int hd_cmd_recheck(const struct hd_options *o)
{
    return hd_rechecks(o);
}

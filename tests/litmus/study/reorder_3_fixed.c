/* SPDX-License-Identifier: BSD-2-Clause
 *
 * reorder_3_fixed - reorder_3 with a lock around the pair.  Twin: reorder_3.c. */
#define FIXED
#include "reorder_3.c"

/* SPDX-License-Identifier: BSD-2-Clause
 *
 * policy.c - see policy.h. */
#include "runtime/progress/policy.h"

#define ROW(name, factor, held) [HD_LOOP_##name] = { factor, held },
const struct hd_loop_policy hd_loop_policy[HD_LOOP_KINDS] = { HD_LOOP_POLICIES(ROW) };

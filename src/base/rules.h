/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rules.h - checks of the numbered rules at the heads of files.  They would cost too much in ordinary builds,
 * so only builds with -DHEDDLE_CHECKS=ON make them; otherwise the condition is compiled but never evaluated. */
#ifndef HD_BASE_RULES_H
#define HD_BASE_RULES_H

#include "base/check.h"

/* `what` is a text that begins with the number of the rule. */
#ifdef HD_CHECKS
#define HD_CHECK(cond, what) HD_INVARIANT(cond, "rule " what)
#else
#define HD_CHECK(cond, what)                                              \
    do {                                                                  \
        if (0)                                                            \
            (void)(cond);                                                 \
    } while (0)
#endif

#endif

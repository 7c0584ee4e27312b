/* SPDX-License-Identifier: BSD-2-Clause
 *
 * unit.h - included first by every unit test: cmocka and the headers that it needs. */
#ifndef HD_TESTS_SUPPORT_UNIT_H
#define HD_TESTS_SUPPORT_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT_OF(a) (sizeof(a) / sizeof(a)[0])

/* Compare two numbers; on failure say which row or seed it was. */
#define EXPECT_EQ(what, got, want)                                                      \
    do {                                                                                \
        unsigned long long got_ = (got), want_ = (want);                                \
        if (got_ != want_)                                                              \
            fail_msg("%s: %s is %llu, want %llu", (what), #got, got_, want_);           \
    } while (0)

#endif

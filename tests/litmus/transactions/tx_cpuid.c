/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The program takes its other path where the processor has no transactions. */
#include "rtm.h"

#include <cpuid.h>

static int counter;

static bool has_transactions(void)
{
    unsigned a, b, c, d;

    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && b & 1u << 11;
}

int main(void)
{
    if (has_transactions() && _xbegin() == _XBEGIN_STARTED) {
        counter++;
        _xend();
    } else {
        counter = 1;
    }
    assert(counter == 1);
    return 0;
}

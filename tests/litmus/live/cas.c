/* SPDX-License-Identifier: BSD-2-Clause
 *
 * cas - two threads add to a counter by compare-and-swap.
 *
 * fixed: a thread that fails has lost to another thread, which made progress; it tries again with the new value.
 * bug: it tries again with the old one. */
#include "live.h"

static int counter;

static void *body(void *arg)
{
    int seen = get(counter);

    for (;;) {
        int expected = seen;

        if (__atomic_compare_exchange_n(&counter, &expected, seen + 1, false, __ATOMIC_SEQ_CST,
                                        __ATOMIC_SEQ_CST))
            return arg;
        if (!is("bug"))
            seen = expected;
    }
}

int main(int argc, char **argv)
{
    take_variant(argc, argv);
    run_both(body);
    assert(counter == 2);
    return 0;
}

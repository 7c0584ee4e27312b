/* SPDX-License-Identifier: BSD-2-Clause
 *
 * once - who finds it done comes after what was done. */
#include "races.h"

static int x;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void make(void)
{
    PUT(x, 1);
}

static void *use(void *arg)
{
    if (is("hand-made")) {
        if (GET(x) == 0)
            make();
    } else {
        pthread_once(&once, make);
        (void)GET(x);
    }
    return arg;
}

int main(int argc, char **argv)
{
    return run_two(argc, argv, use, use);
}

/* SPDX-License-Identifier: BSD-2-Clause
 *
 * join_circle.c - a thread joins the main thread, which joins it.
 * Expect: deadlock */
#include "../conform.h"

static pthread_t main_thread, third;

static void *joins_third(void *arg)
{
    pthread_join(third, NULL);
    return arg;
}

static void *joins_main(void *arg)
{
    pthread_join(main_thread, NULL);
    return arg;
}

int main(void)
{
    main_thread = pthread_self();
    third = start(joins_main, NULL);
    finish(start(joins_third, NULL));
    return 0;
}

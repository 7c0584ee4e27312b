/* SPDX-License-Identifier: BSD-2-Clause
 *
 * once_recursive.c - the routine of a pthread_once calls the same pthread_once.
 * Expect: deadlock */
#include "../conform.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void init(void)
{
    pthread_once(&once, init);
}

int main(void)
{
    pthread_once(&once, init);
    return 0;
}

/* SPDX-License-Identifier: BSD-2-Clause
 *
 * relock_normal.c - a normal mutex locked again by its holder waits for itself.
 * Expect: deadlock */
#include "../conform.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int main(void)
{
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    return 0;
}

/* SPDX-License-Identifier: BSD-2-Clause
 *
 * unlock_not_held.c - unlocking a mutex that no thread holds.
 * Expect: lock-misuse */
#include "../conform.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int main(void)
{
    pthread_mutex_unlock(&m);
    return 0;
}

/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mutex_garbage.c - a mutex that was never initialised: whatever was in its memory.
 * Expect: lock-misuse */
#include <string.h>

#include "../conform.h"

static pthread_mutex_t m;

int main(void)
{
    memset(&m, 0xa5, sizeof m);
    pthread_mutex_lock(&m);
    return 0;
}

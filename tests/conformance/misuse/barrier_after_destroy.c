/* SPDX-License-Identifier: BSD-2-Clause
 *
 * barrier_after_destroy.c - a barrier is used after it was destroyed.
 * Expect: lock-misuse */
#include "../conform.h"

static pthread_barrier_t b;

int main(void)
{
    pthread_barrier_init(&b, NULL, 1);
    pthread_barrier_destroy(&b);
    pthread_barrier_wait(&b);
    return 0;
}

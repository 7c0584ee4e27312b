/* SPDX-License-Identifier: BSD-2-Clause
 *
 * spin_after_destroy.c - a spinlock is used after it was destroyed.
 * Expect: lock-misuse */
#include "../conform.h"

static pthread_spinlock_t s;

int main(void)
{
    pthread_spin_init(&s, 0);
    pthread_spin_destroy(&s);
    pthread_spin_lock(&s);
    return 0;
}

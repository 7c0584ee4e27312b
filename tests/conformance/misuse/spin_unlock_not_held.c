/* SPDX-License-Identifier: BSD-2-Clause
 *
 * spin_unlock_not_held.c - unlocking a spinlock that no thread holds.
 * Expect: lock-misuse */
#include "../conform.h"

static pthread_spinlock_t s;

int main(void)
{
    pthread_spin_init(&s, 0);
    pthread_spin_unlock(&s);
    return 0;
}

/* SPDX-License-Identifier: BSD-2-Clause
 *
 * relock_spin.c - a spinlock locked again by its holder spins forever.
 * Expect: deadlock */
#include "../conform.h"

static pthread_spinlock_t s;

int main(void)
{
    pthread_spin_init(&s, 0);
    pthread_spin_lock(&s);
    pthread_spin_lock(&s);
    return 0;
}

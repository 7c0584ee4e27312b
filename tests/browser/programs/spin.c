/* SPDX-License-Identifier: BSD-2-Clause
 *
 * spin.c - a loop that polls for a while, and a failure after it: what is to be folded is
 * 200 rounds of the same operation. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag;

static void *setter(void *unused)
{
    for (int i = 0; i < 200; i++)
        if (atomic_load(&flag) == 2)
            break;
    atomic_store(&flag, 1);
    return unused;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, setter, NULL);
    pthread_join(t, NULL);
    assert(atomic_load(&flag) != 1);
    return 0;
}

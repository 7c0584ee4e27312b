/* SPDX-License-Identifier: BSD-2-Clause
 *
 * partial - two threads deadlock, and main neither waits for them nor is
 * kept from ending: `exit` returns at once, `polls` waits by polling, `busy` works on. */
#include "locks.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void *one(void *arg)
{
    lock_both(&a, &b);
    __atomic_fetch_add(&done, 1, __ATOMIC_SEQ_CST);
    return arg;
}

static void *other(void *arg)
{
    if (strstr(variant, "fixed") != NULL)
        lock_both(&a, &b);
    else
        lock_both(&b, &a);
    __atomic_fetch_add(&done, 1, __ATOMIC_SEQ_CST);
    return arg;
}

int main(int argc, char **argv)
{
    choose_variant(argc, argv);
    pthread_detach(spawn(one));
    pthread_detach(spawn(other));
    if (strstr(variant, "polls") != NULL)
        while (__atomic_load_n(&done, __ATOMIC_SEQ_CST) < 2)
            ;
    if (strstr(variant, "busy") != NULL)
        for (int i = 0; i < 3; i++)
            visible_write(done, visible_read(done));
    return 0;
}

/* SPDX-License-Identifier: BSD-2-Clause
 *
 * sequence - who comes between a release and the acquire that sees it.  A
 * read-modify-write of any order and (C11) a store of the same thread go on with the
 * release sequence; a store of another thread ends it. */
#include "races.h"

static int data, flag;

static void *sender(void *arg)
{
    PUT(data, 1);
    __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
    if (is("same-thread"))
        __atomic_store_n(&flag, 2, __ATOMIC_RELAXED);
    return arg;
}

static void *between(void *arg)
{
    if (is("rmw"))
        __atomic_fetch_add(&flag, 1, __ATOMIC_RELAXED);
    else if (is("store") && __atomic_load_n(&flag, __ATOMIC_RELAXED) == 1)
        __atomic_store_n(&flag, 2, __ATOMIC_RELAXED);
    return arg;
}

static void *receiver(void *arg)
{
    if (__atomic_load_n(&flag, __ATOMIC_ACQUIRE) == 2)
        (void)GET(data);
    return arg;
}

int main(int argc, char **argv)
{
    variant = argc > 1 ? argv[1] : "";
    pthread_t a = spawn(sender), b = spawn(between), c = spawn(receiver);

    join(a);
    join(b);
    join(c);
    return 0;
}

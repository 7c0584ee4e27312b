/* SPDX-License-Identifier: BSD-2-Clause
 *
 * lease.c - a lease that a client takes if nobody has it: two clients see that, and both believe that it is theirs.
 *
 * Expect: semantic */
#include <heddle/linear.h>

#include "whole.h"

static atomic_int owner;

static int acquire(int client)
{
    enter();
    int free = atomic_load(&owner) == 0;

    if (free)
        atomic_store(&owner, client);
    leave();
    return free;
}

static void release(int client)
{
    enter();
    if (atomic_load(&owner) == client)
        atomic_store(&owner, 0);
    leave();
}

static void one(void)
{
    heddle_op("%d", acquire(1));
    heddle_op_void(release(1));
}

static void two(void)
{
    heddle_op("%d", acquire(2));
}

int main(void)
{
    heddle_clients(one, two);
    heddle_sequence("owner");
    heddle_element("%d", owner);
    return 0;
}

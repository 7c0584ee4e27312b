/* SPDX-License-Identifier: BSD-2-Clause
 *
 * alternate_stack - one thread sets an alternate stack for its signals, the other asks
 * for its own.
 *
 * Claim: that is not the first one's.  True. */
#define _GNU_SOURCE
#include "../litmus/litmus.h"

#include <signal.h>
#include <stdatomic.h>

static atomic_int x;
static char memory[1 << 15];

static void *sets(void *arg)
{
    stack_t stack = { .ss_sp = memory, .ss_size = sizeof memory };

    sigaltstack(&stack, NULL);
    x++;
    stack.ss_flags = SS_DISABLE;
    sigaltstack(&stack, NULL);
    return arg;
}

static void *asks(void *arg)
{
    stack_t stack;

    x++;
    sigaltstack(NULL, &stack);
    assert(stack.ss_sp != memory);
    return arg;
}

int main(void)
{
    pthread_t a = spawn(sets), b = spawn(asks);

    join(a);
    join(b);
    return 0;
}

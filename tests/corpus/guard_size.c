/* SPDX-License-Identifier: BSD-2-Clause
 *
 * guard_size - queries the size of the guard of the thread's own stack, as Rust's runtime does.
 *
 * Claim: there is one.  True. */
#define _GNU_SOURCE
#include "../litmus/litmus.h"

static void *work(void *arg)
{
    pthread_attr_t attributes;
    size_t guard = 0;

    pthread_getattr_np(pthread_self(), &attributes);
    pthread_attr_getguardsize(&attributes, &guard);
    assert(guard > 0);
    pthread_attr_destroy(&attributes);
    return arg;
}

int main(void)
{
    join(spawn(work));
    return 0;
}

/* SPDX-License-Identifier: BSD-2-Clause
 *
 * thread_name - a thread gives itself a name that main asks for.
 *
 * Claim: main sees the old one.  False. */
#define _GNU_SOURCE
#include "../litmus/litmus.h"

static void *work(void *arg)
{
    pthread_setname_np(pthread_self(), "b");
    return arg;
}

int main(void)
{
    char name[16];

    pthread_setname_np(pthread_self(), "a");
    pthread_t other = spawn(work);

    pthread_getname_np(other, name, sizeof name);
    join(other);
    assert(name[0] != 'b');
    return 0;
}

/* SPDX-License-Identifier: BSD-2-Clause
 *
 * once_fixed - initialisation by pthread_once.
 *
 * Claim: it happens once.  True; the counter is plain, since the once orders it.
 * Twin: once_bug.c. */
#include "../litmus.h"

static pthread_once_t initialised = PTHREAD_ONCE_INIT;
static int times;

static void initialise(void)
{
    times++;
}

static void *use(void *arg)
{
    pthread_once(&initialised, initialise);
    return arg;
}

int main(void)
{
    pthread_t worker = spawn(use);

    use(NULL);
    join(worker);
    assert(times == 1);
    return 0;
}

/* SPDX-License-Identifier: BSD-2-Clause
 *
 * spin_exit - polls a flag, and ends with exit code 1.
 *
 * Claim: the code is 0.  False, in every execution; no strategy may report this as an
 * error of Heddle. */
#include "../litmus/litmus.h"

#include <stdatomic.h>

static atomic_int flag;

static void *work(void *arg)
{
    flag = 1;
    return arg;
}

int main(void)
{
    pthread_t other = spawn(work);

    while (!flag)
        ;
    join(other);
    return 1;
}

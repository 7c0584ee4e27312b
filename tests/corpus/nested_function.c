/* SPDX-License-Identifier: BSD-2-Clause
 *
 * nested_function - a nested function of GNU C, which needs an executable stack.
 *
 * Claim: it runs.  True. */
#include "../litmus/litmus.h"

#include <stdatomic.h>

int main(void)
{
    atomic_int n = 0;
    void *work(void *arg)
    {
        n++;
        return arg;
    }
    pthread_t a = spawn(work), b = spawn(work);

    join(a);
    join(b);
    assert(n == 2);
    return 0;
}

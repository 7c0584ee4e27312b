/* SPDX-License-Identifier: BSD-2-Clause
 *
 * uses_part - two threads call code that is not instrumented (plain_part.c).
 *
 * Claim: no increment is lost.  False, and only the part that is not seen shows it. */
#include "../litmus/litmus.h"

void part_bump(void);
int part_get(void);

static void *work(void *arg)
{
    part_bump();
    return arg;
}

int main(void)
{
    pthread_t a = spawn(work), b = spawn(work);

    join(a);
    join(b);
    assert(part_get() == 2);
    return 0;
}

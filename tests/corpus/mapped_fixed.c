/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mapped_fixed - maps memory at an address of its own, where nothing may be yet.
 *
 * Claim: that succeeds, in every execution.  True. */
#define _GNU_SOURCE
#include "../litmus/litmus.h"

#include <stdatomic.h>
#include <sys/mman.h>

static atomic_int *cell;

static void *work(void *arg)
{
    *cell = *cell * 2 + 1;
    return arg;
}

int main(void)
{
    cell = mmap((void *)0x10000000, 4096, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    assert(cell != MAP_FAILED);
    assert(*cell == 0);
    pthread_t a = spawn(work), b = spawn(work);

    join(a);
    join(b);
    return 0;
}

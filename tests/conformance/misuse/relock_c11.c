/* SPDX-License-Identifier: BSD-2-Clause
 *
 * relock_c11.c - a plain C11 mutex locked again by its holder.
 * Expect: deadlock */
#include <threads.h>

#include "../conform.h"

int main(void)
{
    mtx_t m;

    mtx_init(&m, mtx_plain);
    mtx_lock(&m);
    mtx_lock(&m);
    return 0;
}

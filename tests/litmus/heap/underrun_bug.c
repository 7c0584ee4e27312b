/* SPDX-License-Identifier: BSD-2-Clause
 *
 * underrun_bug.c - the word before a block is read. */
#include "../litmus.h"

#ifdef FIXED
static volatile int before = 0;
#else
static volatile int before = 1;
#endif

int main(void)
{
    long *p = calloc(4, sizeof *p);
    long got = p[-before];

    free(p);
    return (int)got;
}

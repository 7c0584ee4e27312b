/* SPDX-License-Identifier: BSD-2-Clause
 *
 * off_by_one_bug.c - one byte is written behind the end of a block. */
#include "../litmus.h"

#ifdef FIXED
enum { ROOM = 9 };
#else
enum { ROOM = 8 };
#endif

static char *volatile shown; /* or a compiler drops writes that are never read */

static void *writer(void *unused)
{
    char *p = malloc(ROOM);

    (void)unused;
    shown = p;
    for (volatile int i = 0; i <= 8; i++)
        p[i] = 'x';
    free(p);
    return NULL;
}

int main(void)
{
    join(spawn(writer));
    return 0;
}

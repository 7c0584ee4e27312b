/* SPDX-License-Identifier: BSD-2-Clause
 *
 * read_past_bug.c - the sixth byte of a block of five is read. */
#include "../litmus.h"

static volatile int last = 5;
static int sum;

static void *reader(void *arg)
{
    char *p = calloc(5, 1);
    int end = last;

    (void)arg;
#ifdef FIXED
    end--;
#endif
    for (int i = 0; i <= end; i++)
        sum += p[i];
    free(p);
    return NULL;
}

int main(void)
{
    join(spawn(reader));
    return sum;
}

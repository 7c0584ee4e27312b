/* SPDX-License-Identifier: BSD-2-Clause
 *
 * free_race_bug.c - nothing orders a read and the free of the same block. */
#include "../litmus.h"

static int *data;
static int seen;

static void *reader(void *unused)
{
    (void)unused;
    seen = *data;
    return NULL;
}

int main(void)
{
    data = malloc(sizeof *data);
    *data = 7;
    pthread_t t = spawn(reader);

#ifdef FIXED
    join(t);
    free(data);
#else
    free(data);
    join(t);
#endif
    return seen != 7;
}

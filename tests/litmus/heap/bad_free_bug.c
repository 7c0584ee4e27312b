/* SPDX-License-Identifier: BSD-2-Clause
 *
 * bad_free_bug.c - free of a local, a global or the middle of a block, by the
 * argument. */
#include "../litmus.h"

#include <string.h>

static int global[4];

int main(int argc, char **argv)
{
    int local[4] = { 0 };
    int *block = malloc(sizeof local);
    int *volatile p = block;

#ifndef FIXED
    if (argc > 1 && strcmp(argv[1], "stack") == 0)
        p = local;
    else if (argc > 1 && strcmp(argv[1], "global") == 0)
        p = global;
    else
        p = block + 1;
#else
    (void)argc, (void)argv, (void)global;
#endif
    free(p);
    return local[0];
}

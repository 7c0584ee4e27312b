/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Allocations that libc makes for itself, or for its caller, never fail. */
#include <stdio.h>
#include <string.h>

#include "../litmus.h"

int main(void)
{
    char *copy = strdup("what libc allocates");
    FILE *f = fopen("/dev/null", "w");

    assert(copy != NULL && f != NULL);
    fclose(f);
    free(copy);
}

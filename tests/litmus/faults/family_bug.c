/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The relatives of malloc fail, too, and the program does not check. */
#include <string.h>

#include "../litmus.h"

int main(int argc, char **argv)
{
    const char *which = argc > 1 ? argv[1] : "";
    char *p = NULL, *old = NULL;

    if (strcmp(which, "calloc") == 0)
        p = calloc(2, 8);
    else if (strcmp(which, "realloc") == 0)
        p = realloc(old = strdup("x"), 100); /* what libc allocates does not fail */
    else if (strcmp(which, "aligned") == 0)
        p = aligned_alloc(64, 64);
    else if (strcmp(which, "memalign") == 0 && posix_memalign((void **)&p, 64, 64) != 0)
        p = NULL;
    *(volatile char *)p = 1;
    free(p);
}

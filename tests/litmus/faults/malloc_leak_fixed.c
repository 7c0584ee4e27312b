/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The fixed twin of malloc_leak_bug. */
#include "../litmus.h"

static int use(void)
{
    volatile char *first = malloc(8), *second = malloc(8);

    if (first != NULL && second != NULL)
        first[0] = second[0] = 1;
    free((char *)first);
    free((char *)second);
    return 1;
}

int main(void)
{
    use();
}

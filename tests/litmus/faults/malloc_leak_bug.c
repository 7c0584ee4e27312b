/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The second of two allocations fails, and the first one is lost: a leak that no
 * execution without the fault has. */
#include "../litmus.h"

static int use(void)
{
    volatile char *first = malloc(8), *second = malloc(8);

    if (first == NULL || second == NULL)
        return 0;
    first[0] = second[0] = 1;
    free((char *)first);
    free((char *)second);
    return 1;
}

int main(void)
{
    use();
}

/* SPDX-License-Identifier: BSD-2-Clause
 *
 * overlap - accesses to one object of 8 bytes: the same bytes race, whatever the sizes;
 * neighbours do not. */
#include "races.h"

static union {
    uint64_t whole;
    uint32_t word[2];
    uint8_t byte[8];
} u;

static void *low(void *arg)
{
    if (is("whole-whole") || is("whole-read"))
        PUT(u.whole, 1);
    else if (is("byte-word") || is("byte-byte"))
        PUT(u.byte[3], 1);
    else
        PUT(u.word[0], 1);
    return arg;
}

static void *high(void *arg)
{
    if (is("whole-whole"))
        PUT(u.whole, 2);
    else if (is("whole-read"))
        (void)GET(u.whole);
    else if (is("byte-word"))
        (void)GET(u.word[0]); /* bytes 0 to 3 */
    else if (is("byte-byte"))
        PUT(u.byte[4], 1);
    else
        PUT(u.word[1], 1);
    return arg;
}

int main(int argc, char **argv)
{
    return run_two(argc, argv, low, high);
}

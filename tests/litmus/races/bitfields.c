/* SPDX-License-Identifier: BSD-2-Clause
 *
 * bitfields - two members in one storage unit are one memory location: writing them
 * races.  A member of width 0 between them makes them two. */
#include "races.h"

static volatile struct {
    unsigned a : 3, b : 5;
} joined;
static volatile struct {
    unsigned char a : 3;
    unsigned char : 0;
    unsigned char b : 5;
} apart;

static void *set_a(void *arg)
{
    if (is("joined"))
        joined.a = 1;
    else
        apart.a = 1;
    return arg;
}

static void *set_b(void *arg)
{
    if (is("joined"))
        joined.b = 1;
    else
        apart.b = 1;
    return arg;
}

int main(int argc, char **argv)
{
    return run_two(argc, argv, set_a, set_b);
}

/* SPDX-License-Identifier: BSD-2-Clause
 *
 * exit_first - two threads end the process; the first one fixes the code. */
#include "fail.h"

static void *leaver(void *arg)
{
    exit(fixed ? 0 : 4);
    return arg;
}

int main(int argc, char **argv)
{
    take_variant(argc, argv);
    spawn(leaver);
    exit(0);
}

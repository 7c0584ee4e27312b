/* SPDX-License-Identifier: BSD-2-Clause
 *
 * writer_readers N - one writer of a variable and N readers.
 *
 * Claim: none.  2^N classes: each reader comes before or after the writer, and the
 * readers do not matter to each other. */
#include "classes.h"

static int c;

static void *touch(void *arg)
{
    if (numbered(arg) == 0)
        visible_write(c, 2);
    else
        (void)visible_read(c);
    return arg;
}

int main(int argc, char **argv)
{
    run_threads(argument(argc, argv, 1, 2) + 1, touch);
    return 0;
}

/* SPDX-License-Identifier: BSD-2-Clause
 *
 * tickets N - N threads draw a number each, in an atomic section, and who draws the first one
 * sets a flag there, which another thread looks at.  The numbers are plain memory: what a
 * section touches follows from the sections before it, and from nothing that is an event.
 *
 * Claim: all numbers are drawn.  2 N! classes: the orders of the sections, and the look before
 * or after the first. */
#include "classes.h"

#include <heddle/heddle.h>
#include <stdatomic.h>

static int drawn;
static atomic_int flag;

static void *work(void *arg)
{
    if (numbered(arg) == 0) {
        atomic_load(&flag);
        return arg;
    }
    heddle_atomic_begin();
    if (drawn++ == 0)
        atomic_store(&flag, 1);
    heddle_atomic_end();
    return arg;
}

int main(int argc, char **argv)
{
    int threads = argument(argc, argv, 1, 3);

    run_threads(threads + 1, work);
    assert(drawn == threads && flag == 1);
    return 0;
}

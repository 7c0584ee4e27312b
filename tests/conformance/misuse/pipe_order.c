/* SPDX-License-Identifier: BSD-2-Clause
 *
 * pipe_order.c - what two threads write to a pipe comes out in an order that one of them
 * did not expect.
 * Expect: assertion */
#include <assert.h>
#include <string.h>
#include <unistd.h>

#include "../conform.h"

static int ends[2];

static void *two(void *arg)
{
    IS(write(ends[1], "a", 1), 1);
    IS(write(ends[1], "b", 1), 1);
    return arg;
}

static void *one(void *arg)
{
    IS(write(ends[1], "x", 1), 1);
    return arg;
}

int main(void)
{
    char text[4] = "";

    IS(pipe(ends), 0);
    pthread_t s = start(two, NULL), t = start(one, NULL);
    finish(s);
    finish(t);
    IS(read(ends[0], text, 3), 3);
    assert(strcmp(text, "axb") != 0);
    return 0;
}

/* SPDX-License-Identifier: BSD-2-Clause
 *
 * overflow - a thread goes down a list that ends; unless another one has just made its
 * last element the first one again: then it uses up its stack. */
#include "fail.h"

enum { ELEMENTS = 4 };

static int next[ELEMENTS] = { 1, 2, 3, -1 };

/* Not a tail call: every element costs a frame. */
static __attribute__((noinline)) int depth_from(int element)
{
    volatile char frame[4096];

    frame[0] = 0;
    if (element < 0)
        return frame[0];
    return depth_from(get(next[element])) + 1 + frame[0];
}

static void *walker(void *arg)
{
    assert(depth_from(0) == ELEMENTS);
    return arg;
}

static void *editor(void *arg)
{
    if (!fixed)
        put(next[ELEMENTS - 1], 0);
    return arg;
}

int main(int argc, char **argv)
{
    take_variant(argc, argv);
    pthread_t one = spawn(walker), two = spawn(editor);

    join(one);
    join(two);
    return 0;
}

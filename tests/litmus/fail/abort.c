/* SPDX-License-Identifier: BSD-2-Clause
 *
 * abort - a reference count that is dropped in two steps; a thread that sees it below zero aborts. */
#include "fail.h"

static int references = 2, released;

static int drop(void)
{
    if (fixed)
        return __atomic_sub_fetch(&references, 1, __ATOMIC_SEQ_CST);
    int left = get(references) - 1;

    put(references, left);
    return left;
}

static void *user(void *arg)
{
    if (drop() == 0 && __atomic_add_fetch(&released, 1, __ATOMIC_SEQ_CST) > 1)
        abort();
    return arg;
}

int main(int argc, char **argv)
{
    take_variant(argc, argv);
    pthread_t one = spawn(user), two = spawn(user);

    join(one);
    join(two);
    if (released != 1)
        abort(); /* never released */
    return 0;
}

/* SPDX-License-Identifier: BSD-2-Clause
 *
 * null - a reader is notified of an object before the pointer to it is set. */
#include "fail.h"

static int object = 7, ready;
static int *pointer;

static void *writer(void *arg)
{
    if (fixed)
        put(pointer, &object);
    put(ready, 1);
    if (!fixed)
        put(pointer, &object);
    return arg;
}

int main(int argc, char **argv)
{
    take_variant(argc, argv);
    pthread_t thread = spawn(writer);

    if (get(ready)) {
        const int *p = get(pointer);

        if (*p != 7) /* crashes where it is not there yet */
            exit(77);
    }
    join(thread);
    return 0;
}

/* SPDX-License-Identifier: BSD-2-Clause
 *
 * barrier_surplus [late [n]] - three threads at a barrier of two, the last one twice;
 * late: the first one comes only if it sees what the last one writes; n: as many others
 * write to another variable, in n! orders, which are independent of all that.
 *
 * Claim: none; it depends on the order of arrivals who meets whom, and in some orders
 * one thread is left alone at the barrier.  The order of all arrivals matters, also of
 * those before the third thread has come; late, an execution without it comes first. */
#include "classes.h"

#include <string.h>

static pthread_barrier_t barrier;
static int late, come, other;

static void *meet(void *arg)
{
    int me = numbered(arg);

    if (me > 2) {
        visible_write(other, me);
        return arg;
    }
    if (late && me == 0 && !visible_read(come))
        return arg;
    if (late && me == 2)
        visible_write(come, 1);
    for (int n = me == 2 ? 2 : 1; n > 0; n--)
        pthread_barrier_wait(&barrier);
    return arg;
}

int main(int argc, char **argv)
{
    late = argc > 1 && strcmp(argv[1], "late") == 0;
    pthread_barrier_init(&barrier, NULL, 2);
    run_threads(3 + argument(argc, argv, 2, 0), meet);
    return 0;
}

/* SPDX-License-Identifier: BSD-2-Clause
 *
 * after - Peterson's algorithm, all of it atomic, between main and a thread; what it
 * guards is plain.  A thread that has left the loop no longer waits for what it reads: a reduced
 * search proves it. */
#include "live.h"

static int wants[2], turn, inside;

static void *enter(void *number)
{
    intptr_t me = (intptr_t)number, other = 1 - me;

    put(wants[me], 1);
    put(turn, (int)other);
    while (get(wants[other]) && get(turn) == (int)other)
        ;
    inside++;
    put(wants[me], 0);
    return NULL;
}

int main(void)
{
    pthread_t thread = spawn_number(enter, 1);

    enter(NULL);
    join(thread);
    if (inside != 2)
        abort();
    return 0;
}

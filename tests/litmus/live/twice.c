/* SPDX-License-Identifier: BSD-2-Clause
 *
 * twice - main looks at a flag twice in each round, and only the first look counts.
 *
 * A round in which the flag is raised between the two looks ends as it began: main must
 * go round once more all the same. */
#include "live.h"

static int flag;

static void *worker(void *arg)
{
    put(flag, 1);
    return arg;
}

int main(void)
{
    pthread_t thread = spawn(worker);

    while (!get(flag)) {
        (void)get(flag);
        sched_yield();
    }
    join(thread);
    return 0;
}

/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mutex_test - a thread enters a critical section twice, main once (Landslide's test).
 *
 * Claim: one is inside at a time, and no thread waits forever.  Mistakes: GUARD_TWO_STEPS,
 * MUTEX_NO_REJECT, MUTEX_FREE_FIRST (mutex.h). */
#define TESTING_MUTEXES
#include "mutex.h"

static struct mutex mutex;
static int inside;

static void use_section(void)
{
    mutex_lock(&mutex);
    visible_write(inside, visible_read(inside) + 1);
    assert(visible_read(inside) == 1);
    visible_write(inside, visible_read(inside) - 1);
    mutex_unlock(&mutex);
}

static void *child(void *arg)
{
    use_section();
    use_section();
    return arg;
}

int main(void)
{
    begin_main();
    mutex_init(&mutex);
    start(1, child, NULL);
    use_section();
    await_end(1);
    return 0;
}

/* SPDX-License-Identifier: BSD-2-Clause
 *
 * rwlock_write_write - main and two threads write (one of the tests beside Landslide's six).
 *
 * Claim: one writes at a time, and no writing is lost.  The data are plain.  Mistake: RW_IF
 * (library.h). */
#include "library.h"

#ifndef WRITERS
#define WRITERS 2
#endif

static struct rwlock lock;
static int data;

static void *writer(void *arg)
{
    rwlock_write(&lock);
    data++;
    rwlock_unlock(&lock);
    return arg;
}

int main(void)
{
    begin_main();
    rwlock_init(&lock);
    for (int i = 1; i <= WRITERS; i++)
        start(i, writer, NULL);
    writer(NULL);
    for (int i = 1; i <= WRITERS; i++)
        await_end(i);
    assert(data == WRITERS + 1);
    return 0;
}

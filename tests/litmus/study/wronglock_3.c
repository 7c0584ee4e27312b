/* SPDX-License-Identifier: BSD-2-Clause
 *
 * wronglock_3 - one thread counts up under one lock, three others count up the
 * same number under another lock (SCT study, row 30).
 *
 * Claim: the number that the first thread reads back is its own.  False when one
 * of the three comes between.  The locks do not order the two sides, so all
 * accesses to `data` race; the study promoted them all, and here they are
 * visible: read, read-and-write, read again against read-and-write.
 * Twin: wronglock_3_fixed.c. */
#include "../litmus.h"

static pthread_mutex_t right_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t wrong_lock = PTHREAD_MUTEX_INITIALIZER;
static int data;

static void *count_and_check(void *arg)
{
    int before;

    pthread_mutex_lock(&right_lock);
    before = visible_read(data);
    visible_write(data, visible_read(data) + 1);
    assert(visible_read(data) == before + 1);
    pthread_mutex_unlock(&right_lock);
    return arg;
}

static void *count(void *arg)
{
    pthread_mutex_lock(&wrong_lock);
    visible_write(data, visible_read(data) + 1);
    pthread_mutex_unlock(&wrong_lock);
    return arg;
}

int main(void)
{
    pthread_t a = spawn(count_and_check);
    pthread_t b = spawn(count);
    pthread_t c = spawn(count);
    pthread_t d = spawn(count);

    join(a);
    join(b);
    join(c);
    join(d);
    return 0;
}

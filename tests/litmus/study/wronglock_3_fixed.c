/* SPDX-License-Identifier: BSD-2-Clause
 *
 * wronglock_3_fixed - wronglock_3 with one lock for all.
 *
 * Claim: the number that the first thread reads back is its own.  True.  Nothing
 * races, so the accesses are plain.  Twin: wronglock_3.c. */
#include "../litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int data;

static void *count_and_check(void *arg)
{
    int before;

    pthread_mutex_lock(&lock);
    before = data;
    data++;
    assert(data == before + 1);
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *count(void *arg)
{
    pthread_mutex_lock(&lock);
    data++;
    pthread_mutex_unlock(&lock);
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

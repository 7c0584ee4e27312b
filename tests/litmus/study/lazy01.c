/* SPDX-License-Identifier: BSD-2-Clause
 *
 * lazy01 - one thread adds one, another adds two, a third wants less than three
 * (SCT study, row 16).
 *
 * Claim: data < 3.  False whenever the third comes after both, which already the
 * first schedule does.  Nothing races: everything is under the one lock.
 * Twin (-DFIXED): at most three. */
#include "../litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int data;

static void *add_one(void *arg)
{
    pthread_mutex_lock(&lock);
    data += 1;
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *add_two(void *arg)
{
    pthread_mutex_lock(&lock);
    data += 2;
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *check(void *arg)
{
    pthread_mutex_lock(&lock);
#ifdef FIXED
    assert(data <= 3);
#else
    assert(data < 3);
#endif
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t a = spawn(add_one);
    pthread_t b = spawn(add_two);
    pthread_t c = spawn(check);

    join(a);
    join(b);
    join(c);
    return 0;
}
